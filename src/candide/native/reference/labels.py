"""Distinct values, labels as codes, and cells that cannot be used."""

import numpy as np

from candide.native.reference.rows import Array, Cell, Codes, Floats, Ints, first_cell

__all__ = ["distinct", "label_codes", "text_codes", "check_finite", "first_below"]


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


def text_codes(cells: Array) -> tuple[Codes, list[str]] | None:
    """Code a column of Python's texts by first appearance, and return the texts; -1 where a cell is None or NaN.

    None where a cell is anything else.
    """
    if cells.dtype != object or cells.ndim != 1:
        raise TypeError("cells must be a 1-d array of objects")
    code: dict[str, int] = {}
    out = np.full(len(cells), -1, dtype=np.int32)
    for row, cell in enumerate(cells.tolist()):
        if isinstance(cell, str):
            out[row] = code.setdefault(cell, len(code))
        elif not (cell is None or (isinstance(cell, float) and np.isnan(cell))):
            return None
    return out, list(code)


def check_finite(x: Array) -> Cell | None:
    """Row and column of the first infinity in row order, or None."""
    return first_cell(np.isinf(x))


def first_below(x: Array, bound: float, strict: bool) -> Cell | None:
    """Row and column of the first x < bound (``strict``) or x <= bound in row order, or None; NaN is not."""
    return first_cell(x < bound if strict else x <= bound)
