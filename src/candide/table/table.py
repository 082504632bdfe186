"""The table: named columns of equal length."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from candide.messages import unknown
from candide.table.bags import Bags, bags_of
from candide.table.columns import Array, Numbers, Symbols, without_blanks
from candide.table.objects import MixedKindsError

Kind = Literal["symbols", "numbers", "bags"]


FEW = 1 << 14
"""Rows of which Python's texts are made as soon as a library is imported."""

TEXTS = ("string", "large_string", "dictionary<values=string", "dictionary<values=large_string")
"""How the names of PyArrow's types of text begin."""


class Table:
    """Named columns of equal length, each read when it is first asked for.

    Parameters
    ----------
    shape : (n_rows, n_columns)
    names : tuple of str, or None
        None: the columns go by position.
    column : function of a position
        Reads one column.
    matrix : (n_rows, n_columns) array of numbers, or None
        The table as one array, in the memory that was given.
    sparse : scipy.sparse.csr_array, or None
        The table as a sparse array without repeated entries.
    by_name : bool
        Whether columns have no order of their own: they are found by name, and one that is not there is missing.
    texts : function of a position, or None
        Gives a column as it was given, where it may hold text, or as the documents that it holds.
    free : sequence of int
        Positions of the columns of documents.
    lacking : sequence of str
        Names of columns that some of the rows did not name, whose cells are missing there.
    """

    __slots__ = (
        "_columns",
        "_read",
        "_texts",
        "by_name",
        "free",
        "lacking",
        "matrix",
        "n_columns",
        "n_rows",
        "names",
        "sparse",
    )

    def __init__(
        self,
        shape: tuple[int, int],
        names: tuple[str, ...] | None,
        column: Callable[[int], Numbers | Symbols],
        matrix: Array | None = None,
        sparse: Any = None,
        texts: Callable[[int], Any] | None = None,
        by_name: bool = False,
        free: Collection[int] = (),
        lacking: Collection[str] = (),
    ) -> None:
        self.free = frozenset(free)
        self.lacking = frozenset(lacking)
        self.by_name = by_name
        self.n_rows, self.n_columns = shape
        self.names = names
        self.matrix = matrix
        self.sparse = sparse
        self._read = column
        self._texts = texts
        self._columns: dict[int, Numbers | Symbols] = {}

    def column(self, i: int) -> Numbers | Symbols:
        """Return the column at a position."""
        if i not in self._columns:
            self._columns[i] = without_blanks(self._read(i))
        return self._columns[i]

    def kind(self, i: int) -> Kind:
        """Return what a column holds: numbers, symbols, or bags where its text is free, which is then not coded."""
        if self.matrix is not None or self.sparse is not None:
            return "numbers"
        if i in self.free or (self._texts is not None and isinstance(self._texts(i), Bags)):
            return "bags"
        return "symbols" if isinstance(self.column(i), Symbols) else "numbers"

    @property
    def written(self) -> bool:
        """Whether there are columns that can be had as they were given."""
        return self._texts is not None

    def text(self, i: int) -> Any:
        """Return a column as it was given, where it may hold text; None where it is known to hold numbers."""
        return None if self._texts is None else self._texts(i)

    def bags(self, i: int) -> Bags:
        """Return a column as documents; empty cells of a table are missing, and those given as documents stay empty."""
        name = i if self.names is None else self.names[i]
        texts = self.text(i)
        if texts is None:
            raise TypeError(f"column {name!r} holds numbers, and a document is text")
        if isinstance(texts, Bags):
            return texts
        try:
            return bags_of(texts, f"column {name!r}").without_blanks()
        except MixedKindsError:  # unless somebody has written what is no text
            column = self.column(i)
            if isinstance(column, Numbers):
                raise
            return Bags([None if code < 0 else str(column.levels[code]) for code in column.codes.tolist()])

    def with_bags(self, bags: Mapping[int, Bags]) -> Table:
        """Return the same table, of which some columns are these documents."""
        if not bags:
            return self
        texts = self._texts
        return Table(
            (self.n_rows, self.n_columns), self.names, self.column, self.matrix, self.sparse,
            lambda i: bags[i] if i in bags else None if texts is None else texts(i),
            self.by_name, self.free, self.lacking,
        )  # fmt: skip

    def recoded(self, column: Callable[[int], Numbers | Symbols], texts: Callable[[int], Any] | None = None) -> Table:
        """Return the same table, whose columns, and where it is said their texts, are read otherwise."""
        return Table(
            (self.n_rows, self.n_columns), self.names, column, texts=self._texts, by_name=self.by_name,
            free=self.free, lacking=self.lacking,
        )  # fmt: skip

    def called(self, names: Sequence[str | int]) -> Table:
        """Return the same table, whose columns have these names; positions are none."""
        own = tuple(str(name) for name in names) if isinstance(names[0], str) else None
        if own == self.names:
            return self
        return Table(
            (self.n_rows, self.n_columns), own, self.column, self.matrix, self.sparse, self._texts, self.by_name,
            self.free,
        )  # fmt: skip

    def index(self, name: str | int) -> int:
        """Return the position of a column, given its name (or its position, where columns have no names)."""
        if self.names is not None and name in self.names:
            return self.names.index(str(name))
        if self.names is None and isinstance(name, (int, np.integer)) and 0 <= name < self.n_columns:
            return int(name)
        known: Sequence[Any] = range(self.n_columns) if self.names is None else self.names
        raise ValueError(unknown("column", name, known))

    def rows(self, start: int, stop: int) -> Table:
        """Return a range of rows; columns are shared, levels too."""
        part = slice(*slice(start, stop).indices(self.n_rows))
        matrix = None if self.matrix is None else self.matrix[part]
        sparse = None if self.sparse is None else self.sparse[part]
        n_rows = max(part.stop - part.start, 0)
        texts = None if self._texts is None else lambda i: part_of(self.text(i), part)
        return Table(
            (n_rows, self.n_columns), self.names, lambda i: self.column(i)[part], matrix, sparse, texts, free=self.free
        )

    def take(self, rows: Array) -> Table:
        """Return some rows, copied, so that the others need not be kept."""
        shape = (len(rows), self.n_columns)
        if self.matrix is not None:
            matrix = self.matrix[rows]
            return Table(shape, self.names, lambda i: Numbers(matrix[:, i]), matrix)
        if self.sparse is not None:
            sparse = self.sparse[rows]
            return Table(shape, self.names, lambda i: Numbers(sparse[:, [i]].toarray()[:, 0]), sparse=sparse)
        kinds = [self.kind(i) for i in range(self.n_columns)]
        columns = {i: self.column(i)[rows] for i, kind in enumerate(kinds) if kind != "bags"}
        # whoever reads levels as documents asks for them as they were written
        texts = {i: taken(self.text(i), rows) for i, kind in enumerate(kinds) if kind != "numbers"}
        return Table(shape, self.names, columns.__getitem__, texts=texts.get, free=self.free)

    def select(self, indices: Sequence[int]) -> Table:
        """Return some columns, in the order given."""
        chosen = [int(i) for i in indices]
        if chosen == list(range(self.n_columns)):
            return self
        names = None if self.names is None else tuple(self.names[i] for i in chosen)
        matrix = None if self.matrix is None else self.matrix[:, _range(chosen)]
        sparse = None if self.sparse is None else self.sparse[:, chosen]
        texts = None if self._texts is None else lambda i: self._texts(chosen[i])  # type: ignore[misc]  # looked above
        free = [k for k, i in enumerate(chosen) if i in self.free]
        shape = (self.n_rows, len(chosen))
        return Table(
            shape, names, lambda i: self.column(chosen[i]), matrix, sparse, texts, self.by_name, free, self.lacking
        )


def part_of(values: Any, rows: slice) -> Any:
    """Return a range of cells of a column as it was given; None where it was given as numbers."""
    return None if values is None else values[rows]


def taken(values: Any, rows: Array) -> Any:
    """Return some cells of a column as it was given, copied; None where it was given as numbers."""
    if values is None:
        return None
    if len(rows) <= FEW and str(getattr(values, "type", "")).startswith(TEXTS):
        values = values.to_pylist()  # PyArrow would import all that it can compute
    if isinstance(values, list):
        return [values[row] for row in rows.tolist()]
    return values.gather(rows) if hasattr(values, "gather") else values.take(rows)  # Polars; all others


def chosen_texts(values: Any, rows: Array) -> Array:
    """Return some cells of a column as it was given."""
    cells = values.to_pylist() if hasattr(values, "to_pylist") else list(values)
    out = np.empty(len(rows), dtype=object)
    out[:] = [cells[row] for row in rows.tolist()]
    return out


def _range(indices: list[int]) -> slice | list[int]:
    """Return neighbouring positions as a slice, which needs no copy."""
    if indices and indices == list(range(indices[0], indices[0] + len(indices))):
        return slice(indices[0], indices[0] + len(indices))
    return indices
