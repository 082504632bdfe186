"""The cells of lines of JSON objects that all have the same keys, read into columns."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.native.agreed import CellKind
from candide.native.reference.csv_text import MORE
from candide.native.reference.rows import Array

__all__ = ["json_cells"]

TEXT = rb'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"'
NUMBER = rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
CELL = re.compile(rb"[ \t]*(" + TEXT + rb")[ \t]*:[ \t]*(" + TEXT + rb"|null|true|false|" + NUMBER + rb")[ \t]*(,|\})")
HALVES = rb"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
ESCAPE = re.compile(HALVES + rb"|\\u([0-9a-fA-F]{4})|\\(.)")
ESCAPED = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
BLANK = b" \t\r\n"
LONGEST_WHOLE = 18
"""Digits that surely are a number of 64 bits."""
FEW_TEXTS = 1024
"""Texts that differ before it is asked whether they are more than half of all."""

GAPS: dict[CellKind, tuple[Any, float]] = {
    "null": (np.uint8, 0),
    "bool": (np.uint8, 0),
    "int64": (np.int64, 0),
    "double": (np.float64, math.nan),
}
"""Types of what is written of a column, and what is where a cell is missing."""


def json_cells(
    lines: NDArray[np.uint8], keys: list[bytes], coded: bool, outs: Sequence[Array], present: NDArray[np.uint8]
) -> tuple[int, list[tuple[CellKind, int, bytes, bytes]]] | None:
    """Read the cells of lines of objects, the last of which ends, into columns by what their cells are.

    Every out is int64 and has a place for every line, and one more: its memory takes "int64", "double", "bool" (a byte
    each), "codes" (int32, into texts that differ), or of "string" where texts end (int32, from a zero on); "null" is a
    column of gaps. Missing is what is null: 0, NaN or -1; bits of `present`, 0 before, say which are not. `coded` has
    text become codes, unless 1024 and more texts differ that are more than half of all at some row.

    Returns
    -------
    tuple, or None
        How many objects there are; and of every column what it is, how many cells are missing, the bytes of its texts,
        one behind the other, and for codes where each ends (int32). None where a line is anything but an object of
        plain values and these keys, in their order and spelling; where a column is of two kinds, but whole numbers may
        be numbers; where a number has no place in 64 bits, and where a character is none.
    """
    text = lines.tobytes()
    if not text.endswith(b"\n"):
        raise ValueError("lines must end with a newline")
    if not keys or len(outs) != len(keys):
        raise ValueError("every key must have an out, and there must be one")
    if any(b"\n" in key for key in keys):
        raise ValueError("a key must stand in a line")
    if len({len(out) for out in outs}) > 1 or not len(outs[0]):
        raise ValueError("every out must have a place for every line, and one more")
    if len(present) != len(keys) or present.shape[1] < (len(outs[0]) + 6) // 8:
        raise ValueError("present must have a bit for every cell")
    rows = [_cells(line.lstrip(BLANK)) for line in text.split(b"\n") if line.strip(BLANK)]
    if len(rows) >= len(outs[0]) or any(row is None or [key for key, _ in row] != keys for row in rows):
        return None
    told = []
    for j, (out, bits) in enumerate(zip(outs, present, strict=True)):
        found = _column([row[j][1] for row in rows], coded, out, bits)  # type: ignore[index]  # none is None
        if found is None:
            return None
        told.append(found)
    return len(rows), told


def _cells(line: bytes) -> list[tuple[bytes, bytes]] | None:
    """Return the keys and values of an object, as they are spelt."""
    if not line.startswith(b"{"):
        return None
    at, end, cells = 1, b",", []
    while end == b",":  # ends: every cell has a byte at least
        found = CELL.match(line, at)
        if found is None:
            return None
        key, value, end = found.groups()
        cells.append((key, value))
        at = found.end()
    return cells if line[at:].lstrip(b" \t") in (b"", b"\r") else None


def _column(values: list[bytes], coded: bool, out: Array, bits: Array) -> tuple[CellKind, int, bytes, bytes] | None:
    """Write the cells of a column; None where one is none."""
    try:
        cells = [_cell(value) for value in values]
    except ValueError:
        return None
    kinds = {kind for kind, _ in cells} - {"null"}
    if "double" in kinds:
        kinds.discard("int64")
    if len(kinds) > 1:
        return None
    kind: CellKind = kinds.pop() if kinds else "null"
    there = np.array([name != "null" for name, _ in cells], dtype=bool)
    bits[: (len(cells) + 7) // 8] |= np.packbits(there, bitorder="little")
    missing = len(cells) - int(there.sum())
    if kind == "string":
        return _texts([cell for _, cell in cells], coded, missing, out)
    dtype, gap = GAPS[kind]
    out.view(dtype)[: len(cells)] = [gap if cell is None else cell for _, cell in cells]
    return kind, missing, b"", b""


def _texts(cells: list[Any], coded: bool, missing: int, out: Array) -> tuple[CellKind, int, bytes, bytes]:
    """Write texts as codes, or where each ends."""
    place: dict[bytes, int] = {}
    there, n = 0, len(cells)
    for row, cell in enumerate(cells if coded else ()):
        if cell is not None:
            there += 1
            out.view(np.int32)[row] = code = place.setdefault(cell, len(place))
            if code >= FEW_TEXTS and 2 * code > there:
                coded = False
                break
        else:
            out.view(np.int32)[row] = -1
    if coded:
        return "codes", missing, b"".join(place), np.array(list(accumulate(map(len, place))), dtype=np.int32).tobytes()
    out.view(np.int32)[: n + 1] = [0, *accumulate(len(cell or b"") for cell in cells)]
    return "string", missing, b"".join(cell or b"" for cell in cells), b""


def _cell(value: bytes) -> tuple[CellKind, Any]:
    """Return what a value is, and its cell."""
    if value == b"null":
        return "null", None
    if value in (b"true", b"false"):
        return "bool", value == b"true"
    if value[:1] == b'"':
        text = ESCAPE.sub(_unescaped, value[1:-1])
        if text[:1] and text[0] & 0xC0 == 0x80:
            raise ValueError("a text that begins within a character")
        return "string", text
    digits = value.lstrip(b"-")
    if digits.isdigit():
        if len(digits) > LONGEST_WHOLE or value == b"-0":
            raise ValueError("a whole number of too many digits, or one that is another as a number")
        return "int64", int(value)
    number = float(value)
    if math.isinf(number) or (number == 0 and MORE.match(value)):
        raise ValueError("a number that no double holds")
    return "double", number


def _unescaped(escape: re.Match[bytes]) -> bytes:
    high, low, other, letter = escape.groups()
    if letter is not None:
        return ESCAPED.get(letter, letter)
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00)).encode()
    if int(other, 16) == 0:
        raise ValueError("a zero is no character of a text")
    return chr(int(other, 16)).encode()  # ValueError for half of a character
