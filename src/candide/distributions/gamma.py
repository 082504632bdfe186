"""Gamma and exponential densities, and the Poisson distribution: positive numbers, waiting times and counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polyval

from candide.arithmetic import log, ratio
from candide.distributions.base import NONNEGATIVE, POSITIVE, WHOLE
from candide.distributions.coders import Told
from candide.distributions.density import VARIANCE_FLOOR, MomentDistribution, Parameters, floored
from candide.distributions.forms import Form, Linear
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]

SMALL_GAP = 1e-4
"""Below this gap two terms of the expansion for large shapes give the shape to 1e-12."""
TINY_GAP = 1e-7
"""Below this gap the variances give it to 1e-7, and the difference of logarithms, known to 1e-15 at best, does not."""
LARGE_SHAPE = 1e4
"""Beyond this shape the plain formula loses more than 1e-11, and the expansion of log Γ is exact to rounding."""
NEAR = 0.1
"""Where the series of log(1 + r) − r is summed."""
SERIES = 1.0 / np.arange(3, 17, 2)
"""Its coefficients 1/3, 1/5, ...: the first one left out adds less than 1e-17."""
LARGEST_GAP = 2e3
"""No two floats are farther apart: log of the greatest less log of the least is 1454."""
STEPS = 5
"""Newton steps: from a start within 1.5 % each doubles the digits, and three are enough."""


def gamma_shape(gap: Array) -> Array:
    """Solve log k − ψ(k) = gap for the maximum-likelihood shape k, gap = log(mean x) − mean(log x) > 0.

    Newton steps on 1/k from the approximation k ≈ (3 − s + √((s − 3)² + 24 s)) / (12 s), which is within 1.5 %. Since
    1/(2k) < log k − ψ(k) < 1/k, the shape lies between 1/(2s) and 1/s, and no step leaves that interval. A gap that
    is not a number gives none.
    """
    from scipy.special import digamma, polygamma

    s = np.clip(gap, np.finfo(float).tiny, LARGEST_GAP)
    # log k − ψ(k) = 1/(2k) + 1/(12k²) − O(k⁻⁴): solved as it is where the difference of logarithms has no digits left
    out: Array = np.asarray((3.0 + np.sqrt(9.0 + 12.0 * s)) / (12.0 * s))
    ordinary = s >= SMALL_GAP
    s = s[ordinary]
    k = (3.0 - s + np.sqrt((s - 3.0) ** 2 + 24.0 * s)) / (12.0 * s)
    for _ in range(STEPS):
        # d/d(1/k) of log k − ψ(k) is k² ψ'(k) − k
        u = 1.0 / k + (np.log(k) - digamma(k) - s) / (k**2 * (1.0 / k - polygamma(1, k)))
        k = 1.0 / np.clip(u, s, 2.0 * s)
    out[ordinary] = k
    return out


def log_gap(x: Moments, log_x: Moments, mean: Array, log_mean: Array) -> Array:
    """Return log(mean x) − mean(log x), from the variances where the difference of logarithms has few digits left.

    With u = x / mean − 1 the gap is E u²/2 − E u³/3 + O(u⁴), while var(x) / mean² = E u² and
    var(log x) = E u² − E u³ + O(u⁴): so it is (var(x) / mean² + 2 var(log x)) / 6, up to the order of its own square.
    """
    gap = np.log(mean) - log_mean
    narrow = (x.var / mean / mean + 2.0 * log_x.var) / 6.0
    return np.where((x.n > 0) & (narrow < TINY_GAP), narrow, gap)


def log_less_rest(x: Array, mean: Array) -> Array:
    """Return log(1 + r) − r with r = x / mean − 1, to full precision where x is near the mean as well.

    There log(1 + r) = 2 artanh(s) with s = r / (2 + r), and 2s − r = −r s: the difference is −r s + 2s³/3 + 2s⁵/5 + ...
    """
    r = (x - mean) / mean
    near = np.abs(r) < NEAR
    s = np.where(near, r / (2.0 + np.where(near, r, 0.0)), 0.0)
    series = polyval(s * s, SERIES)
    return np.where(near, 2.0 * s**3 * series - r * s, np.log(x) - np.log(mean) - r)


def narrow_log_density(x: Array, k: Array, mean: Array) -> Array:
    """Return the gamma log-density for a large shape, where the terms of the formula are large and cancel.

    log f = k (log(1 + r) − r) − log x + k log k − k − log Γ(k) with r = x / mean − 1; Stirling's expansion gives
    ½ log(k / 2π) − 1/(12k) + O(k⁻³) for the last three terms.
    """
    stirling = 0.5 * np.log(k / (2.0 * np.pi)) - 1.0 / (12.0 * k)
    return np.asarray(k * log_less_rest(x, mean) + stirling - np.log(x))


class Gamma(MomentDistribution):
    """f(x | c) = x^(k−1) exp(−x/scale) / (Γ(k) scale^k), k by maximum likelihood from mean x and mean log x."""

    name = "gamma"
    needs = ("moments", "log_x")
    support = POSITIVE

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        """Return shape and scale; the variance k scale² has the variance floor, which bounds the shape."""
        assert log_x is not None
        everything, log_everything = x.pooled(), log_x.pooled()
        mean, _, silent = floored(x)
        log_mean = np.where(log_x.n > 0, log_x.mean, log_everything.mean)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            widest = mean**2 / (VARIANCE_FLOOR * everything.var)
            shape = np.minimum(gamma_shape(log_gap(x, log_x, mean, log_mean)), widest)
            shape = np.where(silent | ~np.isfinite(shape), 1.0, shape)
        return {"shape": shape, "scale": ratio(mean, shape), "silent": silent}

    def log_density(self, x: Array, p: Parameters) -> Array:
        """Return the gamma log-density."""
        from scipy.special import gammaln, xlogy

        k, scale = p["shape"], p["scale"]
        large = k > LARGE_SHAPE
        with np.errstate(over="ignore"):  # too many scales away: the density is 0
            out: Array = xlogy(k - 1.0, x) - x / scale - gammaln(k) - k * np.log(scale)
            return np.where(large, narrow_log_density(x, k, k * scale), out) if large.any() else out

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        """Draw 1/scale ~ Gamma(n k, Σx): the conjugate posterior given the shape, under the reference prior."""
        seen = x.n > 0
        total = np.where(seen, x.n * x.mean, 1.0)
        # Σx / Gamma(n k), and not its inverse: one over a sum of denormals overflows
        scale = ratio(total, rng.standard_gamma(np.where(seen, x.n * p["shape"], 1.0)))
        return {"shape": p["shape"], "scale": np.where(seen & (scale > 0), scale, p["scale"])}

    def log_variance(self, x: Array, n: Array, p: Parameters) -> Array:
        """Return (k − x / scale)² / (n k): log(1 / scale) has the variance 1 / (n k), given the shape."""
        k = p["shape"]
        return np.asarray((k - x / p["scale"]) ** 2 / (np.maximum(n, 1.0) * k))

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        """Draw gamma numbers."""
        return rng.gamma(p["shape"], p["scale"])

    def form(self, p: Parameters, told: Told) -> Form:
        """Return log x and x with their slopes."""
        from scipy.special import gammaln

        k, scale = p["shape"], p["scale"]
        return Linear(
            columns=told.columns,
            missing=told.missing,
            intercept=-gammaln(k) - k * np.log(scale),
            slope=-1.0 / scale,
            log_slope=k - 1.0,
            least=0.0,
            open=True,
        )


class Exponential(MomentDistribution):
    """f(x | c) = exp(−x / scale_c) / scale_c, scale = mean x, for x that is not negative."""

    name = "exponential"
    support = NONNEGATIVE

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        """Return the scale; its square, the variance, has the variance floor."""
        mean, _, silent = floored(x)
        return {"scale": np.maximum(mean, np.sqrt(VARIANCE_FLOOR * x.pooled().var)), "silent": silent}

    def log_density(self, x: Array, p: Parameters) -> Array:
        """Return the exponential log-density."""
        with np.errstate(over="ignore"):
            out: Array = -x / p["scale"] - np.log(p["scale"])
        return out

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        """Draw 1/scale ~ Gamma(n, Σx)."""
        seen = (x.n > 0) & (x.mean > 0)
        scale = ratio(np.where(seen, x.n * x.mean, 1.0), rng.standard_gamma(np.where(seen, x.n, 1.0)))
        return {"scale": np.where(seen & (scale > 0), scale, p["scale"])}

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        """Draw exponential numbers."""
        return rng.exponential(p["scale"])

    def form(self, p: Parameters, told: Told) -> Form:
        """Return the line."""
        scale = p["scale"]
        return Linear(
            columns=told.columns, missing=told.missing, intercept=-np.log(scale), slope=-1.0 / scale, least=0.0
        )


class Poisson(MomentDistribution):
    """P(x | c) = rate^x exp(−rate) / x!, rate = mean x, for whole numbers."""

    name = "poisson"
    support = WHOLE

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        """Return the rate; as the variance it has the variance floor, so that a class of zeros excludes nothing."""
        mean, _, silent = floored(x)
        return {"rate": np.maximum(mean, VARIANCE_FLOOR * x.pooled().var), "silent": silent}

    def log_density(self, x: Array, p: Parameters) -> Array:
        """Return the Poisson log-probability."""
        from scipy.special import gammaln, xlogy

        out: Array = xlogy(x, p["rate"]) - p["rate"] - gammaln(x + 1.0)
        return out

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        """Draw rate ~ Gamma(Σx + ½, n), the posterior under the reference prior."""
        seen = x.n > 0
        rate = rng.standard_gamma(np.where(seen, x.n * x.mean + 0.5, 1.0)) / np.where(seen, x.n, 1.0)
        return {"rate": np.where(seen, rate, p["rate"])}

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        """Draw Poisson counts."""
        return rng.poisson(p["rate"]).astype(float)

    def form(self, p: Parameters, told: Told) -> Form:
        """Return the line; x! is the same for every class."""
        return Linear(
            columns=told.columns,
            missing=told.missing,
            intercept=-p["rate"],
            slope=log(p["rate"]),
            least=0.0,
            whole=True,
        )
