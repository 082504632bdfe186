"""A few rows are looked up cell by cell: the answers are those of the table that holds them."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.strategies import KINDS, NAMED, learning_table

from candide import NaiveBayes, TunedNB
from candide.estimator.state import SELDOM
from candide.scoring.look_up import FEW, LookUp

pytestmark = pytest.mark.filterwarnings("ignore::candide.schema.alignment.AbsentColumns")

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


@pytest.mark.parametrize("nb", [NaiveBayes({"skewed": kind}) for kind in ("gamma", "student")] + [TunedNB()], ids=repr)
def test_a_model_that_has_answered_a_row_is_sent_without_what_it_looked_up(frame, nb):
    X, rows = frame.drop(columns="y"), frame.drop(columns="y").iloc[:3].to_dict("records")
    chances = nb.fit(X, frame["y"] > 0).predict_proba(rows)
    assert "look_up" in nb._state.made.__dict__
    again = pickle.loads(pickle.dumps(nb))
    assert "look_up" not in again._state.made.__dict__
    np.testing.assert_array_equal(again.predict_proba(rows), chances)


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


def rows_of(frame: pd.DataFrame) -> list[dict[str, object]]:
    return [{str(n): None if pd.isna(c) else c for n, c in row.items()} for row in frame.to_dict("records")]


@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("smoothing", ["laplace", "none"])
@pytest.mark.parametrize("kind", [*KINDS, "auto", "smooth", "equal-width(3)"])
def test_mappings_are_scored_as_frames_are(kind: str, smoothing: str, missing: str) -> None:
    case = learning_table((kind if kind in KINDS else "gamma",), n=40)
    symbols = kind in NAMED and NAMED[kind].kind == "symbols"
    case.X.iloc[3, 0] = None if symbols else np.nan
    name = case.X.columns[0]
    nb = NaiveBayes(kind, smoothing=smoothing, missing=missing).fit(case.X, case.y)
    strange = ["a", "never", None] if symbols else [-2.0, 0.0, 0.5, 1.0, 7.0, 1e6, None]
    new = pd.concat([case.X, pd.DataFrame({name: strange}, dtype=case.X.dtypes.iloc[0])], ignore_index=True)
    wanted = nb.predict_log_proba(new)
    found = np.concatenate([nb.predict_log_proba(row) for row in rows_of(new)])
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", ["normal", "lognormal", "gamma", "exponential", "poisson", "smooth", "categorical"])
def test_ordinary_columns_are_looked_up_and_not_read_as_tables(kind: str) -> None:
    case = learning_table((kind if kind in KINDS else "normal",), n=40)
    nb = NaiveBayes(kind).fit(case.X, case.y)
    look_up = LookUp(nb.model_)
    assert look_up(rows_of(case.X[:16])) is not None
    assert look_up(rows_of(case.X[:1]) * 17) is None
    other = 1.0 if kind == "categorical" else "text"
    assert look_up([{case.X.columns[0]: other}]) is None


def test_levels_of_another_type_than_the_cell_are_left_to_the_usual_way() -> None:
    X = pd.DataFrame({"flag": [True, False, True, False], "grade": pd.Categorical([1, 2, 3, 1])})
    nb = NaiveBayes().fit(X, ["p", "q", "p", "q"])
    look_up = LookUp(nb.model_)
    assert look_up([{"flag": True, "grade": 2}]) is not None
    assert look_up([{"flag": 1, "grade": 2}]) is None
    assert look_up([{"flag": True, "grade": True}]) is None


def test_numbers_that_no_float_holds_are_left_to_the_usual_way() -> None:
    case = learning_table(("normal",), n=40)
    look_up = LookUp(NaiveBayes("normal").fit(case.X, case.y).model_)
    for strange in (10**400, np.nan, np.inf, True):
        assert look_up([{case.X.columns[0]: strange}]) is None
