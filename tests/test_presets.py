"""Presets are other defaults and nothing else."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import laws
from tests.strategies import cases, partitions

import candide
from candide import NaiveBayes, presets
from candide.discretizers import EqualFrequency, EqualWidth
from candide.distributions import Bins, as_distribution

TABLE = {
    "FrequencyNB": ("none", "product", EqualFrequency(5)),
    "LaplaceNB": ("laplace", "product", EqualFrequency(5)),
    "IndifferentNB": ("indifferent", "product", EqualFrequency(5)),
    "EstimateNB": ("m-estimate", "product", EqualWidth(10)),
    "RobustNB": ("none", "robust", EqualWidth(10)),
    "SummationNB": ("none", "sum", EqualWidth(10)),
}

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3))
X[RNG.random(X.shape) < 0.1] = np.nan
Y = RNG.integers(0, 3, 90)


def test_the_table_is_complete() -> None:
    assert set(presets.__all__) - {"TunedNB"} == set(TABLE)  # no paper's: tests/tuning has it


@pytest.mark.parametrize("name", TABLE)
def test_a_preset_is_naive_bayes_with_other_defaults(name: str, tmp_path: object) -> None:
    smoothing, combination, cuts = TABLE[name]
    preset = getattr(presets, name)
    nb = preset()
    assert (nb.smoothing, nb.combination) == (smoothing, combination)
    assert as_distribution(nb.distributions) == Bins(cuts)
    plain = NaiveBayes(smoothing=smoothing, combination=combination, distributions=Bins(cuts)).fit(X, Y)
    nb.fit(X, Y)
    np.testing.assert_array_equal(nb.predict_joint_log_proba(X), plain.predict_joint_log_proba(X))
    assert list(inspect.signature(preset).parameters) == list(inspect.signature(NaiveBayes).parameters)
    assert not [name for name in vars(preset) if not name.startswith(("_", "set_"))]  # no behaviour of its own
    path = tmp_path / "model.json"
    nb.save(path)
    again = candide.load(path)
    assert type(again) is preset
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    assert type(nb + nb) is preset


@pytest.mark.parametrize("name", TABLE)
def test_a_default_can_be_changed(name: str) -> None:
    nb = getattr(presets, name)(smoothing="marginal", distributions=Bins(EqualWidth(3)))
    assert nb.get_params()["smoothing"] == "marginal"
    assert [len(c.discretizer.points) for c in nb.fit(X, Y).schema_.choices] == [2, 2, 2]
    with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected keyword argument 'smooth'"):
        getattr(presets, name)(smooth="marginal")


@pytest.mark.parametrize("preset", [getattr(presets, name) for name in TABLE], ids=lambda preset: preset.__name__)
@given(data=st.data())
def test_every_preset_learns_forgets_and_leaves_out(data: st.DataObject, preset: type[NaiveBayes]) -> None:
    case = data.draw(cases(("bins", "categorical"), min_rows=3, weights=False))
    whole, parts = preset().fit(case.X, case.y), preset()
    for rows in data.draw(partitions(len(case))):
        parts.partial_fit(case.X.iloc[rows], case.y[rows])
    laws.same_model(whole, parts, case.X)
    laws.probabilities(whole, case.X)
    laws.leaves_one_out(whole, case.X, case.y)
    left = preset().fit(case.X[:1], case.y[:1])
    laws.same_model(whole.forget(case.X[1:], case.y[1:]), left, case.X)
