"""The cells of a CSV of the plainest kind, read column by column as what they are guessed to be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.native.reference.rows import Array

__all__ = ["csv_cells"]

NUMBER = re.compile(rb"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
CODE = re.compile(rb"-?0[0-9]+")
"""Digits behind a zero, as codes are written."""
MORE = re.compile(rb"[-0.]*[1-9]")
"""What a number begins with that is not zero."""
QUOTED = re.compile(rb'"([^"\r\n]*)"')


def csv_cells(
    block: NDArray[np.uint8], separator: bytes, rows: int, outs: Sequence[Array | None], present: NDArray[np.uint8]
) -> list[tuple[int, bytes, bytes]] | None:
    """Read the cells of a block of CSV, which has so many records, each of as many columns as there are outs.

    An out of float64 takes numbers; one of int32 codes, or, with a place more than there are records, where texts end;
    a column whose out is None is passed over. An empty cell is missing, and NaN or -1; bits of `present`, 0 before, say
    which are not.

    Returns
    -------
    list of tuples, or None where a cell or a line is not of the plainest kind
        Of every column how many cells are missing, the bytes of its texts, one behind the other, and for codes where
        each ends (int32).
    """
    if len(separator) != 1:
        raise ValueError("the separator must be one byte")
    if rows < 0 or len(present) != len(outs) or present.shape[1] < (rows + 7) // 8:
        raise ValueError("present must have a bit for every cell")
    for out in outs:
        if out is not None and len(out) - rows not in ((0,) if out.dtype == np.float64 else (0, 1)):
            raise ValueError("out must have a place for every record, and for text one more")
    records = _records(block.tobytes(), separator, len(outs))
    if records is None or len(records) != rows:
        return None
    columns = list(zip(*records, strict=True)) if records else [()] * len(outs)
    told = []
    for column, out, bits in zip(columns, outs, present, strict=True):
        found = (0, b"", b"") if out is None else _taken(column, out)
        if found is None:
            return None
        if out is not None:
            bits[: (rows + 7) // 8] = np.packbits(
                np.array([_unquoted(cell) != b"" for cell in column], dtype=bool), bitorder="little"
            )
        told.append(found)
    return told


def _records(text: bytes, separator: bytes, n_columns: int) -> list[list[bytes]] | None:
    """Return the cells of every line, in their quotes; None where a line is empty or has another number of them."""
    if not text:
        return []
    lines = [line.removesuffix(b"\r") for line in text.split(b"\n")]
    if text.endswith(b"\n"):
        lines.pop()
    elif text.endswith(b"\r"):
        return None
    apart = re.compile(rb'("[^"\r\n]*"|[^"\r\n%s]*)' % re.escape(separator))
    out = []
    for line in lines:
        cells, at = [], 0
        # ends: a cell further each time
        while True:
            found = apart.match(line, at)
            assert found is not None  # an empty cell if nothing else
            cells.append(found[0])
            at = found.end() + 1
            if line[at - 1 : at] != separator:
                break
        if not line or at <= len(line) or len(cells) != n_columns:
            return None
        out.append(cells)
    return out


def _taken(cells: Sequence[bytes], out: Array) -> tuple[int, bytes, bytes] | None:
    """Write the cells of a column; None where one is not what it should be."""
    if out.dtype == np.float64:
        if any(cell and (not NUMBER.fullmatch(cell) or CODE.fullmatch(cell)) for cell in cells):
            return None
        out[:] = [float(cell or b"nan") for cell in cells]
        beyond = any(np.isinf(x) or (x == 0 and MORE.match(cell)) for x, cell in zip(out, cells, strict=True))
        return None if beyond else (cells.count(b""), b"", b"")
    texts = [_unquoted(cell) for cell in cells]
    if any(text[:1] and text[0] & 0xC0 == 0x80 for text in texts):
        return None
    n_missing = texts.count(b"")
    if len(out) > len(texts):
        out[:] = [0, *accumulate(map(len, texts))]
        return n_missing, b"".join(texts), b""
    place: dict[bytes, int] = {}
    out[:] = [place.setdefault(text, len(place)) if text else -1 for text in texts]
    ends: Any = np.array(list(accumulate(map(len, place))), dtype=np.int32)
    return n_missing, b"".join(place), ends.tobytes()


def _unquoted(cell: bytes) -> bytes:
    quoted = QUOTED.fullmatch(cell)
    return quoted[1] if quoted else cell
