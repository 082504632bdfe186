"""Models of release 0.1 that were given a schema: all of its levels became declared, and the combinations of its groups
were told by the names of their values. Now levels and combinations are kept as what they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.estimator.format.entries import Entry
from candide.schema.cells import Levels
from candide.schema.column import Column
from candide.schema.schema import Schema
from candide.statistics import Learnt

SMOOTHING = {"rule": "candide.smoothing.Laplace", "params": {}}
"""Stands for the smoothing of a schema that was given: it was not told, and is not used."""

MISSING = "(missing)"
"""What the missing cell was called as a value of a group."""


def settled_of(columns: list[dict[str, Any]], chosen: list[Any]) -> dict[str, Any] | None:
    """Return what was settled for the columns of a schema that was given; the scores of candidates were not told."""
    if not chosen:
        return None
    lines = [{"column": c["name"], "choice": "", "chosen": rule} for c, rule in zip(columns, chosen, strict=True)]
    return {"smoothing": SMOOTHING, "columns": lines}


def combinations_of(
    entry: Entry | None, groups: list[list[int]], columns: list[dict[str, Any]], chosen: list[Any]
) -> list[list[list[int]]]:
    """Return the combinations of each group as the cells of its counted columns.

    Parameters
    ----------
    entry : Entry or None
        For each group the tuples of its values' names.
    groups : list of list of int
        The positions of their columns.
    columns : list of dict
    chosen : list
        The distributions of the columns.
    """
    told = [] if entry is None else entry.items()
    out = []
    for g, group in enumerate(groups):
        counted = [j for j in group if "cells" in columns[j]["keeps"]]
        cells = [cells_by_name(columns[j], chosen[j] if chosen else None) for j in counted]
        names = [name["tuple"].items() for name in told[g]["tuple"].items()] if g < len(told) else []
        found = {
            tuple(cell.get(hashable(part.value), -1) for cell, part in zip(cells, name, strict=False))
            for name in names
            if len(name) == len(cells)
        }
        out.append([list(cell) for cell in sorted(found) if min(cell) >= 0])
    return out


def hashable(name: Any) -> Any:
    """Return a value's name where it has a hash."""
    return name if isinstance(name, (str, bool, int, float)) else None


def cells_by_name(column: dict[str, Any], rule: Any) -> dict[Any, int]:
    """Return the cell of each value that a column has in a group: a level, or the first number of a bin."""
    if "levels" in column:
        found = {hashable(level): v + 1 for v, level in enumerate(column["levels"])}
    else:
        points = np.array(cut_points(rule), dtype=np.float64)
        numbers = np.array(column["values"] if "values" in column else column["edges"])
        edges = ["-inf", *(f"{cut:.6g}" for cut in points), "inf"]
        bins, first = np.unique(np.searchsorted(points, numbers, side="left"), return_index=True)
        found = {}
        for b, v in zip(bins.tolist(), first.tolist(), strict=True):
            closing = "]" if b < len(points) else ")"
            found.setdefault(f"({edges[b]}, {edges[b + 1]}{closing}", v + 1)
    return {**found, MISSING: 0} if column.get("missing") else found


def cut_points(rule: Any) -> list[float]:
    """Return the points of bins that were cut at given points; none of any other rule."""
    try:
        points = rule["params"]["discretizer"]["params"]["points"]
    except (KeyError, TypeError):
        return []
    good = isinstance(points, list) and all(type(point) in {int, float} for point in points)
    return sorted(points) if good else []


def adopted(learnt: Learnt, given: Schema) -> Learnt:
    """Return what was learnt under a schema that was given, with its domains kept as they are kept now."""
    if not was_adopted(learnt.schema, given):
        return learnt
    columns = tuple(undeclared(mine, theirs) for mine, theirs in zip(learnt.schema.columns, given.columns, strict=True))
    return Learnt(replace(learnt.schema, columns=columns), learnt.statistics).adopting(given)


def was_adopted(schema: Schema, given: Schema) -> bool:
    """Tell whether a schema holds the one that was given, and not one that was set as a parameter later."""
    if schema.names != given.names or schema.groups != given.groups:
        return False
    holds = (
        set(theirs.axis.levels.tolist()) <= set(mine.axis.levels[: mine.declared].tolist())
        for mine, theirs in zip(schema.columns, given.columns, strict=True)
        if isinstance(mine.axis, Levels) and isinstance(theirs.axis, Levels)
    )
    return set(given.classes.tolist()) <= set(schema.classes[schema.labels.stays].tolist()) and all(holds)


def undeclared(mine: Column, theirs: Column) -> Column:
    """Return a column of which no more is declared than the schema that was given has declared."""
    if not isinstance(mine.axis, Levels) or theirs.axis is None or mine.declared != len(theirs.axis.levels):
        return mine
    return replace(mine, axis=Levels(mine.axis.levels, theirs.declared))
