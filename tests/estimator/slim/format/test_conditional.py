"""Conditional chances made of the chances of columns together are those of the structure that told them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from candide.estimator.slim.format.conditional import Conditional
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB


def table(n: int = 800) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    a = (rng.integers(0, 3, n) + y) % 3
    b = (a + rng.integers(0, 2, n) + y) % 4
    c = rng.normal(size=n) + b
    X = pd.DataFrame({"a": np.array(list("rst"))[a], "b": np.array(list("uvwx"))[b], "c": c.round(1)})
    X.loc[:20, "a"] = None
    return X, y


CELLS = {"a": ["r", "s", "t"], "b": ["u", "v", "w", "x"], "c": [-1.0, 0.5, 2.0, 4.0]}


@pytest.mark.parametrize("smoothing", ["laplace", "backoff", "m-estimate", "none"])
def test_trees_are_told_again_by_the_chances_of_two_columns(smoothing: str) -> None:
    X, y = table()
    (block,) = TreeAugmentedNB(smoothing=smoothing).fit(X, y).model_.blocks
    told = [i for i in range(3) if block.chances_together(i) is not None]
    assert len(told) == 2
    for i in told:
        form, again = block.form(i), Conditional.of(block.chances_together(i))
        names = [list(CELLS)[j] for j in form.columns]
        pairs = [(u, v) for u in CELLS[names[0]] for v in CELLS[names[1]]]
        cells = np.empty(len(pairs), dtype=object)
        cells[:] = pairs
        np.testing.assert_allclose(again(cells), form(cells), atol=1e-9)


def test_parents_that_are_unknown_are_summed_out() -> None:
    X, y = table()
    net = BayesNetwork({"a": ["class"], "b": ["class", "a"], "c": ["class", "a", "b"]}).fit(X.dropna(), y[21:])
    (block,) = net.model_.blocks
    form, again = block.form_where_known(2), Conditional.of(block.chances_together(2))
    cells = np.empty(4, dtype=object)
    cells[:] = [(2.0, "r", "u"), (2.0, None, "u"), (2.0, "r", None), (2.0, None, None)]
    np.testing.assert_allclose(again(cells)[0], form(cells)[0], atol=1e-9)
    np.testing.assert_allclose(again(cells), form(cells), atol=0.25)  # softened, the chances of parents are others


@pytest.mark.parametrize(
    "model", [AveragedOneDependence(), TreeAugmentedNB(smoothing="indifferent", average_trees=True)], ids=["one", "all"]
)
def test_what_pairs_say_beyond_each_is_told_again(model: AveragedOneDependence | TreeAugmentedNB) -> None:
    X, y = table()
    (block,) = model.fit(X.dropna(), y[21:]).model_.blocks
    for of in block.in_pairs().beyond:
        _, terms = Conditional.of(of.chances, 0.5, of.pseudo).entries
        wanted = dict(zip(of.form.levels.tolist(), of.form.table.T, strict=True))
        levels, _ = Conditional.of(of.chances, 0.5, of.pseudo).entries
        # a cell that no row has stands for the pseudo-count
        often = [k for k, level in enumerate(levels) if np.isfinite(wanted[level]).all()]
        np.testing.assert_allclose(terms[:, often].T, [0.5 * wanted[levels[k]] for k in often], atol=0.1)


def test_what_is_no_grid_is_told_as_it_was() -> None:
    """Where missing is a level of one column and not of the other, a level that is not known means two things."""
    X, y = table()
    nb = TreeAugmentedNB(missing="level").fit(X, y)
    (block,) = nb.model_.blocks
    i = next(i for i in range(3) if block.parents[i] is not None and {i, block.parents[i]} == {0, 1})
    assert Conditional.of(block.chances_together(i)) is None
    assert (nb.slim().predict(X) == nb.predict(X)).mean() > 0.9
