"""Class counts of levels and bins, moments and sums: what one pass over the rows of a table adds up."""

from itertools import pairwise
from math import prod

import numpy as np

from candide.native.reference.rows import (
    Array,
    Codes,
    Floats,
    Ints,
    MatrixOrColumns,
    class_sums,
    cross,
    narrowest,
    refuse,
    side_by_side,
    used_rows,
)

__all__ = [
    "bin_codes",
    "bin_counts",
    "dense_sums",
    "joint_counts",
    "joint_places",
    "level_counts",
    "moments",
    "move_columns",
]


def level_counts(
    codes: MatrixOrColumns, offsets: Ints, y: Array, n_classes: int, w: Floats | None = None
) -> tuple[Array, Array]:
    """Count (or weigh) the rows of each class at each level of each column, and those where it is missing."""
    codes = side_by_side(codes)
    y, w, rows = used_rows(y, n_classes, w, len(codes))
    counts = np.zeros((n_classes, int(offsets[-1])), np.int64 if w is None else np.float64)
    missing = np.zeros((n_classes, codes.shape[1]), counts.dtype)
    for j, (start, stop) in enumerate(pairwise(offsets.tolist())):
        column = codes[rows, j].astype(np.int64)
        for row in rows[column >= stop - start][:1]:
            raise ValueError(f"code beyond the column's levels in row {row}, column {j}")
        table = cross(y, column + 1, w, n_classes, stop - start + 1)
        missing[:, j] = table[:, 0]
        counts[:, start:stop] = table[:, 1:]
    return counts, missing


def joint_counts(
    codes: MatrixOrColumns, sizes: Ints, y: Array, n_classes: int, w: Floats | None = None, placed: bool = True
) -> tuple[Codes, Array, Ints | None]:
    """Count (or weigh) the rows of each class at each combination of the columns' cells that they are seen in.

    The cell of a column is its code plus one, from 0 where missing to ``sizes[g]``. Returned are the combinations
    (M, G) in lexicographic order, their counts (K, M), whole ones in the narrowest type, and, where it is asked for,
    the combination of every row (N,), -1 where it is left out.
    """
    codes = side_by_side(codes)
    y, w, rows = used_rows(y, n_classes, w, len(codes))
    if len(sizes) != codes.shape[1]:
        raise ValueError(f"sizes has shape ({len(sizes)}, 1), not ({codes.shape[1]}, 1)")
    for member in np.flatnonzero(sizes < 0)[:1]:
        raise ValueError(f"sizes must not be negative, but are at {member}")
    cells = np.maximum(codes[rows].astype(np.int64), -1) + 1
    refuse(cells > sizes, rows, "code beyond the column's levels")
    # a column of zeros in front, so that rows without any cell are combinations, too
    combinations, of_used = np.unique(np.insert(cells, 0, 0, axis=1), axis=0, return_inverse=True)
    place = np.full(len(codes), -1, np.int64)
    place[rows] = of_used.ravel()
    counts = cross(y, place[rows], w, n_classes, len(combinations))
    return combinations[:, 1:].astype(np.int32), narrowest(counts), place if placed else None


def joint_places(cells: Ints | Codes, values: Ints, offsets: Ints, sizes: Ints) -> Array:
    """Return where each combination (M, G) of cells stands among all combinations of the values that these have.

    The value of a cell of column g is ``values[offsets[g] + cell]``, below ``sizes[g]``. A combination of which a cell
    has none, which is negative, stands behind the last.
    """
    product = prod(sizes.tolist())
    if len(sizes) and (sizes.min() < 0 or product >= 2**62):
        raise ValueError("sizes must be of less than 2^62 combinations")
    places, complete = np.zeros(len(cells), np.int64), np.ones(len(cells), bool)
    for g, size in enumerate(sizes):
        of_member = values[offsets[g] : offsets[g + 1]]
        if len(cells) and (cells[:, g].min() < 0 or cells[:, g].max() >= len(of_member)):
            raise IndexError("a cell or its value is beyond those of its member")
        if (of_member >= size).any():
            raise IndexError("a cell or its value is beyond those of its member")
        value = of_member[cells[:, g]]
        places, complete = places * size + value, complete & (value >= 0)
    return np.where(complete, places, product).astype(np.int32 if product < 2**31 else np.int64)


