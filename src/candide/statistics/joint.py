"""Joint counts of a group of columns, and moments of one density column within each combination."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.statistics.arrays import Array, array_from_dict, array_to_dict
from candide.statistics.counts import Counts
from candide.statistics.moments import Moments


@dataclass(frozen=True, eq=False)
class Joint:
    """Counts (K, M) of the M combinations of level codes (M, G) seen together; -1 is a missing cell.

    `density`, where the group holds a density column, has its moments per class and combination.
    """

    codes: Array
    counts: Counts
    density: Moments | None = None

    @classmethod
    def zero(cls, n_classes: int, n_members: int, density: bool) -> Joint:
        """Return the neutral element: no combination seen."""
        codes = np.zeros((0, n_members), dtype=np.int64)
        return cls(codes, Counts.zero(n_classes, 0), Moments.zero(n_classes, 0) if density else None)

    def _united(self, other: Joint) -> tuple[Array, Joint, Joint]:
        codes, inverse = np.unique(np.concatenate([self.codes, other.codes]), axis=0, return_inverse=True)
        inverse, m = inverse.ravel(), len(self.codes)
        return codes, self._moved(inverse[:m], len(codes)), other._moved(inverse[m:], len(codes))

    def _moved(self, index: Array, size: int) -> Joint:
        density = None if self.density is None else self.density.move(1, index, size)
        return Joint(self.codes, self.counts.move(1, index, size), density)

    def __add__(self, other: Joint) -> Joint:
        codes, a, b = self._united(other)
        density = None if a.density is None or b.density is None else a.density + b.density
        return Joint(codes, a.counts + b.counts, density)

    def __sub__(self, other: Joint) -> Joint:
        codes, a, b = self._united(other)
        density = None if a.density is None or b.density is None else a.density - b.density
        return Joint(codes, a.counts - b.counts, density)

    def scale(self, factor: float) -> Joint:
        """Multiply every weight."""
        return Joint(self.codes, self.counts.scale(factor), self.density and self.density.scale(factor))

    def move_classes(self, index: Array, size: int) -> Joint:
        """Rename the classes."""
        return Joint(self.codes, self.counts.move(0, index, size), self.density and self.density.move(0, index, size))

    def take_classes(self, keep: Array) -> Joint:
        """Keep the classes of a mask."""
        return Joint(self.codes, self.counts.take(0, keep), self.density and self.density.take(0, keep))

    def move_levels(self, member: int, index: Array) -> Joint:
        """Rename the levels of one member; -1 stays missing. Combinations that meet are added."""
        codes = self.codes.copy()
        known = codes[:, member] >= 0
        codes[known, member] = index[codes[known, member]]
        united, inverse = np.unique(codes, axis=0, return_inverse=True)
        moved = self._moved(inverse.ravel(), len(united))
        return Joint(united, moved.counts, moved.density)

    def pruned(self) -> Joint:
        """Leave out the combinations whose count returned to zero."""
        keep: Array = np.any(self.counts.table, axis=0)
        return Joint(self.codes[keep], self.counts.take(1, keep), self.density and self.density.take(1, keep))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        density = None if self.density is None else self.density.to_dict()
        return {"codes": array_to_dict(self.codes), "counts": self.counts.to_dict(), "density": density}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Joint:
        """Read the JSON form."""
        density = None if data["density"] is None else Moments.from_dict(data["density"])
        return cls(array_from_dict(data["codes"]), Counts.from_dict(data["counts"]), density)
