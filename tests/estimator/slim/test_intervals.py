"""Curves as tables of intervals: chances add up, nothing is lost where numbers are few, and files are small."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.strategies import KINDS, NAMED

import candide
from candide import NaiveBayes
from candide.distributions.base import BINARY
from candide.distributions.forms import Curve, Steps
from candide.estimator.slim import Slim, intervals, roads, slimming
from candide.estimator.slim.drawn_rows import drawn_rows
from candide.estimator.slim.format.units import in_units
from candide.estimator.slim.intervals import DrawnCurve, drawn_curves, in_intervals, one_cell, round_cuts
from candide.estimator.slim.rounding import Off, drawn
from candide.table import Numbers


def rows(n_classes: int, n: int = 1200) -> tuple[pd.DataFrame, np.ndarray]:
    """Return numbers to the hundredth, whole numbers, and skew ones with many zeros."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    means = rng.normal(size=(3, n_classes))
    skew = np.where(rng.random(n) < 0.5, 0, np.exp(rng.normal(size=n) + means[2][y])).round(2)
    X = {"x": (rng.normal(size=n) + 2 * means[0][y]).round(2), "k": rng.poisson(np.exp(1 + means[1][y] / 2)), "s": skew}
    return pd.DataFrame(X), y


def exact(nb: NaiveBayes) -> Slim:
    """Return a slim model of the model's own curves."""
    made = nb._modelled()[1].model
    return replace(nb.slim(within=0.05), log_prior=made.log_prior, forms=made.forms)


KDE = NaiveBayes("kde").fit(*rows(3))


@pytest.mark.parametrize("n_cells", [8, 64])
def test_chances_add_up_to_one_and_to_the_prior(n_cells: int) -> None:
    made = exact(KDE)
    for form in in_intervals(made, drawn_curves(made, KDE.model_, drawn_rows(KDE, 20_000, 1)), n_cells).forms:
        assert isinstance(form, Steps)
        chances = np.exp(form.table + made.log_prior[:, None])
        np.testing.assert_allclose(chances.sum(), 1, atol=1e-5)
        np.testing.assert_allclose(chances.sum(axis=1), np.exp(made.log_prior), atol=0.02)


def test_a_cell_of_one_number_says_what_the_curve_does() -> None:
    made = exact(KDE)
    told = in_intervals(made, drawn_curves(made, KDE.model_, drawn_rows(KDE, 20_000, 1)), 64).forms[1]
    k = np.arange(9.0)
    block, i = KDE.model_.attributes[1]
    density, steps = (said - said[:, :1] for said in (block.densities[i].log_density(k), told(k)))
    np.testing.assert_allclose(steps, density, atol=1e-9)


def test_numbers_are_drawn_as_fine_as_they_were_seen() -> None:
    table = drawn_rows(KDE, 500, 0)
    for j, decimals in enumerate((2, 0, 2)):
        x = table.column(j).values
        np.testing.assert_array_equal(x, x.round(decimals))
    free = drawn_rows(NaiveBayes("normal").fit(*rows(3)), 500, 0).column(1).values
    assert (free != free.round()).any()  # of moments alone nothing is known about digits


@given(
    arrays(float, st.integers(2, 300), elements=st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), unique=True),
    st.randoms(use_true_random=False),
    st.sampled_from([4, 8, 16, 32]),
)
def test_cuts_ascend_on_a_round_grid_and_leave_few_cells_empty(values, rng, n_cells: int) -> None:
    values = np.sort(values)
    shares = np.array([rng.random() ** 8 + 1e-9 for _ in values])
    cuts = round_cuts(values, shares / shares.sum(), n_cells)
    assert len(cuts) < max(n_cells, len(values))
    assert (np.diff(cuts) > 0).all()
    if len(values) <= n_cells:
        assert np.bincount(np.searchsorted(cuts, values, side="left")).tolist() == [1] * len(values)
    else:
        found = in_units(cuts)
        assert found is not None or len(cuts) == 0


