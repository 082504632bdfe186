"""Odd tables: each is learnt, answered and read back from a file alike, or refused in words that say what is odd."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import candide
from candide import NaiveBayes

ROWS = 60
Y = np.array(["no", "yes"])[np.random.default_rng(0).integers(0, 2, ROWS)]
X = np.random.default_rng(1).normal(size=ROWS) + 2 * (Y == "yes")
TOLD = np.where(Y == "yes", "u", "v")


def pandas(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


LEARNT: dict[str, Callable[[], Any]] = {
    "a line break and a tab in names": lambda: pd.DataFrame({"a\nb": X, "c\td": TOLD}),
    "emoji and a combining mark in names": lambda: pd.DataFrame({"\U0001f642": X, "e\u0301": TOLD}),
    "names of 300 characters": lambda: pd.DataFrame({"n" * 300: X, "n" * 299 + "m": TOLD}),
    "names that differ in spaces": lambda: pd.DataFrame({"a": X, " a": -X, " a ": TOLD}),
    "an empty name": lambda: pd.DataFrame({"": X, "a": TOLD}),
    "names that are tuples": lambda: pd.DataFrame(
        np.c_[X, -X], columns=pd.MultiIndex.from_product([["a"], ["b", "c"]])
    ),
    "an index called as a column is": lambda: pd.DataFrame({"a": X}, index=pd.Index(range(ROWS), name="a")),
    "dates before nanoseconds begin": lambda: pandas(d=[dt.date(1500 + 5 * i, 1, 1) for i in range(ROWS)], x=X),
    "dates after nanoseconds end": lambda: pandas(d=[dt.datetime(2263 + i, 1, 1) for i in range(ROWS)], x=X),
    "dates of a time zone": lambda: pandas(
        d=pd.date_range("2020-03-28", periods=ROWS, freq="h", tz="Europe/Zurich"), x=X
    ),
    "dates of many time zones": lambda: pandas(
        d=[dt.datetime(2020, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=i % 5))) for i in range(ROWS)], x=X
    ),
    "durations": lambda: pandas(d=pd.to_timedelta(np.abs(X), "h")),
    "numbers written as 1.5e+00": lambda: pandas(d=[f"{x:.2e}" for x in X]),
    "hexadecimal texts": lambda: pandas(d=[hex(i % 16) for i in range(ROWS)], x=X),
    "booleans with gaps": lambda: pandas(d=np.where(Y == "yes", True, None), x=X),
    "intervals as levels": lambda: pandas(d=pd.cut(X, 4)),
    "whole numbers as levels, one unused": lambda: pandas(
        d=pd.Categorical([1, 2, 3] * 20, categories=[3, 2, 1, 0]), x=X
    ),
    "decimals, one of them NaN": lambda: pandas(d=[Decimal("1.5"), Decimal("NaN"), Decimal(3)] * 20, x=X),
    "sparse columns": lambda: pandas(d=pd.arrays.SparseArray([0, 0, 1] * 20), x=pd.arrays.SparseArray(X)),
    "whole numbers beyond 64 bits": lambda: pandas(a=pd.Series([10**30 * (y == "yes") + 1 for y in Y], dtype=object)),
    "numbers that are nearly zero": lambda: pandas(a=X * 1e-310),
    "half and long floats": lambda: pandas(a=X.astype(np.float16), b=X.astype(np.longdouble)),
    "a masked array": lambda: np.ma.masked_array(np.c_[X, -X], mask=np.c_[X > 2, X < 0]),
    "an Arrow decimal and an Arrow moment": lambda: pandas(
        a=pd.array([Decimal("1.5"), None, Decimal("2.5")] * 20, dtype=pd.ArrowDtype(pa.decimal128(10, 2))),
        t=pd.array([dt.datetime(2020, 1, 1)] * ROWS, dtype=pd.ArrowDtype(pa.timestamp("us"))),
        x=X,
    ),
    "a Polars enumeration": lambda: pl.DataFrame({"e": pl.Series(TOLD, dtype=pl.Enum(["u", "v", "w"])), "x": X}),
    "Polars times of day and durations": lambda: pl.DataFrame(
        {"t": [dt.time(i % 24) for i in range(ROWS)], "d": [dt.timedelta(hours=i) for i in range(ROWS)], "x": X}
    ),
    "Polars nothing, bytes and 128 bits": lambda: pl.DataFrame(
        {"n": [None] * ROWS, "b": [b"a", b"b"] * 30, "i": pl.Series([1, 2] * 30, dtype=pl.Int128), "x": X}
    ),
    "Arrow chunks that end apart": lambda: pa.table(
        {"d": pa.chunked_array([TOLD[:20], TOLD[20:]]), "e": pa.chunked_array([X[:50], X[50:]])}
    ),
    "Arrow half floats and nothing": lambda: pa.table({"h": pa.array(X.astype(np.float16)), "n": pa.nulls(ROWS)}),
}


@pytest.mark.parametrize("make", LEARNT.values(), ids=LEARNT)
@pytest.mark.filterwarnings("ignore::candide.reading.table_reading.ReadingWarning")
def test_it_is_learnt_answered_explained_and_kept(make: Callable[[], Any], tmp_path: Path) -> None:
    nb = NaiveBayes().fit(make(), Y)
    chances = nb.predict_proba(make())
    assert np.isfinite(chances).all()
    assert (chances.argmax(axis=1) == (Y == "yes")).mean() > 0.7
    nb.save(tmp_path / "model.json")
    np.testing.assert_array_equal(candide.load(tmp_path / "model.json").predict_proba(make()), chances)
    told = nb.explain(make()[:1])
    np.testing.assert_allclose(told.prior + told.contributions.sum(axis=-1), told.scores)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "infinity": (lambda: pandas(d=np.where(X > 3, np.inf, X)), "contains infinity: column 'd', row"),
    "an infinite decimal": (lambda: pandas(d=[Decimal(1), Decimal("Infinity")] * 30), "infinity: column 'd', row 1"),
    "complex numbers": (lambda: pandas(d=X + 1j), "column 'd' holds complex numbers"),
    "months as a type": (
        lambda: pandas(d=pd.period_range("2020-01", periods=ROWS, freq="M")),
        "'d' has the type period",
    ),
    "a column twice": (lambda: pd.DataFrame(np.c_[X, -X], columns=["a", "a"]), "distinct; repeated: 'a'"),
    "names of two types": (
        lambda: pd.DataFrame(np.c_[X, -X], columns=["a", 0]),
        "all input features have string names",
    ),
    "mappings in cells": (lambda: pandas(a=[{"k": 1}] * ROWS), "column 'a' holds {'k': 1} (dict) in row 0"),
    "cells of many kinds": (lambda: pandas(a=pd.Series([1, b"x"] * 30, dtype=object)), "mixes"),
    "Polars structures": (lambda: pl.DataFrame({"s": [{"a": 1}] * ROWS}), "column 's' has the type Struct"),
    "Arrow maps": (
        lambda: pa.table({"m": pa.array([[("a", 1)]] * ROWS, pa.map_(pa.string(), pa.int64()))}),
        "column 'm' has the type map",
    ),
    "no columns": (lambda: pd.DataFrame(index=range(ROWS)), "0 feature(s)"),
    "a dict of columns": (lambda: {"a": X.tolist(), "b": TOLD.tolist()}, "make it a data frame"),
}


@pytest.mark.parametrize(("make", "says"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused_in_words(make: Callable[[], Any], says: str) -> None:
    with pytest.raises((TypeError, ValueError)) as refused:
        NaiveBayes().fit(make(), Y)
    assert says in str(refused.value)
    assert len(str(refused.value)) < 250
