"""Lines of JSON as columns: where objects are alike, the kernel reads the cells that Python's reader gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide import NaiveBayes, native
from candide.sources import json_lines

pa = pytest.importorskip("pyarrow")
compiled = pytest.mark.skipif(native.kernels() != "native", reason="the kernels were not compiled")

ROWS = [
    {"x": 1.5, "n": 1, "s": 'a "b", c', "t": True, "e": None},
    {"x": 2, "n": None, "s": "", "t": None, "e": None},
    {"x": None, "n": -3, "s": "line\nbreak\r\tß €\U0001f600 \\ /", "t": False, "e": None},
]


def lines(rows: list[dict[str, Any]], **how: Any) -> bytes:
    return "".join(json.dumps(row, **how) + "\n" for row in rows).encode()


def columns(block: bytes, coded: bool = False) -> tuple[dict[str, Any], int] | None:
    return json_lines.arrow_columns(np.frombuffer(block, np.uint8), block.count(b"\n"), coded=coded)


def alike(block: bytes) -> tuple[dict[str, Any], int] | None:
    return json_lines.alike(np.frombuffer(block, np.uint8), block.count(b"\n"))


def told(block: bytes, coded: bool = False) -> list[dict[str, Any]] | None:
    found = columns(block, coded)
    return None if found is None else pa.table(found[0]).to_pylist()


@compiled
@pytest.mark.parametrize("ascii_", [True, False])
@pytest.mark.parametrize("coded", [True, False])
def test_cells_are_those_of_the_lines(ascii_: bool, coded: bool) -> None:
    block = lines(ROWS, ensure_ascii=ascii_)
    assert alike(block) is not None
    assert told(block, coded) == [json.loads(line) for line in block.splitlines()]
    found, n = columns(block, coded) or ({}, 0)
    assert n == len(ROWS)
    text = "dictionary<values=string, indices=int32, ordered=0>" if coded else "string"
    assert {n: str(c.type) for n, c in found.items()} == {
        "x": "double", "n": "int64", "s": text, "t": "bool", "e": "null"
    }  # fmt: skip
    for cells in found.values():
        cells.validate(full=True)


@compiled
@given(
    st.lists(st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5), min_size=1),
    st.booleans(),
)
def test_one_column_of_text_with_gaps_is_what_it_was(cells: list[str | None], coded: bool) -> None:
    assert told(lines([{"s": cell} for cell in cells]), coded) == [{"s": cell} for cell in cells]


@compiled
def test_both_ways_read_alike() -> None:
    block = lines(ROWS)
    by_kernel, by_arrow = alike(block), json_lines.unlike(block)
    assert by_kernel is not None
    assert by_arrow is not None
    assert pa.table(by_kernel[0]).equals(pa.table(by_arrow[0]))
    assert by_kernel[1] == by_arrow[1] == len(ROWS)


@compiled
def test_the_last_line_need_not_end() -> None:
    for end in (b"", b"\r", b" ", b"\n\n \r\n"):
        assert told(lines(ROWS).rstrip() + end) == ROWS


@compiled
def test_keys_may_be_spelt_with_escapes() -> None:
    rows = [{'a "b"': 1, "line\nbreak": 2, "ß": 3}] * 2
    assert alike(lines(rows, ensure_ascii=False)) is not None
    assert told(lines(rows, ensure_ascii=False)) == told(lines(rows)) == rows


@pytest.mark.parametrize("rows", [[{"a": 1}, {"b": 2}], [{"a": 1, "b": 2}, {"b": 2, "a": 1}]])
def test_objects_of_other_keys_are_read_as_what_they_are(rows: list[dict[str, Any]]) -> None:
    assert alike(lines(rows)) is None
    keys = dict.fromkeys(key for row in rows for key in row)
    assert told(lines(rows)) == [{key: row.get(key) for key in keys} for row in rows]


def test_cells_of_keys_that_are_not_taken_may_be_more_than_values() -> None:
    block = lines([{"a": 1, "b": [1]}, {"a": 2, "b": [2]}])
    found = json_lines.arrow_columns(np.frombuffer(block, np.uint8), 2, lambda key: key == "a")
    assert found is not None
    assert pa.table(found[0]).to_pydict() == {"a": [1, 2]}
    assert columns(block) is None


@pytest.mark.parametrize(
    "block",
    [
        b'{"x": 1e999}\n',
        b'{"x": -1e999}\n',
        b'{"x": "\xff"}\n',
        b'{"x": "a\xc3"}\n{"x": "\xa9"}\n',
        b'{"x": "\xed\xa0\x80"}\n',
        b'{"\xff": 1}\n',
        b'{"x": [1]}\n',
        b'{"x": 1, "x": 2}\n',
        b'{"x": 1}\n{"x": "a"}\n',
        b'{"x": true}\n{"x": 1}\n',
    ],
)
def test_what_is_no_cell_is_left_to_the_reader_that_says_so(block: bytes) -> None:
    assert columns(block) is None
    assert columns(block, coded=True) is None


@pytest.mark.parametrize("block", [b"null\n", b' null\n{"x": 1}\n', b'{"x": 1}\nnull\n', b'\n\nnull\n{"x": 1}'])
def test_a_row_that_is_null_is_left_to_the_reader_that_says_so(block: bytes) -> None:
    assert columns(block) is None  # PyArrow ends the process, or takes it for a row of gaps


def test_a_file_that_begins_with_null_is_refused_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "rows.ndjson").write_bytes(b'null\n{"x": 1, "y": "a"}\n')
    with pytest.raises(ValueError, match=r"line 1: a row must be a JSON object"):
        NaiveBayes().fit(tmp_path / "rows.ndjson", "y")
