"""Dates and durations are no numbers: where numbers were learnt, they are refused by column and row."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from candide import NaiveBayes
from candide.reading import UnreadableError

Y = ["a"] * 10 + ["b"] * 10
DAYS = pd.date_range("2024-01-01", periods=20)
NUMBERS = pd.DataFrame({"x": np.arange(20.0), "z": list("uv") * 10})
DATES = NUMBERS.assign(x=DAYS)
REFUSED = "column 'x', row 0: 2024-01-01 is no number"


@pytest.mark.parametrize("reading", ["auto", "plain"])
@pytest.mark.parametrize("given", [DATES, DATES[:1], pl.from_pandas(DATES), pa.Table.from_pandas(DATES), DATES.iloc[0]])
def test_dates_are_no_numbers_that_were_learnt(given, reading):
    model = NaiveBayes(reading=reading).fit(NUMBERS, Y)
    with pytest.raises(UnreadableError, match=REFUSED):
        model.predict(given)
    with pytest.raises(UnreadableError, match=REFUSED):
        model.slim().predict(given)


@pytest.mark.parametrize("call", ["partial_fit", "forget", "leave_one_out"])
def test_dates_are_neither_learnt_nor_forgotten_as_numbers(call):
    with pytest.raises(UnreadableError, match=REFUSED):
        getattr(NaiveBayes().fit(NUMBERS, Y), call)(DATES, Y)


def test_batches_that_turn_to_dates_are_refused():
    batches = [NUMBERS.assign(y=Y), DATES.assign(y=Y)]
    with pytest.raises(UnreadableError, match=r"column 'x', row \d+: 2024-01-01 is no number"):
        NaiveBayes().fit(iter(batches), "y")


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        (dt.date(2024, 1, 1), "2024-01-01"),
        (dt.datetime(2024, 1, 1, 9, 30), "2024-01-01 09:30:00"),
        (dt.timedelta(hours=1), "3600 s"),
        (dt.time(3), "10800 s"),
    ],
)
def test_single_cells_are_refused_too(cell, told):
    model = NaiveBayes().fit(NUMBERS, Y)
    with pytest.raises(UnreadableError, match=f"column 'x', row 0: {told} is no number"):
        model.predict({"x": cell, "z": "u"})
    amounts = NaiveBayes().fit(pd.DataFrame({"x": [f"$ {i}" for i in range(20)]}), Y)
    with pytest.raises(UnreadableError, match=f"column 'x', row 0: {told} is no number"):
        amounts.predict({"x": cell})


def test_missing_moments_are_missing_cells():
    model = NaiveBayes().fit(NUMBERS, Y)
    gaps = DATES.assign(x=pd.Series([pd.NaT] * 20, dtype="datetime64[ns]"))
    assert np.allclose(model.predict_proba(gaps), model.predict_proba(NUMBERS.assign(x=np.nan)))


@pytest.mark.parametrize("reading", ["auto", "plain"])
def test_dates_that_were_learnt_are_found_and_numbers_are_none_of_them(reading):
    days = DAYS.to_numpy().reshape(-1, 1)
    for X, numbers in ((DATES, NUMBERS), (days, np.zeros((1, 1)))):
        model = NaiveBayes(reading=reading).fit(X, Y)
        assert model.predict(X).tolist() == Y
        assert model.slim().predict(X).tolist() == Y
        with pytest.raises(UnreadableError, match="row 0: '0' is none of the"):
            model.predict(numbers)
    with pytest.raises(UnreadableError, match="column 0, row 0: 2024-01-01 is no number"):
        NaiveBayes(reading=reading).fit(np.arange(20.0).reshape(-1, 1), Y).predict(days)


@pytest.mark.filterwarnings("ignore")
def test_a_date_among_levels_of_text_is_written():
    model = NaiveBayes().fit(pd.DataFrame({"x": ["2024-01-01"] * 10 + ["red"] * 10}), Y)
    found = model.predict_proba(DATES[["x"]][:2])
    assert np.allclose(found, model.predict_proba(pd.DataFrame({"x": ["2024-01-01", None]})))
