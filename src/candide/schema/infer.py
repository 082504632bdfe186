"""From a table to the schema of its columns: which levels, which values, which grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide import native
from candide.schema.schema import EXACT_VALUES, SERVES, Column, Schema, Storage, object_array, sort_key, with_values
from candide.table import Numbers, Symbols, Table, as_numbers, as_symbols

Array = np.ndarray[Any, Any]

EXACT_FLOAT = 2.0**53
"""Integers below this are exact as floats."""

GRID_SAMPLE = 1 << 16
"""Values, evenly spaced in the order of the rows, whose ranks give a grid."""

GRID_TAIL = 1 << 11
"""About so many of the least and of the greatest values give a grid besides: there neighbours lie far apart."""


def infer_columns(
    table: Table, plans: Sequence[Any], names: Sequence[str | int], known: Schema | None
) -> tuple[Column, ...]:
    """Return the column of each plan as this table shows it; a grid that `known` froze is kept."""
    return tuple(
        infer_column(table, j, plan, names[j], None if known is None else known.columns[j])
        for j, plan in enumerate(plans)
    )


def infer_column(table: Table, j: int, plan: Any, name: str | int, known: Column | None) -> Column:
    """Return one column's kind, storage and domain; a statistic kept so far is kept on while it serves."""
    storage: Storage = plan.storage
    if known is not None and storage in SERVES.get(known.storage, ()):
        storage = known.storage
    if storage == "levels":
        return infer_levels(table.column(j), plan, name)
    column = Column(name, "numbers", storage)
    if storage != "values":
        return column
    if known is not None and known.frozen:
        return replace(column, levels=known.levels, frozen=True)
    return infer_values(column, numeric_values(table, j, name))


def infer_levels(cells: Numbers | Symbols, plan: Any, name: str | int) -> Column:
    """Return a column of levels: the declared domain, then the other levels seen."""
    column = Column(name, "symbols", "levels")
    seen = numeric_levels(cells, name) if isinstance(cells, Numbers) else cells.levels.tolist()
    given = getattr(plan, "levels", None)
    if given is not None:
        return column.with_levels(list(given), seen)
    if isinstance(cells, Symbols) and cells.declared:
        return replace(column, levels=cells.levels, declared=len(cells.levels))
    return replace(column, levels=object_array(sorted(seen, key=sort_key)))


def numeric_levels(cells: Numbers, name: str | int) -> list[Any]:
    """Return the distinct numbers of a column as levels: integers stay integers, floats are never cut."""
    if cells.values.dtype.kind in "iu":
        values = native.distinct(cells.values, len(cells.values))
        if values is not None and (np.abs(values) < EXACT_FLOAT).all():
            return [int(v) for v in values]
    levels: list[Any] = as_symbols(cells, f"column {name!r}").levels.tolist()
    return levels


def numeric_values(table: Table, j: int, name: str | int) -> Array:
    """Return a column's numbers; text is an error that says what to do."""
    cells = table.column(j)
    if isinstance(cells, Symbols):
        try:
            return as_numbers(cells).values
        except TypeError:
            first = next(iter(cells.levels.tolist()), None)
            raise TypeError(
                f"column {name!r} holds {first!r}, which is not a number: convert the column, or treat it as "
                f"'categorical'"
            ) from None
    return cells.values


def infer_values(column: Column, x: Array) -> Column:
    """Return the distinct values of a column, or a grid over them where they are too many."""
    try:
        values = native.distinct(x, EXACT_VALUES)
    except ValueError:
        where = native.check_finite(x[:, None])
        row = "?" if where is None else where[0]
        raise ValueError(
            f"Input X contains infinity: column {column.name!r}, row {row}; replace it by a number or by a "
            f"missing value"
        ) from None
    if values is not None:
        return replace(column, levels=values)
    step = -(-len(x) // GRID_SAMPLE)
    known = x[~np.isnan(x)] if x.dtype.kind == "f" else x
    sample = np.sort(known[::step])
    tail = min(GRID_TAIL // step, len(sample) - 1)
    # beyond, and not at, these two: few rows, however many share a value
    beyond = known[(known < sample[tail]) | (known > sample[-1 - tail])]
    grid = with_values(column, np.unique(np.concatenate([sample, beyond]).astype(np.float64)))
    return replace(grid, frozen=True)
