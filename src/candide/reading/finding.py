"""Finding: which reader the cells of a column ask for. One rule a kind; the first that fits counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from candide.reading.amounts import find_amounts
from candide.reading.base import ReadAs
from candide.reading.calendar import orders_of
from candide.reading.dates import find_compact, find_dates
from candide.reading.documents import find_documents
from candide.reading.habits import NO_HABITS, Habits
from candide.reading.nearly import DIFFERENT, n_in_digits, spread
from candide.reading.numerals import fitting
from candide.reading.oddities import (
    are_varied,
    find_mixed,
    find_nearly,
    find_points,
    find_variants,
)
from candide.reading.omitted import find_identifiers
from candide.reading.texts import is_missing_spelling
from candide.reading.truths import MOST, are_truths, find_truths

FIRST = 20
"""Levels that are looked at first."""

FEW = 0.25
"""Levels, as a share of the rows, up to which they are surely no identifiers."""


def find(counts: Mapping[str, int], habits: Habits = NO_HABITS, chosen: bool = False) -> ReadAs | None:
    """Return how a column of text is read; None where its cells are levels as they are.

    Parameters
    ----------
    counts : mapping
        The different cells, in order of appearance, and how often each occurs.
    habits : Habits
        How the table is written, where other columns tell it.
    chosen : bool
        Whether somebody chose text for these cells, as in a frame.

    Examples
    --------
    >>> find({"1.5": 1, "20.465,07": 2}) is None
    True
    >>> find({"1": 300, "2": 235, "?": 65})
    ReadAs(reader=Amounts(missing=('?',)), said="535 numbers and 65 times '?', read as missing", doubted=False)
    """
    if not counts:
        return None
    asked = (finder(counts, habits, chosen) for finder in FINDERS)
    return next((found for found in asked if found is not None), None)


def promising(levels: Sequence[str], n_rows: int) -> bool:
    """Whether anything may be found in a column of these levels: a few of them settle for most columns that not.

    Counting the rows of each level costs as much as a part of learning them, so that it is done where it serves.
    """
    if len(levels) > FEW * n_rows or are_varied(levels):
        return True
    first = [level for level in islice(levels, FIRST) if not is_missing_spelling(level)]
    if len(levels) <= MOST and (not first or are_truths(levels)):
        return True
    return bool(first) and bool(fitting(first) or orders_of(first) or n_in_digits(spread(levels)) >= DIFFERENT)


Finder = Callable[[Mapping[str, int], Habits, bool], ReadAs | None]

FINDERS: list[Finder] = [
    lambda counts, *_: find_compact(counts),
    lambda counts, habits, chosen: find_amounts(counts, habits.decimal, chosen),
    lambda counts, habits, _: find_dates(counts, habits.dates),
    lambda counts, *_: find_truths(counts),
    lambda counts, *_: find_documents(counts),
    lambda counts, *_: find_mixed(counts),
    lambda counts, *_: find_points(counts),
    lambda counts, _, chosen: find_nearly(counts, chosen),
    lambda counts, *_: find_identifiers(counts),
    lambda counts, *_: find_variants(counts),
]
"""What looks for a reader of its own kind, in this order."""
