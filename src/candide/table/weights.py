"""Sample weights: checked once, integers kept as integers."""

from __future__ import annotations

from collections.abc import Iterator, ValuesView
from typing import Any

import numpy as np

from candide.messages import shortened
from candide.table.arrays import is_masked

Array = np.ndarray[Any, Any]

LARGEST_TOTAL = {"i": 2.0**53, "u": 2.0**53, "f": 1e30}
"""Totals of weights that can be counted: whole ones as exact floats, others so that sums of squares stay finite, and
those of documents in single precision."""


def read_weights(sample_weight: Any, n_rows: int) -> Array | None:
    """Return weights (rows,), or None where every row counts once.

    Parameters
    ----------
    sample_weight : number, sequence or iterator of numbers, or None
    n_rows : int
    """
    if sample_weight is None:
        return None
    weight = np.asarray(at_hand(sample_weight))
    if weight.dtype.kind not in "iuf":
        weight = as_floats(weight)
    if weight.ndim == 0:
        weight = np.full(n_rows, weight.item())
    if weight.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(weight) != n_rows:
        raise ValueError(f"sample_weight.shape == {weight.shape}, expected {(n_rows,)}!")
    if not np.isfinite(weight).all():
        row = int(np.flatnonzero(~np.isfinite(weight))[0])
        raise ValueError(f"sample_weight contains NaN or infinity: {weight[row]} in row {row}")
    if (weight < 0).any():
        row = int(np.flatnonzero(weight < 0)[0])
        raise ValueError(f"Negative values in data passed to `sample_weight`: {weight[row]:g} in row {row}")
    with np.errstate(over="ignore"):
        total = weight.sum(dtype=np.float64)
    if total > LARGEST_TOTAL[weight.dtype.kind]:
        raise ValueError(f"sample_weight adds up to {total:g}, more than can be counted: scale it down")
    if not weight.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weight


def at_hand(values: Any) -> Any:
    """Return a list of what comes one by one, is a view of a dict, or has masked entries; all else as given."""
    if is_masked(values):
        return values.tolist()
    return list(values) if isinstance(values, (Iterator, ValuesView)) else values


def as_floats(weight: Array) -> Array:
    """Return weights of any other type as numbers; name the first that is none."""
    if weight.ndim == 0 and weight.dtype.kind == "U":
        name = str(weight)
        raise TypeError(f"sample_weight={name!r}: of a table in memory give the weights, as X[{name!r}]")
    try:
        return weight.astype(np.float64)
    except (TypeError, ValueError):
        for row, cell in enumerate(weight.ravel().tolist()):
            try:
                float(cell)
            except (TypeError, ValueError):
                raise TypeError(f"sample_weight holds {shortened(cell)} in row {row}, which is not a number") from None
        raise
