"""The most that a column says: the level or number that speaks most for a class, and most against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.report.numbers import value_name

Array = np.ndarray[Any, Any]
Facts = Mapping[str, Any]


def log_table(column: Facts) -> Array:
    """Return what a column says at its cells (K, cells), log P(cell | c) where nothing is weighed.

    It is minus infinity where a cell is impossible.
    """
    if "weights" in column:
        weights = np.asarray(column["weights"], dtype=float)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(weights / weights.sum(axis=1, keepdims=True)))
    return np.array([[-np.inf if x is None else x for x in row] for row in column["log"]], dtype=float)


def occurrence(column: Facts) -> Array:
    """Return P(cell | c) (K, cells) of a column, a density by unit: how often it occurs, however much it says."""
    return np.asarray(column["occurs"], dtype=float) if "occurs" in column else np.exp(log_table(column))


def evidence(column: Facts, asked: int, rival: int) -> Array:
    """Return log P(cell | asked) − log P(cell | rival) by cell; 0 where both are impossible."""
    log = log_table(column)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(log[asked] - log[rival], nan=0.0, posinf=np.inf, neginf=-np.inf))


def sides(facts: Facts) -> tuple[int, int]:
    """Return the class asked about and its rival, before anything is known."""
    prior = np.array([-np.inf if x is None else x for x in facts["prior"]["log"]], dtype=float)
    order = np.argsort(-prior, kind="stable").tolist()
    asked = int(order[0] if facts["asked"] is None else facts["asked"])
    return asked, next((int(c) for c in order if c != asked), asked)


def cell_name(column: Facts, cell: int) -> str:
    """Return what a cell of a column is called."""
    return value_name(column, column["grid"][cell], 4) if column["kind"] == "density" else str(column["levels"][cell])


def extremes(column: Facts, asked: int, rival: int) -> tuple[tuple[str, float], tuple[str, float]] | None:
    """Return the cells that say most for the class asked about and most for its rival, with their log-odds."""
    if column["kind"] not in ("levels", "bins", "density") or column.get("silent", True):
        return None
    said = evidence(column, asked, rival)
    if column["kind"] == "density" and "near" in column:  # of thin tails nothing is said
        said = np.where(np.asarray(column["near"]) >= 1, said, 0.0)
    most, least = int(said.argmax()), int(said.argmin())
    return (cell_name(column, most), float(said[most])), (cell_name(column, least), float(said[least]))
