"""Pairs: which two columns tell together what neither tells alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
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
CODED = 1 << 15
"""Rows whose coarse cells are found at a time: these take many bytes each until they are kept in one."""


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

    @property
    def candidates(self) -> list[tuple[int, int]]:
        """All pairs of columns."""
        return list(combinations(range(len(self.coarse)), 2))

    def enough(self, rows: Array, n_classes: int) -> Array:
        """Return the rows that pairs are searched on: of too many, evenly spaced ones."""
        work = len(self.candidates) * len(rows) * n_classes
        return rows[:: max(1, int(np.ceil(work / WORK)), len(rows) // ENOUGH_ROWS)]

    def search(
        self, rows: Array, residual: Array, curvature: Array, most: int, known: Sequence[tuple[int, int]] = ()
    ) -> list[tuple[int, int]]:
        """Return the pairs that tell most of residuals (rows, K), if they tell more than the luckiest of as many would.

        Parameters
        ----------
        rows : ndarray of int
            The rows that the residuals are of.
        residual, curvature : ndarray (rows, K)
            [c = y] − P(c) and P(c) (1 − P(c)).
        most : int
        known : sequence of (int, int)
            Pairs that were found before, which are not told again.
        """
        pairs = self.candidates
        if not pairs or not most:
            return []
        gain, score = native.pair_gains(self.codes[rows], self.sizes, residual, curvature, RIDGE)
        new = np.array([pair not in known for pair in pairs])
        found = np.flatnonzero(new & (score > np.sqrt(2.0 * np.log(max(len(pairs), 2)))))
        return [pairs[p] for p in found[np.argsort(-gain[found], kind="stable")][:most]]


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
        if not pairs:
            return cls(of, [], [])
        sizes = of.sizes
        marks = native.mark_pairs(of.codes, sizes, np.array(pairs, dtype=np.int64))
        by_pair = np.split(marks, np.cumsum([sizes[a] * sizes[b] for a, b in pairs])[:-1])
        return cls(of, pairs, [np.flatnonzero(found) for found in by_pair])

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

    def behind(self, beside: Array, rows: Array | None = None) -> Array:
        """Return the codes of rows, those of the pairs behind others.

        Parameters
        ----------
        beside : ndarray of int (all rows, any)
            The codes that come first.
        rows : ndarray of int or None
            None: all.
        """
        first = beside if rows is None else beside[rows]
        n, columns = first.shape
        out = np.empty((n, columns + len(self.pairs)), dtype=beside.dtype)
        out[:, :columns] = first
        if self.pairs:
            pairs = np.array(self.pairs, dtype=np.int64)
            native.join_pairs(self.of.codes, self.of.sizes, pairs, self.places, rows, out[:, columns:])
        return out

    @cached_property
    def places(self) -> Array:
        """Where each cell of every pair is among those that occur: a pair has fewer than a byte can tell."""
        sizes = self.of.sizes
        places = [np.zeros(sizes[a] * sizes[b], dtype=np.uint8) for a, b in self.pairs]
        for place, cells in zip(places, self.occurring, strict=True):
            place[cells] = np.arange(len(cells))
        return np.concatenate(places)


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
    of_row, place = np.empty(len(order)), np.empty_like(order)
    of_row[order], place[order] = weight, np.arange(len(order))
    begins = offsets(len(rows) for rows in parts).tolist()
    cuts = [(j, cut(parts, j, of_row, cells)) for j in positions]
    kept = [(j, found) for j, found in cuts if found.size > 2]
    codes = np.empty((len(order), len(kept)), dtype=np.uint8)
    for rows, a in zip(parts, begins[:-1], strict=True):
        for part, batch in rows.batches(CODED):
            for i, (j, found) in enumerate(kept):
                codes[place[a:][part], i] = found.codes(batch, j)
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
