"""Log-likelihoods added to scores (N, K), with the row itself or without it, and the row-wise finish."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from candide.native.reference.counting import bin_codes, bin_offsets
from candide.native.reference.rows import Array, Floats, Ints, MatrixOrColumns, begin, side_by_side, used_rows

__all__ = [
    "add_gather",
    "add_bin_gather",
    "add_normal",
    "add_normal_at",
    "add_gather_left_out",
    "add_normal_left_out",
    "log_normalize",
    "log_softened",
    "argmax",
]


def add_gather(codes: MatrixOrColumns, offsets: Ints, table: Floats, out: Floats, start: Floats | None = None) -> None:
    """Add the table's rows ``offsets[j] + codes[n, j]`` to ``out[n]``; codes outside the column add nothing.

    Every row of ``out`` begins with ``start`` (K,), or with what it holds where there is none.
    """
    begin(out, start)
    codes = side_by_side(codes)
    for j, (first, stop) in enumerate(pairwise(offsets.tolist())):
        column = codes[:, j].astype(np.int64)
        known = (column >= 0) & (column < stop - first)
        out[known] += table[first + column[known]]


def add_bin_gather(x: Array, cuts: Floats, cut_offsets: Ints, table: Floats, out: Floats) -> None:
    """Add to ``out[n]`` the row of ``table`` that belongs to the bin of each cell; NaN adds nothing."""
    add_gather(bin_codes(x, cuts, cut_offsets), bin_offsets(cut_offsets), table, out)


def add_normal(x: Array, mean: Floats, var: Floats, out: Floats, start: Floats | None = None) -> None:
    """Add to ``out[n, k]`` the sum over columns of -log(2πv)/2 - (x - μ)²/(2v); NaN and v = ∞ add nothing.

    Every row of ``out`` begins with ``start`` (K,), or with what it holds where there is none.
    """
    begin(out, start)
    for j in range(x.shape[1]):
        column = x[:, j].astype(np.float64)[:, None]
        says = np.isfinite(var[:, j])
        v = np.where(says, var[:, j], 1.0)
        away = np.where(says, column - mean[:, j], 0.0)
        # (x - μ)² may overflow where (x - μ)²/v does not
        with np.errstate(over="ignore"):
            log_density = -0.5 * np.log(2 * np.pi * v) - (away * (0.5 / v)) * away
        out += np.where(says & ~np.isnan(column), log_density, 0.0)


def add_normal_at(x: Floats, groups: Ints, mean: Floats, var: Floats, out: Floats) -> None:
    """Add as `add_normal` does for one column (N,), by the densities (K, groups) of each row's group.

    A row whose group is negative, or none of them, adds nothing.
    """
    for m in range(mean.shape[1]):
        here = np.flatnonzero(groups == m)
        scores = out[here]
        add_normal(x[here, None], mean[:, [m]], var[:, [m]], scores)
        out[here] = scores


def add_gather_left_out(codes: Array, offsets: Ints, table: Floats, own: Floats, y: Array, out: Floats) -> None:
    """Add as `add_gather` does, but to ``out[n, y[n]]`` from the table ``own``; a negative y reads ``table`` alone."""
    n_classes = out.shape[1]
    y, _, rows = used_rows(y, n_classes, None, len(codes))
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
    y, w, rows = used_rows(y, len(n), w, len(x))
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


def log_normalize(scores: Floats, tie: float = 0.0) -> NDArray[np.bool_] | None:
    """Subtract each row's log-sum-exp; rows that are all -inf stay and are reported (None: there is none).

    Scores within ``tie`` times the size of their row's largest (at least 1) are made equal to it first.
    """
    impossible = np.all(scores == -np.inf, axis=1)
    usual = scores[~impossible]
    most = usual.max(axis=1, keepdims=True, initial=-np.inf)
    usual -= most
    usual[usual >= -tie * np.maximum(np.abs(most), 1.0)] = 0.0
    scores[~impossible] = usual - np.log(np.exp(usual).sum(axis=1, keepdims=True))
    return impossible if impossible.any() else None


def log_softened(counts: Floats, pseudo: Floats, log_total: Floats) -> Floats:
    """Return log (N + s) - log total as (D, K), from counts (K, D): the classes of a column lie side by side.

    ``pseudo`` is one for all columns, (1,), or one each, (D,); ``log_total`` is one for all columns, (1, K), or (D, K).
    """
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.ascontiguousarray(counts.T) + pseudo[:, None]) - log_total)


def argmax(scores: Floats, tie: float = 0.0, lost: int = 0) -> Ints:
    """The first column within ``tie`` times the size of each row's maximum (at least 1) of it.

    Rows that are all -inf get ``lost``.
    """
    most = scores.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        level = scores - most >= -tie * np.maximum(np.abs(most), 1.0)
    best = np.argmax(np.where(np.isfinite(most), level, scores == most), axis=1)
    return np.asarray(np.where(most[:, 0] == -np.inf, lost, best), np.int64)


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
