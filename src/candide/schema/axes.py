"""Axes: what the entries of a statistic are of.

A statistic is an array whose axes have names. An axis is a frozen value that says how many entries there are, which of
them stay when nothing is counted in them, how two axes unite, where the entries of another axis are in it, and what an
entry is called in a message. Zero, +, −, aligning, pruning, the refusals of `forget` and JSON are then one loop over
axes.

A counted column has an axis of its own (`Levels`, `Lattice` or `Grid`), whose first entry is its missing cell; `Cells`
lays those of all counted columns out flat. `Combinations` are tuples of cells that were seen together in a group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, Self

import numpy as np

from candide.frozen import frozen
from candide.schema.labels import label_kind, unite_labels

Array = np.ndarray[Any, Any]

ABSENT = -1
"""Where an entry of another axis is not in this one."""


class Axis(Protocol):
    """Entries of one axis of a statistic."""

    @property
    def size(self) -> int:
        """How many entries there are."""
        ...

    @property
    def stays(self) -> Array:
        """Which entries stay even when nothing is counted in them."""
        ...

    def union(self, other: Self) -> Self:
        """Return the axis that holds the entries of both."""
        ...

    def index(self, other: Self) -> Array | None:
        """Return where the entries of `other` are here, ABSENT where not at all; None where both are the same."""
        ...

    def take(self, keep: Array) -> Self:
        """Return the axis of the entries of a mask."""
        ...

    def tell(self, entry: int) -> str:
        """Return what an entry is called in a message."""
        ...

    def tell_counted(self, entry: int) -> str:
        """Return what is counted in an entry, in a message."""
        ...

    def left(self, used: Callable[[], Array], keep: Mapping[str, Array]) -> Array | None:
        """Return which entries are left, None where all are.

        Parameters
        ----------
        used : callable
            Finds the entries in which something is counted: an array that is written to.
        keep : mapping of str to ndarray of bool
            Which entries of axes before this one are left.
        """
        ...

    @property
    def by_column(self) -> list[tuple[str | int, int | slice]]:
        """The columns that entries are of, and which entries are of each; none where they are not of columns."""
        ...

    @property
    def divisions(self) -> Array | None:
        """Where ranges of entries begin, and the end of the last, if every row is counted once in each range."""
        ...


class Entries:
    """What most axes answer alike: an entry left is one that is used or stays, and no entry is a column's."""

    def tell_counted(self: Axis, entry: int) -> str:
        """Return what an entry is called."""
        return self.tell(entry)

    def left(self: Axis, used: Callable[[], Array], keep: Mapping[str, Array]) -> Array | None:
        """Return which entries are used, or stay."""
        counted = used()
        return counted if counted.all() else np.logical_or(counted, self.stays, out=counted)  # it may be large

    @property
    def by_column(self) -> list[tuple[str | int, int | slice]]:
        """No column has entries of its own."""
        return []

    @property
    def divisions(self) -> Array | None:
        """None: a row may be counted in several entries, or in none."""
        return None


@frozen
class Classes(Entries):
    """The class labels, sorted.

    Parameters
    ----------
    labels : ndarray (K,)
    stays : ndarray of bool (K,)
        Which classes were declared.
    """

    labels: Array
    stays: Array

    @property
    def size(self) -> int:
        """K."""
        return len(self.labels)

    def union(self, other: Classes) -> Classes:
        """Unite two sorted arrays of labels of one type, and what is declared of them."""
        if self is other:
            return self
        if self.size and other.size and label_kind(self.labels) != label_kind(other.labels):
            one, two = self.labels.tolist()[0], other.labels.tolist()[0]
            raise TypeError(f"class labels are of two types: {one!r} and {two!r}; convert them to one type")
        if self._same(other):
            stays = self.stays | other.stays
            return self if (stays == self.stays).all() else Classes(self.labels, stays)
        labels = unite_labels(self.labels, other.labels)
        declared = {*self.labels[self.stays].tolist(), *other.labels[other.stays].tolist()}
        return Classes(labels, np.array([label in declared for label in labels.tolist()], dtype=bool))

    def _same(self, other: Classes) -> bool:
        return self.size == other.size and bool((self.labels == other.labels).all())

    def index(self, other: Classes) -> Array | None:
        """Return the position here of each label of `other`."""
        if self is other or self._same(other):
            return None
        place = {label: k for k, label in enumerate(self.labels.tolist())}
        return np.array([place.get(label, ABSENT) for label in other.labels.tolist()], dtype=np.int64)

    def take(self, keep: Array) -> Classes:
        """Keep some labels."""
        return Classes(self.labels[keep], self.stays[keep])

    def tell(self, entry: int) -> str:
        """Name the class."""
        return f"class {self.labels.tolist()[entry]!r}"


@frozen
class Columns(Entries):
    """Some columns of the schema, by name: fixed once they are learnt."""

    names: tuple[str | int, ...]

    @property
    def size(self) -> int:
        """How many columns."""
        return len(self.names)

    @property
    def stays(self) -> Array:
        """All of them."""
        return np.ones(len(self.names), dtype=bool)

    def union(self, other: Columns) -> Columns:
        """Return the same columns."""
        if self.names != other.names:
            raise ValueError("different statistics are kept of the columns of the two models")
        return self

    def index(self, other: Columns) -> Array | None:
        """Nothing moves."""
        return None

    def take(self, keep: Array) -> Columns:
        """Keep some columns."""
        return Columns(tuple(name for name, kept in zip(self.names, keep, strict=True) if kept))

    def tell(self, entry: int) -> str:
        """Name the column."""
        return f"column {self.names[entry]!r}"

    def tell_counted(self, entry: int) -> str:
        """Name a number, and its column."""
        return f"a number in {self.tell(entry)}"

    @property
    def by_column(self) -> list[tuple[str | int, int | slice]]:
        """One entry is each column's."""
        return [(name, i) for i, name in enumerate(self.names)]
