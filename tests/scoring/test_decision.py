"""Decisions: the largest posterior, the least risk, and ties."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.combination import fewest_zeros, log_posterior
from candide.scoring.decision import cost_matrix, decide

CLASSES = np.array(["a", "b", "c"])
P = np.array([[0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [0.0, 0.0, 1.0]])


def test_the_largest_posterior_and_ties_to_the_first() -> None:
    with np.errstate(divide="ignore"):
        assert decide(np.log(P), None).tolist() == [0, 0, 2]


def test_least_risk_by_hand() -> None:
    costs = np.array([[0, 10, 1], [1, 0, 1], [1, 10, 0]])
    with np.errstate(divide="ignore"):
        codes = decide(np.log(P), costs)
    risk = P @ costs.T
    assert codes.tolist() == risk.argmin(axis=1).tolist() == [1, 1, 2]


def test_equal_costs_change_nothing() -> None:
    with np.errstate(divide="ignore"):
        assert decide(np.log(P), 1 - np.eye(3)).tolist() == decide(np.log(P), None).tolist()


def test_a_dict_of_dicts_is_the_array() -> None:
    named = {"a": {"b": 10, "c": 1}, "b": {"a": 1, "c": 1, "b": -2}, "c": {"a": 1, "b": 10}}
    np.testing.assert_array_equal(cost_matrix(named, CLASSES), [[0, 10, 1], [1, -2, 1], [1, 10, 0]])


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"a": {"b": 1, "c": 1}, "b": {"a": 1, "c": 1}}, "deciding 'c' costs when 'a' is true"),
        ({"a": {"b": 1}, "b": {"a": 1, "c": 1}, "c": {"a": 1, "b": 1}}, "deciding 'a' costs when 'c'"),
        ({k: dict.fromkeys("abc", 1) for k in "abcd"}, "there is no class 'd'"),
        ({k: dict.fromkeys("abcd", 1) for k in "abc"}, "there is no class 'd'"),
        ({"A": {"b": 1, "c": 1}, "b": {"a": 1, "c": 1}, "c": {"a": 1, "b": 1}}, "'A'; did you mean 'a'"),
        (np.eye(2), r"shape \(2, 2\); there are 3 classes"),
        ([[0, 1, np.nan], [1, 0, 1], [1, 1, 0]], "finite"),
    ],
)
def test_costs_that_do_not_fit_are_errors_at_fit_and_where_they_are_set(costs: object, message: str) -> None:
    X, nb = pd.DataFrame({"x": ["u", "v", "w"]}), NaiveBayes(costs=costs)
    with pytest.raises(ValueError, match=message):
        nb.fit(X, CLASSES)
    assert not hasattr(nb, "classes_")
    nb = NaiveBayes().fit(X, CLASSES).set_params(costs=costs)
    with pytest.raises(ValueError, match=message):
        nb.predict(X)


def test_costs_that_are_no_mapping_of_mappings_are_refused() -> None:
    with pytest.raises(ValueError, match=r"costs\['a'\] is 1, which does not say of which true class"):
        NaiveBayes(costs={"a": 1}).fit(pd.DataFrame({"x": ["u", "v", "w"]}), CLASSES)


def test_ties_go_to_the_first_label() -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"x": ["u", "u", "u"]}), ["z", "m", "a"])
    assert nb.predict(pd.DataFrame({"x": ["u"]})).tolist() == ["a"]


def exact_scores(table: np.ndarray, y: np.ndarray, row: np.ndarray, combination: str) -> list[Fraction]:
    """Return the scores of the classes 0, 1, ... without smoothing, in fractions."""
    out = []
    for c in range(y.max() + 1):
        mine = table[y == c]
        prior = Fraction(len(mine), len(y))
        theta = [Fraction(int((mine[:, j] == v).sum()), len(mine)) for j, v in enumerate(row)]
        product = prior
        for t in theta:
            product *= t
        out.append({"sum": prior * sum(theta), "product": product, "robust": -theta.count(0) / prior}[combination])
    return out


@pytest.mark.parametrize("combination", ["product", "sum", "robust"])
def test_exact_ties_go_to_the_first_label_however_the_scores_round(combination: str) -> None:
    rng = np.random.default_rng(0)
    ties = 0
    for _ in range(150):
        n, k = int(rng.integers(6, 13)), int(rng.integers(2, 4))
        y = np.r_[np.arange(k), rng.integers(0, k, n - k)]
        table = rng.integers(0, 3, (n, 4))
        nb = NaiveBayes(smoothing="none", combination=combination, distributions="categorical").fit(table, y)
        seen = [row for row in rng.integers(0, 3, (20, 4)) if all(v in table[:, j] for j, v in enumerate(row))]
        rows = np.array(seen).reshape(-1, 4)
        lost = nb.impossible(rows)
        rows = rows[lost] if combination == "robust" else rows[~lost] if combination == "product" else rows
        if not len(rows):
            continue
        scores = [exact_scores(table, y, row, combination) for row in rows]
        ties += sum(s.count(max(s)) > 1 for s in scores)
        wanted = [s.index(max(s)) for s in scores]
        assert nb.predict(rows).tolist() == wanted
        assert nb.predict_proba(rows).argmax(axis=1).tolist() == wanted
        assert nb.explain(rows).decisions.tolist() == wanted
    assert ties > 5


def test_the_fewest_zeros_tie_where_they_are_equal_for_the_size() -> None:
    # 1 / (1/3) = 2 / (2/3) = 3, and 1 / (1/49) is not 49 in floats
    for n, zeros in ((3, [1, 2]), (49, [1, 48])):
        for order in ([0, 1], [1, 0]):
            count = np.array(zeros)[order]
            got = fewest_zeros(count[None], np.log(count / n)[None])
            assert got.argmax() == 0
            assert (got > -np.inf).sum() == 1


def test_scores_that_differ_by_more_than_rounding_do_not_tie() -> None:
    scores = np.array([[-1.0, -1.0 + 1e-13], [-1e6, -1e6 + 1e-7], [-np.inf, -1e300], [-1.0, -1.0 + 1e-15]])
    assert decide(log_posterior(scores, np.log([0.5, 0.5])), None).tolist() == [1, 1, 1, 0]


def test_risks_that_tie_go_to_the_first_label() -> None:
    # 0.1 · 3 and 0.3 · 1 are equal risks, which floats round apart
    p = np.log(np.array([[0.3, 0.1, 0.6]]))
    costs = np.array([[0.0, 3.0, 0.0], [1.0, 0.0, 0.0], [9.0, 9.0, 9.0]])
    assert decide(p, costs).tolist() == [0]
    assert decide(p[:, ::-1], costs[::-1, ::-1]).tolist() == [1]


def test_priors_uniform_given_and_named() -> None:
    X, y = pd.DataFrame({"x": ["u", "u", "v", "v"]}), ["a", "a", "a", "b"]
    row = pd.DataFrame({"x": [None]})
    for prior, expected in (
        (None, [4 / 6, 2 / 6]),
        ("uniform", [0.5, 0.5]),
        ([0.9, 0.1], [0.9, 0.1]),
        ({"b": 0.25, "a": 0.75}, [0.75, 0.25]),
    ):
        np.testing.assert_allclose(NaiveBayes(prior=prior).fit(X, y).predict_proba(row), [expected])


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ("flat", "prior='flat' is not known"),
        ([0.5, 0.6], "add up to 1.1"),
        ([0.5, 0.3, 0.2], "3 entries for 2 classes"),
        ([1.5, -0.5], "not a probability"),
        ({"a": 1.0}, "says nothing of class 'b'"),
        ({"a": 0.5, "b": 0.3, "z": 0.2}, "there is no class 'z'"),
    ],
)
def test_priors_that_do_not_fit_are_errors(prior: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NaiveBayes(prior=prior).fit(pd.DataFrame({"x": ["u", "v"]}), ["a", "b"])


def test_a_prior_of_no_shape_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"prior=0\.5"):
        NaiveBayes(prior=0.5).fit(pd.DataFrame({"x": ["u", "v"]}), ["a", "b"])


def test_the_risk_of_every_decision_is_the_formula() -> None:
    costs = {"a": {"b": 10, "c": 1}, "b": {"a": 1, "c": 1}, "c": {"a": 1, "b": 10}}
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"x": rng.choice(["u", "v"], 60), "z": rng.choice(["s", "t", "w"], 60)})
    nb = NaiveBayes(costs=costs).fit(X, rng.choice(CLASSES, 60))
    risk, p = nb.risk(X), nb.predict_proba(X)
    for d, decided in enumerate(CLASSES):
        expected = sum(costs[decided].get(true, 0) * p[:, c] for c, true in enumerate(CLASSES))
        np.testing.assert_allclose(risk[:, d], expected, rtol=1e-12)
    assert nb.predict(X).tolist() == CLASSES[risk.argmin(axis=1)].tolist()


def test_without_costs_the_risk_is_the_probability_of_an_error() -> None:
    X = pd.DataFrame({"x": list("uuvvuv")})
    nb = NaiveBayes().fit(X, list("aabbcc"))
    np.testing.assert_allclose(nb.risk(X), 1 - nb.predict_proba(X), rtol=1e-12)
    # eq. 4 adds the other classes up: what is far below one keeps its digits
    sure = NaiveBayes(distributions="normal").fit([[0.0], [1.0], [10.0], [11.0]], list("aabb"))
    assert 0 < sure.risk([[0.5]])[0, 0] < 1e-50
