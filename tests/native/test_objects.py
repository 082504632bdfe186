"""Lines of JSON as rows of CSV: the compiled kernel writes what its twin writes, and both what Python reads."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")

KEYS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters='"\\', min_codepoint=32), max_size=4),
                min_size=1, max_size=4, unique=True)  # fmt: skip
TEXTS = st.text(st.characters(codec="utf-8"), max_size=6)
COLUMNS = st.sampled_from([TEXTS, st.booleans(), st.integers(-(10**18) + 1, 10**18 - 1), st.none(),
                           st.floats(allow_nan=False, allow_infinity=False)])  # fmt: skip
ODD = [
    b'', b'\n \n', b'{}', b'[]', b'{"a": 1', b'{"a": 1}}', b'{"a": 1} {"a": 2}', b'{"a": 01}', b'{"a": +1}',
    b'{"a": .5}', b'{"a": 1.}', b'{"a": 1e}', b'{"a": 1e+}', b'{"a": -}', b'{"a": tru}', b'{"a": nul', b'{"a": "x}',
    b'{"a": "\\x"}', b'{"a": "\\ud800"}', b'{"a": "\\ud800\\u0041"}', b'{"a": "\\udc00"}', b'{"a": "\\u00"}',
    b'{"a": "\\u0000"}', b'{"a": "\t"}', b'{"a": {"b": 1}}', b'{"a": [1]}', b'{"a": 1}\n{"b": 1}',
    b'{"a": 1}\n{"a": 1, "b": 2}', b'{"a": "\\', b'{"a": 1, "b": 2}\n{"a": 1}',
    b'{"a": 1, "b": 2}\n{"b": 1, "a": 2}', b'{"a": 1, "a": 2}', b'{"a": 1}\n{"a": "x"}', b'{"a": true}\n{"a": 1}',
    b'{"a": 1234567890123456789}', b'{"a": NaN}', b'{"a": 1,}', b'{"a" 1}', b'{a: 1}', b'{"a": 1}\r{"a": 2}',
    b'{"a\\n": 1}', b'{"a": "x"', b'{"a": "\\u12', b'{"a": 1\n}',
]  # fmt: skip


@st.composite
def tables(draw):
    """Some objects of the same keys, each column of one kind, with gaps."""
    keys = draw(KEYS)
    columns = [draw(COLUMNS) for _ in keys]
    return [
        {k: draw(st.none() | of) for k, of in zip(keys, columns, strict=True)} for _ in range(draw(st.integers(1, 5)))
    ]


def written(rows, ascii_, separators, newline):
    return newline.join(json.dumps(row, ensure_ascii=ascii_, separators=separators) for row in rows).encode()


@given(
    tables(), st.booleans(), st.sampled_from([(",", ":"), (" ,\t", " : ")]), st.sampled_from(["\n", "\r\n", "\n \n"])
)
def test_objects_of_the_same_keys_become_rows(rows, ascii_, separators, newline):
    lines = written(rows, ascii_, separators, newline)
    found = native.json_rows(lines)
    assert found == reference.json_rows(lines)
    escaped = any("\\" in json.dumps(key, ensure_ascii=ascii_) for key in rows[0])
    assert (found is None) == (escaped or b"\\u0000" in lines)
    if found is None:
        return
    keys, kinds, text = found
    assert [key.decode() for key in keys] == list(rows[0])
    assert set(kinds) <= {"null", "bool", "int64", "double", "string"}
    cells = list(csv.reader(io.StringIO(text.decode(), newline="")))
    spelt = {str: str, bool: json.dumps, int: repr, float: json.dumps, type(None): lambda _: ""}
    wanted = [[spelt[type(cell)](cell) for cell in row.values()] for row in rows]
    assert [row or [""] for row in cells] == wanted  # an empty line is one cell that is missing


@pytest.mark.parametrize("lines", ODD)
def test_what_is_anything_else_is_refused(lines):
    assert native.json_rows(lines) is None
    assert reference.json_rows(lines) is None


@given(tables(), st.data())
def test_bytes_that_were_changed_are_read_alike_or_refused(rows, data):
    lines = bytearray(written(rows, data.draw(st.booleans()), (",", ":"), "\n"))
    for _ in range(data.draw(st.integers(1, 3))):
        lines[data.draw(st.integers(0, len(lines) - 1))] = data.draw(st.sampled_from(b'{}[]":,\\ue0-.\n\r \x00\xff1a'))
    assert native.json_rows(bytes(lines)) == reference.json_rows(bytes(lines))
