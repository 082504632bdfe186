"""Rows: a table read through a schema, as the codes and numbers that counting and scoring need."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from candide import native
from candide.messages import shortened
from candide.reading import Amounts, UnreadableError
from candide.schema.cells import MISSING, UNSEEN, Levels
from candide.schema.column import Column
from candide.schema.lattice import Grid, Lattice
from candide.schema.same_level import near, position, warn_near
from candide.schema.schema import Schema
from candide.table import Numbers, Symbols, Table, as_symbols, booleans_as_numbers

Array = np.ndarray[Any, Any]

BATCH = 1 << 17
"""Rows worked on at a time, so that memory stays bounded."""

DENSE = 4
"""Integers that are levels lie side by side where one in so many is a level."""

TOGETHER = 64
"""Columns of a frame that are read side by side."""

DENSE_CELLS = 1 << 24
"""Cells of a sparse table that are spelt out at a time."""


class UnseenLevelError(ValueError):
    """A level that was not learnt, where it is to be refused; `told` says which, without what to do about it."""

    def __init__(self, told: str) -> None:
        super().__init__(f"{told}; fit with a domain that holds it, or use unseen='ignore'")
        self.told = told


class Rows:
    """The cells of a table, coded by a schema. Slices share the look-up tables.

    Parameters
    ----------
    table : Table
        Its columns are those of the schema, in the same order.
    schema : Schema
    unseen : "ignore" or "error"
        What to do with a level outside the domain.
    start : int
        How many rows came before, for messages.
    complete : bool
        Whether the schema has every level of the table, having been found in it: then nobody needs to look again.
    unknown : ndarray of bool (rows, columns) or None
        Which missing cells are not known yet: they say nothing, even where a missing cell is a level.
    """

    def __init__(
        self,
        table: Table,
        schema: Schema,
        unseen: str = "ignore",
        start: int = 0,
        complete: bool = False,
        unknown: Array | None = None,
    ) -> None:
        self.table = table
        self.schema = schema
        self.unseen = unseen
        self.start = start
        self.complete = complete
        self.unknown = unknown
        self._lookups: dict[int, Array] = {}
        self._levels: dict[bytes, bool] = {}

    def __len__(self) -> int:
        return self.table.n_rows

    @property
    def spelt_out(self) -> int:
        """How many rows can be worked on as dense numbers."""
        return self.spelt_out_of(self.table)

    @staticmethod
    def spelt_out_of(table: Table) -> int:
        """Return how many rows of a table can be worked on as dense numbers."""
        return BATCH if table.sparse is None else max(1, min(BATCH, DENSE_CELLS // table.n_columns))

    def in_place(self, positions: Array) -> Iterator[tuple[Array, Array | list[Array]]]:
        """Part columns of numbers for reading where they lie: a matrix, or the columns of a frame that are of one type.

        Nobody looks for infinity here.
        """
        if self.table.matrix is not None or self.table.sparse is not None:
            if len(positions):
                yield positions, self.numbers(positions, finite=False)
            return
        for some in (positions[i : i + TOGETHER] for i in range(0, len(positions), TOGETHER)):
            alike: dict[Any, dict[int, Array]] = {}
            for j in some.tolist():
                x = self.number(j)
                alike.setdefault((x.dtype, x.strides), {})[j] = x
            for columns in alike.values():
                yield np.array([*columns]), [*columns.values()]

    def silent(self, missing: Array, positions: Array | int) -> Array | np.bool_:
        """Return which missing cells of some columns are not known yet, and say nothing."""
        return np.False_ if self.unknown is None else missing & self.unknown[:, positions]

    def slice(self, start: int, stop: int) -> Rows:
        """Return the rows of a range."""
        if start == 0 and stop >= len(self):
            return self
        table, unknown = self.table.rows(start, stop), None if self.unknown is None else self.unknown[start:stop]
        part = Rows(table, self.schema, self.unseen, self.start + start, self.complete, unknown)
        part._lookups = self._lookups
        return part

    def batches(self, size: int = BATCH) -> Iterator[tuple[builtins.slice, Rows]]:
        """Walk through the rows, a bounded number at a time."""
        if len(self) <= size:
            yield slice(0, len(self)), self
            return
        for start in range(0, len(self), size):
            stop = min(start + size, len(self))
            yield slice(start, stop), self.slice(start, stop)

    def codes(self, positions: Array) -> Array:
        """Return level codes (rows, columns): -1 for a missing cell, -2 for an unseen level."""
        matrix = self.table.matrix
        if matrix is not None and matrix.dtype.kind in "iu" and self._counted_from_zero(positions):
            codes = take_columns(matrix, positions)
            if codes.size and (self.complete or self._are_levels(codes, positions)):
                return codes
        out = np.empty((len(self), len(positions)), dtype=np.int32, order="F")
        for k, j in enumerate(positions):
            out[:, k] = self._code(int(j))
        return out

    def _are_levels(self, codes: Array, positions: Array) -> bool:
        """Whether integers are level codes as they are; they are looked at once."""
        key = positions.tobytes()
        if key not in self._levels:
            sizes = np.array([n_levels(self.schema.columns[j]) for j in positions])
            self._levels[key] = bool(codes.min() >= 0 and (codes.max(axis=0) < sizes).all())
        return self._levels[key]

    def _counted_from_zero(self, positions: Array) -> bool:
        axes = (self.schema.columns[j].axis for j in positions)
        return all(isinstance(axis, Levels) and axis.coded for axis in axes)

    def _code(self, j: int) -> Array:
        column, cells = self.schema.columns[j], self.table.column(j)
        if isinstance(cells, Numbers) and cells.exact is not None and isinstance(column.axis, Levels):
            cells = cells.exact  # floats would round these integers
        if isinstance(cells, Numbers) and isinstance(column.axis, Levels) and column.axis.are_text:
            cells = as_symbols(cells, f"column {column.name!r}")  # 1 is the level "1"
        if column.blank:  # whatever it holds was never seen
            codes = np.where(self.missing(j), MISSING, UNSEEN)
        elif isinstance(cells, Symbols) and isinstance(column.axis, Levels):
            codes = self._lookup(j, column, cells)[cells.codes]
        else:
            codes = self._number_codes(j, self.number(j))
        if self.unseen == "error" and (codes == UNSEEN).any():
            row = int(np.flatnonzero(codes == UNSEEN)[0])
            raise UnseenLevelError(
                f"column {column.name!r}, row {self.start + row}: the level {shortened(cell_at(cells, row))} was never "
                f"seen in training{variant(cell_at(cells, row), column)}"
            )
        return codes

    def _number_codes(self, j: int, values: Array) -> Array:
        codes = code_numbers(self.schema.columns[j], values)
        if values.dtype.kind == "f" and codes.min(initial=MISSING) == UNSEEN:
            self._check_finite(values[:, None], np.array([j]))
        return codes

    def own_codes(self, positions: Array) -> tuple[Array | list[Array], list[Array]]:
        """Return the codes of columns as the frame holds them, and for each column the level that each code means.

        Renaming a few levels afterwards is cheaper than renaming every row.
        """
        if not len(positions):
            return np.empty((len(self), 0), dtype=np.int8), []
        matrix = self.table.matrix
        if self.table.sparse is not None or (matrix is not None and matrix.dtype.kind in "iu"):
            return self.codes(positions), [np.arange(n_levels(self.schema.columns[j])) for j in positions]
        parts, levels = zip(*(self.own_code(int(j)) for j in positions), strict=True)
        dtype = np.result_type(np.int8, *parts)
        return [np.ascontiguousarray(part, dtype=dtype) for part in parts], list(levels)

    def own_code(self, j: int) -> tuple[Array, Array]:
        """Return the codes of one column as the frame holds them, and the level that each of them means."""
        column, cells = self.schema.columns[j], self.table.column(j)
        if isinstance(cells, Symbols) and isinstance(column.axis, Levels):
            return cells.codes, self._lookup(j, column, cells)[:-1]
        return self._code(j), np.arange(n_levels(column))

    def _lookup(self, j: int, column: Column, cells: Symbols) -> Array:
        if j not in self._lookups:
            assert isinstance(column.axis, Levels)
            place, levels = column.axis.place, cells.levels.tolist()
            known = [place.get(level, UNSEEN) for level in levels]
            if UNSEEN in known:
                known = [position(level, column.axis) for level in levels]
            if UNSEEN in known and self.unseen != "error":  # which tells it itself
                warn_near(column.name, (v for v, code in zip(levels, known, strict=True) if code == UNSEEN), place)
            self._lookups[j] = np.array([*known, MISSING], dtype=np.int32)  # code -1 reads the last entry
        return self._lookups[j]

    def numbers(self, positions: Array, finite: bool = True) -> Array:
        """Return numbers (rows, columns), NaN where missing; infinity is an error that says where."""
        if self.table.matrix is not None:
            x = take_columns(self.table.matrix, positions)
        elif self.table.sparse is not None:
            x = self._sparse(positions).toarray()
        elif len(positions) == 1:
            x = self.number(int(positions[0]))[:, None]
        else:
            x = np.empty((len(self), len(positions)), dtype=np.float64, order="F")
            for k, j in enumerate(positions):
                x[:, k] = self.number(int(j))
        if finite and x.dtype.kind == "f":
            self._check_finite(x, positions)
        return x

    def _sparse(self, positions: Array) -> Any:
        table = self.table.sparse
        return table if len(positions) == table.shape[1] else table[:, positions]

    def entries(self, positions: Array) -> Any:
        """Return columns of a sparse table as they are, None where the rows are dense; infinity is an error."""
        if self.table.sparse is None:
            return None
        x = self._sparse(positions)
        where = native.check_finite(x.data[:, None]) if x.data.dtype.kind == "f" else None
        if where is not None:
            row = int(np.searchsorted(x.indptr, where[0], side="right")) - 1
            self._refuse_infinity(row, int(positions[x.indices[where[0]]]))
        return x

    def number(self, j: int) -> Array:
        """Return one column of numbers."""
        cells = self.table.column(j)
        if isinstance(cells, Numbers):
            return cells.values
        name = self.schema.columns[j].name
        if self.schema.columns[j].blank:  # whatever it holds was never seen, and says nothing
            return np.full(len(cells), np.nan)
        try:
            return Amounts().numbers(cells, "").values if are_texts(cells) else booleans_as_numbers(cells).values
        except (TypeError, UnreadableError):
            odd = [not isinstance(level, str) or Amounts().value(level) is None for level in cells.levels.tolist()]
            row = int(np.flatnonzero(np.array([*odd, False])[cells.codes])[0])  # code -1 reads the last
            raise TypeError(
                f"column {name!r} is numeric in this model but holds {shortened(cell_at(cells, row))} in row "
                f"{self.start + row}: convert it to numbers first"
            ) from None

    @contextmanager
    def naming_infinity(self, x: Array | list[Array], positions: Array) -> Iterator[None]:
        """Turn a kernel's refusal of infinity into an error that names the column and the row."""
        try:
            yield
        except ValueError:
            for part, at in zip(x, positions[:, None], strict=True) if isinstance(x, list) else [(x, positions)]:
                if part.dtype.kind == "f":
                    self._check_finite(part.reshape(len(part), -1), at)
            raise

    def _check_finite(self, x: Array, positions: Array) -> None:
        where = native.check_finite(x)
        if where is not None:
            self._refuse_infinity(where[0], int(positions[where[1]]))

    def _refuse_infinity(self, row: int, j: int) -> None:
        raise ValueError(
            f"Input X contains infinity: column {self.schema.columns[j].name!r}, row {self.start + row}; replace it by "
            "a number or by a missing value"
        )

    def missing(self, j: int) -> Array:
        """Return which cells of a column are missing."""
        cells = self.table.column(j)
        return cells.codes < 0 if isinstance(cells, Symbols) else np.isnan(cells.values.astype(float, copy=False))


