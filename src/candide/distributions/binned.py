"""The automatic choice of a numeric column's bins, where only probabilities of values will do.

Every candidate is scored by the mean of log P(c | x) over the rows, each row left out of the estimate that scores it,
with P(c | x) ∝ P(c) P(x | c).

A. The rows are those of the counted values: one for each value and class, with its weight; one unit of weight is left
   out at a time.
B. Supervised cuts are cross-fitted: a value is scored by cuts made without it (and without a fold of other values),
   since leaving one row out would not undo the choice of a cut.
C. The simplest candidate within one standard error of the best is taken, the error being that of the difference
   between the two over the same rows. Simplest of all is to say nothing; few bins come before many.
D. Cheap candidates go first: where no equal bins tell the class better than nothing does, the column says nothing and
   the costly ones are not tried.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.discretizers import Cuts, Discretizer, Entropy, EqualFrequency, EqualWidth
from candide.discretizers.base import midpoints
from candide.distributions.base import Choice, Distribution
from candide.distributions.bins import Bins
from candide.frozen import frozen
from candide.selection import simplest

Array = np.ndarray[Any, Any]

FOLDS = 5
"""Folds of values by which supervised cuts are cross-fitted."""
WORTH = np.log(4.0)
"""A form must tell the classes better than nothing by odds of four to one, over all rows: of ten candidates one tells
more than nothing of most columns of noise while rows are few."""
MOST_VALUES = 1024
"""Values that are told apart by the choice: of more, neighbours are one. What is chosen then reads them all."""
MOST_PAIRS = 4096
"""Value and class pairs that are scored; of more, evenly spaced ones."""
FEW = 32
"""So many values may be grades or codes: each may have a bin of its own."""


@frozen
class Pairs:
    """The value and class pairs that are scored.

    Parameters
    ----------
    values : (V,)
    counts : (K, V)
    class_counts : (K,)
        Weight of each class over the whole table, the rows where the column is missing included.
    y, at : (rows,)
        The class and the position of each value scored.
    """

    values: Array
    counts: Array
    class_counts: Array
    y: Array
    at: Array

    @classmethod
    def of(cls, values: Array, counts: Array, class_counts: Array) -> Pairs:
        """Return the pairs of some weight; of too many, evenly spaced ones."""
        at, c = np.nonzero(counts.T > 0)
        part = np.linspace(0, len(c) - 1, min(len(c), MOST_PAIRS)).round().astype(np.int64)
        return cls(values, counts, class_counts, c[part], at[part])

    @cached_property
    def weight(self) -> Array:
        """The weights of the pairs."""
        return self.counts[self.y, self.at].astype(float)

    @cached_property
    def left(self) -> Array:
        """The weight left out: one, or all where there is less."""
        return np.minimum(self.weight, 1.0)

    @cached_property
    def log_prior(self) -> Array:
        """Log P(c) without the row, (rows, K), up to a constant."""
        prior = np.tile(self.class_counts + 1.0, (len(self.y), 1))
        prior[np.arange(len(self.y)), self.y] -= self.left
        return np.log(prior)

    @cached_property
    def cumulative(self) -> Array:
        """The counts of all values before each, and of all, (K, V + 1)."""
        out = np.zeros((len(self.counts), len(self.values) + 1))
        np.cumsum(self.counts, axis=1, out=out[:, 1:])
        return out

    def bins(self, cuts: Array) -> Array:
        """Score bins softened by Laplace's pseudo-counts."""
        return self._score(np.searchsorted(cuts, self.values[self.at], side="left"), [cuts])

    def supervised(self, rule: Discretizer) -> Array:
        """Score supervised cuts, each value by the cuts made without its fold."""
        folds = min(FOLDS, len(self.values))
        fold = np.arange(len(self.values)) % folds
        cuts = [rule.cuts(self.values[fold != f], self.counts[:, fold != f]) for f in range(folds)]
        first = offsets(len(c) + 1 for c in cuts)
        cell = np.empty(len(self.values), dtype=np.int64)
        for f, own in enumerate(cuts):
            cell[f::folds] = first[f] + np.searchsorted(own, self.values[f::folds], side="left")
        return self._score(cell[self.at], cuts)

    def _score(self, cell: Array, cuts: list[Array]) -> Array:
        """Return log P(c | x) of each row's own class without the row, by its cell of the bins of all cuts in turn."""
        table = np.concatenate([self._table(c) for c in cuts], axis=1)
        size = np.repeat([len(c) + 1.0 for c in cuts], [len(c) + 1 for c in cuts])
        n, rows = self.cumulative[:, -1], np.arange(len(cell))
        joint = (np.log(table + 1.0) - np.log(n[:, None] + size)).T[cell]
        own, known = table[self.y, cell] - self.left, n[self.y] - self.left
        joint[rows, self.y] = np.log(own + 1.0) - np.log(known + size[cell])
        joint += self.log_prior
        native.log_normalize(joint)
        return np.asarray(joint[rows, self.y])

    def _table(self, cuts: Array) -> Array:
        ends = np.concatenate([[0], np.searchsorted(self.values, cuts, side="right"), [len(self.values)]])
        return np.diff(self.cumulative[:, ends], axis=1)


