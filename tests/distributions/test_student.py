from __future__ import annotations

import numpy as np
from scipy import stats
from tests import laws

from candide import NaiveBayes
from candide.distributions.student import Student
from candide.statistics.moments import Moments


def test_agrees_with_scipy():
    rng = np.random.default_rng(0)
    x = rng.normal(3, 2, size=(7, 1))
    other = rng.normal(-1, 1, size=(20, 1))
    both = [Moments.of(x), Moments.of(other)]
    moments = Moments(*(np.stack([getattr(m, a) for m in both]) for a in ("n", "mean", "m2")))
    p = Student().parameters(moments, None)
    grid = np.linspace(-9, 9, 31)
    for c, rows in enumerate((x, other)):
        n = len(rows)
        expected = stats.t(n - 1, rows.mean(), rows.std(ddof=1) * np.sqrt(1 + 1 / n)).logpdf(grid)
        np.testing.assert_allclose(Student().log_density(grid, {k: v[c] for k, v in p.items()}), expected)


def test_classes_that_tell_no_variance_take_the_columns():
    n, mean = np.array([[0.0], [1.0], [5.0], [10.0]]), np.array([[0.0], [1.0], [2.0], [4.0]])
    moments = Moments(n, mean, np.array([[0.0], [0.0], [0.0], [40.0]]))
    p = Student().parameters(moments, None)
    v = moments.pooled().var[0]
    np.testing.assert_allclose(p["scale"][:3, 0] ** 2, v * (1 + 1 / np.array([16.0, 1.0, 5.0])))
    np.testing.assert_allclose(p["df"][:, 0], [15, 15, 15, 9])
    assert np.isfinite(Student().log_density(np.array([0.0, 1e300]), {k: a[:1] for k, a in p.items()})[0]).all()


def test_a_constant_column_is_silent():
    p = Student().parameters(Moments(np.array([[3.0], [2.0]]), np.ones((2, 1)), np.zeros((2, 1))), None)
    assert p["silent"].all()


def test_draws_average_to_the_predictive():
    x = Moments(np.array([[6.0]]), np.array([[1.0]]), np.array([[5.0]]))
    student, rng = Student(), np.random.default_rng(0)
    at = np.array([[2.5]])
    p = student.parameters(x, None)
    draws = [np.exp(student.log_density(at, student.draw(rng, x, None, p))) for _ in range(4000)]
    np.testing.assert_allclose(np.mean(draws), np.exp(student.log_density(at, p)), rtol=0.03)


def test_counted_values_and_moments_give_one_density():
    X = np.array([[0.7]] * 3 + [[1.0], [2.0], [3.0]] + [[0.1]] * 3)
    y = np.repeat([0, 1, 2], 3)
    counted = NaiveBayes().fit(X, y).set_params(distributions="student")
    anew = NaiveBayes(distributions="student").fit(X, y)
    np.testing.assert_allclose(counted.predict_joint_log_proba(X), anew.predict_joint_log_proba(X), rtol=1e-12)


def test_two_rows_are_two_however_their_weights_round():
    # 1.3 + 0.7 is two in floats, and 3.3 − 1.3, what is left of the three without one, is less
    X, y = np.array([[1.0], [2.0], [9.0], [4.0], [6.0]]), np.array([0, 0, 0, 1, 1])
    weight = np.array([1.3, 0.7, 1.3, 1.0, 1.0])
    assert weight[:2].sum() == 2 > weight[:3].sum() - 1.3
    laws.leaves_one_out(NaiveBayes(distributions="student").fit(X, y, weight), X, y, weight)


def test_a_column_that_does_not_vary_is_drawn_as_it_is():
    x = np.column_stack([np.full(20, 7.5), np.arange(20.0)])
    drawn, _ = NaiveBayes("student").fit(x, np.arange(20) % 2).sample(30, random_state=0)
    assert set(drawn[:, 0].tolist()) == {7.5}
    assert len(set(drawn[:, 1].tolist())) == 30
