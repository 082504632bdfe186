"""Rules, a statistic and an engine that are new: each in a few lines, under the laws without touching anything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests import laws
from tests.extending.cases import N, X, Y, obeys_the_laws
from tests.extending.rules import (
    Chunks,
    Doublings,
    Formless,
    Geometric,
    Ordinal,
    Patient,
    Perks,
    Tempered,
    Zeros,
    count_zeros,
)

import candide
from candide import NaiveBayes, combination, discretizers, distributions, smoothing
from candide.engines import memory
from candide.estimator import learner
from candide.estimator.given import open_given
from candide.statistics import Counts, Part, base

# -- a distribution ----------------------------------------------------------------------------------------------------


def test_a_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributions, "RULES", [*distributions.RULES, Geometric])
    obeys_the_laws(lambda: NaiveBayes({"n": "geometric"}), tmp_path)
    obeys_the_laws(lambda: NaiveBayes({"n": "geometric"}, missing="level", combination="outlier"), tmp_path)
    nb = NaiveBayes({"n": "geometric"}).fit(X, Y)
    p = 1 / (1 + X["n"].groupby(Y).mean().to_numpy())
    np.testing.assert_allclose(np.exp(nb.explain(X[1:2]).contributions[0, :, 2]), stats.geom(p, loc=-1).pmf(X["n"][1]))
    with pytest.raises(ValueError, match=r"column 'n', row 0: 0\.5 is outside the support of 'geometric'"):
        nb.fit(X.assign(n=0.5), Y)
    drawn, labels = nb.sample(4_000, random_state=0)
    assert drawn["n"][labels == "p"].mean() == pytest.approx(X["n"][Y == "p"].mean(), rel=0.2)
    assert np.isfinite(nb.predict_interval(X[:2], draws=20)).all()
    np.testing.assert_allclose(nb.model_.forms[2](np.array([4.0]))[0], stats.geom(p, loc=-1).logpmf(4))
    with pytest.raises(ValueError, match=r"Formless\(\) takes whole numbers.*give it a `form` of its own"):
        NaiveBayes({"n": Formless()}).fit(X, Y).model_.forms  # noqa: B018  # asking is the point


# -- a smoothing rule --------------------------------------------------------------------------------------------------


def test_a_smoothing_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smoothing, "RULES", [*smoothing.RULES, Perks])
    obeys_the_laws(lambda: NaiveBayes("bins", smoothing="perks"), tmp_path)
    obeys_the_laws(lambda: NaiveBayes("bins", smoothing=Perks(0.25), groups=[["k", "n"]]), tmp_path)
    nb = NaiveBayes("bins", smoothing="perks").fit(X, Y)
    for name in nb.model_.attribute_names:
        np.testing.assert_allclose(sum(nb.model_.describe(name).values()), 1.0)
    assert nb.set_params(smoothing=Perks()).set_params(smoothing__strength=9.0).smoothing == Perks(9.0)


# -- a discretizer -----------------------------------------------------------------------------------------------------


def test_a_discretizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discretizers, "REGISTRY", (*discretizers.REGISTRY, Doublings))
    monkeypatch.setattr(distributions, "DISCRETIZERS", discretizers.REGISTRY)
    obeys_the_laws(lambda: NaiveBayes("doublings"), tmp_path)
    obeys_the_laws(lambda: NaiveBayes("doublings(2)", combination="sum"), tmp_path)
    cuts = NaiveBayes("doublings(2)").fit(X, Y).schema_.choice("x").discretizer.points
    assert cuts == [2.0 * 2**i for i in range(len(cuts))]
    assert cuts[-1] < X["x"].max() <= 2 * cuts[-1]


# -- a combination -----------------------------------------------------------------------------------------------------


def test_a_combination_with_a_link_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combination, "RULES", [*combination.RULES, Patient])
    obeys_the_laws(lambda: NaiveBayes({"x": "normal"}, combination="patient"), tmp_path)
    obeys_the_laws(
        lambda: NaiveBayes("bins", combination=Patient(-1.0), groups=[["k", "n"]], missing="level"), tmp_path
    )
    bare = NaiveBayes("bins", combination="patient", smoothing="none").fit(X, Y)
    terms = NaiveBayes("bins", smoothing="none").fit(X, Y).explain(X).contributions
    wanted = bare.model_.log_prior + np.maximum(terms, -3.0).sum(axis=2)
    np.testing.assert_allclose(bare.predict_joint_log_proba(X), wanted, rtol=1e-12)


def test_a_combination(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combination, "RULES", [*combination.RULES, Tempered])
    obeys_the_laws(lambda: NaiveBayes({"x": "normal"}, combination="tempered"), tmp_path)
    obeys_the_laws(lambda: NaiveBayes("bins", combination=Tempered(0.1), groups=[["k", "n"]]), tmp_path)
    product, tempered = (NaiveBayes("bins", combination=rule).fit(X, Y) for rule in ("product", "tempered"))
    log_prior = product.model_.log_prior
    wanted = log_prior + 0.5 * (product.predict_joint_log_proba(X) - log_prior)
    np.testing.assert_allclose(tempered.predict_joint_log_proba(X), wanted, rtol=1e-12)


# -- a decision rule ---------------------------------------------------------------------------------------------------


def test_a_decision_rule(tmp_path: Path) -> None:
    obeys_the_laws(lambda: NaiveBayes(costs=Ordinal()), tmp_path)
    nb = NaiveBayes(costs=Ordinal()).fit(X, Y)
    median = (np.cumsum(nb.predict_proba(X), axis=1) >= 0.5).argmax(axis=1)  # it costs least where |d − c| is the cost
    np.testing.assert_array_equal(nb.predict(X), nb.classes_[median])
    assert (nb.predict(X) != NaiveBayes().fit(X, Y).predict(X)).any()
    nb.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    assert again.costs == Ordinal()
    np.testing.assert_array_equal(again.risk(X), nb.risk(X))
    steep = again.set_params(costs__power=9.0)
    at = np.arange(3)
    np.testing.assert_allclose(steep.risk(X), nb.predict_proba(X) @ np.abs(at - at[:, None]) ** 9.0)


# -- a statistic -------------------------------------------------------------------------------------------------------


@pytest.fixture
def zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the new statistic: two parts, one reduction, and the distribution that reads them."""
    for part in Zeros.needs:
        monkeypatch.setitem(base.COLUMN_PARTS, part, Part(Counts, ("classes", f"columns of {part}")))
    monkeypatch.setattr(memory, "REDUCTIONS", [*memory.REDUCTIONS, count_zeros])
    monkeypatch.setattr(distributions, "RULES", [*distributions.RULES, Zeros])


