"""The axes of counted numbers: a lattice that every model shares, and a grid of given edges."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any
from weakref import ref

import numpy as np

from candide import native
from candide.frozen import frozen
from candide.schema.axes import ABSENT
from candide.schema.cells import CellAxis, UnlikeAxesError, blank, not_alike

Array = np.ndarray[Any, Any]


@frozen
class Lattice:
    """The missing cell and the numbers counted: exact values, or the cells of a lattice where there are too many.

    A cell is the leading bits of the number itself: sign, exponent, and the mantissa less some dropped bits, chosen
    binade by binade as the fewest that keep the occupied cells within a budget (`native.lattice`). The coarser of two
    lattices holds the finer, so that any two unite, and any order of uniting gives the same cells.

    Parameters
    ----------
    values : ndarray (V,)
        Ascending numbers that stand for the cells: the value itself, or the middle of its cell.
    dropped : ndarray of int8 (V,)
        How many bits of the mantissa each cell leaves out; 0 for an exact value.
    kept : ndarray of bool (V,) or None
        Which cells stay even when their count is zero; None: none does.
    """

    values: Array
    dropped: Array
    kept: Array | None = None

    @classmethod
    def empty(cls) -> Lattice:
        """Return the axis of a column of which nothing but missing cells was seen."""
        return cls(np.zeros(0), np.zeros(0, dtype=np.int8))

    @classmethod
    def of(cls, values: Array) -> Lattice:
        """Return the axis of ascending exact values."""
        return cls(values, np.zeros(len(values), dtype=np.int8))

    @property
    def size(self) -> int:
        """The values, and the missing cell."""
        return len(self.values) + 1

    @property
    def levels(self) -> Array:
        """The numbers that stand for the cells."""
        return self.values

    @cached_property
    def places(self) -> dict[int, tuple[ref[Lattice] | None, Array]]:
        """Where the cells of each part of a union came to lie, by the part's identity, until they were asked for."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {"values": self.values, "dropped": self.dropped, "kept": self.kept}

    @cached_property
    def exact(self) -> bool:
        """Whether every cell is one value."""
        return not self.dropped.any()

    @property
    def stays(self) -> Array:
        """The missing cell and the values kept."""
        out = np.zeros(self.size, dtype=bool)
        out[0] = True
        if self.kept is not None:
            out[1:] = self.kept
        return out

    def union(self, other: CellAxis) -> CellAxis:
        """Return the cells of both, as coarse as both together need."""
        if self is other or blank(other):
            return self
        if isinstance(other, Grid):
            return other.union(self)
        if not isinstance(other, Lattice):
            return not_alike(self, other)
        if other.kept is None and self._same(other):
            return self
        return self._exact_union(other) or self._coarse_union(other)

    def _exact_union(self, other: Lattice) -> Lattice | None:
        """Return the values of both where they stay exact: the few new ones are put between the others."""
        few, many = sorted((self, other), key=lambda axis: axis.size)
        if not (few.exact and many.exact and few.kept is None and many.kept is None):
            return None
        new = few.values[native.places(few.values, many.values) < 0]
        if not len(new):
            return many
        if len(new) + len(many.values) > native.EXACT:
            return None
        return Lattice.of(np.insert(many.values, np.searchsorted(many.values, new), new))

    def _coarse_union(self, other: Lattice) -> Lattice:
        values, dropped, index = native.lattice(
            np.concatenate([self.values, other.values]), np.concatenate([self.dropped, other.dropped])
        )
        kept = None
        if self.kept is not None or other.kept is not None:
            kept = np.zeros(len(values), dtype=bool)
            kept[index[np.concatenate([self.stays[1:], other.stays[1:]])]] = True
        united = Lattice(values, dropped, kept)
        if other.kept is None and united._same(self):
            united = self
            united.places.clear()
        # both are asked for their places next, by the statistics that move there
        united.places[id(self)] = ref(self), index[: len(self.values)]
        united.places[id(other)] = ref(other), index[len(self.values) :]
        return united

    def _same(self, other: Lattice) -> bool:
        return (
            len(self.values) == len(other.values)
            and bool((self.values == other.values).all())
            and bool((self.dropped == other.dropped).all())
        )

    def index(self, other: CellAxis) -> Array | None:
        """Return the cell here of each cell of `other`."""
        if self is other:
            return None
        if isinstance(other, Lattice) and self._same(other):
            return None
        if not isinstance(other, Lattice):
            return np.array([0, *np.full(other.size - 1, ABSENT)], dtype=np.int64)
        out = np.zeros(other.size, dtype=np.int64)
        part, known = self.places.pop(id(other), (None, out))
        if part is not None and part() is other:
            out[1:] = known
            out[1:] += 1
            return out
        # where values are exact, a number is its own cell
        codes: Array = (
            native.places(other.values, self.values)
            if self.exact
            else native.lattice_codes(other.values, self.values, self.dropped)
        )
        out[1:] = np.where(codes >= 0, codes + 1, ABSENT)
        return out

    def codes(self, x: Array) -> Array:
        """Return the position of each number's cell among the values: -1 where missing, -2 where it is in none."""
        return native.lattice_codes(x, self.values, self.dropped)

    def take(self, keep: Array) -> Lattice:
        """Keep some cells; the missing one stays."""
        keep = np.asarray(keep)[1:]
        if keep.all():
            return self
        return Lattice(self.values[keep], self.dropped[keep], None if self.kept is None else self.kept[keep])

    def keep(self) -> Lattice:
        """Keep every cell."""
        return replace(self, kept=np.ones(len(self.values), dtype=bool))

    def tell(self, entry: int) -> str:
        """Name the value."""
        return "a missing cell" if entry == 0 else repr(self.values.tolist()[entry - 1])


