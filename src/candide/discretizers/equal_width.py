"""Bins of equal width."""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from candide.discretizers.base import Discretizer, Floats, check_bins

ROUNDINGS = 4
"""How many roundings at the column's largest magnitude a value and the cut it lies on may be apart."""


class EqualWidth(Discretizer):
    """k bins of equal width: cuts at min + j (max − min) / k, j = 1 .. k − 1.

    The cuts are those of the numbers as they are written: between 0 and 0.3 the ninth of ten is 0.27, and not its
    neighbour 9 · 0.3 / 10. So a number written as the cut lies on it, whether or not it was learnt, and belongs to the
    interval below. A learnt value that differs from a cut by rounding alone lies on it as well, so that the bins of
    0.1, 0.2, ... do not depend on the unit they are written in.

    Parameters
    ----------
    k : int
        Number of bins. Bins no row fell into remain part of the domain.

    Examples
    --------
    >>> import numpy as np
    >>> EqualWidth(k=4).cuts(np.array([0.0, 1.0, 8.0]), np.ones((1, 3)))
    array([2., 4., 6.])
    """

    name = "equal-width"

    def __init__(self, k: int = 10) -> None:
        self.k = k

    def _cuts(self, values: Floats, counts: npt.NDArray[Any]) -> Floats:
        k = check_bins(self.k, "EqualWidth")
        low, high = values[0], values[-1]
        cuts = np.unique(on_values(written_cuts(float(low), float(high), k), values))
        return np.asarray(cuts[(cuts >= low) & (cuts < high)])


def written_cuts(low: float, high: float, k: int) -> Floats:
    """Return ((k − j) low + j high) / k of the decimals that two floats are written as, each rounded once.

    The arithmetic is that of whole numbers, over the denominator of both decimals.
    """
    from fractions import Fraction

    a, b = Fraction(repr(low)), Fraction(repr(high))
    whole = lcm(a.denominator, b.denominator)
    p, q = int(a * whole), int(b * whole)
    return np.array([((k - j) * p + j * q) / (k * whole) for j in range(1, k)], dtype=np.float64)


def on_values(cuts: Floats, values: Floats) -> Floats:
    """Move cuts within rounding of a value onto it; both ascend, and the cuts lie among the values."""
    above = np.searchsorted(values, cuts).clip(1, values.size - 1)
    # Halves, since the distance of the least and the greatest number overflows.
    to_lower, to_upper = cuts / 2 - values[above - 1] / 2, values[above] / 2 - cuts / 2
    nearest = np.where(to_lower <= to_upper, values[above - 1], values[above])
    tolerance = ROUNDINGS * np.spacing(max(abs(values[0]), abs(values[-1])) / 2)
    out: Floats = np.where(np.minimum(to_lower, to_upper) <= tolerance, nearest, cuts)
    return out
