"""Probes: rows made up to ask a model what a cell says, the cells of all columns side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from candide.schema.order import object_array
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.table import Numbers, Symbols, Table
from candide.table.objects import is_missing

Array = np.ndarray[Any, Any]


def probe(schema: Schema, cells: Mapping[int, Sequence[Any]], unknown: Array | None = None) -> Rows:
    """Return rows whose column j holds `cells[j]` one below the other; all other cells are missing.

    Parameters
    ----------
    schema : Schema
    cells : mapping of positions to cells
        None is a missing cell.
    unknown : ndarray of bool (rows, columns) or None
        Which cells are not known: that they are missing is not known either.
    """
    n = max((len(column) for column in cells.values()), default=0)
    names = tuple(str(name) for name in schema.names) if isinstance(schema.names[0], str) else None

    def column(j: int) -> Numbers | Symbols:
        below = [*cells.get(j, ()), *[None] * (n - len(cells.get(j, ())))]
        return as_numbers(below) if schema.columns[j].kind == "numbers" else as_levels(below)

    return Rows(Table((n, len(schema.columns)), names, column, texts=lambda _: [None] * n), schema, unknown=unknown)


def as_numbers(cells: Sequence[Any]) -> Numbers:
    """Return cells as a column of numbers."""
    return Numbers(np.array([np.nan if is_missing(cell) else float(cell) for cell in cells], dtype=float))


def as_levels(cells: Sequence[Any]) -> Symbols:
    """Return cells as a column of levels."""
    levels = list(dict.fromkeys(cell for cell in cells if not is_missing(cell)))
    place = {level: code for code, level in enumerate(levels)}
    codes = [-1 if is_missing(cell) else place[cell] for cell in cells]
    return Symbols(np.array(codes, dtype=np.int32), object_array(levels))
