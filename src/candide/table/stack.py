"""Stacking: several tables of the same columns as one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from candide.table.columns import Array, Numbers, Symbols, level_array
from candide.table.table import Table, chosen_texts


def stack(tables: Sequence[Table]) -> Table:
    """Return the rows of tables that are `alike`, one table behind the other.

    Examples
    --------
    >>> from candide.table import read
    >>> both = stack([read([["red", 4.0]]), read([["blue", 5.0]])])
    >>> both.column(0).levels[both.column(0).codes].tolist(), both.column(1).values.tolist()
    (['red', 'blue'], [4.0, 5.0])
    """
    first = tables[0]
    if len(tables) == 1:
        return first
    shape = (sum(table.n_rows for table in tables), first.n_columns)
    if first.matrix is not None:
        matrix = np.concatenate([table.matrix for table in tables])
        return Table(shape, first.names, lambda i: Numbers(matrix[:, i]), matrix)
    texts = partial(_stacked_texts, tables) if first.written else None
    return Table(shape, first.names, partial(_stacked, tables), texts=texts)


def alike(one: Table, other: Table) -> bool:
    """Whether two tables stack without changing a cell: the same columns, each of one type on both sides."""
    if one.names != other.names or one.sparse is not None or other.sparse is not None:
        return False
    if one.matrix is not None or other.matrix is not None:
        return one.matrix is not None and other.matrix is not None and one.matrix.dtype == other.matrix.dtype
    return all(_same_type(one.column(i), other.column(i)) for i in range(one.n_columns))


def _same_type(one: Numbers | Symbols, other: Numbers | Symbols) -> bool:
    if isinstance(one, Numbers) and isinstance(other, Numbers):
        return one.values.dtype == other.values.dtype and one.measure == other.measure
    if isinstance(one, Symbols) and isinstance(other, Symbols):
        return one.declared == other.declared and (not one.declared or _same_levels([one, other]))
    return False


def _same_levels(columns: Sequence[Symbols]) -> bool:
    first = columns[0].levels
    return all(c.levels is first or c.levels.tolist() == first.tolist() for c in columns[1:])


def _stacked_texts(tables: Sequence[Table], i: int) -> Array | None:
    if any(table.text(i) is None for table in tables):
        return None
    return np.concatenate([chosen_texts(table.text(i), np.arange(table.n_rows)) for table in tables])


def _stacked(tables: Sequence[Table], i: int) -> Numbers | Symbols:
    columns: Any = [table.column(i) for table in tables]
    if isinstance(columns[0], Numbers):
        return Numbers(np.concatenate([c.values for c in columns]), columns[0].measure)
    if _same_levels(columns):
        return Symbols(np.concatenate([c.codes for c in columns]), columns[0].levels, columns[0].declared)
    place: dict[Any, int] = {}
    codes: list[Array] = []
    for column in columns:
        known = [place.setdefault(level, len(place)) for level in column.levels.tolist()]
        codes.append(np.array([*known, -1], dtype=np.int32)[column.codes])  # code -1 reads the last entry
    return Symbols(np.concatenate(codes), level_array(list(place)))