@frozen(eq=True)
class Candidate:
    """A distribution that may be chosen, and its score by row."""

    name: str
    distribution: Distribution
    score: Array


SUPERVISED = Entropy()
"""Bins cut by the classes: the simplest, as they are few."""
BINS: tuple[Discretizer, ...] = (EqualWidth(10), EqualFrequency(10))
"""Other bins that come into question, simplest first."""


def candidates(rows: Pairs) -> list[Candidate]:
    """Return the candidates that the values allow, simplest first; only the cheap ones where none tells anything."""
    nothing = Candidate("nothing", Bins(Cuts([])), rows.bins(np.empty(0)))
    binned = [Candidate(r.name, Bins(r), rows.bins(r.cuts(rows.values, rows.counts))) for r in BINS]
    if len(rows.values) <= FEW:
        cuts = midpoints(rows.values)
        binned.append(Candidate("values", Bins(Cuts(cuts.tolist())), rows.bins(cuts)))
    if all(rows.weight @ (c.score - nothing.score) <= 0 for c in binned):
        return [nothing, *binned]
    return [nothing, Candidate(SUPERVISED.name, Bins(SUPERVISED), rows.supervised(SUPERVISED)), *binned]


def gathered(values: Array, counts: Array) -> tuple[Array, Array]:
    """Return values and counts; of too many, evenly spaced ones, each with the counts of those since the last.

    The least and the greatest stay, since equal widths depend on them.
    """
    if len(values) <= MOST_VALUES:
        return values, counts.astype(np.float64)
    ends = np.linspace(0, len(values) - 1, MOST_VALUES).round().astype(np.int64)
    return values[ends], np.add.reduceat(counts, np.append(0, ends[:-1] + 1), axis=1, dtype=np.float64)


def choose_bins(values: Array, counts: Array, class_counts: Array | None = None) -> Choice:
    """Choose the bins of a column.

    Parameters
    ----------
    values : (V,)
        Ascending values.
    counts : (K, V)
        Their weight in each class.
    class_counts : (K,) or None
        Weight of each class over the whole table; None where the column is never missing.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, y = np.round(rng.normal(size=400), 3), np.arange(400) % 2
    >>> values, at = np.unique(x + 2 * y, return_inverse=True)
    >>> counts = np.zeros((2, len(values)))
    >>> np.add.at(counts, (y, at), 1)
    >>> choice = choose_bins(values, counts)
    >>> choice.name, round(choice.scores["nothing"], 2), round(choice.scores["entropy"], 2)
    ('entropy', -0.7, -0.31)
    """
    used = counts.any(axis=0)
    if not used.all():
        values, counts = values[used], counts[:, used]
    known = counts.sum(axis=1)
    if len(values) < 2 or np.count_nonzero(known) < 2:
        return Choice("nothing", Bins(Cuts([])), {})
    classes = known if class_counts is None else class_counts
    rows = Pairs.of(*gathered(values.astype(np.float64), counts), np.asarray(classes, dtype=float))
    found = {candidate.name: candidate for candidate in candidates(rows)}
    scores = {name: candidate.score for name, candidate in found.items()}
    n = float(known.sum())
    best, means = simplest(scores, rows.weight, float(rows.weight.sum()))
    if n * (means[best] - means["nothing"]) < WORTH:
        best = "nothing"
    return Choice(best, found[best].distribution, means)
