"""What tuned weights promise besides: sources, what is gone, thousands of columns, and never worse than naive Bayes."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest
from tests.tuning.test_tuned import CROSSED, SIDE, crossed

from candide import NaiveBayes, TunedNB, native
from candide.datasets import load
from candide.native import reference
from candide.tuning import settling
from candide.tuning.pairs import BEST_COLUMNS
from candide.tuning.views import WEIGHED

needs_data = pytest.mark.skipif("CANDIDE_DATA" not in os.environ, reason="CANDIDE_DATA names no data folder")


def losses(nb: NaiveBayes, x: pd.DataFrame, y: np.ndarray) -> np.ndarray:
    """−log P(y) of rows."""
    at = np.searchsorted(nb.classes_, y)
    return -nb.predict_log_proba(x)[np.arange(len(at)), at]


def test_a_model_of_batches_is_tuned_on_batches():
    """Statistics from one source, weights from another: as from the tables in memory."""
    parts = [(CROSSED[a : a + 250], SIDE[a : a + 250]) for a in range(0, len(SIDE), 250)]
    batches = [part.assign(side=side) for part, side in parts]
    nb = NaiveBayes(missing="level", distributions="smooth").fit(iter(batches), "side").set_params(weights="tuned")
    nb.tune(iter(batches), "side")
    expected = NaiveBayes(missing="level", distributions="smooth", weights="tuned").fit(CROSSED, SIDE)
    assert nb.tuned_on_ == len(SIDE)
    assert nb.pairs_ == expected.pairs_
    np.testing.assert_allclose(nb.predict_proba(CROSSED), expected.predict_proba(CROSSED), atol=1e-6)


def test_a_level_that_is_forgotten_is_ignored_by_weights_that_name_it():
    strange, other = CROSSED[:40].assign(a="rare"), np.array(["in", "out"] * 20)
    nb = TunedNB().fit(pd.concat([CROSSED, strange]), [*SIDE, *other])
    assert "rare" in nb.model_.settled.weights.columns["a"].levels
    said = nb.explain(strange[:1])
    assert np.abs(said.contributions[:, :, said.names.index("a")]).max() > 0
    nb.forget(strange, other)
    why = nb.explain(strange[:5])
    assert (why.contributions[:, :, why.names.index("a")] == 0).all()
    np.testing.assert_allclose(why.scores, nb.predict_joint_log_proba(strange[:5]), atol=1e-9)
    assert "rare" not in nb.model_.describe("a")


def test_a_temperature_is_one_number_and_nothing_else():
    nb = NaiveBayes(weights="temperature").fit(CROSSED, SIDE)
    assert set(nb.weights_.values()) == {nb.temperature_}
    assert nb.pairs_ == []
    plain = NaiveBayes(distributions="smooth").fit(CROSSED, SIDE)
    one, other = (model.explain(CROSSED[:50]) for model in (nb, plain))
    assert one.names == other.names
    np.testing.assert_allclose(one.contributions, nb.temperature_ * other.contributions, atol=1e-9)


def test_ten_thousand_columns_are_weighed_if_they_tell_something(monkeypatch):
    """Those that say nothing alone are left out, and pairs are looked for among the best sixty."""
    rng = np.random.default_rng(0)
    y = np.arange(320) % 2
    x = rng.integers(0, 2, (320, 10_000)).astype(np.int8)
    x[:, 7] = (x[:, 7] + 2 * (rng.random(320) < 0.7 * y)).clip(0, 1)
    looked = []
    cells_of_rows = settling.cells_of_rows

    def spied(parts, among, *others):
        looked.extend(among)
        return cells_of_rows(parts, among, *others)

    monkeypatch.setattr(settling, "cells_of_rows", spied)
    nb = TunedNB(distributions="categorical").fit(x, y)
    assert len(looked) == BEST_COLUMNS
    assert 7 in looked
    weighed = [name for name, weight in nb.weights_.items() if weight]
    assert 7 in weighed
    assert len(weighed) <= WEIGHED
    assert (nb.explain(x[:1]).contributions[0, :, [n for n in range(10_000) if n not in weighed]] == 0).all()
    fresh = rng.integers(0, 2, (400, 10_000)).astype(np.int8)
    late = np.arange(400) % 2
    fresh[:, 7] = (fresh[:, 7] + 2 * (rng.random(400) < 0.7 * late)).clip(0, 1)
    plain = NaiveBayes(distributions="categorical").fit(x, y)
    assert losses(nb, fresh, late).mean() < losses(plain, fresh, late).mean()


@pytest.mark.parametrize("type_of", [np.uint8, np.uint16, np.int32])
@pytest.mark.parametrize("some", [False, True])
def test_joined_codes_are_those_of_numpy(type_of, some):
    rng = np.random.default_rng(0)
    sizes = np.array([3, 2, 5, 4], dtype=np.int64)
    codes = np.column_stack([rng.integers(0, size, 300) for size in sizes]).astype(np.uint8)
    codes[:, 3] = codes[:, 0]
    pairs = np.array([[0, 1], [0, 3], [2, 1]], dtype=np.int64)
    marks = [kernels.mark_pairs(codes, sizes, pairs) for kernels in (native, reference)]
    np.testing.assert_array_equal(*marks)
    assert marks[0].sum() == 6 + 3 + 10
    places = rng.integers(0, 256, len(marks[0])).astype(np.uint8)
    rows = np.sort(rng.choice(300, 70, replace=False)) if some else None
    out = [np.zeros((70 if some else 300, 5), dtype=type_of) for _ in range(2)]
    for kernels, into in zip((native, reference), out, strict=True):
        kernels.join_pairs(codes, sizes, pairs, places, rows, into[:, 1:4])
    np.testing.assert_array_equal(*out)
    assert out[0][:, 1:4].any()
    assert not out[0][:, [0, 4]].any()


@pytest.mark.skipif(native.kernels() != "native", reason="NumPy has its own words for it")
def test_codes_beyond_are_refused():
    codes, sizes, pairs = np.full((3, 2), 4, dtype=np.uint8), np.array([5, 4]), np.array([[0, 1]])
    with pytest.raises(ValueError, match="a code beyond"):
        native.mark_pairs(codes, sizes, pairs)
    out = np.zeros((1, 1), dtype=np.uint8)
    with pytest.raises(ValueError, match="a row beyond"):
        native.join_pairs(codes, sizes + 1, pairs, np.zeros(30, dtype=np.uint8), np.array([3]), out)
    with pytest.raises(TypeError, match="uint8, uint16 or int32"):
        native.join_pairs(codes[:1], sizes + 1, pairs, np.zeros(30, dtype=np.uint8), None, out.astype(np.int64))
    with pytest.raises(ValueError, match="columns that there are"):
        native.mark_pairs(codes, sizes, pairs + 1)


def test_of_few_rows_and_many_columns_less_is_believed(monkeypatch):
    """What few rows err in adds up over columns: τ is drawn to n / (n + m / 2), which tells new rows better."""
    found = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        y = np.arange(520) % 2
        x = rng.normal(size=(520, 40)) + 0.25 * y[:, None]
        for per_column in (0.5, 0.0):
            monkeypatch.setattr(settling, "PER_COLUMN", per_column)
            nb = TunedNB().fit(x[:20], y[:20])
            found.append((nb.temperature_, losses(nb, x[20:], y[20:]).mean()))
    (tau, loss), (drawn_to_one, expected) = np.array(found).reshape(6, 2, 2).mean(axis=0)
    assert tau < drawn_to_one - 0.1
    assert loss < expected - 0.02


@pytest.mark.parametrize("kind", ["independent", "copies", "noise", "crossed"])
def test_nothing_is_worse_than_naive_bayes_by_more_than_noise(kind):
    """Where naive Bayes is right, where it counts twice, where nothing is to be told, where only pairs tell it.

    Noise is two standard errors of the rows judged, or a hundredth of a nat, which 400 rows may seem to tell of it.
    """
    if kind == "crossed":
        (x, y), (new, late) = crossed(400, seed=5), crossed(2000, seed=6)
    else:
        rng = np.random.default_rng(1)
        late = y = np.arange(2400) % 3
        shift = {"independent": 0.7, "copies": 0.7, "noise": 0.0}[kind]
        all_of = rng.normal(size=(2400, 3)) + shift * y[:, None]
        all_of = np.column_stack([all_of] * (4 if kind == "copies" else 1))
        x, new, y, late = all_of[:400], all_of[400:], y[:400], late[400:]
    worse = losses(TunedNB().fit(x, y), new, late) - losses(NaiveBayes().fit(x, y), new, late)
    assert worse.mean() < max(2.0 * worse.std() / np.sqrt(len(worse)), 0.01)


@needs_data
@pytest.mark.parametrize("name", ["german", "glass", "pima", "votes", "wine"])
def test_no_real_table_is_told_worse_than_by_naive_bayes(name):
    data = load(name)
    y = np.asarray(data.y)
    order = np.random.default_rng(0).permutation(len(y))
    worse = []
    for fold in range(3):
        learn, judge = order[np.arange(len(y)) % 3 != fold], order[np.arange(len(y)) % 3 == fold]
        models = (model.fit(data.X.iloc[learn], y[learn]) for model in (TunedNB(), NaiveBayes()))
        tuned, plain = (losses(nb, data.X.iloc[judge], y[judge]) for nb in models)
        worse.append(tuned - plain)
    difference = np.concatenate(worse)
    assert difference.mean() < 2.0 * difference.std() / np.sqrt(len(difference))


@needs_data
@pytest.mark.parametrize("name", ["sonar", "wpbc"])
def test_a_handful_of_rows_is_not_told_worse_than_by_naive_bayes(name):
    """Of more columns than rows: there weak penalties do best by luck, and columns seem to tell what they do not."""
    data = load(name)
    y = np.asarray(data.y)
    worse = []
    for draw in range(20):
        order = np.random.default_rng(draw).permutation(len(y))
        learn, judge = order[:16], order[16:]
        models = (model.fit(data.X.iloc[learn], y[learn]) for model in (TunedNB(), NaiveBayes()))
        tuned, plain = (losses(nb, data.X.iloc[judge], y[judge]).mean() for nb in models)
        worse.append(tuned - plain)
    assert np.mean(worse) < 2.0 * np.std(worse, ddof=1) / np.sqrt(len(worse))


@needs_data
def test_a_marketing_table_is_told_better_than_by_always_saying_no():
    data = load("bank")
    y = np.asarray(data.y)
    learn = np.arange(len(y)) % 4 == 0
    nb = TunedNB().fit(data.X[learn], y[learn])
    share = np.mean(y[~learn] == "no")
    always = -(share * np.log(share) + (1 - share) * np.log(1 - share))
    assert nb.score(data.X[~learn], y[~learn]) > share + 0.01
    assert losses(nb, data.X[~learn], y[~learn]).mean() < 0.65 * always
