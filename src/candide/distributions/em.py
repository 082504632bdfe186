"""Gaussian mixtures of weighted numbers by expectation and maximisation, one or a batch of them at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.frozen import frozen

Array = np.ndarray[Any, Any]

ITERATIONS = 200
"""Steps of one ascent at most."""
CONVERGED = 1e-8
"""An ascent ends when a step adds less than this to the mean log-likelihood."""
TERMS = 1 << 18
"""Terms of components kept at a time: they stay in the cache."""
LIGHTEST = 1e-10
"""A component that holds less than this share of the weight stays where it is."""


@frozen
class Components:
    """Weights (adding up to one), means and variances of the components of a mixture, each (G,).

    Mixtures of a batch that are fitted side by side stand in further axes before: (..., G).
    """

    weight: Array
    mean: Array
    var: Array

    def log_terms(self, x: Array) -> Array:
        """Return log weight_g + log N(x; mean_g, var_g) at x (..., V): (..., V, G)."""
        with np.errstate(divide="ignore"):
            height = np.log(self.weight) - 0.5 * np.log(2 * np.pi * self.var)
        away = x[..., :, None] - self.mean[..., None, :]
        return np.asarray(height[..., None, :] - 0.5 * away**2 / self.var[..., None, :])

    def log_density(self, x: Array) -> Array:
        """Return log Σ_g weight_g N(x; mean_g, var_g)."""
        return log_sum_exp(self.log_terms(x))

    def __getitem__(self, at: Any) -> Components:
        """Return some mixtures of a batch."""
        return Components(self.weight[at], self.mean[at], self.var[at])


def log_likelihood(x: Array, w: Array, mixture: Components) -> Array:
    """Return Σ w log f(x)."""
    return np.asarray((w * mixture.log_density(x)).sum(axis=-1))


def maximize(x: Array, share: Array, before: Components, least: Array) -> Components:
    """Return the mixture of greatest expected likelihood, given each component's share (..., V, G) of the weights.

    The expected log-likelihood rises up to the variance m2/n and falls behind it, so that its maximum above a floor
    (...,) is max(m2/n, floor).
    """
    n = share.sum(axis=-2)
    total = n.sum(axis=-1, keepdims=True)
    held = n > LIGHTEST * total
    divisor = np.where(held, n, 1.0)
    mean = np.where(held, (share * x[:, None]).sum(axis=-2) / divisor, before.mean)
    m2 = (share * (x[:, None] - mean[..., None, :]) ** 2).sum(axis=-2)
    var = np.where(held, np.maximum(m2 / divisor, np.asarray(least)[..., None]), before.var)
    return Components(n / total, mean, var)


def ascend(x: Array, w: Array, mixture: Components, least: Array) -> tuple[Components, Array]:
    """Step until the likelihood stands still; return the mixtures and their log-likelihoods.

    No step lowers the likelihood. Every mixture of the batch goes its own way: what stands beside it does not matter.

    Parameters
    ----------
    x : (V,)
        Numbers.
    w : (B, V)
        Their weights.
    mixture : Components (B, G)
    least : (B,)
        Floors of the variances.
    """
    mixture = Components(mixture.weight, mixture.mean, np.maximum(mixture.var, least[:, None]))
    ends = Components(*(np.array(a) for a in (mixture.weight, mixture.mean, mixture.var)))
    reached = np.full(len(w), -np.inf)
    going = np.arange(len(w))
    for count in range(ITERATIONS + 1):
        terms = mixture.log_terms(x)
        log_f = log_sum_exp(terms)
        now = (w * log_f).sum(axis=1)
        still = (now - reached[going] <= CONVERGED * w.sum(axis=1)) | (count == ITERATIONS)
        reached[going] = np.maximum(now, reached[going])
        ends.weight[going], ends.mean[going], ends.var[going] = mixture.weight, mixture.mean, mixture.var
        if still.all():
            break
        on = ~still
        going, w, least = going[on], w[on], least[on]
        share = np.exp(terms[on] - log_f[on][:, :, None]) * w[:, :, None]
        mixture = maximize(x, share, mixture[on], least)
    return ends, reached


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
    some = starts(x, w, k, least, count if k > 1 else 1, seed)
    size = max(1, TERMS // (len(x) * k))
    ends = []
    for part in (some[i : i + size] for i in range(0, len(some), size)):
        batch = Components(*(np.stack([getattr(start, a) for start in part]) for a in ("weight", "mean", "var")))
        mixtures, likelihood = ascend(x, np.tile(w, (len(part), 1)), batch, np.full(len(part), least))
        best = int(likelihood.argmax())
        ends.append((mixtures[best], float(likelihood[best])))
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
