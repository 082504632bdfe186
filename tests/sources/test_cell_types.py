from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.sources.base import Reading, SourceWarning
from candide.sources.batch import Batch
from candide.sources.cell_types import CellTypes
from candide.sources.counting import distinct_cells
from candide.sources.finders import TextFinder, ValueFinder
from candide.sources.spelling import are_codes

CELLS = st.lists(st.none() | st.sampled_from(["1", "-2.5", "01", "x", "1e3", "12345678901234567", ""]), max_size=12)


def found(role: str, parts: list[list], arrow: bool) -> str:
    finder = TextFinder(role, ".")
    start = 0
    for part in parts:
        finder.see(pa.array(part, pa.string()) if arrow else part, start)
        start += len(part)
    return finder.cell_type


@given(cells=CELLS, cut=st.integers(0, 12), role=st.sampled_from(["attribute", "text", "label"]))
def test_the_kind_is_the_same_for_every_split_and_reader(cells, cut, role):
    whole = found(role, [cells], arrow=False)
    assert found(role, [cells[:cut], cells[cut:]], arrow=False) == whole
    assert found(role, [cells[:cut], cells[cut:]], arrow=True) == whole


@pytest.mark.parametrize(
    ("cells", "attribute", "text", "label"),
    [
        (["1", "2"], "numbers", "numbers", "integers"),
        (["01", "2"], "text", "text", "text"),
        (["01", "2.5"], "numbers", "text", "text"),
        (["-01", "2"], "numbers", "text", "text"),
        (["1.5", None], "numbers", "numbers", "text"),
        (["12345678901234567"], "numbers", "text", "integers"),
        (["x", "1"], "text", "text", "text"),
        ([None], "numbers", "numbers", "integers"),
    ],
)
def test_what_a_column_is_depends_on_its_role(cells, attribute, text, label):
    assert [found(role, [cells], arrow=True) for role in ("attribute", "text", "label")] == [attribute, text, label]


def test_the_first_odd_cell_is_named_by_its_row_in_the_file():
    finder = TextFinder("attribute", ".")
    finder.see(["1"] * 40, 0)
    finder.see(["2", "?", "!"], 40)
    assert "because of '?' in row 41" in finder.doubt("x")


def test_mostly_numbers_means_nine_in_ten_of_those_known():
    for words, doubtful in ((1, True), (2, False)):
        finder = TextFinder("attribute", ".")
        finder.see(["1"] * (10 - words) + ["?"] * words + [None] * 50, 0)
        assert (finder.doubt("x") is not None) is doubtful


@pytest.mark.parametrize(
    ("cells", "kind"), [([1, 2.5], "numbers"), ([True], "booleans"), (["1"], "text"), ([None], "numbers")]
)
def test_values_say_what_they_are(cells, kind):
    finder = ValueFinder("attribute", ".")
    finder.see(cells, 0)
    assert finder.cell_type == kind


def test_kinds_found_once_stay():
    cell_types = CellTypes(Reading(target="y"))
    cell_types.see(Batch({"x": ["1"], "y": ["0"]}, 0, 1, "t.csv"))
    cell_types.close(None)
    cell_types.see(Batch({"x": ["a"], "z": ["b"]}, 1, 1, "t.csv"))
    cell_types.close(["z"])
    assert cell_types.of() == {"x": "numbers", "y": "integers", "z": "text"}
    assert "z" in cell_types
    assert "w" not in cell_types


def test_weights_are_not_doubted(recwarn):
    for options, warned in ((Reading(), 1), (Reading(weight="x"), 0)):
        cell_types = CellTypes(options)
        cell_types.see(Batch({"x": ["1"] * 20 + ["few"]}, 0, 21, "t.csv"))
        cell_types.close(None)
        assert [warning.category for warning in recwarn.list] == [SourceWarning] * warned
        recwarn.clear()


@pytest.mark.parametrize("cells", [["a", None, "a", "b"], pa.array(["a", None, "a", "b"])])
def test_distinct_cells(cells):
    assert sorted(distinct_cells(cells)) == ["a", "b"]


@given(st.lists(st.none() | st.sampled_from(["", "0", "00", "01067", "10115", "1.5", "-01", "é0", "x"])))
def test_codes_are_seen_in_texts_and_in_their_bytes(cells):
    arrays = [pa.array(["7", *cells], pa.string())[1:], pa.array(cells, pa.string()).dictionary_encode()]
    there = [cell for cell in cells if cell is not None]
    whole = all(cell.isascii() and cell.isdigit() for cell in there if cell)
    for found in map(are_codes, arrays):
        assert found == (whole and any(cell[:1] == "0" and len(cell) > 1 for cell in there), whole)
