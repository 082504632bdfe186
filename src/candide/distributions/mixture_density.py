"""The Gaussian mixtures of one column: scored, left out, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.arithmetic import difference, log_sum_exp
from candide.distributions.density import VARIANCE_FLOOR, remove
from candide.distributions.drawing import draw_positions
from candide.distributions.em import ITERATIONS, TERMS, Components, ascend
from candide.distributions.moment_density import OUTLIER
from candide.distributions.sums_of_kernels import FAR, Unit
from candide.distributions.values import ColumnDensity
from candide.frozen import frozen
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]
Begin = Sequence[Sequence[Sequence[float]]]
"""Weights, means and standard deviations of the components of each class."""

WORK = 1 << 26
"""Terms of components that leaving rows out may evaluate, at the most steps: about four seconds a column."""


def stack(mixtures: list[Components]) -> Components:
    """Return mixtures as (K, G), means ascending; components that a class lacks have weight 0."""
    most = max(len(m.weight) for m in mixtures)
    weight, mean, var = (np.zeros((len(mixtures), most)) for _ in range(3))
    for c, m in enumerate(mixtures):
        order = np.argsort(m.mean, kind="stable")
        fill = np.r_[order, np.full(most - len(order), order[-1])]
        weight[c, : len(order)] = m.weight[order]
        mean[c], var[c] = m.mean[fill], m.var[fill]
    return Components(weight, mean, var)


def components(begin: Begin, unit: Unit, n_classes: int) -> list[Components]:
    """Return the components that a user or a schema gives, in a column's unit."""
    if len(begin) != n_classes:
        raise ValueError(f"Mixture(begin=...): {len(begin)} mixtures are given, and there are {n_classes} classes")
    out = []
    for mixture in begin:
        w, m, s = (np.asarray(part, dtype=np.float64) for part in mixture)
        sound = w.ndim == 1 and len(w) > 0 and w.shape == m.shape == s.shape
        if not (sound and np.isfinite([w, m, s]).all() and (w > 0).all() and (s >= 0).all()):
            raise ValueError(
                f"Mixture(begin=...): {mixture!r} is no mixture; give as many positive weights as means and deviations"
            )
        with np.errstate(over="ignore", under="ignore"):
            var = np.minimum(np.ldexp(s, -unit.exponent), FAR) ** 2
        out.append(Components(w / w.sum(), unit(m), var))
    return out


def least_variance(everything: Moments) -> Array:
    """Return the least variance of a component, from the moments of the column over all classes."""
    return np.asarray(VARIANCE_FLOOR * everything.var)


