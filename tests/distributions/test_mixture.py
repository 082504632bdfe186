from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats
from tests.discretizers.columns import EXTREME, MODERATE, columns

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
@settings(max_examples=40)
def test_no_column_makes_the_density_anything_but_a_number(column):
    values, counts = column
    density = Mixture(starts=2).density(values, counts)
    if (counts.sum(axis=0) > 0).sum() < 2:
        assert np.isnan(density.log_density(values)).all()
        return
    assert np.isfinite(density.log_density(np.r_[values, 0.0, 1e308, -1e308])).all()
    c, at = np.nonzero(counts)
    assert np.isfinite(density.leave_one_out(values[at], c, np.ones(len(c)))).all()


def test_leaving_a_row_out_is_near_the_refit():
    rng = np.random.default_rng(0)
    x = np.sort(np.concatenate([rng.normal(0, 1, 60), rng.normal(7, 1, 60)]))
    density = Mixture(2).density(x, np.ones((1, 120)))
    for at in (0, 30, 60, 119):
        counts = np.ones((1, 120))
        counts[0, at] = 0
        refit = Mixture(2).density(x, counts).log_density(x[[at]])
        np.testing.assert_allclose(density.leave_one_out(x[[at]], np.zeros(1, int), np.ones(1)), refit, atol=0.01)


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


@pytest.mark.parametrize("k", [0, 1.5, True, "two", (1, 2)])
def test_what_is_no_number_of_components_is_refused(k):
    with pytest.raises(ValueError, match="Mixture"):
        Mixture(k).density(np.array([0.0, 1.0]), np.ones((3, 2)))