def are_texts(cells: Symbols) -> bool:
    """Whether levels are text, which may be numbers."""
    return len(cells.levels) > 0 and isinstance(cells.levels[0], str)


def variant(level: Any, column: Column) -> str:
    """Return the end of a sentence that names the known level that is nearly the same."""
    known = near(level, () if column.levels is None else column.levels.tolist())
    return "" if known is None else f", and {known!r} was"


def rename(table: Array, level: Array) -> Array:
    """Return the rows of a table (levels, K) for other codes of its levels; zeros for a level it does not have."""
    if not len(table):
        return np.zeros((len(level), table.shape[1]))
    return np.where((level >= 0)[:, None], table[np.maximum(level, 0)], 0.0)


def take_columns(matrix: Array, positions: Array) -> Array:
    """Return columns of a matrix, as a view where they are a range."""
    if len(positions) == matrix.shape[1]:
        return matrix
    first = int(positions[0]) if len(positions) else 0
    if len(positions) and int(positions[-1]) - first + 1 == len(positions):
        return matrix[:, first : first + len(positions)]
    if matrix.dtype.kind == "f":
        return native.take_columns(matrix, np.asarray(positions, dtype=np.int64))
    return matrix[:, positions]


def n_levels(column: Column) -> int:
    """Return how many cells a counted column has besides the missing one."""
    return 0 if column.axis is None else column.axis.size - 1


