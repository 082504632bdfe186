"""The tree is the spanning tree of most mutual information; averages over trees are averages over all of them."""

from __future__ import annotations

from itertools import combinations, product
from math import log

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln
from tests.strategies import Case
from tests.structure.cases import made, table

from candide.structure import TreeAugmentedNB
from candide.structure.spanning_trees import draw_edges, log_sum_of_trees
from candide.structure.trees import spanning_tree


def spanning_trees(d: int) -> list[list[tuple[int, int]]]:
    """Return all trees over d nodes, by looking at every set of d − 1 edges."""
    out = []
    for edges in combinations(combinations(range(d), 2), d - 1):
        group = list(range(d))
        for i, j in edges:
            a, b = group[i], group[j]
            if a == b:
                break
            group = [a if g == b else g for g in group]
        else:
            out.append(list(edges))
    return out


def information(case: Case, i: str, j: str) -> float:
    """Return I(X_i; X_j | C) of the rows that know both, term by term."""
    rows = [r for r in zip(case.X[i], case.X[j], case.y, strict=True) if not pd.isna(r[0]) and not pd.isna(r[1])]
    total = 0.0
    for u, v, c in set(rows):
        n = rows.count((u, v, c))
        of_class = sum(r[2] == c for r in rows)
        one, other = sum((r[0], r[2]) == (u, c) for r in rows), sum((r[1], r[2]) == (v, c) for r in rows)
        total += n / len(rows) * log(n * of_class / (one * other))
    return total


@pytest.mark.parametrize("seed", range(6))
def test_the_tree_is_the_one_of_most_information(seed: int) -> None:
    case = table(50, seed=seed)
    names = list(case.X.columns)
    gain = {(i, j): information(case, names[i], names[j]) for i, j in combinations(range(4), 2)}
    best = max(spanning_trees(4), key=lambda edges: sum(gain[e] for e in edges))
    parents = made(TreeAugmentedNB(), case).parents_
    found = {tuple(sorted((names.index(i), names.index(p)))) for i, p in parents.items() if p is not None}
    assert found == set(best)
    assert parents[names[0]] is None


def test_ties_go_by_the_order_of_columns() -> None:
    assert spanning_tree(np.ones((4, 4))) == [None, 0, 0, 0]
    column = ["x", "y", "x", "y", "x", "x"]
    same = pd.DataFrame(dict.fromkeys("dcba", column))
    assert TreeAugmentedNB().fit(same, list("uuvvuv")).parents_ == {"d": None, "c": "d", "b": "d", "a": "d"}


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("scale", [1.0, 300.0])
def test_the_sum_over_trees_is_that_of_all_of_them(d: int, scale: float) -> None:
    w = np.random.default_rng(d).normal(scale=scale, size=(3, d, d))
    w = w + np.swapaxes(w, 1, 2)
    for one in w:
        terms = [sum(one[i, j] for i, j in edges) for edges in spanning_trees(d)]
        np.testing.assert_allclose(log_sum_of_trees(one), np.logaddexp.reduce(terms), rtol=1e-12, atol=1e-12)


def test_trees_are_drawn_by_their_weights() -> None:
    w = np.random.default_rng(1).normal(size=(4, 4))
    w = w + w.T
    rng = np.random.default_rng(0)
    drawn = [tuple(sorted(draw_edges(rng, w))) for _ in range(3_000)]
    trees = spanning_trees(4)
    p = np.exp([sum(w[i, j] for i, j in edges) for edges in trees])
    found = np.array([drawn.count(tuple(edges)) for edges in trees]) / len(drawn)
    assert np.abs(found - p / p.sum()).sum() < 0.08


LAMBDA = 10.0


