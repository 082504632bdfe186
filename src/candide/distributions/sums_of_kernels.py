"""Sums of Gaussian kernels, and their logarithm as a table of cubics.

A. Kernels of bandwidth h see nothing beyond a few h, so the line falls into clusters: values whose neighbours
   are less than APART h away. Inside a cluster log f is interpolated by cubics with the exact values and slopes
   at nodes less than h / FINENESS apart; between clusters and beyond the last one it is continued by the parabola
   of curvature −1/h², which is exact for a single kernel. The number of cells depends on the clusters, not on the
   range: an outlier is one cluster more.
B. Nodes are whole multiples of a power of two, so that the nodes of classes with unlike bandwidths coincide and
   one look-up serves all classes.
C. Numbers are first measured from the median in units of their typical distance to it: neither an outlier nor a
   unit makes a square overflow or vanish.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.frozen import frozen

Array = np.ndarray[Any, Any]

APART = 10.0
"""Kernels this many bandwidths apart do not disturb each other by 1e-3 where either is 1e-3 of the maximum."""
REACH = 4.0
"""This many bandwidths beyond the last value of a cluster the density is below exp(−8) = 3e-4 of its maximum."""
FINENESS = 8.0
"""Nodes per bandwidth: the cubic between two kernels of a cluster is then within 3e-4."""
WINDOW = 8.0
"""Kernels farther than this many bandwidths add less than 1e-13 of their weight."""
NARROW = 1e-7
"""Cells narrower than this many bandwidths are straight."""
CHUNK = 32
"""Nodes summed at a time."""
FAR = 1e50
"""Numbers are clipped here, in typical distances, where their squares are still finite."""
NARROWEST = 1e-100
"""Least bandwidth, in typical distances, for the same reason."""
CACHED_ROWS = 1 << 14
"""Rows looked up at a time: they stay in the cache."""


def log_kernel_sums(x: Array, u: Array, w: Array, h: float) -> tuple[Array, Array]:
    """Return log Σ_j w_j exp(−½ ((x − u_j)/h)²) and its slope at ascending x, each within a few h of some u."""
    value, slope = np.empty(len(x)), np.empty(len(x))
    for start in range(0, len(x), CHUNK):
        part = slice(start, start + CHUNK)
        at = x[part]
        first, last = at[0] - WINDOW * h, at[-1] + WINDOW * h
        near = slice(np.searchsorted(u, first, side="left"), np.searchsorted(u, last, side="right"))
        z = (at[:, None] - u[near]) / h
        kernel = np.exp(-0.5 * z**2)
        total = kernel @ w[near]
        value[part] = np.log(total)
        slope[part] = -((kernel * z) @ w[near]) / (total * h)
    return value, slope


@frozen
class Clusters:
    """The clusters of one class's kernels: where each begins and ends, with log f and its slope there.

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
        apart = np.diff(u) > APART * h
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
        """Return log f on the cells between breaks: (cells, 5), four coefficients in powers of x − origin, origin."""
        left, right = np.r_[-np.inf, breaks], np.r_[breaks, np.inf]
        cluster = np.searchsorted(self.borders(), left, side="right")
        before, behind = self._parabolas()
        out: Array = np.where((right <= self.start[cluster])[:, None], before[cluster], behind[cluster])
        at = np.flatnonzero((self.start[cluster] <= left) & (right <= self.stop[cluster]))
        if len(at):
            needed = np.unique(np.r_[at - 1, at])
            value, slope = log_kernel_sums(breaks[needed], u, w, self.h)
            a, b = np.searchsorted(needed, at - 1), np.searchsorted(needed, at)
            width = right[at] - left[at]
            narrow = width < NARROW * self.h  # a line will do
            curve = hermite(np.where(narrow, np.inf, width), value[a], value[b], slope[a], slope[b])
            out[at] = np.column_stack([curve, left[at]])
        return out

    def _parabolas(self) -> tuple[Array, Array]:
        """Return the parabolas before and behind each cluster, each with the cluster's end as origin."""
        bend, none = np.full(len(self.start), -0.5 / self.h**2), np.zeros(len(self.start))
        before = np.column_stack([*self.at_start, bend, none, self.start])
        return before, np.column_stack([*self.at_stop, bend, none, self.stop])


