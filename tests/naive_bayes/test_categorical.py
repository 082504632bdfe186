import numpy as np
import pytest
import scipy.sparse as sp
from tests.naive_bayes.drop_ins import same_answers, same_model, theirs

from candide.naive_bayes import CategoricalNB


def codes(n=400, d=3, k=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, k, size=(n, d)), np.arange(n) % 2


def test_missing_cells_count_for_no_category():
    X, y = codes()
    holes = X.astype(float)
    holes[::5, 1] = np.nan
    nb = CategoricalNB().fit(holes, y)
    known = CategoricalNB().fit(X[~np.isnan(holes[:, 1])], y[~np.isnan(holes[:, 1])])
    np.testing.assert_array_equal(nb.category_count_[1], known.category_count_[1])
    np.testing.assert_array_equal(nb.category_count_[0], CategoricalNB().fit(X, y).category_count_[0])
    assert nb.class_count_.tolist() == [200, 200]


def test_missing_and_unseen_categories_say_nothing():
    X, y = codes()
    nb = CategoricalNB().fit(X, y)
    rest = nb.class_log_prior_ + nb.feature_log_prob_[0][:, 2] + nb.feature_log_prob_[2][:, 1]
    for cell in (np.nan, 4, 99):
        np.testing.assert_allclose(nb.predict_joint_log_proba(np.array([[2, cell, 1]])), [rest])


def test_a_column_that_is_always_missing_says_nothing():
    X = np.array([[0.0, np.nan], [1.0, np.nan]])
    nb = CategoricalNB().fit(X, [0, 1])
    assert nb.n_categories_.tolist() == [2, 1]
    np.testing.assert_allclose(nb.predict_proba([[0, 0]]), nb.predict_proba([[0, 3]]))


def test_numbers_are_cut_to_whole_ones():
    X, y = codes()
    np.testing.assert_array_equal(
        CategoricalNB().fit(X + 0.75, y).category_count_[0], theirs("CategoricalNB").fit(X + 0.75, y).category_count_[0]
    )


def test_a_rare_large_category_is_counted():
    # many rows: the sizes are guessed, and the guess is wrong
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, size=(30_000, 4)), rng.integers(0, 2, 30_000)
    X[12_345, 2] = 77
    a, b = CategoricalNB().fit(X, y), theirs("CategoricalNB").fit(X, y)
    assert a.n_categories_.tolist() == [3, 3, 78, 3]
    same_model(a, b)
    same_answers(a, b, X)


@pytest.mark.parametrize("n", [10, 30_000])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["int", "float", "sparse"])
def test_negative_codes_are_an_error(n, weighted, kind):
    X, y = codes(n)
    nb = CategoricalNB().fit(X, y)
    X[n // 2, 1] = -1
    X = {"int": X, "float": X.astype(float), "sparse": sp.csr_array(X)}[kind]
    w = (np.arange(n) != n // 2).astype(float) if weighted else None
    for call in (lambda: CategoricalNB().fit(X, y, w), lambda: nb.predict(X)):
        with pytest.raises(ValueError, match=r"Negative values in data passed to CategoricalNB \(input X\)"):
            call()


def test_infinity_is_an_error():
    X, y = codes()
    X = np.where(np.arange(400)[:, None] == 7, np.inf, X)
    with pytest.raises(ValueError, match="Input X contains infinity"):
        CategoricalNB().fit(X, y)


def test_rows_of_weight_zero_show_their_categories():
    X, y = np.array([[0], [1], [5]]), [0, 1, 1]
    w = [1.0, 1.0, 0.0]
    same_model(CategoricalNB().fit(X, y, w), theirs("CategoricalNB").fit(X, y, w))


def test_batches_may_bring_new_categories():
    nb = CategoricalNB().partial_fit([[5], [0]], [0, 1], classes=[0, 1]).partial_fit([[1]], [1])
    same_model(nb, CategoricalNB().fit([[5], [0], [1]], [0, 1, 1]))


def test_forgotten_categories_leave():
    nb = CategoricalNB().fit([[0], [1], [5]], [0, 1, 1]).forget([[5]], [1])
    same_model(nb, CategoricalNB().fit([[0], [1]], [0, 1]))
    kept = CategoricalNB(min_categories=4).fit([[0], [1], [5]], [0, 1, 1]).forget([[5]], [1])
    assert kept.n_categories_.tolist() == [4]


@pytest.mark.parametrize("least", [[2.5, 2.5, 2.5], ["a", "b", "c"], [1, 2]])
def test_min_categories_are_checked(least):
    X, y = codes()
    with pytest.raises(ValueError, match="'min_categories' should have"):
        CategoricalNB(min_categories=least).fit(X, y)
