"""The laws, on every kind of column at once: splits, sums, forgetting, batches, weights and files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests import laws
from tests.strategies import (
    COMBINATIONS,
    DISCRETE,
    KINDS,
    NAMED,
    SMOOTHING,
    Case,
    cases,
    fitted,
    merged,
    partitions,
    streamed,
)

import candide
from candide import NaiveBayes
from candide.combination import Combination

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
    before = [laws.numbers(m) for m in (a, b)]
    (a + b) - b
    assert before == [laws.numbers(m) for m in (a, b)]


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
    assert laws.numbers(nb) == laws.numbers(again)
    # components of mixtures are written in the column's own unit, which may cost their last digit; all else is exact
    rounding = 1e-12 if "mixture" in case.distributions.values() else 0.0
    scores = again.predict_joint_log_proba(case.X)
    np.testing.assert_allclose(scores, nb.predict_joint_log_proba(case.X), rtol=rounding, atol=rounding)
    again.partial_fit(second.X, second.y, sample_weight=second.weight)
    laws.same_model(again, fitted(case), case.X)
