"""What pictures are drawn from: the facts of a model, whether they or the model itself is given."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.messages import unknown
from candide.report import collect
from candide.report.extremes import sides
from candide.report.numbers import POINTS

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]


def facts_of(model: Any, table: Any = None, older: Any = None) -> Facts:
    """Return facts as they are, and those of a fitted model."""
    return model if isinstance(model, dict) else collect(model, table, older)


def pair(facts: Facts, label: Any = None) -> tuple[int, int]:
    """Return the class asked about and its rival."""
    if label is None:
        return sides(facts)
    if str(label) not in facts["classes"]:
        raise ValueError(unknown("class", str(label), facts["classes"]))
    return sides({**facts, "asked": facts["classes"].index(str(label))})


def column_of(facts: Facts, name: Any) -> Facts:
    """Return the facts of a column by name."""
    named: dict[str, Facts] = {column["name"]: column for column in facts["columns"]}
    if str(name) not in named:
        raise ValueError(unknown("column", str(name), list(named)))
    return named[str(name)]


def telling(facts: Facts) -> list[Facts]:
    """Return the columns that have a table and say something, in the order of the model."""
    return [
        column
        for column in facts["columns"]
        if column["kind"] in ("levels", "bins", "density") and column["speaks"] and not column["silent"]
    ]


def shares(column: Facts) -> Array:
    """Return what share of the rows each cell of a column has, about."""
    if column["kind"] == "density":
        mass = np.asarray(column.get("near", np.ones(len(column["grid"]))), dtype=float)
    else:
        mass = np.asarray(column.get("counts", column.get("weights")), dtype=float).sum(axis=0)
    return np.asarray(mass / max(float(mass.sum()), 1e-300))


MOST_POINTS = 50.0
"""Points beyond which a value is drawn no further out."""


def clamped(log_odds: Array) -> Array:
    """Return log-odds as points, cut off where they would leave the picture."""
    return np.clip(POINTS * np.asarray(log_odds), -MOST_POINTS, MOST_POINTS)
