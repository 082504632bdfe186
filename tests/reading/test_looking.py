"""Looking at a table: what is said of its columns is what is done with them."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

from candide import NaiveBayes
from candide.reading.table_reading import ReadingWarning
from candide.sources import Reading, SourceWarning, open_source


def codes(folder: Path) -> str:
    lines = [f"{i % 12 + 1:02d},{'ab'[i % 2]}" for i in range(60)]
    (folder / "codes.csv").write_text("\n".join(["month,y", *lines]), encoding="utf-8")
    return str(folder / "codes.csv")


def test_codes_that_are_declared_to_be_numbers_are_not_said_to_be_text(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nb = NaiveBayes({"month": "normal"}).fit(codes(tmp_path), "y")
    assert nb.schema_.reading.lines() == ["month: codes such as '01', taken as numbers"]
    assert nb.learnt_.schema.columns[0].kind == "numbers"


@pytest.mark.parametrize("reading", ["auto", {"month": "auto"}])
def test_codes_that_are_text_are_said_to_be(tmp_path: Path, reading: object) -> None:
    with pytest.warns(ReadingWarning, match="codes such as '01', taken as text"):
        nb = NaiveBayes(reading=reading).fit(codes(tmp_path), "y")
    assert nb.learnt_.schema.columns[0].kind == "symbols"
    assert "taken as text" in str(nb.schema_.reading)


@pytest.mark.parametrize("of", ["frame", "file", "batches", "first of two"])
@pytest.mark.parametrize("how", ["auto", "plain"])
def test_a_column_that_is_not_there_cannot_be_read(how: str, of: str, tmp_path: Path) -> None:
    path = codes(tmp_path)
    frame = pd.read_csv(path, dtype=str)
    nb = NaiveBayes(reading={"mnth": how})
    learn = nb.partial_fit if of == "first of two" else nb.fit
    with pytest.raises(ValueError, match=r"reading: there is no column 'mnth'; did you mean 'month'\?"):
        learn({"file": path, "batches": iter([frame[:30], frame[30:]])}.get(of, frame), "y")


def test_rows_that_lack_a_column_whose_reading_was_asked_for_are_learnt_later(tmp_path: Path) -> None:
    frame = pd.read_csv(codes(tmp_path), dtype=str).assign(other="1.5")
    nb = NaiveBayes(reading={"month": "auto", "other": "plain"}, strict=False).partial_fit(frame, "y")
    with pytest.warns(UserWarning, match="takes them as missing: 'month'"):
        nb.partial_fit([{"other": "1.5", "y": "a"}], "y")
    assert nb.class_counts_.sum() == len(frame) + 1


SPELLINGS = [f"{word}{end}" for word in ("unknown", "tbd", "late", "none yet") for end in ("", " ", "!", "?")]
NEARLY = {
    "an odd one in ten": [f"<{v:.2f}" if v % 10 == 0 else f"{v:.2f}" for v in range(200)],
    "many spellings early": [SPELLINGS[v % 16] if v < 80 and v % 2 else f"{v}.5" for v in range(200)],
    "half of them odd": [f"n{v}" if v % 2 else f"{v}.5" for v in range(200)],
    "odd ones first": [f"x{v}" if v < 60 else f"{v}.5" for v in range(200)],
    "with a unit": [f"< $ {v}.00" if v % 5 == 0 else f"$ {v}.00" for v in range(200)],
    "each four times": [f"<{v % 50}" if v % 50 % 7 == 0 else f"{v % 50}.5" for v in range(200)],
}


@pytest.mark.parametrize("of", ["frame", "file"])
@pytest.mark.parametrize("name", NEARLY)
def test_what_keeps_most_cells_from_being_numbers_is_told_in_frames_and_files(
    name: str, of: str, tmp_path: Path
) -> None:
    table = pd.DataFrame({"x": NEARLY[name], "other": ["u", "v"] * 100, "y": ["a", "b"] * 100})
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.warns((ReadingWarning, SourceWarning), match="column 'x'.*taken as text"):
        nb = NaiveBayes().fit(table if of == "frame" else str(tmp_path / "t.csv"), "y")
    assert "numbers" in nb.schema_.reading["x"].said
    assert nb.schema_.names == ["x", "other"]


def test_what_is_mostly_no_number_and_differs_is_an_identifier_however_it_begins() -> None:
    cells = [f"{v}.5" if v < 40 else f"x{v}" for v in range(200)]  # the first were numbers, and nothing was said
    with pytest.warns(ReadingWarning, match="column 'x': 200 different texts in 200 rows: identifiers, ignored"):
        NaiveBayes().fit(pd.DataFrame({"x": cells, "other": ["u", "v"] * 100}), ["a", "b"] * 100)


@pytest.mark.parametrize("source", ["frame", "file", "batches"])
def test_free_text_that_a_group_joins_is_told(source, tmp_path):
    table = pd.DataFrame({"note": [f"please send the {n} forms to me" for n in range(40)], "z": list("uv") * 20})
    table["y"] = ["a", "b"] * 20
    table.to_csv(tmp_path / "notes.csv", index=False)
    given = {"frame": table, "file": str(tmp_path / "notes.csv"), "batches": iter([table[:20], table[20:]])}[source]
    with pytest.warns(ReadingWarning, match=r"'note': free text, taken as text that is counted as whole levels"):
        model = NaiveBayes(groups=[("note", "z")]).fit(given, "y")
    assert "since a group joins it" in model.schema_.reading["note"].said
    assert model.predict(table).tolist() == table["y"].tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        NaiveBayes(groups=[("note", "z")]).fit(table.assign(note=list("pqrs") * 10), "y")


@pytest.mark.filterwarnings("error")
def test_the_index_that_pandas_writes_is_ignored_wherever_it_is_read(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": np.arange(40.0), "k": list("ab") * 20, "y": list("uuvv") * 10})
    table = table[table.x != 3]
    table.to_parquet(tmp_path / "t.parquet")
    path = str(tmp_path / "t.parquet")
    for given in (path, pq.read_table(path), pl.read_parquet(path), pl.scan_parquet(path)):
        with pytest.warns(ReadingWarning, match="column '__index_level_0__': the index of a pandas frame, ignored"):
            model = NaiveBayes().fit(given, "y")
        assert model.schema_.names == ["x", "k"]
        told = model.predict(table).tolist()
        assert model.predict(pq.read_table(path)).tolist() == told
        assert [cell for part in model.predict_batches(path) for cell in part.column(0).to_pylist()] == told
    for reading in ("plain", {"__index_level_0__": "plain"}):
        assert "__index_level_0__" in NaiveBayes(reading=reading).fit(path, "y").schema_.names
    alone = NaiveBayes().fit(pq.read_table(path).select(["__index_level_0__", "y"]), "y")
    assert [column.kind for column in alone.schema_.columns] == ["numbers"]


@pytest.mark.parametrize("write", ["to_csv", "to_excel"])
def test_a_column_without_a_name_that_counts_rows_is_ignored(tmp_path: Path, write: str) -> None:
    table = pd.DataFrame({"x": [1.5, 2.5, 3.5] * 20, "y": list("uv") * 30})
    path = tmp_path / ("t.csv" if write == "to_csv" else "t.xlsx")
    getattr(table, write)(path)
    with pytest.warns(ReadingWarning, match="column '': 60 different whole numbers in 60 rows: identifiers, ignored"):
        assert NaiveBayes().fit(str(path), "y").schema_.names == ["x"]


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("rows", [None, 10])
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.filterwarnings("ignore::candide.reading.table_reading.ReadingWarning")
def test_an_index_in_some_files_alone_is_ignored(tmp_path: Path, first: int, rows: int | None, text: bool) -> None:
    table = pd.DataFrame({"x": np.arange(40.0) % 5, "k": list("ab") * 20 if text else 1.5, "y": list("uuvv") * 10})
    part = table[table.index % 7 != 3]
    files = [table, part, part.reset_index(drop=True)]
    files = files[first:] + files[:first]
    for n, file in enumerate(files):
        file.to_parquet(tmp_path / f"{n}.parquet", row_group_size=rows)
    whole = NaiveBayes().fit(pd.concat(files, ignore_index=True), "y")
    for exclude in ([], ["__index_level_0__"]):
        source = open_source(str(tmp_path / "*.parquet"), Reading(exclude=exclude))
        found = NaiveBayes().fit(source, "y")
        assert found.schema_.names == ["x", "k"]
        assert found.class_counts_.tolist() == whole.class_counts_.tolist()
        np.testing.assert_array_equal(found.predict_proba(table[["x", "k"]]), whole.predict_proba(table[["x", "k"]]))
    told = [cell for part in found.predict_batches(str(tmp_path / "*.parquet")) for cell in part.column(0).to_pylist()]
    assert told == whole.predict(pd.concat(files)[["x", "k"]]).tolist()
