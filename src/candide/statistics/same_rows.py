"""Same rows: every part of the statistics is of the rows that the classes count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from candide.schema.schema import Schema
from candide.statistics.base import layout
from candide.statistics.statistics import Statistics

Array = np.ndarray[Any, Any]


def of_other_rows(
    statistics: Statistics, schema: Schema, slack: Array | None = None
) -> Iterator[tuple[str, str, Array]]:
    """Yield a part's name, of which column, and the classes (K,) of which it counts other rows than there are.

    Every row is in one cell of a column and in one combination of a group; no more rows than there are hold a number or
    a word.

    Parameters
    ----------
    statistics : Statistics
    schema : Schema
    slack : ndarray (K,) or None
        By how much sums of broken weights may differ and yet be of the same rows; without it, these are not compared.
    """
    rows = statistics["classes"].wide
    if rows.dtype.kind == "f" and slack is None:
        return
    more = np.zeros(len(rows)) if slack is None else slack
    for name, part in layout(schema):
        if name not in statistics or (slack is None and statistics[name].weight.dtype.kind == "f"):
            continue
        weight, axis = statistics[name].weight, schema.axes[part.axes[-1]]
        names = [f" of column {column!r}" for column, _ in axis.by_column]
        if name.startswith("words"):
            (c, v), there = statistics[name].places, rows - statistics[name].missing
            beyond = weight > np.where(v == 0, rows[c], there[c]) + more[c]
            of = f" of column {schema.names[int(name.split()[-1])]!r}"
            yield name, of, np.bincount(c[beyond], minlength=len(rows)) > 0
        elif "within" in name:
            joint = statistics[f"joint {name.split()[-1]}"].table
            yield name, "", (weight > joint + more[:, None]).any(axis=1)
        elif name in {"moments", "log_x", "unknown"}:
            for of, (_, at) in zip(names, axis.by_column, strict=True):
                yield name, of, weight[:, at] > rows + more
        elif (divisions := axis.divisions) is not None:
            for i, sums in enumerate(sums_within(weight, divisions)):
                yield name, names[i] if names else "", np.abs(sums - rows) > more


def sums_within(weight: Array, divisions: Array) -> Array:
    """Return the sums (divisions, K) of counts (K, entries) in each division, of which none but one alone is empty."""
    if not weight.shape[1] or len(divisions) == 1:
        return np.zeros((len(divisions) - 1, len(weight)), dtype=np.int64)
    wide = np.int64 if weight.dtype.kind == "i" else np.float64
    return np.add.reduceat(weight, divisions[:-1], axis=1, dtype=wide).T
