"""The short way in answers as scikit-learn's validation does."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from tests.naive_bayes.drop_ins import NAMES, cells, ours, theirs

from candide.naive_bayes.matrix import BLOCK, SHARE, agreed_classes, all_finite, blocks, is_plain

each = pytest.mark.parametrize("name", NAMES)


def error_of(call):
    with pytest.raises((ValueError, TypeError, NotFittedError)) as caught:
        call()
    return type(caught.value), str(caught.value).split("\n")[0]


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((0, 4)),
        np.zeros((5, 0)),
        np.zeros(5),
        np.zeros((5, 4, 1)),
        np.zeros((5, 4), complex),
        np.full((5, 4), "a"),
        np.full((5, 4), np.inf),
        None,
        "text",
    ],
    ids=lambda bad: f"{getattr(bad, 'shape', bad)} {getattr(bad, 'dtype', '')}",
)
@each
def test_odd_tables_raise_scikit_learns_errors(name, bad):
    y = np.arange(5) % 2
    mine, given = error_of(lambda: ours(name).fit(bad, y)), error_of(lambda: theirs(name).fit(bad, y))
    if "int" in given[1]:  # scikit-learn casts to int first and shows Python's error; ours speaks of the table
        assert name == "CategoricalNB"
        assert mine[0] is ValueError
    else:
        assert mine == given


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
@pytest.mark.parametrize("container", [np.array, sp.csr_array])
def test_missing_cells_raise_scikit_learns_error_where_it_has_one(name, container):
    X = np.abs(cells(name, np.random.default_rng(0), 5)).astype(float)
    y = np.arange(5) % 2
    a, b = ours(name).fit(X, y), theirs(name).fit(X, y)
    X[3, 1] = np.nan
    bad = container(X)
    assert error_of(lambda: ours(name).fit(bad, y)) == error_of(lambda: theirs(name).fit(bad, y))
    assert error_of(lambda: a.predict(bad)) == error_of(lambda: b.predict(bad))


@each
def test_predict_raises_scikit_learns_errors(name):
    X, y = np.abs(cells(name, np.random.default_rng(0), 6)), np.arange(6) % 2
    a, b = ours(name).fit(X, y), theirs(name).fit(X, y)
    for bad in (X[:, :2], X[0], np.zeros((0, 4), X.dtype)):
        assert error_of(lambda bad=bad: a.predict(bad)) == error_of(lambda bad=bad: b.predict(bad))
    assert error_of(lambda: ours(name).predict(X)) == error_of(lambda: theirs(name).predict(X))


@each
def test_lengths_must_agree(name):
    X = np.abs(cells(name, np.random.default_rng(0), 6))
    for y, w in (([0, 1], None), ([0, 1] * 3, [1.0])):
        assert error_of(lambda y=y, w=w: ours(name).fit(X, y, w)) == error_of(
            lambda y=y, w=w: theirs(name).fit(X, y, w)
        )


@each
def test_names_are_checked(name):
    frame = pd.DataFrame(np.abs(cells(name, np.random.default_rng(0), 6)), columns=list("abcd"))
    nb = ours(name).fit(frame, [0, 1] * 3)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        nb.predict(frame.to_numpy())
    with pytest.raises(ValueError, match="feature names should match"):
        nb.predict(frame.rename(columns={"a": "z"}))


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("GaussianNB", {"var_smoothing": -1}),
        ("MultinomialNB", {"alpha": -1}),
        ("ComplementNB", {"norm": "no"}),
        ("BernoulliNB", {"binarize": -1}),
        ("CategoricalNB", {"alpha": [1.0]}),
        ("CategoricalNB", {"min_categories": 0}),
    ],
)
def test_parameters_are_checked_at_fit(name, params):
    X, y = np.array([[0, 1], [1, 0]]), [0, 1]
    ok, message = error_of(lambda: ours(name, **params).fit(X, y))
    assert issubclass(ok, ValueError)
    assert message == error_of(lambda: theirs(name, **params).fit(X, y))[1]


def test_plain_tables():
    assert is_plain(np.zeros((2, 2)))
    assert is_plain(np.zeros((2, 2), np.uint8)[:, ::-1])
    assert is_plain(sp.csr_array(np.eye(2)))
    swapped, packed = np.zeros((2, 2), ">f8"), np.zeros(2, [("a", "u1"), ("x", "f8", 2)])["x"]
    for odd in (swapped, packed, np.zeros(2), np.zeros((0, 2)), sp.csc_array(np.eye(2)), [[1.0]], np.ma.array([[1.0]])):
        assert not is_plain(odd)


def test_a_sum_that_overflows_is_left_to_the_full_check():
    assert not all_finite(np.full((2, 1), 1e308))
    X = np.array([[1e308], [1e308], [0.0]])
    ours("MultinomialNB").fit(X / 1e150, [0, 1, 0]).predict(X)


def test_blocks_cover_the_rows_once():
    for n, width in ((1, 5), (7, BLOCK), (100_000, 37), (4_000_000, 2)):
        X = np.zeros((n, 3), np.uint8)
        parts = list(blocks(X, width))
        assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
        assert parts[-1].stop == n
        assert all((part.stop - part.start) * width <= max(BLOCK, X.size // SHARE, width) for part in parts)


def test_agreed_classes():
    np.testing.assert_array_equal(agreed_classes(None, [2, 1, 2]), [1, 2])
    np.testing.assert_array_equal(agreed_classes(np.array([1, 2]), None), [1, 2])
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        agreed_classes(None, None)
    with pytest.raises(ValueError, match="is not the same as on last call"):
        agreed_classes(np.array([1, 2]), [1, 3])
