"""Networks: what they say is what the whole joint distribution says, and what they refuse."""

from __future__ import annotations

from itertools import combinations, product
from math import log
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import mutual_info_classif
from tests.strategies import Case
from tests.structure.cases import made, table

from candide.smoothing import Decomposable
from candide.structure import BayesNetwork
from candide.structure.graph import Graph

PARENTS = {"class": ["s0", "s1"], "s1": ["s0"], "s2": ["class", "s1"], "s3": ["s0"]}
CASE = table(120, seed=5, missing=0.0)
NAMES = ["s0", "s1", "s2", "s3", "class"]


def joint() -> dict[tuple[Any, ...], float]:
    """Return P of every combination of all nodes: the product of tables written out here, from counts plus one."""
    rows = [*zip(*(CASE.X[n] for n in NAMES[:-1]), CASE.y, strict=True)]
    values = {n: sorted({row[i] for row in rows}) for i, n in enumerate(NAMES)}

    def count(**cells: Any) -> int:
        return sum(all(row[NAMES.index(n)] == v for n, v in cells.items()) for row in rows)

    out = {}
    for cells in product(*(values[n] for n in NAMES)):
        p, here = 1.0, dict(zip(NAMES, cells, strict=True))
        for n in NAMES:
            given = {g: here[g] for g in PARENTS.get(n, [])}
            p *= (count(**given, **{n: here[n]}) + 1) / (count(**given) + len(values[n]))
        out[cells] = p
    return out


def conditional(whole: dict[tuple[Any, ...], float], target: str, **given: Any) -> dict[Any, float]:
    """Return P(target | given) by adding up the joint."""
    found: dict[Any, float] = {}
    for cells, p in whole.items():
        if all(cells[NAMES.index(n)] == v for n, v in given.items()):
            found[cells[NAMES.index(target)]] = found.get(cells[NAMES.index(target)], 0.0) + p
    return {value: p / sum(found.values()) for value, p in found.items()}


@pytest.fixture(scope="module")
def net() -> BayesNetwork:
    return made(BayesNetwork(parents=PARENTS), CASE)


@pytest.fixture(scope="module")
def whole() -> dict[tuple[Any, ...], float]:
    return joint()


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize(
    "known", [(), ("s0",), ("s2",), ("s1", "s3"), ("class",), ("s0", "class"), ("s0", "s1", "s2", "s3")]
)
def test_queries_sum_the_rest_out(net: BayesNetwork, whole: Any, target: str, known: tuple[str, ...]) -> None:
    row = {**CASE.X.iloc[7].to_dict(), "class": CASE.y[7]}
    given = {n: row[n] for n in known if n != target}
    found, wanted = net.query(target, given), conditional(whole, target, **given)
    assert list(found) == sorted(wanted)
    for value, p in wanted.items():
        assert found[value] == pytest.approx(p, rel=1e-10)


def test_rows_partly_known_are_scored_by_the_rest_summed_out(net: BayesNetwork, whole: Any) -> None:
    X = CASE.X[:30].copy()
    X[np.random.default_rng(0).random(X.shape) < 0.4] = None
    p = net.predict_proba(X)
    for i, row in enumerate(X.to_dict("records")):
        wanted = conditional(whole, "class", **{n: v for n, v in row.items() if not pd.isna(v)})
        np.testing.assert_allclose(p[i], [wanted[c] for c in net.classes_], rtol=1e-9)
    np.testing.assert_allclose(net.explain(X).scores, net.predict_joint_log_proba(X), rtol=1e-9)


def test_any_node_is_predicted(net: BayesNetwork, whole: Any) -> None:
    X = CASE.X[:10].copy()
    X.loc[2:5, "s1"] = None
    values, p = net.predict_target(X, "s2")
    with_class = X.assign(**{"class": CASE.y[:10]})
    net_by_name = BayesNetwork(parents=PARENTS).fit(CASE.X.assign(**{"class": CASE.y}), "class")
    _, p_given = net_by_name.predict_target(with_class, "s2")
    for i, row in enumerate(X.to_dict("records")):
        known = {n: v for n, v in row.items() if n != "s2" and not pd.isna(v)}
        wanted = conditional(whole, "s2", **known)
        np.testing.assert_allclose(p[i], [wanted[v] for v in sorted(wanted)], rtol=1e-9)
        assert values[i] == max(sorted(wanted), key=lambda v: wanted[v])
        wanted = conditional(whole, "s2", **known, **{"class": CASE.y[i]})
        np.testing.assert_allclose(p_given[i], [wanted[v] for v in sorted(wanted)], rtol=1e-9)


