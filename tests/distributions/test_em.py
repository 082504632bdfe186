from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.arithmetic import log_sum_exp
from candide.distributions.em import Components, ascend, by_bic, fit, log_likelihood, maximize, starts

numbers = st.lists(st.tuples(st.integers(-40, 40).map(lambda i: i / 4), st.integers(1, 5)), min_size=2, max_size=25)


def step(x, w, mixture, least):
    terms = mixture.log_terms(x)
    return maximize(x, np.exp(terms - log_sum_exp(terms)[:, None]) * w[:, None], mixture, least)


@given(numbers, st.integers(1, 4), st.integers(0, 5))
def test_a_step_never_lowers_the_likelihood(rows, k, seed):
    x, w = np.array(sorted(dict(rows).items()), dtype=float).T
    k = min(k, len(x))
    least = 1e-3 * max(float(np.var(x)), 1e-6)
    for start in starts(x, w, k, least, 3, seed):
        mixture = start
        before = log_likelihood(x, w, mixture)
        for _ in range(30):
            mixture = step(x, w, mixture, least)
            now = log_likelihood(x, w, mixture)
            assert now >= before - 1e-9 * (1 + abs(before))
            assert (mixture.var >= least).all()
            before = now


def test_one_component_is_the_normal_density():
    x, w = np.array([0.0, 1.0, 5.0]), np.array([1.0, 2.0, 1.0])
    mixture, likelihood = fit(x, w, 1, 1e-9, 3, 0)
    mean = w @ x / 4
    np.testing.assert_allclose([mixture.mean[0], mixture.var[0]], [mean, w @ (x - mean) ** 2 / 4])
    np.testing.assert_allclose(likelihood, log_likelihood(x, w, mixture))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_bic_finds_the_number_of_clear_components(k):
    rng = np.random.default_rng(0)
    x = np.sort(np.concatenate([rng.normal(10 * g, 1, 200) for g in range(k)]))
    mixture = by_bic(x, np.ones(len(x)), 5, 1e-3 * x.var(), 3, 0)
    assert len(mixture.weight) == k
    np.testing.assert_allclose(np.sort(mixture.mean), 10 * np.arange(k), atol=0.3)


def test_whole_weights_are_repetitions():
    rng = np.random.default_rng(0)
    x, w = np.sort(rng.normal(size=40)), rng.integers(1, 4, 40)
    a, _ = fit(x, w.astype(float), 2, 1e-3, 1, 0)
    b, _ = fit(np.repeat(x, w), np.ones(w.sum()), 2, 1e-3, 1, 0)
    for name in ("weight", "mean", "var"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-6)


def test_a_component_without_rows_stays_and_harms_nothing():
    mixture = Components(np.array([0.5, 0.5]), np.array([0.0, 1e4]), np.array([1.0, 1.0]))
    after = step(np.array([-1.0, 1.0]), np.ones(2), mixture, 1e-3)
    np.testing.assert_allclose([after.mean, after.weight], [[0, 1e4], [1, 0]])


@given(numbers, st.integers(1, 3))
def test_a_mixture_goes_its_own_way_whatever_stands_beside_it(rows, k):
    x, w = np.array(sorted(dict(rows).items()), dtype=float).T
    k, least = min(k, len(x)), 1e-3 * max(float(np.var(x)), 1e-6)
    some = starts(x, w, k, least, 3, 0)
    weights = w * np.array([[1.0], [2.0], [0.5]]) + np.arange(len(x)) % 2
    floors = least * np.array([1.0, 30.0, 1e-3])
    batch = Components(*(np.stack([getattr(s, a) for s in some]) for a in ("weight", "mean", "var")))
    together, likelihood = ascend(x, weights, batch, floors)
    for i in range(3):
        alone, height = ascend(x, weights[[i]], batch[[i]], floors[[i]])
        np.testing.assert_allclose(height[0], likelihood[i], rtol=1e-9)
        np.testing.assert_allclose(alone.log_density(x)[0], together[i].log_density(x), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(likelihood[i], log_likelihood(x, weights[i], together[i]), rtol=1e-6)