@pytest.mark.usefixtures("zeros")
def test_a_statistic(tmp_path: Path) -> None:
    obeys_the_laws(lambda: NaiveBayes({"n": "zeros"}), tmp_path)
    obeys_the_laws(NaiveBayes, tmp_path)  # and models that do not ask for it are what they were
    obeys_the_laws(lambda: NaiveBayes({"n": "zeros", "x": "zeros"}, missing="level", combination="sum"), tmp_path)
    nb = NaiveBayes({"n": "zeros"}, smoothing="none").fit(X, Y)
    zero = (X["n"] == 0)[X["n"].notna()].groupby(Y[X["n"].notna()]).mean()
    np.testing.assert_allclose(nb.model_.describe("n")["zero"], zero.to_numpy())
    alone = NaiveBayes("zeros").fit(X[["n"]], Y)
    with pytest.raises(
        ValueError, match="cannot forget a number in column 'n' for class 'q' more often than it was learnt"
    ):
        alone.forget(pd.DataFrame({"n": [0.0] * 5}), ["q"] * 5)
    with pytest.raises(ValueError, match=r"column 'n' was kept as zero\+other.*refit"):
        nb.set_params(distributions={"n": "normal"}).predict(X)
    weighted = NaiveBayes({"n": "zeros"}).fit(X, Y, np.arange(N) % 3)
    repeated = np.repeat(np.arange(N), np.arange(N) % 3)
    laws.same_model(weighted, NaiveBayes({"n": "zeros"}).fit(X.iloc[repeated], Y[repeated]), X)


# -- an engine ---------------------------------------------------------------------------------------------------------


def test_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_chunks(X: Any, *rest: Any) -> Any:
        return (Chunks(), X, None) if isinstance(X, list) else open_given(X, *rest)

    monkeypatch.setattr(learner, "open_given", open_chunks)
    parts = [np.arange(0, 1), np.arange(1, 20), np.arange(20, N)]
    chunks = [(X.iloc[rows], Y[rows]) for rows in parts]
    for params in ({}, {"distributions": {"n": "gamma", "x": "normal"}}, {"groups": [["k", "n"]], "missing": "level"}):
        data = X.assign(n=X["n"] + 1)
        moved = [(data.iloc[rows], Y[rows]) for rows in parts]
        whole = NaiveBayes(**params).fit(data, Y)
        laws.same_model(NaiveBayes(**params).fit(moved), whole, data)
        laws.same_model(NaiveBayes(**params).fit(data[:1], Y[:1]).partial_fit(moved[1:]), whole, data)
        laws.same_model(whole.forget(moved[2:]), NaiveBayes(**params).fit(moved[:2]), data)
    assert NaiveBayes().fit(chunks).predict(X).shape == (N,)


def test_nothing_new_is_left_behind() -> None:
    registered = [*distributions.RULES, *smoothing.RULES, *discretizers.REGISTRY, *combination.RULES]
    assert {rule.__module__.split(".")[0] for rule in registered} == {"candide"}
    assert set(base.COLUMN_PARTS).isdisjoint(Zeros.needs)
    assert count_zeros not in memory.REDUCTIONS
