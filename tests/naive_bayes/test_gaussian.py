import numpy as np
import pytest
from scipy.stats import norm
from tests.naive_bayes.drop_ins import same_model, theirs

from candide.naive_bayes import GaussianNB


def with_holes(n=200, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), np.arange(n) % 2
    X[rng.random(X.shape) < 0.2] = np.nan
    return X, y


def test_missing_cells_are_left_out_of_means_and_variances():
    X, y = with_holes()
    nb = GaussianNB().fit(X, y)
    epsilon = 1e-9 * np.nanvar(X, axis=0).max()
    np.testing.assert_allclose(nb.epsilon_, epsilon)
    for k in (0, 1):
        np.testing.assert_allclose(nb.theta_[k], np.nanmean(X[y == k], axis=0))
        np.testing.assert_allclose(nb.var_[k], np.nanvar(X[y == k], axis=0) + epsilon)
    assert nb.class_count_.tolist() == [100, 100]


def test_a_missing_cell_says_nothing():
    X, y = with_holes()
    nb = GaussianNB().fit(X, y)
    log_density = norm.logpdf(X[:, None, :], nb.theta_, np.sqrt(nb.var_))
    expected = np.log(nb.class_prior_) + np.nansum(log_density, axis=2)
    np.testing.assert_allclose(nb.predict_joint_log_proba(X), expected)
    np.testing.assert_allclose(nb.predict_proba(np.full((1, 3), np.nan)), [nb.class_prior_])


def test_a_class_that_never_saw_a_column_takes_it_from_all_classes():
    X, y = with_holes()
    X[y == 1, 2] = np.nan
    nb = GaussianNB(var_smoothing=0.0).fit(X, y)
    np.testing.assert_allclose(nb.theta_[1, 2], nb.theta_[0, 2])
    np.testing.assert_allclose(nb.var_[1, 2], nb.var_[0, 2])
    X[:, 2] = np.nan
    nb = GaussianNB().fit(X, y)
    nobody = nb.predict_joint_log_proba(np.array([[0.0, 0.0, 5.0], [0.0, 0.0, np.nan]]))
    np.testing.assert_array_equal(nobody[0], nobody[1])


@pytest.mark.parametrize("far", [5.0, 1e200, -1e300])
def test_a_column_that_was_never_known_says_nothing_of_any_number(far):
    X, y = with_holes()
    X[:, 2] = np.nan
    nb = GaussianNB(priors=[0.3, 0.3, 0.4]).partial_fit(X, y, classes=[0, 1, 2])  # and of no class, also one unseen
    assert np.isinf(nb.var_[:, 2]).all()
    silent = nb.predict_joint_log_proba(np.array([[0.5, -0.5, np.nan]]))
    np.testing.assert_allclose(nb.predict_joint_log_proba(np.array([[0.5, -0.5, far]])), silent, rtol=1e-14)
    assert np.isfinite(silent).all()
    with pytest.raises(ValueError, match="Input X contains infinity"):
        nb.predict([[0.5, -0.5, np.inf]])


def test_rows_forgotten_to_the_last_leave_the_prior():
    X, y = with_holes()
    nb = GaussianNB(priors=[0.25, 0.75]).fit(X, y).forget(X, y)
    np.testing.assert_allclose(nb.predict_proba(X[:3]), [[0.25, 0.75]] * 3)


def test_forget_refuses_numbers_that_no_row_had():
    nb = GaussianNB().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    with pytest.raises(ValueError, match=r"never learnt: class .*0.* does not hold them"):
        nb.forget([[100.0]], [0])
    assert nb.theta_[0, 0] == 1.5


def test_batches_with_holes_add_up():
    X, y = with_holes()
    nb = GaussianNB().partial_fit(X[:50], y[:50], classes=[0, 1]).partial_fit(X[50:], y[50:])
    same_model(nb, GaussianNB().fit(X, y))


def test_epsilon_is_that_of_all_batches():
    # scikit-learn takes epsilon from the last batch alone, here one of no variance at all
    X, y = np.array([[0.0], [10.0], [20.0], [30.0]]), np.array([0, 0, 1, 1])
    nb = GaussianNB(var_smoothing=0.5).partial_fit(X, y, classes=[0, 1]).partial_fit([[5.0]], [0])
    assert nb.epsilon_ == pytest.approx(0.5 * np.var([0, 10, 20, 30, 5]))


def test_epsilon_leaves_weights_aside_as_scikit_learns_does():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(50, 2)), np.arange(50) % 2, rng.random(50) * (np.arange(50) % 3 > 0)
    same_model(GaussianNB(var_smoothing=0.5).fit(X, y, w), theirs("GaussianNB", var_smoothing=0.5).fit(X, y, w))


def test_far_from_zero():
    X, y = np.random.default_rng(0).normal(1e8, 1.0, size=(1000, 2)), np.arange(1000) % 2
    same_model(GaussianNB().fit(X, y), theirs("GaussianNB").fit(X, y), rtol=1e-7)


def test_the_floor_of_scikit_learns_helper():
    X = np.array([[1.0], [2.0], [6.0]])
    weight = np.array([1.0, 2.0, 1.0])
    args = 2.0, np.array([1.5]), np.array([0.25]), X
    for w in (None, weight):
        expected = theirs("GaussianNB")._update_mean_variance(*args, sample_weight=w)
        np.testing.assert_allclose(GaussianNB._update_mean_variance(*args, sample_weight=w), expected)


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinity_is_an_error(bad):
    X, y = with_holes()
    nb = GaussianNB().fit(X, y)
    X[150, 1] = bad
    with pytest.raises(ValueError, match="Input X contains infinity"):
        GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match="Input X contains infinity"):
        nb.predict(X)


def test_single_precision_stays_single():
    X, y = with_holes()
    nb = GaussianNB().fit(X.astype(np.float32), y)
    assert nb.theta_.dtype == nb.var_.dtype == nb.class_prior_.dtype == np.float32
    assert nb.predict_proba(X.astype(np.float32)).dtype == np.float32
    assert nb.predict_proba(X).dtype == np.float64
