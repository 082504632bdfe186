"""Waiting: few rows that were looked at and are counted later, together with others.

Counting a table costs as much as uniting its cells with all that were seen before; for one row that is a thousand times
the work of keeping it. So rows of which nothing can be refused any more wait, until they are many or somebody asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from candide.engines.base import Given
from candide.schema.known_numbers import shows_numbers
from candide.schema.known_truths import shows_more
from candide.schema.labels import label_kind, unite_labels
from candide.schema.rows import take_columns
from candide.schema.schema import Schema
from candide.statistics.request import REAL, Request, Wanted
from candide.table import Numbers, Symbols, Table
from candide.table.labels import Labels
from candide.table.stack import alike, stack

Array = np.ndarray[Any, Any]

MOST_CELLS = 1 << 15
"""Cells of a table that may wait, and of all that wait together: a quarter of a megabyte."""
HEAVIEST = 2.0**31
"""The weight of rows that may wait: their sum with what was counted is refused before they are learnt."""
SMALLEST, LARGEST = 1e-100, 1e100
"""Numbers whose squares neither vanish nor overflow."""


def may_wait(given: Given, request: Request, known: Schema, waiting: Sequence[Given]) -> bool:
    """Whether nothing about rows can be refused, or warned of, when they are counted later behind those that wait."""
    cells = given.table.n_columns * (given.table.n_rows + sum(other.table.n_rows for other in waiting))
    if (
        cells > MOST_CELLS
        or request.groups
        or request.together > 1
        or given.table.sparse is not None
        or known.has_blank
    ):
        return False
    if given.weight is not None and given.weight.sum(dtype=np.float64) > HEAVIEST:
        return False
    if label_kind(given.labels.classes) != label_kind(known.classes):
        return False
    if waiting and not alike(waiting[-1].table, given.table):
        return False
    strange = shows_more(given.table, known) or shows_numbers(given.table, known)
    return harmless(given.table, request) and not strange


def harmless(table: Table, request: Request) -> bool:
    """Whether every cell is what was asked for, and every number one that any statistic takes."""
    if table.matrix is not None:
        return all(
            want.kind == "numbers" and ordinary(take_columns(table.matrix, at), want) for want, at in request.forms
        )
    for j, want in enumerate(request.columns):
        if want.kind == "bags":
            return False
        column = table.column(j)
        if isinstance(column, Numbers) != (want.kind == "numbers"):
            return False
        if isinstance(column, Numbers) and not ordinary(column.values, want):
            return False
    return True


def ordinary(x: Array, want: Wanted) -> bool:
    """Whether numbers are finite or missing, inside a support and, where their squares are summed, of ordinary size."""
    if want.support != REAL and want.support.outside(x).any():
        return False
    if want.keeps == ("cells",):
        return x.dtype.kind != "f" or not np.isinf(x).any()
    size = np.abs(x)
    return not ((size > LARGEST) | ((size < SMALLEST) & (size > 0))).any()


def kept_apart(given: Given) -> Given:
    """Return rows in memory of their own, which whoever gave them may write over."""
    table = given.table
    if table.matrix is not None:
        matrix = np.array(table.matrix)
        own = Table(matrix.shape, table.names, lambda i: Numbers(matrix[:, i]), matrix)
    else:
        columns = [own_column(table.column(j)) for j in range(table.n_columns)]
        own = Table((table.n_rows, table.n_columns), table.names, columns.__getitem__)
    labels = Labels(np.array(given.labels.codes), given.labels.classes)
    return Given(own, labels, None if given.weight is None else np.array(given.weight))


def own_column(column: Numbers | Symbols) -> Numbers | Symbols:
    """Return a column in memory of its own."""
    if isinstance(column, Numbers):
        return Numbers(np.array(column.values), column.measure)
    return Symbols(np.array(column.codes), column.levels, column.declared)


def together(waiting: Sequence[Given]) -> Given:
    """Return the rows that wait as one table."""
    sets = {(g.labels.classes.dtype.str, *g.labels.classes.tolist()): g.labels.classes for g in waiting}
    classes = reduce(unite_labels, sets.values())
    place = {label: k for k, label in enumerate(classes.tolist())}
    codes = {key: np.array([place[label] for label in key[1:]], dtype=np.int64) for key in sets}
    y = [codes[(g.labels.classes.dtype.str, *g.labels.classes.tolist())][g.labels.codes] for g in waiting]
    weight = None
    if any(g.weight is not None for g in waiting):
        weight = np.concatenate(
            [np.ones(len(g.labels.codes), np.int64) if g.weight is None else g.weight for g in waiting]
        )
    return Given(stack([g.table for g in waiting]), Labels(np.concatenate(y), classes), weight)
