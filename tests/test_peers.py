"""What others get wrong, each reproduced on a release of theirs: here it must come out right."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests import laws

import candide
from candide import NaiveBayes


def test_one_variance_floor_for_all_columns() -> None:
    """A useful column in units of 1e-6 beside a noise column of scale 1e4."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    useful = 1e-6 * (rng.normal(size=4000) + 2 * y)
    noise = 1e4 * rng.normal(size=4000)
    X = np.column_stack([useful, noise])
    nb = NaiveBayes(distributions="normal").fit(X[:2000], y[:2000])
    alone = NaiveBayes(distributions="normal").fit(X[:2000, :1], y[:2000])
    assert alone.score(X[2000:, :1], y[2000:]) > 0.82
    assert nb.score(X[2000:], y[2000:]) > 0.82


def test_units_do_not_matter() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    x = rng.gamma(2.0, size=(300, 1)) + y[:, None]
    for rule in ("auto", "normal", "gamma", "bins", "lognormal", "exponential"):
        plain, tiny = (NaiveBayes(distributions=rule).fit(x * u, y).predict_proba(x * u) for u in (1, 2.0**-30))
        np.testing.assert_allclose(tiny, plain, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("rule", ["normal", "bins", "categorical", "auto"])
def test_partial_fit_differs_from_fit(rule: str) -> None:
    """By the order of batches, by classes that come one after the other, by one row per batch."""
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 6, (60, 2)).astype(float), rng.integers(0, 3, 60)
    whole = NaiveBayes(distributions=rule).fit(X, y)
    order = np.argsort(y, kind="stable")
    sorted_by_class, single = NaiveBayes(distributions=rule), NaiveBayes(distributions=rule)
    for part in np.array_split(order, 7):
        sorted_by_class.partial_fit(X[part], y[part])
    for i in order[::-1]:
        single.partial_fit(X[[i]], y[[i]])
    laws.same_model(sorted_by_class, whole, X)
    laws.same_model(single, whole, X)


@pytest.mark.parametrize("rule", ["normal", "gamma", "poisson", "bins", "categorical", "auto"])
def test_zero_weight_rows_move_nothing(rule: str) -> None:
    rng = np.random.default_rng(3)
    X, y = rng.integers(1, 9, (50, 2)).astype(float), rng.integers(0, 2, 50)
    far = np.full((20, 2), 1e6)
    weight = np.r_[np.ones(50), np.zeros(20)]
    a = NaiveBayes(distributions=rule).fit(X, y)
    b = NaiveBayes(distributions=rule).fit(np.vstack([X, far]), np.r_[y, np.full(20, 7)], weight)
    laws.same_model(a, b, X)
    a.partial_fit(far, np.full(20, 7), sample_weight=np.r_[1, np.zeros(19)])
    assert a.class_counts_.sum() == 51


def test_the_domain_does_not_shrink_after_a_later_batch() -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"k": ["a", "b", "c"]}), [0, 1, 1])
    nb.partial_fit(pd.DataFrame({"k": ["a", "a"]}), [0, 1])
    assert nb.schema_.columns[0].levels.tolist() == ["a", "b", "c"]
    whole = NaiveBayes().fit(pd.DataFrame({"k": ["a", "b", "c", "a", "a"]}), [0, 1, 1, 0, 1])
    laws.same_model(nb, whole, pd.DataFrame({"k": ["a", "b", "c", None]}))


def test_an_unseen_level_is_no_index_error() -> None:
    nb = NaiveBayes(distributions="categorical").fit([[0], [1], [2]], [0, 1, 1])
    np.testing.assert_allclose(nb.predict_proba([[3], [-1], [10**9]]), [nb.model_.prior.alpha] * 3)
    nb = NaiveBayes().fit(pd.DataFrame({"k": pd.Categorical(["a", "b"])}), [0, 1])
    new = pd.DataFrame({"k": pd.Categorical(["z"], categories=["z", "a"])})
    np.testing.assert_allclose(nb.predict_proba(new), [nb.model_.prior.alpha])


