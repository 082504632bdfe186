"""Normal and log-normal densities."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide import native
from candide.distributions.base import POSITIVE
from candide.distributions.blocks import LeftOut
from candide.distributions.coders import Told
from candide.distributions.density import CONSTANT, VARIANCE_FLOOR, MomentDistribution, Parameters, floored
from candide.distributions.forms import Form, Quadratic
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]


def log_normal_density(x: Array, mean: Array, var: Array) -> Array:
    """Return log f(x) = −½ log(2π var) − (x − mean)² / (2 var)."""
    out: Array = -0.5 * (np.log(2.0 * np.pi * var) + (x - mean) ** 2 / var)
    return out


def draw_normal(rng: np.random.Generator, x: Moments, p: Parameters) -> Parameters:
    """Draw var = m2 / χ²(n − 1) and mean ~ N(mean, var / n): the posterior under the reference prior 1/var.

    Where the rows do not tell a variance (n < 2 or m2 below the floor), the estimated variance is kept.
    """
    varied = (x.n > 1) & (x.m2 >= x.n * p["var"] * (1 - 1e-12))
    chi2 = rng.chisquare(np.where(varied, np.maximum(x.n - 1.0, 1e-9), 1.0))
    var = np.where(varied, x.m2 / np.maximum(chi2, 1e-300), p["var"])
    spread = np.sqrt(var / np.maximum(x.n, 1.0))
    return {"mean": p["mean"] + spread * rng.standard_normal(spread.shape), "var": var}


def normal_variance(x: Array, n: Array, p: Parameters) -> Array:
    """Return the variance of the normal log-density: z² / n + (z² − 1)² / (2 (n − 1)), z = (x − mean) / sd.

    With mean ~ N(·, var / n) and log var of variance 2 / (n − 1): ∂/∂mean = z / sd, and ∂/∂log var = (z² − 1) / 2.
    """
    z2 = (x - p["mean"]) ** 2 / p["var"]
    return np.asarray(
        z2 / np.maximum(n, 1.0) + np.where(n > 1, (z2 - 1.0) ** 2 / (2.0 * np.maximum(n - 1.0, 1.0)), 0.0)
    )


def quadratic(p: Parameters, told: Told, logarithm: bool) -> Form:
    """Return the normal log-density of x, or of log x, as a form."""
    height = -0.5 * np.log(2.0 * np.pi * p["var"])
    return Quadratic(
        columns=told.columns, missing=told.missing, height=height, mean=p["mean"], var=p["var"], logarithm=logarithm
    )


class Normal(MomentDistribution):
    """f(x | c) = exp(−(x − mean_c)² / (2 var_c)) / √(2π var_c)."""

    name = "normal"
    at_once = True

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        """Return mean and floored variance."""
        mean, var, silent = floored(x)
        return {"mean": mean, "var": var, "silent": silent}

    def log_density(self, x: Array, p: Parameters) -> Array:
        """Return the normal log-density."""
        return log_normal_density(x, p["mean"], p["var"])

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        """Draw from the normal-inverse-gamma posterior."""
        return draw_normal(rng, x, p)

    def log_variance(self, x: Array, n: Array, p: Parameters) -> Array:
        """Return the variance of the log-density."""
        return normal_variance(x, n, p)

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        """Draw normal numbers."""
        return rng.normal(p["mean"], np.sqrt(p["var"]))

    def add(self, x: Array, p: Parameters, out: Array) -> None:
        """Add the quadratic forms of the columns that speak, in one pass."""
        speaks = ~p["silent"].all(axis=0)
        if speaks.all():
            native.add_normal(x, p["mean"], p["var"], out)
        elif speaks.any():
            native.add_normal(x[:, speaks], p["mean"][:, speaks].copy(), p["var"][:, speaks].copy(), out)

    def add_at(self, x: Array, code: Array, p: Parameters, out: Array) -> None:
        """Add the quadratic forms of the rows' cells, in one pass."""
        native.add_normal_at(x, code, p["mean"], np.where(p["silent"], np.inf, p["var"]), out)

    def add_without(self, x: Array, moments: Moments, without: LeftOut, out: Array) -> None:
        """Add the quadratic forms in one pass, with the floor of what is left."""
        n, mean, m2 = (np.ascontiguousarray(a, dtype=np.float64) for a in (moments.n, moments.mean, moments.m2))
        native.add_normal_left_out(
            x, n, mean, m2, without.y, np.asarray(without.weight, dtype=np.float64), VARIANCE_FLOOR, CONSTANT, out
        )

    def form(self, p: Parameters, told: Told) -> Form:
        """Return the parabola."""
        return quadratic(p, told, logarithm=False)


class LogNormal(MomentDistribution):
    """log x is normal: f(x | c) = N(log x; mean_c, var_c) / x, for positive x."""

    name = "lognormal"
    needs = ("moments", "log_x")
    support = POSITIVE

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        """Return mean and floored variance of log x."""
        assert log_x is not None
        mean, var, silent = floored(log_x)
        return {"mean": mean, "var": var, "silent": silent}

    def log_density(self, x: Array, p: Parameters) -> Array:
        """Return the log-normal log-density."""
        log_x = np.log(x)
        return log_normal_density(log_x, p["mean"], p["var"]) - log_x

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        """Draw from the normal-inverse-gamma posterior of log x."""
        assert log_x is not None
        return draw_normal(rng, log_x, p)

    def log_variance(self, x: Array, n: Array, p: Parameters) -> Array:
        """Return the variance of the log-density, as of log x."""
        return normal_variance(np.log(x), n, p)

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        """Draw log-normal numbers."""
        return np.exp(rng.normal(p["mean"], np.sqrt(p["var"])))

    def form(self, p: Parameters, told: Told) -> Form:
        """Return the parabola in log x."""
        return quadratic(p, told, logarithm=True)
