"""Typing: a batch of raw columns as a frame, each cell typed once: as a schema has it, or as its column's type is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from candide.messages import did_you_mean, need
from candide.reading import ColumnReader, ReadAs, Texts
from candide.reading.kinds import as_texts
from candide.reading.texts import is_missing_spelling
from candide.schema.alignment import warn_absent
from candide.schema.column import Column
from candide.schema.order import object_array
from candide.schema.schema import Schema
from candide.sources.base import Reading
from candide.sources.batch import Batch
from candide.sources.finders import CellType
from candide.sources.spelling import (
    CellColumn,
    as_booleans,
    as_numbers,
    as_text,
    as_whole,
    is_arrow,
    is_text,
    looks_numeric,
    walk,
)
from candide.table import Numbers, Symbols, Table
from candide.table.arrays import installed, text_symbols
from candide.table.arrow import arrow_strings, as_arrow, marked
from candide.table.encode import encode

Array = np.ndarray[Any, Any]
NOT_MANY = 8

AS_THEY_ARE = Texts()
"""How columns are read that no reader was found for."""


# -- columns ---------------------------------------------------------------------------------------------------------


def _like_column(batch: Batch, name: str, column: Column) -> Any:
    """Return a column's cells as its model reads them: numbers, or levels in the type of those learnt."""
    cells, where = batch.cells(name), batch.where(name)
    if column.kind == "numbers":
        plain = is_text(cells) or isinstance(cells, list)
        return as_numbers(cells, where, batch.start, batch.decimal, gaps=True) if plain else cells
    levels = () if column.levels is None else column.levels
    try:
        return like(cells, levels, where, batch.start, batch.decimal)
    except ValueError:  # a level that is no number, beside levels that are numbers, was never seen: the model says so
        texts = with_point(as_text(cells, levels), batch.decimal)
        return [None if _is_gap(cell) else cell for cell in walk(texts)]


def _is_gap(cell: Any) -> bool:
    return cell is None or is_missing_spelling(cell)


def with_point(cells: CellColumn, decimal: str) -> CellColumn:
    """Return texts in which numbers that are written with this decimal point have one."""
    if decimal == ".":
        return cells
    return [cell.replace(decimal, ".") if cell and looks_numeric(cell, decimal) else cell for cell in walk(cells)]


def like(cells: CellColumn, levels: Sequence[Any] | Array, where: str, start: int, decimal: str = ".") -> Any:
    """Return cells in the type of the levels, all alike: text, booleans, whole numbers or numbers."""
    if not len(levels) or isinstance(levels[0], str):
        return as_text(cells, levels)
    types = {type(level) for level in levels}
    if types == {bool}:
        return as_booleans(cells, where, start)
    if types == {int}:
        return as_whole(cells, where, start, decimal)
    if types <= {int, float, bool}:
        return (
            as_numbers(cells, where, start, decimal, gaps=True) if is_text(cells) or isinstance(cells, list) else cells
        )
    return as_text(cells, levels)


def as_written(cells: CellColumn, reader: ColumnReader = AS_THEY_ARE) -> CellColumn:
    """Return cells as they are for a reader: a library's arrays, or text, with numbers among it as it reads them."""
    return cells if is_arrow(cells) or isinstance(cells, np.ndarray) else in_texts(cells, reader)


def in_texts(cells: CellColumn, reader: ColumnReader = AS_THEY_ARE) -> CellColumn:
    """Return cells as text, numbers as a reader reads them: a whole batch of objects may hold nothing else."""
    return cells if is_text(cells) else as_texts(list(walk(cells)), reader.written)


def _of_type(batch: Batch, name: str, cell_type: CellType, reader: ColumnReader = AS_THEY_ARE) -> Any:
    """Return a column's cells as what it was found to be."""
    cells, where = batch.cells(name), batch.where(name)
    if cell_type == "numbers":
        return as_numbers(cells, where, batch.start, batch.decimal)
    if cell_type == "integers":
        return as_whole(cells, where, batch.start, batch.decimal)
    return in_texts(cells, reader) if cell_type == "text" else cells


def _labels(batch: Batch, name: str, classes: Sequence[Any], cell_type: CellType) -> Any:
    """Return labels in the type of the classes known, or as what they were found to be where none is."""
    check_labels(batch, name)
    if not classes:
        return _of_type(batch, name, cell_type)
    return like(batch.cells(name), classes, batch.where(name), batch.start, batch.decimal)


