"""Predictions and left-out rows of sources are those of the rows in memory, batch by batch and in order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import dataset

from candide import NaiveBayes
from candide.sources import batch


@pytest.fixture
def frame(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(batch, "BATCH_ROWS", 64)
    rng = np.random.default_rng(1)
    n = 500
    y = rng.choice(["u", "v", "w"], n)
    frame = pd.DataFrame({"x": rng.normal(size=n) + (y == "u"), "c": rng.choice(list("abcd"), n), "y": y})
    frame.to_parquet("t.parquet", row_group_size=90)
    frame.to_csv("t.csv", index=False)
    return frame


SOURCES = {
    "file": lambda _: "t.parquet",
    "text": lambda _: "t.csv",
    "dataset": lambda _: dataset.dataset("t.parquet"),
    "lazy": lambda _: pl.scan_parquet("t.parquet"),
    "frames": lambda frame: (frame[i : i + 90] for i in range(0, len(frame), 90)),
    "stream": lambda frame: pa.Table.from_pandas(frame).to_reader(50),
    "table": lambda frame: frame.drop(columns="y"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_batches_of_predictions_are_those_of_all_rows(frame, kind):
    nb = NaiveBayes().fit(frame, "y")
    X = frame.drop(columns="y")
    batches = list(nb.predict_batches(SOURCES[kind](frame), proba=True))
    assert all(isinstance(b, pa.RecordBatch) for b in batches)
    assert len(batches) > 1 or kind in ("table", "text", "stream")
    found = pa.Table.from_batches(batches).to_pandas()
    assert found.columns.tolist() == ["prediction", "P(u)", "P(v)", "P(w)"]
    assert found["prediction"].tolist() == nb.predict(X).tolist()
    np.testing.assert_allclose(found.iloc[:, 1:], nb.predict_proba(X), rtol=1e-12)


def test_a_stream_is_answered_as_it_comes(frame):
    nb = NaiveBayes().fit(frame, "y")
    given = []

    def frames():
        for start in range(0, 500, 100):
            given.append(start)
            yield frame[start : start + 100]

    answers = nb.predict_batches(frames())
    for n in range(1, 6):
        next(answers)
        assert len(given) == n


def test_costs_decide_and_leave_probabilities_alone(frame):
    costs = {"u": {"v": 0.1, "w": 0.1}, "v": {"u": 5, "w": 5}, "w": {"u": 5, "v": 5}}
    nb = NaiveBayes(costs=costs).fit(frame, "y")
    (found,) = nb.predict_batches(frame.drop(columns="y"), proba=True)
    assert found["prediction"].to_pylist() == nb.predict(frame.drop(columns="y")).tolist()
    np.testing.assert_allclose(found["P(u)"], nb.predict_proba(frame.drop(columns="y"))[:, 0])


@pytest.mark.parametrize("path", ["t.parquet", "t.csv"])
def test_rows_of_a_source_are_left_out_one_by_one(frame, path):
    nb = NaiveBayes().fit(frame, "y")
    np.testing.assert_allclose(nb.leave_one_out(path, "y"), nb.leave_one_out(frame, "y"), rtol=1e-12)


def test_rows_without_weight_are_left_out_as_well(frame):
    weighted = frame.assign(k=np.where(np.arange(len(frame)) < 128, 0, 2))  # the first two batches weigh nothing
    weighted.to_parquet("w.parquet")
    nb = NaiveBayes().fit("w.parquet", "y", sample_weight="k")
    expected = nb.leave_one_out(frame, "y", sample_weight=weighted["k"].to_numpy())
    np.testing.assert_allclose(nb.leave_one_out("w.parquet", "y", sample_weight="k"), expected, rtol=1e-12)