def test_floats_are_not_cut_to_integers_as_categories() -> None:
    nb = NaiveBayes(distributions="categorical", smoothing="none").fit([[0.9], [0.1], [1.9]], [0, 1, 2])
    assert nb.schema_.columns[0].levels.tolist() == [0.1, 0.9, 1.9]
    assert nb.predict([[0.9], [0.1], [1.9]]).tolist() == [0, 1, 2]


@pytest.mark.parametrize("combination", ["product", "outlier"])
def test_no_posterior_is_nan_after_one_outlier(combination: str) -> None:
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    for rule in ("normal", "bins", "auto", "kde", "student"):
        nb = NaiveBayes(distributions=rule, combination=combination).fit(X, y)
        laws.probabilities(nb, np.array([[1e8, 0, 0], [-1e300, 1e300, 0], [1e200, 1e200, -1e200]]))


def test_no_posterior_is_nan_after_one_unseen_level_or_thousands_of_columns() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 3, (30, 2000)), rng.integers(0, 3, 30)
    for rule in ("categorical", "normal", "bins"):
        nb = NaiveBayes(distributions=rule).fit(X, y)
        p = laws.probabilities(nb, X)
        assert (p.max(axis=1) > 0.99).all()
        strange = X.copy()
        strange[:, 0] = 99
        laws.probabilities(nb, strange)
    bare = NaiveBayes(distributions="categorical", smoothing="none").fit(X[:20], y[:20])
    assert bare.impossible(X[20:]).all()
    np.testing.assert_allclose(bare.predict_proba(X[20:]), np.tile(bare.model_.prior.alpha, (10, 1)))


def test_one_nan_does_not_poison_a_column_for_good() -> None:
    for rule in ("normal", "gamma", "poisson", "bins", "multinomial", "bernoulli", "categorical"):
        X = np.array([[1.0], [np.nan], [0.0 if rule in ("bernoulli", "multinomial", "poisson") else 2.0], [1.0]])
        y = [0, 0, 1, 1]
        nb = NaiveBayes(distributions=rule).partial_fit(X[:2], y[:2]).partial_fit(X[2:], y[2:])
        assert np.isfinite(nb.predict_joint_log_proba([[1.0]])).all()
        known = NaiveBayes(distributions=rule, prior="uniform").fit(X[[0, 2, 3]], [0, 1, 1])
        nb.set_params(prior="uniform")
        np.testing.assert_allclose(nb.predict_proba([[1.0]]), known.predict_proba([[1.0]]))


def test_one_row_and_a_batch_agree() -> None:
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, 4, 200)
    nb = NaiveBayes(distributions={0: "normal", 1: "bins"}).fit(X, y)
    batch = nb.predict_log_proba(X)
    np.testing.assert_allclose([nb.predict_log_proba(X[[i]])[0] for i in range(200)], batch, rtol=1e-12, atol=1e-14)


def test_a_row_is_not_dropped_because_of_one_missing_cell() -> None:
    X = pd.DataFrame({"a": ["u", "v", None], "b": [1.0, np.nan, 3.0]})
    nb = NaiveBayes(distributions={"b": "normal"}).fit(X, ["p", "q", "q"])
    assert nb.class_counts_.tolist() == [1, 2]
    assert nb.statistics_["cells"].table.tolist() == [[0, 1, 0], [1, 0, 1]]  # missing, u, v
    assert nb.statistics_["moments"].n.sum() == 2


def test_the_class_prior_is_not_left_out() -> None:
    X = pd.DataFrame({"a": ["u"] * 10})
    nb = NaiveBayes(smoothing="none").fit(X, ["p"] * 9 + ["q"])
    np.testing.assert_allclose(nb.predict_proba(X[:1]), [[0.9, 0.1]])
    np.testing.assert_allclose(np.exp(nb.predict_joint_log_proba(X[:1])), [[0.9, 0.1]])


def test_model_files_say_their_version_and_outlive_a_release(tmp_path: object) -> None:
    nb = NaiveBayes().fit([[1.0], [2.0]], ["a", "b"])
    nb.save(tmp_path / "m.json")
    assert candide.load(tmp_path / "m.json").predict([[1.0]]).tolist() == nb.predict([[1.0]]).tolist()
