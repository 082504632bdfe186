"""Requests and tables for engines, in words that are not those of distributions; and what NumPy says of them."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from candide import table as tables
from candide.engines import Engine, Given, Memory
from candide.schema.lattice import Grid
from candide.statistics import Learnt
from candide.statistics.request import Request, Wanted
from candide.table.labels import read_labels
from candide.table.weights import read_weights

Array = np.ndarray[Any, Any]

EDGES = [-1.0, 0.5]
WANTED: dict[str, Wanted] = {
    "s": Wanted("symbols", ("cells",)),
    "d": Wanted("symbols", ("cells",), levels=("small", "large")),
    "v": Wanted("numbers", ("cells",)),
    "e": Wanted("numbers", ("cells",), grid=Grid(np.array(EDGES))),
    "m": Wanted("numbers", ("moments",)),
    "l": Wanted("numbers", ("moments", "log_x")),
    "t": Wanted("numbers", ("totals",)),
    "h": Wanted("numbers", ("moments",)),
    "g": Wanted("numbers", ("moments", "log_x")),
}
"""One column for every way to keep one."""
REQUEST = Request(tuple(WANTED.values()), groups=((0, 2), (1, 7), (3, 8)))
"""Symbols with numbers, symbols with a density within them, and numbers with one of logarithms within them."""

eighths = st.integers(-16, 16).map(lambda v: v / 8)
CELLS: dict[str, st.SearchStrategy[Any]] = {
    "s": st.sampled_from(["a", "b", "c", None]),
    "d": st.sampled_from(["small", "large", "huge", None]),
    "v": eighths | st.just(np.nan),
    "e": eighths | st.just(np.nan),
    "m": eighths | st.just(np.nan),
    "l": st.integers(1, 40).map(lambda v: v / 8) | st.just(np.nan),
    "t": st.integers(0, 9).map(float) | st.just(np.nan),
    "h": eighths | st.just(np.nan),
    "g": st.integers(1, 40).map(lambda v: v / 8) | st.just(np.nan),
}


@st.composite
def frames(draw: st.DrawFn, max_rows: int = 14) -> tuple[pd.DataFrame, Array, Array | None]:
    """Draw a table with a column of every kind, labels, and weights: none, whole or any."""
    n = draw(st.integers(1, max_rows))
    columns = {
        name: pd.Series(draw(st.lists(cells, min_size=n, max_size=n)), dtype=object if name in "sd" else float)
        for name, cells in CELLS.items()
    }
    y = np.array(draw(st.lists(st.sampled_from(["p", "q", "r"]), min_size=n, max_size=n)))
    weights = st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any)
    w = draw(st.none() | weights.map(np.array) | weights.map(lambda some: np.array(some) / 4))
    return pd.DataFrame(columns), y, w


def given(X: Any, y: Any, weight: Any = None) -> Given:
    """Return a table with its labels and weights, read."""
    table = tables.read(X)
    return Given(table, read_labels(y, table.n_rows), read_weights(weight, table.n_rows))


def learn(source: Any, request: Request = REQUEST, engine: Engine | None = None) -> Learnt:
    """Return what an engine teaches, added up."""
    return reduce(add, (Memory() if engine is None else engine).learn(source, request))


def told(learnt: Learnt, part: str, axes: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    """Return the weights of a part that are not zero, by what the entries of its axes are called."""
    names = [learnt.schema.axes[axis] for axis in axes]
    weight = learnt.statistics[part].weight
    return {
        tuple(axis.tell(int(i)) for axis, i in zip(names, entry, strict=True)): float(weight[tuple(entry)])
        for entry in np.argwhere(weight)
    }


# -- the same by hand --------------------------------------------------------------------------------------------------


def cell(name: str, value: Any) -> str:
    """Return what the cell that holds a value is called."""
    if value is None or value != value:
        return "a missing cell"
    if name != "e":
        return repr(value)
    edges = [-np.inf, *EDGES, np.inf]
    i = int(np.searchsorted(EDGES, value, side="left"))
    return f"a number in ({edges[i]!r}, {edges[i + 1]!r}]"


def by_hand(X: pd.DataFrame, y: Array, weight: Array | None) -> dict[str, dict[tuple[str, ...], float]]:
    """Count cells and combinations row by row."""
    counts: dict[str, Counter[tuple[str, ...]]] = {"cells": Counter(), "joint 0": Counter(), "joint 1": Counter()}
    for row, label, w in zip(X.to_dict("records"), y, np.ones(len(y)) if weight is None else weight, strict=True):
        c = f"class {str(label)!r}"
        for name in "sdve":
            counts["cells"][c, f"{cell(name, row[name])} in column {name!r}"] += w
        pair = f"the combination of {cell('s', row['s'])} in 's', {cell('v', row['v'])} in 'v'"
        counts["joint 0"][c, pair] += w
        counts["joint 1"][c, f"the combination of {cell('d', row['d'])} in 'd'"] += w
    return {part: {entry: n for entry, n in table.items() if n} for part, table in counts.items()}
