from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gaussian_kde
from tests import laws
from tests.discretizers.columns import EXTREME, MODERATE, columns, statistic

from candide import NaiveBayes
from candide.distributions.kde import KDE
from candide.distributions.values import Silent


def samples():
    rng = np.random.default_rng(0)
    n = 900
    return {
        "normal": rng.normal(size=n),
        "cauchy": rng.standard_cauchy(n),
        "lognormal": np.exp(3 * rng.normal(size=n)),
        "whole": rng.integers(0, 16, n).astype(float),
        "outlier": np.r_[rng.normal(size=n - 3), 1e9, 2e9, -1e12],
        "spike": np.where(rng.random(n) < 0.5, 0.0, rng.normal(size=n) * 5 + 100),
        "two clusters": np.r_[rng.normal(size=n // 2), rng.normal(size=n // 2) + 8] * 1e-5,
    }


@pytest.mark.parametrize("rule", ["scott", "silverman"])
@pytest.mark.parametrize("name", samples())
def test_agrees_with_scipy_where_the_density_is_a_thousandth_of_its_maximum(name, rule):
    x = samples()[name]
    y = np.arange(len(x)) % 3
    density = KDE(rule).density(*statistic(x, y))
    for c in range(3):
        theirs = gaussian_kde(x[y == c], bw_method=rule)
        h = np.sqrt(theirs.covariance[0, 0])
        grid = np.sort(np.concatenate([x + h * shift for shift in np.linspace(-5, 5, 21)]))
        f = theirs(grid)
        seen = f >= 1e-3 * f.max()
        ours = np.exp(density.log_density(grid)[:, c])
        np.testing.assert_allclose(ours[seen], f[seen], rtol=3e-4)


@pytest.mark.parametrize("apart", np.linspace(0.5, 9, 18))
def test_two_kernels_at_any_distance(apart):
    density = KDE(1.0).density(np.array([0.0, apart]), np.array([[1, 1]]))
    x = np.linspace(-3.7, apart + 3.7, 2000)
    f = (np.exp(-0.5 * x**2) + np.exp(-0.5 * (x - apart) ** 2)) / np.sqrt(8 * np.pi)
    seen = f >= 1e-3 * f.max()
    np.testing.assert_allclose(np.exp(density.log_density(x)[seen, 0]), f[seen], rtol=5e-4)


def test_tails_go_on_like_a_normal_density():
    density = KDE(1.0).density(np.array([0.0, 100.0]), np.array([[1, 1]]))
    x = np.array([-50.0, 30.0, 50.0 - 1e-9, 70.0, 150.0])
    near = np.array([0.0, 0.0, 0.0, 100.0, 100.0])
    np.testing.assert_allclose(density.log_density(x)[:, 0], -0.5 * (x - near) ** 2 - np.log(np.sqrt(8 * np.pi)))


def test_outliers_do_not_stretch_the_table():
    x = np.random.default_rng(0).normal(size=300)
    plain = KDE(0.1).density(x[np.argsort(x)], np.ones((1, 300)))
    far = np.r_[np.sort(x), 1e6, 1e12, 1e300]
    stretched = KDE(0.1).density(far, np.ones((1, 303)))
    assert len(stretched.table.breaks) < len(plain.table.breaks) + 20
    here = stretched.log_density(x) + np.log(303 / 300)
    np.testing.assert_allclose(here, plain.log_density(x), atol=1e-3)


@given(columns(values=MODERATE | EXTREME), st.sampled_from(["scott", "silverman", "robust", 1e-8, 3.0]))
def test_no_column_makes_the_density_anything_but_a_number(column, bandwidth):
    values, counts = column
    density = KDE(bandwidth).density(values, counts)
    x = np.r_[values, 0.0, 1e308, -1e308, 5e-324]
    silent = (counts.sum(axis=0) > 0).sum() < 2
    assert isinstance(density, Silent) == silent
    out = density.log_density(x)
    c, at = np.nonzero(counts)
    left = density.leave_one_out(values[at], c, np.ones(len(c)))
    assert (np.isnan(out) if silent else np.isfinite(out)).all()
    several = (counts.sum(axis=0) > 0).sum() - (counts.sum(axis=0)[at] == 1) > 1
    assert np.isfinite(left[several]).all()
    assert np.isnan(left[~several]).all()


@given(columns(max_size=5), st.integers(1, 3))
def test_leaving_a_row_out_is_the_density_without_it(column, seed):
    values, counts = column
    bandwidth = 0.7 * seed
    density = KDE(bandwidth).density(values, counts)
    for c, at in zip(*np.nonzero(counts), strict=True):
        without = counts.copy()
        without[c, at] -= 1
        if (without.sum(axis=0) > 0).sum() < 2:
            continue
        left = density.leave_one_out(values[[at]], np.array([c]), np.ones(1))[0, c]
        expected = KDE(bandwidth).density(values, without).log_density(values[[at]])[0, c]
        np.testing.assert_allclose(np.exp(left), np.exp(expected), rtol=2e-3, atol=1e-4 / bandwidth)
        np.testing.assert_allclose(left, expected, atol=0.7)  # far from all values the nearest kernel speaks alone


@pytest.mark.parametrize("classes", [[0, 1], [0, 1, 2]])
@pytest.mark.parametrize(("x", "y"), [([1, 1, 2], [0, 0, 1]), ([1, 1, 2], [0, 1, 1]), ([1, 2, 4, 5], [0, 1, 1, 0])])
def test_leaving_a_row_out_of_a_class_without_rows_and_of_a_column_of_two_values(x, y, classes):
    X, y = np.array(x, dtype=float)[:, None], np.array(y)
    nb = NaiveBayes(distributions="kde").partial_fit(X, y, classes=classes)
    laws.leaves_one_out(nb, X, y, rtol=1e-4)


def test_a_class_of_one_value_borrows_the_spread_of_the_column():
    values, counts = np.array([0.0, 1.0, 5.0]), np.array([[0, 9, 0], [5, 0, 4], [0, 0, 0]])
    h = KDE().density(values, counts).describe()["bandwidth"]
    everything = counts.sum(axis=0)
    mean = everything @ values / 18
    pooled = np.sqrt(everything @ (values - mean) ** 2 / 18)
    np.testing.assert_allclose(h[[0, 2]], pooled * np.array([9.0, 18.0]) ** -0.2)


def test_a_change_of_unit_shifts_the_log_density():
    x = np.random.default_rng(0).normal(size=50)
    y = np.arange(50) % 2
    for scale in (2.0**40, 1e-7):
        ours = KDE("robust").density(*statistic(x * scale, y)).log_density(x * scale)
        expected = KDE("robust").density(*statistic(x, y)).log_density(x) - np.log(scale)
        np.testing.assert_allclose(ours, expected, atol=1e-4)


def test_samples_follow_the_density():
    x = np.r_[np.zeros(30), np.linspace(5, 6, 70)]
    density = KDE(0.1).density(*statistic(x, np.zeros(100, int)))
    drawn = density.sample(np.random.default_rng(0), np.zeros(20_000, int))
    assert abs((drawn < 2).mean() - 0.3) < 0.02
    drawn_density = density.draw(np.random.default_rng(0))
    assert abs(drawn_density.weights.sum() - 100) < 1e-9


@pytest.mark.parametrize("bandwidth", ["scot", 0.0, -1.0, np.inf, [1.0, 2.0]])
def test_what_is_no_bandwidth_is_refused(bandwidth):
    with pytest.raises(ValueError, match="bandwidth="):
        KDE(bandwidth).density(np.array([0.0, 1.0]), np.ones((3, 2)))


@pytest.mark.parametrize("name", ["normal", "exponential", "outlier", "two clusters"])
def test_kernels_on_a_lattice_agree_with_scipy_as_well(name):
    rng = np.random.default_rng(0)
    n = 30_000
    x = {
        "normal": rng.normal(size=n),
        "exponential": rng.exponential(size=n),
        "outlier": np.r_[rng.normal(size=n - 1), 1e5],
        "two clusters": np.r_[rng.normal(size=n // 2) / 100, rng.normal(size=n // 2) + 10],
    }[name]
    model = NaiveBayes(distributions=KDE()).fit(np.r_[x, x[:9]][:, None], np.repeat([0, 1], [n, 9]))
    assert not model.schema_.columns[0].axis.exact
    theirs = gaussian_kde(x)
    grid = np.linspace(x.min(), np.sort(x)[-2], 300)
    f = theirs(grid)
    seen = f >= 1e-3 * f.max()
    ours = np.exp(model.explain(grid[:, None]).contributions[:, 0, 0])
    # a number moves by half of its cell at the most, which few numbers of a tail feel most
    np.testing.assert_allclose(ours[seen], f[seen], rtol=6e-3)


@pytest.mark.parametrize("rule", ["scott", "silverman", "robust"])
def test_the_bandwidth_of_one_repeated_value_does_not_depend_on_how_its_mean_rounds(rule):
    base = np.round(np.random.default_rng(0).normal(5, 1, 50), 2)

    def bandwidth(value):
        values, at = np.unique(np.r_[[value] * 3, base], return_inverse=True)
        counts = np.zeros((2, len(values)))
        np.add.at(counts, (np.r_[[0] * 3, [1] * 50], at), 1)
        return KDE(rule).density(values, counts).describe()["bandwidth"][0]

    # 3 · 1.07 / 3 is not 1.07 in floats
    np.testing.assert_allclose(bandwidth(1.07), bandwidth(1.06), rtol=0.01)


@pytest.mark.parametrize("rule", ["kde", "student"])
def test_the_least_weights_of_a_class_are_weights(rule):
    x, y = np.arange(12.0)[:, None] ** 1.5, np.arange(12) % 2
    weight = np.where(y == 1, 5e-324, 1.0)
    nb = NaiveBayes(rule).fit(x, y, weight)
    assert np.isfinite(nb.predict_log_proba(x)).all()
    assert np.isfinite(nb.leave_one_out(x, y, weight)).all()
