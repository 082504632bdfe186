"""The kernels written plainly in NumPy: the oracle of the compiled ones, and what serves without a compiler.

Shapes: ``x`` and ``codes`` are (N, D), ``y`` is (N,) with class codes below ``n_classes`` (a negative one
skips the row, as does a weight of zero), ``w`` is None or (N,), ``offsets`` is (D + 1,) and says where each
column's levels or cuts begin in a flat axis. A NaN cell or a negative code is missing. Arrays named ``out``
and ``scores`` are changed in place.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "level_counts",
    "moments",
    "dense_sums",
    "bin_codes",
    "bin_counts",
    "add_gather",
    "add_bin_gather",
    "add_normal",
    "add_gather_left_out",
    "add_normal_left_out",
    "log_normalize",
    "argmax",
    "csr_sums",
    "csr_nonzero",
    "add_csr",
    "distinct",
    "label_codes",
    "check_finite",
    "first_below",
    "set_threads",
]

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Cell = tuple[int, int]


def level_counts(codes: Array, offsets: Ints, y: Array, n_classes: int, w: Floats | None = None) -> tuple[Array, Array]:
    """Count (or weigh) the rows of each class at each level of each column, and those where it is missing."""
    y, w, rows = _used_rows(y, n_classes, w, len(codes))
    counts = np.zeros((n_classes, int(offsets[-1])), np.int64 if w is None else np.float64)
    missing = np.zeros((n_classes, codes.shape[1]), counts.dtype)
    for j, (start, stop) in enumerate(pairwise(offsets.tolist())):
        column = codes[rows, j].astype(np.int64)
        for row in rows[column >= stop - start][:1]:
            raise ValueError(f"code beyond the column's levels in row {row}, column {j}")
        table = _cross(y, column + 1, w, n_classes, stop - start + 1)
        missing[:, j] = table[:, 0]
        counts[:, start:stop] = table[:, 1:]
    return counts, missing


def moments(x: Array, y: Array, n_classes: int, w: Floats | None = None, log: bool = False) -> tuple[Array, ...]:
    """Count, mean and sum of squared deviations per class and column; with ``log`` those of log x as well."""
    y, w, rows = _used_rows(y, n_classes, w, len(x))
    used = np.asarray(x[rows], np.float64)
    _refuse(np.isinf(used), rows, "infinity")
    n, mean, m2 = _two_pass(used, y, n_classes, w)
    if not log:
        return n, mean, m2
    _refuse(used <= 0, rows, "a value that is not positive")
    return n, mean, m2, *_two_pass(np.log(used), y, n_classes, w)[1:]


def dense_sums(x: Array, y: Array, n_classes: int, w: Floats | None = None) -> Floats:
    """Sum x per class and column, NaN left out."""
    y, w, rows = _used_rows(y, n_classes, w, len(x))
    return _class_sums(np.nan_to_num(np.asarray(x[rows], np.float64), posinf=np.inf, neginf=-np.inf), y, n_classes, w)


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
    rows = _used_rows(y, n_classes, w, len(x))[2]
    _refuse(np.isinf(x[rows].astype(np.float64)), rows, "infinity")
    return level_counts(bin_codes(x, cuts, offsets), _bin_offsets(offsets), y, n_classes, w)


def add_gather(codes: Array, offsets: Ints, table: Floats, out: Floats) -> None:
    """Add the table's rows ``offsets[j] + codes[n, j]`` to ``out[n]``; codes outside the column add nothing."""
    for j, (start, stop) in enumerate(pairwise(offsets.tolist())):
        column = codes[:, j].astype(np.int64)
        known = (column >= 0) & (column < stop - start)
        out[known] += table[start + column[known]]


def add_bin_gather(x: Array, cuts: Floats, cut_offsets: Ints, table: Floats, out: Floats) -> None:
    """Add to ``out[n]`` the row of ``table`` that belongs to the bin of each cell; NaN adds nothing."""
    add_gather(bin_codes(x, cuts, cut_offsets), _bin_offsets(cut_offsets), table, out)


def add_normal(x: Array, mean: Floats, var: Floats, out: Floats) -> None:
    """Add to ``out[n, k]`` the sum over columns of -log(2πv)/2 - (x - μ)²/(2v); NaN and v = ∞ add nothing."""
    for j in range(x.shape[1]):
        column = x[:, j].astype(np.float64)[:, None]
        log_density = -0.5 * np.log(2 * np.pi * var[:, j]) - 0.5 * (column - mean[:, j]) ** 2 / var[:, j]
        out += np.where(np.isnan(column) | ~np.isfinite(var[:, j]), 0.0, log_density)


