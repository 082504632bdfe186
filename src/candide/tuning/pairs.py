"""Pairs: which two columns tell together what neither tells alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from candide import native
from candide.distributions.pair_tables import Coarse
from candide.frozen import frozen
from candide.schema.rows import Rows

Array = np.ndarray[Any, Any]

RIDGE = 3.0
"""The penalty by which the gain of a pair is guessed."""
BEST_COLUMNS = 60
"""Columns that are looked at in pairs, those that tell most."""
WORK = 4e8
"""Additions in one search; of more rows, evenly spaced ones are looked at."""
ENOUGH_ROWS = 50_000
"""Rows that pairs are searched on: of twice as many every second is looked at, of thrice as many every third."""


@frozen
class CoarseRows:
    """Columns in coarse cells.

    Parameters
    ----------
    coarse : list of Coarse
    codes : ndarray of uint8 (rows, columns)
    """

    coarse: list[Coarse]
    codes: Array

    @property
    def sizes(self) -> Array:
        """How many cells each column has."""
        return np.array([c.size for c in self.coarse], dtype=np.int64)

    def search(
        self, rows: Array | None, residual: Array, curvature: Array, most: int, known: Sequence[tuple[int, int]] = ()
    ) -> list[tuple[int, int]]:
        """Return the pairs that tell most of residuals (rows, K), if they tell more than the luckiest of as many would.

        Parameters
        ----------
        rows : ndarray of int or None
            The rows that the residuals are of; None: all.
        residual, curvature : ndarray (rows, K)
            [c = y] − P(c) and P(c) (1 − P(c)).
        most : int
        known : sequence of (int, int)
            Pairs that were found before, which are not told again.
        """
        d = len(self.coarse)
        pairs = list(combinations(range(d), 2))
        if not pairs or not most:
            return []
        every = max(1, int(np.ceil(len(pairs) * residual.size / WORK)), len(residual) // ENOUGH_ROWS)
        codes = np.ascontiguousarray(self.codes[::every] if rows is None else self.codes[rows[::every]])
        left, curve = (np.ascontiguousarray(a[::every]) for a in (residual, curvature))
        gain, score = native.pair_gains(codes, self.sizes, left, curve, RIDGE)
        new = np.array([pair not in known for pair in pairs])
        found = np.flatnonzero(new & (score > np.sqrt(2.0 * np.log(max(len(pairs), 2)))))
        return [pairs[p] for p in found[np.argsort(-gain[found], kind="stable")][:most]]

    def cells(self, pair: tuple[int, int], rows: Array | slice = slice(None)) -> Array:
        """Return the cells of a pair that rows are in."""
        a, b = pair
        return self.codes[rows, a].astype(np.int32) * np.int32(self.coarse[b].size) + self.codes[rows, b]


@frozen
class Together:
    """Pairs of columns, in those of their cells that rows are in: the others can tell nothing.

    Parameters
    ----------
    of : CoarseRows
    pairs : list of (int, int)
    occurring : list of ndarray of int
        The cells of each pair, ascending.
    """

    of: CoarseRows
    pairs: list[tuple[int, int]]
    occurring: list[Array]

    @classmethod
    def found(cls, of: CoarseRows, pairs: list[tuple[int, int]]) -> Together:
        """Return pairs in the cells that occur."""
        return cls(of, pairs, [np.flatnonzero(np.bincount(of.cells(pair))) for pair in pairs])

    def more(self, pairs: list[tuple[int, int]]) -> Together:
        """Return these pairs and others behind them."""
        others = Together.found(self.of, pairs)
        return Together(self.of, self.pairs + others.pairs, self.occurring + others.occurring)

    @property
    def sizes(self) -> list[int]:
        """How many cells each pair has."""
        return [len(cells) for cells in self.occurring]

    @property
    def products(self) -> list[Array | None]:
        """The products in those cells; None where one of the two is not a number."""
        all_cells = [product_of(self.of.coarse[a], self.of.coarse[b]) for a, b in self.pairs]
        return [None if p is None else p[cells] for p, cells in zip(all_cells, self.occurring, strict=True)]

    def behind(self, beside: Array, rows: Array | slice = slice(None)) -> Array:
        """Return the codes of rows, those of the pairs behind others.

        Parameters
        ----------
        beside : ndarray of int (all rows, any)
            The codes that come first.
        rows : ndarray of int or slice
        """
        first = beside[rows]
        out = np.empty((len(first), first.shape[1] + len(self.pairs)), dtype=beside.dtype)
        out[:, : first.shape[1]] = first
        return self.fill(out, first.shape[1], rows)

    def fill(self, out: Array, first: int, rows: Array | slice = slice(None)) -> Array:
        """Write the codes of rows into the columns from the first on, and return all up to the last of them.

        A pair has fewer cells than a byte can tell.
        """
        for i, (pair, cells) in enumerate(zip(self.pairs, self.occurring, strict=True), start=first):
            place = np.zeros(cells[-1] + 1, dtype=out.dtype)
            place[cells] = np.arange(len(cells))
            out[:, i] = place[self.of.cells(pair, rows)]
        return out[:, : first + len(self.pairs)]


def product_of(one: Coarse, other: Coarse) -> Array | None:
    """Return the product of two numbers in each cell of a pair; None where one is not a number."""
    if one.cuts is None or other.cuts is None:
        return None
    return np.outer(ranks(one), ranks(other)).ravel()


def ranks(coarse: Coarse) -> Array:
    """Return where the cells of a number lie, as standardised ranks; a missing cell in the middle."""
    rank = np.arange(coarse.size - 1.0)
    return np.append((rank - rank.mean()) / rank.std(), 0.0)


def fineness(n: float) -> int:
    """Return into how many cells columns are cut for pairs, of so many rows."""
    return 6 if n < 2000 else 8 if n < 10000 else 10


def cells_of_rows(
    parts: Sequence[Rows], positions: Sequence[int], order: Array, weight: Array, cells: int
) -> CoarseRows:
    """Cut columns of rows into coarse cells: numbers into equal mass, of levels the most frequent.

    Parameters
    ----------
    parts : sequence of Rows
    positions : sequence of int
        The columns.
    order, weight : ndarray (rows,)
        In which order rows are taken, and how much they weigh then.
    cells : int
        How many there are at the most, the missing one apart.
    """
    of_row = np.empty(len(order))
    of_row[order] = weight
    cuts = [(j, cut(parts, j, of_row, cells)) for j in positions]
    kept = [(j, found) for j, found in cuts if found.size > 2]
    codes = np.empty((len(order), len(kept)), dtype=np.uint8)
    for i, (j, found) in enumerate(kept):
        codes[:, i] = np.concatenate([found.codes(rows, j).astype(np.uint8) for rows in parts])[order]
    return CoarseRows([found for _, found in kept], codes)


def cut(parts: Sequence[Rows], j: int, weight: Array, cells: int) -> Coarse:
    """Return a column of rows in coarse cells."""
    column = parts[0].schema.columns[j]
    if column.kind == "numbers":
        x = np.concatenate([np.asarray(rows.number(j), dtype=float) for rows in parts])
        values, counts = weighed_values(x, weight)
        counts = counts[None]
        return Coarse(column.name, cuts=native.partition([(values, counts)], 1, cells)[0])
    codes = np.concatenate([rows.codes(np.array([j]))[:, 0] for rows in parts])
    levels = [] if column.levels is None else column.levels.tolist()
    counts = np.bincount(codes[codes >= 0], weight[codes >= 0], len(levels))
    frequent = np.argsort(-counts, kind="stable")
    kept = frequent if len(levels) <= cells else frequent[: cells - 1]
    place = {int(v): i for i, v in enumerate(kept)}
    return Coarse(column.name, levels={level: place.get(v, len(kept)) for v, level in enumerate(levels)})


def weighed_values(x: Array, weight: Array) -> tuple[Array, Array]:
    """Return the distinct values that are known, ascending, and how much each weighs; x is sorted where it is."""
    if weight.min() == weight.max():  # mostly: so no order has to be kept
        x.sort()
        weight = weight[:1]
    else:
        order = np.argsort(x)
        x, weight = x[order], weight[order]
    x = x[: np.searchsorted(x, np.inf, side="right")]  # what is not known comes last
    first = np.flatnonzero(np.append(len(x) > 0, x[1:] != x[:-1]))
    if len(weight) == 1:
        return x[first], weight * np.diff(first, append=len(x))
    return x[first], np.add.reduceat(weight[: len(x)], first) if len(x) else np.zeros(0)