@frozen
class Mixtures(ColumnDensity):
    """The mixtures of one column.

    Parameters
    ----------
    unit : Unit
        Values, means and variances are measured in it.
    v : (V,)
        Values.
    counts : (K, V)
        Their weights.
    components : Components (K, G)
    """

    unit: Unit
    v: Array
    counts: Array
    components: Components

    def _terms(self, z: Array) -> Array:
        """Return the log-terms of the components, (rows, K, G)."""
        c = self.components
        flat = Components(c.weight.ravel(), c.mean.ravel(), c.var.ravel())
        return flat.log_terms(z).reshape(len(z), *c.weight.shape)

    def log_density(self, x: Array) -> Array:
        """Return the log-density."""
        return log_sum_exp(self._terms(self.unit(x))) - self.unit.log

    @property
    def weights(self) -> Array:
        """The weights (K, V) that each class uses: all rows' where it has none."""
        return np.where(self.counts.any(axis=1, keepdims=True), self.counts, self.counts.sum(axis=0))

    def leave_one_out(self, x: Array, y: Array, weight: Array) -> Array:
        """Ascend again without each row, from the components at hand, as a refit under the schema does.

        Rows of one value, class and weight share their ascents. Where those would take more than WORK, the row's share
        is taken out of the components of its class instead: the first step of the refit without the others, which is
        the nearer the more rows there are. Where the column has a single value without the row, it says nothing.
        """
        rows, same = np.unique(np.column_stack([self.unit(x), y, weight]), axis=0, return_inverse=True)
        out = np.full((len(rows), len(self.counts)), np.nan)
        z, c, w = rows[:, 0], rows[:, 1].astype(np.int64), rows[:, 2]
        some = ~self._alone(z, w)
        if some.any():
            left = RefittedMixtures(self, z[some], c[some], w[some])
            out[some] = left.refitted() if left.work() <= WORK else left.one_step()
        return (out - self.unit.log)[same.ravel()]

    def _alone(self, z: Array, w: Array) -> Array:
        """Mark the rows without which the column has a single value."""
        if len(self.v) > 2:
            return np.zeros(len(z), dtype=bool)
        held = np.where(z[:, None] == self.v, self.counts.sum(axis=0), 0.0).sum(axis=1)
        return np.asarray((held > 0) & (difference(held, w) <= 0))

    def draw(self, rng: np.random.Generator) -> Mixtures:
        """Draw weights ~ Dirichlet(n + 1) and each component's mean and variance given its share of the rows."""
        weight, mean, var = self.components.weight, self.components.mean, self.components.var
        n = self.counts.sum(axis=1)[:, None] * weight
        gamma = rng.standard_gamma(np.where(weight > 0, n + 1.0, 0.0))
        varied = n > 1
        chi2 = rng.chisquare(np.where(varied, n - 1.0, 1.0).clip(1e-9))
        var = np.where(varied, n * var / np.maximum(chi2, 1e-300), var)
        mean = mean + np.sqrt(var / np.maximum(n, 1.0)) * rng.standard_normal(var.shape)
        return replace(self, components=Components(gamma / gamma.sum(axis=1, keepdims=True), mean, var))

    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Draw a component, then a number."""
        g = draw_positions(rng, self.components.weight, y)
        return self.unit.back(rng.normal(self.components.mean[y, g], np.sqrt(self.components.var[y, g])))

    def begin(self) -> Begin:
        """Return the weights, means and standard deviations of each class's components, for a refit to begin from."""
        c, largest = self.components, np.finfo(float).max
        with np.errstate(over="ignore", under="ignore"):
            deviation = np.ldexp(np.sqrt(c.var), self.unit.exponent)
            parts = (c.weight, *(np.clip(a, -largest, largest) for a in (self.unit.back(c.mean), deviation)))
        return tuple(tuple(tuple(a[k][w > 0].tolist()) for a in parts) for k, w in enumerate(c.weight))

    def describe(self) -> dict[str, Array]:
        """Return weights, means and variances (classes, components)."""
        with np.errstate(over="ignore", under="ignore"):
            var = np.ldexp(self.components.var, 2 * self.unit.exponent)
        return {"weight": self.components.weight, "mean": self.unit.back(self.components.mean), "var": var}


