"""Parabolas in whole numbers: they come back, and lie as near as the step says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import candide
from candide import NaiveBayes
from candide.distributions.bell import Bell
from candide.distributions.forms import Quadratic
from candide.estimator import files
from candide.estimator.slim.format import packing, parabolas
from candide.estimator.slim.rounding import shortened


def parabola(mean, var, lifted=0.0, **rest: object) -> Quadratic:
    """Return normal densities, lifted by something."""
    mean, var = np.asarray(mean, dtype=float), np.asarray(var, dtype=float)
    height = -0.5 * np.log(2 * np.pi * var) + lifted
    return Quadratic(columns=(0,), missing=np.zeros(len(mean)), height=height, mean=mean, var=var, **rest)  # type: ignore[arg-type]


@given(
    arrays(float, (3, 4), elements=st.floats(-50, 50)),
    st.sampled_from([0.2, 0.02, 0.005, 0.0001]),
    st.integers(-6, 6),
)
def test_what_was_rounded_is_told_exactly_and_lies_near(numbers, step: float, power: int) -> None:
    mean, width, lifted = numbers
    form = parabola(mean * 10.0**power, np.exp(width / 20) * 100.0**power, lifted)
    near = parabolas.rounded_parabola(form, step)
    assert near is not None
    whole = parabolas.told_whole(near, step)
    assert whole is not None
    for key, told in parabolas.from_whole(whole, step).items():
        np.testing.assert_array_equal(told, getattr(near, key))
    finer, spread = step / parabolas.FINER, np.sqrt(form.var)
    assert np.all(np.abs(np.log(near.var / form.var)) <= finer * (1 + 1e-6))
    assert np.all(np.abs(near.mean - form.mean) <= 0.51 * finer * np.sqrt(near.var.min()))
    above = (form.height + np.log(spread)) - (near.height + np.log(near.var) / 2)
    assert np.ptp(above) <= step * (1 + 1e-6)


@given(arrays(float, 4, elements=st.floats(1, 1e5)), st.sampled_from([0.2, 0.02, 0.005]))
def test_bells_come_back_with_tails_as_near_as_the_step_says(df, step: float) -> None:
    mean = np.array([0.0, 1.0, 2.0, 3.0])
    form = Bell(columns=(0,), missing=np.zeros(4), height=mean, mean=mean, var=mean + 1, df=df)
    near = parabolas.rounded_parabola(form, step)
    assert isinstance(near, Bell)
    whole = parabolas.told_whole(near, step)
    assert whole is not None
    assert len(whole) == 4
    for key, told in parabolas.from_whole(whole, step).items():
        np.testing.assert_array_equal(told, getattr(near, key))
    off = np.abs(1 / np.sqrt(near.df) - 1 / np.sqrt(form.df))
    assert off.max() <= step / parabolas.TAILS / 2 * (1 + 1e-9)
    z = np.linspace(-3, 3, 61)
    for c in range(4):
        x = mean[c] + z * np.sqrt(form.var[c])
        assert np.abs(replace(form, df=near.df).at(x)[:, c] - form.at(x)[:, c]).max() <= step


def test_densities_stay_densities() -> None:
    """What is rounded of a spread is rounded of the height as well, so that all classes weigh the same."""
    near = parabolas.rounded_parabola(parabola([0.0, 3.0, 5.0], [1.0, 7.3, 0.2]), 0.1)
    assert near is not None
    x = np.linspace(-40, 40, 200_001)
    mass = np.exp(near.at(x)).sum(axis=0) * (x[1] - x[0])
    np.testing.assert_allclose(mass / mass[0], 1, rtol=1e-6)


@pytest.mark.parametrize("var", [[0.0, 1.0], [np.inf, 1.0]])
def test_what_has_no_whole_numbers_is_told_in_digits(var) -> None:
    with np.errstate(divide="ignore"):
        form = parabola([1.0, 2.0], var)
    assert parabolas.in_whole(form, 0.01) is None
    assert isinstance(shortened(form, 0.01), Quadratic)
    assert parabolas.in_whole(parabola([1e12, 0.0], [1.0, 1.0]), 0.01) is None


@pytest.mark.parametrize("rule", ["normal", "lognormal", "student"])
@pytest.mark.parametrize("n_classes", [2, 26])
def test_models_of_densities_become_small_and_are_read_back(rule: str, n_classes: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, 3000)
    X = 1000 + 20 * rng.normal(size=(3000, 12)) + 15 * rng.normal(size=(n_classes, 12))[y]
    X[0, 0] = np.nan
    nb = NaiveBayes(rule).fit(X, y)
    small = nb.slim()
    assert small.share < 0.1
    np.testing.assert_allclose(small.predict_proba(X), nb.predict_proba(X), atol=0.02)
    small.save(tmp_path / "slim.json")
    np.testing.assert_array_equal(candide.load(tmp_path / "slim.json").predict_proba(X), small.predict_proba(X))


def test_bells_of_weighed_columns_are_told_with_their_weights(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 40)
    X = pd.DataFrame(rng.normal(size=(40, 2)) + y[:, None], columns=["a", "b"])
    nb = NaiveBayes("student", weights={"a": 0.37}).fit(X, y)
    small = nb.slim()
    assert [form.weight for form in small.forms] == [0.37, 1.0]
    np.testing.assert_allclose(small.predict_proba(X), nb.predict_proba(X), atol=0.02)
    small.save(tmp_path / "slim.json")
    np.testing.assert_array_equal(candide.load(tmp_path / "slim.json").predict_proba(X), small.predict_proba(X))


def test_tails_below_zero_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    y = np.arange(60) % 3
    small = NaiveBayes("student").fit(np.random.default_rng(0).normal(size=(60, 1)) + y[:, None], y).slim()
    monkeypatch.setattr(
        "candide.estimator.slim.slim.pack",
        lambda value, numbers: packing.pack(value, [numbers[0], -np.abs(numbers[1])]),
    )
    small.save(tmp_path / "broken.json")
    with pytest.raises(files.ModelFileError, match="tails below zero"):
        candide.load(tmp_path / "broken.json")
