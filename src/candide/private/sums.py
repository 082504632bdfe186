"""Sums with noise: of numbers that lie within public bounds, as whole multiples of a small unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from candide.statistics.moments import PROOF, Moments

Array = np.ndarray[Any, Any]
AddNoise = Callable[[Array, int, int], Array]
"""A table, among how many the share is parted, by how much a row changes it: the table with noise."""

UNITS = 1 << 16
"""Units of which the width between the bounds is one."""

CHANGE = UNITS + 1
"""By how many units a row changes a sum at the most: the width, and one for the rounding of floating-point sums."""


def noisy_moments(
    moments: Moments, bounds: Sequence[tuple[float, float]], names: Sequence[Any], sums: Array, classes: Array,
    add_noise: AddNoise, logarithms: bool,
) -> Moments:  # fmt: skip
    """Return moments of numbers within bounds, with noise on n, Σ u and Σ u², u = (x − least) / width.

    Parameters
    ----------
    moments : Moments (K, columns)
    bounds, names : sequences
        Of each column.
    sums : ndarray of int (columns,)
        Among how many sums the share of each column is parted.
    classes : ndarray (K,)
        Noisy class counts: no column has more rows.
    add_noise : function
    logarithms : bool
        Whether the moments are of log x.
    """
    columns = []
    for i, (ends, name) in enumerate(zip(bounds, names, strict=True)):
        if logarithms and ends[0] <= 0:
            raise ValueError(f"column {name!r} is kept by its logarithms: its least number must be above zero")
        low, high = np.log(ends) if logarithms else ends
        one = moments.map(lambda array, i=i: array[:, i])
        check_within(one, low, high, name)
        columns.append(noisy_column(one, float(low), float(high), int(sums[i]), classes, add_noise))
    return Moments(*(np.column_stack([getattr(m, a) for m in columns]) for a in ("n", "mean", "m2")))


def check_within(one: Moments, low: float, high: float, name: Any) -> None:
    """Refuse bounds that the moments disprove: a mean outside, or more spread than numbers within can have."""
    slack = PROOF * (high - low)
    outside = (one.n > 0) & ((one.mean < low - slack) | (one.mean > high + slack))
    spread = one.m2 > one.n * (high + slack - one.mean) * (one.mean - low + slack) * (1 + PROOF)
    if (outside | (spread & (one.n > 0))).any():
        raise ValueError(
            f"column {name!r} has numbers outside of its bounds, and their sums cannot be cut any more: give bounds that "
            "hold, or fit by distributions='auto', which counts numbers one by one"
        )


def noisy_column(
    one: Moments, low: float, high: float, sums: int, classes: Array, add_noise: AddNoise
) -> Moments:
    """Return the moments of a column, with noise, as some rows within the bounds could have them."""
    width = high - low
    at = (one.mean - low) / width
    first = one.n * at
    second = one.m2 / width**2 + one.n * at**2
    n = np.clip(add_noise(one.n, sums, 1), 0, classes)
    total, squares = (
        add_noise(np.floor(UNITS * part).astype(np.int64), sums, CHANGE) / UNITS for part in (first, second)
    )
    known = np.maximum(n, 1)
    u = np.clip(total / known, 0.0, 1.0)
    spread = np.clip(squares / known - u**2, 0.0, u * (1 - u))
    return Moments(n, np.where(n > 0, low + width * u, 0.0), np.where(n > 0, n * spread * width**2, 0.0))


def noisy_totals(
    table: Array, unknown: Array, bounds: Sequence[tuple[float, float]], names: Sequence[Any], rows: Array,
    classes: Array, add_noise: AddNoise,
) -> tuple[Array, Array]:  # fmt: skip
    """Return Σ x (K, columns) and the missing cells, with noise on both, as rows within the bounds could have them.

    Parameters
    ----------
    table, unknown : ndarray (K, columns)
        Σ x, and how many cells are missing.
    bounds, names : sequences
        Of each column.
    rows : ndarray (K, columns)
        How many cells are known.
    classes : ndarray (K,)
        Noisy class counts.
    add_noise : function
    """
    low, high = np.array(bounds).T
    for i, name in enumerate(names):
        mean = table[:, i] / np.maximum(rows[:, i], 1)
        check_within(Moments(rows[:, i], mean, np.zeros(len(mean))), low[i], high[i], name)
    largest = np.maximum(np.abs(low), np.abs(high))
    units = np.floor(UNITS * (table / largest)).astype(np.int64)
    totals = add_noise(units, 2, CHANGE) / UNITS * largest
    missing = np.clip(add_noise(unknown, 2, 1), 0, classes[:, None])
    known = classes[:, None] - missing
    return np.clip(totals, known * low, known * high), missing