@frozen
class Grid:
    """The missing cell and the intervals (a, b] between given edges, open at both ends: all of them stay.

    Parameters
    ----------
    edges : ndarray (E,)
        Ascending upper edges; one cell more lies above the last.
    """

    edges: Array

    @property
    def size(self) -> int:
        """The intervals, and the missing cell."""
        return len(self.edges) + 2

    @cached_property
    def levels(self) -> Array:
        """A number that stands for each interval: its upper edge, and just above the last for what lies above.

        So that a cut can part the two.
        """
        return np.append(self.edges, np.nextafter(self.edges[-1], np.inf) if len(self.edges) else 0.0)

    exact = False

    @property
    def stays(self) -> Array:
        """All of them."""
        return np.ones(self.size, dtype=bool)

    def union(self, other: CellAxis) -> CellAxis:
        """Return the grid itself: exact values go to its cells; another grid or a lattice does not."""
        if self is other or blank(other) or (isinstance(other, Grid) and np.array_equal(self.edges, other.edges)):
            return self
        if isinstance(other, Lattice) and other.exact:
            return self
        if isinstance(other, (Grid, Lattice)):
            raise UnlikeGridsError
        raise UnlikeAxesError

    def index(self, other: CellAxis) -> Array | None:
        """Return the interval of each cell of `other`."""
        if self is other or isinstance(other, Grid):
            return None
        return np.concatenate([[0], self.codes(other.levels.astype(float)) + 1]).astype(np.int64)

    def codes(self, x: Array) -> Array:
        """Return the interval of each number; -1 where missing."""
        return native.bin_codes(x[:, None], self.edges, np.array([0, len(self.edges)], dtype=np.int64))[:, 0]

    def take(self, keep: Array) -> Grid:
        """Return the grid: its cells stay."""
        return self

    def keep(self) -> Grid:
        """Return the grid: its cells stay."""
        return self

    def tell(self, entry: int) -> str:
        """Name the interval."""
        if entry == 0:
            return "a missing cell"
        edges = ["-inf", *(repr(edge) for edge in self.edges.tolist()), "inf"]
        return f"a number in ({edges[entry - 1]}, {edges[entry]}]"


class UnlikeGridsError(UnlikeAxesError):
    """A grid of given edges meets another grid, or a lattice."""
