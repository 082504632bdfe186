"""The laws, on every kind of column at once."""

from __future__ import annotations

import operator
from functools import reduce

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests import laws
from tests.strategies import (
    COMBINATIONS,
    DISCRETE,
    DISCRETIZERS,
    KINDS,
    NAMED,
    PRESETS,
    SMOOTHING,
    Case,
    cases,
    learning_table,
    partitions,
)

import candide
from candide import NaiveBayes
from candide import table as tables
from candide.combination import Combination
from candide.discretizers import Discretizer, EqualFrequency, EqualWidth
from candide.distributions import Bins
from candide.distributions.blocks import LeftOut
from candide.distributions.links import LOG
from candide.schema.rows import Rows
from candide.smoothing import Lidstone


def fitted(case: Case, **params: object) -> NaiveBayes:
    return NaiveBayes(distributions=case.distributions, **params).fit(case.X, case.y, case.weight)


def streamed(case: Case, parts: list[np.ndarray], **params: object) -> NaiveBayes:
    nb = NaiveBayes(distributions=case.distributions, **params)
    for rows in parts:
        part = case.rows(rows)
        if part.weight is None or part.weight.any():
            nb.partial_fit(part.X, part.y, sample_weight=part.weight)
    return nb


def merged(case: Case, parts: list[np.ndarray]) -> NaiveBayes:
    some = [case.rows(rows) for rows in parts]
    return reduce(operator.add, [fitted(p) for p in some if p.weight is None or p.weight.any()])


# -- split = whole -------------------------------------------------------------------------------------------------


@given(st.data())
def test_any_stream_gives_the_model_of_the_whole(data: st.DataObject) -> None:
    case = data.draw(cases())
    parts = data.draw(partitions(len(case)))
    laws.same_model(fitted(case), streamed(case, parts), case.X)


@given(st.data())
def test_any_sum_of_models_gives_the_model_of_the_whole(data: st.DataObject) -> None:
    case = data.draw(cases())
    parts = data.draw(partitions(len(case)))
    laws.same_model(fitted(case), merged(case, parts), case.X)


@given(cases(min_rows=2))
def test_a_stream_sorted_by_class_gives_the_model_of_the_whole(case: Case) -> None:
    parts = [np.flatnonzero(case.y == label) for label in np.unique(case.y)]
    laws.same_model(fitted(case), streamed(case, parts), case.X)


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_moments_far_from_zero_merge_to_the_digits_they_have(offset: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)) + offset
    y = rng.integers(0, 3, 300)
    whole = NaiveBayes(distributions="normal").fit(X, y)
    parts = NaiveBayes(distributions="normal")
    for i in np.argsort(y, kind="stable"):
        parts.partial_fit(X[[i]], y[[i]])
    a, b = whole.statistics_["moments"], parts.statistics_["moments"]
    np.testing.assert_allclose(a.m2, b.m2, rtol=1e-14 * max(offset, 100) * 10)
    two_pass = np.array([((X[y == c] - X[y == c].mean(axis=0)) ** 2).sum(axis=0) for c in range(3)])
    np.testing.assert_allclose(a.m2, two_pass, rtol=1e-14 * max(offset, 100) * 10)


# -- the algebra of models -----------------------------------------------------------------------------------------


@given(st.data())
def test_models_add_in_any_order_and_grouping(data: st.DataObject) -> None:
    case = data.draw(cases(min_rows=3, weights=False))
    n = len(case)
    a, b, c = (fitted(case.rows(r)) for r in (np.arange(1), np.arange(1, n - 1), np.arange(n - 1, n)))
    laws.same_model(a + b, b + a, case.X)
    laws.same_model((a + b) + c, a + (b + c), case.X)
    laws.same_model(a.merge(b), a + b, case.X)
    laws.same_model(sum([a, b, c]), a + b + c, case.X)


@given(cases(min_rows=2), st.sampled_from([0.5, 0.9, 3]))
def test_scaling_scales_weights_and_leaves_the_operand_alone(case: Case, factor: float) -> None:
    nb = fitted(case)
    before = nb.predict_joint_log_proba(case.X)
    ones = np.ones(len(case)) if case.weight is None else case.weight
    laws.same_model(factor * nb, fitted(Case(case.X, case.y, factor * ones, case.distributions)), case.X, exact=False)
    laws.same_model(nb * factor, factor * nb, case.X)
    np.testing.assert_array_equal(before, nb.predict_joint_log_proba(case.X))


