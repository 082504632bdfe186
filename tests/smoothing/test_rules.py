"""Every row of the table of smoothing rules, in exact fractions; the forms of hyperparameters and their errors."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.schema.domain import Domain
from candide.smoothing import (
    RULES,
    Dirichlet,
    Frequencies,
    Indifferent,
    Laplace,
    Lidstone,
    Marginal,
    MEstimate,
    NaiveDistribution,
    as_smoothing,
)

F = Fraction

X = pd.DataFrame(
    {
        "colour": ["red", "red", "blue", None, "blue", "green"],
        "size": pd.Categorical(["S", "L", "L", "S", None, "S"], categories=["S", "M", "L"]),
    }
)
Y = np.array(["bike", "bike", "car", "car", "car", "car"])
CLASSES = ["bike", "car"]
LEVELS = {"colour": ["blue", "green", "red"], "size": ["S", "M", "L"]}
N_C = {"bike": F(2), "car": F(4)}

Rule = tuple[Callable[[str], F], Callable[[str, str, str], F]]


def n(column: str, level: str, label: str) -> F:
    return F(int(((X[column] == level) & (label == Y)).sum()))


def marginal(column: str, level: str) -> F:
    return n(column, level, "bike") + n(column, level, "car")


def known(column: str) -> F:
    return sum((marginal(column, v) for v in LEVELS[column]), F(0))


def seen(column: str, label: str) -> F:
    return sum((n(column, v, label) for v in LEVELS[column]), F(0))


def one(*_: str) -> F:
    return F(1)


def none(*_: str) -> F:
    return F(0)


def m_estimate(m: F) -> Callable[[str, str, str], F]:
    return lambda i, v, _: m * (marginal(i, v) + 1) / (known(i) + 3)


def to_frequencies(column: str, level: str, label: str) -> F:
    return seen(column, label) * marginal(column, level) / known(column)


def freedom(*_: str) -> F:
    return F(1) + 2 + 2  # 1 + Σ_i (#A_i − 1), the declared level M included


MU = {"bike": F(1, 2), "car": F(3)}
SIGMA = {"colour": {"red": F(1), "blue": F(2), "green": F(1, 4)}, "size": {"S": F(0), "M": F(5), "L": F(1)}}
COUNTS = {
    "colour": {"red": {"bike": 1, "car": 2}, "blue": {"bike": 0, "car": 1}, "green": {"bike": 1, "car": 0}},
    "size": {"S": {"bike": 2, "car": 1}, "M": {"bike": 0, "car": 1}, "L": {"bike": 0, "car": 1}},
}

TABLE: dict[str, tuple[object, Callable[..., F], Callable[..., F]]] = {
    "none": ("none", none, none),
    "laplace": ("laplace", one, one),
    "lidstone": ("lidstone", none, one),
    "lidstone with strengths": (Lidstone(0.25, class_alpha=2), lambda _: F(2), lambda *_: F(1, 4)),
    "dirichlet": (
        Dirichlet(
            {k: float(v) for k, v in MU.items()}, {i: {v: float(s) for v, s in d.items()} for i, d in SIGMA.items()}
        ),
        lambda c: MU[c],
        lambda i, v, _: SIGMA[i][v],
    ),
    "m-estimate": ("m-estimate", one, m_estimate(F(2))),
    "m-estimate with m": (MEstimate(0.5), one, m_estimate(F(1, 2))),
    "marginal": ("marginal", none, lambda i, v, _: marginal(i, v) / known(i)),
    "marginal added to frequencies": (
        Marginal("frequencies"),
        none,
        to_frequencies,
    ),
    "indifferent": ("indifferent", freedom, one),
    "naive distribution of nothing": (NaiveDistribution(), freedom, one),
    "naive distribution": (
        NaiveDistribution(COUNTS),
        lambda c: {"bike": F(2), "car": F(3)}[c] + freedom(),
        lambda i, v, c: F(COUNTS[i][v][c]) + 1,
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_table_in_exact_fractions(name: str) -> None:
    rule, a, s = TABLE[name]
    model = NaiveBayes(smoothing=rule).fit(X, Y).model_
    whole = sum(N_C[c] + a(c) for c in CLASSES)
    np.testing.assert_allclose(model.prior.alpha, [float((N_C[c] + a(c)) / whole) for c in CLASSES], rtol=1e-14)
    for (block, i), column in zip(model.attributes, LEVELS, strict=True):
        theta = block.describe(i)
        assert set(theta) == set(LEVELS[column])
        for k, c in enumerate(CLASSES):
            mass = sum(n(column, v, c) + s(column, v, c) for v in LEVELS[column])
            for v in LEVELS[column]:
                exact = (n(column, v, c) + s(column, v, c)) / mass
                assert theta[v][k] == pytest.approx(float(exact), rel=1e-14, abs=0), (column, v, c)


@pytest.mark.parametrize(
    "rule", [*(r.name for r in RULES if r.name), Lidstone(0.1), MEstimate(9), Dirichlet(1, 2)], ids=str
)
def test_probabilities_of_the_levels_add_up_to_one(rule: object) -> None:
    model = NaiveBayes(smoothing=rule).fit(X, Y).model_
    for block, i in model.attributes:
        np.testing.assert_allclose(sum(block.describe(i).values()), 1.0, rtol=1e-14)


@pytest.mark.parametrize("rule", [r.name for r in RULES if r.name])
def test_every_rule_tends_to_the_frequencies(rule: str) -> None:
    weight = np.full(len(Y), 1e9)
    a, b = (NaiveBayes(smoothing=r).fit(X, Y, weight).predict_proba(X) for r in (rule, "none"))
    np.testing.assert_allclose(a, b, atol=1e-6)


def test_added_to_frequencies_it_decides_as_the_unnormalised_sum_of_frequency_and_p() -> None:
    # the text of the summation paper, p̂ = N_ivc / N_i.c + p_iv, without making it add up to one
    rows = X.dropna().reset_index(drop=True)
    y = Y[X.notna().all(axis=1)]
    for combination in ("product", "sum"):
        nb = NaiveBayes(smoothing=Marginal("frequencies"), combination=combination).fit(rows, y)
        scores = []
        for label in nb.classes_:
            mine = y == label
            cells = [
                [
                    F(int((rows[i][mine] == v).sum()), int(mine.sum())) + F(int((rows[i] == v).sum()), len(rows))
                    for v in rows[i]
                ]
                for i in rows
            ]
            total = [a * b if combination == "product" else a + b for a, b in zip(*cells, strict=True)]
            scores.append([F(int(mine.sum()), len(y)) * t for t in total])
        exact = np.array([[float(s / sum(row)) for s in row] for row in zip(*scores, strict=True)])
        np.testing.assert_allclose(nb.predict_proba(rows), exact, rtol=1e-12)


def test_a_class_that_never_knew_an_attribute_takes_the_columns_frequencies() -> None:
    nb = NaiveBayes(smoothing=Marginal("frequencies")).fit(pd.DataFrame({"a": ["x", "z", "x", None]}), list("pppq"))
    block, i = nb.model_.attributes[0]
    np.testing.assert_allclose(block.describe(i)["x"], [2 / 3, 2 / 3])


def test_zero_over_zero_is_zero() -> None:
    nb = NaiveBayes(smoothing="none").fit(pd.DataFrame({"a": ["x", None]}), ["p", "q"])
    block, i = nb.model_.attributes[0]
    np.testing.assert_array_equal(block.describe(i)["x"], [1.0, 0.0])  # q never knew a


def test_a_declared_level_that_never_occurred_has_its_softened_probability_and_an_unseen_one_says_nothing() -> None:
    nb = NaiveBayes().fit(X, Y)
    size = nb.explain(pd.DataFrame({"colour": [None, None], "size": ["M", "XL"]})).contributions[:, :, 1]
    np.testing.assert_allclose(np.exp(size[0]), [1 / 5, 1 / 6])  # (0 + 1) / (2 + 3) and (0 + 1) / (3 + 3)
    np.testing.assert_array_equal(size[1], [0, 0])


def test_a_binned_column_has_as_many_values_as_bins_and_a_density_none() -> None:
    x = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [1.0, 2.0, 4.0, 8.0]})
    y = ["p", "p", "q", "q"]
    rules = {"a": "equal-width(3)", "b": "normal"}
    model = NaiveBayes(distributions=rules, smoothing="indifferent", prior=None).fit(x, y).model_
    np.testing.assert_allclose(model.prior.pseudo, 1 + (3 - 1))


@pytest.mark.parametrize(
    "values",
    [
        {"colour": [2, 0.25, 1], "size": [0, 5, 1]},
        {"colour": np.array([[2, 0.25, 1], [2, 0.25, 1]]), "size": [0, 5, 1]},
        {"colour": {"blue": {"bike": 2, "car": 2}, "green": [0.25, 0.25], "red": 1}, "size": {"S": 0, "M": 5, "L": 1}},
    ],
    ids=["sequences", "array per class", "level by level"],
)
def test_forms_of_dirichlet_hyperparameters(values: object) -> None:
    a = NaiveBayes(smoothing=Dirichlet([0.5, 3], values)).fit(X, Y)
    b = NaiveBayes(smoothing=TABLE["dirichlet"][0]).fit(X, Y)
    np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X), rtol=1e-14)


def test_special_cases_of_the_general_rules() -> None:
    def scores(rule: object) -> np.ndarray:
        return NaiveBayes(smoothing=rule).fit(X, Y).predict_joint_log_proba(X)

    np.testing.assert_array_equal(scores(Dirichlet(1, 1)), scores(Laplace()))
    np.testing.assert_array_equal(scores(Dirichlet(0, 0)), scores(Frequencies()))
    np.testing.assert_array_equal(scores(Lidstone(1, 1)), scores(Laplace()))
    np.testing.assert_array_equal(scores(NaiveDistribution(0)), scores(Indifferent()))
    np.testing.assert_array_equal(scores(MEstimate(0)), scores(Dirichlet(1, 0)))


BAD = [
    (Dirichlet({"bike": 1}, 1), "says nothing of class 'car'"),
    (Dirichlet([1, 2, 3], 1), "3 entries for 2 classes"),
    (Dirichlet(1, {"colour": 1}), "says nothing of column 'size'"),
    (Dirichlet(1, {"colour": {"red": 1}, "size": 1}), "says nothing of level 'blue'"),
    (Dirichlet(1, {"colour": [1, 2], "size": 1}), "2 entries for the levels"),
    (Dirichlet(1, {"colour": [1, -2, 1], "size": 1}), "not negative"),
    (Dirichlet(-1, 1), "not negative"),
    (Dirichlet(1, -1), "not negative"),
    (Dirichlet(1, float("nan")), "not negative"),
    (Lidstone(-0.5), "not negative"),
    (Lidstone(float("inf")), "not negative"),
    (Lidstone(1, class_alpha=-1), "not negative"),
    (MEstimate(-2), "not negative"),
    (NaiveDistribution({"colour": 1, "size": 2}), "same N'_c for every attribute.*'colour'.*'size'"),
    (NaiveDistribution(-1), "not negative"),
    (Marginal("rows"), "to 'counts' or to 'frequencies'"),
]


@pytest.mark.parametrize("given", [1, {7: 1}, dict.fromkeys(range(2999), 1), [1, 2]])
def test_what_is_wrong_with_many_levels_is_told_in_one_line(given: object) -> None:
    rule = Dirichlet(1, {"part": given} if given != 1 else dict.fromkeys(map(str, range(3000)), 1))
    with pytest.raises(ValueError, match=r"says nothing of|2 entries for the levels") as told:
        NaiveBayes(smoothing=rule).fit(pd.DataFrame({"part": pd.Categorical(range(3000))}), np.arange(3000) % 2)
    assert len(str(told.value)) < 250


@pytest.mark.parametrize(("rule", "message"), BAD, ids=lambda v: str(v)[:60])
def test_bad_hyperparameters_are_errors_that_say_where(rule: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NaiveBayes(smoothing=rule).fit(X, Y)


def test_a_number_for_all_counts_breaks_the_condition_where_domains_differ() -> None:
    # N'_c = Σ_v N'_ivc is #A_i for every attribute: 3 and 2 disagree
    table = pd.DataFrame({"a": ["x", "y", "z"], "b": ["u", "v", "u"]})
    with pytest.raises(ValueError, match="same N'_c"):
        NaiveBayes(smoothing=NaiveDistribution(1)).fit(table, ["p", "q", "p"])
    NaiveBayes(smoothing=NaiveDistribution(1)).fit(X, Y)  # 3 and 3 agree


def test_strengths_that_are_not_numbers() -> None:
    with pytest.raises(TypeError, match="alpha='much'"):
        NaiveBayes(smoothing=Lidstone("much")).fit(X, Y)


def test_names_and_objects() -> None:
    assert as_smoothing("m-estimate") == MEstimate(2)
    assert as_smoothing("marginal") == Marginal()
    with pytest.raises(ValueError, match="smoothing='lapalce' is not known; known are 'none', 'laplace'"):
        NaiveBayes(smoothing="lapalce").fit(X, Y)
    with pytest.raises(TypeError, match="smoothing takes a name"):
        NaiveBayes(smoothing=1.0).fit(X, Y)


@pytest.mark.parametrize("rule", [rule() for rule in RULES], ids=lambda rule: rule.name)
def test_a_rule_says_whether_it_softens_all_values_alike(rule):
    domain = Domain(("a",), (np.arange(5),), np.array(CLASSES))
    s = rule.value_pseudo(domain, np.arange(5), np.array([0.0, 1.0, 4.0, 4.0, 90.0]), np.full(5, 99.0))
    assert rule.alike == (s.shape[1] == 1 and len(np.unique(s)) == 1)
