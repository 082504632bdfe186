"""Hypothesis strategies: mixed tables with missing cells, rare levels, weights and several classes.

The lists of rules are drawn from the registries: a new one is under the laws without being named here.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import settings
from hypothesis import strategies as st

from candide import NaiveBayes, combination, discretizers, distributions, presets, smoothing
from candide.combination import Combination, Outlier
from candide.discretizers import Discretizer, EqualFrequency, EqualWidth
from candide.distributions.base import BINARY, NONNEGATIVE, POSITIVE, REAL, WHOLE
from candide.rules import Rule
from candide.smoothing import Dirichlet, Lidstone, MEstimate, Smoothing

LEVELS = ["a", "b", "c", "dé", ""]

EXAMPLES: dict[type[Rule], Rule] = {Dirichlet: Dirichlet(2, 0.5)}
"""Rules that have no default parameters."""

dear = settings(max_examples=settings.default.max_examples // 8)
"""For laws of which one example takes long: an eighth of the examples of the profile."""


def examples(registry: Any, *more: Any) -> list[Any]:
    """Return every rule of a registry with its default parameters, and some with others."""
    return [*(EXAMPLES[rule] if rule in EXAMPLES else rule() for rule in registry), *more]


SMOOTHING: list[Smoothing] = examples(smoothing.RULES, Lidstone(0.3), MEstimate(1.5))
COMBINATIONS: list[Combination] = examples(combination.RULES, Outlier(0.1), Outlier(0.2, "uniform"))
DISCRETIZERS: list[Discretizer] = examples(discretizers.REGISTRY, EqualWidth(3), EqualFrequency(2))
PRESETS: list[type[NaiveBayes]] = [getattr(presets, name) for name in presets.__all__]

NAMED = {rule.name: rule for rule in distributions.RULES if rule.kind != "bags"}
KINDS = tuple(NAMED)
"""Every registered distribution of cells; those of documents have laws of their own, in tests/text."""
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


def fitted(case: Case, **params: Any) -> NaiveBayes:
    """Return the model of a table."""
    return NaiveBayes(distributions=case.distributions, **params).fit(case.X, case.y, case.weight)


def streamed(case: Case, parts: list[np.ndarray], **params: Any) -> NaiveBayes:
    """Return the model that learns a table part by part; a part without weight teaches nothing."""
    nb = NaiveBayes(distributions=case.distributions, **params)
    for rows in parts:
        part = case.rows(rows)
        if part.weight is None or part.weight.any():
            nb.partial_fit(part.X, part.y, sample_weight=part.weight)
    return nb


def merged(case: Case, parts: list[np.ndarray]) -> NaiveBayes:
    """Return the sum of the models of the parts of a table."""
    some = [case.rows(rows) for rows in parts]
    return reduce(operator.add, [fitted(p) for p in some if p.weight is None or p.weight.any()])


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


def learning_table(kinds: tuple[str, ...], seed: int = 0, n: int = 14, weights: bool = False) -> Case:
    """Return a table with a column of each kind that tells something of the class, and some missing cells."""
    rng = np.random.default_rng(seed)
    y = np.array(["no", "yes", "maybe"])[rng.choice(3, n, p=[0.5, 0.35, 0.15])]
    y[:2] = ["maybe", "no"]
    by_support = {
        REAL.says: lambda: (rng.normal(3, 2, size=n) + (y == "yes")).round(1),
        POSITIVE.says: lambda: rng.gamma(2.0, size=n),
        NONNEGATIVE.says: lambda: rng.exponential(size=n),
        WHOLE.says: lambda: rng.poisson(3.0, size=n).astype(float),
        BINARY.says: lambda: rng.integers(0, 2, n).astype(float),
    }
    columns = {}
    for j, kind in enumerate(kinds):
        symbols = NAMED[kind].kind == "symbols"
        levels = np.array(["a", "b", "c"], dtype=object)
        column = levels[rng.integers(0, 3, n)] if symbols else by_support[NAMED[kind].support.says]()
        column[rng.random(n) < 0.15] = None if symbols else np.nan
        columns[f"{kind}{j}"] = column
    weight = rng.integers(1, 4, n) if weights else None
    return Case(pd.DataFrame(columns), y, weight, {f"{k}{j}": k for j, k in enumerate(kinds)})
