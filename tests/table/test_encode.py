import datetime as dt
import decimal
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide import NaiveBayes
from candide.table import as_symbols, read
from candide.table.arrays import installed
from candide.table.columns import Numbers, level_array
from candide.table.encode import encode, library
from candide.table.objects import SMALL


def cells(column):
    if isinstance(column, Numbers):
        return [None if value != value else value for value in column.values.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


def arrow_dictionary(values):
    half = len(values) // 2
    parts = [pa.array(part, pa.string()).dictionary_encode() for part in (values[:half], values[half:])]
    return pa.chunked_array(parts, parts[0].type)


def enum(values):
    return pl.Series(values, dtype=pl.Enum(["never", *sorted({v for v in values if v is not None})]))


def pandas_array(dtype):
    return lambda values: pd.Series(values, dtype=dtype).array


EVERY = {
    "NumPy objects": level_array,
    "Arrow": pa.array,
    "Arrow in pieces": lambda values: pa.chunked_array([values[:1], values[1:]], pa.array(values).type),
    "Polars": lambda values: pl.Series(values, strict=False),
    "pandas objects": pandas_array(object),
    "pandas ArrowDtype": lambda values: pd.arrays.ArrowExtensionArray(pa.array(values)),
}
TEXT = EVERY | {
    "pandas str": pandas_array("str"),
    "pandas string[python]": pandas_array("string[python]"),
    "pandas string[pyarrow]": pandas_array("string[pyarrow]"),
    "pandas category": pandas_array("category"),
    "Polars Categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
    "Polars Enum": enum,
    "Arrow dictionary": arrow_dictionary,
    "Arrow string_view": lambda values: pa.array(values, pa.string_view()),
    "Arrow large_string": lambda values: pa.array(values, pa.large_string()),
}
BOOLEANS = EVERY | {"pandas boolean": pandas_array("boolean"), "pandas category": pandas_array("category")}
INTEGERS = EVERY | {"pandas Int64": pandas_array("Int64"), "pandas float64": pandas_array("float64")}
FLOATS = EVERY | {"pandas Float64": pandas_array("Float64"), "pandas float64": pandas_array("float64")}

sizes = st.sampled_from([1, SMALL + 1])


def columns(values):
    return st.lists(st.none() | values, min_size=2, max_size=8).filter(lambda column: set(column) != {None})


def check(kinds, values, repeat):
    values = values * repeat
    for name, make in kinds.items():
        column = encode(make(values), name)
        assert cells(column) == values, name
        if not isinstance(column, Numbers):
            assert column.codes.dtype.kind == "i", name
            assert len(set(column.levels.tolist())) == len(column.levels), name
            assert {type(level) for level in column.levels} == {type(v) for v in values if v is not None}, name
            if not column.declared:
                assert set(column.levels.tolist()) == set(values) - {None}, name


@given(columns(st.text(st.characters(codec="utf-8"), max_size=3)), sizes)
def test_text_is_the_same_in_every_frame(values, repeat):
    check(TEXT, values, repeat)


@given(columns(st.booleans()), sizes)
def test_booleans_are_the_same_in_every_frame(values, repeat):
    check(BOOLEANS, values, repeat)


@given(columns(st.integers(-(2**53), 2**53)), sizes)
def test_integers_are_the_same_in_every_frame(values, repeat):
    check(INTEGERS, values, repeat)


@given(columns(st.floats(allow_nan=False)), sizes)
def test_floats_are_the_same_in_every_frame(values, repeat):
    check(FLOATS, values, repeat)


moment = dt.datetime(2020, 1, 2, 3, 4, 5, 678901)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([moment, None], [1577934245.678901, None]),
        ([dt.date(1970, 1, 3), None], [172800.0, None]),
        ([dt.timedelta(seconds=1, microseconds=500000), None], [1.5, None]),
        ([decimal.Decimal("1.5"), None], [1.5, None]),
        ([None, None], [None, None]),
    ],
)
def test_other_numbers_are_the_same_in_every_frame(values, expected):
    for name, make in (EVERY | {"pandas": pandas_array(None)}).items():
        assert cells(encode(make(values), name)) == expected, name


def test_times_of_day_are_seconds_since_midnight():
    times = [dt.time(1, 2, 3, 500000), None]
    for values in (pa.array(times), pa.array([3723500, None], pa.time32("ms")), pl.Series(times)):
        assert cells(encode(values, "x")) == [3723.5, None]


