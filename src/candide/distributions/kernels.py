"""Sums of Gaussian kernels, and their logarithm as a table of cubics.

A. Kernels of bandwidth h see nothing beyond a few h, so the line falls into clusters: values whose neighbours are
   less than 2 REACH h away. Inside a cluster log f is interpolated by cubics with the exact values and slopes at
   nodes less than h / FINENESS apart; between clusters and beyond the last one it is continued by the parabola of
   curvature −1/h², which is exact for a single kernel. The number of cells depends on the clusters, not on the range:
   an outlier is one cluster more.
B. Nodes are whole multiples of a power of two, so that the nodes of classes with unlike bandwidths coincide and one
   look-up serves all classes.
C. Numbers are scaled by a power of two to [−1, 1] first: no square of a number overflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

REACH = 4.0
"""Beyond this many bandwidths a kernel is below a thousandth of its height (exp(−8) = 3e-4)."""
FINENESS = 8.0
"""Nodes per bandwidth: the cubic between two kernels of a cluster is then within 3e-4."""
WINDOW = 8.0
"""Kernels farther than this many bandwidths add less than 1e-13 of their weight."""
NARROW = 1e-7
"""Cells narrower than this many bandwidths are straight."""
CHUNK = 32
"""Nodes summed at a time."""
FAR = 1e50
"""Scaled numbers are clipped here, where their squares are still finite."""
NARROWEST = 1e-100
"""Least bandwidth of scaled numbers, for the same reason."""
BATCH = 1 << 14
"""Rows looked up at a time: they stay in the cache."""


def log_kernel_sums(x: Array, u: Array, w: Array, h: float) -> tuple[Array, Array]:
    """Return log Σ_j w_j exp(−½ ((x − u_j)/h)²) and its slope at ascending x, each x within a few h of some u."""
    value, slope = np.empty(len(x)), np.empty(len(x))
    for start in range(0, len(x), CHUNK):
        part = slice(start, start + CHUNK)
        at = x[part]
        near = slice(*np.searchsorted(u, [at[0] - WINDOW * h, at[-1] + WINDOW * h]))
        z = (at[:, None] - u[near]) / h
        kernel = np.exp(-0.5 * z**2)
        total = kernel @ w[near]
        value[part] = np.log(total)
        slope[part] = -((kernel * z) @ w[near]) / (total * h)
    return value, slope


@dataclass(frozen=True, eq=False)
class Clusters:
    """The clusters of one class's kernels: where each begins and ends, log f and its slope there, and the borders between.

    A cluster of a single value begins and ends at that value.
    """

    h: float
    start: Array
    stop: Array
    at_start: tuple[Array, Array]
    at_stop: tuple[Array, Array]

    @classmethod
    def of(cls, u: Array, w: Array, h: float, spacing: float) -> Clusters:
        """Find the clusters of ascending values; their ends are multiples of the spacing."""
        apart = np.diff(u) > 2 * REACH * h
        first, last = np.flatnonzero(np.r_[True, apart]), np.flatnonzero(np.r_[apart, True])
        lone = first == last
        start = np.where(lone, u[first], np.floor((u[first] - REACH * h) / spacing) * spacing)
        stop = np.where(lone, u[last], np.ceil((u[last] + REACH * h) / spacing) * spacing)
        return cls(h, start, stop, log_kernel_sums(start, u, w, h), log_kernel_sums(stop, u, w, h))

    def nodes(self, spacing: float) -> Array:
        """Return the nodes inside the clusters."""
        wide = self.stop > self.start
        count = np.round((self.stop - self.start)[wide] / spacing).astype(np.int64) + 1
        step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        return np.asarray(np.repeat(self.start[wide], count) + step * spacing)

    def borders(self) -> Array:
        """Return where the parabolas of two neighbouring clusters meet (equal curvature: one point)."""
        (a1, b1), (a2, b2) = (tuple(p[:-1] for p in self.at_stop), tuple(p[1:] for p in self.at_start))
        gap = self.start[1:] - self.stop[:-1]
        z = gap / self.h
        t = (a1 - a2 + b2 * gap + z**2 / 2) / (z + (b2 - b1) * self.h) * self.h
        return np.asarray(self.stop[:-1] + np.clip(t, 0.0, gap))

    def cubics(self, breaks: Array, u: Array, w: Array) -> Array:
        """Return the coefficients (cells, 4) of log f on the cells between breaks, in powers of x − origin."""
        left, right = np.r_[-np.inf, breaks], np.r_[breaks, np.inf]
        origin = origins(breaks)
        cluster = np.searchsorted(self.borders(), origin, side="right")
        cluster[0] = 0
        inside = (self.start[cluster] <= left) & (right <= self.stop[cluster])
        out = np.where((right <= self.start[cluster])[:, None], *self._parabolas(origin, cluster))
        at = np.flatnonzero(inside)
        if len(at):
            needed = np.unique(np.r_[at - 1, at])
            value, slope = log_kernel_sums(breaks[needed], u, w, self.h)
            a, b = np.searchsorted(needed, at - 1), np.searchsorted(needed, at)
            width = right[at] - left[at]
            narrow = width < NARROW * self.h  # a line will do
            out[at] = hermite(np.where(narrow, np.inf, width), value[a], value[b], slope[a], slope[b])
        return out

    def _parabolas(self, origin: Array, cluster: Array) -> list[Array]:
        """Return the parabola before and the one behind the cluster that each cell belongs to."""
        out = []
        for end, (value, slope) in ((self.start, self.at_start), (self.stop, self.at_stop)):
            g = origin - end[cluster]
            z = g / self.h
            bend = np.full(len(g), -0.5 / self.h**2)
            constant = value[cluster] + slope[cluster] * g - 0.5 * z**2
            out.append(np.stack([constant, slope[cluster] - z / self.h, bend, np.zeros(len(g))], axis=1))
        return out


def hermite(width: Array, f0: Array, f1: Array, d0: Array, d1: Array) -> Array:
    """Return the coefficients (cells, 4) of the cubics with these values and slopes at both ends."""
    rise = (f1 - f0) / width
    return np.stack([f0, d0, (3 * rise - 2 * d0 - d1) / width, (d0 + d1 - 2 * rise) / width**2], axis=1)


def origins(breaks: Array) -> Array:
    """Return the left end of each cell, and the right end of the first."""
    return np.r_[breaks[0], breaks]


@dataclass(frozen=True, eq=False)
class Table:
    """Log-densities of all classes on common cells.

    Parameters
    ----------
    exponent : int
        Numbers are divided by 2^exponent.
    breaks : (G,)
        Ends of the cells.
    cubics : (K, G + 1, 4)
        Coefficients in powers of the scaled number less the cell's origin.
    """

    exponent: int
    breaks: Array
    cubics: Array

    def __call__(self, x: Array) -> Array:
        """Return log f(x | c), (rows, classes)."""
        out = np.empty((len(x), len(self.cubics)))
        origin = origins(self.breaks)
        for start in range(0, len(x), BATCH):
            rows = slice(start, start + BATCH)
            z = scaled(x[rows], self.exponent)
            cell = np.searchsorted(self.breaks, z, side="left")
            t = z - origin[cell]
            for c, table in enumerate(self.cubics):
                a0, a1, a2, a3 = table.take(cell, axis=0).T
                out[rows, c] = ((a3 * t + a2) * t + a1) * t + a0
        return out


def scaled(x: Array, exponent: int) -> Array:
    """Return x / 2^exponent, clipped where its square would overflow."""
    with np.errstate(over="ignore", under="ignore"):
        return np.clip(np.ldexp(x, -exponent), -FAR, FAR)


def scale_of(values: Array) -> int:
    """Return the exponent that brings values to [−1, 1]."""
    return int(np.frexp(np.abs(values).max())[1])


def tabulate(u: list[Array], w: list[Array], h: Array, exponent: int) -> Table:
    """Return the log-densities of classes with scaled values u, weights w and bandwidths h."""
    finest = np.finfo(float).eps
    spacing = np.maximum(np.exp2(np.floor(np.log2(h / FINENESS))), finest)
    clusters = [Clusters.of(*of) for of in zip(u, w, h.tolist(), spacing.tolist(), strict=True)]
    nodes = [np.r_[c.nodes(d), c.borders()] for c, d in zip(clusters, spacing.tolist(), strict=True)]
    # a break at a value keeps the table from being empty where every class is one kernel
    breaks = np.unique(np.concatenate([*nodes, u[0][:1]]))
    cubics = np.stack([c.cubics(breaks, uc, wc) for c, uc, wc in zip(clusters, u, w, strict=True)])
    weight = np.array([wc.sum() for wc in w])
    cubics[:, :, 0] -= (np.log(weight * h * np.sqrt(2 * np.pi)) + exponent * np.log(2.0))[:, None]
    return Table(exponent, breaks, cubics)
