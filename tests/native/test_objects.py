"""Cells of lines of JSON: the compiled kernel reads what its twin reads, and both what Python reads."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")

DTYPES = {
    "null": np.uint8, "bool": np.uint8, "int64": np.int64, "double": np.int64, "codes": np.int32, "string": np.int32
}  # fmt: skip
"""What is looked at of a column: of doubles their bits, since there are two zeros."""


def read(kernels, lines, keys=None, coded=True, most=None):
    """Return what a kernel makes of lines: None, or how many objects they are and what is told of each column."""
    spelt = [json.dumps(key, ensure_ascii=False).encode() for key in (["a"] if keys is None else keys)]
    most = lines.count(b"\n") if most is None else most
    outs = [np.full(most + 1, 77, dtype=np.int64) for _ in spelt]
    present = np.zeros((len(spelt), (most + 7) // 8), dtype=np.uint8)
    told = kernels.json_cells(np.frombuffer(lines, np.uint8), spelt, coded, outs, present)
    if told is None:
        return None
    n, columns = told
    places = [n if kind != "null" else 0 for kind, *_ in columns]
    return n, [
        (*found, out.view(DTYPES[found[0]])[: k + (found[0] == "string")].tolist(), bits.tolist())
        for out, bits, found, k in zip(outs, present, columns, places, strict=True)
    ]


def cells(n, told):
    """Return a column as Python's values, from what is told of it."""
    kind, missing, texts, ends, out, bits = told
    there = [bool(bits[row >> 3] >> (row & 7) & 1) for row in range(n)]
    assert missing == n - sum(there)
    if kind == "null":
        found = [None] * n
    elif kind == "string":
        found = [texts[a:b].decode() for a, b in itertools.pairwise(out)]
    elif kind == "codes":
        at = [0, *np.frombuffer(ends, np.int32).tolist()]
        levels = [texts[a:b].decode() for a, b in itertools.pairwise(at)]
        assert len(set(levels)) == len(levels)
        found = [levels[code] if code >= 0 else None for code in out]
    else:
        found = np.array(out, np.int64).view(np.float64).tolist() if kind == "double" else out
        found = [bool(cell) for cell in found] if kind == "bool" else found
    return [cell if here else None for cell, here in zip(found, there, strict=True)]


KEYS = st.lists(st.text(st.characters(codec="utf-8"), max_size=4), min_size=1, max_size=4, unique=True)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
WHOLE = st.integers(-(10**18) + 1, 10**18 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
COLUMNS = st.sampled_from([TEXTS, st.sampled_from(["", "a", "b", "a longer text"]), st.booleans(), WHOLE, st.none(),
                           FLOATS, WHOLE | FLOATS])  # fmt: skip


@st.composite
def tables(draw, columns=COLUMNS, keys=KEYS):
    """Some objects of the same keys, each column of one kind, with gaps."""
    keys = draw(keys)
    chosen = [draw(columns) for _ in keys]
    return [
        {k: draw(st.none() | of) for k, of in zip(keys, chosen, strict=True)} for _ in range(draw(st.integers(1, 9)))
    ]


def written(rows, ascii_, separators, newline):
    return "".join(json.dumps(row, ensure_ascii=ascii_, separators=separators) + newline for row in rows).encode()


def is_same(found, wanted):
    """Whether a cell is a value: to the bit, but whole numbers may be numbers."""
    if isinstance(found, float):
        return found == float(wanted) and math.copysign(1, found) == math.copysign(1, wanted)
    return type(found) is type(wanted) and found == wanted


@given(
    tables(), st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " : ")]),
    st.sampled_from(["\n", "\r\n", "\n \n", " \t\r\n\r\n  "]), st.booleans(),
)  # fmt: skip
def test_objects_of_the_same_keys_are_read_as_python_reads_them(rows, ascii_, separators, newline, coded):
    lines = written(rows, ascii_, separators, newline) + b"\n"
    found = read(native, lines, rows[0], coded)
    assert found == read(reference, lines, rows[0], coded)
    escaped = any(json.dumps(key) != json.dumps(key, ensure_ascii=False) for key in rows[0])
    # escapes of a key may be others, a zero is no character here, and minus nothing no whole number
    assert (found is None) == ((ascii_ and escaped) or b"\\u0000" in b"".join(map(cells_in, lines.splitlines())))
    if found is None:
        return
    n, columns = found
    assert n == len(rows)
    for told, key in zip(columns, rows[0], strict=True):
        wanted = [row[key] for row in map(json.loads, filter(bytes.strip, lines.split(b"\n")))]
        types = {type(cell) for cell in wanted} - {type(None)}
        assert told[0] == {
            (): "null", (str,): "codes" if coded else "string", (bool,): "bool", (int,): "int64", (float,): "double",
            (float, int): "double",
        }[tuple(sorted(types, key=lambda of: of.__name__))]  # fmt: skip
        assert all(map(is_same, cells(n, told), wanted))


