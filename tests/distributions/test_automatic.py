from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.discretizers.columns import EXTREME, MODERATE, columns, statistic

from candide import NaiveBayes
from candide.discretizers import Cuts, Entropy, EqualFrequency, EqualWidth
from candide.distributions.automatic import Pairs, candidates, choose
from candide.distributions.bins import Bins
from candide.distributions.kde import KDE
from candide.distributions.normal import Normal
from candide.distributions.softened import Softened


def scores(values, counts, name):
    rows = Pairs(values, counts, counts.sum(axis=1).astype(float))
    found = {candidate.name: candidate.score for candidate in candidates(rows, discrete=False)}
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


@pytest.mark.parametrize("density", [Normal(), KDE("robust")], ids=repr)
def test_densities_are_scored_as_if_refitted_without_the_row(density):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    values, counts = statistic(np.round(rng.normal(size=80) + 2 * y, 1), y)
    rows, score = scores(values, counts, density.name)
    expected = []
    for c, at in zip(rows.y, rows.at, strict=True):
        without = counts.copy()
        without[c, at] -= 1
        f = Softened(density).density(values, without).log_density(values[[at]])[0]
        expected.append(posterior(f, without.sum(axis=1))[c])
    # the variance floor of the other classes, and the bandwidth, are kept
    np.testing.assert_allclose(score, expected, atol=0.05)
    np.testing.assert_allclose(rows.weight @ score, rows.weight @ expected, rtol=0.01)


def test_supervised_cuts_do_not_profit_from_the_values_they_score():
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(10):
        values, counts = np.arange(60.0), np.eye(2)[:, rng.integers(0, 2, 60)]
        rows = Pairs(values, counts, counts.sum(axis=1))
        gains.append((rows.supervised(Entropy()) - rows.bins(np.empty(0))).mean())
    assert np.mean(gains) < 0.01


@given(columns(values=MODERATE | EXTREME, weights=st.integers(0, 4)), st.booleans())
@settings(max_examples=60)
def test_any_column_gets_a_choice(column, discrete):
    values, counts = column
    choice = choose(values, counts, discrete=discrete)
    assert all(np.isfinite(score) and score <= 1e-9 for score in choice.scores.values())
    if discrete:
        assert choice.distribution.discrete


@given(columns(), st.integers(-20, 20), st.integers(0, 9))
@settings(max_examples=40)
def test_the_choice_does_not_depend_on_the_unit_nor_on_the_order_of_classes(column, exponent, seed):
    values, counts = column
    choice = choose(values, counts)
    other = choose(np.ldexp(values, exponent), np.random.default_rng(seed).permutation(counts))
    whole = {"poisson"}  # whole numbers depend on the unit
    for name in (choice.scores.keys() & other.scores.keys()) - whole:
        np.testing.assert_allclose(other.scores[name], choice.scores[name], atol=2e-3)


@pytest.mark.parametrize("dtype", [int, float])
def test_whole_weights_are_repetitions(dtype):
    rng = np.random.default_rng(0)
    y, weight = rng.integers(0, 2, 100), rng.integers(0, 4, 100)
    x = (rng.integers(0, 9, 100) + 2.0 * y)[:, None]
    rows = np.repeat(np.arange(100), weight)
    weighted, repeated = NaiveBayes().fit(x, y, weight.astype(dtype)), NaiveBayes().fit(x[rows], y[rows])
    assert weighted.schema_.score(0) == repeated.schema_.score(0) != {}
    assert weighted.schema_.choice(0) == repeated.schema_.choice(0)


@pytest.mark.parametrize("n", [200, 1000])
def test_noise_says_nothing(n):
    rng = np.random.default_rng(0)
    found = [choose(*statistic(rng.normal(size=n), np.arange(n) % 2)).name for _ in range(20)]
    assert found.count("nothing") >= 15
    assert choose(*statistic(rng.normal(size=n), np.arange(n) % 2)).distribution == Bins(Cuts([]))


def test_each_shape_finds_a_model_that_fits():
    rng = np.random.default_rng(1)
    y = np.arange(3000) % 2
    steps = np.where(rng.random(3000) < 0.9, np.floor(rng.random(3000) * 2) * 2 + y, 9.0) + rng.random(3000)
    assert choose(*statistic(steps, y)).name == "entropy"
    normal = choose(*statistic(rng.normal(size=3000) * (1 + 2 * y), y))
    assert normal.scores["normal"] > normal.scores["equal-width"]
    heavy = choose(*statistic(np.exp(2 * rng.normal(size=3000) + 2 * y), y))
    assert heavy.scores["lognormal"] > heavy.scores["normal"]
    assert heavy.name != "normal"
    counts = choose(*statistic(rng.poisson(3.0 + 4 * y).astype(float), y))
    assert counts.scores["poisson"] > counts.scores["normal"]


def test_codes_get_a_bin_for_each_value():
    rng = np.random.default_rng(0)
    code = rng.permutation(24)
    y = rng.integers(0, 2, 6000)
    x = code[np.minimum(rng.geometric(0.15 + 0.1 * y, 6000) - 1, 23)].astype(float)
    choice = choose(*statistic(x, y))
    assert choice.name == "values"
    assert len(choice.distribution.discretizer.points) == 23


def test_one_value_or_one_class_says_nothing():
    assert choose(np.array([3.0]), np.array([[2], [3]])).name == "nothing"
    assert choose(np.array([1.0, 2.0, 3.0]), np.array([[2, 1, 1], [0, 0, 0]])).name == "nothing"


def test_a_constant_class_does_not_decide_everything():
    values, counts = np.arange(10.0), np.full((2, 10), 10)
    counts[0] = 0
    counts[0, 4] = 100
    choice = choose(values, counts)
    density = choice.distribution
    if isinstance(density, Softened):
        odds = np.diff(density.density(values, counts).log_density(values))
        assert np.abs(odds).max() < 8
    assert np.isfinite(list(choice.scores.values())).all()


@pytest.mark.parametrize(("n", "most"), [(10, 25), (30, 20), (100, 5)])
def test_columns_of_noise_seldom_get_a_form_however_few_the_rows(n: int, most: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 100)), rng.integers(0, 2, n)
    chosen = NaiveBayes().fit(X, y).model_.settled.choices
    assert sum(choice.name != "nothing" for choice in chosen) <= most


def test_a_column_that_tells_gets_a_form_from_few_rows() -> None:
    y = np.arange(12) % 2
    X = np.random.default_rng(0).normal(size=(12, 1)) + 6 * y[:, None]
    assert NaiveBayes().fit(X, y).model_.settled.choices[0].name != "nothing"
