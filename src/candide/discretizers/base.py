"""What a discretizer is: a rule that reads distinct values and class weights and returns cut points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from candide.rules import Rule

Floats = npt.NDArray[np.float64]


class Discretizer(Rule, ABC):
    """A rule for the cut points of a numeric column.

    Cuts c_1 < ... < c_m make m + 1 intervals (a, b], open at both ends: the bin of x is the number of cuts
    below x, `np.searchsorted(cuts, x, side="left")`. Only the column's counted values are read, so rows that
    arrive in batches, merged or weighted give the cuts of the whole.
    """

    #: Whether the classes decide where the cuts lie.
    supervised: bool = False

    def cuts(self, values: npt.ArrayLike, counts: npt.ArrayLike) -> Floats:
        """Return the cut points, ascending.

        Values and classes without weight do not matter; fewer than two values give no cut.

        Parameters
        ----------
        values : (V,) float64
            Distinct values, ascending.
        counts : (K, V)
            Weight of each value in each class.
        """
        v, n = np.asarray(values, np.float64), np.asarray(counts)
        here, known = n.sum(axis=0) > 0, n.sum(axis=1) > 0
        if not (here.all() and known.all()):
            v, n = v[here], n[known][:, here]
        return self._cuts(v, n) if len(v) >= 2 else np.empty(0)

    @abstractmethod
    def _cuts(self, values: Floats, counts: npt.NDArray[Any]) -> Floats:
        """Return the cuts for at least two values, each value and each class having weight."""


MOST_BINS = 100_000
"""Bins that can be asked for: each is a row of probabilities, and ten million would take gigabytes."""


def check_bins(k: object, name: str) -> int:
    """Return k if it is a number of bins, else say what is wrong."""
    if isinstance(k, bool) or not isinstance(k, Integral):
        raise TypeError(f"{name}(k={k!r}): the number of bins k must be an integer")
    bins = int(k)
    if bins < 1:
        raise ValueError(f"{name}(k={k!r}): the number of bins k must be at least 1")
    if bins > MOST_BINS:
        raise ValueError(f"{name}(k={k!r}): the number of bins k must be at most {MOST_BINS:,}")
    return bins


def midpoints(values: Floats) -> Floats:
    """Return cuts that separate neighbours under (a, b]: a <= cut < b, halfway as far as floats allow."""
    return halfway(values[:-1], values[1:])


def halfway(a: Floats, b: Floats) -> Floats:
    """Return cuts between a and b, a < b.

    a + (b − a)/2 cannot overflow for equal signs, nor (a + b)/2 for opposite ones; where the half rounds up
    to b, the cut is a itself.
    """
    with np.errstate(over="ignore"):  # in the branch not taken
        middle = np.where((a < 0) & (b > 0), (a + b) / 2, a + (b - a) / 2)
    return np.where(middle < b, middle, a)
