"""Frames: raw columns typed, by a model's schema where there is one, by their own cells where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from candide.cli.cells import (
    Cells,
    as_booleans,
    as_numbers,
    as_text,
    as_whole,
    first_not_numeric,
    is_arrow,
    is_quantity,
    is_text,
    mostly_numbers,
    numbers,
    walk,
)
from candide.cli.failures import BadInput
from candide.cli.reading import Batch, Source
from candide.messages import unknown

Array = np.ndarray[Any, Any]
NOT_MANY = 8


def make_frame(columns: dict[str, Any]) -> Any:
    """Return columns (arrays, lists, PyArrow arrays) as a frame of PyArrow, pandas or Polars, whichever is there."""
    try:
        import pyarrow as pa

        return pa.table({name: cells if is_arrow(cells) else pa.array(cells) for name, cells in columns.items()})
    except ImportError:
        pass
    try:
        import pandas as pd

        return pd.DataFrame({name: np.array(c, object) if isinstance(c, list) else c for name, c in columns.items()})
    except ImportError:
        pass
    try:
        import polars as pl
    except ImportError:
        raise BadInput("tables need PyArrow, pandas or Polars: pip install 'candide[arrow]'") from None
    return pl.DataFrame(columns)


# -- by a model ------------------------------------------------------------------------------------------------------


def by_schema(batch: Batch, schema: Any, source: Source) -> Any:
    """Return the columns of a model, in its order, typed as the model has them; other columns are left aside."""
    picked = pick(batch, schema.names, source)
    typed = {
        str(column.name): typed_cells(cells, column, batch.start)
        for column, cells in zip(schema.columns, picked, strict=True)
    }
    if all(isinstance(name, str) for name in schema.names):
        return make_frame(typed)
    return positional(list(typed.values()))


def pick(batch: Batch, names: Sequence[str | int], source: Source) -> list[Cells]:
    """Return the cells of the columns that a model knows, by name, or by position where it has no names."""
    if not all(isinstance(name, str) for name in names):
        if len(batch.columns) != len(names):
            raise BadInput(
                f"{source.name} has {len(batch.columns)} columns; the model was taught {len(names)} without names"
            )
        return list(batch.columns.values())
    absent = [str(name) for name in names if name not in batch.columns]
    sparse = source.format == "ndjson" and len(absent) < len(names)  # an object may leave a key out
    if absent and not sparse:
        raise BadInput(f"{source.name}: {lacking(absent, [n for n in batch.columns if n not in names])}")
    return [batch.columns.get(str(name), [None] * batch.n_rows) for name in names]


def lacking(absent: list[str], spare: list[str]) -> str:
    """Say which columns are not there, and what stands in their place."""
    if len(absent) == 1:
        return f"the model's column {absent[0]!r} is not there" + _instead(absent[0], spare)
    listed = ", ".join(map(repr, absent[:NOT_MANY])) + (" ..." if len(absent) > NOT_MANY else "")
    return f"{len(absent)} of the model's columns are not there: {listed}"


def _instead(name: str, spare: list[str]) -> str:
    hint = unknown("column", name, spare)
    return hint[hint.index("; ") :] if "; did" in hint else ""


def typed_cells(cells: Cells, column: Any, start: int) -> Any:
    """Return a column's cells as its model reads them: numbers, or levels of the type of those learnt."""
    name = str(column.name)
    if column.kind == "numbers":
        return as_numbers(cells, name, start) if is_text(cells) or isinstance(cells, list) else cells
    return as_levels(cells, [] if column.levels is None else column.levels.tolist(), name, start)


def as_levels(cells: Cells, levels: Sequence[Any], name: str, start: int) -> Any:
    """Return cells in the type of the levels: text, booleans or numbers."""
    kinds = {type(level) for level in levels}
    if kinds <= {bool} and kinds:
        return as_booleans(cells, name, start)
    if kinds <= {int} and kinds:
        return as_whole(cells, name, start)
    if kinds <= {int, float, bool} and kinds:
        return as_numbers(cells, name, start) if is_text(cells) or isinstance(cells, list) else cells
    return as_text(cells, levels)


