"""Columns of several kinds of cells are read as a file of the same table is."""

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.laws import same_schema, same_statistics

import candide
from candide import NaiveBayes
from candide.reading.kinds import in_any_style, written
from candide.table.objects import MixedKindsError

NUMBERS = [1.5, 2, "?", "1,234", 3.25, None, decimal.Decimal("4.5"), np.float32(7.5), float("nan"), pd.NA]
READ = [1.5, 2, None, 1234, 3.25, None, 4.5, 7.5, None, None]
Y = ["a", "b"] * 5


def same(one, other):
    """Assert that two models have learnt the same."""
    same_schema(one.learnt_, other.learnt_)
    same_statistics(one.learnt_, other.learnt_)


def frame(cells, times=1):
    return pd.DataFrame({"x": pd.Series(list(cells) * times, dtype=object)})


def numbers_of(model, X):
    """Return what the cells of the first column are to a model."""
    from candide.schema.alignment import align
    from candide.table import read

    column = align(read(X), model.learnt_.schema, "it").column(0)
    return [None if value != value else value for value in column.values.tolist()]


def given(kind, cells):
    """Return the same column in the containers that hold Python objects."""
    if kind == "polars":
        return pl.DataFrame({"x": pl.Series("x", list(cells), dtype=pl.Object)})
    if kind == "rows":
        return [{"x": cell} for cell in cells]
    if kind == "array":
        return frame(cells).to_numpy()
    return [[cell] for cell in cells] if kind == "lists" else frame(cells)


@pytest.mark.parametrize("kind", ["pandas", "polars", "array", "lists", "rows"])
@pytest.mark.filterwarnings("ignore")
def test_numbers_among_texts_are_numbers_whatever_holds_them(kind):
    X = given(kind, NUMBERS)
    model = NaiveBayes().fit(X, Y)
    assert numbers_of(model, X) == READ
    known = NaiveBayes().fit(frame([np.nan if cell is None else float(cell) for cell in READ]), Y)
    same_statistics(model.learnt_, known.learnt_)