def add_gather_left_out(codes: Array, offsets: Ints, table: Floats, own: Floats, y: Array, out: Floats) -> None:
    """Add as `add_gather` does, but to ``out[n, y[n]]`` from the table ``own``; a negative y reads ``table`` alone."""
    n_classes = out.shape[1]
    y, _, rows = _used_rows(y, n_classes, None, len(codes))
    left = out[rows, y]
    add_gather(codes, offsets, table, out)
    for j, (start, stop) in enumerate(pairwise(offsets.tolist())):
        column = codes[rows, j].astype(np.int64)
        known = (column >= 0) & (column < stop - start)
        left[known] += own[start + column[known], y[known]]
    out[rows, y] = left


def add_normal_left_out(
    x: Array,
    n: Floats,
    mean: Floats,
    m2: Floats,
    y: Array,
    w: Floats | None,
    floor: float,
    constant: float,
    out: Floats,
) -> None:
    """Add normal log-densities with each row taken out of the moments (K, D) of its own class.

    The variance is max(m2 / n, floor v) with v that of the whole column, which every row changes; a class that has not
    seen the column has the moments of the whole; a column with v <= (constant mean)² says nothing. A negative y or a
    weight of zero leaves nothing out.
    """
    y, w, rows = _used_rows(y, len(n), w, len(x))
    for j in range(x.shape[1]):
        column = x[:, j].astype(np.float64)
        value = np.where(np.isnan(column), 0.0, column)
        own = np.zeros((len(n), len(x)))
        own[y, rows] = np.where(np.isnan(column[rows]), 0.0, 1.0 if w is None else w)
        size, mu, squares = _moments_without(n[:, [j]], mean[:, [j]], m2[:, [j]], own, value)
        whole = size.sum(axis=0)
        share = size / np.where(whole > 0, whole, 1.0)
        center = (share * mu).sum(axis=0)
        v = (squares + size * (mu - center) ** 2).sum(axis=0) / np.where(whole > 0, whole, 1.0)
        var = np.where(size > 0, np.maximum(squares / np.where(size > 0, size, 1.0), floor * v), v)
        says = ~np.isnan(column) & (v > (constant * center) ** 2)
        var = np.where(says, var, 1.0)
        squared = (value - np.where(size > 0, mu, center)) ** 2
        out += np.where(says, -0.5 * (np.log(2 * np.pi * var) + squared / var), 0.0).T


def log_normalize(scores: Floats) -> NDArray[np.bool_] | None:
    """Subtract each row's log-sum-exp; rows that are all -inf stay and are reported (None: there is none)."""
    impossible = np.all(scores == -np.inf, axis=1)
    usual = scores[~impossible]
    usual -= usual.max(axis=1, keepdims=True, initial=-np.inf)
    scores[~impossible] = usual - np.log(np.exp(usual).sum(axis=1, keepdims=True))
    return impossible if impossible.any() else None


def argmax(scores: Floats) -> Ints:
    """The first column holding each row's maximum."""
    return np.asarray(np.argmax(scores, axis=1), np.int64)


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
    y, w, rows = _used_rows(y, n_classes, w, len(indptr) - 1)
    entries, entry_rows = _entries(indptr, rows)
    values = data[entries].astype(np.float64) if w is None else data[entries] * w[entry_rows]
    return _cross(y[entry_rows], indices[entries].astype(np.int64), values, n_classes, n_columns)


def csr_nonzero(
    data: Array,
    indices: Array,
    indptr: Array,
    y: Array,
    n_classes: int,
    n_columns: int,
    w: Floats | None = None,
) -> Floats:
    """Count (or weigh) the stored cells of a CSR matrix that are not zero, per class and column."""
    return csr_sums((data != 0).astype(np.float64), indices, indptr, y, n_classes, n_columns, w)


def add_csr(data: Array, indices: Array, indptr: Array, weights: Floats, out: Floats) -> None:
    """Add X @ weights to ``out``; stored zeros are skipped, so a weight may be -inf."""
    entries, rows = _entries(indptr, np.arange(len(indptr) - 1))
    entries, rows = entries[data[entries] != 0], rows[data[entries] != 0]
    np.add.at(out, rows, data[entries].astype(np.float64)[:, None] * weights[indices[entries]])


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


