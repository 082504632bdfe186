"""Cut points and knots in units: multiples of a decimal fraction, told by how far each lies from the one before."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

MOST_DECIMALS = 12
"""Decimals of a unit."""
MOST_UNITS = 1 << 30
"""Units between two cuts, and of which a unit is the multiple, lie below it."""
EXACT = 1 << 53
"""Whole numbers below it are floats."""


def in_units(cuts: Array) -> tuple[list[int], Array] | None:
    """Return the largest decimal fraction of which all cuts are multiples, and how many lie between each two.

    Returns
    -------
    unit : numerator and decimals of the fraction
    between : ndarray (1, cuts)
        The first from zero. None instead of both where cuts have too many digits for that, or do not ascend.

    Examples
    --------
    >>> in_units(np.array([17.5, 18.0, 19.5]))
    ([5, 1], array([[35,  1,  3]]))
    """
    written = [Decimal(repr(cut)) for cut in cuts.tolist()]
    if not written or not all(cut.is_finite() for cut in written):
        return None
    decimals = max(0, *(-cut.normalize().as_tuple().exponent for cut in written))  # type: ignore[operator]  # finite
    if decimals > MOST_DECIMALS:
        return None
    whole = [int(cut.scaleb(decimals)) for cut in written]
    numerator = int(np.gcd.reduce(np.array(whole, dtype=object))) or 1
    between = np.diff(np.array(whole, dtype=object) // numerator, prepend=0)
    if (
        max(map(abs, whole)) >= EXACT
        or numerator >= MOST_UNITS
        or max(map(abs, between)) >= MOST_UNITS
        or min(between[1:], default=1) <= 0
    ):
        return None
    return [numerator, decimals], between.astype(np.int64)[None]


def from_units(unit: Sequence[int], between: Array) -> list[float]:
    """Return the cuts that were told in units.

    Examples
    --------
    >>> from_units([5, 1], np.array([[35, 1, 3]]))
    [17.5, 18.0, 19.5]
    """
    numerator, decimals = unit
    cuts: list[float] = (np.cumsum(between[0]).astype(float) * numerator / 10**decimals).tolist()
    return cuts
