"""The laws, for every structure: splits, sums, forgetting, batches, weights, leaving out and files."""

from __future__ import annotations

import operator
from functools import reduce
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from tests import laws
from tests.strategies import SMOOTHING, Case, partitions
from tests.structure.cases import STRUCTURES, made, symbols, table

import candide
from candide.estimator import Classifier
from candide.smoothing import Smoothing
from candide.structure import BayesNetwork

pytestmark = pytest.mark.long

every_structure = pytest.mark.parametrize("model", STRUCTURES, ids=str)


@every_structure
@given(data=st.data())
def test_any_stream_and_any_sum_gives_the_model_of_the_whole(data: st.DataObject, model: Classifier) -> None:
    case = data.draw(symbols())
    streamed, parts = clone(model), []
    for rows in data.draw(partitions(len(case))):
        part = case.rows(rows)
        if part.weight is None or part.weight.any():
            streamed.partial_fit(part.X, part.y, sample_weight=part.weight)
            parts.append(made(model, part))
    whole = made(model, case)
    laws.same_model(whole, streamed, case.X)
    laws.same_model(whole, reduce(operator.add, parts), case.X)


@every_structure
@given(data=st.data())
def test_forgotten_rows_were_never_learnt(data: st.DataObject, model: Classifier) -> None:
    case = data.draw(symbols(min_rows=2))
    gone = np.array(data.draw(st.lists(st.booleans(), min_size=len(case), max_size=len(case))))
    assume(gone.any() and not gone.all())
    left, lost = case.rows(np.flatnonzero(~gone)), case.rows(np.flatnonzero(gone))
    assume(case.weight is None or (left.weight.any() and lost.weight.any()))
    laws.same_model(made(model, case).forget(lost.X, lost.y, lost.weight), made(model, left), case.X)
    laws.same_model(made(model, case) - made(model, lost), made(model, left), case.X)


@every_structure
@given(case=symbols())
def test_a_weight_is_a_repetition(case: Case, model: Classifier) -> None:
    assume(case.weight is not None)
    repeated = case.rows(np.repeat(np.arange(len(case)), case.weight))
    laws.same_model(made(model, case), made(model, Case(repeated.X, repeated.y, None, {})), case.X)


@every_structure
@given(case=symbols(min_rows=2), factor=st.sampled_from([0.5, 0.9, 3]))
def test_scaling_scales_weights(case: Case, factor: float, model: Classifier) -> None:
    ones = np.ones(len(case)) if case.weight is None else case.weight
    scaled = made(model, Case(case.X, case.y, factor * ones, {}))
    laws.same_model(factor * made(model, case), scaled, case.X, exact=False)


@every_structure
@pytest.mark.parametrize("missing", ["ignore", "level"])
@given(data=st.data())
def test_one_row_scores_as_in_a_batch_and_contributions_add_up(
    data: st.DataObject, missing: str, model: Classifier
) -> None:
    case, new = data.draw(symbols()), data.draw(symbols(weights=False))
    smoothing = (
        model.smoothing if getattr(model, "average_trees", False) else data.draw(st.sampled_from(["none", "laplace"]))
    )
    fitted = made(model, case, missing=missing, smoothing=smoothing)
    X = pd.concat([case.X, new.X], ignore_index=True)
    batch = fitted.predict_joint_log_proba(X)
    for i in range(len(X)):
        np.testing.assert_allclose(fitted.predict_joint_log_proba(X.iloc[[i]])[0], batch[i], rtol=1e-9, atol=1e-9)
    why = fitted.explain(X)
    np.testing.assert_allclose(why.scores, batch, rtol=1e-9, atol=1e-9)
    laws.probabilities(fitted, X)


@every_structure
@pytest.mark.parametrize("smoothing", SMOOTHING, ids=str)
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_leaving_one_row_out_is_fitting_without_it(model: Classifier, smoothing: Smoothing, missing: str) -> None:
    if getattr(model, "average_trees", False):
        smoothing = model.smoothing
    case = table(24, seed=1, columns=3)
    fitted = made(model, case, smoothing=smoothing, missing=missing)
    if smoothing == candide.smoothing.Backoff():  # its strength is a choice, and is kept
        fitted = made(model, case, smoothing=fitted.model_.smoothing, missing=missing)
    laws.leaves_one_out(fitted, case.X, case.y)


@every_structure
def test_leaving_weighted_rows_out_is_fitting_without_them(model: Classifier) -> None:
    case = table(20, seed=2, columns=3)
    weight = np.random.default_rng(0).integers(0, 3, 20)
    fitted = made(model, Case(case.X, case.y, weight, {}))
    laws.leaves_one_out(fitted, case.X, case.y, weight)


