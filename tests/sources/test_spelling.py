from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.sources.spelling import as_booleans, as_numbers, as_text, as_whole, integers, looks_numeric, numbers

CELLS = st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.integers().map(str))


@given(CELLS)
def test_arrow_and_plain_python_read_the_same_numbers(cells):
    plain, arrow = numbers(cells), numbers(pa.array(cells, pa.string()))
    assert np.array_equal(plain, arrow, equal_nan=True)
    assert [None if math.isnan(v) else v for v in plain] == [None if c is None else float(c) for c in cells]


@given(st.lists(st.none() | st.text(max_size=5) | st.sampled_from(["nan", "NA", "1_0", "0x1", " 4 ", "1e3", "inf"])))
def test_arrow_and_plain_python_agree_on_what_is_a_number(cells):
    plain, arrow = numbers(cells), numbers(pa.array(cells, pa.string()))
    assert (plain is None) == (arrow is None)
    if plain is not None:
        assert np.array_equal(plain, arrow, equal_nan=True)
        assert all(looks_numeric(cell) for cell in cells if cell is not None)


@pytest.mark.parametrize("cell", ["heavy", "nan", "NA", "none", True])
def test_a_cell_that_is_no_number_is_named(cell):
    with pytest.raises(ValueError, match=r"column 'weight', row 12: .*is not a number"):
        as_numbers([1.5, None, cell], "column 'weight'", 10)


def test_infinity_is_refused_where_it_stands():
    with pytest.raises(ValueError, match="column 'weight', row 11: infinity"):
        as_numbers(pa.array(["1", "-inf"]), "column 'weight'", 10)


def test_numbers_become_text_as_the_levels_spell_them():
    assert as_text([1, 2.0, 2.5, None, math.nan]) == ["1", "2", "2.5", None, None]
    assert as_text([1, 2.0], ["1.0", "2.0"]) == ["1.0", "2.0"]
    assert as_text([True, False], ["true", "false"]) == ["true", "false"]


def test_booleans_are_read_from_words_and_digits():
    assert as_booleans(["True", "no", None, "1", 0, True], "column 'flag'", 0) == [True, False, None, True, False, True]
    with pytest.raises(ValueError, match="column 'flag', row 3: 'maybe'"):
        as_booleans(["yes", "maybe"], "column 'flag'", 2)


@given(CELLS, st.sampled_from([",", "."]))
def test_a_decimal_comma_reads_what_a_point_reads(cells, decimal):
    spelt = [cell if cell is None else cell.replace(".", decimal) for cell in cells]
    expected = numbers(cells)
    assert np.array_equal(numbers(spelt, decimal), expected, equal_nan=True)
    assert np.array_equal(numbers(pa.array(spelt, pa.string()), decimal), expected, equal_nan=True)


@pytest.mark.parametrize("cells", [["1.5"], ["1,5", "1.5"], ["1.000,5"], ["1,5,0"]])
def test_a_point_is_no_decimal_comma(cells):
    assert numbers(cells, ",") is None
    assert numbers(pa.array(cells), ",") is None


@pytest.mark.parametrize(
    "cells",
    [
        ["9007199254740993", " +2", "-3 "],
        [9007199254740993, 2, -3],
        pa.array([0, 9007199254740993, 2, -3])[1:],
        pa.chunked_array([[9007199254740993], [2, -3]]),
    ],
)
def test_integers_are_read_digit_by_digit(cells):
    assert integers(cells).tolist() == [9007199254740993, 2, -3]
    assert as_whole(cells, "y", 0).dtype == np.int64


@pytest.mark.parametrize("cell", ["9223372036854775808", "1" * 5000, "1.0", "--5", "", None, True, 2**63])
def test_what_is_no_integer_of_64_bits_is_not_read_as_one(cell):
    assert integers([cell]) is None


def test_whole_numbers_with_gaps_are_no_integers():
    assert integers(pa.array([1, None])) is None
    assert integers(pa.array([], pa.int64())).tolist() == []


def test_numbers_that_are_whole_become_integers_and_others_do_not():
    assert as_whole(["1.0", "2"], "y", 0).dtype == np.int64
    assert as_whole(["1.5", "2"], "y", 0).tolist() == [1.5, 2.0]
    assert as_whole(["1e300"], "y", 0).dtype == np.float64
    assert np.isnan(as_whole([None, 1], "y", 0)[0])


def test_an_integer_beyond_all_floats_is_infinite_and_refused():
    with pytest.raises(ValueError, match="infinity"):
        as_numbers([10**400], "x", 0)
