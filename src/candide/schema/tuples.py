"""The axis of columns counted together: the cells of every ascending pair or triple of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.frozen import frozen
from candide.schema.axes import ABSENT, Entries
from candide.schema.cells import Cells

Array = np.ndarray[Any, Any]

MOST_BYTES = 1 << 31
"""Bytes that the counts of columns counted together may take: two gigabytes."""

TOGETHER = {2: "pairs", 3: "triples"}
"""How many columns are counted together, and what the part of the statistics and its axis are called."""


@frozen
class Tuples(Entries):
    """The cells of all ascending tuples of counted columns, flat: tuples and their cells in lexicographic order.

    What the entries are follows from the columns' cells alone; so does which of them are left out.

    Parameters
    ----------
    cells : Cells
        The counted columns.
    order : 2 or 3
        How many columns are counted together.
    """

    cells: Cells
    order: int

    @cached_property
    def columns(self) -> list[tuple[int, ...]]:
        """The columns of each tuple, by their positions among the counted ones."""
        return list(combinations(range(len(self.cells.axes)), self.order))

    @cached_property
    def offsets(self) -> Array:
        """Where the cells of each tuple begin, and the end of the last."""
        return offsets(prod(self.shape(columns)) for columns in self.columns)

    @property
    def size(self) -> int:
        """How many entries."""
        return entries([axis.size for axis in self.cells.axes], self.order)

    @property
    def stays(self) -> Array:
        """None of them, by itself: see `following`."""
        return np.zeros(self.size, dtype=bool)

    @property
    def divisions(self) -> Array:
        """Every row is in one entry of each tuple."""
        return self.offsets

    def left(self, used: Callable[[], Array], keep: Mapping[str, Array]) -> Array | None:
        """Return the entries of the cells that are left, be they used or not."""
        cells = keep["cells"]
        return None if cells.all() else self.following(cells)

    def shape(self, columns: tuple[int, ...]) -> tuple[int, ...]:
        """Return how many cells each column of a tuple has."""
        return tuple(self.cells.axes[i].size for i in columns)

    @cached_property
    def place(self) -> dict[tuple[int, ...], int]:
        """The number of each tuple."""
        return {columns: t for t, columns in enumerate(self.columns)}

    def slice(self, columns: tuple[int, ...]) -> slice:
        """Return the range of a tuple's entries."""
        t = self.place[columns]
        return slice(int(self.offsets[t]), int(self.offsets[t + 1]))

    def table(self, counts: Array, *columns: int) -> Array:
        """Return the counts (K, entries) of a tuple as (K, cells of the first column, of the second, ...).

        The columns may come in any order.
        """
        ascending = tuple(sorted(columns))
        table = counts[:, self.slice(ascending)].reshape(len(counts), *self.shape(ascending))
        return table.transpose(0, *(1 + ascending.index(i) for i in columns))

    def union(self, other: Tuples) -> Tuples:
        """Unite column by column."""
        return Tuples(self.cells.union(other.cells), self.order)

    def index(self, other: Tuples) -> Array | None:
        """Return the entry here of each entry of `other`."""
        moved = [mine.index(theirs) for mine, theirs in zip(self.cells.axes, other.cells.axes, strict=True)]
        if all(index is None for index in moved):
            return None
        inside = [np.arange(a.size) if m is None else m for m, a in zip(moved, other.cells.axes, strict=True)]
        out = [np.zeros(0, dtype=np.int64)]
        for start, columns in zip(self.offsets.tolist(), self.columns, strict=False):
            at = np.zeros(1, dtype=np.int64)
            known = np.ones(1, dtype=bool)
            for i in columns:
                at = (at[:, None] * self.cells.axes[i].size + inside[i]).ravel()
                known = (known[:, None] & (inside[i] >= 0)).ravel()
            out.append(np.where(known, start + at, ABSENT))
        return np.concatenate(out)

    def following(self, keep: Array) -> Array:
        """Return which entries are left when some cells are: those all of whose cells are."""
        parts = [keep[self.cells.slice(i)] for i in range(len(self.cells.axes))]
        out = [np.zeros(0, dtype=bool)]
        for columns in self.columns:
            left = np.ones(1, dtype=bool)
            for i in columns:
                left = (left[:, None] & parts[i]).ravel()
            out.append(left)
        return np.concatenate(out)

    def take(self, keep: Array) -> Tuples:
        """Return the axis of the entries of a mask, which is that of some cells; see `following`."""
        cells = np.zeros(self.cells.size, dtype=bool)
        for start, columns in zip(self.offsets.tolist(), self.columns, strict=False):
            shape = self.shape(columns)
            table = keep[start : start + prod(shape)].reshape(shape)
            for axis, i in enumerate(columns):
                cells[self.cells.slice(i)] |= table.any(axis=tuple(n for n in range(self.order) if n != axis))
        return Tuples(self.cells.take(cells), self.order)

    def tell(self, entry: int) -> str:
        """Name the cells and their columns."""
        t = int(np.searchsorted(self.offsets, entry, side="right")) - 1
        columns = self.columns[t]
        inside = np.unravel_index(entry - int(self.offsets[t]), self.shape(columns))
        told = (
            f"{self.cells.axes[i].tell(int(c))} in column {self.cells.names[i]!r}"
            for i, c in zip(columns, inside, strict=True)
        )
        return " together with ".join(told)


def check_memory(sizes: list[int], n_classes: int, order: int) -> None:
    """Refuse counts of tuples of columns that would take more than `MOST_BYTES`."""
    size = 8 * n_classes * entries(sizes, order)
    if size > MOST_BYTES:
        raise ValueError(
            f"counting {len(sizes):,} columns of up to {max(sizes) - 1:,} values in {TOGETHER[order]}, by "
            f"{n_classes:,} classes, takes {size:,} bytes, more than the limit of {MOST_BYTES:,}: leave columns out, "
            "or give them fewer values (distributions='equal-frequency(5)' cuts numbers into five bins)"
        )


def entries(sizes: list[int], order: int) -> int:
    """Return how many entries the tuples of columns of some sizes have: the elementary symmetric polynomial.

    Examples
    --------
    >>> entries([2, 3, 4], 2), entries([2, 3, 4], 3)
    (26, 24)
    """
    symmetric = [1] + [0] * order
    for size in sizes:
        for n in range(order, 0, -1):
            symmetric[n] += symmetric[n - 1] * int(size)
    return symmetric[order]
