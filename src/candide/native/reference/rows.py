"""What the kernels share: which rows count, crossed codes, and what to say about a cell that cannot be used."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Cell = tuple[int, int]
MatrixOrColumns = Array | list[Array]
"""A matrix, or a list of columns of one length, type and layout."""


def side_by_side(x: MatrixOrColumns) -> Array:
    """A table as a matrix."""
    return np.stack(x, axis=1) if isinstance(x, list) else x


def begin(out: Floats, start: Floats | None) -> None:
    """Write what every row of scores begins with, where something is given."""
    if start is not None:
        out[:] = start


def used_rows(y: Array, n_classes: int, w: Floats | None, n_rows: int) -> tuple[Ints, Floats | None, Ints]:
    """Class codes, weights and indices of the rows that count."""
    if len(y) != n_rows:
        raise ValueError(f"y has {len(y)} rows, the table {n_rows}")
    if w is not None and len(w) != n_rows:
        raise ValueError(f"w has {len(w)} rows, the table {n_rows}")
    codes = y.astype(np.int64)
    for row in np.flatnonzero(codes >= n_classes)[:1]:
        raise ValueError(f"class code too large in row {row}: there are only {n_classes} classes")
    rows = np.flatnonzero(codes >= 0 if w is None else (codes >= 0) & (w != 0))
    return codes[rows], None if w is None else w[rows], rows


def cross(first: Array, second: Array, w: Floats | None, n_first: int, n_second: int) -> Array:
    """Count (or weigh) the pairs of codes; a negative second code counts as zero."""
    flat = first * n_second + np.maximum(second, 0)
    table = np.bincount(flat, w, n_first * n_second).reshape(n_first, n_second)
    return table.astype(np.int64 if w is None else np.float64)  # bincount of nothing is always integer


def class_sums(x: Floats, y: Ints, n_classes: int, w: Floats | None) -> Floats:
    """Sum the rows of x per class."""
    sums = np.zeros((n_classes, x.shape[1]))
    np.add.at(sums, y, x if w is None else x * w[:, None])
    return sums


def first_cell(where: NDArray[np.bool_]) -> Cell | None:
    """Row and column of the first cell in row order, or None."""
    flat = int(np.argmax(where)) if where.size else 0
    if not (where.size and where.flat[flat]):
        return None
    row, column = divmod(flat, where.shape[1])
    return row, column


def refuse(where: NDArray[np.bool_], rows: Ints, what: str) -> None:
    """Name the first of the cells that cannot be used, by the number that its row has in the table."""
    cell = first_cell(where)
    if cell is not None:
        raise ValueError(f"{what} in row {rows[cell[0]]}, column {cell[1]}")


def narrowest(counts: Array) -> Array:
    """Whole numbers that are not negative in the narrowest type that holds them; others as they are."""
    if counts.dtype.kind != "i":
        return counts
    most = counts.max(initial=0)
    return counts.astype(next(t for t in ("int8", "int16", "int32", "int64") if most <= np.iinfo(t).max))
