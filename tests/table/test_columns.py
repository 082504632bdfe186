import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from candide.table.columns import (
    Numbers,
    Symbols,
    as_symbols,
    booleans,
    booleans_as_numbers,
    factorize_numbers,
    plain,
    seconds,
)

numbers = st.one_of(
    hnp.arrays(np.float64, st.integers(1, 30), elements=st.floats(allow_infinity=False)),
    hnp.arrays(np.float64, st.integers(1, 30), elements=st.sampled_from([-2.0, -0.0, 0.0, 3.0, np.nan])),
    hnp.arrays(np.float32, st.integers(1, 30), elements=st.floats(allow_infinity=False, width=32)),
    hnp.arrays(np.int64, st.integers(1, 30)),
    hnp.arrays(np.uint64, st.integers(1, 30)),
    hnp.arrays(np.int8, st.integers(1, 30)),
)


@given(numbers)
def test_symbols_of_numbers_give_every_number_back(values):
    symbols = as_symbols(Numbers(values))
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
    assert (symbols.codes[missing] == -1).all()
    assert [symbols.levels[c] for c in symbols.codes[~missing]] == values[~missing].tolist()
    assert symbols.levels.tolist() == sorted(set(values[~missing].tolist()))
    assert {type(level) for level in symbols.levels} <= {float if values.dtype.kind == "f" else int}
    assert not symbols.declared


def test_the_two_zeros_are_one_level():
    for values in ([0.0, -0.0, 0.5], [0.0, -0.0]):
        symbols = as_symbols(Numbers(np.array(values)))
        assert symbols.codes[0] == symbols.codes[1]
        assert not np.signbit(symbols.levels[0])


def test_infinity_is_no_level():
    with pytest.raises(ValueError, match="column 'a' holds infinity in row 1"):
        as_symbols(Numbers(np.array([1.0, np.inf])), "column 'a'")


def test_all_missing_numbers_have_no_level():
    symbols = as_symbols(Numbers(np.full(3, np.nan)))
    assert symbols.codes.tolist() == [-1, -1, -1]
    assert len(symbols.levels) == 0


def test_booleans_are_numbers_and_text_is_not():
    column = booleans(np.array([1, 0, 1], np.int8))
    assert booleans_as_numbers(column).values.tolist() == [1, 0, 1]
    assert booleans_as_numbers(column).values.dtype.kind == "i"
    assert np.isnan(booleans_as_numbers(booleans(np.array([1, -1], np.int8))).values[1])
    with pytest.raises(TypeError, match=r"column 'a' holds 'x' \(str\)"):
        booleans_as_numbers(Symbols(np.array([0]), np.array(["x"], object)), "column 'a'")


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1))
def test_boolean_levels_are_those_seen(codes):
    column = booleans(np.array(codes, np.int8))
    assert set(column.levels.tolist()) == {bool(code) for code in codes if code >= 0}
    back = [-1 if code < 0 else int(column.levels[code]) for code in column.codes]
    assert back == codes


@given(hnp.arrays(np.int64, st.integers(1, 20), elements=st.integers(-(10**9), 10**9)))
def test_seconds_do_not_depend_on_the_unit(milliseconds):
    fine = milliseconds.astype("M8[ms]")
    expected = milliseconds / 1000
    for unit in ("M8[ms]", "M8[us]", "M8[ns]", "M8[ps]", ">M8[us]"):
        np.testing.assert_array_equal(seconds(fine.astype(unit)).values, expected)
    np.testing.assert_array_equal(seconds(milliseconds.astype("m8[ms]")).values, expected)


def test_seconds_of_coarse_units_and_of_no_time():
    days = np.array(["1970-01-02", "NaT"], "M8[D]")
    np.testing.assert_array_equal(seconds(days).values, [86400.0, np.nan])
    np.testing.assert_array_equal(seconds(np.array(["1971"], "M8[Y]")).values, [365 * 86400.0])
    np.testing.assert_array_equal(seconds(np.array([3], "m8[10m]")).values, [1800.0])
    assert seconds(days).measure == "moment"


def test_plain_numbers_stay_in_their_memory():
    values = np.arange(12.0).reshape(3, 4)[::2, ::-1]
    assert plain(values) is values
    assert plain(np.zeros(2, np.float16)).dtype == np.float32
    assert plain(np.zeros(2, np.longdouble)).dtype == np.float64
    swapped = np.arange(3, dtype=">i4")
    assert plain(swapped).dtype == np.int32
    assert plain(swapped).tolist() == [0, 1, 2]
    packed = np.zeros(3, np.dtype([("a", "i1"), ("b", "f8")]))["b"]
    assert plain(packed).flags.aligned


@given(hnp.arrays(np.float64, st.integers(1, 30), elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_codes_of_numbers_agree_with_numpy(values):
    codes, distinct = factorize_numbers(values)
    np.testing.assert_array_equal(distinct, np.unique(values))
    np.testing.assert_array_equal(distinct[codes], values)


def test_slices_share_levels():
    column = Symbols(np.array([0, 1, 0]), np.array(["a", "b"], object), declared=True)
    assert column[1:2].levels is column.levels
    assert column[1:2].declared
    assert len(column[1:]) == 2
    assert Numbers(np.arange(3), "month")[1:].measure == "month"
