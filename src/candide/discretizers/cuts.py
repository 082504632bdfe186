"""The user's own cut points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from candide.discretizers.base import Discretizer, Floats


class Cuts(Discretizer):
    """Cut points given by the user, whatever the data: bins (−∞, p_1], (p_1, p_2], ..., (p_m, ∞).

    Parameters
    ----------
    points : iterable of float
        Finite numbers; their order and repetitions do not matter.

    Examples
    --------
    >>> import numpy as np
    >>> Cuts([65, 18]).cuts(np.array([3.0, 40.0]), np.ones((1, 2)))
    array([18., 65.])
    """

    def __init__(self, points: Iterable[float]) -> None:
        self.points = points

    def cuts(self, values: npt.ArrayLike, counts: npt.ArrayLike) -> Floats:
        """Return the points, ascending and distinct."""
        try:
            points = np.asarray(self.points, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(f"Cuts({self.points!r}): cut points must be a list of numbers") from error
        if points.ndim != 1:
            raise TypeError(f"Cuts({self.points!r}): cut points must be a flat list of numbers")
        if not np.isfinite(points).all():
            where = int(np.argmin(np.isfinite(points)))
            raise ValueError(
                f"Cuts: point {where} is {points[where]}; cut points must be finite (the outer bins are open)"
            )
        return np.unique(points)

    def _cuts(self, values: Floats, counts: npt.NDArray[Any]) -> Floats:
        return self.cuts(values, counts)