def check_labels(batch: Batch, name: str) -> None:
    """Refuse a missing label."""
    cells = batch.cells(name)
    if is_arrow(cells) and not cells.null_count:
        return
    for row, cell in enumerate(walk(cells)):
        if cell is None:
            where = f"{batch.name}: the target column {name!r}"
            raise ValueError(f"{where} is empty in row {batch.start + row}: leave such rows out")


def _weights(batch: Batch, name: str) -> Any:
    """Return the weights of rows, none of which is missing or negative."""
    weights = as_numbers(batch.cells(name), batch.where(name), batch.start, batch.decimal)
    if np.isnan(weights).any():
        row = batch.start + int(np.isnan(weights).argmax())
        raise ValueError(f"{batch.name}: the weight column {name!r} is empty in row {row}: leave such rows out")
    if (weights < 0).any():
        row = int((weights < 0).argmax())
        told = f"{batch.name}: the weight column {name!r} holds {weights[row]:g} in row {batch.start + row}"
        raise ValueError(f"{told}: a weight is not negative")
    return weights


# -- frames ----------------------------------------------------------------------------------------------------------


def by_schema(
    batch: Batch, known: Schema, beside: Sequence[str], cell_types: Mapping[str, CellType], options: Reading
) -> dict[str, Any]:
    """Return the columns of a schema, in its order, and some beside them.

    Parameters
    ----------
    batch : Batch
    known : Schema
        Columns and labels are typed as it has them.
    beside : sequence of str
        Further columns: the target and the weights, or any other, which stays as it is written.
    cell_types : mapping
        The types of the columns of which the schema has seen nothing yet, the target among them.
    options : Reading
        Says which column holds the weights, and which the labels, if not the schema's target.
    """
    here = dict(zip(known.used_names, names_in_file(batch, known, beside, options.may_lack), strict=True))
    columns = dict(zip(known.names, known.columns, strict=True))
    typed = {}
    for given, name in here.items():
        if given in known.reading:
            typed[name] = as_written(batch.cells(name), known.reading[given].reader)
        elif columns[given].blank:
            cells = batch.cells(name)
            typed[name] = _of_type(batch, name, cell_types[name]) if name in cell_types else as_written(cells)
        else:
            typed[name] = _like_column(batch, name, columns[given])
    for name in beside:
        if name == options.weight:
            typed[name] = _weights(batch, name)
        elif name == (options.target or known.target):
            typed[name] = _labels(batch, name, known.classes.tolist(), cell_types.get(name, "given"))
        else:
            typed[name] = batch.cells(name) if batch.loose else as_written(batch.cells(name))
    return typed


def by_type(
    batch: Batch, cell_types: Mapping[str, CellType], readers: Mapping[str, ReadAs | None], options: Reading
) -> dict[str, Any]:
    """Return columns typed as they were found to be, text as it was found to be read."""
    typed = {}
    for name, cell_type in cell_types.items():
        if name == options.weight:
            typed[name] = _weights(batch, name)
        elif name == options.target:
            typed[name] = _labels(batch, name, (), cell_type)
        else:
            read = readers.get(name)
            typed[name] = _of_type(batch, name, cell_type, AS_THEY_ARE if read is None else read.reader)
    return typed


def as_given(batch: Batch, options: Reading) -> dict[str, Any]:
    """Return the columns of a file that says what they are, once labels and weights are seen to be usable."""
    typed: dict[str, Any] = {name: batch.cells(name) for name in batch.columns}
    if options.weight in typed:
        typed[str(options.weight)] = _weights(batch, str(options.weight))
    if options.target in typed:
        check_labels(batch, str(options.target))
    return typed


def has_names(known: Schema) -> bool:
    """Whether a schema knows its columns by name; those learnt from an array go by position."""
    return all(isinstance(name, str) for name in known.names)


def names_in_file(batch: Batch, known: Schema, beside: Sequence[str], may_lack: bool | None = None) -> list[str]:
    """Return what the columns of a model are called in a file: their names, or those at their positions.

    Parameters
    ----------
    batch, known, beside
        As `by_schema` takes them.
    may_lack : bool or None
        As `Reading` has it.
    """
    if not has_names(known):
        here = [name for name in batch.columns if name not in beside]
        if len(here) != len(known.given_names):
            raise ValueError(
                f"{batch.name} has {len(here)} columns; the model was taught {len(known.given_names)} without names"
            )
        return here
    if batch.loose and may_lack is None:
        may_lack = not batch.columns or any(name in batch.columns for name in known.used_names)
    check_columns(batch.name, known, list(batch.columns), bool(may_lack))
    return [str(name) for name in known.used_names]


