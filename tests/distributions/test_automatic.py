"""The automatic choice: a smoothed table, a density where it is clearly one, or nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.discretizers.columns import EXTREME, MODERATE, columns

from candide import NaiveBayes
from candide.distributions import Gamma, LogNormal, Normal, Smooth, Text, as_distribution
from candide.distributions.automatic import CLEARLY, DENSITIES, Automatic, Points, choose
from candide.distributions.base import Choice
from candide.distributions.bins import Bins
from candide.distributions.clamped import Clamped
from candide.distributions.nothing import Nothing
from candide.distributions.smooth import Partition

Array = np.ndarray[Any, Any]


def chosen(x: Array, y: Array, weight: Array | None = None) -> Choice:
    """Return what is chosen for one column."""
    return NaiveBayes().fit(x[:, None], y, sample_weight=weight).model_.settled.choices[0]


def rows_of(values: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Return a values statistic as rows, classes and weights."""
    c, at = np.nonzero(counts > 0)
    return values[at], c, counts[c, at]


@given(columns(values=MODERATE | EXTREME, weights=st.integers(0, 4)))
def test_any_column_gets_a_choice(column: tuple[Array, Array]) -> None:
    x, y, weight = rows_of(*column)
    assume(len(x) > 0)
    choice = chosen(x, y, weight)
    assert all(np.isfinite(score) and score <= 1e-9 for score in choice.scores.values())
    assert isinstance(choice.distribution, (Smooth, Clamped, Nothing))


