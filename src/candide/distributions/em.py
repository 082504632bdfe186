"""Gaussian mixtures of weighted numbers by expectation and maximisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp

Array = np.ndarray[Any, Any]

ITERATIONS = 200
"""Steps of one ascent at most."""
TOLERANCE = 1e-8
"""An ascent ends when a step adds less than this to the mean log-likelihood."""
LIGHTEST = 1e-10
"""A component that holds less than this share of the weight stays where it is."""


@dataclass(frozen=True, eq=False)
class Components:
    """Weights (adding up to one), means and variances of the components of a mixture, each (G,)."""

    weight: Array
    mean: Array
    var: Array

    def log_terms(self, x: Array) -> Array:
        """Return log weight_g + log N(x; mean_g, var_g), (rows, G)."""
        with np.errstate(divide="ignore"):
            height = np.log(self.weight) - 0.5 * np.log(2 * np.pi * self.var)
        return np.asarray(height - 0.5 * (x[:, None] - self.mean) ** 2 / self.var)

    def log_density(self, x: Array) -> Array:
        """Return log Σ_g weight_g N(x; mean_g, var_g)."""
        return log_sum_exp(self.log_terms(x))


def log_likelihood(x: Array, w: Array, mixture: Components) -> float:
    """Return Σ w log f(x)."""
    return float(w @ mixture.log_density(x))


def step(x: Array, w: Array, mixture: Components, least: float) -> Components:
    """Return the mixture after one step, which never lowers the likelihood.

    Parameters
    ----------
    x, w : (V,)
        Numbers and their weights.
    mixture : Components
    least : float
        Floor of the variances. For given responsibilities the expected log-likelihood rises up to m2/n and falls behind
        it, so its maximum above the floor is max(m2/n, floor): the ascent holds.
    """
    terms = mixture.log_terms(x)
    share = np.exp(terms - log_sum_exp(terms)[:, None]) * w[:, None]
    n = share.sum(axis=0)
    held = n > LIGHTEST * w.sum()
    divisor = np.where(held, n, 1.0)
    mean = np.where(held, (share * x[:, None]).sum(axis=0) / divisor, mixture.mean)
    m2 = (share * (x[:, None] - mean) ** 2).sum(axis=0)
    var = np.where(held, np.maximum(m2 / divisor, least), mixture.var)
    return Components(n / n.sum(), mean, var)


def ascend(x: Array, w: Array, mixture: Components, least: float) -> tuple[Components, float]:
    """Step until the likelihood stands still; return the mixture and its log-likelihood."""
    before = log_likelihood(x, w, mixture)
    for _ in range(ITERATIONS):
        mixture = step(x, w, mixture, least)
        now = log_likelihood(x, w, mixture)
        if now - before <= TOLERANCE * w.sum():
            break
        before = now
    return mixture, max(now, before)


def starts(x: Array, w: Array, k: int, least: float, count: int, seed: int) -> list[Components]:
    """Return mixtures to start from: the means of k quantile slices, and seeded draws of k values."""
    cumulative = np.cumsum(w) / w.sum()
    middle = np.searchsorted(cumulative, (np.arange(k) + 0.5) / k).clip(max=len(x) - 1)
    mean = w @ x / w.sum()
    var = max(float(w @ (x - mean) ** 2 / w.sum()) / k**2, least)
    rng = np.random.default_rng(seed)
    drawn = [rng.choice(len(x), size=k, replace=False, p=w / w.sum()) for _ in range(count - 1)]
    return [Components(np.full(k, 1 / k), x[at].copy(), np.full(k, var)) for at in (middle, *drawn)]


def fit(x: Array, w: Array, k: int, least: float, count: int, seed: int) -> tuple[Components, float]:
    """Return the best of several ascents and its log-likelihood; k is at most the number of distinct numbers."""
    ends = [ascend(x, w, start, least) for start in starts(x, w, k, least, count if k > 1 else 1, seed)]
    return max(ends, key=lambda end: end[1])


def by_bic(x: Array, w: Array, most: int, least: float, count: int, seed: int) -> Components:
    """Return the mixture of 1 .. most components with the least BIC = (3k − 1) log n − 2 log L."""
    best, lowest = None, np.inf
    log_n = np.log(max(float(w.sum()), 1.0))
    for k in range(1, min(most, len(x)) + 1):
        mixture, likelihood = fit(x, w, k, least, count, seed)
        bic = (3 * k - 1) * log_n - 2 * likelihood
        if bic < lowest:
            best, lowest = mixture, bic
    assert best is not None
    return best
