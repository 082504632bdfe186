"""Structures under the laws: every estimator of the registry, with some of its parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from tests.strategies import LEVELS, Case

from candide import structure
from candide.estimator import Classifier
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB

OTHERS: dict[type[Classifier], list[dict[str, Any]]] = {
    TreeAugmentedNB: [{"smoothing": "indifferent", "average_trees": True}],
    AveragedOneDependence: [{"n": 2}, {"min_frequency": 3}],
    BayesNetwork: [
        {"learn": "chow-liu"},
        {"parents": {"class": ["s0"], "s1": ["class", "s0"], "s2": ["s0", "s1"]}},
        {"edges": [("class", "s0"), ("class", "s1"), ("s0", "s2"), ("s1", "s2"), ("class", "s2")]},
    ],
}
"""Parameters besides the defaults under which each is held to the laws."""

STRUCTURES: list[Classifier] = [
    getattr(structure, name)(**params)
    for name in structure.__all__
    for params in [{}, *OTHERS[getattr(structure, name)]]
]


def made(model: Classifier, case: Case, **params: Any) -> Classifier:
    """Return a structure of the same parameters, fitted to a table."""
    return type(model)(**{**model.get_params(deep=False), **params}).fit(case.X, case.y, case.weight)


@st.composite
def symbols(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 14, weights: bool = True, columns: int = 3) -> Case:
    """Draw a table of columns of symbols, missing cells among them."""
    n = draw(st.integers(min_rows, max_rows))
    cell = st.sampled_from([*LEVELS[:3], *LEVELS[:2], None])
    X = pd.DataFrame(
        {f"s{j}": pd.Series(draw(st.lists(cell, min_size=n, max_size=n)), dtype=object) for j in range(columns)}
    )
    y = np.array(draw(st.lists(st.sampled_from(["no", "yes", "maybe"]), min_size=n, max_size=n)))
    some = st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any)
    weight = draw(st.none() | some) if weights else None
    return Case(X, y, None if weight is None else np.array(weight), dict.fromkeys(X.columns, "categorical"))


def table(n: int = 60, seed: int = 0, missing: float = 0.1, columns: int = 4) -> Case:
    """Return a table of symbols that depend on the class and on each other, and some missing cells."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    codes = np.empty((n, columns), dtype=np.int64)
    for j in range(columns):
        other = codes[:, j - 1] if j else np.zeros(n, dtype=np.int64)
        codes[:, j] = np.where(rng.random(n) < 0.6, (y * (j % 2) + other) % 3, rng.integers(0, 3, n))
    cells = np.array(["a", "b", "c"], dtype=object)[codes]
    cells[rng.random(cells.shape) < missing] = None
    X = pd.DataFrame({f"s{j}": cells[:, j] for j in range(columns)})
    return Case(X, np.array(["no", "yes", "maybe"])[y], None, dict.fromkeys(X.columns, "categorical"))
