"""Workbooks: cells that are numbers stay numbers whatever the texts of a model look like, cell by cell."""

from __future__ import annotations

import datetime as dt
import json
import re
import zipfile

import numpy as np
import pandas as pd
import pytest
from tests.sources.reading import files, typed

import candide
from candide.reading import Amounts
from candide.table import read

openpyxl = pytest.importorskip("openpyxl")

N = 40
AMOUNTS = [f"{x:,.2f}".translate(str.maketrans(",.", ".,")) for x in np.linspace(10, 2500, N)]


def write_book(path, columns):
    book = openpyxl.Workbook()
    book.active.append(list(columns))
    for row in zip(*columns.values(), strict=True):
        book.active.append(row)
    book.save(path)


def scores(nb, path):
    """What a model says of the rows of a file."""
    (frame,) = files(path).batches(nb.schema_, nb.schema_.used_names)
    return nb.predict_joint_log_proba(frame)


@pytest.fixture
def german(tmp_path, monkeypatch):
    """A model of a table with a decimal comma, dates and yes and no."""
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame(
        {
            "x": AMOUNTS,
            "day": [f"{1 + i % 28:02d}.03.2023" for i in range(N)],
            "paid": [["ja", "nein", "Ja"][i % 3] for i in range(N)],
            "y": ["a" if i < N // 2 else "b" for i in range(N)],
        }
    )
    table.to_csv("t.csv", index=False)
    return candide.NaiveBayes().fit("t.csv", "y")


def test_numbers_stay_numbers_beside_a_decimal_comma(german):
    new = {"x": [500.125, 4.0, 1e-7, None], "day": ["01.03.2023"] * 4, "paid": ["ja"] * 4}
    write_book("new.xlsx", new)
    expected = german.predict_joint_log_proba(pd.DataFrame(new))
    np.testing.assert_array_equal(scores(german, "new.xlsx"), expected)


def test_numbers_and_texts_of_one_column_are_read_cell_by_cell(german):
    write_book("new.xlsx", {"x": [500.125, "1.234,56", "?", 7], "day": ["01.03.2023"] * 4, "paid": ["ja"] * 4})
    frame = pd.DataFrame({"x": [500.125, 1234.56, None, 7], "day": ["01.03.2023"] * 4, "paid": ["ja"] * 4})
    np.testing.assert_array_equal(scores(german, "new.xlsx"), german.predict_joint_log_proba(frame))


def test_dates_and_truths_stay_what_they_are(german):
    write_book("new.xlsx", {"x": [1.5], "day": [dt.datetime(2023, 3, 5)], "paid": [False]})
    expected = german.predict_joint_log_proba([{"x": 1.5, "day": "05.03.2023", "paid": "nein"}])
    np.testing.assert_array_equal(scores(german, "new.xlsx"), expected)


def test_an_array_of_objects_has_numbers_as_well(german, tmp_path):
    row = {"x": 500.125, "day": "01.03.2023", "paid": "ja"}
    (tmp_path / "new.json").write_text(json.dumps([row]))
    expected = german.predict_joint_log_proba(pd.DataFrame([row]))
    np.testing.assert_array_equal(scores(german, "new.json"), expected)


@pytest.mark.parametrize("odd", [[], ["?"]])
def test_a_mixed_column_is_learnt_cell_by_cell(tmp_path, monkeypatch, odd):
    monkeypatch.chdir(tmp_path)
    values = np.linspace(10, 2500, N).round(2)
    cells = [x if i % 2 else text for i, (x, text) in enumerate(zip(values.tolist(), AMOUNTS, strict=True))]
    cells[: len(odd)] = odd
    write_book("t.xlsx", {"x": cells, "y": ["a", "b"] * (N // 2)})
    nb = candide.NaiveBayes().fit("t.xlsx", "y")
    assert nb.schema_.reading["x"].reader == Amounts(",", ".", missing=tuple(odd))
    learnt = nb.schema_.reading.apply(read(pd.DataFrame({"x": ["2.500,00", "500,5"]})))
    assert learnt.column(0).values.tolist() == [2500.0, 500.5]
    alike = candide.NaiveBayes().fit(
        pd.DataFrame({"x": [np.nan if i < len(odd) else v for i, v in enumerate(values)], "y": ["a", "b"] * (N // 2)}),
        "y",
    )
    new = pd.DataFrame({"x": [30.5, 2000.0, 700.25]})
    np.testing.assert_allclose(nb.predict_joint_log_proba(new), alike.predict_joint_log_proba(new), rtol=1e-12)


def test_points_between_thousands_are_those_of_texts_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_book(
        "t.xlsx",
        {
            "x": ["1.234" if i % 2 else 1.5 + i for i in range(N)],
            "only": [1.234 + i for i in range(N)],
            "z": [f"{i},5" for i in range(N)],
            "y": ["a", "b"] * (N // 2),
        },
    )
    nb = candide.NaiveBayes().fit("t.xlsx", "y")
    assert nb.schema_.reading["x"].reader == Amounts(",", ".")
    assert "only" not in nb.schema_.reading
    assert "x: 40 numbers with '.' between thousands" in repr(nb.schema_.reading)


def test_codes_among_numbers_are_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_book("t.xlsx", {"zip": ["01234", 12345, 12345.0] * 10, "y": ["a", "b", "a"] * 10})
    assert set(typed("t.xlsx", target="y")["zip"]) == {"01234", "12345"}


def test_labels_are_whole_numbers_and_declared_gaps_are_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_book("t.xlsx", {"x": [1.5, 999, 2.5], "y": [0, 1.0, "1"]})
    cells = typed("t.xlsx", target="y", missing=["999"])
    assert cells["y"] == [0, 1, 1]
    assert np.isnan(cells["x"][1]) or cells["x"][1] is None


# -- what a sheet shows ----------------------------------------------------------------------------------------------

Y = ["a", "b"] * (N // 2)


def write_shown(path, columns, **formats):
    """Write a workbook whose columns are shown by these number formats."""
    write_book(path, columns)
    book = openpyxl.load_workbook(path)
    for name, shown in formats.items():
        for row in range(2, N + 2):
            book.active.cell(row, list(columns).index(name) + 1).number_format = shown
    book.save(path)


@pytest.mark.parametrize("sign", ["%", " %"])
@pytest.mark.parametrize("point", [".", ","])
def test_per_cent_is_what_is_shown_so_that_a_sheet_and_its_csv_give_one_model(tmp_path, monkeypatch, point, sign):
    monkeypatch.chdir(tmp_path)
    rates = [(100 + 7 * i) / 1000 for i in range(N)]
    write_shown("t.xlsx", {"x": rates, "y": Y}, x="0.0%")
    texts = [f"{10 + 0.7 * i:.1f}{sign}".replace(".", point) for i in range(N)]
    pd.DataFrame({"x": texts, "y": Y}).to_csv("t.csv", index=False, sep=";")
    sheet, table = (candide.NaiveBayes().fit(name, "y") for name in ("t.xlsx", "t.csv"))
    assert repr(sheet.schema_.reading) == "x: 40 numbers with the unit '%'"
    for nb in (sheet, table):
        np.testing.assert_array_equal(scores(nb, "t.xlsx"), scores(table, "t.csv"))


def test_a_per_cent_sign_that_is_written_beside_a_number_scales_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_shown("t.xlsx", {"x": [10 + i for i in range(N)], "z": [0.5] * N, "y": Y}, x='0"%"', z=r"0\%")
    assert typed("t.xlsx", target="y")["x"][:2] == [10, 11]


def test_per_cent_of_three_digits_is_no_thousand_beside_a_decimal_comma(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    columns = {"x": [0.12345 + i / 100 for i in range(N)], "z": AMOUNTS, "y": Y}
    write_shown("t.xlsx", columns, x="0.000%")
    nb = candide.NaiveBayes("normal").fit("t.xlsx", "y")
    assert 12 < nb.describe("x")["mean"]["a"] < 52


def test_durations_are_told_as_they_are_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_book("t.xlsx", {"took": [dt.timedelta(hours=i, minutes=15) for i in range(N)], "y": Y})
    nb = candide.NaiveBayes("normal").fit("t.xlsx", "y")
    assert repr(nb.schema_.reading) == "took: 40 durations in hours and minutes"
    assert nb.describe("took")["mean"]["a"] == "69300 s"


def test_rows_beyond_what_the_sheet_says_of_its_size_are_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_book("whole.xlsx", {"x": list(range(N)), "z": ["u", "v"] * (N // 2), "y": Y})
    with zipfile.ZipFile("whole.xlsx") as whole, zipfile.ZipFile("t.xlsx", "w") as cut:
        for name in whole.namelist():
            cut.writestr(name, re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:B10"', whole.read(name)))
    nb = candide.NaiveBayes().fit("t.xlsx", "y")
    assert nb.class_counts_.sum() == N
    assert nb.schema_.names == ["x", "z"]


def test_a_cell_behind_the_last_name_is_refused_and_not_lost(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_book("t.xlsx", {"x": [1, 2], "y": ["a", "b"], "": [None, "lost"]})
    book = openpyxl.load_workbook("t.xlsx")
    book.active["C1"] = None
    book.save("t.xlsx")
    with pytest.raises(ValueError, match=r"t.xlsx, row 3 of the sheet: 'lost' stands in column C, which has no name"):
        candide.NaiveBayes().fit("t.xlsx", "y")