@every_structure
@given(data=st.data())
def test_a_saved_model_is_the_same_and_keeps_learning(
    data: st.DataObject, model: Classifier, tmp_path_factory: pytest.TempPathFactory
) -> None:
    case = data.draw(symbols(min_rows=2, weights=False))
    half = len(case) // 2
    first, second = case.rows(np.arange(half)), case.rows(np.arange(half, len(case)))
    path = tmp_path_factory.mktemp("models") / "model.json"
    fitted = made(model, first)
    fitted.save(path)
    again = candide.load(path)
    assert again.get_params() == fitted.get_params()
    laws.same_schema(laws.learnt(fitted), laws.learnt(again))
    laws.same_statistics(laws.learnt(fitted), laws.learnt(again))
    np.testing.assert_array_equal(again.predict_joint_log_proba(case.X), fitted.predict_joint_log_proba(case.X))
    again.partial_fit(second.X, second.y)
    laws.same_model(again, made(model, case), case.X)


@every_structure
def test_rules_change_after_fit_and_read_no_data(model: Classifier) -> None:
    case = table()
    held = isinstance(model, BayesNetwork) and model.parents is not None  # its class has parents, and no prior
    other = {"missing": "level"} if held else {"prior": "uniform", "missing": "level"}
    changed = made(model, case).set_params(**other)
    laws.same_model(changed, made(model, case, **other), case.X)


@every_structure
def test_numbers_are_cut_and_their_cuts_stay(model: Classifier) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 3)), columns=["s0", "s1", "s2"])
    y = np.where(X["s0"] * X["s1"] > 0, "a", "b")
    whole = type(model)(**{**model.get_params(deep=False), "distributions": "equal-frequency(3)"}).fit(X, y)
    cuts = [whole.schema_.choice(name).discretizer.points for name in X]
    assert [len(cut) for cut in cuts] == [2, 2, 2]
    more = clone(whole).fit(X[:40], y[:40])
    first = more.schema_.choice("s0")
    assert more.partial_fit(X[40:] + 5, y[40:]).schema_.choice("s0") == first
    given = [clone(model).set_params(schema=whole.schema_).fit(X[part], y[part]) for part in (slice(40), slice(40, 80))]
    laws.same_model(given[0] + given[1], clone(model).set_params(schema=whole.schema_).fit(X, y), X)
    with pytest.raises(ValueError, match="refit"):
        whole.set_params(distributions="equal-frequency(4)").predict(X)


@every_structure
def test_joint_probabilities_add_up_to_one_and_samples_come_by_them(model: Classifier) -> None:
    case = table(300, missing=0.0)
    fitted = made(model, case)
    every = pd.DataFrame(list(product("abc", repeat=4)), columns=case.X.columns)
    p = np.exp(fitted.predict_joint_log_proba(every))
    np.testing.assert_allclose(p.sum(), 1.0)
    X, y = fitted.sample(20_000, random_state=0)
    assert list(X.columns) == list(case.X.columns)
    place = every.apply("".join, axis=1).tolist()
    rows = np.array([place.index(cells) for cells in X.apply("".join, axis=1)])
    found = np.zeros(p.shape)
    np.add.at(found, (rows, np.searchsorted(fitted.classes_, y)), 1 / len(y))
    assert np.abs(found - p).sum() < 0.15


@every_structure
@pytest.mark.parametrize("method", ["counts", "draws"])
def test_intervals_hold_the_probability(model: Classifier, method: str) -> None:
    case = table(60)
    fitted = made(model, case)
    low, high = np.moveaxis(fitted.predict_interval(case.X[:8], method=method, draws=60, level=0.9), 2, 0)
    p = fitted.predict_proba(case.X[:8])
    assert (low <= high).all()
    assert ((low <= p) & (p <= high)).mean() > 0.8


@every_structure
def test_intervals_by_counts_are_about_those_by_draws(model: Classifier) -> None:
    case = table(400, missing=0.05)
    fitted = made(model, case)
    by_counts, by_draws = (
        fitted.predict_interval(case.X[:10], method=method, draws=300) for method in ("counts", "draws")
    )
    wide, wanted = np.diff(by_counts, axis=2).mean(), np.diff(by_draws, axis=2).mean()
    assert 0.7 < wide / wanted < 1.4


@every_structure
def test_intervals_of_rows_of_which_nothing_was_ever_known_hold_the_prior(model: Classifier) -> None:
    X = pd.DataFrame({f"s{j}": pd.Series([None] * 4, dtype=object) for j in range(3)})
    fitted = made(model, Case(X, np.array(["no", "yes", "yes", "yes"]), None, {}))
    low, high = np.moveaxis(fitted.predict_interval(X), 2, 0)
    p = fitted.predict_proba(X)
    assert ((low < p) & (p < high)).all()
