"""Densities softened by the column's own mixture over classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.distributions.base import Block, Distribution
from candide.distributions.columnwise import ColumnDensity, Columnwise, Silent, ValuesDistribution
from candide.distributions.density import Density, MomentDistribution, Parameters, remove
from candide.distributions.discrete import log
from candide.distributions.em import log_sum_exp
from candide.statistics import Moments, difference

Array = np.ndarray[Any, Any]


class Softened(ValuesDistribution):
    """f(x | c) = (N_c g(x | c) + m g(x)) / (N_c + m), with g(x) = Σ_c N_c g(x | c) / N: the m-estimate of a density.

    As pseudo-counts keep an empty bin from excluding a class, m rows spread as the column is spread over all classes
    keep a density's thin tail from doing so: one column cannot speak against a class by more than (N_c + m) / m, nor
    for it by more than N (N_c + m) / (N_c m), about. Where x was often seen, little changes. A number outside the
    support of the density, which no class allows, says nothing.

    Parameters
    ----------
    distribution : Distribution
        A density of numbers.
    m : float
        Weight of the mixture, in rows.

    Examples
    --------
    >>> from candide.distributions.normal import Normal
    >>> values, counts = np.array([0.0, 1.0, 2.0, 3.0]), np.array([[5, 5, 0, 0], [0, 0, 5, 5]])
    >>> density = Softened(Normal(), m=1).density(values, counts)
    >>> np.exp(np.diff(density.log_density(np.array([-100.0, 103.0])))).round(2).ravel()
    array([ 0.05, 21.  ])
    """

    name = "softened"

    def __init__(self, distribution: Distribution, m: float = 1.0) -> None:
        self.distribution = distribution
        self.m = m

    @property
    def support(self) -> Any:  # type: ignore[override]
        """Where the density lives."""
        return self.distribution.support

    def density(self, values: Array, counts: Array) -> ColumnDensity:
        """Return the softened density of a column."""
        if not (np.isfinite(self.m) and self.m > 0):
            raise ValueError(f"Softened(m={self.m!r}): the weight of the mixture is a positive number")
        inner = column_density(self.distribution, values, counts)
        return inner if isinstance(inner, Silent) else SoftenedDensity(inner, counts.sum(axis=1), self.m)

    def fixed(self, block: Block, position: int) -> Distribution:
        """Return the density with the choices that the block made for a column."""
        assert isinstance(block, Columnwise)
        at = int(np.flatnonzero(block.positions == position)[0])
        density = block.densities[at]
        if not isinstance(density, SoftenedDensity):
            return self
        inner = replace(block, densities=(*block.densities[:at], density.inner, *block.densities[at + 1 :]))
        return Softened(self.distribution.fixed(inner, position), self.m)


def column_density(distribution: Distribution, values: Array, counts: Array) -> ColumnDensity:
    """Return the density of one column, whichever statistic the distribution reads."""
    if isinstance(distribution, ValuesDistribution):
        return distribution.density(values, counts)
    if not isinstance(distribution, MomentDistribution):
        raise TypeError(f"{distribution!r} is not a density of numbers; use it as it is")
    return MomentDensity.of(distribution, values, counts)


@dataclass(frozen=True, eq=False)
class MomentDensity(ColumnDensity):
    """A density of one column by moments."""

    block: Density

    @classmethod
    def of(cls, distribution: MomentDistribution, values: Array, counts: Array) -> ColumnDensity:
        """Return the density of a column with ascending values (V,) and their weights (K, V)."""
        used = counts.sum(axis=0) > 0
        v, n = values[used].astype(np.float64), counts[:, used].T
        if len(v) < 2:
            return Silent.of(v, counts)
        x = column_moments(v, n)
        log_x = column_moments(log(v), n) if distribution.logs else None
        return cls(Density(distribution, np.zeros(1, int), ("x",), x, log_x, distribution.parameters(x, log_x)))

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
        variance is floored, or borrowed, it is the column's without the row.
        """
        out = self.log_density(x)
        values = [x, log(np.where(x > 0, x, 1.0))][: len(self._parts)]
        own = [remove(part.map(lambda a: a[y].T), weight[None], v) for part, v in zip(self._parts, values, strict=True)]
        out[np.arange(len(x)), y] = self._evaluate(x, own, [rest.map(lambda a: a[y].T) for rest in self._others])
        for c in np.flatnonzero(self._leaning(weight)):
            rows = y != c
            out[rows, c] = self._another(int(c), x[rows], [v[rows] for v in values], weight[rows])
        return out

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
        return MomentDensity(self.block.draw(rng))

    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Draw numbers."""
        return self.block.sample(rng, y)[0]

    def describe(self) -> dict[str, Array]:
        """Return the parameters."""
        return self.block.describe(0)


def column_moments(x: Array, n: Array) -> Moments:
    """Return the moments (K, 1) of values (V,) with weights (V, K)."""
    return Moments.of(np.repeat(x[:, None], n.shape[1], axis=1), n).map(lambda a: a[:, None])


@dataclass(frozen=True, eq=False)
class SoftenedDensity(ColumnDensity):
    """A density of one column, softened.

    Parameters
    ----------
    inner : ColumnDensity
    n : (K,)
        Weight of each class.
    m : float
        Weight of the mixture.
    """

    inner: ColumnDensity
    n: Array
    m: float

    def log_density(self, x: Array) -> Array:
        """Return the softened log-density."""
        return soften(self.inner.log_density(x), self.n, self.m)

    def leave_one_out(self, x: Array, y: Array, weight: Array) -> Array:
        """Return the softened log-density, the row taken out of its class and of the mixture."""
        n = np.tile(self.n.astype(float), (len(x), 1))
        rows = np.arange(len(x))
        n[rows, y] = np.maximum(difference(n[rows, y], weight), 0.0)
        return soften(self.inner.leave_one_out(x, y, weight), n, self.m)

    def draw(self, rng: np.random.Generator) -> SoftenedDensity:
        """Draw the density."""
        return replace(self, inner=self.inner.draw(rng))

    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Draw from the class, or with probability m / (N_c + m) from any row's class."""
        total = np.cumsum(self.n)
        anyone = np.searchsorted(total, rng.random(len(y)) * total[-1], side="right").clip(max=len(self.n) - 1)
        softly = rng.random(len(y)) * (self.n[y] + self.m) < self.m
        return self.inner.sample(rng, np.where(softly, anyone, y))

    def describe(self) -> dict[str, Array]:
        """Return the parameters, and the share of the mixture in each class."""
        return {**self.inner.describe(), "softening": self.m / (self.n + self.m)}


def soften(log_density: Array, n: Array, m: float) -> Array:
    """Return log((n_c f_c + m Σ n_c f_c / n) / (n_c + m)), classes on the last axis; NaN where every f_c is 0."""
    log_n = log(n)
    with np.errstate(invalid="ignore"):  # a class without a row left has no density of its own
        mixture = log_sum_exp(log_density + log_n) - np.log(n.sum(axis=-1))
        possible = np.isfinite(mixture)[:, None]
        top = np.where(possible, mixture[:, None], 0.0) + np.log(m)
        return np.where(possible, np.logaddexp(log_density + log_n, top) - np.log(n + m), np.nan)
