"""Rules changed after fit: what the statistics serve takes effect, and what they do not hold says refit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.strategies import COMBINATIONS, DISCRETE, KINDS, SMOOTHING, learning_table

from candide import NaiveBayes
from candide.discretizers import EqualFrequency, EqualWidth
from candide.distributions import Bins
from candide.smoothing import Lidstone

CHANGES = [
    *({"smoothing": s} for s in SMOOTHING),
    *({"combination": c} for c in COMBINATIONS),
    {"prior": "uniform"},
    {"prior": [0.2, 0.3, 0.5]},
    {"missing": "level"},
    {"distributions": {"bins2": Bins(EqualWidth(3)), "bernoulli1": "bernoulli"}},
    {"distributions": {"bins2": "normal", "bernoulli1": "bernoulli"}},
    {"distributions": {"bins2": "categorical", "bernoulli1": "bernoulli"}},
    {"costs": [[0, 1, 9], [2, 0, 1], [1, 1, 0]]},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_rules_changed_after_fit_give_the_model_fitted_with_them(change: dict[str, object]) -> None:
    case = learning_table(DISCRETE, seed=3, n=30)
    params = {"distributions": case.distributions, **change}
    nb = NaiveBayes(distributions=case.distributions).fit(case.X, case.y)
    before = nb.predict_proba(case.X)
    nb.set_params(**change)
    anew = NaiveBayes(**params).fit(case.X, case.y)
    np.testing.assert_allclose(nb.predict_joint_log_proba(case.X), anew.predict_joint_log_proba(case.X), rtol=1e-12)
    assert nb.predict(case.X).tolist() == anew.predict(case.X).tolist()
    nb.set_params(**{name: NaiveBayes().get_params()[name] for name in change} | {"distributions": case.distributions})
    np.testing.assert_array_equal(nb.predict_proba(case.X), before)


MOMENTS = [
    ("normal", "exponential"),
    ("normal", "poisson"),
    ("poisson", "normal"),
    ("gamma", "lognormal"),
    ("lognormal", "normal"),
]


@pytest.mark.parametrize(
    ("first", "second"), [*MOMENTS, *(("bins", k) for k in KINDS if k not in ("categorical", "bernoulli"))]
)
def test_statistics_serve_every_distribution_they_hold(first: str, second: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(1, 9, (40, 2)).astype(float)
    y = rng.integers(0, 2, 40)
    nb = NaiveBayes(distributions=first).fit(X, y).set_params(distributions=second)
    anew = NaiveBayes(distributions=second).fit(X, y)
    np.testing.assert_allclose(nb.predict_joint_log_proba(X), anew.predict_joint_log_proba(X), rtol=1e-9)


@pytest.mark.parametrize(("first", "second"), [("normal", "gamma"), ("normal", "bins"), ("multinomial", "normal")])
def test_what_the_statistics_do_not_hold_says_refit(first: str, second: str) -> None:
    X, y = np.array([[1.0], [2.0], [3.0]]), [0, 1, 1]
    nb = NaiveBayes(distributions=first).fit(X, y).set_params(distributions=second)
    with pytest.raises(ValueError, match=r"refit"):
        nb.predict(X)


@pytest.mark.parametrize("second", ["normal", "bins", "auto", {"b": "categorical"}])
def test_numbers_that_are_levels_by_a_rule_say_refit_without_it(second: Any) -> None:
    X, y = pd.DataFrame({"a": [1, 2, 3, 1], "b": pd.Categorical([1, 2, 1, 2])}), [0, 1, 1, 0]
    nb = NaiveBayes(distributions={"a": "categorical"}).fit(X, y)
    before = nb.predict_proba(X)
    nb.set_params(distributions=second)
    with pytest.raises(ValueError, match=r"column 'a' was kept as levels.*: refit"):
        nb.predict(X)
    with pytest.raises(ValueError, match=r"column 'a' was kept as levels.*: refit"):
        nb.partial_fit(X, y)
    np.testing.assert_array_equal(nb.set_params(distributions="categorical").predict_proba(X), before)


def test_rules_changed_inside_a_rule_take_effect() -> None:
    case = learning_table(("bins", "bins"), seed=4, n=60)
    nb = NaiveBayes(distributions=Bins(EqualFrequency(5)), smoothing=Lidstone(1.0)).fit(case.X, case.y)
    nb.predict(case.X)
    nb.set_params(distributions__discretizer__k=2)
    nb.predict(case.X)
    nb.set_params(smoothing__alpha=0.1)
    anew = NaiveBayes(distributions=Bins(EqualFrequency(2)), smoothing=Lidstone(0.1)).fit(case.X, case.y)
    np.testing.assert_array_equal(nb.predict_joint_log_proba(case.X), anew.predict_joint_log_proba(case.X))


def test_rules_changed_in_place_take_effect() -> None:
    case = learning_table(("bins", "bins"), seed=4, n=60)
    rules = {"bins0": Bins(EqualFrequency(5)), "bins1": "bins"}
    prior = [0.2, 0.3, 0.5]
    nb = NaiveBayes(distributions=rules, prior=prior).fit(case.X, case.y)
    nb.predict(case.X)
    rules["bins0"].set_params(discretizer__k=2)
    rules["bins1"] = "normal"
    prior[:] = [0.5, 0.3, 0.2]
    anew = NaiveBayes(distributions={"bins0": Bins(EqualFrequency(2)), "bins1": "normal"}, prior=[0.5, 0.3, 0.2])
    anew.fit(case.X, case.y)
    np.testing.assert_allclose(nb.predict_joint_log_proba(case.X), anew.predict_joint_log_proba(case.X), rtol=1e-12)


def test_learning_goes_on_after_a_change_that_the_statistics_serve() -> None:
    case = learning_table(("bins", "bins"), seed=4, n=40)
    nb = NaiveBayes(distributions="bins").fit(case.X[:20], case.y[:20]).set_params(distributions="normal")
    nb.partial_fit(case.X[20:], case.y[20:])
    anew = NaiveBayes(distributions="normal").fit(case.X, case.y)
    np.testing.assert_allclose(nb.predict_joint_log_proba(case.X), anew.predict_joint_log_proba(case.X), rtol=1e-9)