class Decomposed:
    """The posterior over all trees, and P(x, c) by each of them, from gamma functions and fractions of counts."""

    def __init__(self, case: Case) -> None:
        self.X, self.y = case.X, case.y
        self.names, self.classes = list(case.X.columns), sorted(set(case.y))
        self.levels = {j: sorted(case.X[j].unique()) for j in self.names}
        self.counted: dict[tuple[object, ...], float] = {}

    def n(self, c: str, **cells: str) -> float:
        """N + N' of some cells and a class."""
        key = (c, *cells.items())
        if key not in self.counted:
            here = self.y == c
            for j, v in cells.items():
                here = here & (self.X[j] == v).to_numpy()
            self.counted[key] = here.sum() + self.pseudo(*cells)
        return self.counted[key]

    def pseudo(self, *columns: str) -> float:
        return LAMBDA / (len(self.classes) * np.prod([len(self.levels[j]) for j in columns]))

    def log_evidence(self, *columns: str) -> float:
        """Return log P of the cells of some columns given the classes, up to what all trees share."""
        total = 0.0
        for c in self.classes:
            for values in product(*(self.levels[j] for j in columns)):
                total += gammaln(self.n(c, **dict(zip(columns, values, strict=True)))) - gammaln(self.pseudo(*columns))
        return total

    def weights(self, trees: list[list[tuple[int, int]]]) -> np.ndarray:
        alone = {j: self.log_evidence(j) - self.log_evidence() for j in self.names}
        edge = {
            (i, j): self.log_evidence(self.names[i], self.names[j]) - self.log_evidence()
            - alone[self.names[i]] - alone[self.names[j]]
            for i, j in combinations(range(len(self.names)), 2)
        }  # fmt: skip
        log_w = np.array([sum(edge[e] for e in edges) for edges in trees])
        return np.exp(log_w - np.logaddexp.reduce(log_w))

    def joint(self, row: dict[str, str], c: str, edges: list[tuple[int, int]]) -> float:
        out = self.n(c) / (len(self.y) + LAMBDA)
        for j in self.names:
            out *= self.n(c, **{j: row[j]}) / self.n(c)
        for i, j in edges:
            a, b = self.names[i], self.names[j]
            out *= (
                self.n(c, **{a: row[a], b: row[b]}) * self.n(c) / (self.n(c, **{a: row[a]}) * self.n(c, **{b: row[b]}))
            )
        return float(out)


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5])
def test_averaging_over_trees_is_averaging_over_all_of_them(columns: int) -> None:
    case = table(30, seed=columns, missing=0.0, columns=columns)
    model = made(TreeAugmentedNB(smoothing="indifferent", average_trees=True), case)
    exact, trees = Decomposed(case), spanning_trees(columns)
    share = exact.weights(trees)
    rows = case.X.to_dict("records")
    wanted = [
        [sum(p * exact.joint(r, c, t) for p, t in zip(share, trees, strict=True)) for c in exact.classes] for r in rows
    ]
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(case.X)), wanted, rtol=1e-9)


def test_under_the_decomposable_prior_the_direction_of_edges_does_not_matter() -> None:
    case = table(40, missing=0.0)
    tan = made(TreeAugmentedNB(smoothing="indifferent"), case)
    exact = Decomposed(case)
    names = list(case.X.columns)
    edges = [tuple(sorted((names.index(i), names.index(p)))) for i, p in tan.parents_.items() if p is not None]
    wanted = [[exact.joint(row, c, edges) for c in exact.classes] for row in case.X.to_dict("records")]
    np.testing.assert_allclose(np.exp(tan.predict_joint_log_proba(case.X)), wanted, rtol=1e-9)
    turned = case.X[names[::-1]]
    again = TreeAugmentedNB(smoothing="indifferent").fit(turned, case.y)
    assert {frozenset(e) for e in again.parents_.items() if e[1]} == {
        frozenset(e) for e in tan.parents_.items() if e[1]
    }
    np.testing.assert_allclose(again.predict_proba(turned), tan.predict_proba(case.X), rtol=1e-9)


def test_averaging_takes_no_other_smoothing() -> None:
    with pytest.raises(ValueError, match=r"smoothing='laplace' is another; use smoothing='indifferent'"):
        made(TreeAugmentedNB(smoothing="laplace", average_trees=True), table())