def moments(
    x: MatrixOrColumns, y: Array, n_classes: int, w: Floats | None = None, log: bool = False
) -> tuple[Array, ...]:
    """Count, mean and sum of squared deviations per class and column; with ``log`` those of log x as well."""
    x = side_by_side(x)
    y, w, rows = used_rows(y, n_classes, w, len(x))
    used = np.asarray(x[rows], np.float64)
    refuse(np.isinf(used), rows, "infinity")
    n, mean, m2 = _two_pass(used, y, n_classes, w)
    if not log:
        return n, mean, m2
    refuse(used <= 0, rows, "a value that is not positive")
    return n, mean, m2, *_two_pass(np.log(used), y, n_classes, w)[1:]


def dense_sums(x: Array, y: Array, n_classes: int, w: Floats | None = None) -> Floats:
    """Sum x per class and column, NaN left out."""
    y, w, rows = used_rows(y, n_classes, w, len(x))
    return class_sums(np.nan_to_num(np.asarray(x[rows], np.float64), posinf=np.inf, neginf=-np.inf), y, n_classes, w)


def bin_codes(x: Array, cuts: Floats, offsets: Ints) -> Codes:
    """The bin of each cell: the number of its column's cuts that are less than x, or -1 where x is NaN."""
    codes = np.empty(x.shape, np.int32)
    for j, (start, stop) in enumerate(pairwise(offsets.tolist())):
        column = x[:, j].astype(np.float64)
        codes[:, j] = np.where(np.isnan(column), -1, np.searchsorted(cuts[start:stop], column, side="left"))
    return codes


def bin_counts(
    x: Array, cuts: Floats, offsets: Ints, y: Array, n_classes: int, w: Floats | None = None
) -> tuple[Array, Array]:
    """Count (or weigh) the rows of each class in each bin of each column, and those where it is missing."""
    rows = used_rows(y, n_classes, w, len(x))[2]
    refuse(np.isinf(x[rows].astype(np.float64)), rows, "infinity")
    return level_counts(bin_codes(x, cuts, offsets), bin_offsets(offsets), y, n_classes, w)


def bin_offsets(cut_offsets: Ints) -> Ints:
    """C cuts make C + 1 bins."""
    return cut_offsets + np.arange(len(cut_offsets))


def _two_pass(x: Floats, y: Ints, n_classes: int, w: Floats | None) -> tuple[Array, Floats, Floats]:
    """First the means, then the squares about them; the second sum mends what rounding left in the first."""
    known = ~np.isnan(x)
    n = class_sums(known.astype(np.float64), y, n_classes, w)
    divisor = np.where(n == 0, 1.0, n)
    mean = class_sums(np.where(known, x, 0.0), y, n_classes, w) / divisor
    deviation = np.where(known, x - mean[y], 0.0)
    rest = class_sums(deviation, y, n_classes, w) / divisor
    m2 = np.maximum(class_sums(deviation**2, y, n_classes, w) - rest**2 * n, 0.0)
    return (n.astype(np.int64) if w is None else n), mean + rest, m2


def move_columns(table: Array, index: Ints | Codes, size: int) -> Array:
    """Columns of a table of counts added into a new one of float64 or int64 and of this size, at their places."""
    if len(index) and (index.min() < 0 or index.max() >= size):
        raise IndexError("an entry has no place among those it is moved to")
    moved = np.zeros((len(table), size), np.int64 if table.dtype.kind == "i" else np.float64)
    np.add.at(moved.T, index, table.T)
    return moved
