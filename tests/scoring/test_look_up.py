"""Looking up: a row that is a mapping is scored as the same row of a frame."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.strategies import KINDS, NAMED, learning_table

from candide import NaiveBayes
from candide.scoring.look_up import LookUp


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
    assert look_up([{"no such column": 1}]) is None
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
