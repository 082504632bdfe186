"""Numbers counted per class, and the lattice of cells that they are counted in.

A cell is all numbers with the same leading bits: those of a double less its ``dropped`` low bits of the mantissa. A
binade is a sign and an exponent, the twelve highest bits; zero and the denormals share one.

Up to ``EXACT`` distinct values no bit is dropped. Beyond that, each of the m occupied binades drops the fewest bits
that leave it at most min(``PER_BINADE``, ``TOTAL`` // m) occupied cells. More values occupy more cells and more
binades, so bits once dropped stay dropped: the lattice of all values is the lattice of the lattices of any parts, in
any order.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from candide.native.agreed import MANTISSA
from candide.native.reference.rows import (
    Array,
    Codes,
    Floats,
    Ints,
    MatrixOrColumns,
    cross,
    narrowest,
    refuse,
    side_by_side,
    used_rows,
)

__all__ = ["EXACT", "PER_BINADE", "TOTAL", "count_values", "lattice", "lattice_codes", "places", "take_columns"]

EXACT = 10_000
PER_BINADE = 1_024
TOTAL = 8_192

N_BINADES = 4_096

Bits = NDArray[np.uint64]
Bytes = NDArray[np.int8]


def count_values(
    x: MatrixOrColumns,
    y: Array,
    n_classes: int,
    w: Floats | None = None,
    known: Sequence[tuple[Floats, Bytes] | None] | None = None,
) -> list[tuple[Floats, Array, Bytes]]:
    """Count (or weigh) the rows of each class in each cell of each column's lattice, and those where it is missing.

    For each column the numbers that stand for its cells, ascending (V,), the counts (K, 1 + V), those of missing cells
    first and in as narrow a type as holds them, and the bits dropped (V,).

    `known` has the cells of other rows and the bits that they drop, or None, column by column: no cell is finer than
    these, so that numbers are counted where their sum with the others would put them.
    """
    x = side_by_side(x)
    if known is not None and len(known) != x.shape[1]:
        raise ValueError("known must say something, or None, of each column of x")
    y, w, rows = used_rows(y, n_classes, w, len(x))
    used = np.asarray(x[rows], np.float64)
    refuse(np.isinf(used), rows, "infinity")
    columns = []
    for j, column in enumerate(used.T):
        there = ~np.isnan(column)
        cells, dropped, place = _cells_of(_bits(column[there]), _dropped_by(None if known is None else known[j]))
        weight = None if w is None else w[there]
        missing = cross(y, ~there, w, n_classes, 2)[:, [1]]
        counts = np.concatenate([missing, cross(y[there], place, weight, n_classes, len(cells))], axis=1)
        columns.append((cells, narrowest(counts), dropped))
    return columns


def lattice(values: Floats, dropped: Bytes) -> tuple[Floats, Bytes, Ints]:
    """The cells that hold these values: the numbers that stand for them, ascending; their dropped bits; where each is.

    A value with bits dropped already stands for its whole cell. A cell of one number is that number, any other the
    number in its middle.
    """
    _check_cells(values, dropped, "values")
    return _cells_of(_bits(values), _dropped_in(values, dropped))


def _dropped_in(values: Floats, dropped: Bytes) -> Bits:
    """Return how many bits each binade drops."""
    drop = np.zeros(N_BINADES, np.uint64)
    np.maximum.at(drop, _binades(_bits(values)), dropped.astype(np.uint64))
    return drop


def _dropped_by(known: tuple[Floats, Bytes] | None) -> Bits:
    """Return how many bits each binade of known cells drops."""
    if known is None:
        return np.zeros(N_BINADES, np.uint64)
    _check_cells(*known, "known")
    _check_ascending(*known)
    return _dropped_in(*known)


def _cells_of(bits: Bits, drop: Bits) -> tuple[Floats, Bytes, Ints]:
    """Return the cells that hold some numbers, no finer than their binades are already."""
    distinct = np.unique(bits)
    if drop.any() or len(distinct) > EXACT:
        _coarsen(distinct, drop)
    d = drop[_binades(bits)]
    half = np.where(d == 0, 0, np.uint64(1) << (np.maximum(d, 1) - np.uint64(1)))
    middles = (_cells(bits, drop) | half.astype(np.uint64)).view(np.float64)
    cells, first, index = np.unique(middles, return_index=True, return_inverse=True)
    return cells, d[first].astype(np.int8), index.astype(np.int64)


def lattice_codes(x: Array, cells: Floats, dropped: Bytes) -> Codes:
    """The number of the cell in which each x lies; -1 where x is NaN, -2 where there is no such cell."""
    _check_cells(cells, dropped, "cells")
    bits, drop = _bits(x), _dropped_in(cells, dropped)
    known = _check_ascending(cells, dropped)
    order = np.argsort(known)
    wanted = _cells(bits, drop)
    place = np.searchsorted(known[order], wanted)
    found = np.append(known[order], known.dtype.type(0))[place] == wanted  # of its type: a float would round
    codes = np.where(found & (place < len(known)), np.append(order, -2)[place], -2)
    return np.where(np.isnan(x), -1, codes).astype(np.int32)


def places(values: Floats, among: Floats) -> Ints:
    """Where each of some ascending values stands among other ascending ones; -1 where it is none of them."""
    at = np.searchsorted(among, values)
    found = np.append(among, np.nan)[at] == values
    return np.where(found, at, -1).astype(np.int64)


def take_columns(x: Array, columns: Ints, low: Floats | None = None, high: Floats | None = None) -> Floats:
    """Some columns of a matrix as doubles, row by row, each cut off at its ends where these are given."""
    if len(columns) and not (columns.min() >= 0 and columns.max() < x.shape[1]):
        raise ValueError("columns must be columns of x")
    taken = np.ascontiguousarray(x[:, columns], dtype=np.float64)
    taken = taken if low is None else np.maximum(taken, low)
    return taken if high is None else np.minimum(taken, high)


def _coarsen(distinct: Bits, drop: Bits) -> None:
    """Drop the fewest bits that keep ascending bits of distinct values within their binades' budgets."""
    occupied, begin = np.unique(_binades(distinct), return_index=True)
    budget = max(1, min(PER_BINADE, TOTAL // max(1, len(occupied))))
    for binade, bits in zip(occupied, np.split(distinct, begin[1:]), strict=True):
        # ends: without its mantissa a binade is one cell
        while np.count_nonzero(np.diff(bits >> drop[binade])) + 1 > budget:
            drop[binade] += np.uint64(1)


def _bits(x: Array) -> Bits:
    return (x.astype(np.float64) + 0.0).view(np.uint64)  # -0.0 becomes 0.0


def _binades(bits: Bits) -> Ints:
    return (bits >> np.uint64(MANTISSA)).astype(np.int64)


def _cells(bits: Bits, drop: Bits) -> Bits:
    d = drop[_binades(bits)]
    return bits >> d << d


def _check_ascending(cells: Floats, dropped: Bytes) -> Bits:
    """Return the leading bits of cells, which must ascend."""
    known = _cells(_bits(cells), _dropped_in(cells, dropped))
    if (np.diff(cells) <= 0).any() or len(np.unique(known)) < len(known):
        raise ValueError("cells must ascend, and no two be the same cell")
    return known


def _check_cells(values: Floats, dropped: Bytes, name: str) -> None:
    if len(dropped) != len(values):
        raise ValueError(f"dropped has shape ({len(dropped)}, 1), not ({len(values)}, 1)")
    for i in np.flatnonzero(~np.isfinite(values))[:1]:
        raise ValueError(f"{name} must be finite, but are not at {i}")
    for i in np.flatnonzero((dropped < 0) | (dropped > MANTISSA))[:1]:
        raise ValueError(f"dropped must be from 0 to {MANTISSA}, but is not at {i}")
