"""Scoring: rows in batches, the terms before they were added, and each row without itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from candide import NaiveBayes
from candide import table as tables
from candide.combination import RULES, Product, Robust, Sum, as_combination, log_posterior
from candide.distributions import blocks as blocks_module
from candide.distributions.blocks import LeftOut
from candide.schema import rows as rows_module
from candide.schema.rows import Rows
from candide.scoring import scoring

RNG = np.random.default_rng(0)
N = 50
Y = RNG.choice(["p", "q", "r"], N)
X = pd.DataFrame(
    {
        "k": RNG.choice(np.array(["u", "v", None], dtype=object), N),
        "n": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
        "b": RNG.normal(size=N),
        "c": RNG.choice(["x", "y"], N),
        "m": RNG.poisson(1.0, N).astype(float),
    }
)
DENSITIES = {"n": "normal", "b": "equal-width(4)", "m": "multinomial"}
DISCRETE = {"n": "equal-frequency(3)", "b": "equal-width(4)", "m": "bernoulli"}
every_rule = pytest.mark.parametrize("name", [rule.name for rule in RULES])


def fitted(name: str) -> tuple[NaiveBayes, Rows]:
    """Return a model under a combination, with rows impossible under every class where it can have them."""
    discrete = as_combination(name).discrete
    frame = X.assign(m=(X["m"] > 0).astype(float))[["k", "n", "b", "c", "m"]] if discrete else X
    nb = NaiveBayes(DISCRETE if discrete else DENSITIES, combination=name, smoothing="none", groups=[["k", "c"]])
    return nb.fit(frame, Y), Rows(tables.read(frame), nb.schema_)


@every_rule
def test_several_threads_score_and_decide_as_one_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = as_combination(name)
    x = np.column_stack([RNG.normal(size=N), RNG.normal(size=N), RNG.poisson(1.0, N)])
    x[RNG.random(x.shape) < 0.1] = np.nan
    bins = ["equal-width(4)", "equal-frequency(3)", "equal-width(2)"]
    given = bins if rule.discrete else ["normal", "equal-width(4)", "smooth"]
    nb = NaiveBayes(dict(enumerate(given)), combination=name, smoothing="none").fit(x, Y)
    rows = Rows(tables.read(x), nb.schema_)
    wanted, decided = scoring.score(nb.model_, rule, rows), scoring.decide(nb.model_, rule, rows)
    began: set[int] = set()
    one = scoring.score_batch
    monkeypatch.setattr(scoring, "score_batch", lambda *args: began.add(threading.get_ident()) or one(*args))
    monkeypatch.setattr(scoring, "workers", lambda: 3)
    monkeypatch.setattr(scoring, "REPAYS", 1)
    monkeypatch.setattr(scoring, "NEAR", 4)
    np.testing.assert_allclose(scoring.score(nb.model_, rule, rows), wanted, rtol=1e-13)
    assert scoring.decide(nb.model_, rule, rows).tolist() == decided.tolist()
    assert began
    assert threading.get_ident() not in began


@every_rule
@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_rows_score_the_same_in_batches_of_any_size(name: str, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    nb, rows = fitted(name)
    rule = as_combination(name)
    wanted = scoring.score(nb.model_, rule, rows)
    told = scoring.contributions(nb.model_, rule, rows)
    y = np.searchsorted(nb.classes_, Y)
    left = scoring.leave_one_out(nb.model_, rule, rows, LeftOut(y, np.ones(N)))
    monkeypatch.setattr(rows_module, "BATCH", batch)
    monkeypatch.setattr(scoring, "BATCH", batch)
    monkeypatch.setattr(blocks_module, "KEPT_APART", batch * 15)
    np.testing.assert_allclose(scoring.score(nb.model_, rule, rows), wanted, rtol=1e-13)
    again = scoring.contributions(nb.model_, rule, rows)
    np.testing.assert_allclose(again.terms, told.terms, rtol=1e-13)
    np.testing.assert_allclose(again.scores, told.scores, rtol=1e-13)
    np.testing.assert_allclose(
        scoring.leave_one_out(nb.model_, rule, rows, LeftOut(y, np.ones(N))), left, rtol=1e-12, atol=1e-13
    )


@every_rule
def test_contributions_are_the_score_before_it_was_added(name: str) -> None:
    nb, rows = fitted(name)
    rule = as_combination(name)
    told = scoring.contributions(nb.model_, rule, rows)
    np.testing.assert_allclose(told.scores, scoring.score(nb.model_, rule, rows), rtol=1e-11)
    added = told.prior + told.terms.sum(axis=2)
    added = added if rule.additive == "log" else np.log(added)
    if told.zeros is not None:
        lost = ~np.isnan(told.zeros).all(axis=1)
        assert (added[lost] == -np.inf).all()
        added[lost] = told.scores[lost]
    np.testing.assert_allclose(told.scores, added, rtol=1e-11)


def impossible_row() -> pd.DataFrame:
    """Return a row that no class allows: what each has was seen only in the others."""
    return pd.DataFrame({"a": ["x", "x"], "b": ["v", "u"]})


TABLE = pd.DataFrame({"a": ["x", "x", "y"], "b": ["u", "u", "v"]})
LABELS = np.array(["p", "p", "q"])


def test_zeros_are_counted_in_rows_impossible_under_every_class_and_in_no_other() -> None:
    nb = NaiveBayes(smoothing="none", combination="robust").fit(TABLE, LABELS)
    rows = Rows(tables.read(impossible_row()), nb.schema_)
    told = scoring.contributions(nb.model_, Robust(), rows)
    assert told.zeros is not None
    assert told.zeros[0].tolist() == [1, 1]
    assert np.isnan(told.zeros[1]).all()
    assert told.scores[0].tolist() == [np.log(2 / 3), -np.inf]
    possible = scoring.contributions(nb.model_, Robust(), rows.slice(1, 2))
    assert possible.zeros is None


def test_rows_impossible_under_every_class_get_the_prior() -> None:
    nb = NaiveBayes(smoothing="none").fit(TABLE, LABELS)
    rows = Rows(tables.read(impossible_row()), nb.schema_)
    scores = np.zeros((2, 2))
    log_prior = scoring.score_batch(nb.model_, Product(), rows, scores)
    assert (scores[0] == -np.inf).all()
    np.testing.assert_allclose(np.exp(log_posterior(scores, log_prior)), [[2 / 3, 1 / 3], [1, 0]])


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("rule", ["multinomial", "bernoulli", "normal"])
def test_sparse_rows_are_scored_in_parts_that_fit(
    rule: str, make: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    x = (RNG.poisson(0.3, (30, 6)) > 0).astype(float)
    nb = NaiveBayes(rule).fit(x, np.arange(30) % 2)
    wanted = nb.predict_joint_log_proba(x)
    np.testing.assert_allclose(nb.predict_joint_log_proba(make(x)), wanted, rtol=1e-12)
    monkeypatch.setattr(rows_module, "DENSE_CELLS", 12)
    np.testing.assert_allclose(nb.predict_joint_log_proba(make(x)), wanted, rtol=1e-12)


def test_leaving_out_rows_of_no_weight_changes_nothing() -> None:
    for rule in (Product(), Sum()):
        nb = NaiveBayes(combination=rule).fit(TABLE, LABELS)
        rows = Rows(tables.read(TABLE), nb.schema_)
        got = scoring.leave_one_out(nb.model_, rule, rows, LeftOut(np.array([0, 0, 1]), np.zeros(3)))
        np.testing.assert_allclose(got, nb.predict_log_proba(TABLE), rtol=1e-12)


def test_a_level_that_no_class_has_shown_is_no_zero_of_the_robust_rule() -> None:
    frame = pd.DataFrame({"a": ["u", "u", "v", "v"], "b": ["x", "y", "z", "z"]})
    nb = NaiveBayes(smoothing="none", combination="robust").fit(frame, ["p", "p", "p", "q"])
    known, strange = pd.DataFrame({"a": ["u"], "b": ["z"]}), pd.DataFrame({"a": ["NEW"], "b": ["z"]})
    assert nb.explain(known).zeros is None  # class p has shown both
    assert nb.predict(strange).tolist() == nb.predict(pd.DataFrame({"a": [None], "b": ["z"]}, dtype=object)).tolist()