def test_time_zones_are_moments():
    aware = pd.Series([moment, None]).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    for values in (aware.array, pa.array(aware), pl.Series([moment], dtype=pl.Datetime("us", "Asia/Tokyo"))):
        assert cells(encode(values, "x"))[0] == 1577934245.678901


def test_integers_without_holes_stay_integers():
    for values in (
        pd.array([1, 2], dtype="Int16"),
        pa.array([1, 2], pa.int16()),
        pl.Series([1, 2], dtype=pl.Int16),
    ):
        assert encode(values, "x").values.dtype == np.int16


def test_huge_integers_become_floats():
    huge = 2**63 + 2**11
    assert cells(encode(pa.array([huge, None], pa.uint64()), "x")) == [float(huge), None]
    assert cells(encode(pl.Series([huge, None], dtype=pl.UInt64), "x")) == [float(huge), None]
    assert cells(encode(pl.Series([2**100], dtype=pl.Int128), "x")) == [float(2**100)]
    assert encode(np.array([huge], np.uint64), "x").values.dtype == np.uint64


def test_nan_and_null_are_both_missing():
    values = [float("nan"), None, 1.0]
    kinds = (pa.array(values), pl.Series(values), pd.array(values, dtype="Float64"), np.array(values, float))
    for column in kinds:
        assert cells(encode(column, "x")) == [None, None, 1.0]


def test_half_precision_is_widened():
    for values in (np.ones(2, np.float16), pa.array(np.ones(2, np.float16))):
        assert encode(values, "x").values.dtype == np.float32


def test_codes_are_taken_over_without_a_copy():
    column = pd.Categorical(["a", "b", None])
    assert np.shares_memory(encode(column, "x").codes, column.codes)
    dictionary = pa.array(["a", "b"] * 300).dictionary_encode()
    assert np.shares_memory(encode(dictionary, "x").codes, dictionary.indices.to_numpy())
    values = np.arange(5.0)[::2]
    assert np.shares_memory(encode(values, "x").values, values)
    numbers = pa.array([1.0, 2.0])
    assert np.shares_memory(encode(numbers, "x").values, numbers.to_numpy())


def test_declared_domains_keep_levels_without_rows():
    for column in (pd.Categorical(["a"], categories=["z", "a"]), pl.Series(["a"], dtype=pl.Enum(["z", "a"]))):
        symbols = encode(column, "x")
        assert symbols.declared
        assert symbols.levels.tolist() == ["z", "a"]
    dictionary = pa.DictionaryArray.from_arrays(pa.array([1]), pa.array(["z", "a"]))
    assert encode(dictionary, "x").levels.tolist() == ["z", "a"]
    assert not encode(pl.Series(["a"], dtype=pl.Categorical), "x").declared


def test_a_dictionary_may_hold_null_and_repeat_a_level():
    dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3, None]), pa.array(["a", "b", "a", None]))
    symbols = encode(dictionary, "x")
    assert symbols.levels.tolist() == ["a", "b"]
    assert symbols.codes.tolist() == [0, 1, 0, -1, -1]


@pytest.mark.parametrize("n_levels", [100, 127, 128, 200, 256])
def test_unsigned_dictionary_indices_become_signed(n_levels):
    levels = pa.array([str(i) for i in range(n_levels)])
    given = [*range(n_levels), None]
    dictionary = pa.DictionaryArray.from_arrays(pa.array(given, pa.uint8()), levels)
    symbols = encode(dictionary, "x")
    assert symbols.codes.dtype.kind == "i"
    assert symbols.codes.tolist() == [*range(n_levels), -1]


def test_categories_that_are_not_text():
    assert cells(encode(pd.Categorical([2, None, 1]), "x")) == [2, None, 1]
    assert cells(encode(pd.cut([1.0, 3.0], [0, 2, 4]), "x")) == ["(0, 2]", "(2, 4]"]
    assert cells(encode(pa.array([5, 6]).dictionary_encode(), "x")) == [5, 6]


def test_all_missing_text_is_text():
    for repeat in (1, SMALL + 1):
        for make in (TEXT["pandas str"], TEXT["Arrow string_view"], lambda v: pl.Series(v, dtype=pl.String)):
            symbols = encode(make([None] * repeat), "x")
            assert symbols.codes.tolist() == [-1] * repeat
            assert len(symbols.levels) == 0


