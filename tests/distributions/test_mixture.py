from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from tests import laws
from tests.discretizers.columns import EXTREME, MODERATE, columns

from candide import NaiveBayes
from candide.distributions.mixture import Mixture


def test_the_log_density_is_scipys():
    values = np.concatenate([np.linspace(-1, 1, 40), np.linspace(8, 12, 60)])
    density = Mixture().density(values, np.ones((1, 100)))
    p = {name: value[0] for name, value in density.describe().items()}
    x = np.linspace(-5, 20, 50)
    parts = stats.norm(p["mean"], np.sqrt(p["var"])).pdf(x[:, None])
    np.testing.assert_allclose(np.exp(density.log_density(x)[:, 0]), parts @ p["weight"])


def test_one_component_has_the_normal_densitys_floor():
    values, counts = np.array([0.0, 1.0, 2.0]), np.array([[5, 0, 0], [0, 3, 4], [0, 0, 0]])
    p = Mixture(1).density(values, counts).describe()
    everything = np.repeat(values, counts.sum(axis=0))
    floor = 1e-3 * everything.var()
    np.testing.assert_allclose(p["var"][:, 0], [floor, max(12 / 49, floor), everything.var()])
    np.testing.assert_allclose(p["mean"][:, 0], [0, 11 / 7, everything.mean()])


@given(columns(values=MODERATE | EXTREME, max_size=6))
def test_no_column_makes_the_density_anything_but_a_number(column):
    values, counts = column
    density = Mixture(starts=2).density(values, counts)
    silent = (counts.sum(axis=0) > 0).sum() < 2
    says = np.isfinite(density.log_density(np.r_[values, 0.0, 1e308, -1e308]))
    assert (~says if silent else says).all()
    c, at = np.nonzero(counts)
    several = (counts.sum(axis=0) > 0).sum() - (counts.sum(axis=0)[at] == 1) > 1
    left = density.leave_one_out(values[at], c, np.ones(len(c)))
    assert np.isfinite(left[several]).all()


@pytest.mark.parametrize("weights", [None, [0.1, 0.3, 0.7, 1.3, 2.0]])
@pytest.mark.parametrize("rule", [Mixture(), Mixture(1), Mixture(2), Mixture(4)], ids=repr)
def test_leaving_a_row_out_is_refitting_without_it(rule, weights):
    rng = np.random.default_rng(0)
    y = np.r_[0, rng.integers(1, 4, 29)]  # a class that loses its only row
    # values that repeat, classes at the floor of the variances, and one that is far wider than the others
    X = (rng.gamma(2.0, 10.0 ** (y - 2.0)).round(2) + 0.1)[:, None]
    w = None if weights is None else rng.choice(weights, 30)
    laws.leaves_one_out(NaiveBayes(distributions=rule).fit(X, y, w), X, y, w)


@pytest.mark.parametrize(("x", "y"), [([1, 1, 2], [0, 0, 1]), ([1, 2, 4, 5, 5], [0, 1, 1, 0, 0])])
def test_leaving_a_row_out_of_a_class_without_rows_and_of_a_column_of_two_values(x, y):
    X, y = np.array(x, dtype=float)[:, None], np.array(y)
    nb = NaiveBayes(distributions="mixture").partial_fit(X, y, classes=[0, 1, 2])
    laws.leaves_one_out(nb, X, y)


def test_one_step_serves_where_the_refit_takes_too_long(monkeypatch):
    rng = np.random.default_rng(0)
    x = np.sort(np.concatenate([rng.normal(0, 1, 60), rng.normal(7, 1, 60)]))
    density = Mixture(2).density(x, np.ones((1, 120)))
    rows = x, np.zeros(120, int), np.ones(120)
    exact = density.leave_one_out(*rows)
    monkeypatch.setattr("candide.distributions.mixture_density.WORK", 0)
    near = density.leave_one_out(*rows)
    np.testing.assert_allclose(near, exact, atol=0.02)
    assert (near != exact).any()


def test_a_refit_goes_on_from_the_components_of_the_schema():
    rng = np.random.default_rng(0)
    x = np.sort(np.concatenate([rng.normal(0, 1, 60), rng.normal(7, 1, 60)]))
    begin = Mixture(2).density(x, np.ones((1, 120))).begin()
    again = Mixture(begin=begin).density(x[:110], np.ones((1, 110))).describe()
    fresh = Mixture(2).density(x[:110], np.ones((1, 110))).describe()
    for name, value in again.items():
        np.testing.assert_allclose(value, fresh[name], rtol=0.01)
    other = [([0.5, 0.5], [3.0, 4.0], [1e-9, 2.0])]
    assert np.isfinite(Mixture(begin=other).density(x, np.ones((1, 120))).log_density(x)).all()


@pytest.mark.parametrize(
    "begin",
    [[], [([1.0], [0.0], [1.0])] * 2, [([1.0, 0.0], [0.0, 1.0], [1.0, 1.0])], [([1.0], [0.0, 1.0], [1.0])]]
    + [[([1.0], [np.nan], [1.0])], [([1.0], [0.0], [-1.0])], [([], [], [])]],
)
def test_what_is_no_mixture_to_begin_with_is_refused(begin):
    with pytest.raises(ValueError, match=r"Mixture\(begin"):
        Mixture(begin=begin).density(np.array([0.0, 1.0]), np.ones((1, 2)))


@pytest.mark.parametrize("starts", [0, -1, 1.5, True, 10**9])
def test_what_is_no_number_of_ascents_is_refused(starts):
    with pytest.raises(ValueError, match=r"Mixture\(starts"):
        Mixture(starts=starts).density(np.array([0.0, 1.0]), np.ones((3, 2)))


def test_leaving_a_row_of_one_component_out_is_exact():
    x = np.array([0.0, 1.0, 2.5, 7.0])
    density = Mixture(1).density(x, np.ones((1, 4)))
    rest = x[:3]
    expected = stats.norm(rest.mean(), rest.std()).logpdf(7.0)
    np.testing.assert_allclose(density.leave_one_out(x[3:], np.zeros(1, int), np.ones(1))[0, 0], expected)


def test_samples_and_draws_follow_the_parameters():
    values = np.concatenate([np.linspace(-1, 1, 40), np.linspace(8, 12, 60)])
    density = Mixture(2).density(values, np.ones((1, 100)))
    rng = np.random.default_rng(0)
    assert abs((density.sample(rng, np.zeros(20_000, int)) > 5).mean() - 0.6) < 0.02
    means = np.array([density.draw(rng).describe()["mean"][0] for _ in range(500)])
    np.testing.assert_allclose(means.mean(axis=0), [0, 10], atol=0.1)


@pytest.mark.parametrize("k", [0, 1.5, True, "two", (1, 2), 10**9])
def test_what_is_no_number_of_components_is_refused(k):
    with pytest.raises(ValueError, match="Mixture"):
        Mixture(k).density(np.array([0.0, 1.0]), np.ones((3, 2)))
