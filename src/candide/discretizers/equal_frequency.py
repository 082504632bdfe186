"""Bins of equal weight."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from candide.discretizers.base import Discretizer, Floats, check_bins


class EqualFrequency(Discretizer):
    """k bins of about equal weight.

    With W(v) the weight of all values up to v, the j-th cut is the value v (the maximum excepted) whose W(v)
    is nearest to j W / k, the lower of two equally near ones. A value is never split over two bins, cuts that
    coincide are one cut, and no bin is empty. A weight of 2 equals a repeated row.

    Parameters
    ----------
    k : int
        Number of bins; heavy values may leave fewer.

    Examples
    --------
    >>> import numpy as np
    >>> EqualFrequency(k=3).cuts(np.array([1.0, 2.0, 5.0, 9.0]), np.array([[2, 1, 1, 2]]))
    array([1., 5.])
    """

    name = "equal-frequency"

    def __init__(self, k: int = 5) -> None:
        self.k = k

    def _cuts(self, values: Floats, counts: npt.NDArray[Any]) -> Floats:
        return frequency_cuts(values, counts.sum(axis=0), check_bins(self.k, "EqualFrequency"))


def frequency_cuts(values: Floats, weights: npt.NDArray[Any], k: int) -> Floats:
    """Return the values whose cumulative weight is nearest to j/k of the whole, j = 1 .. k − 1."""
    cumulative = np.cumsum(weights)
    if cumulative[-1] > np.iinfo(np.int64).max // k:
        cumulative = cumulative.astype(np.float64)  # whole weights whose products do not fit
    # Both sides times k: integer weights are compared exactly.
    boundaries = cumulative[:-1] * k
    ideal = np.arange(1, k) * cumulative[-1]
    above = np.searchsorted(boundaries, ideal, side="left").clip(max=boundaries.size - 1)
    below = (above - 1).clip(min=0)
    nearest = np.where(ideal - boundaries[below] <= boundaries[above] - ideal, below, above)
    return np.asarray(values[np.unique(nearest)])
