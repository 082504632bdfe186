"""The automatic choice of numeric columns' distributions, by how well each column alone tells the class.

A. Every candidate is scored by Σ log P(c | x) over the rows, with P(c | x) ∝ P(c) P(x | c), each row left out of the
   estimate that scores it. So tables and densities are compared by one measure, which does not depend on the unit.
B. The workhorse is the smoothed table (`Smooth`): it assumes no form, what it says is bounded by counts, and its score
   needs no more than the counts by cell. Saying nothing is simpler, and in a wide table most columns have nothing to
   say: the table must do better than that by the odds against a column's telling anything.
C. A density of few parameters is taken where it does clearly better than the table: then the column is one, and a
   person is told so. It is cut off at the ends of what was seen, where it has seen nothing to speak of.
D. Where only probabilities of values will do (in a group, under a sum), the choice is between bins (`binned`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.distributions.base import Choice, Distribution
from candide.distributions.binned import choose_bins
from candide.distributions.clamped import Clamped
from candide.distributions.density import MomentDistribution, remove
from candide.distributions.gamma import Gamma
from candide.distributions.normal import LogNormal, Normal
from candide.distributions.nothing import Nothing
from candide.distributions.smooth import STRENGTHS, Partition, Smooth, score
from candide.statistics.evidence import Evidence
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]

TELLING = 20.0
"""So many columns of a table tell something, before one has looked: of D, each with probability 20 / (20 + D)."""
CLEARLY = 10.0
"""Nats over all rows by which a density must do better than the smoothed table."""
DENSITIES: tuple[MomentDistribution, ...] = (Normal(), LogNormal(), Gamma())
"""Densities that come into question where their support holds the values."""
AT_ONCE = 1 << 18
"""Classes times cells times columns that are scored at a time."""
TOGETHER = 1024
"""Columns that are cut into cells at a time."""
LEAST, MOST = 1e-100, 1e100
"""Least spread and greatest size of values whose moments are taken."""


class Automatic(Distribution):
    """The distribution of a numeric column is chosen from its values."""

    name = "auto"
    needs = ("cells",)

    discrete = True  # it can be, where it must

    def settle(self, evidence: Evidence, positions: Array, discrete: bool) -> list[Choice]:
        """Return the distribution chosen for each column, with the scores of the candidates."""
        if discrete:
            return [choose_bins(*evidence.values(int(j)), evidence.class_counts) for j in positions]
        return choose(evidence, positions)


def choose(evidence: Evidence, positions: Array) -> list[Choice]:
    """Choose between saying nothing, a smoothed table and a density, for each column."""
    parts = [positions[i : i + TOGETHER] for i in range(0, len(positions), TOGETHER)]
    return [choice for part in parts for choice in choose_some(evidence, part, len(positions))]


def choose_some(evidence: Evidence, positions: Array, among: int) -> list[Choice]:
    """Choose for some columns, among so many that are chosen for."""
    cells = Partition.of(evidence, positions, [Smooth()] * len(positions))
    cells.remember(evidence, positions)
    widths, scores, nothing = score(cells, evidence.class_counts)
    best = np.argmax(scores, axis=1)
    smooth = scores[np.arange(len(best)), best]
    tells = (smooth - nothing >= np.log1p(among / TELLING)) & (np.diff(cells.offsets) > 1)
    low, high = np.array(cells.ends).T
    ordinary = tells & (high / 2 - low / 2 > LEAST) & (np.maximum(-low, high) < MOST)
    densities = np.full((len(DENSITIES), len(positions)), -np.inf)
    densities[:, ordinary] = score_densities(evidence, positions, cells, np.flatnonzero(ordinary))
    found: list[Choice] = []
    for i, n in enumerate(cells.known.tolist()):
        totals = {"nothing": nothing[i], "smooth": smooth[i]} if n and len(cells.cuts[i]) else {}
        totals |= {d.name: total for d, total in zip(DENSITIES, densities[:, i], strict=True) if np.isfinite(total)}
        scores_of = {name: float(total / n) for name, total in totals.items()}
        form = DENSITIES[int(np.argmax(densities[:, i]))]
        if not tells[i]:
            found.append(Choice("nothing", Nothing(), scores_of))
        elif densities[:, i].max() > smooth[i] + CLEARLY:
            found.append(Choice(form.name, Clamped(form, *cells.ends[i]), scores_of))
        else:
            found.append(Choice("smooth", settled(cells, i, widths, int(best[i])), scores_of))
    return found


def settled(cells: Partition, i: int, widths: Array, best: int) -> Smooth:
    """Return the smoothed table of a column as it was chosen."""
    width, strength = divmod(best, len(STRENGTHS))
    masses = cells.masses[slice(*cells.offsets[i : i + 2])]
    return Smooth(
        width=float(widths[i, width]), strength=STRENGTHS[strength], cuts=cells.cuts[i].tolist(), masses=masses.tolist()
    )


def score_densities(evidence: Evidence, positions: Array, cells: Partition, some: Array) -> Array:
    """Return the score of every density (densities, D) for some of the columns; minus infinity where it cannot be."""
    together = max(1, AT_ONCE // max(cells.counts.size // max(len(positions), 1), 1))
    parts = [some[i : i + together] for i in range(0, len(some), together)]
    scored = (score_some(evidence, positions[part], Points.of(cells, part, evidence.class_counts)) for part in parts)
    return np.concatenate([np.zeros((len(DENSITIES), 0)), *scored], axis=1)


def score_some(evidence: Evidence, positions: Array, points: Points) -> Array:
    """Score the densities of some columns, all columns at once."""
    out = np.full((len(DENSITIES), len(positions)), -np.inf)
    for total, rule in zip(out, DENSITIES, strict=True):
        may = ~points.outside(rule)
        if may.any():
            log_x = evidence.log_moments(positions[may]) if rule.logs else None
            total[may] = points.only(may).score(rule, evidence.moments(positions[may]), log_x)
    return out


class Points:
    """Columns at the mean of every cell's values: x (M, D) and counts (K, M, D), 0 where there is none.

    Parameters
    ----------
    x, n : ndarray
    class_counts : ndarray (K,)
    low, high : ndarray (D,)
        The ends of each column.
    """

    def __init__(self, x: Array, n: Array, class_counts: Array, low: Array, high: Array) -> None:
        self.x, self.n, self.class_counts, self.low, self.high = x, n, class_counts, low, high

    @classmethod
    def of(cls, cells: Partition, some: Array, class_counts: Array) -> Points:
        """Return the cells of some columns as points."""
        sizes = np.diff(cells.offsets)[some]
        within = np.concatenate([np.arange(size) for size in sizes])
        at = within, np.repeat(np.arange(len(some)), sizes)
        flat = np.repeat(cells.offsets[:-1][some], sizes) + within
        x = np.zeros((int(sizes.max()), len(some)))
        x[at] = cells.means[flat]
        n = np.zeros((len(cells.counts), *x.shape))
        n[(slice(None), *at)] = cells.counts[:, flat]
        low, high = np.array(cells.ends)[some].T
        return cls(np.where(n.any(axis=0), x, low), n, np.asarray(class_counts, dtype=float), low, high)

    def only(self, some: Array) -> Points:
        """Return some of the columns."""
        return Points(self.x[:, some], self.n[:, :, some], self.class_counts, self.low[some], self.high[some])

    def outside(self, rule: Distribution) -> Array:
        """Mark the columns that hold a number outside the support of a rule, which is an interval."""
        return np.asarray(rule.support.outside(np.stack([self.low, self.high])).any(axis=0))

    def score(self, rule: MomentDistribution, x: Moments, log_x: Moments | None) -> Array:
        """Return Σ log P(c | x) of each column, a unit of weight of each point left out of its own class."""
        left = np.minimum(self.n, 1.0)
        prior = self.class_counts[:, None, None] + 1.0
        p = rule.parameters(x, log_x)
        own = rule.parameters(without(x, left, self.x), None if log_x is None else without(log_x, left, np.log(self.x)))
        with np.errstate(all="ignore"):
            joint = np.log(prior) + rule.log_density(self.x, {name: a[:, None, :] for name, a in p.items()})
            mine = np.log(prior - left) + rule.log_density(self.x, own)
            top = joint.max(axis=0)
            each = np.exp(joint - top)
            rest = np.log(each.sum(axis=0) - each) + top  # Σ over the other classes
            total = self.n * -np.logaddexp(0.0, rest - mine)
        score = np.where(self.n > 0, total, 0.0).sum(axis=(0, 1))
        return np.where(np.isnan(score), -np.inf, score)


def without(moments: Moments, weight: Array, x: Array) -> Moments:
    """Return moments (K, D) less a weight (K, M, D) at x (M, D)."""
    shape = weight.shape
    return remove(moments.map(lambda a: np.broadcast_to(a[:, None, :], shape)), weight, np.broadcast_to(x, shape))
