"""The axis of a group of columns: combinations of cells that were seen together."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.schema.axes import ABSENT, Entries
from candide.schema.cells import CellAxis

Array = np.ndarray[Any, Any]

LARGEST_NUMBER = 1 << 62
"""Up to so many combinations each is one number."""


def distinct(cells: Array) -> tuple[Array, Array]:
    """Return the different rows of a table of whole numbers, from 0 on, in order, and which of them each row is.

    Examples
    --------
    >>> distinct(np.array([[2, 0], [0, 1], [2, 0]]))
    (array([[0, 1],
           [2, 0]]), array([1, 0, 1]))
    """
    sizes = (cells.max(axis=0, initial=0) + 1).tolist()
    if not cells.size or prod(sizes) >= LARGEST_NUMBER:
        found, which = np.unique(cells, axis=0, return_inverse=True)
        return found, which.ravel()
    numbers = np.ravel_multi_index(tuple(cells.T), sizes)
    if (numbers[1:] > numbers[:-1]).all():
        return cells, np.arange(len(cells))
    found, which = np.unique(numbers, return_inverse=True)
    return np.stack(np.unravel_index(found, sizes), axis=-1), which


@frozen
class Combinations(Entries):
    """The combinations of a group's cells that were seen together, or are declared.

    Parameters
    ----------
    names : tuple
        The counted members of the group.
    members : tuple of CellAxis
        Their axes.
    cells : ndarray of int (M, members)
        The members' cells of each combination, in lexicographic order.
    stays : ndarray of bool (M,)
        Which combinations are declared.
    """

    names: tuple[str | int, ...]
    members: tuple[CellAxis, ...]
    cells: Array
    stays: Array

    @property
    def size(self) -> int:
        """M."""
        return len(self.cells)

    @property
    def divisions(self) -> Array:
        """Every row is in one combination."""
        return np.array([0, self.size])

    def moved(self, members: tuple[CellAxis, ...]) -> Combinations:
        """Return the same combinations over other axes of the members; those that meet become one."""
        if all(a is b for a, b in zip(members, self.members, strict=True)):
            return self
        cells, which = distinct(self._renamed(members))
        stays = np.zeros(len(cells), dtype=bool)
        stays[which[self.stays]] = True
        return Combinations(self.names, members, cells, stays)

    def _renamed(self, members: tuple[CellAxis, ...]) -> Array:
        cells = self.cells.copy()
        for g, (new, old) in enumerate(zip(members, self.members, strict=True)):
            index = new.index(old)
            if index is not None:
                cells[:, g] = index[cells[:, g]]
        return cells

    def union(self, other: Combinations) -> Combinations:
        """Return the combinations of both, over the united axes of the members."""
        members = tuple(a.union(b) for a, b in zip(self.members, other.members, strict=True))
        return self.united(other, members)

    def united(self, other: Combinations, members: tuple[CellAxis, ...]) -> Combinations:
        """Return the combinations of both over given axes of the members, which hold those of both."""
        a, b = self.moved(members), other.moved(members)
        if a.cells.shape == b.cells.shape and (a.cells == b.cells).all() and (a.stays | b.stays == a.stays).all():
            return a
        cells, which = distinct(np.concatenate([a.cells, b.cells]))
        stays = np.zeros(len(cells), dtype=bool)
        stays[which[np.concatenate([a.stays, b.stays])]] = True
        return Combinations(self.names, members, cells, stays)

    def index(self, other: Combinations) -> Array | None:
        """Return the position here of each combination of `other`."""
        renamed = other._renamed(self.members)
        if renamed.shape == self.cells.shape and (renamed == self.cells).all():
            return None
        both, which = distinct(np.concatenate([self.cells, renamed]) - ABSENT)  # from 0 on
        place = np.full(len(both), ABSENT, dtype=np.int64)
        place[which[: self.size]] = np.arange(self.size)
        out: Array = place[which[self.size :]]
        return out

    def take(self, keep: Array) -> Combinations:
        """Keep some combinations."""
        return replace(self, cells=self.cells[keep], stays=self.stays[keep])

    def tell(self, entry: int) -> str:
        """Name the combination."""
        told = (axis.tell(int(cell)) for axis, cell in zip(self.members, self.cells[entry], strict=True))
        return f"the combination of {', '.join(f'{t} in {n!r}' for t, n in zip(told, self.names, strict=True))}"
