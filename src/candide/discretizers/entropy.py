"""Cuts by class entropy, with a stop by description length."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from candide import native
from candide.discretizers.base import Discretizer, Floats, halfway


class Entropy(Discretizer):
    """Recursive minimisation of class entropy with the description-length stop of Fayyad and Irani (1993).

    A segment S of weight N is cut into S1, S2 at its greatest information gain if

        Gain > (log2(N − 1) + log2(3^k − 2) − [k H(S) − k1 H(S1) − k2 H(S2)]) / N,

    k, k1, k2 being the numbers of classes present. Only boundary points are looked at (neighbouring values
    that both belong to the same single class are never parted; the greatest gain lies at a boundary). A cut
    lies halfway between two neighbouring values; the lowest of equally good ones is taken.

    Examples
    --------
    >>> import numpy as np
    >>> Entropy().cuts(np.arange(8.0), np.array([[3, 3, 3, 3, 0, 0, 0, 0], [0, 0, 0, 0, 3, 3, 3, 3]]))
    array([3.5])
    """

    name = "entropy"
    supervised = True

    def _cuts(self, values: Floats, counts: npt.NDArray[Any]) -> Floats:
        table = np.ascontiguousarray(counts, dtype=np.float64)
        at = native.entropy_cuts(table)
        return halfway(values[at], values[at + 1])