def test_likelihood_and_criterion(net: BayesNetwork, whole: Any) -> None:
    rows = zip(*(CASE.X[n] for n in NAMES[:-1]), CASE.y, strict=True)
    likelihood = sum(log(whole[row]) for row in rows)
    assert net.log_likelihood() == pytest.approx(likelihood)
    free = (
        2 + 9 * 2 + 3 * 2 + 9 * 2 + 3 * 2
    )  # s0, class given s0 and s1, s1 given s0, s2 given class and s1, s3 given s0
    assert net.bic() == pytest.approx(free * log(len(CASE.y)) - 2 * likelihood)


def random_graph(rng: np.random.Generator, d: int) -> dict[str, tuple[str, ...]]:
    names = [f"n{i}" for i in range(d)]
    return {n: tuple(p for p in names[:i] if rng.random() < 0.5) for i, n in enumerate(names)}


@pytest.mark.parametrize("seed", range(5))
def test_what_is_separated_in_the_graph_is_independent_in_numbers_and_nothing_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parents = random_graph(rng, 5)
    names = list(parents)
    p = np.ones((2,) * 5)
    for i, n in enumerate(names):
        family = [names.index(g) for g in parents[n]] + [i]
        of_node = rng.dirichlet([1.0, 1.0], size=(2,) * len(parents[n])).reshape((2,) * len(family))
        p = p * of_node.transpose(np.argsort(family)).reshape([2 if j in family else 1 for j in range(5)])
    np.testing.assert_allclose(p.sum(), 1.0)
    graph = Graph(parents)
    for a, b in combinations(range(5), 2):
        rest = [j for j in range(5) if j not in (a, b)]
        for size in range(4):
            for given in combinations(rest, size):
                table_ = p.sum(axis=tuple(j for j in rest if j not in given), keepdims=True)
                one, other = table_.sum(axis=a, keepdims=True), table_.sum(axis=b, keepdims=True)
                apart = np.allclose(table_ * table_.sum(axis=(a, b), keepdims=True), one * other, atol=1e-9)
                assert graph.independent(names[a], names[b], [names[j] for j in given]) == apart
        # the lines of the Markov network: who depends on each other given all the rest
        assert ((names[a], names[b]) in graph.markov) == (
            not graph.independent(names[a], names[b], [names[j] for j in rest])
        )


def test_the_networks_of_naive_bayes_are_one_markov_network() -> None:
    """Figures 1 to 3 of the indifferent paper: frequencies and the decomposable prior see no direction."""
    columns = NAMES[:-1]
    networks = [[("class", n) if n != first else (n, "class") for n in columns] for first in (None, *columns)]

    def answers(smoothing: object) -> list[np.ndarray]:
        nets = [made(BayesNetwork(edges=edges, smoothing=smoothing), CASE) for edges in networks]
        assert all(sorted(net.graph_.markov) == [(n, "class") for n in columns] for net in nets)
        return [net.predict_proba(CASE.X[:20]) for net in nets]

    for smoothing in ("none", Decomposable()):
        first, *others = answers(smoothing)
        for other in others:
            np.testing.assert_allclose(other, first, rtol=1e-9)
    first, *others = answers("laplace")
    assert not any(np.allclose(other, first, rtol=1e-3) for other in others)


def test_the_tree_of_all_columns_holds_the_most_information() -> None:
    case = table(200, seed=8, missing=0.0)
    learnt = made(BayesNetwork(learn="chow-liu"), case)
    columns = {**{n: case.X[n] for n in case.X}, "class": pd.Series(case.y)}
    codes = {n: pd.factorize(c)[0] for n, c in columns.items()}
    gain = {
        frozenset((a, b)): mutual_info_classif(codes[a][:, None], codes[b], discrete_features=True)[0]
        for a, b in combinations(columns, 2)
    }
    edges = {frozenset((n, p[0])) for n, p in learnt.parents_.items() if p}
    best = max(
        (sum(gain[e] for e in some) for some in combinations(gain, 4) if spans(some, set(columns))), default=None
    )
    assert sum(gain[e] for e in edges) == pytest.approx(best)
    assert learnt.parents_["class"] == []