def code_numbers(column: Column, values: Array) -> Array:
    """Return the codes of numbers whose distinct values are the column's levels."""
    if isinstance(column.axis, (Lattice, Grid)):
        return column.axis.codes(values)
    assert isinstance(column.axis, Levels)
    levels, positions = column.axis.ascending(values.dtype)
    codes = np.full(len(values), UNSEEN, dtype=np.int32)
    if len(levels) and levels.dtype.kind in "iu" and int(levels[-1]) - int(levels[0]) < DENSE * len(levels):
        # integers side by side are found where they lie: a search among many costs a hundred times as much
        wide = np.int64 if levels.dtype.kind == "i" else np.uint64
        low = levels[0].astype(wide)
        table = np.full(int(levels[-1]) - int(levels[0]) + 1, UNSEEN, dtype=np.int32)
        table[levels.astype(wide) - low] = positions
        inside = (values >= levels[0]) & (values <= levels[-1])
        codes[inside] = table[values[inside].astype(wide) - low]
    elif len(levels):
        place = np.minimum(np.searchsorted(levels, values), len(levels) - 1)
        found = levels[place] == values
        codes[found] = positions[place[found]]
    codes[np.isnan(values.astype(np.float64, copy=False))] = MISSING
    return codes


def cell_at(cells: Numbers | Symbols, row: int) -> Any:
    """Return the cell of a row as a Python value, for a message."""
    if isinstance(cells, Symbols):
        return None if cells.codes[row] < 0 else cells.levels[cells.codes[row]]
    return cells.values[row].item()
