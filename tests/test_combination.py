"""Combinations by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from candide import NaiveBayes
from candide.combination import Outlier, Product, Robust, Sum, as_combination

F = Fraction

X = pd.DataFrame({"a": ["x", "x", "y", "y", "z"], "b": ["u", "v", "v", "v", "u"]})
Y = np.array(["p", "p", "q", "q", "q"])
# counts:  a | p: x2 | q: y2 z1      b | p: u1 v1 | q: v2 u1


def joint(nb: NaiveBayes, **cells: object) -> np.ndarray:
    return np.exp(nb.predict_joint_log_proba(pd.DataFrame({k: [v] for k, v in cells.items()})))[0]


def test_sum_by_hand() -> None:
    nb = NaiveBayes(smoothing="none", combination="sum").fit(X, Y)
    p, q = F(2, 5) * (F(1) + F(1, 2)), F(3, 5) * (F(0) + F(2, 3))
    np.testing.assert_allclose(joint(nb, a="x", b="v"), [float(p), float(q)])
    row = pd.DataFrame({"a": ["x"], "b": ["v"]})
    np.testing.assert_allclose(nb.predict_proba(row), [[float(p / (p + q)), float(q / (p + q))]])
    assert np.isfinite(nb.predict_log_proba(row)).all()  # one impossible attribute does not bring q to zero


def test_sum_of_what_is_known_and_the_prior_of_nothing() -> None:
    nb = NaiveBayes(smoothing="none", combination="sum").fit(X, Y)
    np.testing.assert_allclose(joint(nb, a=None, b="v"), [2 / 5 * 1 / 2, 3 / 5 * 2 / 3])
    np.testing.assert_allclose(joint(nb, a="never", b="v"), [2 / 5 * 1 / 2, 3 / 5 * 2 / 3])
    np.testing.assert_allclose(nb.predict_proba(pd.DataFrame({"a": [None], "b": [None]})), [[0.4, 0.6]])


def test_robust_is_the_product_where_a_class_is_possible() -> None:
    product, robust = (NaiveBayes(smoothing="none", combination=c).fit(X, Y) for c in ("product", "robust"))
    keep = ~product.impossible(X)
    np.testing.assert_array_equal(robust.predict_joint_log_proba(X)[keep], product.predict_joint_log_proba(X)[keep])


def test_robust_takes_the_class_with_the_fewest_zeros_for_its_size() -> None:
    # three columns; the row has two zeros under the large class (2 / 0.8 = 2.5) and one under the small (1 / 0.2 = 5)
    table = pd.DataFrame(
        {
            "a": ["s", "s", "s", "s", "t"],
            "b": ["s", "s", "s", "s", "t"],
            "c": ["s", "s", "s", "s", "t"],
        }
    )
    y = ["large"] * 4 + ["small"]
    nb = NaiveBayes(smoothing="none", combination="robust").fit(table, y)
    row = pd.DataFrame({"a": ["t"], "b": ["t"], "c": ["s"]})
    assert nb.impossible(row).all()
    np.testing.assert_array_equal(nb.predict_proba(row), [[1, 0]])
    assert nb.predict(row).tolist() == ["large"]
    # a nearer fight: three classes with equal zeros, the most frequent wins; ties go to the first label
    nb = NaiveBayes(smoothing="none", combination="robust", prior="uniform").fit(table, y)
    np.testing.assert_array_equal(nb.predict_proba(row), [[0, 1]])  # 2 / 0.5 against 1 / 0.5


def test_robust_ignores_what_says_nothing() -> None:
    nb = NaiveBayes(smoothing="none", combination="robust").fit(X, Y)
    row = pd.DataFrame({"a": [None], "b": ["never"]})
    np.testing.assert_allclose(nb.predict_proba(row), [[0.4, 0.6]])


def test_a_class_without_prior_never_wins_by_having_no_zeros() -> None:
    nb = NaiveBayes(smoothing="none", combination="robust", prior={"p": 0.0, "q": 1.0}).fit(X, Y)
    row = pd.DataFrame({"a": ["x"], "b": ["u"]})
    np.testing.assert_array_equal(nb.predict_proba(row), [[0, 1]])


@pytest.mark.parametrize("background", ["marginal", "uniform"])
@pytest.mark.parametrize("rate", [0.0, 0.01, 0.5, 1.0])
def test_outlier_by_hand(rate: float, background: str) -> None:
    nb = NaiveBayes(smoothing="none", combination=Outlier(rate, background)).fit(X, Y)
    r = F(rate).limit_denominator()
    b_a = F(2 + 1, 5 + 3) if background == "marginal" else F(1, 3)
    b_b = F(3 + 1, 5 + 2) if background == "marginal" else F(1, 2)
    p = F(2, 5) * ((1 - r) * F(1) + r * b_a) * ((1 - r) * F(1, 2) + r * b_b)
    q = F(3, 5) * ((1 - r) * F(0) + r * b_a) * ((1 - r) * F(2, 3) + r * b_b)
    np.testing.assert_allclose(joint(nb, a="x", b="v"), [float(p), float(q)], rtol=1e-12)


def test_outlier_of_densities_mixes_over_the_classes() -> None:
    x, y = np.array([[0.0], [2.0], [10.0], [14.0], [12.0]]), ["p", "p", "q", "q", "q"]
    nb = NaiveBayes(distributions="normal", smoothing="none", combination=Outlier(0.2)).fit(x, y)
    f = np.array([stats.norm(1, 1).pdf(3.0), stats.norm(12, np.sqrt(8 / 3)).pdf(3.0)])
    alpha = np.array([0.4, 0.6])
    mixed = alpha * (0.8 * f + 0.2 * (alpha * f).sum())
    np.testing.assert_allclose(np.exp(nb.predict_joint_log_proba([[3.0]]))[0], mixed, rtol=1e-12)


def test_outlier_of_an_array_and_of_a_column_without_a_level() -> None:
    for background in ("marginal", "uniform"):
        nb = NaiveBayes(distributions="categorical", combination=Outlier(0.1, background)).fit([[1, 2], [2, 2]], [0, 1])
        assert np.isfinite(nb.predict_log_proba([[1, 2], [7, 7]])).all()
        table = pd.DataFrame({"a": ["x", "y"], "b": [None, None], "c": [np.nan, np.nan]})
        nb = NaiveBayes(distributions={"b": "categorical"}, combination=Outlier(0.1, background)).fit(table, [0, 1])
        assert np.isfinite(nb.predict_log_proba(table)).all()
        assert np.isfinite(nb.explain(table).contributions).all()
        assert np.isfinite(nb.leave_one_out(table, [0, 1])).all()


def test_outlier_without_outliers_is_the_product_and_bounds_what_a_cell_can_say() -> None:
    product = NaiveBayes(smoothing="none").fit(X, Y)
    none = NaiveBayes(smoothing="none", combination=Outlier(0.0)).fit(X, Y)
    np.testing.assert_allclose(none.predict_joint_log_proba(X), product.predict_joint_log_proba(X))
    some = NaiveBayes(smoothing="none", combination="outlier").fit(X, Y)
    assert np.isfinite(some.predict_log_proba(X)).all()


def test_outlier_of_a_group_mixes_with_its_marginal() -> None:
    nb = NaiveBayes(smoothing="none", groups=[["a", "b"]], combination=Outlier(0.5)).fit(X, Y)
    # seen together: xu xv yv zu, in 1, 1, 2, 1 rows
    b = F(1 + 1, 5 + 4)
    np.testing.assert_allclose(
        joint(nb, a="x", b="v"), [float(F(2, 5) * (F(1, 4) + b / 2)), float(F(3, 5) * (b / 2))], rtol=1e-12
    )
    both = F(1 + 1 + 1 + 1, 5 + 4)  # xu and xv, which agree with what is known
    np.testing.assert_allclose(
        joint(nb, a="x", b=None), [float(F(2, 5) * (F(1, 2) + both / 2)), float(F(3, 5) * both / 2)], rtol=1e-12
    )
    nb.set_params(combination=Outlier(0.5, "uniform"))
    np.testing.assert_allclose(
        joint(nb, a="x", b="v"), [float(F(2, 5) * (F(1, 4) + F(1, 8))), float(F(3, 5) * F(1, 8))], rtol=1e-12
    )


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Outlier(1.5), r"Outlier\(rate=1\.5\): the rate is a probability"),
        (Outlier(-0.1), "the rate is a probability"),
        (Outlier(float("nan")), "the rate is a probability"),
        (Outlier("a"), r"Outlier\(rate='a'\): the rate is a probability"),
        (Outlier(None), "the rate is a probability"),
        (Outlier(0.1, "flat"), r"Outlier\(background='flat'\): use 'marginal' or 'uniform'"),
    ],
    ids=str,
)
def test_outlier_parameters_are_checked_at_fit(rule: Outlier, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NaiveBayes(combination=rule).fit(X, Y)
    nb = NaiveBayes().fit(X, Y).set_params(combination=rule)
    with pytest.raises(ValueError, match=message):
        nb.predict(X)


@pytest.mark.parametrize("combination", ["sum", "robust"])
@pytest.mark.parametrize("density", ["normal", "poisson", "multinomial", "gamma"])
def test_rules_of_discrete_attributes_refuse_densities_at_fit(combination: str, density: str) -> None:
    x = np.array([[1.0], [2.0], [3.0]])
    with pytest.raises(ValueError, match=f"combination='{combination}' speaks of discrete attributes: column 0"):
        NaiveBayes(distributions=density, combination=combination).fit(x, [0, 1, 1])
    NaiveBayes(combination=combination).fit(x, [0, 1, 1]).predict_proba(x)  # numbers are binned


def test_names() -> None:
    for name, rule in (("product", Product), ("sum", Sum), ("robust", Robust), ("outlier", Outlier)):
        assert as_combination(name) == rule()
    with pytest.raises(ValueError, match="combination='add' is not known"):
        NaiveBayes(combination="add").fit(X, Y)