class RefittedMixtures:
    """Rows (B,) of values z, classes y and weights w, each left out of the mixtures of a column.

    A row changes its own class, the classes that have no rows and take all rows', and those whose ascent meets the
    floor of the variances, which is the column's without the row.
    """

    def __init__(self, mixtures: Mixtures, z: Array, y: Array, w: Array) -> None:
        self.mixtures, self.z, self.y, self.w = mixtures, z, y, w
        # as a refit reads them, rounded in the same way
        self.start = stack(components(mixtures.begin(), mixtures.unit, len(mixtures.counts)))
        self.least = self._least()
        self.size = (mixtures.weights > 0).sum(axis=1) * mixtures.components.weight.shape[1]
        self.again, leaning = self._again()
        self.affected = leaning | (y[:, None] == np.arange(len(leaning)))

    def _least(self) -> Array:
        """Return the least variances (B,), of the column without each row."""
        v, n = self.mixtures.v, self.mixtures.counts.sum(axis=0)
        everything = Moments.of(v[:, None], n[:, None]).map(lambda a: a[:, None])
        left = remove(everything, self.w[None], self.z)
        out: Array = least_variance(left)[0]
        for i in np.flatnonzero(left.m2[0] <= OUTLIER * everything.m2[0]):
            gone = np.where(v == self.z[i], self.w[i], 0.0)
            out[i] = least_variance(Moments.of(v[:, None], np.maximum(difference(n, gone), 0.0)[:, None]))[0]
        return out

    def _again(self) -> tuple[Components, Array]:
        """Return the mixtures ascended from where they are, and which classes (K,) need an ascent for every row.

        A refit begins where the fit ended, and goes on. Where the least and the greatest floor lead to one end, every
        floor between them does.
        """
        mixtures = self.mixtures
        floors = np.array([self.least.min(), self.least.max()])
        ends = []
        for c, w in enumerate(mixtures.weights):
            used = w > 0
            start = self.start[[c, c]]
            ends.append(ascend(mixtures.v[used], np.tile(w[used], (2, 1)), start, floors)[0])
        both = Components(*(np.stack([getattr(e, a) for e in ends], axis=1) for a in ("weight", "mean", "var")))
        apart = np.any([(a[0] != a[1]).any(axis=1) for a in (both.weight, both.mean, both.var)], axis=0)
        return both[0], apart | ~mixtures.counts.any(axis=1)

    def work(self) -> int:
        """Return how many terms the ascents may have to evaluate."""
        return int((self.affected.sum(axis=0) * self.size).sum()) * ITERATIONS

    def refitted(self) -> Array:
        """Return log f(z | c) (B, K), by mixtures ascended again without each row."""
        out = log_sum_exp(replace(self.mixtures, components=self.again)._terms(self.z))
        for c in np.flatnonzero(self.affected.any(axis=0)):
            rows = np.flatnonzero(self.affected[:, c])
            step = max(1, TERMS // int(self.size[c]))
            for part in np.split(rows, range(step, len(rows), step)):
                out[part, c] = self._ascended(int(c), part)
        return out

    def _ascended(self, c: int, rows: Array) -> Array:
        weights = self._weights(c, rows)
        used = weights.any(axis=0)
        start = self.start[np.full(len(rows), c)]
        ends, _ = ascend(self.mixtures.v[used], weights[:, used], start, self.least[rows])
        return np.asarray(ends.log_density(self.z[rows, None])[:, 0])

    def _weights(self, c: int, rows: Array) -> Array:
        """Return the weights (rows, V) that class c uses without each row: all others' where it is left with none."""
        own = self.z[rows, None] == self.mixtures.v
        gone = np.where(own, self.w[rows, None], 0.0)
        mine = (self.y[rows] == c)[:, None]
        left = np.maximum(difference(self.mixtures.counts[c] + 0.0 * gone, np.where(mine, gone, 0.0)), 0.0)
        others = np.maximum(difference(self.mixtures.counts.sum(axis=0) + 0.0 * gone, gone), 0.0)
        return np.where(left.any(axis=1, keepdims=True), left, others)

    def one_step(self) -> Array:
        """Return log f(z | c) (B, K), with each row's share taken out of the components of its class."""
        terms = self.mixtures._terms(self.z)
        rows, mixture = np.arange(len(self.z)), self.mixtures.components[self.y]
        own = terms[rows, self.y]
        share = np.exp(own - log_sum_exp(own)[:, None]) * self.w[:, None]
        n = self.mixtures.counts.sum(axis=1)[self.y][:, None] * mixture.weight
        left = np.maximum(n - share, 0.0)
        held = left > 0
        divisor = np.where(held, left, 1.0)
        away = self.z[:, None] - mixture.mean
        mean = np.where(held, mixture.mean - away * share / divisor, mixture.mean)
        m2 = n * mixture.var - away**2 * share * n / divisor
        var = np.where(held, np.maximum(m2 / divisor, self.least[:, None]), mixture.var)
        total = left.sum(axis=1, keepdims=True)
        weight = np.where(total > 0, left / np.where(total > 0, total, 1.0), mixture.weight)
        terms[rows, self.y] = Components(weight, mean, var).log_terms(self.z[:, None])[:, 0]
        return log_sum_exp(terms)
