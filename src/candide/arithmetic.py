"""Arithmetic that the formulas share: logarithms at zero, 0/0, shares, differences without rounding, offsets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def log(theta: Array, out: Array | None = None) -> Array:
    """Return the logarithm, minus infinity at zero."""
    with np.errstate(divide="ignore"):
        found: Array = np.log(theta, out=out)
    return found


def ratio(a: Array, b: Array) -> Array:
    """Return a / b with 0/0 = 0."""
    positive = np.greater(b, 0)
    if positive.all():  # a division with exceptions takes three times as long
        found: Array = np.divide(a, b, dtype=np.float64)
        return found
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    return np.divide(a, b, out=np.zeros(shape), where=np.broadcast_to(positive, shape))


def shares(weights: Array) -> Array:
    """Return weights (..., classes) as probabilities; where nothing has any weight, no class is preferred."""
    total = weights.sum(axis=-1, keepdims=True)
    some = total > 0
    found = ratio(weights, total)
    return found if some.all() else np.where(some, found, 1.0 / weights.shape[-1])


def variance_of_log(weight: Array, total: Array) -> Array:
    """Return the variance of log θ under a Dirichlet posterior, ψ₁(n) − ψ₁(N); 0 where θ is zero.

    A weight below that of one row counts as one: the logarithm of so small a share reaches far down, and hardly further
    up than that of one row, while a variance speaks of both sides alike.

    Examples
    --------
    >>> variance_of_log(np.array([4.0, 1.0, 0.01, 0.0]), np.array([10.0, 10.0, 10.0, 10.0])).round(3)
    array([0.179, 1.54 , 1.54 , 0.   ])
    """
    from scipy.special import polygamma

    known = weight > 0
    found = polygamma(1, np.maximum(weight, 1.0)) - polygamma(1, np.maximum(total, 1.0))
    return np.where(known, np.maximum(found, 0.0), 0.0)


ROUNDED = 1e-9
"""The share of the largest of many broken weights below which what is left of one is rounding, and no weight."""


def difference(a: Array, b: Array, largest: Array | None = None) -> Array:
    """Return a − b; what rounding leaves of a weight is not a count, so that 0.1 + 0.2 − 0.3 is zero.

    Rounding goes by the numbers themselves or, where it is known, by the largest of those that they are added up with:
    what is left of one that was as large before is rounded as that was, however little it is.
    """
    out: Array = a - b
    if out.dtype.kind != "f":
        return out
    rounding = 64 * np.finfo(float).eps * np.maximum(np.abs(a), np.abs(b))
    if largest is not None:
        rounding = np.where(b != 0, np.maximum(rounding, ROUNDED * largest), rounding)
    return np.where(np.abs(out) <= rounding, 0.0, out)


def offsets(sizes: Iterable[int] | Array) -> Array:
    """Return where each of consecutive ranges begins, and the end of the last."""
    given = sizes if isinstance(sizes, np.ndarray) else np.fromiter(sizes, dtype=np.int64)
    out = np.zeros(len(given) + 1, dtype=np.int64)
    np.cumsum(given, out=out[1:])
    return out


def log_sum_exp(x: Array) -> Array:
    """Return log Σ exp over the last axis; minus infinity where all are."""
    top = x.max(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        out: Array = np.where(np.isfinite(top), top + np.log(np.exp(x - top[..., None]).sum(axis=-1)), top)
    return out
