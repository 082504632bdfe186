"""Densities softened by the column's own mixture over classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.arithmetic import difference, log, log_sum_exp
from candide.distributions.base import Block, Distribution
from candide.distributions.moment_density import column_density
from candide.distributions.values import ColumnDensity, Columnwise, Silent, ValuesDistribution
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


class Softened(ValuesDistribution):
    """A density that a schema of release 0.1 may hold, which chose such by itself.

    f(x | c) = (N_c g(x | c) + m g(x)) / (N_c + m), with g(x) = Σ_c N_c g(x | c) / N: the m-estimate of a density.

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

    def taken(self) -> Distribution:
        """Return the density as it was settled, softened."""
        return Softened(self.distribution.taken(), self.m)

    def fixed(self, block: Block, position: int) -> Distribution:
        """Return the density with the choices that the block made for a column."""
        assert isinstance(block, Columnwise)
        at = int(np.flatnonzero(block.positions == position)[0])
        density = block.densities[at]
        if not isinstance(density, SoftenedDensity):
            return self
        inner = replace(block, densities=(*block.densities[:at], density.inner, *block.densities[at + 1 :]))
        return Softened(self.distribution.fixed(inner, position), self.m)


@frozen
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