class AbsentColumnError(ValueError):
    """A table lacks columns of a model."""


def check_columns(name: str, known: Schema, here: Sequence[str], may_lack: bool = False) -> None:
    """Refuse a table that lacks columns of a model; one that may lack some must have one of them, or none at all."""
    absent = [str(n) for n in without(known.used_names, here)]
    if absent and not (may_lack and (len(absent) < len(known.used_names) or not here)):
        raise AbsentColumnError(f"{name}: {lacking(absent, without(here, known.given_names))}")


def check_header(name: str, known: Schema, here: Sequence[str], options: Reading) -> None:
    """Refuse a table whose first line lacks columns of a model, or say which it lacks where it may."""
    check_columns(name, known, here, bool(options.may_lack))
    absent = without(known.used_names, here)
    if absent:
        warn_absent(absent, without(here, known.given_names))


def without(names: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Return the names that are none of some others."""
    known = set(others)
    return [name for name in names if name not in known]


def lacking(absent: Sequence[str], spare: Sequence[str]) -> str:
    """Say which columns are not there, and what stands in their place."""
    if len(absent) == 1:
        return f"the model's column {absent[0]!r} is not there{did_you_mean(absent[0], spare)}"
    meant = ", ".join(f"{name!r}{did_you_mean(name, spare)}" for name in absent[:NOT_MANY])
    listed = meant + (" ..." if len(absent) > NOT_MANY else "")
    return f"{len(absent)} of the model's columns are not there: {listed}"


def make_frame(columns: Mapping[str, Any], stored: frozenset[str] = frozenset()) -> Any:
    """Return columns as a frame of PyArrow, pandas or Polars, whichever is there.

    Parameters
    ----------
    columns : mapping
        NumPy arrays, PyArrow arrays, or lists of text or of booleans with None where missing.
    stored : frozenset of str
        Columns of text whose dictionary is how they are stored, and no declared domain.
    """
    if installed("pyarrow"):
        import pyarrow as pa

        def made(cells: Any) -> Any:
            if not isinstance(cells, list):
                return as_arrow(cells)
            return pa.array(cells, pa.bool_()) if _boolean(cells) else arrow_strings(cells)

        arrays = {n: made(c) for n, c in columns.items()}
        table = pa.table(arrays)
        return marked(table, stored) if stored else table
    if installed("pandas"):
        import pandas as pd

        words = {True: "boolean", False: "string"}
        return pd.DataFrame(
            {n: pd.array(c, dtype=words[_boolean(c)]) if isinstance(c, list) else c for n, c in columns.items()}
        )
    if installed("polars"):
        import polars as pl

        dtypes = {True: pl.Boolean, False: pl.String}
        series = {n: pl.Series(n, c, dtypes[_boolean(c)]) for n, c in columns.items() if isinstance(c, list)}
        return pl.DataFrame({**columns, **series})
    raise ImportError(need("tables without pandas or Polars", "arrow"))


def record_batch(columns: Mapping[str, Any]) -> Any:
    """Return columns as a record batch of PyArrow."""
    if not installed("pyarrow"):
        raise ImportError(need("record batches of predictions", "arrow"))
    import pyarrow as pa

    return pa.record_batch({name: cells if is_arrow(cells) else pa.array(cells) for name, cells in columns.items()})


def make_table(columns: Mapping[str, Any], stored: frozenset[str] = frozenset()) -> Any:
    """Return columns as what a model reads: a frame, or where no library holds any of them a table without one.

    So that no library is imported for a few rows.
    """
    if any(map(is_arrow, columns.values())):
        return make_frame(columns, stored)
    names, cells = tuple(columns), list(columns.values())

    def column(i: int) -> Numbers | Symbols:
        where = f"column {names[i]!r}"
        if isinstance(cells[i], list) and not _boolean(cells[i]):
            return text_symbols(cells[i], where)
        return encode(object_array(cells[i]) if isinstance(cells[i], list) else cells[i], where)

    return Table((len(cells[0]), len(names)), names, column, texts=cells.__getitem__)


def make_array(columns: Mapping[str, Any]) -> Any:
    """Return columns as an array without names, of numbers if all are, otherwise of objects."""
    cells = [c if isinstance(c, np.ndarray) else np.array(list(walk(c)), object) for c in columns.values()]
    return np.column_stack(cells)


def _boolean(cells: list[Any]) -> bool:
    return isinstance(next((cell for cell in cells if cell is not None), None), bool)
