"""Sums with noise: of numbers that lie within public bounds, as whole multiples of a small unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.statistics.moments import PROOF, Moments

Array = np.ndarray[Any, Any]
AddNoise = Callable[[Array, Any, int], Array]
"""A table, among how many the share is parted, by how much a row changes it: the table with noise."""

UNITS = 1 << 16
"""Units of which the width between the bounds is one."""

CHANGE = UNITS + 1
"""By how many units a row changes a sum at the most: the width, and one for the rounding of floating-point sums, which
stays below a unit up to some 10^9 rows."""


@frozen
class PublicBounds:
    """Columns and their public bounds (columns,)."""

    names: Sequence[Any]
    low: Array
    high: Array

    @classmethod
    def of(cls, names: Sequence[Any], public: Mapping[Any, Any], logarithms: bool = False) -> PublicBounds:
        """Return the bounds of columns, or of their logarithms."""
        low, high = np.array([public[name] for name in names], dtype=float).T
        if not logarithms:
            return cls(names, low, high)
        if (low <= 0).any():
            name = names[int((low <= 0).argmax())]
            raise ValueError(f"column {name!r} is kept by its logarithms: its least number must be above zero")
        return cls(names, np.log(low), np.log(high))

    def check(self, moments: Moments) -> None:
        """Refuse bounds that moments disprove: a mean outside, or more spread than numbers within can have."""
        slack = PROOF * (self.high - self.low)
        above, below = self.high + slack - moments.mean, moments.mean - self.low + slack
        outside = (above < 0) | (below < 0) | (moments.m2 > moments.n * above * below * (1 + PROOF))
        wrong: Array = np.any(outside & (moments.n > 0), axis=0)
        if wrong.any():
            raise ValueError(
                f"column {self.names[int(wrong.argmax())]!r} has numbers outside of its bounds, and their sums cannot "
                "be cut any more: give bounds that hold, or fit by distributions='auto', which counts every number"
            )


def noisy_moments(moments: Moments, within: PublicBounds, sums: Array, classes: Array, add_noise: AddNoise) -> Moments:
    """Return moments (K, columns), with noise on n, Σ u and Σ u², u = (x − least) / width, as rows could have them.

    Parameters
    ----------
    moments : Moments (K, columns)
    within : PublicBounds
    sums : ndarray of int (columns,)
        Among how many sums the share of each column is parted.
    classes : ndarray (K,)
        Noisy class counts: no column has more rows.
    add_noise : function
    """
    within.check(moments)
    low, width = within.low, within.high - within.low
    at = (moments.mean - low) / width
    first, second = moments.n * at, moments.m2 / width**2 + moments.n * at**2
    n = np.clip(add_noise(moments.n, sums, 1), 0, classes[:, None])
    total, squares = (
        add_noise(np.floor(UNITS * part).astype(np.int64), sums, CHANGE) / UNITS for part in (first, second)
    )
    known = np.maximum(n, 1)
    u = np.clip(total / known, 0.0, 1.0)
    spread = np.clip(squares / known - u**2, 0.0, u * (1 - u))
    return Moments(n, np.where(n > 0, low + width * u, 0.0), np.where(n > 0, n * spread * width**2, 0.0))


def noisy_totals(
    table: Array, unknown: Array, within: PublicBounds, classes: Array, add_noise: AddNoise
) -> tuple[Array, Array]:
    """Return Σ x (K, columns) and the missing cells, with noise on both, as rows within the bounds could have them."""
    largest = np.maximum(np.abs(within.low), np.abs(within.high))
    units = np.floor(UNITS * (table / largest)).astype(np.int64)
    totals = add_noise(units, 2, CHANGE) / UNITS * largest
    missing = np.clip(add_noise(unknown, 2, 1), 0, classes[:, None])
    known = classes[:, None] - missing
    return np.clip(totals, known * within.low, known * within.high), missing
