"""Distinct values, labels as codes, and cells that cannot be used."""

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.native.reference.rows import Array, Cell, Codes, Floats, Ints, first_cell

__all__ = [
    "distinct",
    "label_codes",
    "text_codes",
    "fixed_codes",
    "texts_among",
    "arrow_codes",
    "filled",
    "check_finite",
    "first_below",
]


def distinct(x: Array, limit: int) -> Floats | None:
    """The sorted distinct values of one column, NaN left out; None where there are more than ``limit``."""
    column = x.astype(np.float64) + 0.0  # -0.0 becomes 0.0
    for row in np.flatnonzero(np.isinf(column))[:1]:
        raise ValueError(f"infinity in row {row}")
    values = np.unique(column[~np.isnan(column)])
    return values if len(values) <= limit else None


def label_codes(y: Array) -> tuple[Codes, Ints]:
    """Code integer (or boolean) labels by their rank among the sorted distinct ones."""
    values, codes = np.unique(y, return_inverse=True)
    return codes.astype(np.int32), values.astype(np.int64)


def text_codes(cells: Array | list[Any]) -> tuple[Codes, list[str]] | None:
    """Code a list or a column of Python's texts as they come, and return the texts; -1 where a cell is None or NaN.

    None where a cell is anything else.
    """
    if not isinstance(cells, list):
        if cells.dtype != object or cells.ndim != 1:
            raise TypeError("cells must be a list, or a 1-d array of objects")
        cells = cells.tolist()
    code: dict[str, int] = {}
    out = np.full(len(cells), -1, dtype=np.int32)
    for row, cell in enumerate(cells):
        if isinstance(cell, str):
            out[row] = code.setdefault(cell, len(code))
        elif not (cell is None or (isinstance(cell, float) and np.isnan(cell))):
            return None
    return out, list(code)


def fixed_codes(cells: Array) -> tuple[Codes, Ints]:
    """Code texts of as many bytes each (texts, bytes) by first appearance, and return where each comes first."""
    code: dict[bytes, int] = {}
    first: list[int] = []
    out = np.zeros(len(cells), dtype=np.int32)
    for row, cell in enumerate(cells):
        out[row] = code.setdefault(cell.tobytes(), len(code))
        if len(code) > len(first):
            first.append(row)
    return out, np.array(first, dtype=np.int64)


def texts_among(cells: list[Any]) -> tuple[int, int, int]:
    """Return how many cells are text, how many are None, and how many characters the texts have together."""
    texts = [cell for cell in cells if type(cell) is str]
    return len(texts), sum(cell is None for cell in cells), sum(map(len, texts))


def arrow_codes(buffers: list[Any], first: int, rows: int, width: int) -> tuple[Codes, list[str]]:
    """Code a column of text in Arrow's buffers by first appearance, and return the texts; -1 where a cell is null.

    Parameters
    ----------
    buffers : list of buffer or None
        Which rows are there, a bit each; then where each text begins and the bytes of all, or views of 16 bytes and
        the buffers that they speak of.
    first, rows : int
        The first row among those of the buffers, and how many.
    width : 4, 8 or 16
        Bytes of a beginning; 16 means views.
    """
    valid, where, *data = (b"" if buffer is None else bytes(buffer) for buffer in buffers)
    code: dict[bytes, int] = {}
    out = np.full(rows, -1, dtype=np.int32)
    for i, row in enumerate(range(first, first + rows)):
        if valid and not valid[row // 8] >> row % 8 & 1:
            continue
        if width < 16:
            start, end = (int.from_bytes(where[width * at : width * (at + 1)], "little") for at in (row, row + 1))
            text = data[0][start:end]
        else:
            length, _, buffer, start = struct.unpack_from("<iiii", where, 16 * row)
            inside = where[16 * row + 4 : 16 * row + 4 + length]
            text = inside if length <= 12 else data[buffer][start : start + length]
        out[i] = code.setdefault(text, len(code))
    return out, [text.decode() for text in code]


def filled(values: Array, bits: NDArray[np.uint8], first: int) -> Array:
    """Floats or codes with NaN or -1 where there are none: of each row a bit says it, the lowest first.

    A copy, or the values themselves where these hold it already.
    """
    if first < 0 or 8 * len(bits) < first + len(values):
        raise ValueError("bits must say of each row whether it is there")
    if values.dtype.kind not in "fi":
        raise ValueError("values must be floats or signed integers")
    there = np.unpackbits(bits, bitorder="little")[first : first + len(values)].astype(bool)
    held = np.isnan(values) if values.dtype.kind == "f" else values == -1
    if (there | held).all():
        return values
    return np.where(there, values, values.dtype.type(np.nan if values.dtype.kind == "f" else -1))


def check_finite(x: Array) -> Cell | None:
    """Row and column of the first infinity in row order, or None."""
    return first_cell(np.isinf(x))


def first_below(x: Array, bound: float, strict: bool) -> Cell | None:
    """Row and column of the first x < bound (``strict``) or x <= bound in row order, or None; NaN is not."""
    return first_cell(x < bound if strict else x <= bound)