@given(cases(min_rows=2))
def test_scaled_parts_add_to_the_scaled_whole(case: Case) -> None:
    nb = fitted(case)
    laws.same_model(0.25 * nb + 0.75 * nb, nb, case.X, exact=False)


@given(st.data())
def test_adding_and_subtracting_leaves_the_operands_alone(data: st.DataObject) -> None:
    case = data.draw(cases(min_rows=2, weights=False))
    a, b = fitted(case.rows(np.arange(1))), fitted(case.rows(np.arange(1, len(case))))
    before = [m.statistics_.to_dict() for m in (a, b)]
    (a + b) - b
    assert before == [m.statistics_.to_dict() for m in (a, b)]


@given(st.data())
def test_a_difference_of_models_is_forgetting(data: st.DataObject) -> None:
    case = data.draw(cases(min_rows=2, weights=False))
    keep, drop = case.rows(np.arange(1)), case.rows(np.arange(1, len(case)))
    laws.same_model(fitted(case) - fitted(drop), fitted(keep), case.X)


# -- forgetting ----------------------------------------------------------------------------------------------------


@given(st.data())
def test_forgotten_rows_were_never_learnt(data: st.DataObject) -> None:
    case = data.draw(cases(min_rows=2))
    gone = np.array(data.draw(st.lists(st.booleans(), min_size=len(case), max_size=len(case))))
    assume(gone.any() and not gone.all())
    left, lost = case.rows(np.flatnonzero(~gone)), case.rows(np.flatnonzero(gone))
    assume(case.weight is None or (left.weight.any() and lost.weight.any()))
    laws.same_model(fitted(case).forget(lost.X, lost.y, lost.weight), fitted(left), case.X)


@given(cases(min_rows=3, weights=False))
def test_rows_forgotten_one_by_one_were_never_learnt(case: Case) -> None:
    nb = fitted(case)
    for i in range(1, len(case)):
        row = case.rows(np.array([i]))
        nb.forget(row.X, row.y)
    laws.same_model(nb, fitted(case.rows(np.array([0]))), case.X)


def test_a_model_that_forgot_everything_says_so_and_learns_again() -> None:
    X, y = pd.DataFrame({"a": ["x", "y"]}), ["u", "v"]
    nb = NaiveBayes().fit(X, y).forget(X, y)
    with pytest.raises(ValueError, match="forgotten every row"):
        nb.predict(X)
    laws.same_model(nb.partial_fit(X, y), NaiveBayes().fit(X, y), X)


# -- one row = batch -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combination", COMBINATIONS, ids=str)
@pytest.mark.parametrize("missing", ["ignore", "level"])
@given(data=st.data())
def test_one_row_scores_as_in_a_batch(data: st.DataObject, combination: Combination, missing: str) -> None:
    kinds = DISCRETE if combination.discrete else KINDS
    case, new = data.draw(cases(kinds)), data.draw(cases(kinds, weights=False))
    smoothing = data.draw(st.sampled_from(["none", "laplace"]))
    nb = fitted(case, combination=combination, missing=missing, smoothing=smoothing)
    X = pd.concat([case.X, new.X.reindex(columns=case.X.columns)], ignore_index=True)
    X = X.astype({n: object if NAMED[k].kind == "symbols" else float for n, k in case.distributions.items()})
    batch = nb.predict_joint_log_proba(X)
    for i in range(len(X)):
        np.testing.assert_allclose(nb.predict_joint_log_proba(X.iloc[[i]])[0], batch[i], rtol=1e-12, atol=1e-12)


