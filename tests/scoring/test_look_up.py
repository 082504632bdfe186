"""A few rows are looked up cell by cell: the answers are those of the table that holds them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from candide import NaiveBayes
from candide.estimator.state import SELDOM
from candide.scoring.look_up import FEW

FRAMES = {
    "pandas": lambda frame: frame,
    "objects": lambda frame: frame.astype(object),
    "polars": pl.from_pandas,
    "arrow": lambda frame: pl.from_pandas(frame).to_arrow(),
}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 400)
    frame = pd.DataFrame(
        {
            "length": np.round(rng.normal(y, 1.0), 2),
            "skewed": rng.lognormal(y, 0.7),
            "pieces": rng.poisson(1 + y),
            "desk": np.array(["left", "middle", "right", "none"])[(y + rng.integers(0, 2, 400)) % 4],
        }
    )
    frame.loc[::7, "length"] = np.nan
    frame.loc[::9, "desk"] = None
    return frame.assign(y=y)


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_few_rows_of_a_frame_are_answered_as_those_of_a_large_one(frame, library, missing):
    nb = NaiveBayes(missing=missing).fit(frame, "y")
    table = FRAMES[library](frame.drop(columns="y"))
    expected = nb.predict_log_proba(table)
    for start in range(0, 60, 3):
        some = table[start : start + 3]
        np.testing.assert_allclose(nb.predict_log_proba(some), expected[start : start + 3], rtol=0, atol=1e-12)
    assert "look_up" in nb._state.made.__dict__


def test_tables_to_look_up_in_are_made_for_those_who_ask_often(frame):
    nb = NaiveBayes().fit(frame, "y")
    row = frame.drop(columns="y").iloc[[5]]
    nb.predict(frame.drop(columns="y").iloc[: FEW + 1])
    for _ in range(SELDOM):
        nb.predict(row)
        assert "look_up" not in nb._state.made.__dict__
    nb.predict(row)
    assert "look_up" in nb._state.made.__dict__


def test_few_rows_of_other_columns_are_refused_as_many_are(frame):
    nb = NaiveBayes().fit(frame, "y")
    row = frame.drop(columns="y").iloc[[5]]
    for _ in range(SELDOM + 1):
        nb.predict(row)
    for odd in (row.drop(columns="desk"), row[row.columns[::-1]], row.rename(columns={"desk": "seat"})):
        with pytest.raises(ValueError, match=r"feature|column|order"):
            nb.predict(odd)
    with pytest.raises(TypeError, match="length"):
        nb.predict(row.assign(length=["long"]))
    assert nb.predict(row.assign(y=1)).shape == (1,)
