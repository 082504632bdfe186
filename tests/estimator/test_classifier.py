"""Classifier: what every estimator that can make a plan inherits, and what it does beside other threads."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from tests import laws

import candide
from candide import NaiveBayes
from candide.combination import Product
from candide.estimator import Classifier
from candide.model.plan import Plan, make_plan
from candide.schema.column import Kind
from candide.schema.schema import Schema
from candide.smoothing import Lidstone

# -- a second class: its parameters and its plan, nothing else ---------------------------------------------------------


class ThreeBins(Classifier):
    """Naive Bayes with three bins a column, softened by `strength`."""

    PLANNED = ("strength", "schema")

    def __init__(self, strength: float = 1.0, schema: Schema | None = None) -> None:
        self.strength = strength
        self.schema = schema

    def _plan(
        self, names: Sequence[str | int], kinds: Sequence[Kind], known: Schema | None, target: str | None, asked: Any
    ) -> Plan:
        return make_plan(
            names,
            kinds,
            distributions="equal-width(3)",
            groups=None,
            smoothing=Lidstone(self.strength),
            combination=Product(),
            prior=None,
            missing="level",
            given=self.schema,
            known=known,
            target=target,
            asked=asked,
        )


RNG = np.random.default_rng(0)
N = 60
Y = RNG.choice(["p", "q", "r"], N)
X = pd.DataFrame({"k": RNG.choice(np.array(["u", "v", None], dtype=object), N), "x": RNG.normal(size=N) + (Y == "q")})
X.loc[::9, "x"] = np.nan


def test_a_second_class_is_naive_bayes_under_its_plan() -> None:
    wanted = NaiveBayes("equal-width(3)", smoothing=Lidstone(0.5), missing="level").fit(X, Y)
    laws.same_model(ThreeBins(0.5).fit(X, Y), wanted, X)
    laws.same_model(ThreeBins(9.0).fit(X, Y).set_params(strength=0.5), wanted, X)


def test_a_second_class_has_the_algebra() -> None:
    whole, first, rest = (ThreeBins().fit(X[at], Y[at]) for at in (slice(None), slice(20), slice(20, None)))
    streamed = ThreeBins()
    for part in np.array_split(RNG.permutation(N), 5):
        streamed.partial_fit(X.iloc[part], Y[part])
    for same in (first + rest, rest + first, first.merge(rest), sum([first, rest]), streamed):
        assert type(same) is ThreeBins
        laws.same_model(same, whole, X)
    laws.same_model(whole - rest, first, X)
    laws.same_model(clone(whole).fit(X, Y).forget(X[20:], Y[20:]), first, X)
    laws.same_model(0.5 * whole + 0.5 * whole, whole, X, exact=False)


def test_a_second_class_leaves_one_out_explains_and_decides() -> None:
    nb = ThreeBins().fit(X, Y)
    laws.leaves_one_out(nb, X, Y)
    laws.probabilities(nb, X)
    why = nb.explain(X)
    np.testing.assert_allclose(why.scores, nb.predict_joint_log_proba(X), rtol=1e-12)
    np.testing.assert_allclose(why.posterior, nb.predict_proba(X), rtol=1e-12)
    assert not nb.impossible(X).any()
    drawn, labels = nb.sample(10, random_state=0)
    assert list(drawn) == ["k", "x"]
    assert set(labels) <= {"p", "q", "r"}
    low, high = np.moveaxis(nb.predict_interval(X[:3], draws=50), 2, 0)
    assert (low <= high).all()


def test_a_second_class_is_saved_and_learns_on(tmp_path: Path) -> None:
    nb = ThreeBins(0.25).fit(X[:30], Y[:30])
    nb.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    assert type(again) is ThreeBins
    assert again.get_params() == nb.get_params()
    np.testing.assert_array_equal(again.predict_joint_log_proba(X), nb.predict_joint_log_proba(X))
    laws.same_model(again.partial_fit(X[30:], Y[30:]), ThreeBins(0.25).fit(X, Y), X)


def test_models_of_two_classes_add_as_the_first() -> None:
    # what is added are statistics: each class reads them by its own plan
    both = ThreeBins().fit(X[:30], Y[:30]) + NaiveBayes("bins").fit(X[30:], Y[30:])
    assert type(both) is ThreeBins
    laws.same_model(both, ThreeBins().fit(X, Y), X)


# -- models that are not fitted ----------------------------------------------------------------------------------------

UNFITTED = {
    "sum": lambda nb: sum([nb]),
    "sum of several": lambda nb: sum([nb, nb]),
    "fitted + unfitted": lambda nb: NaiveBayes().fit(X, Y) + nb,
    "unfitted + fitted": lambda nb: nb + NaiveBayes().fit(X, Y),
    "difference": lambda nb: nb - nb,
    "multiple": lambda nb: 2 * nb,
    "merge": lambda nb: nb.merge(nb),
    "model_": lambda nb: nb.model_,
    "schema_": lambda nb: nb.schema_,
    "statistics_": lambda nb: nb.statistics_,
    "class_counts_": lambda nb: nb.class_counts_,
    "forget": lambda nb: nb.forget(X, Y),
}


@pytest.mark.parametrize("name", UNFITTED)
def test_a_model_that_is_not_fitted_says_so(name: str) -> None:
    with pytest.raises(NotFittedError, match="This NaiveBayes instance is not fitted yet"):
        UNFITTED[name](NaiveBayes())


@pytest.mark.parametrize("name", ["classes_", "n_features_in_", "feature_names_in_"])
def test_an_attribute_of_a_fitted_model_is_not_there_before(name: str) -> None:
    assert not hasattr(NaiveBayes(), name)
    assert hasattr(NaiveBayes().fit(X, Y), name)


def test_a_sum_of_one_model_is_a_model_of_its_own() -> None:
    nb = NaiveBayes().fit(X, Y)
    alone = sum([nb])
    assert alone is not nb
    laws.same_model(alone, nb, X)
    alone.partial_fit(X, Y)
    assert nb.class_counts_.sum() == N


@pytest.mark.parametrize("call", ["predict", "leave_one_out", "explain"])
def test_an_unknown_word_for_unseen_is_refused_by_every_answer(call: str) -> None:
    nb = NaiveBayes().fit(X, Y).set_params(unseen="bad")
    with pytest.raises(ValueError, match="unseen='bad' is not known; known are 'ignore', 'error'"):
        getattr(nb, call)(X, *([Y] if call == "leave_one_out" else []))


# -- threads -----------------------------------------------------------------------------------------------------------


def in_threads(*works: Any) -> list[BaseException]:
    """Run functions at once, to the end, and return what they raised."""
    raised: list[BaseException] = []

    def run(work: Any) -> None:
        try:
            work()
        except BaseException as error:  # told by the test
            raised.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@pytest.mark.parametrize("rule", ["normal", "bins", "auto"])
def test_a_prediction_beside_learning_sees_the_model_before_or_after(rule: str) -> None:
    rng = np.random.default_rng(1)
    batches = [(rng.normal(size=(30, 2)), rng.integers(0, 3, 30)) for _ in range(12)]
    new = rng.normal(size=(20, 2))
    stages = []
    alone = NaiveBayes(rule)
    for x, y in batches:
        stages.append(alone.partial_fit(x, y).predict_proba(new))
    nb = NaiveBayes(rule).partial_fit(*batches[0])
    learnt = threading.Event()
    seen: list[np.ndarray] = []

    def learn() -> None:
        try:
            for x, y in batches[1:]:
                nb.partial_fit(x, y)
        finally:
            learnt.set()

    def predict() -> None:
        while not learnt.is_set():
            seen.append(nb.predict_proba(new))

    assert in_threads(learn, predict, predict) == []
    seen.append(nb.predict_proba(new))
    # rows that waited are summed together: the last digits of moments may differ
    np.testing.assert_allclose(seen[-1], stages[-1], rtol=1e-12)
    for p in seen:
        assert any(np.allclose(p, stage, rtol=1e-12, atol=0) for stage in stages)


def test_a_prediction_beside_forgetting_and_changing_rules_never_fails() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(80, 2)), np.arange(80) % 2
    nb = NaiveBayes("bins").fit(x, y)
    done = threading.Event()

    def change() -> None:
        try:
            for i in range(20):
                nb.forget(x[i : i + 1], y[i : i + 1])
                nb.set_params(smoothing=["none", "laplace", "m-estimate"][i % 3])
        finally:
            done.set()

    def ask() -> None:
        while not done.is_set():
            assert nb.predict(x).shape == (80,)
            assert np.isfinite(nb.explain(x[40:45]).posterior).all()
            assert nb.leave_one_out(x[40:], y[40:]).shape == (40, 2)

    assert in_threads(change, ask) == []
    assert nb.class_counts_.sum() == 60


def test_what_was_learnt_is_there_where_no_model_can_be_made() -> None:
    table, y = pd.DataFrame({"a": ["u", "v"], "x": [1.0, 2.0]}), ["p", "q"]
    nb = NaiveBayes().fit(table, y)
    assert nb.learnt_.statistics is nb.statistics_
    assert nb.learnt_.schema.names == ["a", "x"]
    nb.forget(table, y)
    assert nb.learnt_.schema.names == ["a", "x"]
    with pytest.raises(ValueError, match="forgotten every row"):
        _ = nb.schema_
    with pytest.raises(NotFittedError):
        _ = NaiveBayes().learnt_
