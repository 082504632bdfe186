"""The density of one column by moments, read from counted values: exact where a row is left out."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import difference, log
from candide.distributions.base import Distribution
from candide.distributions.density import Density, MomentDistribution, Parameters, remove
from candide.distributions.values import ColumnDensity, Silent, ValuesDistribution
from candide.frozen import frozen
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]

OUTLIER = 1e-6
"""A row that leaves less than this share of a sum of squares takes the digits of the rest along."""


def column_density(distribution: Distribution, values: Array, counts: Array) -> ColumnDensity:
    """Return the density of one column, whichever statistic the distribution reads."""
    if isinstance(distribution, ValuesDistribution):
        return distribution.density(values, counts)
    if not isinstance(distribution, MomentDistribution):
        raise TypeError(f"{distribution!r} is not a density of numbers; use it as it is")
    return MomentDensity.of(distribution, values, counts)


@frozen
class MomentDensity(ColumnDensity):
    """A density of one column by moments.

    Parameters
    ----------
    block : Density
    values : (V,)
        Ascending values.
    counts : (K, V)
        Their weights.
    """

    block: Density
    values: Array
    counts: Array

    @classmethod
    def of(cls, distribution: MomentDistribution, values: Array, counts: Array) -> ColumnDensity:
        """Return the density of a column with ascending values (V,) and their weights (K, V)."""
        used = counts.sum(axis=0) > 0
        v, n = values[used].astype(np.float64), counts[:, used].T
        if len(v) < 2:
            return Silent.of(v, counts)
        x = column_moments(v, n)
        log_x = column_moments(log(v), n) if distribution.logs else None
        block = Density(distribution, np.zeros(1, int), ("x",), x, log_x, distribution.parameters(x, log_x))
        return cls(block, v, n.T)

    @property
    def _parts(self) -> list[Moments]:
        return [self.block.x] if self.block.log_x is None else [self.block.x, self.block.log_x]

    def log_density(self, x: Array) -> Array:
        """Return the log-density, minus infinity outside the support."""
        return self.block.evaluate(x, self.block.p).T

    @cached_property
    def _others(self) -> list[Moments]:
        """The moments of all classes but one, for each class: (K, 1).

        They only serve the variance of the whole column, so that digits lost in the difference do not matter.
        """
        return [part.pooled().map(lambda a, like=part.n: np.broadcast_to(a, like.shape)) - part for part in self._parts]

    def leave_one_out(self, x: Array, y: Array, weight: Array) -> Array:
        """Return the log-density with every class estimated without the row.

        Its own class is estimated from what is left of it. The others lose nothing of their own, but where their
        variance is floored, or borrowed, it is the column's without the row. The few rows whose moments cannot be taken
        out without the digits of the rest are refitted without.
        """
        out = self.log_density(x)
        values = [x, log(np.where(x > 0, x, 1.0))][: len(self._parts)]
        own = [remove(part.map(lambda a: a[y].T), weight[None], v) for part, v in zip(self._parts, values, strict=True)]
        out[np.arange(len(x)), y] = self._evaluate(x, own, [rest.map(lambda a: a[y].T) for rest in self._others])
        for c in np.flatnonzero(self._leaning(weight)):
            rows = y != c
            out[rows, c] = self._another(int(c), x[rows], [v[rows] for v in values], weight[rows])
        for i in np.flatnonzero(self._digits_lost(own, values, y, weight)):
            out[i] = self._refitted(x[i], int(y[i]), weight[i])
        return out

    def _digits_lost(self, own: list[Moments], values: list[Array], y: Array, weight: Array) -> Array:
        """Mark the rows that leave next to nothing of a sum of squares, of their class or of the column."""
        lost = np.zeros(len(y), dtype=bool)
        for part, mine, v in zip(self._parts, own, values, strict=True):
            everything = part.pooled().map(lambda a: a[None])
            rest = remove(everything, weight[None], v)
            lost |= (mine.m2[0] < OUTLIER * part.m2[y, 0]) | (rest.m2 < OUTLIER * everything.m2)[0]
        return lost

    def _refitted(self, x: float, c: int, weight: Array) -> Array:
        """Return log f(x | c) (K,) by a fit without one row."""
        counts = self.counts.astype(float)
        own = self.values == x
        counts[c, own] = np.maximum(difference(counts[c, own], weight), 0.0)
        density = MomentDensity.of(self.block.distribution, self.values, counts)
        return np.asarray(density.log_density(np.array([x]))[0])

    def _another(self, c: int, x: Array, values: list[Array], weight: Array) -> Array:
        """Return the log-density (rows,) of class c, with rows left out of the rest of the column."""
        own = [part.map(lambda a: np.repeat(a[[c]], len(x), axis=1)) for part in self._parts]
        rest = [
            remove(others.map(lambda a: a[[c]]), weight[None], v)
            for others, v in zip(self._others, values, strict=True)
        ]
        return self._evaluate(x, own, rest)

    def _evaluate(self, x: Array, own: list[Moments], rest: list[Moments]) -> Array:
        """Return the log-density (rows,) of a class, given its moments and those of the rest of the column (1, rows).

        They are handed to the estimate as two classes: it needs no more.
        """
        p = self._parameters(own, rest)
        return self.block.evaluate(x, {name: value[0] for name, value in p.items()})

    def _parameters(self, own: list[Moments], rest: list[Moments]) -> Parameters:
        pairs = [
            Moments(*(np.stack([getattr(a, name)[0], getattr(b, name)[0]]) for name in ("n", "mean", "m2")))
            for a, b in zip(own, rest, strict=True)
        ]
        return self.block.distribution.parameters(pairs[0], pairs[1] if len(pairs) > 1 else None)

    def _leaning(self, weight: Array) -> Array:
        """Mark the classes (K,) whose parameters depend on the rest of the column.

        A floor that does not hold under a wider column holds under none that is less wide. Without a weight w of n the
        column's variance is at most n / (n − w) of what it was: twice that is wide enough.
        """
        own = [part.map(np.transpose) for part in self._parts]
        rest = [others.map(np.transpose) for others in self._others]
        n = float(self.block.x.n.sum())
        widest = 2.0 * float(np.max(n / (n - weight[weight < n]), initial=1.0))
        wider = [
            Moments(r.n, r.mean, r.m2 + widest * part.pooled().m2) for r, part in zip(rest, self._parts, strict=True)
        ]
        p, q = self._parameters(own, rest), self._parameters(own, wider)
        return np.asarray(np.any([p[name][0] != q[name][0] for name in p if name != "silent"], axis=0))

    def draw(self, rng: np.random.Generator) -> MomentDensity:
        """Draw the parameters."""
        return replace(self, block=self.block.draw(rng))

    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Draw numbers."""
        return self.block.sample(rng, y)[0]

    def describe(self) -> dict[str, Array]:
        """Return the parameters."""
        return self.block.describe(0)


def column_moments(x: Array, n: Array) -> Moments:
    """Return the moments (K, 1) of values (V,) with weights (V, K)."""
    return Moments.of(np.repeat(x[:, None], n.shape[1], axis=1), n).map(lambda a: a[:, None])
