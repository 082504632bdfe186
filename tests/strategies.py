"""Hypothesis strategies: mixed tables with missing cells, rare levels, weights and several classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from candide.distributions import RULES
from candide.distributions.base import BINARY, NONNEGATIVE, POSITIVE, REAL, WHOLE

LEVELS = ["a", "b", "c", "dé", ""]
NAMED = {rule.name: rule for rule in RULES}
KINDS = tuple(NAMED)
"""Every registered distribution: a new one is under the laws without being named here."""
DISCRETE = tuple(name for name, rule in NAMED.items() if rule.discrete)
DENSITIES = tuple(name for name, rule in NAMED.items() if not rule.discrete and rule.needs != ("totals",))
BY_MOMENTS = tuple(name for name in DENSITIES if "moments" in NAMED[name].needs)


@dataclass(frozen=True)
class Case:
    """A table with labels, weights and the distribution of each column."""

    X: pd.DataFrame
    y: np.ndarray
    weight: np.ndarray | None
    distributions: dict[str, str]

    def __len__(self) -> int:
        return len(self.y)

    def rows(self, index: Any) -> Case:
        """Return the rows of an index."""
        weight = None if self.weight is None else self.weight[index]
        return Case(self.X.iloc[index].reset_index(drop=True), self.y[index], weight, self.distributions)


def cells(kind: str) -> st.SearchStrategy[Any]:
    """Return the cells of a column of a kind, missing ones among them."""
    rule = NAMED[kind]
    eighths = st.integers(-40, 40).map(lambda v: v / 8)
    known = {
        REAL.says: eighths,
        POSITIVE.says: st.integers(1, 60).map(lambda v: v / 8),
        NONNEGATIVE.says: st.integers(0, 60).map(lambda v: v / 8),
        WHOLE.says: st.integers(0, 9).map(float),
        BINARY.says: st.sampled_from([0.0, 1.0]),
    }[rule.support.says]
    known = st.sampled_from(LEVELS) if rule.kind == "symbols" else known
    missing = st.none() if rule.kind == "symbols" else st.just(np.nan)
    return st.one_of(known, known, known, missing)


@st.composite
def cases(
    draw: st.DrawFn,
    kinds: tuple[str, ...] = KINDS,
    min_rows: int = 1,
    max_rows: int = 16,
    weights: bool = True,
    labels: tuple[Any, ...] = ("no", "yes", "maybe"),
) -> Case:
    """Draw a table of one to four columns."""
    n = draw(st.integers(min_rows, max_rows))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    columns, distributions = {}, {}
    for j, kind in enumerate(chosen):
        name = f"{kind}{j}"
        column = draw(st.lists(cells(kind), min_size=n, max_size=n))
        columns[name] = pd.Series(column, dtype=object if NAMED[kind].kind == "symbols" else float)
        distributions[name] = kind
    y = np.array(draw(st.lists(st.sampled_from(labels), min_size=n, max_size=n)))
    weight = None
    if weights:
        some = st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any)
        drawn = draw(st.none() | some)
        weight = None if drawn is None else np.array(drawn)
    return Case(pd.DataFrame(columns), y, weight, distributions)


@st.composite
def partitions(draw: st.DrawFn, n: int) -> list[np.ndarray]:
    """Draw any partition of n rows, in any order of rows and parts; one row per part and one part among them."""
    part = np.array(draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)))
    order = np.array(draw(st.permutations(range(n))), dtype=int)
    how = draw(st.sampled_from(["any", "whole", "single"]))
    if how == "whole":
        return [order]
    if how == "single":
        return [order[i : i + 1] for i in range(n)]
    return [rows for k in range(5) if len(rows := order[part[order] == k])]
