"""A source is cross-validated as the same folds of a table in memory are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.evaluate import cross_validate, cross_validate_source
from candide.evaluate.streaming import fold_of
from candide.sources import batch


def table(n=900):
    rng = np.random.default_rng(5)
    y = rng.choice(["u", "v", "w"], n)
    frame = pd.DataFrame({"x": rng.normal(size=n) + (y == "u"), "c": rng.choice(list("abcd"), n), "y": y})
    frame.loc[rng.random(n) < 0.1, "c"] = None
    return frame


@pytest.mark.parametrize("model", [NaiveBayes(), NaiveBayes({"x": "normal"}), NaiveBayes(smoothing="none")])
def test_scores_are_those_of_the_same_folds_in_memory(tmp_path, monkeypatch, model):
    frame = table()
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=70)
    monkeypatch.setattr(batch, "BATCH_ROWS", 100)
    found = cross_validate_source({"nb": model}, tmp_path / "t.parquet", "y", folds=4, seed=3)
    fold = fold_of(np.arange(len(frame), dtype=np.uint64), 4, seed=3)
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    expected = cross_validate({"nb": model}, frame, "y", folds=splits)
    timed = ["fit_seconds", "predict_seconds"]
    pd.testing.assert_frame_equal(found.drop(columns=timed), expected.drop(columns=timed), rtol=1e-9)


def test_folds_are_even_and_go_by_the_seed():
    rows = np.arange(100_000, dtype=np.uint64)
    counts = np.bincount(fold_of(rows, 7, 0), minlength=7)
    # a binomial count strays by more than five of its deviations once in a million
    assert np.abs(counts - len(rows) / 7).max() < 5 * np.sqrt(len(rows) * (1 / 7) * (6 / 7))
    assert (fold_of(rows, 7, 0) != fold_of(rows, 7, 1)).any()


def test_what_cannot_be_read_twice_or_added_up_is_refused(tmp_path):
    from sklearn.naive_bayes import GaussianNB

    frame = table(50)
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="read twice"):
        cross_validate_source(NaiveBayes(), iter([frame]), "y")
    with pytest.raises(ValueError, match="'GaussianNB' does not add up"):
        cross_validate_source(GaussianNB(), tmp_path / "t.parquet", "y")
    with pytest.raises(ValueError, match="folds must be at least 2"):
        cross_validate_source(NaiveBayes(), tmp_path / "t.parquet", "y", folds=1)
    with pytest.raises(ValueError, match="too few rows for 60 folds"):
        cross_validate_source(NaiveBayes(), tmp_path / "t.parquet", "y", folds=60)