def test_polars_text_without_pyarrow(monkeypatch):
    values = ["b", None, "a"] * SMALL
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert not installed("pyarrow")
    for dtype in (pl.String, pl.Categorical, pl.Enum(["a", "b"])):
        assert cells(encode(pl.Series(values, dtype=dtype), "x")) == values


def test_run_ends_and_extension_types():
    plain = pa.array(["a", "a", None, "b"])
    runs = pa.compute.run_end_encode(plain)
    assert cells(encode(pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0], pa.int8())), "x")) == [
        1,
        0,
    ]
    assert cells(encode(runs, "x")) == plain.to_pylist()


@pytest.mark.parametrize(
    "values",
    [
        pd.period_range("2020", periods=2, freq="Y").array,
        pd.interval_range(0, 2).array,
        pa.array([[1], [2]]),
        pa.array([{"a": 1}]),
        pl.Series([[1], [2]]),
        pl.Series([{"a": 1}]),
        np.zeros(2, [("a", int)]),
    ],
)
def test_what_is_no_column_is_refused_by_name(values):
    with pytest.raises(TypeError, match="column 'a' has the type"):
        encode(values, "column 'a'")


def test_complex_numbers_are_refused():
    with pytest.raises(ValueError, match="Complex data not supported"):
        encode(np.array([1j]), "x")


def test_odd_cells_in_polars_objects_are_named():
    with pytest.raises(TypeError, match="column 'a' mixes"):
        encode(pl.Series(["a", 1], dtype=pl.Object), "column 'a'")


def test_the_library_of_a_subclass():
    class Mine(pd.DataFrame):
        pass

    assert library(Mine()) == "pandas"
    assert library(np.zeros(1)) is None


LARGE = [2**53, None, 2**53 + 1, 2**53, -(2**53) - 1, None]
HOLED = {
    "pandas Int64": lambda cells: pd.Series(cells, dtype="Int64"),
    "pandas Arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.int64())),
    "pandas objects": lambda cells: pd.Series(cells, dtype=object),
    "Arrow": lambda cells: pa.array(cells, pa.int64()),
    "Polars": lambda cells: pl.Series(cells, dtype=pl.Int64),
}


@pytest.mark.parametrize("kind", HOLED)
def test_large_integers_beside_a_missing_cell_stay_apart(kind):
    cells = HOLED[kind](LARGE)
    table = {"pandas": pd.DataFrame, "Arrow": pa.table, "Polars": pl.DataFrame}[kind.split()[0]]({"id": cells})
    column = read(table).column(0)
    assert isinstance(column, Numbers)
    np.testing.assert_array_equal(column.values, np.array(LARGE, dtype=float))
    symbols = as_symbols(column[1:5])
    assert [None if code < 0 else symbols.levels[code] for code in symbols.codes] == LARGE[1:5]
    nb = NaiveBayes({"id": "categorical"}, smoothing="none").fit(table, list("abcdef"))
    assert sorted(nb.schema_.columns[0].levels.tolist()) == [-(2**53) - 1, 2**53, 2**53 + 1]
    whole = pd.DataFrame({"id": np.array([2**53 + 1, -(2**53) - 1], dtype=np.int64)})
    assert nb.predict(whole).tolist() == ["c", "e"]
    assert nb.predict(table).tolist()[2] == "c"
    assert NaiveBayes("normal").fit(table, list("ababab")).schema_.columns[0].kind == "numbers"


@pytest.mark.parametrize("holes", [[], [None]])
def test_integers_beyond_64_bits_are_levels_of_their_own(holes):
    frame = pd.DataFrame({"id": pd.Series([2**64, 2**64 + 1, 2**64, *holes], dtype=object)})
    y = list("abad")[: len(frame)]
    nb = NaiveBayes({"id": "categorical"}, smoothing="none").fit(frame, y)
    assert nb.predict(frame).tolist()[:3] == y[:3]


@pytest.mark.parametrize("kind", HOLED)
def test_small_integers_beside_a_missing_cell_are_floats_as_before(kind):
    cells = HOLED[kind]([3, None, 1])
    table = {"pandas": pd.DataFrame, "Arrow": pa.table, "Polars": pl.DataFrame}[kind.split()[0]]({"id": cells})
    column = read(table).column(0)
    assert column.exact is None
    np.testing.assert_array_equal(column.values, [3.0, np.nan, 1.0])
