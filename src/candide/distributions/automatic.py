"""The automatic choice of a numeric column's distribution, by how well the column alone tells the class.

Every candidate is scored by the mean of log P(c | x) over the rows, each row left out of the estimate that scores it,
with P(c | x) ∝ P(c) P(x | c). So densities and bins are compared by one measure, which does not depend on the unit.

A. The rows are those of the counted values: one for each value and class, with its weight; one unit of weight is left
   out at a time.
B. Supervised cuts are cross-fitted: a value is scored by cuts made without it (and without a fold of other values),
   since leaving one row out would not undo the choice of a cut.
C. The simplest candidate within one standard error of the best is taken, the error being that of the difference
   between the two over the same rows. Simplest of all is to say nothing, which a form must beat by odds of twenty to
   one. Bins come before densities: they assume no form, and what they say is bounded by counts; few bins before many;
   forms of few parameters before kernels.
D. Densities are softened by one row of the column's mixture over classes, as bins are by Laplace's pseudo-counts: a
   likelihood ratio that no number of rows supports would spoil the product over columns.
E. Cheap candidates go first: where neither equal bins nor a normal density tell the class better than nothing does, the
   column says nothing and the costly ones are not tried. In a wide table most columns are of that kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.discretizers import Cuts, Discretizer, Entropy, EqualFrequency, EqualWidth
from candide.discretizers.base import midpoints
from candide.distributions.base import Choice, Distribution
from candide.distributions.bins import Bins, add_up
from candide.distributions.density import MomentDistribution
from candide.distributions.gamma import Gamma, Poisson
from candide.distributions.kde import KDE
from candide.distributions.normal import LogNormal, Normal
from candide.distributions.softened import Softened
from candide.selection import simplest
from candide.statistics.evidence import Evidence

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
LEAST, MOST = 1e-100, 1e100
"""Least spread and greatest size of values whose moments are taken."""


class Automatic(Distribution):
    """The distribution of a numeric column is chosen from its values."""

    name = "auto"
    needs = ("cells",)

    discrete = True  # it can be, where it must

    def settle(self, evidence: Evidence, position: int, discrete: bool) -> Choice:
        """Return the distribution chosen for a column, with the scores of all candidates."""
        return choose(*evidence.values(position), evidence.class_counts, discrete)


@dataclass(frozen=True, eq=False)
class Pairs:
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
    def scored(self) -> tuple[Array, Array]:
        """Class and position of each value scored."""
        at, c = np.nonzero(self.counts.T > 0)
        part = np.linspace(0, len(c) - 1, min(len(c), MOST_PAIRS)).round().astype(np.int64)
        return c[part], at[part]

    def only(self, some: Array) -> Pairs:
        """Return the pairs of a mask."""
        part = Pairs(self.values, self.counts, self.class_counts)
        part.__dict__["scored"] = (self.y[some], self.at[some])
        return part

    @property
    def y(self) -> Array:
        """The classes."""
        return self.scored[0]

    @property
    def at(self) -> Array:
        """The positions of the values."""
        return self.scored[1]

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

    def density(self, distribution: Softened) -> Array:
        """Score a softened density."""
        density = distribution.density(self.values, self.counts)
        said = density.leave_one_out(self.values[self.at], self.y, self.left)
        return self.posterior(np.where(np.isnan(said), 0.0, said))

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
    """A distribution that may be chosen, and its score by row."""

    name: str
    distribution: Distribution
    score: Array


SUPERVISED = Entropy()
"""Bins cut by the classes: the simplest, as they are few."""
BINS: tuple[Discretizer, ...] = (EqualWidth(10), EqualFrequency(10))
"""Other bins that come into question, simplest first."""
DENSITIES: tuple[Distribution, ...] = (Poisson(), Normal(), LogNormal(), Gamma(), KDE("robust"))
"""Densities that come into question where their support holds the values, simplest first."""


def possible(density: Distribution, values: Array) -> bool:
    """Tell whether a density holds the values, and their squares do not overflow or vanish where it needs moments."""
    spread, size = values[-1] / 2 - values[0] / 2, max(abs(values[0]), abs(values[-1]))
    squares = not isinstance(density, MomentDistribution) or (spread > LEAST and size < MOST)
    return squares and not density.support.outside(values).any()


def candidates(rows: Pairs, discrete: bool) -> list[Candidate]:
    """Return the candidates that the values allow, simplest first; only the cheap ones where none tells anything."""
    nothing = Candidate("nothing", Bins(Cuts([])), rows.bins(np.empty(0)))
    binned = [Candidate(r.name, Bins(r), rows.bins(r.cuts(rows.values, rows.counts))) for r in BINS]
    if len(rows.values) <= FEW:
        cuts = midpoints(rows.values)
        binned.append(Candidate("values", Bins(Cuts(cuts.tolist())), rows.bins(cuts)))
    families = [d for d in DENSITIES if possible(d, rows.values)] if not discrete else []
    densities = {d.name: softened(rows, d) for d in families if d.name == "normal"}
    cheap = [*binned, *densities.values()]
    if all(rows.weight @ (c.score - nothing.score) <= 0 for c in cheap):
        return [nothing, *cheap]
    supervised = Candidate(SUPERVISED.name, Bins(SUPERVISED), rows.supervised(SUPERVISED))
    return [nothing, supervised, *binned, *(densities.get(d.name) or softened(rows, d) for d in families)]


def softened(rows: Pairs, density: Distribution) -> Candidate:
    """Return a density, softened, as a candidate."""
    rule = Softened(density)
    return Candidate(density.name, rule, rows.density(rule))


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
    rows = Pairs(values, counts, np.asarray(classes, dtype=float))
    if len(values) < 2 or (counts.sum(axis=1) > 0).sum() < 2:
        return Choice("nothing", Bins(Cuts([])), {})
    found = {candidate.name: candidate for candidate in candidates(rows, discrete)}
    scores = {name: candidate.score for name, candidate in found.items()}
    n = float(counts.sum())
    best, means = simplest(scores, rows.weight, float(rows.weight.sum()))
    if n * (means[best] - means["nothing"]) < WORTH:
        best = "nothing"
    return Choice(best, found[best].distribution, means)
