"""Categorical, Bernoulli and multinomial columns, against scikit-learn's where it has them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, MultinomialNB

from candide import NaiveBayes
from candide.discretizers import Cuts
from candide.distributions import Bins, Categorical
from candide.smoothing import Lidstone

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 80)
WORDS = RNG.poisson(0.7, (80, 12)).astype(float)


@pytest.mark.parametrize("alpha", [1.0, 0.1])
@pytest.mark.parametrize("weight", [None, RNG.random(80)], ids=["plain", "weighted"])
@pytest.mark.parametrize("make", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_multinomial_is_scikit_learns(alpha: float, weight: np.ndarray | None, make: type) -> None:
    ours = NaiveBayes(distributions="multinomial", smoothing=Lidstone(alpha)).fit(make(WORDS), Y, weight)
    theirs = MultinomialNB(alpha=alpha).fit(WORDS, Y, weight)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(make(WORDS)), theirs.predict_joint_log_proba(WORDS), rtol=1e-10
    )
    np.testing.assert_allclose(ours.predict_proba(make(WORDS)), theirs.predict_proba(WORDS), rtol=1e-9)


@pytest.mark.parametrize("alpha", [1.0, 0.1])
@pytest.mark.parametrize("weight", [None, RNG.random(80)], ids=["plain", "weighted"])
@pytest.mark.parametrize("make", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_bernoulli_is_scikit_learns(alpha: float, weight: np.ndarray | None, make: type) -> None:
    X = (WORDS > 0).astype(float)
    ours = NaiveBayes(distributions="bernoulli", smoothing=Lidstone(alpha)).fit(make(X), Y, weight)
    theirs = BernoulliNB(alpha=alpha).fit(X, Y, weight)
    np.testing.assert_allclose(ours.predict_joint_log_proba(make(X)), theirs.predict_joint_log_proba(X), rtol=1e-10)


@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_categorical_is_scikit_learns(alpha: float) -> None:
    X = RNG.integers(0, 4, (80, 5))
    ours = NaiveBayes(distributions="categorical", smoothing=Lidstone(alpha)).fit(X, Y)
    theirs = CategoricalNB(alpha=alpha).fit(X, Y)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-10)


def test_words_never_seen_in_a_class_are_impossible_there_without_smoothing() -> None:
    nb = NaiveBayes(distributions="multinomial", smoothing="none").fit([[2.0, 0.0], [0.0, 3.0]], ["p", "q"])
    np.testing.assert_array_equal(nb.predict_proba([[1.0, 0.0], [0.0, 5.0]]), [[1, 0], [0, 1]])
    assert nb.impossible([[1.0, 1.0]]).all()
    np.testing.assert_allclose(nb.predict_proba([[0.0, 0.0]]), [[0.5, 0.5]])


def test_a_missing_count_says_nothing() -> None:
    nb = NaiveBayes(distributions="multinomial").fit([[2.0, 1.0], [1.0, 3.0]], ["p", "q"])
    np.testing.assert_allclose(nb.predict_proba([[np.nan, np.nan]]), [[0.5, 0.5]])
    np.testing.assert_allclose(nb.predict_proba([[np.nan, 2.0]]), nb.predict_proba([[0.0, 2.0]]))


@pytest.mark.parametrize("dtype", [bool, "boolean", object])
def test_booleans_may_be_bernoulli(dtype: object) -> None:
    flags = np.array([True, False, True, True, False, False])
    y = list("ppqqpq")
    numbers = NaiveBayes(distributions="bernoulli").fit(pd.DataFrame({"a": flags.astype(float)}), y)
    X = pd.DataFrame({"a": pd.Series(flags, dtype=dtype)})
    nb = NaiveBayes(distributions={"a": "bernoulli"}).fit(X, y)
    np.testing.assert_array_equal(nb.predict_proba(X), numbers.predict_proba(pd.DataFrame({"a": flags.astype(float)})))


def test_declared_levels() -> None:
    X, y = pd.DataFrame({"a": ["x", "y"]}), ["p", "q"]
    nb = NaiveBayes(distributions={"a": Categorical(levels=["x", "y", "z", "w"])}).fit(X, y)
    np.testing.assert_allclose(
        np.exp(nb.predict_joint_log_proba(pd.DataFrame({"a": ["z"]}))), [[0.5 * 1 / 5, 0.5 * 1 / 5]]
    )
    nb.forget(X[1:], y[1:])
    assert nb.schema_.columns[0].levels.tolist() == ["x", "y", "z", "w"]  # declared levels stay


def test_numbers_as_categories_are_not_cut_to_integers() -> None:
    X = np.array([[0.2], [0.7], [0.2], [0.7]])
    nb = NaiveBayes(distributions="categorical", smoothing="none").fit(X, list("pqpq"))
    np.testing.assert_array_equal(nb.predict_proba([[0.2], [0.7]]), [[1, 0], [0, 1]])
    np.testing.assert_allclose(nb.predict_proba([[0.0]]), [[0.5, 0.5]])


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, object])
def test_huge_integers_are_levels_of_their_own(dtype: type) -> None:
    ids = [2**53, 2**53 + 1, 2**62, 2**62 + 1]
    X = pd.DataFrame({"id": pd.Series(ids * 2, dtype=dtype)})
    nb = NaiveBayes(distributions={"id": "categorical"}, smoothing="none").fit(X, list("pqpq") * 2)
    assert nb.predict(X).tolist() == list("pqpq") * 2
    array = np.array(ids * 2, dtype=dtype)[:, None]
    nb = NaiveBayes(distributions="categorical", smoothing="none").fit(array, list("pqpq") * 2)
    assert nb.predict(array).tolist() == list("pqpq") * 2


def test_bins_are_open_at_both_ends_and_closed_on_the_right() -> None:
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    nb = NaiveBayes(distributions=Bins(Cuts([2.0, 3.0])), smoothing="none").fit(X, list("ppqr"))
    np.testing.assert_array_equal(
        nb.predict_proba([[-1e9], [2.0], [2.0000001], [3.0], [3.1], [1e9]]),
        [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]],
    )


def test_ordinal_bins_are_steps() -> None:
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    nb = NaiveBayes(distributions=Bins(Cuts([1.5, 3.5]), ordinal=True)).fit(X, list("ppqq"))
    # x > 1.5: p 1 of 2, q 2 of 2; x > 3.5: p 0 of 2, q 1 of 2; softened by one each
    p, q = 2 / 4 * 3 / 4, 3 / 4 * 2 / 4
    np.testing.assert_allclose(nb.predict_proba([[3.0]]), [[p / (p + q), q / (p + q)]])
    assert nb.explain([[3.0]]).names == ["0 > 1.5", "0 > 3.5"]