def cells_in(line):
    """Return the cells of a line, without its keys."""
    return json.dumps(list(json.loads(line).values())).encode() if line.strip() else b""


NUMBERS = st.one_of(
    FLOATS.map(repr),
    st.decimals(allow_nan=False, allow_infinity=False, places=4).map(str),
    st.from_regex(r"\A-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,4})?\Z"),
    st.sampled_from(["0", "-0", "-0.0", "0e5", "0.0e-400", "0e99999", "1e999", "-1e999", "1e-999", "5e-324", "2e-324",
                     "1.7976931348623157e308", "1.7976931348623159e308", "9007199254740993", "9007199254740993.0",
                     "999999999999999999", "-999999999999999999", "1000000000000000000", "18446744073709551616.5"]),
    st.sampled_from(["01", "-01", "00", "+1", ".5", "1.", "1.e5", "1e", "1e+", "-", "--1", "1 2", "1_0", "0x1", "inf",
                     "-inf", "nan", "NaN", "Infinity", "-Infinity", "1e5.5", "1.5.5"]),
)  # fmt: skip


@given(st.lists(NUMBERS, min_size=1, max_size=4))
@example(["-0", "1.5"])
@example(["1", "-0"])
@example(["123456789012345678", "0.5"])
@example(["0.5", "123456789012345678"])
def test_numbers_are_those_of_python_to_the_bit_or_refused(spelt):
    lines = "".join(f'{{"a": {number}}}\n' for number in spelt).encode()
    found = read(native, lines)
    assert found == read(reference, lines)
    if found is None:
        return
    wanted = [json.loads(number) for number in spelt]
    assert all(map(is_same, cells(len(spelt), found[1][0]), wanted))
    kinds = set(map(type, wanted))
    assert found[1][0][0] == ("int64" if kinds == {int} else "double")


ESCAPES = st.sampled_from(
    ["\\n", "\\\\", '\\"', "\\/", "\\b", "\\f", "\\r", "\\t", "\\u0041", "\\u00e4", "\\u20AC", "\\ud83d\\ude00", "ß",
     "x", "a longer run of characters", "\\u0000", "\\ud800", "\\udc80", "\\ude00\\ud83d", "\\ud83d\\u0041", "\\u12",
     "\\x", "\\"]
)  # fmt: skip


@given(st.lists(st.lists(ESCAPES, max_size=5).map("".join), min_size=1, max_size=4), st.booleans())
def test_escapes_are_those_of_python_or_refused(spelt, coded):
    lines = "".join(f'{{"a": "{text}"}}\n' for text in spelt).encode()
    found = read(native, lines, coded=coded)
    assert found == read(reference, lines, coded=coded)
    try:
        wanted = [json.loads(line)["a"] for line in lines.decode().split("\n") if line]
        "".join(wanted).encode()
    except ValueError:
        assert found is None
        return
    assert (found is None) == any("\0" in text for text in wanted)
    assert found is None or cells(len(wanted), found[1][0]) == wanted


ODD = [
    b'{}', b'[]', b'{"a": 1', b'{"a": 1}}', b'{"a": 1} {"a": 2}', b'{"a": tru}', b'{"a": nul', b'{"a": "x}',
    b'{"a": "\t"}', b'{"a": "\x1f"}', b'{"a": {"b": 1}}', b'{"a": [1]}', b'{"a": 1}\n{"b": 1}', b'null', b'1', b'"a"',
    b'{"a": 1}\n{"a": 1, "b": 2}', b'{"a": "\\', b'{"a": 1, "a": 2}', b'{"a": 1}\n{"a": "x"}', b'{"a": true}\n{"a": 1}',
    b'{"a": "x"}\n{"a": false}', b'{"a": 1.5}\n{"a": "x"}', b'{"a": 1,}', b'{"a" 1}', b'{a: 1}', b'{"a": 1}\r{"a": 2}',
    b'{"\\u0061": 1}', b'{"a": "x"', b'{"a": "\\u12', b'{"a": 1\n}', b'{"a": "\x80"}', b'{"a": 1}\0', b'{"a": 1\0}',
    b'{"a": trueish}', b'{"a": nullable}', b'{"a":: 1}', b'{"a": 1}\n{"a"  : 1}}', b'\xef\xbb\xbf{"a": 1}',
    b'\x0c{"a": 1}',
]  # fmt: skip


@pytest.mark.parametrize("lines", ODD)
def test_what_is_anything_else_is_refused(lines):
    assert read(native, lines + b"\n") is None
    assert read(reference, lines + b"\n") is None


