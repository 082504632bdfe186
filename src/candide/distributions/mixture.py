"""Gaussian mixtures, one per class and column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from candide.distributions.base import Block, Distribution
from candide.distributions.columnwise import ColumnDensity, Columnwise, Silent, ValuesDistribution
from candide.distributions.density import VARIANCE_FLOOR
from candide.distributions.drawing import draw_positions
from candide.distributions.em import Components, by_bic, fit, log_sum_exp
from candide.distributions.kernels import Unit

Array = np.ndarray[Any, Any]

MOST_COMPONENTS = 5
"""Components tried when their number is chosen."""


class Mixture(ValuesDistribution):
    """f(x | c) = Σ_g weight_gc N(x; mean_gc, var_gc), by weighted expectation and maximisation.

    A variance is at least 1e-3 of the column's variance over all classes, as of the normal density, so that no
    component collapses on a value. A class without rows takes the values of all classes. Leaving a row out takes its
    share out of the components of its class, one step of the refit without it and not the whole ascent.

    Parameters
    ----------
    k : int, sequence of int, or None
        Number of components, of all classes or one for each; None takes, for each class, the one of 1 .. 5 with the
        least BIC = (3k − 1) log n − 2 log L.
    starts : int
        Ascents, of which the best is kept: one from quantiles, the others from values drawn.
    seed : int
        Seed of the draws.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.concatenate([np.linspace(-1, 1, 50), np.linspace(9, 11, 50)])
    >>> density = Mixture().density(values, np.ones((1, 100)))
    >>> density.describe()["weight"].round(2)
    array([[0.5, 0.5]])
    """

    name = "mixture"

    def __init__(self, k: int | tuple[int, ...] | None = None, starts: int = 3, seed: int = 0) -> None:
        self.k = k
        self.starts = starts
        self.seed = seed

    def density(self, values: Array, counts: Array) -> ColumnDensity:
        """Return the mixtures of a column."""
        wanted = self._components(len(counts))
        used = counts.sum(axis=0) > 0
        values, counts = values[used].astype(np.float64), counts[:, used].astype(np.float64)
        if len(values) < 2:
            return Silent.of(values, counts)
        everything = counts.sum(axis=0)
        unit = Unit.of(values, everything)
        z = unit(values)
        mean = everything @ z / everything.sum()
        least = VARIANCE_FLOOR * float(everything @ (z - mean) ** 2 / everything.sum())
        mixtures = []
        for w, k in zip(counts, wanted, strict=True):
            weights = w if w.any() else everything
            x, n = z[weights > 0], weights[weights > 0]
            if k is None:
                mixtures.append(by_bic(x, n, MOST_COMPONENTS, least, self.starts, self.seed))
            else:
                mixtures.append(fit(x, n, min(k, len(x)), least, self.starts, self.seed)[0])
        return Mixtures(unit, counts.sum(axis=1), least, *stack(mixtures))

    def _components(self, n_classes: int) -> list[int | None]:
        given = self.k if isinstance(self.k, (tuple, list)) else [self.k] * n_classes
        if len(given) != n_classes:
            raise ValueError(
                f"Mixture(k={self.k!r}): give one number of components, or one for each of {n_classes} classes"
            )
        for k in given:
            if k is not None and not (is_whole(k) and k >= 1):
                raise ValueError(
                    f"Mixture(k={self.k!r}): a number of components is a whole number of at least 1, or None"
                )
        return list(given)

    def fixed(self, block: Block, position: int) -> Distribution:
        """Return mixtures of as many components as the block has for a column."""
        assert isinstance(block, Columnwise)
        density = block.densities[int(np.flatnonzero(block.positions == position)[0])]
        if not isinstance(density, Mixtures):
            return self
        return Mixture(tuple((density.weight > 0).sum(axis=1).tolist()), self.starts, self.seed)


def is_whole(k: object) -> bool:
    """Tell whether k is an integer of any kind; true and false are none."""
    return isinstance(k, Integral) and not isinstance(k, bool)


def stack(mixtures: list[Components]) -> tuple[Array, Array, Array]:
    """Return weights, means and variances as (K, G), means ascending; components that a class lacks have weight 0."""
    most = max(len(m.weight) for m in mixtures)
    weight, mean, var = (np.zeros((len(mixtures), most)) for _ in range(3))
    for c, m in enumerate(mixtures):
        order = np.argsort(m.mean, kind="stable")
        fill = np.r_[order, np.full(most - len(order), order[-1])]
        weight[c, : len(order)] = m.weight[order]
        mean[c], var[c] = m.mean[fill], m.var[fill]
    return weight, mean, var


@dataclass(frozen=True, eq=False)
class Mixtures(ColumnDensity):
    """The mixtures of one column.

    Parameters
    ----------
    unit : Unit
        Means and variances are measured in it.
    n : (K,)
        Weight of each class.
    least : float
        Floor of the variances.
    weight, mean, var : (K, G)
    """

    unit: Unit
    n: Array
    least: float
    weight: Array
    mean: Array
    var: Array

    def _terms(self, z: Array) -> Array:
        """Return the log-terms of the components, (rows, K, G)."""
        k, g = self.weight.shape
        flat = Components(self.weight.ravel(), self.mean.ravel(), self.var.ravel())
        return flat.log_terms(z).reshape(len(z), k, g)

    def log_density(self, x: Array) -> Array:
        """Return the log-density."""
        return log_sum_exp(self._terms(self.unit(x))) - self.unit.log

    def leave_one_out(self, x: Array, y: Array, weight: Array) -> Array:
        """Take each row's share out of the components of its class: one step of the refit without it."""
        z = self.unit(x)
        terms = self._terms(z)
        rows = np.arange(len(x))
        own = terms[rows, y]
        share = np.exp(own - log_sum_exp(own)[:, None]) * weight[:, None]
        n = self.n[y][:, None] * self.weight[y]
        left = np.maximum(n - share, 0.0)
        held = left > 0
        divisor = np.where(held, left, 1.0)
        away = z[:, None] - self.mean[y]
        mean = np.where(held, self.mean[y] - away * share / divisor, self.mean[y])
        m2 = n * self.var[y] - away**2 * share * n / divisor
        var = np.where(held, np.maximum(m2 / divisor, self.least), self.var[y])
        total = left.sum(axis=1, keepdims=True)
        new = np.where(total > 0, left / np.where(total > 0, total, 1.0), self.weight[y])
        with np.errstate(divide="ignore"):
            terms[rows, y] = np.log(new) - 0.5 * (np.log(2 * np.pi * var) + (z[:, None] - mean) ** 2 / var)
        return log_sum_exp(terms) - self.unit.log

    def draw(self, rng: np.random.Generator) -> Mixtures:
        """Draw weights ~ Dirichlet(n + 1) and each component's mean and variance given its share of the rows."""
        n = self.n[:, None] * self.weight
        gamma = rng.standard_gamma(np.where(self.weight > 0, n + 1.0, 0.0))
        told = n > 1
        chi2 = rng.chisquare(np.where(told, n - 1.0, 1.0).clip(1e-9))
        var = np.where(told, n * self.var / np.maximum(chi2, 1e-300), self.var)
        mean = self.mean + np.sqrt(var / np.maximum(n, 1.0)) * rng.standard_normal(var.shape)
        return replace(self, weight=gamma / gamma.sum(axis=1, keepdims=True), mean=mean, var=var)

    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Draw a component, then a number."""
        g = draw_positions(rng, self.weight, y)
        return self.unit.back(rng.normal(self.mean[y, g], np.sqrt(self.var[y, g])))

    def describe(self) -> dict[str, Array]:
        """Return weights, means and variances (classes, components)."""
        with np.errstate(over="ignore", under="ignore"):
            var = np.ldexp(self.var, 2 * self.unit.exponent)
        return {"weight": self.weight, "mean": self.unit.back(self.mean), "var": var}