def check_finite(x: Array) -> Cell | None:
    """Row and column of the first infinity in row order, or None."""
    return _first(np.isinf(x))


def first_below(x: Array, bound: float, strict: bool) -> Cell | None:
    """Row and column of the first x < bound (``strict``) or x <= bound in row order, or None; NaN is not."""
    return _first(x < bound if strict else x <= bound)


def set_threads(n: int) -> None:
    """Use at most n threads from now on, in this process; those of NumPy are NumPy's own."""
    if n < 1:
        raise ValueError("n must be at least 1: the calling thread works, too")


def _used_rows(y: Array, n_classes: int, w: Floats | None, n_rows: int) -> tuple[Ints, Floats | None, Ints]:
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


def _cross(first: Array, second: Array, w: Floats | None, n_first: int, n_second: int) -> Array:
    """Count (or weigh) the pairs of codes; a negative second code counts as zero."""
    flat = first * n_second + np.maximum(second, 0)
    table = np.bincount(flat, w, n_first * n_second).reshape(n_first, n_second)
    return table.astype(np.int64 if w is None else np.float64)  # bincount of nothing is always integer


def _class_sums(x: Floats, y: Ints, n_classes: int, w: Floats | None) -> Floats:
    sums = np.zeros((n_classes, x.shape[1]))
    np.add.at(sums, y, x if w is None else x * w[:, None])
    return sums


def _two_pass(x: Floats, y: Ints, n_classes: int, w: Floats | None) -> tuple[Array, Floats, Floats]:
    """First the means, then the squares about them; the second sum mends what rounding left in the first."""
    known = ~np.isnan(x)
    n = _class_sums(known.astype(np.float64), y, n_classes, w)
    divisor = np.where(n == 0, 1.0, n)
    mean = _class_sums(np.where(known, x, 0.0), y, n_classes, w) / divisor
    deviation = np.where(known, x - mean[y], 0.0)
    rest = _class_sums(deviation, y, n_classes, w) / divisor
    m2 = np.maximum(_class_sums(deviation**2, y, n_classes, w) - rest**2 * n, 0.0)
    return (n.astype(np.int64) if w is None else n), mean + rest, m2


def _moments_without(
    n: Floats, mean: Floats, m2: Floats, weight: Floats, value: Floats
) -> tuple[Floats, Floats, Floats]:
    """Moments (K, 1) less one row of a weight (K, N) at a value (N,); what rounding leaves of a difference is zero."""
    eps = np.finfo(np.float64).eps
    left = np.where(n - weight <= 64 * eps * n, 0.0, n - weight)
    back = (mean - value) * (weight / np.where(left > 0, left, 1.0))
    mu = np.where(np.abs(mean + back) <= 64 * eps * np.maximum(np.abs(mean), np.abs(back)), 0.0, mean + back)
    squares = m2 - (value - mu) ** 2 * (left * weight / np.where(n > 0, n, 1.0))
    return left, mu, np.where((left == 0) | (squares <= 1024 * eps * m2), 0.0, squares)


def _bin_offsets(cut_offsets: Ints) -> Ints:
    """C cuts make C + 1 bins."""
    return cut_offsets + np.arange(len(cut_offsets))


def _entries(indptr: Array, rows: Ints) -> tuple[Ints, Ints]:
    """Positions of the stored cells of these rows, and for each which of the rows it belongs to."""
    start = indptr.astype(np.int64)
    lengths = start[rows + 1] - start[rows]
    owner = np.repeat(np.arange(len(rows)), lengths)
    return np.arange(len(owner)) + np.repeat(start[rows] - (np.cumsum(lengths) - lengths), lengths), owner


def _first(where: NDArray[np.bool_]) -> Cell | None:
    flat = int(np.argmax(where)) if where.size else 0
    if not (where.size and where.flat[flat]):
        return None
    row, column = divmod(flat, where.shape[1])
    return row, column


def _refuse(where: NDArray[np.bool_], rows: Ints, what: str) -> None:
    cell = _first(where)
    if cell is not None:
        raise ValueError(f"{what} in row {rows[cell[0]]}, column {cell[1]}")
