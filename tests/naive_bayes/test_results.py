"""The same numbers as scikit-learn, to the tenth digit."""

import copy
import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from tests.naive_bayes.drop_ins import NAMES, cells, ours, problems, same, same_answers, same_model, theirs

PARAMETERS = {
    "GaussianNB": [{}, {"var_smoothing": 0.1}, {"var_smoothing": 0.0}],
    "MultinomialNB": [{}, {"alpha": 0.1}, {"fit_prior": False}, {"alpha": [0.5, 1.0, 2.0, 0.0]}],
    "ComplementNB": [{}, {"norm": True}, {"alpha": [0.5, 1.0, 2.0, 3.0]}],
    "BernoulliNB": [{}, {"binarize": 1.0}, {"alpha": 3.0, "fit_prior": False}],
    "CategoricalNB": [{}, {"alpha": 0.5}, {"min_categories": 6}, {"min_categories": [1, 5, 2, 9]}],
}
CASES = [(name, params) for name in NAMES for params in PARAMETERS[name]]


@pytest.mark.parametrize(("name", "params"), CASES)
@given(data=st.data())
def test_dense(name, params, data):
    # a class of one row under var_smoothing=0 has no density
    X, y, w = data.draw(problems(name))
    if params.get("var_smoothing") == 0.0:
        X, y, w = np.vstack([X, -X, X + 1]), np.tile(y, 3), None if w is None else np.tile(w, 3)
    with np.errstate(divide="ignore"):
        a, b = ours(name, **params).fit(X, y, w), theirs(name, **params).fit(X, y, w)
    same_model(a, b)
    if np.isfinite(a.predict_joint_log_proba(X)).all():
        same_answers(a, b, X)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
@pytest.mark.parametrize("container", [sp.csr_array, sp.csr_matrix, sp.csc_matrix])
@given(data=st.data())
def test_sparse(name, container, data):
    X, y, w = data.draw(problems(name))
    S = container(X.astype(float))
    a, b = ours(name).fit(S, y, w), theirs(name).fit(S, y, w)
    same_model(a, b)
    same_answers(a, b, S)


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB"])
@given(data=st.data())
def test_sparse_is_dense_where_scikit_learn_has_no_sparse(name, data):
    X, y, w = data.draw(problems(name))
    X = np.where(np.abs(X) > 1, X, 0)
    a, b = ours(name).fit(sp.csr_array(X), y, w), ours(name).fit(X, y, w)
    same_model(a, b)
    same_answers(a, b, sp.csr_array(X), X)


TYPES = ["u1", "i2", "i4", "u8", "f4", "f8", ">f8", "f2", "O"]
HALVES = ("GaussianNB", "f2")
"""Scikit-learn estimates in half precision, and overflows."""


@pytest.mark.parametrize(("name", "dtype"), [c for c in product(NAMES, TYPES) if c != HALVES])
@pytest.mark.parametrize("order", ["C", "F"])
def test_types_and_orders(name, dtype, order):
    rng = np.random.default_rng(0)
    X = np.round(np.abs(cells(name, rng, 40))).astype(dtype, order=order)
    y = rng.integers(0, 3, 40)
    a, b = ours(name).fit(X, y), theirs(name).fit(X, y)
    single = (name, dtype) == ("GaussianNB", "f4")
    same_model(a, b, 1e-4 if single else 1e-10)
    same_answers(a, b, X, rtol=1e-3 if single else 1e-10)


@pytest.mark.parametrize("order", ["C", "F"])
def test_half_precision_is_estimated_without_overflow(order):
    rng = np.random.default_rng(0)
    X = np.round(np.abs(cells("GaussianNB", rng, 40))).astype("f2", order=order)
    y = rng.integers(0, 3, 40)
    a, b = ours("GaussianNB").fit(X, y), theirs("GaussianNB").fit(X.astype(float), y)
    for name in ("theta_", "var_", "class_prior_"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_strided_and_read_only(name):
    rng = np.random.default_rng(0)
    X = cells(name, rng, 60, 8)[::-2, ::2]
    X.flags.writeable = False
    y = np.repeat(rng.integers(0, 2, 30), 2)[::2]
    a, b = ours(name).fit(X, y), theirs(name).fit(np.ascontiguousarray(X), y)
    same_model(a, b)
    same_answers(a, b, X)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "labels",
    [
        ["b", "a"],
        np.array(["bb", "a"], object),
        np.array(["bb", "a"], "U9"),
        np.array([True, False]),
        np.array([7.0, -1.0]),
        np.array([7, -1], np.int8),
    ],
    ids=lambda v: str(np.asarray(v).dtype),
)
def test_labels(name, labels):
    rng = np.random.default_rng(0)
    X = cells(name, rng, 20)
    which = np.concatenate([[0, 1], rng.integers(0, 2, 18)])
    y = [labels[i] for i in which] if isinstance(labels, list) else labels[which]
    a, b = ours(name).fit(X, y), theirs(name).fit(X, y)
    same_model(a, b)
    same(a.predict(X), b.predict(X))


