"""One cut: A <= v or A > v."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from candide import native
from candide.discretizers.base import Discretizer, Floats, halfway


class TwoWay(Discretizer):
    """One cut, where the class gains most information from A <= v.

    Gain(v) = H(C) − P(A <= v) H(C | A <= v) − P(A > v) H(C | A > v). The cut lies halfway between two
    neighbouring values; the lowest of equally good cuts is taken, and where none says anything there is none.

    Examples
    --------
    >>> import numpy as np
    >>> TwoWay().cuts(np.array([1.0, 2.0, 3.0, 6.0]), np.array([[1, 1, 0, 0], [0, 1, 1, 1]]))
    array([2.5])
    """

    name = "two-way"
    supervised = True

    def _cuts(self, values: Floats, counts: npt.NDArray[Any]) -> Floats:
        table = np.ascontiguousarray(counts, dtype=np.float64)
        at = native.entropy_cuts(table, once=True)
        return halfway(values[at], values[at + 1])
