"""Columns of which all rows have the same cell, from whatever they come."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import candide
from candide import NaiveBayes
from candide.statistics.constants import TELLS_WHERE

N = 60
FRAME = pd.DataFrame({
    "number": [3.5] * N,
    "whole": [7] * N,
    "price": ["$ 5"] * N,
    "level": ["same"] * N,
    "day": ["2023-03-01"] * N,
    "flag": [True] * N,
    "empty": [None] * N,
    "box": ["x" if i % 3 else None for i in range(N)],
    "gaps": [2.5 if i % 3 else None for i in range(N)],
    "x": [i % 7 for i in range(N)],
    "y": ["a" if i % 2 else "b" for i in range(N)],
})  # fmt: skip
TOLD = {
    "number": "always 3.5, which tells nothing",
    "whole": "always 7, which tells nothing",
    "price": "60 numbers with the unit '$'; always 5, which tells nothing",
    "level": "always 'same', which tells nothing",
    "day": "60 dates as year-month-day; always 2023-03-01, which tells nothing",
    "flag": "always True, which tells nothing",
    "empty": "empty in all rows, which tells nothing",
    "box": f"always 'x' or missing (20 times): {TELLS_WHERE}",
    "gaps": f"always 2.5 or missing (20 times): {TELLS_WHERE}",
}


def given(how: str, folder: Path) -> Any:
    if how == "csv":
        FRAME.to_csv(folder / "t.csv", index=False)
    elif how == "parquet":
        FRAME.to_parquet(folder / "t.parquet", index=False, row_group_size=20)
    elif how == "ndjson":
        FRAME.to_json(folder / "t.ndjson", orient="records", lines=True)
    frames = {"pandas": FRAME, "polars": pl.from_pandas(FRAME), "batches": iter([FRAME[:20], FRAME[20:]])}
    return frames.get(how, str(folder / f"t.{how}"))


@pytest.mark.parametrize("how", ["pandas", "polars", "batches", "csv", "parquet", "ndjson"])
def test_constants_are_told_alike_from_whatever_they_come(how: str, tmp_path: Path) -> None:
    nb = NaiveBayes().fit(given(how, tmp_path), "y")
    nb.save(tmp_path / "m.json")
    for model in (nb, candide.load(tmp_path / "m.json")):
        # of batches the first shows how a column is read; a CSV has the text 'True'
        told = {name: re.sub("^20 (?=[dn])", "60 ", read.said) for name, read in model.schema_.reading.items()}
        assert {**told, "flag": told["flag"].replace("'", "")} == TOLD
        assert [line.partition(":")[0] for line in model.schema_.reading.lines()] == list(TOLD)


def test_a_column_is_constant_no_longer_once_another_cell_is_learnt() -> None:
    nb = NaiveBayes().fit(iter([FRAME[:40], FRAME[40:].assign(level="other", number=4.0)]), "y")
    assert not {"level", "number"} & set(nb.schema_.reading)
    nb = NaiveBayes().fit(FRAME, "y")
    nb.partial_fit(FRAME[:1].assign(whole=8), "y")
    assert "whole" not in nb.schema_.reading
    nb.forget(FRAME[:1].assign(whole=8), "y")
    assert nb.schema_.reading["whole"].said == TOLD["whole"]


def test_moments_tell_what_is_constant() -> None:
    nb = NaiveBayes({"number": "normal", "x": "normal"}).fit(FRAME[["number", "x", "y"]], "y")
    assert nb.schema_.reading.lines() == ["number: always 3.5, which tells nothing"]


def test_an_array_has_constants_and_a_plain_reading_says_nothing() -> None:
    rows = np.column_stack([np.ones(N), np.arange(N) % 5])
    y = np.arange(N) % 2
    assert NaiveBayes().fit(rows, y).schema_.reading.lines() == ["0: always 1, which tells nothing"]
    assert not NaiveBayes(reading="plain").fit(rows, y).schema_.reading
    assert not NaiveBayes().fit(rows[:29], y[:29]).schema_.reading


def test_what_is_constant_is_no_part_of_how_another_model_reads() -> None:
    nb = NaiveBayes().fit(FRAME[["number", "x", "y"]], "y")
    other = NaiveBayes(schema=nb.schema_).fit(FRAME[["number", "x", "y"]].assign(number=range(N)), "y")
    assert not other.schema_.reading
    assert nb.schema_.reading["number"].said == TOLD["number"]
