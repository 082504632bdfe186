"""Refusals of numbers: those outside the support that was asked for, and those whose squares overflow."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.statistics.forgetting import PrecisionWarning
from candide.statistics.request import REAL, Request, Support
from candide.statistics.statistics import Statistics

Array = np.ndarray[Any, Any]

LARGEST_X = 1e150
"""Numbers whose squares can still be added up."""
SMALLEST = 1e-150
"""Numbers whose squares have all their digits."""


def check_overflow(statistics: Statistics, schema: Schema) -> None:
    """Refuse numbers whose squares overflow in columns that are kept as moments."""
    if "moments" not in statistics:
        return
    m = statistics["moments"]
    large = ((np.abs(m.mean) > LARGEST_X) | ~(m.m2 < LARGEST_X**2)).any(axis=0)
    if large.any():
        column = schema.columns[schema.keeping("moments")[int(large.argmax())]]
        raise ValueError(
            f"column {column.name!r} holds numbers beyond {LARGEST_X:g}, whose variance overflows: measure it in a "
            "larger unit, or use 'bins'"
        )


def warn_vanishing(statistics: Statistics, schema: Schema) -> None:
    """Warn of columns kept as moments whose numbers are all so small that their squares vanish: they say nothing."""
    if "moments" not in statistics:
        return
    m = statistics["moments"]
    whole = m.pooled()
    differ = (whole.m2 > 0) | ((m.n > 0) & (m.mean != whole.mean)).any(axis=0)
    small = differ & (np.abs(whole.mean) < SMALLEST) & (whole.var < SMALLEST**2)
    if small.any():
        names = ", ".join(repr(schema.columns[j].name) for j in schema.keeping("moments")[small])
        warnings.warn(
            f"column {names} holds numbers below {SMALLEST:g}, whose variance vanishes, so that they tell little or "
            "nothing: measure it in a smaller unit, or use 'bins'",
            PrecisionWarning,
            stacklevel=4,
        )


def check_support(rows: Rows, request: Request) -> None:
    """Refuse numbers that a column may not hold, naming the first."""
    wanted = {w.support.says: w.support for w in request.columns if w.kind == "numbers" and w.support != REAL}
    for support in wanted.values():
        positions = np.array([j for j, w in enumerate(request.columns) if w.support == support])
        found = outside_sparse(rows, positions, support) if rows.table.sparse is not None else None
        found = first_outside(rows, positions, support) if found is None else found
        if found:
            refuse(rows, request, *found)


def outside_sparse(rows: Rows, positions: Array, support: Support) -> tuple[int, int, float] | tuple[()] | None:
    """Return column, row and value of the first stored cell outside; None where zeros have to be looked at as well."""
    sparse = rows.table.sparse
    if support.outside(np.zeros(1))[0] or len(positions) < sparse.shape[1]:
        return None
    outside = support.outside(sparse.data)
    if not outside.any():
        return ()
    at = int(np.flatnonzero(outside)[0])
    row = int(np.searchsorted(sparse.indptr, at, side="right")) - 1
    return int(sparse.indices[at]), row, float(sparse.data[at])


def first_outside(rows: Rows, positions: Array, support: Support) -> tuple[int, int, float] | tuple[()]:
    """Return column, row and value of the first cell outside."""
    for part, batch in rows.batches(rows.spelt_out):
        x = batch.numbers(positions).astype(float, copy=False)
        outside = support.outside(x)
        if outside.any():
            row, i = (int(v[0]) for v in np.nonzero(outside))
            return int(positions[i]), part.start + row, float(x[row, i])
    return ()


def refuse(rows: Rows, request: Request, j: int, row: int, value: float) -> None:
    """Raise the error of a number outside its column's support."""
    wanted, where = request.columns[j], f"column {rows.schema.columns[j].name!r}, row {rows.start + row}"
    hint = "Negative values in data passed to it: " if value < 0 else ""
    raise ValueError(
        f"{hint}{where}: {value:g} is outside the support of {wanted.asks!r}, which takes {wanted.support.says}; use "
        "another distribution, such as 'bins' or 'normal'"
    )