def spans(edges: Any, nodes: set[str]) -> bool:
    reached = {next(iter(sorted(nodes)))}
    for _ in nodes:
        reached |= {n for e in edges if e & reached for n in e}
    return reached == nodes


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"parents": {"s0": ["s1"], "s1": ["s2"], "s2": ["s0"]}}, r"has a cycle: .* → .* → .* → "),
        ({"parents": {"s0": ["colour"]}}, "the network: there is no column 'colour'"),
        ({"edges": [("colour", "s0")]}, "there is no column 'colour'"),
        ({"edges": [("s0", "s1"), ("s0", "s1")]}, "the arc from 's0' to 's1' stands twice"),
        ({"parents": {}, "edges": []}, "by parents= or by edges=, not by both"),
        ({"parents": {}, "learn": "chow-liu"}, "given by parents= or edges=, or learnt by learn="),
        ({"learn": "k2"}, "learn='k2' is not known"),
        ({"parents": {"class": ["s0"]}, "prior": "uniform"}, "'class' has parents in this network"),
    ],
    ids=str,
)
def test_networks_that_cannot_be_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BayesNetwork(**params).fit(CASE.X, CASE.y)


@pytest.mark.parametrize("params", [{"parents": [("a", "b")]}, {"parents": {"s0": "s1"}}, {"edges": ["ab"]}], ids=str)
def test_networks_of_another_form_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"parents|edge"):
        BayesNetwork(**params).fit(CASE.X, CASE.y)


def test_a_table_too_large_to_hold_is_refused_with_its_bytes() -> None:
    X = pd.DataFrame({f"c{j}": [f"v{i * (j + 1) % 149}" for i in range(149)] for j in range(4)})
    with pytest.raises(
        ValueError, match=r"the table of 'c3' given its parents has .* values, by 2 classes: [\d,]+ bytes"
    ):
        BayesNetwork(parents={"c3": ["c0", "c1", "c2"]}).fit(X, [0, 1] * 74 + [0])


def test_questions_that_have_no_answer_say_why(net: BayesNetwork) -> None:
    with pytest.raises(ValueError, match="there is no column 'colour'"):
        net.query("colour")
    with pytest.raises(ValueError, match="'s0' is both asked for and given"):
        net.query("s0", {"s0": "a"})
    with pytest.raises(ValueError, match=r"'z' is no value of 's0'; it has \['a', 'b', 'c'\]"):
        net.query("class", {"s0": "z"})
    with pytest.raises(ValueError, match="'perhaps' is no value of 'class'"):
        net.query("s0", {"class": "perhaps"})
    unsoftened = made(
        BayesNetwork(parents={"s1": ["s0"]}, smoothing="none"), Case(CASE.X.assign(s1=CASE.X.s0), CASE.y, None, {})
    )
    with pytest.raises(ValueError, match="has probability zero in this network"):
        unsoftened.query("class", {"s0": "a", "s1": "b"})
    with pytest.raises(ValueError, match="there is no column 'colour'"):
        net.independent("s0", "colour")


def test_a_column_without_a_value_is_not_asked_for() -> None:
    X = CASE.X.assign(s0=pd.Series([None] * len(CASE), dtype=object))
    net = made(BayesNetwork(parents={"class": ["s0"], "s1": ["class"]}), Case(X, CASE.y, None, {}))
    assert sum(net.query("s1", {}).values()) == pytest.approx(1)
    for ask in (lambda: net.query("s0", {}), lambda: net.predict_target(X, "s0")):
        with pytest.raises(ValueError, match="column 's0' has no value to ask for"):
            ask()


def test_graphs_are_written_down(net: BayesNetwork) -> None:
    text = net.to_dot()
    assert text.startswith("digraph {")
    assert '  "s0" -> "class";' in text
    assert Graph({'say "hi"': ()}).to_dot() == 'digraph {\n  "say \\"hi\\"";\n}'


def test_numbers_are_asked_by_their_interval() -> None:
    X = pd.DataFrame({"x": np.arange(40.0), "s": list("ab") * 20})
    cut = BayesNetwork(parents={"class": ["x"]}, distributions={"x": "equal-width(2)"}).fit(X, np.arange(40) >= 20)
    assert cut.query("class", {"x": 3.0})[True] == pytest.approx(1 / 22)
    assert list(cut.query("x", {"class": True})) == ["(-inf, 19.5]", "(19.5, inf)"]


def test_rows_that_come_later_with_their_labels_apart_belong_to_the_same_node() -> None:
    frame = CASE.X.assign(bought=CASE.y)
    params = {"parents": {"bought": ["s0"], "s1": ["bought", "s0"]}}
    whole = BayesNetwork(**params).fit(frame, "bought")
    parts = BayesNetwork(**params).fit(frame[:80], "bought").partial_fit(CASE.X[80:], CASE.y[80:])
    np.testing.assert_array_equal(parts.predict_proba(CASE.X), whole.predict_proba(CASE.X))
    parts.forget(CASE.X[80:], CASE.y[80:])
    assert parts.parents_ == whole.parents_
    assert parts.class_counts_.sum() == 80
