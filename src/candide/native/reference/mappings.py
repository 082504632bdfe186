"""Rows that are dicts, scored from tables that a model tells itself in, and their cells counted."""

from bisect import bisect_left
from math import log, nan
from typing import Any

import numpy as np

from candide.native.agreed import KNOWN, ODD, PRIOR, UNSEEN, LevelColumn, ParabolaColumn, StepColumn, is_number
from candide.native.reference.rows import Floats, Ints
from candide.native.reference.scoring import log_normalize

__all__ = ["count_cells", "row_log_posterior"]

CountedColumn = tuple[Any, int, dict[Any, int] | None, list[float]]
"""Name, place of the missing cell, places of the levels where it has some, and ascending cuts where it has numbers."""


def row_log_posterior(
    row: dict[Any, Any],
    levels: list[LevelColumn],
    steps: list[StepColumn],
    parabolas: list[ParabolaColumn],
    table: Floats,
    curves: Floats,
    more: list[Floats],
    tie: float = 0.0,
) -> tuple[list[float], list[Any], int] | None:
    """Return log P(c | x) of one row as a list, the columns whose level was never seen, and how many cells are known.

    What is added up are the rows of the table (places, K) at the prior and at the place of each cell, the parabolas
    h + s (t - m)², whose h, m and s are three rows of ``curves`` after each other, and the arrays ``more``. None where
    no class is possible, or a cell is odd: a level of another type than its column's, a text that differs from a level
    by its case or its ends alone or begins as those may that are levels, or what is no ordinary number.
    """
    at = [PRIOR, *(level_place(row, column) for column in levels), *(step_place(row, column) for column in steps)]
    terms = [*more]
    for column, curve in zip(parabolas, curves.reshape(len(parabolas), 3, table.shape[1]), strict=True):
        x = on_parabola(row, column)
        at += [column[1]] if x is None else []
        terms += [] if x is None else [curve[0] + curve[2] * (x - curve[1]) ** 2]
    if any(place == ODD for place in at) or any(np.isnan(term).any() for term in terms):
        return None
    total = np.sum([*table[at], *terms], axis=0, keepdims=True)
    if log_normalize(total, tie) is not None:
        return None
    unseen = [column[0] for column, place in zip(levels, at[1:], strict=False) if place == column[1] + UNSEEN]
    n_known = sum(row.get(name) is not None for name, *_ in (*levels, *steps, *parabolas))
    return total[0].tolist(), unseen, n_known


def level_place(row: dict[Any, Any], column: LevelColumn) -> int:
    """Return the place of a level."""
    name, start, places, kind, folded = column
    cell = row.get(name)
    if cell is None:
        return start
    if type(cell) is not kind:
        return ODD
    if cell in places:
        return places[cell]
    text = cell.strip().casefold().lstrip("0") if type(cell) is str else None
    return ODD if text is not None and (text in folded or f"0{text[:1]}" in folded) else start + UNSEEN


def step_place(row: dict[Any, Any], column: StepColumn) -> int:
    """Return the place of the interval that a number lies in."""
    name, start, cuts = column
    cell = row.get(name)
    if cell is None:
        return start
    return start + KNOWN + bisect_left(cuts, cell) if is_number(cell) else ODD


def on_parabola(row: dict[Any, Any], column: ParabolaColumn) -> float | None:
    """Return where a number lies on its parabola, NaN where it is odd; None where there is no cell."""
    name, _, low, high, logarithm = column
    cell = row.get(name)
    if cell is None:
        return None
    x = min(max(float(cell), low), high) if is_number(cell) else nan
    return x if not logarithm else log(x) if x > 0 else nan


def count_cells(rows: list[dict[Any, Any]], columns: list[CountedColumn], counts: Ints) -> None:
    """Add to the counts the cells of rows: each one to the place of its level or interval.

    A level that has no place is never seen, and a column without levels and cuts has one place for all its cells.
    """
    for row in rows:
        for name, start, places, cuts in columns:
            cell = row.get(name)
            if cell is None:
                counts[start] += 1
            elif places is not None:
                counts[places.get(cell, start + UNSEEN)] += 1
            else:
                counts[start + KNOWN + (bisect_left(cuts, cell) if cuts else 0)] += 1
