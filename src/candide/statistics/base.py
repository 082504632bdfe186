"""What a statistic is, and which statistics a schema asks for: the layout.

A part of the statistics has a name, a type (`Counts`, `ColumnSums`, `Moments` or `Words`) and named axes. The parts are
laid out by the schema: class counts, the cells of counted columns, moments and totals of others, the words of each
column of documents, and the joint counts of each group.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, Self

import numpy as np

from candide.frozen import frozen
from candide.schema.schema import Schema
from candide.schema.tuples import TOGETHER
from candide.statistics.counts import ColumnSums, Counts
from candide.statistics.moments import Moments
from candide.statistics.words import Mistakes, Words

Array = np.ndarray[Any, Any]


class Statistic(Protocol):
    """What rows add up to: a value with a zero, `+`, `−` and scaling, whose first axis is the class."""

    @classmethod
    def zero(cls, *shape: int) -> Self:
        """Return the neutral element of a shape."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """How many entries each axis has."""
        ...

    @property
    def weight(self) -> Array:
        """What is counted in each entry that is kept."""
        ...

    def used(self, axis: int) -> Array:
        """Return which entries of an axis something is counted in."""
        ...

    def first_below(self) -> tuple[int, ...] | None:
        """Return the first entry whose weight is below zero, by its places on the axes."""
        ...

    def cannot_hold(self, other: Self) -> Array | None:
        """Mark where `other` is no part of this, though no weight tells it; None where weights tell all."""
        ...

    def lost(self, before: Self) -> Array | None:
        """Mark where few digits are left of what was subtracted from `before`; None where none can be lost."""
        ...

    def impossible(self, largest: float) -> Iterator[tuple[Array, str]]:
        """Yield marks of entries that no rows give, of numbers of a largest size, and what is wrong with them."""
        ...

    def __add__(self, other: Self) -> Self: ...

    def __sub__(self, other: Self) -> Self: ...

    def scale(self, factor: float) -> Self:
        """Multiply every weight."""
        ...

    def move(self, axis: int, index: Array, size: int) -> Self:
        """Rename the entries along an axis; entries that meet are added."""
        ...

    def take(self, axis: int, keep: Array) -> Self:
        """Keep the entries of a mask along an axis."""
        ...

    def whole(self) -> Self:
        """Return the statistic of whole weights, which are counted in integers."""
        ...


@frozen(eq=True)
class Part:
    """One part of the statistics.

    Parameters
    ----------
    type : Counts, ColumnSums, Moments or Words
    axes : tuple of str
        Names of the schema's axes.
    optional : bool
        Whether the part may be left out while it is zero.
    """

    type: type[Any]
    axes: tuple[str, ...]
    optional: bool = False

    def shape(self, schema: Schema) -> tuple[int, ...]:
        """Return how many entries each axis has."""
        return tuple(schema.axes[axis].size for axis in self.axes)


COLUMN_PARTS: dict[str, Part] = {
    "cells": Part(Counts, ("classes", "cells")),
    "moments": Part(Moments, ("classes", "columns of moments")),
    "log_x": Part(Moments, ("classes", "columns of log_x")),
    "totals": Part(ColumnSums, ("classes", "columns of totals")),
    "unknown": Part(Counts, ("classes", "columns of totals"), optional=True),
}
"""What may be kept of columns; `unknown` are the missing cells of the columns that `totals` sums up."""


def layout(schema: Schema) -> Iterator[tuple[str, Part]]:
    """Name the parts that a schema asks for; the first part of an axis says which of its entries are used."""
    yield "classes", Part(Counts, ("classes",))
    for name, part in COLUMN_PARTS.items():
        if part.axes[-1] in schema.axes:  # as the classes are
            yield name, part
    for j in schema.keeping("words"):
        yield f"words {j}", Part(Words, ("classes", f"words {j}"))
        yield f"mistakes {j}", Part(Mistakes, ("classes", f"words {j}"), optional=True)
    for g, group in enumerate(schema.groups):
        yield f"joint {g}", Part(Counts, ("classes", f"combinations {g}"))
        for j in schema.densities(group):
            yield f"within {g}", Part(Moments, ("classes", f"combinations {g}"))
            if "log_x" in schema.columns[j].keeps:
                yield f"log within {g}", Part(Moments, ("classes", f"combinations {g}"))
    for order in range(2, schema.together + 1):
        yield TOGETHER[order], Part(Counts, ("classes", TOGETHER[order]))