@pytest.mark.parametrize("write", ["csv", "xlsx"])
@pytest.mark.parametrize(
    "cells",
    [
        [1.5, 2, "?", "1,234", 3.25, 9.0],
        ["1,5", 2.25, 3, "NA", "1.234,5", 8.5],
        [dt.date(2024, 1, 3), "2024-02-05", None, "?", dt.date(2024, 3, 1), "2024-04-02"],
        [dt.datetime(2024, 1, 3, 9, 30), "2024-02-05 10:00", None, "2024-04-02 07:15", "-", "2024-04-02 08:15"],
        [True, "False", "n/a", False, "True", True],
        [True, "no", "yes", False, "yes", "no"],
        [1, "red", 2.5, "blue", 4.0, "red"],
        [1, "2", 3, 1, "2", "3"],
        [dt.time(9, 30), "10:15:00", "?", dt.time(11, 0), "12:00:00", None],
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_a_mixed_column_is_read_as_its_file(tmp_path, cells, write):
    table = frame(cells, 10)
    table["y"] = ["a", "b", "b"] * 20
    # pandas writes an object as its text, so that each cell is as the test has it; a workbook knows none of styles
    texts = [None if cell is None else written(cell) for cell in table["x"]]
    path = tmp_path / f"table.{write}"
    if write == "csv":
        comma = any(isinstance(cell, str) and "," in cell and "." in cell for cell in cells)
        written_so = [
            t.replace(".", ",") if comma and isinstance(c, float) else t for t, c in zip(texts, table["x"], strict=True)
        ]
        pd.DataFrame({"x": written_so, "y": table["y"]}).to_csv(path, index=False)
    else:
        table.to_excel(path, index=False)
    model, from_file = NaiveBayes().fit(table, "y"), NaiveBayes().fit(str(path), "y")
    assert model.schema_.names == from_file.schema_.names
    one_row = table.drop(columns="y").iloc[:3]
    assert np.allclose(model.predict_proba(one_row), from_file.predict_proba(one_row))
    assert np.allclose(model.predict_proba(table), from_file.predict_proba(table))


@pytest.mark.filterwarnings("ignore")
def test_later_rows_are_read_alike_however_they_mix():
    X, y = frame(NUMBERS, 4), Y * 4
    model = NaiveBayes().fit(X, y)
    halves = NaiveBayes().fit(frame(NUMBERS, 2), Y * 2).partial_fit(frame(NUMBERS, 2), Y * 2)
    same(halves, model)
    same(model.partial_fit(X, y).forget(X, y), halves)
    assert model.predict(X).shape == (40,)
    assert model.leave_one_out(X, y).shape == (40, 2)
    assert 0 <= model.score(X, y) <= 1
    batches = NaiveBayes().fit(iter([frame(NUMBERS).assign(y=Y) for _ in range(4)]), "y")
    same(batches, halves)


@pytest.mark.filterwarnings("ignore")
def test_a_column_of_numbers_takes_gaps_that_are_written_later():
    model = NaiveBayes().fit(frame([1.5, 2.5, 3.5, 4.5] * 5), ["a", "b"] * 10)
    told = model.predict_proba(frame([1.5, "?", "4.5", None]))
    assert np.allclose(told, model.predict_proba(frame([1.5, None, 4.5, None])))
    with pytest.raises(TypeError, match="column 'x' is numeric in this model but holds 'red' in row 1"):
        model.predict(frame([1.5, "red"]))


@pytest.mark.parametrize("odd", [[1], {"a": 1}, (1,), b"x"])
def test_what_cannot_be_written_names_column_and_row(odd):
    cells = [1.5, "?", 2.5, odd, 3.5, "4"]
    with pytest.raises(TypeError, match=r"column 'x' .*row 3"):
        NaiveBayes().fit(frame(cells), ["a", "b"] * 3)


def test_plain_reading_keeps_kinds_apart():
    for reading in ("plain", {"x": "plain"}):
        with pytest.raises(MixedKindsError, match="column 'x' mixes"):
            NaiveBayes(reading=reading).fit(frame(NUMBERS), Y)
    model = NaiveBayes(reading="plain").fit(frame([1.5, 2.5] * 5), Y)
    with pytest.raises(MixedKindsError, match="column 'x' mixes"):
        model.predict(frame(["?", 1.5]))


@pytest.mark.filterwarnings("ignore")
def test_a_column_declared_to_be_levels_may_mix():
    model = NaiveBayes(distributions={"x": "categorical"}).fit(frame([1, "red", 2.0, "red", 1, 2]), ["a", "b"] * 3)
    assert model.schema_.columns[0].levels.tolist() == ["1", "2", "red"]


@pytest.mark.filterwarnings("ignore")
def test_categories_of_several_kinds_are_texts():
    X = pd.DataFrame({"x": pd.Categorical([1, "red", 2.0, "red", None, 1] * 2)})
    model = NaiveBayes().fit(X, ["a", "b"] * 6)
    assert model.schema_.columns[0].levels.tolist() == ["1", "2", "red"]
    with pytest.raises(TypeError, match="column 'x' has levels of several kinds"):
        NaiveBayes(reading="plain").fit(X, ["a", "b"] * 6)


@pytest.mark.filterwarnings("ignore")
def test_documents_among_which_some_are_numbers():
    texts = [f"please send number {n} of the forms to me" for n in range(30)]
    cells = [*texts, 12, 13.5]
    model = NaiveBayes().fit(frame(cells), ["a", "b"] * 16)
    written_so = NaiveBayes().fit(frame([*texts, "12", "13.5"]), ["a", "b"] * 16)
    same(model, written_so)
    assert np.allclose(model.predict_proba(frame(cells)), written_so.predict_proba(frame([*texts, "12", "13.5"])))


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([0, 1, "unknown", 1], ["0", "1", "unknown"]),
        ([0, "1", 1, "0"], [0, 1]),
        ([True, "no", "no", True], ["True", "no"]),
        ([1.0, "2", "x", 1], ["1", "2", "x"]),
    ],
)
def test_labels_of_several_kinds(y, classes):
    X = pd.DataFrame({"x": np.arange(20.0)})
    table = X.assign(y=pd.Series(y * 5, dtype=object))
    model = NaiveBayes().fit(table, "y")
    assert model.classes_.tolist() == classes
    same(NaiveBayes().fit(X, y * 5), model)
    some = [label for label in y * 5 if not isinstance(label, str)]
    again = model.partial_fit(X[: len(some)], some)
    assert again.classes_.tolist() == classes
    assert again.score(X, y * 5) == again.score(table, "y")
    assert again.leave_one_out(X[: len(some)], some).shape == (len(some), len(classes))
    again.forget(X[: len(some)], some)
    with pytest.raises(TypeError):
        NaiveBayes(reading="plain").fit(X, y * 5)


@pytest.mark.filterwarnings("ignore")
def test_folds_of_a_mixed_table_are_evaluated():
    table = frame([1.5, 2, "?", 3.25, 9.0, "7"], 20)
    found = candide.evaluate.cross_validate({"nb": NaiveBayes()}, table, ["a", "b", "b"] * 40, folds=4)
    assert len(found) == 4


def test_numbers_in_any_style():
    assert [in_any_style(cell) for cell in (2.0, 1e300, -0.5, "x")] == ["2", "1e300", "-5e-1", "x"]
