from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pytest

from candide import table
from candide.sources.typing import lacking, like, make_array, make_frame


@pytest.mark.parametrize("library", ["pyarrow", "pandas", "polars"])
def test_frames_of_every_library_hold_the_same_columns(monkeypatch, library):
    for other in {"pyarrow", "pandas", "polars"} - {library}:
        monkeypatch.setitem(sys.modules, other, None)
    frame = make_frame(
        {"n": np.array([1.5, np.nan]), "i": np.array([1, 2]), "t": ["x", None], "b": [None, True], "none": [None, None]}
    )
    assert type(frame).__module__.startswith(library)
    monkeypatch.undo()
    read = table.read(frame)
    assert np.array_equal(read.column(0).values, [1.5, np.nan], equal_nan=True)
    assert read.column(1).values.tolist() == [1, 2]
    for j, levels, codes in ((2, ["x"], [0, -1]), (3, [True], [-1, 0]), (4, [], [-1, -1])):
        assert read.column(j).levels.tolist() == levels
        assert read.column(j).codes.tolist() == codes


def test_without_a_library_the_extra_is_named(monkeypatch):
    for library in ("pyarrow", "pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=r"candide\[arrow\]"):
        make_frame({"a": ["x"]})


@pytest.mark.parametrize(
    ("cells", "levels", "typed"),
    [
        (["1", "2.0"], [1, 2], [1, 2]),
        (["1.5", "2"], [1.5, 2.0], [1.5, 2.0]),
        (["yes", "0"], [True, False], [True, False]),
        ([1, 2.0, True], ["1", "2"], ["1", "2", "1"]),
        (["x"], [], ["x"]),
    ],
)
def test_cells_take_the_type_of_the_levels(cells, levels, typed):
    found = like(cells, levels, "column 'x'", 0)
    assert list(found) == typed
    assert [type(cell) for cell in np.asarray(found).tolist()] == [type(cell) for cell in typed]


def test_columns_without_names_are_an_array():
    assert make_array({"u": np.array([1.0, 2.0]), "v": np.array([3.0, 4.0])}).tolist() == [[1.0, 3.0], [2.0, 4.0]]
    mixed = make_array({"u": np.array([1.0]), "v": pa.array(["x"])})
    assert mixed.tolist() == [[1.0, "x"]]


def test_many_absent_columns_are_counted():
    assert lacking([f"c{i}" for i in range(20)], []).endswith("'c7' ...")
    assert lacking(["weight"], ["wieght"]) == "the model's column 'weight' is not there; did you mean 'wieght'?"