@pytest.mark.parametrize("lines", [b"\n", b" \r\n\t\n"])
def test_blank_lines_are_no_objects(lines):
    assert read(native, lines) == read(reference, lines) == (0, [("null", 0, b"", b"", [], [0])])


CHANGED = [bytes([byte]) for byte in b'{}[]":,\\ue0-.\n\r \0\xff1a'] + [b"", b"  "]


@given(tables(), st.data())
def test_bytes_that_were_changed_are_read_alike_or_refused(rows, data):
    lines = bytearray(written(rows, data.draw(st.booleans()), data.draw(st.sampled_from([(",", ":"), None])), "\n"))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        lines[place : place + 1] = data.draw(st.sampled_from(CHANGED))
    lines = bytes(lines) + b"\n"
    assert read(native, lines, rows[0]) == read(reference, lines, rows[0])


@given(st.lists(st.lists(st.sampled_from([" ", "\t", ""]), min_size=9, max_size=9), min_size=2, max_size=6))
def test_lines_may_differ_in_the_spaces_between(spaces):
    """What stood between two values in the line before need not stand there again."""
    lines = "".join(
        '{s}{{{t}"a"{u}:{v}1{w},{x}"key b"{y}:{z}"text"{q}}}\n'.format(**dict(zip("stuvwxyzq", of, strict=True)))
        for of in spaces
    ).encode()
    found = read(native, lines, ["a", "key b"])
    assert found == read(reference, lines, ["a", "key b"])
    assert [cells(len(spaces), told) for told in found[1]] == [[1] * len(spaces), ["text"] * len(spaces)]


@pytest.mark.parametrize(
    ("n", "distinct", "kind"),
    [
        (5_000, 4_000, "string"),
        (5_000, 1_100, "codes"),
        (5_000, 20, "codes"),
        (2_000, 10**9, "string"),
        (900, 10**9, "codes"),
    ],
)
@pytest.mark.parametrize("gaps", [0, 3])
def test_texts_of_which_most_differ_are_no_codes(n, distinct, kind, gaps):
    rng = np.random.default_rng(0)
    rows = [f"{'some text ' * (i % 3)}{i}" for i in rng.integers(0, distinct, n).tolist()]
    rows = [None if gaps and i % gaps == 0 else row for i, row in enumerate(rows)]
    lines = "".join(json.dumps({"a": row}) + "\n" for row in rows).encode()
    found = read(native, lines)
    assert found == read(reference, lines)
    assert found[1][0][0] == kind
    assert cells(n, found[1][0]) == rows
    assert read(native, lines, coded=False)[1][0][0] == "string"


def test_a_column_is_what_its_first_cell_is_however_late_that_comes():
    for cell in ("1", "1.5", "true", '"x"'):
        lines = b'{"a": null}\n' * 20 + f'{{"a": {cell}}}\n{{"a": null}}\n'.encode()
        for coded in (True, False):
            found = read(native, lines, coded=coded)
            assert found == read(reference, lines, coded=coded)
            assert cells(22, found[1][0]) == [None] * 20 + [json.loads(cell), None]


def test_no_more_objects_are_read_than_there_is_room_for():
    assert read(native, b'{"a": 1}\n' * 9, most=8) is None
    assert read(reference, b'{"a": 1}\n' * 9, most=8) is None
    assert read(native, b'{"a": 1}\n' * 8, most=8) == read(reference, b'{"a": 1}\n' * 8, most=8)


def test_wrong_arguments_are_refused():
    lines, out, bits = np.frombuffer(b'{"a": 1}\n', np.uint8), np.zeros(2, np.int64), np.zeros((1, 1), np.uint8)
    for kernels in (native, reference):
        for wrong in (lines[:0], lines[:-1]):
            with pytest.raises(ValueError, match="end with a newline"):
                kernels.json_cells(wrong, [b'"a"'], True, [out], bits)
        for keys, outs in (([], []), ([b'"a"'], []), ([b'"a"'], [out, out])):
            with pytest.raises(ValueError, match="every key must have an out"):
                kernels.json_cells(lines, keys, True, outs, bits)
        with pytest.raises(ValueError, match="stand in a line"):
            kernels.json_cells(lines, [b'"a\n"'], True, [out], bits)
        for outs in ([out[:0]], [out, out[:1]]):
            keys = [b'"a"', b'"b"'][: len(outs)]
            with pytest.raises(ValueError, match="a place for every line"):
                kernels.json_cells(lines, keys, True, outs, np.zeros((len(outs), 1), np.uint8))
        for wrong in (bits[:0], bits[:, :0]):
            with pytest.raises(ValueError, match="a bit for every cell"):
                kernels.json_cells(lines, [b'"a"'], True, [out], wrong)
