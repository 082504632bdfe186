"""The same level in another spelling, nearly the same ones, and cells that say nothing."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.schema.same_level import NearLevels
from candide.schema.silent import SilentCells
from candide.sources import open_source

Y = ["a", "b"] * 20


@pytest.mark.parametrize(
    ("learnt", "given"),
    [(["1", "2"], [1, 2]), (["1", "2"], [1.0, 2.0]), (["True", "False"], [True, False]), ([1, 2], ["1", "2.0"])],
)
def test_a_number_and_its_text_are_one_level(learnt: list, given: list) -> None:
    nb = NaiveBayes(distributions="categorical").fit(pd.DataFrame({"x": learnt * 20}), Y)
    np.testing.assert_array_equal(
        nb.predict_proba(pd.DataFrame({"x": given})), nb.predict_proba(pd.DataFrame({"x": learnt}))
    )


SPELT = [
    (["1", "2"], [1, 2]),
    (["1", "2"], ["1.0", "2.00"]),
    (["1.0", "2.0"], [1, 2]),
    (["1.0", "2.0"], ["1", "2"]),
    (["1.50", "2.50"], [1.5, 2.5]),
    (["1.50", "2.50"], ["1.5", "+2.500"]),
    (["-1", "0"], [-1.0, 0.0]),
    (["0.5", "10"], [".5", "1e1"]),
    ([1, 2], ["1.0", "2"]),
    ([1.5, 2.0], ["1.50", "2"]),
]


@pytest.mark.parametrize("source", ["frame", "rows", "row", "csv", "parquet", "ndjson", "json", "stream"])
@pytest.mark.parametrize(("learnt", "given"), SPELT, ids=repr)
def test_a_number_is_the_same_level_from_any_source(learnt, given, source, tmp_path) -> None:
    nb = NaiveBayes({"x": "categorical"}).fit(pd.DataFrame({"x": learnt * 20, "z": ["u", "v"] * 20}), Y)
    new = pd.DataFrame({"x": given, "z": ["u", "v"]})
    rows = [{"x": x, "z": z} for x, z in zip(given, "uv", strict=True)]
    path = tmp_path / f"new.{source}"
    if source == "csv":
        new.to_csv(path, index=False)
    elif source == "parquet":
        new.to_parquet(path)
    elif source in ("ndjson", "json"):
        lines = [json.dumps(row) for row in rows]
        path.write_text("\n".join(lines) if source == "ndjson" else f"[{','.join(lines)}]")
    else:
        path = {"frame": new, "rows": rows, "row": rows, "stream": iter([new])}[source]
    expected = nb.predict_proba(pd.DataFrame({"x": learnt, "z": ["u", "v"]}))
    if source == "frame":
        found = nb.predict_proba(path)
    elif source == "row":
        found = np.vstack([nb.predict_proba(row) for row in rows])
    elif source == "rows":
        found = nb.predict_proba(path)
    else:
        frames = open_source(path if source == "stream" else str(path)).batches(nb.schema_, nb.schema_.names)
        found = np.vstack([nb.predict_proba(frame) for frame in frames])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert (expected[0] != expected[1]).all()


def test_a_file_writes_whole_numbers_with_a_point_where_some_are_missing(tmp_path) -> None:
    labels = ["a", "b", "b"] * 20
    nb = NaiveBayes().fit(pd.DataFrame({"w": ["1", "2", "3"] * 20}), labels)
    new = pd.DataFrame({"w": [1, 2, None]})
    new.to_csv(tmp_path / "new.csv", index=False)
    (frame,) = open_source(str(tmp_path / "new.csv")).batches(nb.schema_, nb.schema_.names)
    np.testing.assert_array_equal(nb.predict_proba(frame), nb.predict_proba(new))
    yes = NaiveBayes().fit(pd.DataFrame({"w": ["yes", "No", "no"] * 20}), labels)
    np.testing.assert_array_equal(yes.predict_proba({"w": "1.0"}), yes.predict_proba({"w": "yes"}))


@pytest.mark.parametrize("levels", [["01", "1"], ["1", "1.0"]])
def test_spellings_that_were_learnt_apart_stay_apart(levels) -> None:
    nb = NaiveBayes({"x": "categorical"}).fit(pd.DataFrame({"x": levels * 20}), Y)
    p = nb.predict_proba(pd.DataFrame({"x": [*levels, "1.00"]}))
    assert (p[0] > 0.9).tolist() != (p[1] > 0.9).tolist()
    np.testing.assert_array_equal(p[2], p[1] if levels[0] == "01" else nb.predict_proba({"x": "never"})[0])
    np.testing.assert_array_equal(nb.predict_proba({"x": "1.00"})[0], p[2])


def test_a_level_in_another_case_is_told() -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"class": ["first", "second"] * 20}), Y)
    with pytest.warns(NearLevels, match="column 'class': 'First' is not known; 'first' is"):
        nb.predict(pd.DataFrame({"class": ["First"] * 30}))
    with pytest.warns(NearLevels, match="'first '"):
        nb.predict({"class": "first "})
    nb.set_params(unseen="error")
    with warnings.catch_warnings():
        warnings.simplefilter("error", NearLevels)  # an error that says so needs no warning besides
        with pytest.raises(ValueError, match="'First' was never seen in training, and 'first' was"):
            nb.predict(pd.DataFrame({"class": ["First"]}))


@pytest.mark.parametrize(
    ("given", "alone"), [(3, False), (3.0, False), ("3", False), ("003", False), (3, True), ("3", True), (" 03", True)]
)
def test_a_code_without_its_zeros_is_told(given: object, alone: bool) -> None:
    nb = NaiveBayes({"plz": "categorical"}).fit(pd.DataFrame({"plz": ["03", "10"] * 20}), Y)
    with pytest.warns(NearLevels, match="column 'plz': .*3(.0)?'? is not known; '03' is"):
        nb.predict({"plz": given} if alone else pd.DataFrame({"plz": [given] * 5}))


def test_a_number_that_is_nothing_like_a_known_code_is_not_told() -> None:
    nb = NaiveBayes({"plz": "categorical"}).fit(pd.DataFrame({"plz": ["03", "10"] * 20}), Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", NearLevels)
        nb.predict(pd.DataFrame({"plz": [30, 1]}))


def test_silent_cells_are_counted_by_column() -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"s": ["u", "v"] * 20, "x": np.arange(40.0)}), Y)
    silent = SilentCells(nb.learnt_.schema)
    silent.see(pd.DataFrame({"s": ["w"] * 15 + ["u"] * 15, "x": np.arange(30.0)}))
    silent.see(pd.DataFrame({"s": ["u"] * 10, "x": [np.nan] * 10}))
    assert silent.lines() == [
        "column 's': 15 of 40 cells were never seen in training, and say nothing: 'w'",
        "column 'x': 10 of 40 cells are missing",
    ]


@pytest.mark.parametrize(
    ("usual", "missing", "told"), [(0.0, 4, False), (0.0, 5, True), (0.5, 25, False), (0.5, 28, True), (0.9, 40, False)]
)
def test_missing_cells_are_told_where_they_are_many_more_than_were_learnt(usual, missing, told) -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"s": ["u", "v"] * 20, "x": np.arange(40.0)}), Y)
    silent = SilentCells(nb.learnt_.schema, [0.0, usual])
    silent.see(pd.DataFrame({"s": ["u"] * 40, "x": [np.nan] * missing + [1.0] * (40 - missing)}))
    assert silent.lines() == [f"column 'x': {missing} of 40 cells are missing"] * told


def test_many_columns_of_missing_cells_are_one_line() -> None:
    frame = pd.DataFrame({f"x{n}": np.arange(40.0) for n in range(60)})
    silent = SilentCells(NaiveBayes().fit(frame, Y).learnt_.schema)
    silent.see(frame.mask(frame > 20).assign(x7=np.nan))
    assert silent.lines() == ["60 columns have many missing cells of 40: 'x7' (40), 'x0' (19), 'x1' (19) and 57 more"]


def test_frames_are_found_by_name_where_nobody_is_strict() -> None:
    frame = pd.DataFrame({"s": ["u", "v"] * 20, "x": np.arange(40.0)})
    nb = NaiveBayes(strict=False).fit(frame, Y)
    np.testing.assert_array_equal(nb.predict_proba(frame[["x", "s"]].assign(z=1)), nb.predict_proba(frame))
    with pytest.raises(ValueError, match="feature names should match"):
        NaiveBayes().fit(frame, Y).predict(frame[["x", "s"]])


@pytest.mark.parametrize("cell", ["003", "3", " 03", "0003 "])
@pytest.mark.parametrize("asked", [lambda cell: {"plz": cell}, lambda cell: [{"plz": cell}] * 3])
def test_more_zeros_are_told_of_rows_that_are_looked_up(cell, asked):
    frame = pd.DataFrame({"plz": ["03", "04", "10", "0.5"] * 5})
    nb = NaiveBayes({"plz": "categorical"}).fit(frame, [0, 1, 0, 1] * 5)
    with pytest.warns(NearLevels, match="is not known; '03' is"):
        nb.predict(asked(cell))