@given(columns(), st.integers(-20, 20), st.integers(0, 9))
def test_the_choice_does_not_depend_on_the_unit_nor_on_the_order_of_classes(
    column: tuple[Array, Array], exponent: int, seed: int
) -> None:
    values, counts = column
    x, y, weight = rows_of(values, counts)
    assume(len(np.unique(y)) > 1)
    renamed = np.random.default_rng(seed).permutation(y.max() + 1)
    choice, other = chosen(x, y, weight), chosen(np.ldexp(x, exponent), renamed[y], weight)
    assert other.scores.keys() == choice.scores.keys()
    for name in choice.scores:
        np.testing.assert_allclose(other.scores[name], choice.scores[name], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("dtype", [int, float])
def test_whole_weights_are_repetitions(dtype: type) -> None:
    rng = np.random.default_rng(0)
    y, weight = rng.integers(0, 2, 100), rng.integers(0, 4, 100)
    x = rng.integers(0, 9, 100) + 2.0 * y
    rows = np.repeat(np.arange(100), weight)
    weighted, repeated = chosen(x, y, weight.astype(dtype)), chosen(x[rows], y[rows])
    assert weighted.scores == repeated.scores != {}
    assert weighted.distribution == repeated.distribution


@pytest.mark.parametrize(
    ("rule", "draw"),
    [
        (Normal(), lambda rng, y: rng.normal(size=len(y)) * (1 + y)),
        (LogNormal(), lambda rng, y: np.exp(1.5 * rng.normal(size=len(y)) + y)),
        (Gamma(), lambda rng, y: rng.gamma(2.0 + 4 * y)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_column_that_is_of_a_form_is_told_so(rule: Any, draw: Any) -> None:
    y = np.arange(20_000) % 2
    choice = chosen(draw(np.random.default_rng(1), y), y)
    scores = {name: score for name, score in choice.scores.items() if name in {d.name for d in DENSITIES}}
    assert max(scores, key=scores.__getitem__) == rule.name
    assert choice.name == rule.name
    assert 20_000 * (choice.scores[rule.name] - choice.scores["smooth"]) > CLEARLY


def test_a_column_of_no_form_gets_a_smoothed_table() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(4000) % 2
    humps = np.where(rng.random(4000) < 0.5, 5.0, -5.0) * (1 - y) + rng.normal(size=4000)
    choice = chosen(humps, y)
    assert choice.name == "smooth"
    assert choice.scores["smooth"] > choice.scores["normal"]


def test_densities_are_scored_as_if_refitted_without_the_row() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    x = np.round(rng.gamma(3.0, size=60) + y, 2) + 0.01
    nb = NaiveBayes().fit(x[:, None], y)
    evidence = nb._state.evidence
    cells = Partition.of(evidence, np.array([0]), [Smooth(64)])  # every value has a cell of its own
    points = Points.of(cells, np.array([0]), evidence.class_counts)
    for rule in (Normal(), LogNormal(), Gamma()):
        log_x = evidence.log_moments(np.array([0])) if rule.logs else None
        score = points.score(rule, evidence.moments(np.array([0])), log_x)
        total = 0.0
        for i in range(60):
            rest = np.arange(60) != i
            one = NaiveBayes(rule).fit(x[rest, None], y[rest])
            total += one.predict_log_proba(x[[i], None])[0, y[i]]
        np.testing.assert_allclose(score, total, rtol=1e-6)


@pytest.mark.parametrize(("n", "most"), [(10, 20), (30, 10), (100, 5), (1000, 5)])
def test_of_a_hundred_columns_of_noise_few_get_a_form_however_few_the_rows(n: int, most: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 100)), rng.integers(0, 2, n)
    found = NaiveBayes().fit(X, y).model_.settled.choices
    assert sum(choice.name != "nothing" for choice in found) <= most


@pytest.mark.parametrize("n", [10, 30, 100, 1000])
def test_a_column_of_noise_alone_may_get_a_form_which_says_next_to_nothing(n: int) -> None:
    # of a column alone it is likely that it tells something, so that a third of them get a form by chance
    rng = np.random.default_rng(0)
    X, y, new, truth = rng.normal(size=(n, 40)), rng.integers(0, 2, n), rng.normal(size=(2000, 1)), np.arange(2000) % 2
    models = [NaiveBayes().fit(X[:, [j]], y) for j in range(40)]
    assert any(nb.model_.settled.choices[0].name != "nothing" for nb in models)
    scores = np.array([nb.predict_log_proba(new)[np.arange(2000), truth].mean() for nb in models])
    lost = models[0].model_.log_prior[truth].mean() - scores
    assert lost.mean() < 0.01
    assert lost.max() < 0.1


def test_of_more_columns_each_must_tell_more() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    noise = rng.normal(size=(60, 2000))
    telling = [NaiveBayes().fit(noise[:, :d], y).model_.settled.choices for d in (5, 2000)]
    worth = [[60 * (c.scores["smooth"] - c.scores["nothing"]) for c in found[:5]] for found in telling]
    np.testing.assert_allclose(worth[0], worth[1])
    kept = [sum(c.name != "nothing" for c in found) for found in telling]
    assert kept[1] < 20


def test_a_column_that_tells_gets_a_form_from_few_rows() -> None:
    y = np.arange(12) % 2
    x = np.random.default_rng(0).normal(size=12) + 6 * y
    assert chosen(x, y).name == "smooth"


def test_one_value_or_one_class_says_nothing() -> None:
    assert chosen(np.full(5, 3.0), np.array([0, 1, 0, 1, 1])) == Choice("nothing", Nothing(), {})
    assert chosen(np.arange(6.0), np.zeros(6, int)).name == "nothing"


def test_a_constant_class_does_not_decide_everything() -> None:
    x = np.concatenate([np.tile(np.arange(10.0), 10), np.full(100, 4.0)])
    y = np.repeat([0, 1], 100)
    odds = np.diff(NaiveBayes().fit(x[:, None], y).predict_log_proba(np.arange(-5.0, 15.0)[:, None]))
    assert np.abs(odds).max() < 8


def test_where_only_probabilities_of_values_will_do_the_column_is_binned() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = np.column_stack([rng.normal(size=200) + 2 * y, rng.integers(0, 3, 200)])
    for nb in (NaiveBayes(combination="sum"), NaiveBayes(groups=[[0, 1]])):
        assert isinstance(nb.fit(X, y).model_.settled.choices[0].distribution, Bins)


def test_columns_chosen_together_are_chosen_as_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    X = np.column_stack([rng.normal(size=400) + y, rng.gamma(1.0 + y), rng.integers(0, 4, 400) + y, np.ones(400)])
    X[rng.random(X.shape) < 0.1] = np.nan
    evidence = NaiveBayes().fit(X, y)._state.evidence
    together = Automatic().settle(evidence, np.arange(4), False)
    monkeypatch.setattr("candide.distributions.automatic.AT_ONCE", 1)
    monkeypatch.setattr("candide.distributions.automatic.TOGETHER", 1)
    apart = choose(evidence, np.arange(4))
    for one, other in zip(together, apart, strict=True):
        assert (one.name, one.distribution) == (other.name, other.distribution)
        assert one.scores == pytest.approx(other.scores, rel=1e-12)


@pytest.mark.parametrize("wrong", [Text(min_df=-1), Text(event_model="multinomal"), Smooth(cells=0)])
def test_a_distribution_is_checked_where_it_is_named(wrong):
    with pytest.raises(ValueError, match=r"min_df|multinomial|cells"):
        as_distribution(wrong)
