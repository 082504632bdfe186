"""Leaving a row out is fitting without it, for every rule and every kind of column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tests import laws
from tests.strategies import (
    COMBINATIONS,
    DISCRETE,
    DISCRETIZERS,
    KINDS,
    SMOOTHING,
    Case,
    cases,
    fitted,
    learning_table,
)

from candide import NaiveBayes
from candide import table as tables
from candide.combination import Combination
from candide.discretizers import Discretizer
from candide.distributions import Bins
from candide.distributions.blocks import LeftOut
from candide.distributions.links import LOG
from candide.schema.rows import Rows


@pytest.mark.parametrize("smoothing", SMOOTHING, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_leaving_one_row_out_is_fitting_without_it(kind: str, smoothing: object) -> None:
    case = learning_table((kind, kind), weights=kind in ("categorical", "normal", "gamma"))
    laws.leaves_one_out(fitted(case, smoothing=smoothing), case.X, case.y, case.weight, laws.tolerance(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_leaving_one_row_out_leaves_no_rounding_of_its_weight(kind: str) -> None:
    case = learning_table((kind, kind), seed=6)
    weight = np.random.default_rng(0).choice([0.1, 0.2, 0.3, 0.7], len(case))
    nb = NaiveBayes(distributions=case.distributions, smoothing="none").fit(case.X, case.y, weight)
    laws.leaves_one_out(nb, case.X, case.y, weight, max(1e-6, laws.tolerance(kind)))


@pytest.mark.parametrize("combination", COMBINATIONS, ids=str)
@pytest.mark.parametrize("smoothing", ["none", "laplace", "m-estimate", "indifferent"])
def test_leaving_one_row_out_is_fitting_without_it_under_every_combination(
    combination: Combination, smoothing: str
) -> None:
    kinds = DISCRETE if combination.discrete else KINDS
    case = learning_table(kinds, seed=1, weights=True)
    nb = fitted(case, smoothing=smoothing, combination=combination)
    laws.leaves_one_out(nb, case.X, case.y, case.weight, laws.tolerance(*kinds))


@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("weights", ["none", "whole", "any"])
@pytest.mark.parametrize("smoothing", SMOOTHING, ids=str)
def test_leaving_one_row_out_of_all_attributes_at_once_adds_up_what_each_says(
    smoothing: object, weights: str, missing: str
) -> None:
    case = learning_table(KINDS, seed=7, n=40)
    rng = np.random.default_rng(1)
    weight = {"none": np.ones(40), "whole": rng.integers(0, 3, 40) * 1.0, "any": rng.uniform(0.1, 2, 40)}[weights]
    nb = NaiveBayes(distributions=case.distributions, smoothing=smoothing, missing=missing)
    model = nb.fit(case.X, case.y, weight).model_
    rows = Rows(tables.read(case.X), nb.schema_)
    y = np.searchsorted(nb.classes_, case.y)
    without = LeftOut(y, weight)
    apart = np.nansum(model.terms(rows, LOG, without), axis=2)
    together = np.zeros(apart.shape)
    model.add(rows, LOG, together, without)
    np.testing.assert_allclose(together, apart, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("prior", ["uniform", {"no": 0.5, "yes": 0.3, "maybe": 0.2}])
def test_leaving_one_row_out_keeps_a_given_prior(prior: object) -> None:
    case = learning_table(("categorical", "normal"), seed=2)
    laws.leaves_one_out(fitted(case, prior=prior), case.X, case.y)


@pytest.mark.parametrize("kinds", [DISCRETE, KINDS])
def test_leaving_one_row_out_where_missing_is_a_level(kinds: tuple[str, ...]) -> None:
    case = learning_table(kinds, seed=5, n=20)
    case.X.iloc[[0, 1, 2, 3], :] = None  # never the only missing cell, which would take its level with it
    laws.leaves_one_out(fitted(case, missing="level"), case.X, case.y, rtol=laws.tolerance(*kinds))


@given(cases(kinds=("categorical", "bernoulli", "normal", "poisson"), min_rows=2, max_rows=8))
def test_leaving_one_row_out_of_any_table(case: Case) -> None:
    # one row without weight left would leave nothing to fit
    laws.leaves_one_out(fitted(case), case.X, case.y, case.weight, rtol=1e-6)


def test_leaving_the_only_row_out_leaves_the_prior_of_no_rows() -> None:
    X, y = np.array([[1.0]]), np.array(["a"])
    nb = NaiveBayes(smoothing="none", distributions="normal").partial_fit(X, y, classes=["a", "b"])
    np.testing.assert_allclose(np.exp(nb.leave_one_out(X, y)), [[0.5, 0.5]])


@pytest.mark.parametrize("rule", DISCRETIZERS, ids=str)
def test_leaving_one_row_out_keeps_the_cuts_of_every_discretizer(rule: Discretizer) -> None:
    case = learning_table(("bins", "bins"), n=30, weights=True)
    nb = NaiveBayes(Bins(rule)).fit(case.X, case.y, case.weight)
    laws.leaves_one_out(nb, case.X, case.y, case.weight)
