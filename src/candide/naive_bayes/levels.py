"""Counting categories whose number is not known beforehand, in one pass."""

from __future__ import annotations

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.naive_bayes.matrix import Array, class_counts
from candide.naive_bayes.tally import Tally
from candide.statistics import Counts

SAMPLE_ROWS = 1000
"""Rows from which the numbers of categories are guessed."""

WORTH_GUESSING = 1 << 14
"""Cells per class from which on a guess pays, and its table is small beside the rows."""


def count_categories(codes: Array, y: Array, n_classes: int, w: Array | None) -> tuple[Tally, Array]:
    """Count the rows of each class at each category, and those (K, D) where the category is missing (negative).

    Looking for the largest category costs as much as counting. So many unweighted rows are counted under sizes
    that a sample suggests, and the sizes are read off the counts; a category beyond them stops the kernel, and
    then (or where rows of weight zero would leave no trace) the largest is looked for.
    """
    if w is None and codes.size > WORTH_GUESSING * n_classes:
        try:
            tally, missing = count_under(likely_sizes(codes), codes, y, n_classes, w)
            return tally.resize(tally.used_sizes()), missing
        except ValueError:
            pass
    return count_under(codes.max(axis=0).astype(np.int64).clip(0) + 1, codes, y, n_classes, w)


def likely_sizes(codes: Array) -> Array:
    """Guess the numbers of categories from some of the rows, with room for rarer ones."""
    some = codes[:: max(len(codes) // SAMPLE_ROWS, 1)]
    sizes: Array = (some.max(axis=0).astype(np.int64).clip(0) + 1) * 5 // 4 + 8
    return sizes


def count_under(sizes: Array, codes: Array, y: Array, n_classes: int, w: Array | None) -> tuple[Tally, Array]:
    """Count under given numbers of categories; a category beyond them is a ValueError."""
    counts, missing = native.level_counts(codes, offsets(sizes.tolist()), y, n_classes, w)
    if w is None:
        rows = counts[:, : sizes[0]].sum(axis=1) + missing[:, 0]
    else:
        rows = class_counts(y, n_classes, w)
    return Tally(Counts(rows), Counts(counts), sizes=sizes), missing
