"""NDJSON by PyArrow: read as CSV where objects are alike, it gives the cells that Python's reader gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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


def told(block: bytes) -> list[dict[str, Any]] | None:
    found = json_lines.arrow_columns(block)
    return None if found is None else pa.table(found[0]).to_pylist()


@compiled
@pytest.mark.parametrize("ascii_", [True, False])
def test_cells_are_those_of_the_lines(ascii_: bool) -> None:
    block = lines(ROWS, ensure_ascii=ascii_)
    assert json_lines.alike(block) is not None
    assert told(block) == [json.loads(line) for line in block.splitlines()]
    columns, _ = json_lines.arrow_columns(block) or ({}, 0)
    assert {n: str(c.type) for n, c in columns.items()} == {
        "x": "double", "n": "int64", "s": "string", "t": "bool", "e": "null"
    }  # fmt: skip


@compiled
@given(st.lists(st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5), min_size=1))
def test_one_column_of_text_with_gaps_is_what_it_was(cells: list[str | None]) -> None:
    assert told(lines([{"s": cell} for cell in cells])) == [{"s": cell} for cell in cells]


@compiled
def test_both_ways_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    block = lines(ROWS)
    as_csv = json_lines.arrow_columns(block)
    monkeypatch.setattr(json_lines, "alike", lambda _: None)
    as_json = json_lines.arrow_columns(block)
    assert as_csv is not None
    assert as_json is not None
    assert pa.table(as_csv[0]).equals(pa.table(as_json[0]))


@pytest.mark.parametrize("rows", [[{"a": 1}, {"b": 2}], [{"a": 1, "b": 2}, {"b": 2, "a": 1}]])
def test_objects_of_other_keys_are_read_as_what_they_are(rows: list[dict[str, Any]]) -> None:
    assert json_lines.alike(lines(rows)) is None
    keys = dict.fromkeys(key for row in rows for key in row)
    assert told(lines(rows)) == [{key: row.get(key) for key in keys} for row in rows]


@pytest.mark.parametrize("block", [b'{"x": 1e999}\n', b'{"x": "\xff"}\n', b'{"\xff": 1}\n', b'{"x": [1]}\n'])
def test_what_is_no_cell_is_left_to_the_reader_that_says_so(block: bytes) -> None:
    assert json_lines.arrow_columns(block) is None


@pytest.mark.parametrize("block", [b"null\n", b' null\n{"x": 1}\n', b'{"x": 1}\nnull\n', b'\n\nnull\n{"x": 1}'])
def test_a_row_that_is_null_is_left_to_the_reader_that_says_so(block: bytes) -> None:
    assert json_lines.arrow_columns(block) is None  # PyArrow ends the process, or takes it for a row of gaps


def test_a_file_that_begins_with_null_is_refused_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "rows.ndjson").write_bytes(b'null\n{"x": 1, "y": "a"}\n')
    with pytest.raises(ValueError, match=r"line 1: a row must be a JSON object"):
        NaiveBayes().fit(tmp_path / "rows.ndjson", "y")
