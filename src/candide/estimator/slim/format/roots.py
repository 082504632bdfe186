"""Chances told by their roots, in whole numbers of a unit: on that scale every count is known as well as any other."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.frozen import frozen

Array = np.ndarray[Any, Any]

BENT = 1 / 16
"""Of how much a cell's neighbours bend at it: what it lies nearer to them, where cells have an order."""
LESS_THAN_HALF = 0.45
"""Of a unit, by which it does at the most, so that the whole number can be told again."""


@frozen
class Roots:
    """The scale on which a chance P(c, x) is (least + unit · k)², k a whole number.

    A count n is known to √n, so its root is known to one half whatever it is: steps that are equal on this scale cost a
    cell as much likelihood as any other, and few of them are needed where rows are few.

    Parameters
    ----------
    unit, least : float
        Above zero.
    log_prior : ndarray (K,)
        By which terms log P(x | c) are told from chances.
    zeros : bool
        Whether some chances are zero: k is told by k + 1 then, and zero by 0.
    """

    unit: float
    least: float
    log_prior: Array
    zeros: bool = False

    def told(self, table: Array) -> Array:
        """Return terms (K, cells) as whole numbers, which have no sign.

        Examples
        --------
        >>> Roots(0.1, 0.05, np.log([0.5, 0.5])).told(np.log([[0.125, 0.875], [0.5, 0.5]])).tolist()
        [[2, 6], [4, 4]]
        """
        chances = np.exp((table + self.log_prior[:, None]) / 2)
        whole = np.rint(np.maximum(chances - self.least, 0) / self.unit).astype(np.uint64)
        return np.where(chances == 0, 0, whole + np.uint64(1)).astype(np.uint64) if self.zeros else whole

    def table(self, told: Array, ordered: bool) -> Array:
        """Return the terms (K, cells) that were told; cells in order lie a little nearer to their neighbours."""
        near = np.maximum(told.astype(float) - self.zeros, 0)
        if ordered:
            wide = np.pad(near, ((0, 0), (1, 1)), mode="edge")
            bent = BENT * (wide[:, :-2] - 2 * near + wide[:, 2:])
            near = near + np.clip(bent, -LESS_THAN_HALF, LESS_THAN_HALF)
        out: Array = 2 * np.log(self.least + self.unit * near) - self.log_prior[:, None]
        return np.where(told == 0, -np.inf, out) if self.zeros else out
