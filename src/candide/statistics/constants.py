"""Constants: columns of which all rows have the same cell, by what was counted of them; they tell nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.messages import shortened
from candide.reading.base import spelt, times
from candide.reading.kinds import PLAIN
from candide.reading.table_reading import TableReading
from candide.schema.cells import Levels
from candide.schema.lattice import Lattice
from candide.statistics.evidence import Evidence
from candide.statistics.learnt import Learnt
from candide.table.measures import shown

FEWEST = 30
"""Rows without which nothing is told to be constant."""

TELLS_NOTHING = "which tells nothing"
TELLS_WHERE = "tells something where missing is a level (missing='level', --missing-level)"
"""What is said of a constant, without missing cells and with some."""


def constants(evidence: Evidence) -> dict[str | int, str]:
    """Return what is said of the columns, by the names that they are given under, all cells of which are the same.

    A column that is several, as dates are, is constant where each of them is, and told by the first.
    """
    reading, rows = evidence.schema.reading, float(evidence.class_counts.sum())
    found: dict[str | int, str] = {}
    j = 0
    for name in evidence.schema.given_names:
        n = len(reading.parts(name))
        if n and rows and all(is_constant(evidence, i) for i in range(j, j + n)):
            said = said_of_constant(evidence, j, rows)
            found |= {} if said is None else {name: said}
        j += n
    return found


def is_constant(evidence: Evidence, j: int) -> bool:
    """Whether all cells of a column that are there are the same, as far as what is kept tells it."""
    column = evidence.schema.columns[j]
    if isinstance(column.axis, Levels | Lattice):
        return bool(evidence.counts(j)[:, 1:].any(axis=0).sum() <= 1 and getattr(column.axis, "exact", True))
    if column.axis is not None or "moments" not in column.keeps:
        return False
    m = evidence.moments(np.array([j]))
    mean = m.mean[m.n > 0]
    return not m.m2.any() and bool((mean == mean[:1]).all())


def said_of_constant(evidence: Evidence, j: int, rows: float) -> str | None:
    """Return what is said of a constant; None where rows are too few to say anything."""
    missing = float(evidence.missing(j).sum())
    if missing == rows:
        return f"empty in all rows, {TELLS_NOTHING}"
    if rows - missing < FEWEST:
        return None
    always = f"always {told_cell(evidence, j)}"
    return f"{always} or missing ({amount(missing)}): {TELLS_WHERE}" if missing else f"{always}, {TELLS_NOTHING}"


def told_cell(evidence: Evidence, j: int) -> str:
    """Return the one cell of a column, as a person writes it."""
    schema = evidence.schema
    column = schema.columns[j]
    if column.axis is None:
        m = evidence.moments(np.array([j]))
        cell: Any = float(m.mean[m.n > 0][0])
    else:
        (cell,) = column.axis.levels[evidence.counts(j)[:, 1:].any(axis=0)].tolist()
    measure = schema.reading.measures.get(column.name, "")
    return shown(cell, measure) if measure else shortened(cell) if isinstance(cell, str) else spelt(cell)


def amount(weight: float) -> str:
    """Return how often, where rows may be weighed."""
    return times(int(weight)) if weight.is_integer() else f"{weight:.6g} times"


def told_reading(learnt: Learnt, reading: Any) -> TableReading:
    """Return how the columns are read, with what is said of the constant ones.

    Nothing is said of counts with noise, and nothing under reading="plain".
    """
    schema = learnt.schema
    if learnt.guarantee is not None or reading == PLAIN:
        return schema.reading
    return schema.reading.telling(schema.given_names, constants(Evidence(schema, learnt.statistics)))
