from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.cli.cells import as_booleans, as_numbers, as_text, looks_numeric, mostly_numbers, numbers
from candide.cli.failures import BadInput

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
    with pytest.raises(BadInput, match=r"column 'weight', row 12: .*is not a number"):
        as_numbers([1.5, None, cell], "weight", 10)


def test_infinity_is_refused_where_it_stands():
    with pytest.raises(BadInput, match="column 'weight', row 11: infinity"):
        as_numbers(pa.array(["1", "-inf"]), "weight", 10)


def test_numbers_become_text_as_the_levels_spell_them():
    assert as_text([1, 2.0, 2.5, None, math.nan]) == ["1", "2", "2.5", None, None]
    assert as_text([1, 2.0], ["1.0", "2.0"]) == ["1.0", "2.0"]
    assert as_text([True, False], ["true", "false"]) == ["true", "false"]


def test_booleans_are_read_from_words_and_digits():
    assert as_booleans(["True", "no", None, "1", 0, True], "flag", 0) == [True, False, None, True, False, True]
    with pytest.raises(BadInput, match="column 'flag', row 3: 'maybe'"):
        as_booleans(["yes", "maybe"], "flag", 2)


def test_mostly_numbers_means_nine_in_ten():
    assert mostly_numbers(["1"] * 9 + ["?"])
    assert not mostly_numbers(["1"] * 8 + ["?", "?"])
