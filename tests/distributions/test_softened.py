from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.discretizers.columns import columns

from candide import NaiveBayes
from candide.distributions.bins import Bins
from candide.distributions.gamma import Gamma, Poisson
from candide.distributions.kde import KDE
from candide.distributions.mixture import Mixture
from candide.distributions.moment_density import column_density
from candide.distributions.normal import LogNormal, Normal
from candide.distributions.softened import Softened, soften
from candide.distributions.student import Student
from candide.distributions.values import Silent

positive = columns(values=st.integers(1, 30).map(float))
INNER = [Normal(), LogNormal(), Gamma(), Poisson(), Student(), KDE("robust"), Mixture(1)]


@pytest.mark.parametrize("inner", INNER, ids=repr)
@given(positive, st.sampled_from([0.5, 1.0, 4.0]))
def test_softening_is_the_m_estimate_with_the_mixture_over_classes(inner, column, m):
    values, counts = column
    density = Softened(inner, m).density(values, counts)
    assume(not isinstance(density, Silent))
    f = np.exp(column_density(inner, values, counts).log_density(values))
    n = counts.sum(axis=1)
    g = f @ n / n.sum()
    np.testing.assert_allclose(np.exp(density.log_density(values)), (n * f + m * g[:, None]) / (n + m), rtol=1e-9)


def test_no_column_speaks_against_a_class_without_bound():
    values, counts = np.array([0.0, 1.0, 9.0, 10.0]), np.array([[50, 50, 0, 0], [0, 0, 50, 50]])
    far = np.array([-1e6, 0.0, 10.0, 1e6])
    odds = np.abs(np.diff(Softened(KDE(), m=1).density(values, counts).log_density(far)))
    assert (odds <= np.log(2 * 101 + 1e-6)).all()
    assert (np.abs(np.diff(KDE().density(values, counts).log_density(far))) > 20).all()


def test_what_no_class_allows_says_nothing():
    out = soften(np.array([[-np.inf, -np.inf], [0.0, -np.inf]]), np.array([3.0, 1.0]), 1.0)
    assert np.isnan(out[0]).all()
    assert np.isfinite(out[1]).all()
    density = Softened(LogNormal()).density(np.array([1.0, 2.0, 3.0]), np.array([[1, 1, 0], [0, 1, 1]]))
    assert np.isnan(density.log_density(np.array([-1.0, 0.0]))).all()


def test_samples_come_from_the_mixture_as_often_as_it_weighs():
    values, counts = np.array([0.0, 1.0, 100.0, 101.0]), np.array([[5, 4, 0, 0], [0, 0, 45, 45]])
    density = Softened(Normal(), m=1).density(values, counts)
    drawn = density.sample(np.random.default_rng(0), np.zeros(40_000, int))
    assert abs((drawn > 50).mean() - 0.1 * 90 / 99) < 0.01
    np.testing.assert_allclose(density.describe()["softening"], [1 / 10, 1 / 91])
    assert np.isfinite(density.draw(np.random.default_rng(0)).log_density(values)).all()


def test_what_cannot_be_softened_is_refused():
    with pytest.raises(TypeError, match="not a density"):
        Softened(Bins()).density(np.array([0.0, 1.0]), np.ones((2, 2)))
    with pytest.raises(ValueError, match="positive"):
        Softened(Normal(), m=0).density(np.array([0.0, 1.0]), np.ones((2, 2)))


def test_the_floor_of_the_other_classes_loses_the_row_that_is_left_out():
    x, y = np.array([3.8, 2.8, 4.7, 2.7])[:, None], np.array([0, 1, 1, 1])
    nb = NaiveBayes(Softened(Normal())).fit(x, y)
    left_out = np.exp(nb.leave_one_out(x, y))
    np.testing.assert_allclose(left_out[2], [0.2, 0.8])
    for i in range(4):
        rest = np.arange(4) != i
        without = NaiveBayes(Softened(Normal()), schema=nb.schema_).fit(x[rest], y[rest])
        np.testing.assert_allclose(left_out[i], without.predict_proba(x[[i]])[0], rtol=1e-9)
