from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discretizers.columns import EXTREME, MODERATE, columns, statistic

from candide.discretizers import Cuts, Entropy, EqualFrequency, EqualWidth
from candide.distributions.binned import MOST_VALUES, Pairs, candidates, choose_bins, gathered
from candide.distributions.bins import Bins


def scores(values, counts, name):
    rows = Pairs.of(values, counts, counts.sum(axis=1).astype(float))
    found = {candidate.name: candidate.score for candidate in candidates(rows)}
    return rows, found[name]


def posterior(log_likelihood, class_counts):
    joint = log_likelihood + np.log(class_counts + 1.0)
    return joint - np.logaddexp.reduce(joint)


@pytest.mark.parametrize("rule", [EqualWidth(10), EqualFrequency(10)], ids=repr)
def test_bins_are_scored_as_if_refitted_without_the_row(rule):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60)
    values, counts = statistic(rng.integers(0, 15, 60) + y, y)
    cuts = rule.cuts(values, counts)
    rows, score = scores(values, counts, rule.name)
    for i, (c, at) in enumerate(zip(rows.y, rows.at, strict=True)):
        without = counts.copy()
        without[c, at] -= 1
        bins = np.searchsorted(cuts, values, side="left")
        table = np.stack([np.bincount(bins, weights=row, minlength=len(cuts) + 1) for row in without])
        theta = (table + 1) / (table.sum(axis=1, keepdims=True) + len(cuts) + 1)
        expected = posterior(np.log(theta[:, bins[at]]), without.sum(axis=1))[c]
        np.testing.assert_allclose(score[i], expected)


def test_supervised_cuts_do_not_profit_from_the_values_they_score():
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(10):
        values, counts = np.arange(60.0), np.eye(2)[:, rng.integers(0, 2, 60)]
        rows = Pairs.of(values, counts, counts.sum(axis=1))
        gains.append((rows.supervised(Entropy()) - rows.bins(np.empty(0))).mean())
    assert np.mean(gains) < 0.01


@given(columns(values=MODERATE | EXTREME, weights=st.integers(0, 4)))
def test_any_column_gets_bins(column):
    choice = choose_bins(*column)
    assert all(np.isfinite(score) and score <= 1e-9 for score in choice.scores.values())
    assert isinstance(choice.distribution, Bins)


@given(columns(), st.integers(-20, 20), st.integers(0, 9))
def test_the_choice_does_not_depend_on_the_unit_nor_on_the_order_of_classes(column, exponent, seed):
    values, counts = column
    choice = choose_bins(values, counts)
    other = choose_bins(np.ldexp(values, exponent), np.random.default_rng(seed).permutation(counts))
    for name in choice.scores.keys() & other.scores.keys():
        np.testing.assert_allclose(other.scores[name], choice.scores[name], atol=2e-3)


def test_codes_get_a_bin_for_each_value():
    rng = np.random.default_rng(0)
    code = rng.permutation(24)
    y = rng.integers(0, 2, 6000)
    x = code[np.minimum(rng.geometric(0.15 + 0.1 * y, 6000) - 1, 23)].astype(float)
    choice = choose_bins(*statistic(x, y))
    assert choice.name == "values"
    assert len(choice.distribution.discretizer.points) == 23


def test_one_value_or_one_class_says_nothing():
    assert choose_bins(np.array([3.0]), np.array([[2], [3]])).name == "nothing"
    assert choose_bins(np.array([1.0, 2.0, 3.0]), np.array([[2, 1, 1], [0, 0, 0]])).name == "nothing"


def test_noise_says_nothing():
    rng = np.random.default_rng(0)
    found = [choose_bins(*statistic(rng.normal(size=400), np.arange(400) % 2)) for _ in range(20)]
    assert sum(choice.name == "nothing" for choice in found) >= 15
    assert all(choice.distribution == Bins(Cuts([])) for choice in found if choice.name == "nothing")


def test_steps_get_cuts_where_they_are():
    rng = np.random.default_rng(1)
    y = np.arange(3000) % 2
    steps = np.where(rng.random(3000) < 0.9, np.floor(rng.random(3000) * 2) * 2 + y, 9.0) + rng.random(3000)
    assert choose_bins(*statistic(steps, y)).name == "entropy"


@pytest.mark.parametrize("n", [MOST_VALUES, MOST_VALUES + 1, 5_000])
def test_of_many_values_neighbours_are_one_and_nothing_is_lost(n):
    values, counts = np.sort(np.random.default_rng(n).normal(size=n)), np.random.default_rng(0).integers(0, 3, (3, n))
    some, sums = gathered(values, counts)
    assert len(some) == min(n, MOST_VALUES)
    assert (some[0], some[-1]) == (values[0], values[-1])
    places = np.searchsorted(values, some, side="right")
    np.testing.assert_array_equal(np.cumsum(sums, axis=1), np.cumsum(counts, axis=1)[:, places - 1])


def test_a_weak_effect_of_many_values_is_found_and_noise_is_not():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    x = rng.normal(size=20_000)
    assert choose_bins(*statistic(x, y)).name == "nothing"
    assert choose_bins(*statistic(x + 0.1 * y, y)).name != "nothing"
