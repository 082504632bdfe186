"""Counts: weights of rows, added up; integers while the rows are unweighted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import numpy as np

from candide.arithmetic import difference
from candide.frozen import frozen
from candide.statistics.arrays import Array, first_below, impossible_weights, scatter, used_along

MANY = 1 << 20
"""So many counts are kept in the narrowest type that holds them: of most values of most columns there are a few."""


def narrow(table: Array) -> Array:
    """Return many whole numbers in the narrowest integer type that holds them, a few as int64; others as they are."""
    if table.dtype.kind != "i":
        return table
    if table.size <= MANY:
        return table.astype(np.int64, copy=False)
    least, most = int(table.min()), int(table.max())
    for dtype in (np.int8, np.int16, np.int32):
        if np.iinfo(dtype).min <= least and most <= np.iinfo(dtype).max:
            return table.astype(dtype, copy=False)
    return table


@frozen
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
    def zero(cls, *shape: int) -> Self:
        """Return the neutral element of a shape."""
        return cls(np.zeros(shape, dtype=np.int64))

    @property
    def wide(self) -> Array:
        """The counts in a type in which they add up: int64, or float64."""
        return self.table.astype(np.int64, copy=False) if self.table.dtype.kind == "i" else self.table

    @property
    def largest(self) -> Array | None:
        """The largest broken count beside each one, of its class, which tells how far it is rounded; None: none is."""
        if self.table.dtype.kind == "i" or not self.table.size:
            return None
        top: Array = np.abs(self.table).max(axis=tuple(range(1, self.table.ndim)), keepdims=True)
        return top

    def __add__(self, other: Self) -> Self:
        return type(self)(narrow(self.wide + other.wide))

    def __sub__(self, other: Self) -> Self:
        return type(self)(narrow(difference(self.wide, other.wide, self.largest)))

    def scale(self, factor: float) -> Self:
        """Multiply every weight, as time decay does."""
        return type(self)(self.table * factor)

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

    def cannot_hold(self, other: Self) -> None:
        """Return None: what is no part of it leaves something below zero."""

    def lost(self, before: Self) -> None:
        """Return None: no digit of a sum is lost."""

    def impossible(self, largest: float) -> Iterator[tuple[Array, str]]:
        """Yield marks of counts below zero, and too large to add up."""
        yield from impossible_weights(self.weight, largest)

    def whole(self) -> Self:
        """Return the counts of whole weights as integers; sums of broken numbers stay as they are."""
        rounded = np.rint(self.table)
        return type(self)(rounded.astype(np.int64)) if (rounded == self.table).all() else self

    def move(self, axis: int, index: Array, size: int) -> Self:
        """Rename the entries along an axis; entries that meet are added."""
        return type(self)(narrow(scatter(self.table, axis, index, size)))

    def take(self, axis: int, keep: Array) -> Self:
        """Keep the entries of a mask along an axis."""
        return type(self)(np.compress(keep, self.table, axis=axis))


@frozen
class ColumnSums(Counts):
    """Sums of numbers by class and column, each column in a unit of its own."""

    @property
    def largest(self) -> Array | None:
        """The largest broken sum beside each one, of its column."""
        return np.abs(self.table).max(axis=0, keepdims=True, initial=0.0) if self.table.dtype.kind == "f" else None
