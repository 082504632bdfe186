"""Kernel density estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import difference
from candide.distributions.base import Block, Distribution
from candide.distributions.density import VARIANCE_FLOOR
from candide.distributions.drawing import draw_positions
from candide.distributions.sums_of_kernels import FAR, NARROWEST, LogDensities, Unit, tabulate
from candide.distributions.values import ColumnDensity, Columnwise, Silent, ValuesDistribution
from candide.frozen import frozen
from candide.messages import not_known
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]

QUARTILES_OF_NORMAL = 1.349
"""Distance of the quartiles of a normal distribution, in standard deviations."""

SAFE_REST = 0.25
"""A sum of kernels less one row is read off the table where the rest is at least this share of the row."""


class KDE(ValuesDistribution):
    """f(x | c) = Σ_v N_vc φ((x − v) / h_c) / (N_c h_c), Gaussian kernels on the values of each class.

    The density is tabulated, so that scoring is a table look-up: to 3e-4 relative within four bandwidths of a
    value, and continued like a normal tail beyond. A class without rows takes the values of all classes.

    Parameters
    ----------
    bandwidth : "scott", "silverman", "robust", a number, or a sequence of numbers
        With s the standard deviation of the class (the column's where the class has one value) and n its
        weight: "scott" s n^(−1/5); "silverman" s (3n/4)^(−1/5), both as in SciPy; "robust" 0.9 min(s, distance of
        the quartiles / 1.349) n^(−1/5). s² is at least 1e-3 of the column's variance, here the lesser of the one
        by moments and the one by quartiles, which outliers of another class do not stretch. A number is h itself,
        a sequence has one h per class.

    Examples
    --------
    >>> import numpy as np
    >>> density = KDE(bandwidth=1.0).density(np.array([0.0, 10.0]), np.array([[1, 0], [0, 1]]))
    >>> np.exp(density.log_density(np.array([0.0, 10.0]))).round(3)
    array([[0.399, 0.   ],
           [0.   , 0.399]])
    """

    name = "kde"

    def __init__(self, bandwidth: str | float | Sequence[float] = "scott") -> None:
        self.bandwidth = bandwidth

    def density(self, values: Array, counts: Array) -> ColumnDensity:
        """Return the kernels of a column."""
        used = counts.sum(axis=0) > 0
        values, counts = values[used].astype(np.float64), counts[:, used].astype(np.float64)
        if len(values) < 2:
            return Silent.of(values, counts)
        unit = Unit.of(values, counts.sum(axis=0))
        v, first = np.unique(unit(values), return_index=True)  # far from the median two values may become one
        counts = np.add.reduceat(counts, first, axis=1)
        return Kernels(unit, v, counts, np.maximum(self._bandwidths(v, counts, unit), NARROWEST))

    def _bandwidths(self, v: Array, counts: Array, unit: Unit) -> Array:
        if isinstance(self.bandwidth, str):
            if self.bandwidth not in BANDWIDTHS:
                said = not_known("bandwidth", self.bandwidth, [*BANDWIDTHS])
                raise ValueError(f"a bandwidth is a number or the name of a rule: {said}")
            return BANDWIDTHS[self.bandwidth](v, counts)
        given = np.asarray(self.bandwidth, dtype=np.float64)
        if given.ndim > 1 or (given.ndim == 1 and len(given) != len(counts)):
            raise ValueError(f"bandwidth={self.bandwidth!r}: give one number, or one for each of {len(counts)} classes")
        if not (np.isfinite(given) & (given > 0)).all():
            raise ValueError(f"bandwidth={self.bandwidth!r}: a bandwidth is a positive number")
        with np.errstate(over="ignore", under="ignore"):
            h: Array = np.ldexp(np.broadcast_to(given, len(counts)), -unit.exponent)
        return np.minimum(h, FAR)

    def fixed(self, block: Block, position: int) -> Distribution:
        """Return kernels of the bandwidths that the block uses for a column."""
        assert isinstance(block, Columnwise)
        density = block.densities[int(np.flatnonzero(block.positions == position)[0])]
        return self if isinstance(density, Silent) else KDE(density.describe()["bandwidth"].tolist())


def spreads(v: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Return n, standard deviation and its floor per class; the column's where a class has none of its own."""
    moments = Moments.of(np.repeat(v[:, None], len(counts), axis=1), counts.T)
    everything = moments.pooled()
    varied = (moments.n > 1) & (moments.m2 > 0)
    s = np.sqrt(np.where(varied, moments.m2 / np.where(varied, moments.n - 1.0, 1.0), everything.var))
    n = np.where(moments.n > 0, moments.n, everything.n)
    least = lesser(np.sqrt(everything.var), quartile_spread(v, counts.sum(axis=0)[None])[0])
    return np.maximum(n, 1.0), s, np.sqrt(VARIANCE_FLOOR) * least


def quartile_spread(v: Array, counts: Array) -> Array:
    """Return the distance of the quartiles of each class, in standard deviations of a normal."""
    cumulative = np.cumsum(counts, axis=1)
    low, high = ((cumulative >= q * cumulative[:, -1:]).argmax(axis=1) for q in (0.25, 0.75))
    return np.asarray((v[high] - v[low]) / QUARTILES_OF_NORMAL)


def lesser(s: Array, quartiles: Array) -> Array:
    """Return the lesser of two spreads; half of the weight at one value leaves only the first."""
    return np.where(quartiles > 0, np.minimum(s, quartiles), s)


def scott(v: Array, counts: Array) -> Array:
    """Return s n^(−1/5)."""
    n, s, least = spreads(v, counts)
    return np.asarray(np.maximum(s, least) * n**-0.2)


def silverman(v: Array, counts: Array) -> Array:
    """Return s (3n/4)^(−1/5), least in mean square for normal data."""
    return np.asarray(scott(v, counts) * 0.75**-0.2)


def robust(v: Array, counts: Array) -> Array:
    """Return 0.9 min(s, distance of the quartiles / 1.349) n^(−1/5)."""
    n, s, least = spreads(v, counts)
    weights = np.where(counts.any(axis=1, keepdims=True), counts, counts.sum(axis=0))
    return np.asarray(0.9 * np.maximum(lesser(s, quartile_spread(v, weights)), least) * n**-0.2)


BANDWIDTHS = {"scott": scott, "silverman": silverman, "robust": robust}


@frozen
class Kernels(ColumnDensity):
    """The kernels of one column.

    Parameters
    ----------
    unit : Unit
    v : (V,)
        Values in that unit.
    counts : (K, V)
        Their weights.
    h : (K,)
        Bandwidths in that unit.
    """

    unit: Unit
    v: Array
    counts: Array
    h: Array

    @cached_property
    def weights(self) -> Array:
        """The weights that each class uses: all rows' where it has none."""
        return np.where(self.counts.any(axis=1, keepdims=True), self.counts, self.counts.sum(axis=0))

    @cached_property
    def table(self) -> LogDensities:
        """The log-densities as a table."""
        used = [w > 0 for w in self.weights]
        u, w = [self.v[m] for m in used], [w[m] for w, m in zip(self.weights, used, strict=True)]
        return tabulate(u, w, self.h)

    def log_density(self, x: Array) -> Array:
        """Look the log-densities up."""
        out: Array = self.table(self.unit(x)) - self.unit.log
        return out

    def leave_one_out(self, x: Array, y: Array, weight: Array) -> Array:
        """Take each row's own kernel off the classes that hold it: (N f − w φ(0)/h) / (N − w).

        They are its own class, and those without rows, which take all rows'. Where a single value is left, the column
        says nothing.
        """
        z = self.unit(x)
        out = self.table(z)
        empty = np.flatnonzero(~self.counts.any(axis=1))
        rows = np.tile(np.arange(len(x)), 1 + len(empty))
        c, w = np.concatenate([y, np.repeat(empty, len(x))]), weight[rows]
        n = self.weights.sum(axis=1)[c]
        height = np.log(self.h * np.sqrt(2 * np.pi))[c]
        rest = n * np.exp(out[rows, c] + height) - w
        with np.errstate(divide="ignore", invalid="ignore"):
            out[rows, c] = np.log(rest / (n - w)) - height
        for i in np.flatnonzero(rest < SAFE_REST * w):
            out[rows[i], c[i]] = self._without(z[rows[i]], int(c[i]), w[i])
        out[self._alone(z, weight)] = np.nan
        return out - self.unit.log

    def _alone(self, z: Array, weight: Array) -> Array:
        """Mark the rows without which the column has a single value."""
        if len(self.v) > 2:
            return np.zeros(len(z), dtype=bool)
        held = np.where(z[:, None] == self.v, self.counts.sum(axis=0), 0.0).sum(axis=1)
        return np.asarray((held > 0) & (difference(held, weight) <= 0))

    def _without(self, z: float, c: int, weight: Array) -> float:
        """Return log f(z | c) without one row, summed kernel by kernel."""
        w, own = self.weights[c].copy(), self.v == z
        w[own] = np.maximum(difference(w[own], weight), 0.0)
        if not w.any():
            w = self.counts.sum(axis=0)
            w[own] = np.maximum(difference(w[own], weight), 0.0)
        if not w.any():
            return 0.0
        used = w > 0
        terms = np.log(w[used]) - 0.5 * ((z - self.v[used]) / self.h[c]) ** 2
        total = terms.max() + np.log(np.exp(terms - terms.max()).sum())
        return float(total - np.log(w.sum() * self.h[c] * np.sqrt(2 * np.pi)))

    def log_variance(self, x: Array, rng: np.random.Generator) -> Array:
        """Return (Σ w φ² / N − f²) / (f² (N + 1)), to first order, under the Dirichlet posterior of the weights.

        φ² of a kernel of bandwidth h is 1 / (2 h √π) times the kernel of bandwidth h / √2.
        """
        z = self.unit(x)
        used = [w > 0 for w in self.weights]
        u, w = [self.v[m] for m in used], [w[m] for w, m in zip(self.weights, used, strict=True)]
        squares = tabulate(u, w, self.h / np.sqrt(2.0))(z) - np.log(2.0 * self.h * np.sqrt(np.pi))
        n = self.weights.sum(axis=1)
        with np.errstate(over="ignore"):
            return np.asarray(np.maximum(np.expm1(squares - 2.0 * self.table(z)), 0.0) / (n + 1.0))

    def draw(self, rng: np.random.Generator) -> Kernels:
        """Draw the weights of the values from their Dirichlet posterior (the Bayesian bootstrap)."""
        gamma = rng.standard_gamma(self.counts)
        n = self.counts.sum(axis=1, keepdims=True)
        total = gamma.sum(axis=1, keepdims=True)
        counts = np.where(total > 0, gamma * n / np.where(total > 0, total, 1.0), self.counts)
        return replace(self, counts=counts)

    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Draw a value by its weight, and the kernel around it."""
        z = self.v[draw_positions(rng, self.weights, y)] + self.h[y] * rng.standard_normal(len(y))
        return self.unit.back(z)

    def describe(self) -> dict[str, Array]:
        """Return the bandwidths."""
        return {"bandwidth": np.ldexp(self.h, self.unit.exponent)}
