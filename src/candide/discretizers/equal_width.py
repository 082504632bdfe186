"""Bins of equal width."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from candide.discretizers.base import Discretizer, Floats, check_bins


class EqualWidth(Discretizer):
    """k bins of equal width: cuts at min + j (max − min) / k, j = 1 .. k − 1.

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
        # ((k − j) low + j high) / k is exact where low and high are small integers, and cannot overflow once
        # both are brought below 1/k by a power of two.
        exponent = int(np.frexp(max(abs(low), abs(high)))[1]) + k.bit_length()
        a, b = np.ldexp(low, -exponent), np.ldexp(high, -exponent)
        j = np.arange(1, k)
        cuts: Floats = np.unique(np.ldexp(((k - j) * a + j * b) / k, exponent))
        return np.asarray(cuts[(cuts >= low) & (cuts < high)])
