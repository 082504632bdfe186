"""Bins whose number and weight grow together."""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from candide.discretizers.base import MOST_BINS, Discretizer, Floats
from candide.discretizers.equal_frequency import frequency_cuts


class Proportional(Discretizer):
    """About √n bins of about √n rows each (proportional discretization, Yang and Webb).

    More rows buy both finer bins (less bias) and fuller bins (less variance). n is the total weight; the cuts
    are those of `EqualFrequency` with k = ⌊√n⌋, and at most its greatest k, 100,000 (of 10¹⁰ rows).

    Examples
    --------
    >>> import numpy as np
    >>> Proportional().cuts(np.arange(9.0), np.ones((1, 9)))
    array([2., 5.])
    """

    name = "proportional"

    def _cuts(self, values: Floats, counts: npt.NDArray[Any]) -> Floats:
        weights = counts.sum(axis=0)
        return frequency_cuts(values, weights, min(max(1, math.isqrt(int(weights.sum()))), MOST_BINS))