@given(arrays(float, st.integers(5, 50), elements=st.floats(1e-6, 1)), st.integers(2, 5))
def test_no_number_counts_for_more_than_one_cell(shares, n_cells: int) -> None:
    cell = one_cell(shares, n_cells)
    np.testing.assert_allclose(np.minimum(shares, cell).sum(), n_cells * cell, rtol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 9])
@pytest.mark.parametrize("rule", ["kde", "mixture", "student"])
def test_every_density_becomes_a_tenth_and_answers_as_well(rule: str, n_classes: int, tmp_path: Path) -> None:
    X, y = rows(n_classes, 3000)
    nb = NaiveBayes(rule).fit(X[:2000], y[:2000])
    small = nb.slim()
    assert small.share <= roads.SHARE
    ours, theirs = small.predict_proba(X[2000:]), nb.predict_proba(X[2000:])
    assert (ours.argmax(axis=1) == theirs.argmax(axis=1)).mean() > 0.85  # where two classes hardly differ
    loss = [-np.log(np.maximum(p[np.arange(1000), y[2000:]], 1e-9)).mean() for p in (ours, theirs)]
    assert loss[0] < loss[1] + roads.NATS
    small.save(tmp_path / "slim.json")
    np.testing.assert_array_equal(candide.load(tmp_path / "slim.json").predict_proba(X), small.predict_proba(X))


@pytest.mark.parametrize("n", [60, 300])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if NAMED[kind].kind == "numbers"])
def test_a_slim_model_is_never_larger_than_the_whole(kind: str, n: int) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 12, n)
    X = (rng.random((n, 4)) < 0.5) if NAMED[kind].support is BINARY else rng.poisson(2 + y[:, None] % 5, (n, 4)) + 1
    assert NaiveBayes(kind).fit(X.astype(float), y).slim().share < 0.5


def test_what_curves_do_not_tell_within_a_hundredth_is_told_in_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slimming, "WITHIN", 1e-12)
    assert {type(form) for form in KDE.slim().forms} == {Steps}
    with pytest.raises(ValueError, match="cannot be told in tables alone: they are off by"):
        KDE.slim(within=1e-12)


def test_the_smallest_that_is_near_is_taken_where_none_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = KDE.slim(within=0.01)
    monkeypatch.setattr(roads, "SHARE", 0.001)
    small = KDE.slim()
    assert small.share < fine.share
    assert Off.of(small, *drawn(KDE)).nats <= roads.NATS
    monkeypatch.setattr(roads, "NATS", 1e-4)
    assert KDE.slim().share > small.share


def test_curves_stay_where_they_are_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roads, "SHARE", 1.0)
    assert {type(form) for form in KDE.slim().forms} == {Curve}


def test_a_column_of_which_nothing_is_drawn_stays_a_curve() -> None:
    made = exact(KDE)
    assert DrawnCurve.of(made.forms[0], Numbers(np.full(3, np.nan)), made.log_prior, made.forms[0].at) is None
    assert in_intervals(made, {}, 8).forms == tuple(made.forms)


def test_a_class_that_no_draw_is_near_keeps_a_chance() -> None:
    X = np.concatenate(
        [np.random.default_rng(0).normal(size=(200, 1)), 1e3 + np.random.default_rng(1).normal(size=(200, 1))]
    )
    y = np.repeat([0, 1], 200)
    nb = NaiveBayes("kde").fit(X, y)
    made = exact(nb)
    (form,) = in_intervals(made, drawn_curves(made, nb.model_, drawn_rows(nb, 2000, 1)), 8).forms
    assert np.isfinite(form.table).all()
    assert np.exp(form.table + made.log_prior[:, None]).min() >= intervals.LEAST * (1 - 1e-9)


def test_what_samples_do_not_tell_is_told_by_the_density_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of numbers that lie far apart are narrower than knots."""
    rng = np.random.default_rng(3)
    y = np.arange(60) % 3
    nb = NaiveBayes("kde").fit(np.exp(4 * rng.normal(size=(60, 4)) + y[:, None]).round(2), y)
    assert nb.slim().share <= roads.SHARE
    monkeypatch.setattr(intervals, "Columnwise", type(None))  # so that curves are asked
    with pytest.raises(ValueError, match="cannot be told in tables alone"):
        nb.slim()