@pytest.mark.parametrize("name", NAMES)
def test_frames(name):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(cells(name, rng, 20), columns=list("abcd"))
    y = pd.Series(rng.choice(["x", "y"], 20))
    a, b = ours(name).fit(frame, y), theirs(name).fit(frame, y)
    assert list(a.feature_names_in_) == list("abcd")
    same_model(a, b)
    same_answers(a, b, frame)
    a.fit(frame.to_numpy(), y)
    assert not hasattr(a, "feature_names_in_")


@pytest.mark.parametrize("name", NAMES)
def test_many_rows_in_blocks(name):
    rng = np.random.default_rng(0)
    X, y = cells(name, rng, 20_000, 30), rng.integers(0, 40, 20_000)
    a, b = ours(name).fit(X, y), theirs(name).fit(X, y)
    same_model(a, b)
    same_answers(a, b, X)


@pytest.mark.parametrize("name", ["MultinomialNB", "CategoricalNB"])
def test_impossible_rows_have_no_posterior(name):
    X, y = np.array([[0, 1], [1, 0]]), [0, 1]
    a, b = ours(name, alpha=0.0).fit(X, y), theirs(name, alpha=0.0)
    with np.errstate(all="ignore"):
        b.fit(X, y)
        expected = b.predict_log_proba(sp.csr_array([[1, 1]]) if name == "MultinomialNB" else [[1, 1]])
    assert np.isnan(a.predict_log_proba([[1, 1]])).all()
    assert np.isnan(expected).all()
    assert a.predict([[1, 1]]) == 0


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_switches_that_a_class_always_or_never_turns_on(container):
    # scikit-learn's score of them is −∞ + ∞
    X, y = np.array([[1, 0], [1, 1], [0, 1], [0, 0]]), [0, 0, 1, 1]
    nb = ours("BernoulliNB", alpha=0.0).fit(container(X), y)
    with np.errstate(divide="ignore"):
        expected = np.log([[0.25, 0], [0.25, 0], [0, 0.25], [0, 0.25]])
    np.testing.assert_allclose(nb.predict_joint_log_proba(container(X)), expected)
    assert nb.predict(container(X)).tolist() == y


@pytest.mark.parametrize("name", ["MultinomialNB", "BernoulliNB"])
def test_a_class_of_which_nothing_was_counted_allows_nothing(name):
    # scikit-learn's log 0 − log 0 is NaN for every row
    nb = ours(name, alpha=0.0).partial_fit([[1, 1], [3, 0]], [1, 1], classes=[0, 1])
    np.testing.assert_array_equal(nb.feature_log_prob_[0], -np.inf)
    np.testing.assert_array_equal(nb.predict_proba([[2, 0]])[0], [0.0, 1.0])


@pytest.mark.parametrize("name", NAMES)
def test_with_every_row_forgotten_no_class_is_preferred(name):
    X, y = cells(name, np.random.default_rng(0), 12), np.arange(12) % 3
    nb = ours(name).fit(X, y).forget(X, y)
    np.testing.assert_allclose(nb.predict_proba(X), 1 / 3)


def test_zero_times_infinity_is_zero_as_in_sparse_tables():
    X, y = np.array([[0, 1], [1, 0]]), [0, 1]
    nb = ours("MultinomialNB", alpha=0.0).fit(X, y)
    np.testing.assert_array_equal(nb.predict_proba(X), np.eye(2))
    np.testing.assert_array_equal(nb.predict_proba(sp.csr_array(X)), np.eye(2))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda nb: pickle.loads(pickle.dumps(nb))])
def test_copies_answer_and_learn_alike(name, copied):
    rng = np.random.default_rng(0)
    X, y = cells(name, rng, 30), np.arange(30) % 3
    nb = ours(name).fit(X, y)
    twin = copied(nb)
    same_answers(twin, nb, X)
    twin.partial_fit(X, y)
    np.testing.assert_array_equal(twin.class_count_, 2 * nb.class_count_)
    same_model(twin, ours(name).fit(np.vstack([X, X]), np.concatenate([y, y])))


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_attribute_takes_effect(name):
    rng = np.random.default_rng(0)
    X, y = cells(name, rng, 30), np.arange(30) % 3
    a, b = ours(name).fit(X, y), theirs(name).fit(X, y)
    for nb in (a, b):
        nb.predict(X)
        if name == "GaussianNB":
            nb.theta_[0, 0] += 1
            nb.var_ = nb.var_ * 2
            nb.class_prior_ = np.array([0.5, 0.25, 0.25])
        else:
            nb.feature_log_prob_[0][0] -= 1
            nb.class_log_prior_ = np.log([0.5, 0.25, 0.25])
    same_answers(a, b, X)


@pytest.mark.parametrize("name", NAMES)
def test_given_priors(name):
    rng = np.random.default_rng(0)
    X, y = cells(name, rng, 30), np.arange(30) % 2
    prior = {"priors" if name == "GaussianNB" else "class_prior": [0.25, 0.75]}
    a, b = ours(name, **prior).fit(X, y), theirs(name, **prior).fit(X, y)
    same_model(a, b)
    same_answers(a, b, X)
