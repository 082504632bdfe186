"""Lines by their terms at points: the same lines, as near between the points as at them, and small in files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import candide
from candide import NaiveBayes
from candide.distributions.forms import Linear
from candide.estimator import files
from candide.estimator.slim.format import packing
from candide.estimator.slim.format.chords import Chord, basis, chord

ZERO = np.zeros(3)
POSITIVE = st.floats(1e-6, 1e6)


def line(log_slope: bool, **rest: object) -> Linear:
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(3, 3))
    return Linear(columns=(0,), missing=ZERO, intercept=a, slope=b, log_slope=c if log_slope else None, **rest)  # type: ignore[arg-type]


@given(st.lists(POSITIVE, min_size=2, max_size=20), st.booleans())
def test_a_chord_is_the_line(x: list[float], log_slope: bool) -> None:
    form = line(log_slope, least=0.0, open=log_slope)
    found = chord(form, np.array(x))
    if found is not None:
        at = np.array([*x, -1.0, np.nan])
        scale = 1e-9 * (1 + np.abs(form(np.array(x))).max())
        np.testing.assert_allclose(found(at), form(at), atol=scale * 10, rtol=1e-6)
        assert (found.lifted(ZERO + 1)(at[:-2]) > found(at[:-2])).all()
        np.testing.assert_allclose(found.scaled(0.5)(at[:-2]), 0.5 * found(at[:-2]))


@given(POSITIVE, st.floats(1.2, 1e6), arrays(float, (1, 3), elements=st.floats(-1, 1)), st.booleans())
def test_between_the_points_terms_are_off_by_little_more_than_at_them(first, wide, off, log_slope: bool) -> None:
    """No term counts for more than it says, so three are off by three times as much at the most; lines, by as much."""
    found = chord(line(log_slope), np.array([first, first * wide]))
    assert found is not None
    x = np.geomspace(found.points[0], found.points[-1], 200)
    weights = basis_at(x, found.points)
    assert np.abs(weights).max() <= 1.02  # the middle is told in digits, and nearly where it counts for the least
    most = np.abs(off[:, : len(found.points)]).max()
    assert np.abs(weights @ off[0, : len(found.points)]).max() <= (2 * len(found.points) - 3) * most * 1.02 + 1e-12


def basis_at(x: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return how much the term at each point counts at x."""
    at = np.column_stack([np.ones(len(x)), x, *([np.log(x)] if len(points) > 2 else [])])
    return at @ np.linalg.inv(basis(points))


@pytest.mark.parametrize(
    ("form", "x"),
    [
        (line(log_slope=False), [3.0, 3.0]),
        (line(log_slope=False), [np.nan]),
        (line(log_slope=True), [0.0, 3.0]),
        (line(log_slope=True, least=0.0, open=True), [0.0, 0.0]),
        (Linear(columns=(0,), missing=ZERO, intercept=ZERO, slope=ZERO - np.inf, least=0.0), [0.0, 3.0]),
    ],
)
def test_lines_without_such_points_are_told_in_digits(form: Linear, x: list[float]) -> None:
    assert chord(form, np.array(x)) is None


@pytest.mark.parametrize("rule", ["exponential", "poisson", "gamma", "multinomial"])
@pytest.mark.parametrize("n_classes", [2, 12])
def test_models_of_lines_become_small_and_are_read_back(rule: str, n_classes: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, 2000)
    X = rng.poisson(5 * np.exp(0.5 * rng.normal(size=(n_classes, 10)))[y]) + 1.0
    nb = NaiveBayes(rule).fit(X, y)
    small = nb.slim()
    assert small.share < 0.1
    assert {type(form) for form in small.forms} == {Chord}
    np.testing.assert_allclose(small.predict_proba(X), nb.predict_proba(X), atol=0.03)
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    X[0, :2] = [0.5, np.nan]
    np.testing.assert_array_equal(again.predict_proba(X), small.predict_proba(X))


BROKEN = {
    "points that descend": lambda form: form.update(points=[3.0, 1.0]),
    "one point": lambda form: form.update(points=[3.0]),
    "four points": lambda form: form.update(points=[1.0, 2.0, 3.0, 4.0]),
    "points of words": lambda form: form.update(points=["few", "many"]),
    "points and a unit": lambda form: form.update(points=[1.0, 2.0], unit=[1, 0]),
    "no points": lambda form: form.pop("unit"),
    "cuts": lambda form: form.update(cuts=[1.0]),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_points_that_do_not_fit_are_refused(broken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    y = np.arange(60) % 3
    small = NaiveBayes("poisson").fit(np.random.default_rng(0).poisson(3 + y)[:, None], y).slim()

    def changed(value, numbers):
        value = json.loads(json.dumps(value))
        broken(value["forms"][0])
        told = numbers if "unit" in value["forms"][0] else [numbers[0], numbers[-1]]
        return packing.pack(value, told)

    monkeypatch.setattr("candide.estimator.slim.slim.pack", changed)
    small.save(tmp_path / "broken.json")
    with pytest.raises(files.ModelFileError):
        candide.load(tmp_path / "broken.json")
