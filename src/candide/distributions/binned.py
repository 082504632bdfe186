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

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.discretizers import Cuts, Discretizer, Entropy, EqualFrequency, EqualWidth
from candide.discretizers.base import midpoints
from candide.distributions.base import Choice, Distribution
from candide.distributions.bins import Bins, add_up
from candide.frozen import frozen
from candide.selection import simplest

Array = np.ndarray[Any, Any]

FOLDS = 5
"""Folds of values by which supervised cuts are cross-fitted."""
WORTH = np.log(4.0)
"""A form must tell the classes better than nothing by odds of four to one, over all rows: of ten candidates one tells
more than nothing of most columns of noise while rows are few."""
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

    def posterior(self, log_likelihood: Array) -> Array:
        """Return log P(c | x) of each row's own class, from log P(x | c) (rows, K) without the row."""
        joint = log_likelihood + self.log_prior
        return np.asarray(joint[np.arange(len(self.y)), self.y] - log_sum_exp(joint))

    def bins(self, cuts: Array) -> Array:
        """Score bins softened by Laplace's pseudo-counts."""
        table = add_up(self.values, self.counts, cuts).astype(float)
        code = np.searchsorted(cuts, self.values[self.at], side="left")
        rows = np.arange(len(code))
        out = (np.log(table + 1.0) - np.log(table.sum(axis=1, keepdims=True) + table.shape[1])).T[code]
        own, n = table[self.y, code] - self.left, table.sum(axis=1)[self.y] - self.left
        out[rows, self.y] = np.log(own + 1.0) - np.log(n + table.shape[1])
        return self.posterior(out)

    def supervised(self, rule: Discretizer) -> Array:
        """Score supervised cuts, each value by the cuts made without its fold."""
        folds = min(FOLDS, len(self.values))
        fold = np.arange(len(self.values)) % folds
        out = np.empty(len(self.y))
        for f in range(folds):
            others = fold != f
            mine = fold[self.at] == f
            cuts = rule.cuts(self.values[others], self.counts[:, others])
            out[mine] = replace(self, y=self.y[mine], at=self.at[mine]).bins(cuts)
        return out


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
    used = counts.sum(axis=0) > 0
    values, counts = values[used].astype(np.float64), counts[:, used]
    classes = counts.sum(axis=1) if class_counts is None else class_counts
    if len(values) < 2 or (counts.sum(axis=1) > 0).sum() < 2:
        return Choice("nothing", Bins(Cuts([])), {})
    rows = Pairs.of(values, counts, np.asarray(classes, dtype=float))
    found = {candidate.name: candidate for candidate in candidates(rows)}
    scores = {name: candidate.score for name, candidate in found.items()}
    n = float(counts.sum())
    best, means = simplest(scores, rows.weight, float(rows.weight.sum()))
    if n * (means[best] - means["nothing"]) < WORTH:
        best = "nothing"
    return Choice(best, found[best].distribution, means)
