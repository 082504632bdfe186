"""Rows stored as CSR: sums per class and column, and products with a weight per column and class."""

import numpy as np

from candide.native.reference.rows import Array, Floats, Ints, begin, cross, used_rows

__all__ = ["csr_sums", "add_csr"]


def csr_sums(
    data: Array,
    indices: Array,
    indptr: Array,
    y: Array,
    n_classes: int,
    n_columns: int,
    w: Floats | None = None,
) -> Floats:
    """Sum the stored cells of a CSR matrix per class and column."""
    y, w, rows = used_rows(y, n_classes, w, len(indptr) - 1)
    entries, entry_rows = _entries(indptr, rows)
    values = data[entries].astype(np.float64) if w is None else data[entries] * w[entry_rows]
    return cross(y[entry_rows], indices[entries].astype(np.int64), values, n_classes, n_columns)


def add_csr(
    data: Array, indices: Array, indptr: Array, weights: Floats, out: Floats, start: Floats | None = None
) -> None:
    """Add X @ weights to ``out``; stored zeros are skipped, so a weight may be -inf.

    Every row of ``out`` begins with ``start`` (K,), or with what it holds where there is none.
    """
    begin(out, start)
    entries, rows = _entries(indptr, np.arange(len(indptr) - 1))
    entries, rows = entries[data[entries] != 0], rows[data[entries] != 0]
    np.add.at(out, rows, data[entries].astype(np.float64)[:, None] * weights[indices[entries]])


def _entries(indptr: Array, rows: Ints) -> tuple[Ints, Ints]:
    """Positions of the stored cells of these rows, and for each which of the rows it belongs to."""
    start = indptr.astype(np.int64)
    lengths = start[rows + 1] - start[rows]
    owner = np.repeat(np.arange(len(rows)), lengths)
    return np.arange(len(owner)) + np.repeat(start[rows] - (np.cumsum(lengths) - lengths), lengths), owner
