"""Counts: weights of rows, added up; integers while the rows are unweighted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.arithmetic import difference
from candide.statistics.arrays import Array, array_from_dict, array_to_dict, first_below, scatter, used_along


@dataclass(frozen=True, eq=False)
class Counts:
    """A table of counts with a zero, `+`, `-` and scaling.

    Examples
    --------
    >>> import numpy as np
    >>> (Counts(np.array([1, 2])) + Counts(np.array([3, 4]))).table
    array([4, 6])
    """

    table: Array

    @classmethod
    def zero(cls, *shape: int) -> Counts:
        """Return the neutral element of a shape."""
        return cls(np.zeros(shape, dtype=np.int64))

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.table + other.table)

    def __sub__(self, other: Counts) -> Counts:
        return Counts(difference(self.table, other.table))

    def scale(self, factor: float) -> Counts:
        """Multiply every weight, as time decay does."""
        return Counts(self.table * factor)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many entries each axis has."""
        return np.shape(self.table)

    @property
    def weight(self) -> Array:
        """The counts themselves."""
        return self.table

    def used(self, axis: int) -> Array:
        """Return which entries of an axis something is counted in."""
        return used_along(self.weight, axis)

    def first_below(self) -> tuple[int, ...] | None:
        """Return the first entry whose weight is below zero."""
        return first_below(self.weight)

    def whole(self) -> Counts:
        """Return the counts of whole weights as integers; sums of broken numbers stay as they are."""
        rounded = np.rint(self.table)
        return Counts(rounded.astype(np.int64)) if (rounded == self.table).all() else self

    def move(self, axis: int, index: Array, size: int) -> Counts:
        """Rename the entries along an axis; entries that meet are added."""
        return Counts(scatter(self.table, axis, index, size))

    def take(self, axis: int, keep: Array) -> Counts:
        """Keep the entries of a mask along an axis."""
        return Counts(np.compress(keep, self.table, axis=axis))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return array_to_dict(self.table)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Counts:
        """Read the JSON form."""
        return cls(array_from_dict(data))
