"""The automatic choice of a numeric column's distribution, by how well the column alone tells the class.

Every candidate is scored by the mean of log P(c | x) over the rows, each row left out of the estimate that scores it,
with P(c | x) ∝ P(c) P(x | c). So densities and bins are compared by one measure, which does not depend on the unit.

A. The rows are those of the values statistic: one for each value and class, with its weight; one unit of weight is left
   out at a time.
B. Supervised cuts are cross-fitted: a value is scored by cuts made without it (and without a fold of other values),
   since leaving one row out would not undo the choice of a cut.
C. The simplest candidate within one standard error of the best is taken, the error being that of the difference
   between the two over the same rows. Simpler has fewer parameters per class; the simplest is to say nothing.
D. Densities are softened by one row of the column's mixture over classes, as bins are by Laplace's pseudo-counts: a
   likelihood ratio that no number of rows supports would spoil the product over columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from candide.discretizers import Cuts, Discretizer, Entropy, EqualFrequency, EqualWidth
from candide.distributions.base import Distribution
from candide.distributions.bins import Bins, add_up
from candide.distributions.columnwise import Silent
from candide.distributions.em import log_sum_exp
from candide.distributions.gamma import Gamma, Poisson
from candide.distributions.kde import KDE
from candide.distributions.normal import LogNormal, Normal
from candide.distributions.softened import Softened
from candide.evidence import Evidence
from candide.schema import Storage

Array = np.ndarray[Any, Any]

FOLDS = 5
"""Folds of values by which supervised cuts are cross-fitted."""
ROWS = 4096
"""Value and class pairs that are scored; of more, evenly spaced ones."""
STANDARD_ERRORS = 1.0
"""A simpler candidate is taken within this many standard errors of the best."""


@dataclass(frozen=True)
class Choice:
    """What was chosen, and how well every candidate did.

    Parameters
    ----------
    name : str
        The candidate chosen.
    distribution : Distribution
    scores : mapping of str to float
        Mean leave-one-out log P(c | x) in nats per unit of weight, by candidate; simplest first.
    """

    name: str
    distribution: Distribution
    scores: Mapping[str, float]


class Automatic(Distribution):
    """The distribution of a numeric column is chosen from its values."""

    name = "auto"
    storage: ClassVar[Storage] = "values"

    def choose(self, evidence: Evidence, position: int, discrete: bool) -> Choice:
        """Return the choice for a column, with the scores of all candidates."""
        return choose(*evidence.values(position), evidence.statistics.classes.table, discrete)

    def settle(self, evidence: Evidence, position: int, discrete: bool) -> Distribution:
        """Return the distribution chosen for a column."""
        return self.choose(evidence, position, discrete).distribution


@dataclass(frozen=True, eq=False)
class Rows:
    """The value and class pairs that are scored.

    Parameters
    ----------
    values : (V,)
    counts : (K, V)
    class_counts : (K,)
        Weight of each class over the whole table, the rows where the column is missing included.
    """

    values: Array
    counts: Array
    class_counts: Array

    @cached_property
    def cells(self) -> tuple[Array, Array]:
        """Class and position of each value scored."""
        at, c = np.nonzero(self.counts.T > 0)
        part = np.linspace(0, len(c) - 1, min(len(c), ROWS)).round().astype(np.int64)
        return c[part], at[part]

    def only(self, some: Array) -> Rows:
        """Return the pairs of a mask."""
        part = Rows(self.values, self.counts, self.class_counts)
        part.__dict__["cells"] = (self.y[some], self.at[some])
        return part

    @property
    def y(self) -> Array:
        """The classes."""
        return self.cells[0]

    @property
    def at(self) -> Array:
        """The positions of the values."""
        return self.cells[1]

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

    def density(self, distribution: Softened) -> Array | None:
        """Score a density; None where the column is silent."""
        density = distribution.density(self.values, self.counts)
        if isinstance(density, Silent):
            return None
        return self.posterior(density.leave_one_out(self.values[self.at], self.y, self.left))

    def supervised(self, rule: Discretizer) -> Array:
        """Score supervised cuts, each value by the cuts made without its fold."""
        folds = min(FOLDS, len(self.values))
        fold = np.arange(len(self.values)) % folds
        out = np.empty(len(self.y))
        for f in range(folds):
            others = fold != f
            mine = fold[self.at] == f
            cuts = rule.cuts(self.values[others], self.counts[:, others])
            out[mine] = self.only(mine).bins(cuts)
        return out


@dataclass(frozen=True)
class Candidate:
    """A distribution that may be chosen: how many parameters it has per class, and its score by row."""

    name: str
    distribution: Distribution
    parameters: float
    score: Array


def candidates(rows: Rows, discrete: bool) -> list[Candidate]:
    """Return the candidates that the values allow, simplest first."""
    out = [Candidate("nothing", Bins(Cuts([])), 0, rows.bins(np.empty(0)))]
    for rule in (Entropy(), EqualWidth(10), EqualFrequency(10)):
        cuts = rule.cuts(rows.values, rows.counts)
        score = rows.supervised(rule) if rule.supervised else rows.bins(cuts)
        out.append(Candidate(rule.name, Bins(rule), len(cuts), score))
    if not discrete:
        for density, parameters in densities(rows.values):
            scored = rows.density(Softened(density))
            if scored is not None:
                out.append(Candidate(density.name, Softened(density), parameters, scored))
    return sorted(out, key=lambda candidate: candidate.parameters)


def densities(values: Array) -> list[tuple[Distribution, float]]:
    """Return the densities whose support holds the values, with their parameters per class."""
    families: list[Distribution] = [Poisson(), Normal(), LogNormal(), Gamma(), KDE("robust")]
    parameters = [1, 2, 2, 2, np.inf]
    known = zip(families, parameters, strict=True)
    return [(density, number) for density, number in known if not density.support.outside(values).any()]


def choose(values: Array, counts: Array, class_counts: Array | None = None, discrete: bool = False) -> Choice:
    """Choose the distribution of a column.

    Parameters
    ----------
    values : (V,)
        Ascending values.
    counts : (K, V)
        Their weight in each class.
    class_counts : (K,) or None
        Weight of each class over the whole table; None where the column is never missing.
    discrete : bool
        Whether only bins come into question.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, y = np.round(rng.normal(size=400), 3), np.arange(400) % 2
    >>> values, at = np.unique(x + 2 * y, return_inverse=True)
    >>> counts = np.zeros((2, len(values)))
    >>> np.add.at(counts, (y, at), 1)
    >>> choice = choose(values, counts)
    >>> choice.name, round(choice.scores["nothing"], 2), round(choice.scores["normal"], 2)
    ('entropy', -0.7, -0.32)
    """
    used = counts.sum(axis=0) > 0
    values, counts = values[used].astype(np.float64), counts[:, used]
    classes = counts.sum(axis=1) if class_counts is None else class_counts
    rows = Rows(values, counts, np.asarray(classes, dtype=float))
    if len(values) < 2 or (counts.sum(axis=1) > 0).sum() < 2:
        return Choice("nothing", Bins(Cuts([])), {})
    return simplest(candidates(rows, discrete), rows.weight)


def simplest(scored: list[Candidate], weight: Array) -> Choice:
    """Return the first candidate whose loss against the best is within its standard error."""
    share = weight / weight.sum()
    means = {candidate.name: float(share @ candidate.score) for candidate in scored}
    best = max(scored, key=lambda candidate: means[candidate.name])
    for candidate in scored:
        loss = best.score - candidate.score
        mean = share @ loss
        error = np.sqrt(share @ (loss - mean) ** 2 / max(weight.sum() - 1.0, 1.0))
        if mean <= STANDARD_ERRORS * error:
            return Choice(candidate.name, candidate.distribution, means)
    return Choice(best.name, best.distribution, means)