def labels_by_schema(cells: Cells, classes: Array, name: str, start: int) -> Any:
    """Return labels in the type of a model's classes."""
    check_labels(cells, name, start)
    levels = classes.tolist()
    if type(levels[0]) is int:
        return as_whole(cells, name, start)
    return np.array(list(walk(as_levels(cells, levels, name, start))))


def positional(columns: list[Any]) -> Array:
    """Return columns without names as one array, of numbers if all are."""
    arrays = [c if isinstance(c, np.ndarray) else np.array(list(walk(c)), object) for c in columns]
    return np.column_stack(arrays)


# -- by their own cells ----------------------------------------------------------------------------------------------


def by_guess(
    source: Source, target: str, exclude: Iterable[str], text: Iterable[str], note: Callable[[str], None]
) -> dict[str, Any]:
    """Return all columns of a table but the excluded ones, typed: numbers where every cell is one, otherwise text.

    Parameters
    ----------
    source : Source
    target : str
        The column of the labels.
    exclude : names of columns to leave out
    text : names of columns that are categorical: codes such as 01234 in them stay as they are written
    note : function
        Told of what the user may want to know.
    """
    batch = source.whole()
    names = list(batch.columns) or list(source.names or ())
    for name in (target, *exclude, *text):
        if name not in names:
            raise BadInput(f"{source.name}: {unknown('column', name, names)}")
    if not batch.n_rows:
        raise BadInput(f"{source.name} has no rows to learn from")
    kept = {name: cells for name, cells in batch.columns.items() if name not in set(exclude)}
    if "" in kept:
        raise BadInput(
            f"{source.name}: column {names.index('')} has no name (an index that pandas wrote?): name it, or leave "
            "it out with --exclude ''"
        )
    check_labels(kept[target], target, 0)
    declared = set(text)
    return {
        name: guessed_labels(cells) if name == target else guessed(name, cells, name in declared, source, note)
        for name, cells in kept.items()
    }


def guessed(name: str, cells: Cells, text: bool, source: Source, note: Callable[[str], None]) -> Any:
    """Return a column as numbers if all its cells are, otherwise as it is."""
    if isinstance(cells, list) and source.typed:
        check_one_kind(name, cells)
        return (
            numbers(cells)
            if all(isinstance(c, (int, float, type(None))) and c is not True and c is not False for c in cells)
            else cells
        )
    if source.typed or (text and not all(is_quantity(cell) for cell in walk(cells) if cell is not None)):
        return cells
    found = numbers(cells)
    if found is not None:
        return found
    if mostly_numbers(cells) and not text:
        row, value = first_not_numeric(cells) or (0, None)
        note(
            f"column {name!r} is taken as text because of {value!r} in row {row}; "
            f"--na {value!r} makes such cells missing"
        )
    return cells


def guessed_labels(cells: Cells) -> Any:
    """Return labels as whole numbers where every one is written as one, otherwise as they are."""
    if not is_text(cells):
        return cells
    if all(cell.lstrip("-").isdecimal() and str(int(cell)) == cell for cell in walk(cells)):
        return np.array([int(cell) for cell in walk(cells)])
    return cells


def check_labels(cells: Cells, name: str, start: int) -> None:
    """Refuse a missing label."""
    for row, cell in enumerate(walk(cells)):
        if cell is None:
            raise BadInput(f"the target column {name!r} is empty in row {start + row}: leave such rows out")


def check_one_kind(name: str, cells: list[Any]) -> None:
    """Refuse text among numbers or booleans."""
    kinds = {bool: "booleans", int: "numbers", float: "numbers", str: "text"}
    first = next((kinds[type(cell)] for cell in cells if cell is not None), None)
    for row, cell in enumerate(cells):
        if cell is not None and kinds[type(cell)] != first:
            raise BadInput(f"column {name!r} mixes {first} and {kinds[type(cell)]}: row {row} holds {cell!r}")
