"""Reliability curves against scikit-learn's, Brier's decomposition as an identity."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from candide.evaluate import brier_decomposition, calibration_error, reliability

forecasts = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


@pytest.mark.parametrize("bins", [3, 10])
def test_equally_wide_bins_are_scikit_learns(bins):
    rng = np.random.default_rng(1)
    proba = rng.random(500)
    event = rng.random(500) < proba
    frequency, confidence = calibration_curve(event, proba, n_bins=bins)
    got = reliability(event, proba, bins)
    assert got["frequency"].to_numpy() == pytest.approx(frequency)
    assert got["confidence"].to_numpy() == pytest.approx(confidence)


@given(forecasts, st.integers(1, 12), st.booleans())
def test_the_curve_accounts_for_every_row(pairs, bins, equal_mass):
    proba, event = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    curve = reliability(event, proba, bins, equal_mass=equal_mass)
    assert curve["count"].sum() == len(pairs)
    assert (curve["count"] * curve["frequency"]).sum() == pytest.approx(event.sum())
    assert (curve["count"] * curve["confidence"]).sum() == pytest.approx(proba.sum())
    assert (curve["confidence"] >= curve["lower"] - 1e-12).all()
    assert (curve["confidence"] <= curve["upper"] + 1e-12).all()


def test_bins_of_equal_mass_hold_equally_many():
    proba = (np.arange(100) + 0.5) / 100
    curve = reliability(np.ones(100), proba**3, bins=4, equal_mass=True)
    assert curve["count"].tolist() == [25, 25, 25, 25]


def test_several_classes_are_read_by_their_most_probable_one():
    proba = [[0.6, 0.3, 0.1], [0.2, 0.1, 0.7], [0.2, 0.1, 0.7]]
    curve = reliability(["a", "c", "b"], proba)
    assert curve["confidence"].tolist() == pytest.approx([0.6, 0.7])
    assert curve["frequency"].tolist() == [1.0, 0.5]
    given_order = reliability(["a", "c", "b"], proba, classes=["a", "c", "b"])
    assert given_order["frequency"].tolist() == [1.0, 0.5]
    with pytest.raises(ValueError, match="3 columns for 2 classes"):
        reliability(["a", "a", "b"], proba)


def test_calibration_error_is_the_mean_gap():
    assert calibration_error(np.array([0.95, 0.95, 0.15]), np.array([1.0, 0, 0])) == pytest.approx(
        (2 * 0.45 + 0.15) / 3
    )


@given(forecasts, st.none() | st.integers(1, 10))
def test_the_decomposition_adds_up_to_the_brier_score(pairs, bins):
    proba, event = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    parts = brier_decomposition(event, proba, bins)
    assert parts["brier"] == pytest.approx(((proba - event) ** 2).mean())
    total = parts["reliability"] - parts["resolution"] + parts["uncertainty"] + parts["within_bins"]
    assert total == pytest.approx(parts["brier"], abs=1e-12)
    assert parts["uncertainty"] == pytest.approx(event.var())
    if bins is None:
        assert parts["within_bins"] == pytest.approx(0, abs=1e-12)


@given(st.integers(0, 99))
def test_the_decomposition_adds_up_over_several_classes(seed):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(3), 40).round(1)
    y = rng.integers(0, 3, 40)
    parts = brier_decomposition(y, proba, classes=[0, 1, 2])
    assert parts["brier"] == pytest.approx(((proba - np.eye(3)[y]) ** 2).sum(axis=1).mean())
    assert parts["reliability"] - parts["resolution"] + parts["uncertainty"] == pytest.approx(parts["brier"])


def test_a_wrong_number_of_bins_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        reliability([1], [0.5], bins=0)
