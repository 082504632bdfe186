"""Rows: a table read through a schema, whatever the table is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from candide import table as tables
from candide.schema import rows as rows_module
from candide.schema.axes import Classes
from candide.schema.cells import MISSING, UNSEEN, Levels
from candide.schema.column import Column
from candide.schema.lattice import Grid, Lattice
from candide.schema.order import object_array
from candide.schema.rows import Rows, code_numbers, rename, take_columns
from candide.schema.schema import Schema

LABELS = Classes(np.array(["p"]), np.zeros(1, dtype=bool))


def schema(*axes: Any) -> Schema:
    """Return columns "0", "1", ... counted in these cells."""
    kinds = ["symbols" if isinstance(axis, Levels) else "numbers" for axis in axes]
    return Schema(
        tuple(Column(str(j), kind, ("cells",), axis) for j, (kind, axis) in enumerate(zip(kinds, axes, strict=True))),
        LABELS,
    )


CELLS = {"0": ["a", None, "c", "b"], "1": [0.5, 2.0, None, 7.0], "2": [0, 3, 1, 2]}
SCHEMA = schema(Levels.of(["b"], ["a"]), Lattice.of(np.array([0.5, 2.0])), Levels.of([], [0, 1, 2]))
CODES = [[1, 0, 0], [MISSING, 1, UNSEEN], [UNSEEN, MISSING, 1], [0, UNSEEN, 2]]
FRAMES = {
    "pandas": pd.DataFrame(CELLS),
    "categories": pd.DataFrame(CELLS).astype({"0": "category"}),
    "nullable": pd.DataFrame(CELLS).convert_dtypes(),
    "polars": pl.DataFrame(CELLS),
    "arrow": pa.table(CELLS),
    "dictionaries": pa.table({**CELLS, "0": pa.array(CELLS["0"]).dictionary_encode()}),
    "objects": np.array(pd.DataFrame(CELLS).astype(object)),
}


@pytest.mark.parametrize("name", FRAMES)
def test_codes_are_the_schemas_whatever_the_frame(name: str) -> None:
    rows = Rows(tables.read(FRAMES[name]), SCHEMA)
    assert rows.codes(np.arange(3)).tolist() == CODES
    assert rows.codes(np.array([2, 0])).tolist() == [[row[2], row[0]] for row in CODES]
    assert rows.missing(0).tolist() == [False, True, False, False]
    assert rows.missing(1).tolist() == [False, False, True, False]


@pytest.mark.parametrize("name", FRAMES)
def test_a_frames_own_codes_mean_the_schemas_levels(name: str) -> None:
    rows = Rows(tables.read(FRAMES[name]), SCHEMA)
    codes, levels = rows.own_codes(np.arange(3))
    for j, level in enumerate(levels):
        # -1 is missing in any coding, and a level without a meaning was never seen
        meant = [MISSING if code == MISSING else UNSEEN if code < 0 else level[code] for code in codes[j].tolist()]
        assert meant == [row[j] for row in CODES]


@pytest.mark.parametrize(
    "make",
    [
        np.asarray,
        np.asfortranarray,
        lambda x: x.astype(np.float32),
        pd.DataFrame,
        sparse.csr_array,
        lambda x: pl.DataFrame(x, schema=["0", "1", "2"]),
    ],
    ids=["C", "F", "single", "pandas", "sparse", "polars"],
)
def test_numbers_and_slices_are_the_same_from_every_container(make: Any) -> None:
    x = np.array([[1.0, 0.0, 3.5], [0.0, np.nan, 2.0], [4.0, 5.0, 0.0]])
    frame = make(x)
    if isinstance(frame, pd.DataFrame):
        frame = frame.rename(columns=str)
    rows = Rows(tables.read(frame), schema(*[Lattice.empty()] * 3))
    np.testing.assert_array_equal(rows.numbers(np.array([2, 1])), x[:, [2, 1]])
    np.testing.assert_array_equal(rows.slice(1, 3).numbers(np.arange(3)), x[1:3])
    parts = [(part, batch.numbers(np.arange(3))) for part, batch in rows.batches(2)]
    assert [part for part, _ in parts] == [slice(0, 2), slice(2, 3)]
    np.testing.assert_array_equal(np.concatenate([batch for _, batch in parts]), x)
    assert rows.slice(0, 99) is rows


def test_columns_that_lie_together_are_not_copied() -> None:
    x = np.zeros((4, 5))
    assert take_columns(x, np.arange(5)) is x
    assert np.shares_memory(take_columns(x, np.array([1, 2, 3])), x)
    assert take_columns(x, np.array([3, 1])).shape == (4, 2)
    assert take_columns(x, np.array([], dtype=int)).shape == (4, 0)


@pytest.mark.parametrize("name", FRAMES)
def test_an_unseen_level_is_an_error_that_names_column_row_and_level_even_in_a_later_batch(name: str) -> None:
    rows = Rows(tables.read(FRAMES[name]), SCHEMA, unseen="error")
    for column, message in ((0, "column '0', row 2: the level 'c'"), (1, r"column '1', row 3: the level 7\.0")):
        for start in (0, 1, 2):
            with pytest.raises(ValueError, match=message):
                rows.slice(start, 4).codes(np.array([column]))


@pytest.mark.parametrize("make", [np.asarray, pd.DataFrame, sparse.csr_array], ids=["array", "pandas", "sparse"])
def test_infinity_is_an_error_that_names_column_and_row_even_in_a_later_batch(make: Any) -> None:
    x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, np.inf]])
    frame = make(x)
    frame = frame.rename(columns=str) if isinstance(frame, pd.DataFrame) else frame
    rows = Rows(tables.read(frame), schema(Lattice.empty(), Lattice.empty()))
    for start in (0, 2):
        with pytest.raises(ValueError, match="contains infinity: column '1', row 2;"):
            rows.slice(start, 3).numbers(np.arange(2))
    assert rows.numbers(np.arange(2), finite=False)[2, 1] == np.inf
    assert np.isfinite(rows.numbers(np.array([0]))).all()


def test_infinity_among_the_entries_of_a_sparse_table_is_named_by_its_row() -> None:
    x = sparse.csr_array(np.array([[0.0, 1.0], [2.0, 0.0], [0.0, -np.inf]]))
    rows = Rows(tables.read(x), schema(Lattice.empty(), Lattice.empty()))
    with pytest.raises(ValueError, match="column '1', row 2;"):
        rows.entries(np.arange(2))
    assert Rows(tables.read(x.toarray()), rows.schema).entries(np.arange(2)) is None


def test_text_where_numbers_were_learnt_is_an_error_that_says_where() -> None:
    frame = pd.DataFrame({"0": [None, "six"]})
    rows = Rows(tables.read(frame), schema(Lattice.of(np.array([1.0]))))
    with pytest.raises(TypeError, match="column '0' is numeric in this model but holds 'six' in row 1"):
        rows.numbers(np.array([0]))
    with pytest.raises(TypeError, match="holds 'six' in row 1"):
        rows.slice(1, 2).numbers(np.array([0]))


def test_whatever_a_blank_column_holds_was_never_seen() -> None:
    for frame in (pd.DataFrame({"0": ["a", None]}), pd.DataFrame({"0": [1.0, np.nan]})):
        for axis in (Lattice.empty(), Levels.of([], [])):
            rows = Rows(tables.read(frame), schema(axis))
            assert rows.codes(np.array([0]))[:, 0].tolist() == [UNSEEN, MISSING]
    text = Rows(tables.read(pd.DataFrame({"0": ["a", None]})), schema(Lattice.empty()))
    assert np.isnan(text.numbers(np.array([0]))).all()


def test_numbers_as_levels_are_compared_exactly_where_they_are_integers() -> None:
    ids = [2**53, 2**53 + 1]
    rows = Rows(tables.read(np.array([ids], dtype=np.int64).T), schema(Levels.of([], ids)))
    assert rows.codes(np.array([0]))[:, 0].tolist() == [0, 1]
    mixed = Rows(tables.read(np.array([[1.0], [2.5], [np.nan]])), schema(Levels.of([], ["1", 1, 2.5])))
    assert mixed.codes(np.array([0]))[:, 0].tolist() == [0, 1, MISSING]


def test_numbers_have_the_codes_of_the_intervals_of_a_grid() -> None:
    rows = Rows(tables.read(np.array([[0.0], [0.6], [np.nan]])), schema(Grid(np.array([0.5]))))
    assert rows.codes(np.array([0]))[:, 0].tolist() == [0, 1, MISSING]


def test_sparse_rows_are_spelt_out_a_bounded_number_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "DENSE_CELLS", 10)
    wide = tables.read(sparse.csr_array((7, 4)))
    assert Rows(wide, schema(*[Lattice.empty()] * 4)).spelt_out == 2
    assert Rows.spelt_out_of(tables.read(sparse.csr_array((7, 100)))) == 1
    assert Rows.spelt_out_of(tables.read(np.zeros((7, 4)))) == rows_module.BATCH


def test_a_table_is_renamed_by_what_its_codes_mean() -> None:
    table = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert rename(table, np.array([1, UNSEEN, 0])).tolist() == [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]
    assert rename(np.zeros((0, 2)), np.array([UNSEEN])).tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i8", "u8", "f8"])
@pytest.mark.parametrize("spread", [1, 3, 50])
def test_numbers_are_coded_by_their_levels_however_far_these_lie_apart(dtype: str, spread: int) -> None:
    limits = np.iinfo(dtype) if dtype != "f8" else np.iinfo("i4")
    rng = np.random.default_rng(0)
    for low in (limits.min, 0, limits.max - 100):
        levels = sorted({low + spread * v for v in rng.integers(0, 100 // spread + 1, 12).tolist()})
        column = Column("x", "symbols", ("cells",), Levels(object_array([*levels[::2], *levels[1::2]]), len(levels)))
        values = np.array([*levels, limits.min, limits.max, low + 1, low + 2], dtype=dtype)
        place = column.axis.place
        assert code_numbers(column, values).tolist() == [place.get(int(v), UNSEEN) for v in values.tolist()]
