"""Student's t: the normal density with its parameters integrated out."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.distributions.bell import Bell, student_fall
from candide.distributions.coders import Told
from candide.distributions.density import VARIANCE_FLOOR, MomentDistribution, Parameters, floored
from candide.distributions.forms import Form
from candide.distributions.normal import draw_normal
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]

TWO = 2.0 * (1.0 - 1e-9)
"""Two rows, up to the rounding of their weights: 0.7 + 1.3, and what is left of 3.3 without 1.3, are both two."""
LEAST_ROWS = 1e-300
"""Fewer rows of a class than these have no reciprocal."""


class Student(MomentDistribution):
    """The posterior predictive of a normal column under the reference prior 1/var.

    t with df = n − 1 degrees of freedom at the mean, scale² = m2/(n − 1) · (1 + 1/n); where a class has fewer than two
    rows or m2 = 0, the column's variance over all classes and its degrees of freedom. The variance has the floor of
    the normal density.

    Examples
    --------
    >>> from candide.statistics.moments import Moments
    >>> x = Moments(np.array([[4.0], [4.0]]), np.array([[0.0], [10.0]]), np.array([[3.0], [3.0]]))
    >>> {name: value[:, 0].tolist() for name, value in Student().parameters(x, None).items() if name != "silent"}
    {'mean': [0.0, 10.0], 'scale': [1.118, 1.118], 'df': [3.0, 3.0]}
    """

    name = "student"

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        """Return mean, scale and degrees of freedom."""
        everything = x.pooled()
        mean, _, silent = floored(x)
        varied = (x.n >= TWO) & (x.m2 > 0)
        n = np.where(x.n > 0, x.n, everything.n)
        v = np.broadcast_to(everything.var, x.m2.shape)
        own = np.maximum(x.m2 / np.where(varied, x.n - 1.0, 1.0), VARIANCE_FLOOR * v)
        scale = np.sqrt(np.where(varied, own, v) * (1.0 + 1.0 / np.where(n > 0, np.maximum(n, LEAST_ROWS), 1.0)))
        df = np.maximum(np.where(varied, x.n, np.broadcast_to(everything.n, x.n.shape)) - 1.0, 1.0)
        return {"mean": mean, "scale": np.where(silent, 1.0, scale), "df": df, "silent": silent}

    def log_density(self, x: Array, p: Parameters) -> Array:
        """Return the log-density of t; the normal one where the degrees of freedom are infinite."""
        return log_height(p["df"]) - np.log(p["scale"]) - student_fall((x - p["mean"]) / p["scale"], p["df"])

    def form(self, p: Parameters, told: Told) -> Form:
        """Return the bell."""
        height = log_height(p["df"]) - np.log(p["scale"])
        return Bell(
            columns=told.columns, missing=told.missing, height=height, mean=p["mean"], var=p["scale"] ** 2, df=p["df"]
        )

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        """Draw the normal density that t averages over."""
        mean, var, _ = floored(x)
        q = draw_normal(rng, x, {"mean": mean, "var": var})
        return {"mean": q["mean"], "scale": np.sqrt(q["var"]), "df": np.full(mean.shape, np.inf)}

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        """Draw numbers by t."""
        t = rng.standard_t(np.where(np.isinf(p["df"]), 1.0, p["df"]))
        z = np.where(np.isinf(p["df"]), rng.standard_normal(t.shape), t)
        # a column that does not vary says nothing, and is drawn as it is
        return np.asarray(p["mean"] + np.where(p.get("silent", False), 0.0, p["scale"]) * z)


def log_height(df: Array) -> Array:
    """Return log of t's density at its middle, of scale 1: log Γ((df + 1)/2) − log Γ(df/2) − ½ log(π df).

    Examples
    --------
    >>> np.exp(log_height(np.array([1.0, np.inf]))).round(4).tolist()  # 1/π and 1/√(2π)
    [0.3183, 0.3989]
    """
    from scipy.special import gammaln

    sharp = np.isinf(df)
    finite = np.where(sharp, 1.0, df)
    t: Array = gammaln((finite + 1.0) / 2) - gammaln(finite / 2) - 0.5 * np.log(np.pi * finite)
    return np.where(sharp, -0.5 * np.log(2.0 * np.pi), t)