def hermite(width: Array, f0: Array, f1: Array, d0: Array, d1: Array) -> Array:
    """Return the coefficients (cells, 4) of the cubics with these values and slopes at both ends."""
    rise = (f1 - f0) / width
    return np.column_stack([f0, d0, (3 * rise - 2 * d0 - d1) / width, (d0 + d1 - 2 * rise) / width**2])


@frozen(eq=True)
class Unit:
    """z = (x − centre) / 2^exponent: a unit in which a column's typical numbers are about 1."""

    centre: float
    exponent: int

    @classmethod
    def of(cls, values: Array, weights: Array) -> Unit:
        """Centre at the weighted median; the unit is the weighted median of the distances from it, zeros aside."""
        centre = values[weighted_median(weights)]
        with np.errstate(over="ignore"):
            distance = np.minimum(np.abs(values - centre), np.finfo(np.float64).max)  # the whole range may overflow
        order = np.argsort(distance, kind="stable")
        order = order[distance[order] > 0]
        typical = distance[order[weighted_median(weights[order])]]
        return cls(float(centre), int(np.frexp(typical)[1]))

    def __call__(self, x: Array) -> Array:
        """Return z, clipped where its square would overflow."""
        with np.errstate(over="ignore", under="ignore"):
            z = np.ldexp(x, -self.exponent) - np.ldexp(self.centre, -self.exponent)
        return np.asarray(np.clip(z, -FAR, FAR))

    def back(self, z: Array) -> Array:
        """Return x."""
        with np.errstate(under="ignore"):
            return np.asarray(np.ldexp(z, self.exponent) + self.centre)

    @property
    def log(self) -> float:
        """The logarithm of the unit: log f(x) = log f(z) − log."""
        return self.exponent * float(np.log(2.0))


def weighted_median(weights: Array) -> int:
    """Return the first position that half of the weight reaches."""
    cumulative = np.cumsum(weights)
    return int((2 * cumulative >= cumulative[-1]).argmax())


@frozen
class LogDensities:
    """Log-densities of all classes on common cells.

    Parameters
    ----------
    breaks : (G,)
        Ends of the cells.
    cubics : (K, G + 1, 5)
        Coefficients in powers of the number less an origin, and that origin.
    """

    breaks: Array
    cubics: Array

    def __call__(self, z: Array) -> Array:
        """Return log f(z | c), (rows, classes)."""
        out = np.empty((len(z), len(self.cubics)))
        for start in range(0, len(z), CACHED_ROWS):
            rows = slice(start, start + CACHED_ROWS)
            cell = np.searchsorted(self.breaks, z[rows], side="left")
            for c, table in enumerate(self.cubics):
                a0, a1, a2, a3, origin = table.take(cell, axis=0).T
                t = z[rows] - origin
                out[rows, c] = ((a3 * t + a2) * t + a1) * t + a0
        return out


def tabulate(u: list[Array], w: list[Array], h: Array) -> LogDensities:
    """Return the log-densities of classes with values u, weights w and bandwidths h."""
    spacing = np.exp2(np.floor(np.log2(h / FINENESS))).tolist()
    w = [np.ldexp(wc, -np.frexp(wc.max())[1]) for wc in w]  # exactly, and kernels of the least weight are no zeros
    clusters = [Clusters.of(*of) for of in zip(u, w, h.tolist(), spacing, strict=True)]
    nodes = [np.r_[c.nodes(d), c.borders()] for c, d in zip(clusters, spacing, strict=True)]
    breaks = np.unique(np.concatenate(nodes))
    cubics = np.stack([c.cubics(breaks, uc, wc) for c, uc, wc in zip(clusters, u, w, strict=True)])
    weight = np.array([wc.sum() for wc in w])
    cubics[:, :, 0] -= np.log(weight * h * np.sqrt(2 * np.pi))[:, None]
    return LogDensities(breaks, cubics)
