"""The axes of counted columns: each column's own, with its missing cell first, and all of them flat."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from candide.arithmetic import offsets
from candide.frozen import frozen
from candide.reading.numerals import plain_number
from candide.schema.axes import ABSENT, Entries
from candide.schema.order import in_order, object_array

Array = np.ndarray[Any, Any]

MISSING, UNSEEN = -1, -2
"""Codes of a missing cell and of a level outside the domain; neither says anything."""


class CellAxis(Protocol):
    """The axis of one counted column: its missing cell, and its levels, values or intervals."""

    @property
    def size(self) -> int:
        """How many cells, the missing one included."""
        ...

    @property
    def levels(self) -> Array:
        """What stands for each cell but the missing one."""
        ...

    @property
    def stays(self) -> Array:
        """Which cells stay even when nothing is counted in them."""
        ...

    def union(self, other: CellAxis) -> CellAxis:
        """Return the axis that holds the cells of both."""
        ...

    def index(self, other: CellAxis) -> Array | None:
        """Return the cell here of each cell of `other`, ABSENT where not at all; None where both are the same."""
        ...

    def take(self, keep: Array) -> CellAxis:
        """Return the axis of the cells of a mask, which holds the missing one."""
        ...

    def keep(self) -> CellAxis:
        """Return the axis with every cell kept, even where nothing is counted in it."""
        ...

    def tell(self, entry: int) -> str:
        """Return what a cell is called in a message."""
        ...


class UnlikeAxesError(ValueError):
    """Two axes count different things."""


def blank(axis: CellAxis) -> bool:
    """Whether nothing but missing cells was seen, which tells neither numbers nor symbols."""
    return axis.size == 1


def not_alike(one: CellAxis, other: CellAxis) -> CellAxis:
    """Return the axis that is not blank; two that count different things do not unite."""
    if blank(one):
        return other
    if blank(other):
        return one
    raise UnlikeAxesError


@frozen
class Levels:
    """The missing cell and the levels of a column of symbols: declared ones first, then the others in order.

    Parameters
    ----------
    levels : ndarray of object (L,)
    declared : int
        How many of the first levels are a declared domain: they stay even when their count is zero.
    kept : frozenset
        Other levels that stay, since a schema was given that has them.
    """

    levels: Array
    declared: int = 0
    kept: frozenset[Any] = frozenset()

    @classmethod
    def of(cls, declared: Sequence[Any], seen: Iterable[Any], kept: frozenset[Any] = frozenset()) -> Levels:
        """Return a declared domain and, behind it, the other levels seen, in order."""
        rest = in_order(set(seen).difference(declared))
        return cls(object_array([*declared, *rest]), len(declared), kept)

    @property
    def size(self) -> int:
        """The levels, and the missing cell."""
        return len(self.levels) + 1

    @property
    def stays(self) -> Array:
        """The missing cell, the declared levels and those kept."""
        out = np.arange(self.size) <= self.declared
        if self.kept:
            out[1:] |= [level in self.kept for level in self.levels.tolist()]
        return out

    @cached_property
    def place(self) -> dict[Any, int]:
        """Position of each level among the levels."""
        return {level: v for v, level in enumerate(self.levels.tolist())}

    @cached_property
    def by_number(self) -> dict[float, int]:
        """Position of the one level that is a number, or its text, for each number that just one is."""
        numbers = [
            (number, v) for v, level in enumerate(self.levels.tolist()) if (number := plain_number(level)) is not None
        ]
        times = Counter(number for number, _ in numbers)
        return {number: v for number, v in numbers if times[number] == 1}

    @cached_property
    def are_text(self) -> bool:
        """Whether every level is text."""
        return len(self.levels) > 0 and all(isinstance(level, str) for level in self.levels)

    @cached_property
    def are_numbers(self) -> bool:
        """Whether every level is a number."""
        return len(self.levels) > 0 and all(type(level) in {int, float} for level in self.levels.tolist())

    @cached_property
    def some_text(self) -> bool:
        """Whether any level is text."""
        return any(isinstance(level, str) for level in self.levels)

    @cached_property
    def coded(self) -> bool:
        """Whether the levels are 0, 1, 2, ...: then a cell is its own code."""
        return bool(self.levels.tolist() == list(range(len(self.levels))))

    def ascending(self, dtype: Any) -> tuple[Array, Array]:
        """Return the levels that are numbers, ascending, and their positions.

        As numbers that compare exactly with integers of a type, where they are such integers themselves.
        """
        numbers, positions, whole = self._numeric
        kind = np.dtype(dtype)
        if not whole or kind.kind not in "iu":
            return numbers, positions
        if kind not in self._integers:
            limits, chosen = np.iinfo(kind), self.levels[positions]
            fit = not len(chosen) or (limits.min <= chosen[0] and chosen[-1] <= limits.max)
            self._integers[kind] = chosen.astype(kind) if fit else numbers
        return self._integers[kind], positions

    @cached_property
    def _integers(self) -> dict[Any, Array]:
        """The levels as integers of the types that were asked for."""
        return {}

    @cached_property
    def _numeric(self) -> tuple[Array, Array, bool]:
        """The levels that are numbers, as floats, and their positions, both ascending; and whether all are integers."""
        at = [v for v, level in enumerate(self.levels.tolist()) if isinstance(level, (bool, int, float))]
        chosen = self.levels[np.array(at, dtype=np.int64)]
        order = np.array(sorted(range(len(at)), key=chosen.tolist().__getitem__), dtype=np.int64)
        positions = np.array(at, dtype=np.int32)[order]
        return chosen[order].astype(np.float64), positions, all(isinstance(v, int) for v in chosen.tolist())

    def union(self, other: CellAxis) -> CellAxis:
        """Return the levels of both; their order is kept where one declared domain continues the other."""
        if not isinstance(other, Levels):
            return not_alike(self, other)
        if self is other or self._holds(other):
            return self
        first, second = sorted(
            (self.levels[: self.declared].tolist(), other.levels[: other.declared].tolist()), key=len, reverse=True
        )
        continues = first[: len(second)] == second
        declared = first if continues else in_order({*first, *second})
        return Levels.of(declared, [*self.levels.tolist(), *other.levels.tolist()], self.kept | other.kept)

    def _holds(self, other: Levels) -> bool:
        """Whether every level of `other` is here already, and nothing more is declared there."""
        if len(other.levels) > len(self.levels) or not other.kept <= self.kept:
            return False
        mine, theirs = self.levels[: self.declared].tolist(), other.levels[: other.declared].tolist()
        known = not other.declared or mine[: len(theirs)] == theirs
        return known and self.place.keys() >= set(other.levels.tolist())

    def index(self, other: CellAxis) -> Array | None:
        """Return the cell here of each cell of `other`."""
        if self is other:
            return None
        levels = other.levels.tolist()
        if len(levels) == len(self.levels) and levels == self.levels.tolist():
            return None
        return np.array([0, *(self.place.get(level, ABSENT - 1) + 1 for level in levels)], dtype=np.int64)

    def take(self, keep: Array) -> Levels:
        """Keep some levels; the missing cell stays."""
        keep = np.asarray(keep)[1:]
        return self if keep.all() else Levels(self.levels[keep], int(keep[: self.declared].sum()), self.kept)

    def keep(self) -> Levels:
        """Keep every level."""
        return Levels(self.levels, self.declared, frozenset(self.levels.tolist()))

    def tell(self, entry: int) -> str:
        """Name the level."""
        return "a missing cell" if entry == 0 else repr(self.levels.tolist()[entry - 1])


@frozen
class Cells(Entries):
    """The cells of all counted columns, flat.

    Parameters
    ----------
    names : tuple
        The columns.
    axes : tuple of CellAxis
    """

    names: tuple[str | int, ...]
    axes: tuple[CellAxis, ...]

    @cached_property
    def offsets(self) -> Array:
        """Where each column's cells begin, and the end of the last."""
        return offsets(axis.size for axis in self.axes)

    @property
    def size(self) -> int:
        """How many cells."""
        return sum(axis.size for axis in self.axes)

    @cached_property
    def stays(self) -> Array:
        """Those that stay in their columns."""
        out = np.zeros(self.size, dtype=bool)
        for i, axis in enumerate(self.axes):
            out[self.slice(i)] = axis.stays
        return out

    @property
    def divisions(self) -> Array:
        """Every row is in one cell of each column."""
        return self.offsets

    @property
    def by_column(self) -> list[tuple[str | int, int | builtins.slice]]:
        """The cells of each column."""
        return [(name, self.slice(i)) for i, name in enumerate(self.names)]

    def slice(self, i: int) -> builtins.slice:
        """Return the range of a column's cells."""
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))

    def union(self, other: Cells) -> Cells:
        """Unite column by column."""
        return replace(self, axes=tuple(a.union(b) for a, b in zip(self.axes, other.axes, strict=True)))

    def index(self, other: Cells) -> Array | None:
        """Return the cell here of each cell of `other`."""
        moved = [mine.index(theirs) for mine, theirs in zip(self.axes, other.axes, strict=True)]
        if all(index is None for index in moved):
            return None
        parts = [np.zeros(0, dtype=np.int64)]
        for start, index, axis in zip(self.offsets.tolist(), moved, other.axes, strict=False):
            inside = np.arange(axis.size) if index is None else index
            parts.append(np.where(inside >= 0, start + inside, ABSENT))
        return np.concatenate(parts)

    def take(self, keep: Array) -> Cells:
        """Keep some cells of each column."""
        return replace(self, axes=tuple(axis.take(keep[self.slice(i)]) for i, axis in enumerate(self.axes)))

    def tell(self, entry: int) -> str:
        """Name the cell and its column."""
        i = int(np.searchsorted(self.offsets, entry, side="right")) - 1
        return f"{self.axes[i].tell(entry - int(self.offsets[i]))} in column {self.names[i]!r}"