# -- the sum, and probabilities ------------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", ["none", "laplace"])
@pytest.mark.parametrize("combination", COMBINATIONS, ids=str)
@given(data=st.data())
def test_contributions_add_up_to_the_score(data: st.DataObject, combination: Combination, smoothing: str) -> None:
    case = data.draw(cases(DISCRETE if combination.discrete else KINDS))
    nb = fitted(case, combination=combination, smoothing=smoothing)
    why, scores = nb.explain(case.X), nb.predict_joint_log_proba(case.X)
    # the winner of a row that a rule looks at again is not a sum of contributions
    keep = np.ones(len(case), dtype=bool) if combination.second is None else ~nb.impossible(case.X)
    scores = np.exp(scores) if combination.additive == "probability" else scores
    np.testing.assert_allclose(why.scores[keep], scores[keep], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(why.posterior, nb.predict_proba(case.X), rtol=1e-7)
    assert why.decisions.tolist() == nb.predict(case.X).tolist()


@pytest.mark.parametrize("smoothing", SMOOTHING, ids=str)
@given(case=cases())
def test_posteriors_are_probabilities_under_every_smoothing(case: Case, smoothing: object) -> None:
    nb = fitted(case, smoothing=smoothing)
    laws.probabilities(nb, case.X)
    nothing = case.X.iloc[:1].copy()
    for name, kind in case.distributions.items():
        nothing[name] = pd.Series(
            [None if kind == "categorical" else np.nan], dtype=object if kind == "categorical" else float
        )
    np.testing.assert_allclose(nb.predict_proba(nothing)[0], nb.model_.prior.alpha)


@pytest.mark.parametrize("combination", COMBINATIONS, ids=str)
@given(data=st.data())
def test_posteriors_are_probabilities_under_every_combination(data: st.DataObject, combination: Combination) -> None:
    case = data.draw(cases(DISCRETE if combination.discrete else KINDS))
    laws.probabilities(fitted(case, combination=combination, smoothing="none"), case.X)


# -- weights -------------------------------------------------------------------------------------------------------


@given(cases())
def test_a_weight_is_a_repetition_and_a_zero_weight_an_absence(case: Case) -> None:
    assume(case.weight is not None)
    repeated = case.rows(np.repeat(np.arange(len(case)), case.weight))
    plain = Case(repeated.X, repeated.y, None, case.distributions)
    laws.same_model(fitted(case), fitted(plain), case.X)


@given(cases(min_rows=2))
def test_weights_as_floats_give_the_same_probabilities(case: Case) -> None:
    assume(case.weight is not None)
    floats = Case(case.X, case.y, case.weight.astype(float), case.distributions)
    laws.same_model(fitted(case), fitted(floats), case.X, exact=False)


@given(cases())
def test_counts_of_whole_weights_are_integers(case: Case) -> None:
    for name, part in fitted(case).statistics_.parts.items():
        assert name == "totals" or part.weight.dtype.kind == "i"  # totals are sums of numbers, not of rows


# -- leave one out -------------------------------------------------------------------------------------------------


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


# -- discretizers and presets: merged = whole, and leaving out ---------------------------------------------------------


@pytest.mark.parametrize("rule", DISCRETIZERS, ids=str)
@given(data=st.data())
def test_every_discretizer_cuts_merged_rows_as_it_cuts_the_whole(data: st.DataObject, rule: Discretizer) -> None:
    case = data.draw(cases(("bins",), min_rows=2))
    case = Case(case.X, case.y, case.weight, dict.fromkeys(case.X, Bins(rule)))
    whole, streamed_ = fitted(case), streamed(case, data.draw(partitions(len(case))))
    laws.same_model(whole, streamed_, case.X)
    assert whole.schema_.choices == streamed_.schema_.choices
    assert whole.schema_.choices == merged(case, data.draw(partitions(len(case)))).schema_.choices


@pytest.mark.parametrize("rule", DISCRETIZERS, ids=str)
def test_leaving_one_row_out_keeps_the_cuts_of_every_discretizer(rule: Discretizer) -> None:
    case = learning_table(("bins", "bins"), n=30, weights=True)
    nb = NaiveBayes(Bins(rule)).fit(case.X, case.y, case.weight)
    laws.leaves_one_out(nb, case.X, case.y, case.weight)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.__name__)
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


# -- files ---------------------------------------------------------------------------------------------------------


@given(data=st.data())
def test_a_saved_model_is_the_same_and_keeps_learning(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    case = data.draw(cases(min_rows=2))
    half = len(case) // 2
    assume(case.weight is None or (case.weight[:half].any() and case.weight[half:].any()))
    first, second = case.rows(np.arange(half)), case.rows(np.arange(half, len(case)))
    assume(len(first) > 0)
    path = tmp_path_factory.mktemp("models") / "model.json"
    nb = fitted(first)
    nb.save(path)
    again = candide.load(path)
    assert again.get_params() == nb.get_params()
    laws.same_schema(laws.learnt(nb), laws.learnt(again))
    assert nb.statistics_.to_dict() == again.statistics_.to_dict()
    # components of mixtures are written in the column's own unit, which may cost their last digit
    np.testing.assert_allclose(nb.predict_joint_log_proba(case.X), again.predict_joint_log_proba(case.X), rtol=1e-14)
    again.partial_fit(second.X, second.y, sample_weight=second.weight)
    laws.same_model(again, fitted(case), case.X)


# -- rules changed after fit ---------------------------------------------------------------------------------------

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
