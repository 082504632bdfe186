"""A sample of the rows that are learnt, on which weights are settled afterwards: evenly spaced ones."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import Any

import numpy as np

from candide.engines.base import Given
from candide.frozen import frozen
from candide.table import Bags, Table
from candide.table.labels import Labels, code_labels

Array = np.ndarray[Any, Any]

MOST = 20_000
"""Documents that a sample has at the least where there are as many, and half of what it has at the most."""
MOST_TEXT = 1 << 27
"""Characters of documents whose words are kept as they were found, about as large; of more, they are read again."""
MOST_ROWS = 50_000
"""The same of rows without documents: `docs/tuning.md` tells what twice as many would gain."""
MOST_KEPT, LEAST = 1 << 28, 1_000
"""Characters of documents that a sample holds, and documents that it has all the same where they are very long."""


@frozen
class Kept:
    """Some rows of one table.

    Parameters
    ----------
    start : int
        The row of the source that the table begins with.
    numbers : ndarray (rows,)
        Which rows of the source they are.
    bags : dict of column to Bags
    labels : Labels
    weight : ndarray (rows,)
    table : Table or None
        The rows themselves, where they are asked for.
    """

    start: int
    numbers: Array
    bags: dict[int, Bags]
    labels: Labels
    weight: Array
    table: Table | None

    def take(self, rows: Array) -> Kept:
        """Return some rows of a part."""
        if len(rows) == len(self.numbers):
            return self
        bags = {j: b.take(rows) for j, b in self.bags.items()}
        table = None if self.table is None else self.table.take(rows)
        labels = Labels(self.labels.codes[rows], self.labels.classes)
        return Kept(self.start, self.numbers[rows], bags, labels, self.weight[rows], table)

    def coded(self, classes: Array) -> Array:
        """Return the labels by classes known before; -1 where a label is none of them."""
        mine, codes = self.labels.classes, self.labels.codes
        if mine is classes or (mine.dtype == classes.dtype != object and np.array_equal(mine, classes)):
            return codes
        found: Array = code_labels(mine, classes)[codes]
        return found

    def settling(self, classes: Array) -> Array:
        """Return which rows something may be settled on: they weigh something, and their labels are known classes."""
        return (self.weight > 0) & (self.coded(classes) >= 0)


class Sample:
    """Rows with their labels and weights, kept as tables go by: the same ones in whatever order these come.

    Parameters
    ----------
    columns : sequence of int
        The columns of documents that are kept.
    whole : bool
        Whether all other columns are kept as well.
    """

    def __init__(self, columns: Sequence[int], whole: bool = False) -> None:
        self.columns = list(columns)
        self.whole = whole
        self.most = MOST if self.columns else MOST_ROWS
        self.stride, self.seen = 1, 0
        self.parts: list[Kept] = []
        self._lock = Lock()

    def expect(self, n_rows: int) -> None:
        """Keep from the first table on no more rows than will be kept of so many."""
        while -(-n_rows // self.stride) > 2 * self.most:  # ends: it doubles
            self.stride *= 2

    def take(self, given: Given) -> Given:
        """Keep every so manyth row of the source; several threads may give tables of it at once.

        Returns all rows, to be counted: what is found in documents is then noted.
        """
        n = given.table.n_rows
        weight = np.ones(n) if given.weight is None else np.asarray(given.weight, dtype=float)
        bags = {j: given.table.bags(j) for j in self.columns}
        if given.start == 0 and n <= 2 * self.most:
            bags = {j: texts.noted() if texts.total <= MOST_TEXT else texts for j, texts in bags.items()}
        numbers, table = given.start + np.arange(n), given.table.with_bags(bags)
        part = Kept(given.start, numbers, bags, given.labels, weight, table if self.whole else None)
        part = part.take(self._kept(part))  # before others have to wait
        with self._lock:
            self.seen += n
            insort(self.parts, part, key=lambda part: part.start)
            while self._count() > 2 * self.most:  # ends: a stride beyond the rows seen keeps one of them
                self.stride *= 2
            self._take()
            while self._characters() > MOST_KEPT and self._count() > 2 * LEAST:  # ends: likewise
                self.stride *= 2
                self._take()
        return replace(given, table=table)

    def _count(self) -> int:
        """Return how many rows the present stride keeps."""
        return sum(len(self._kept(part)) for part in self.parts)

    def _characters(self) -> int:
        """Return how long the documents are that are kept."""
        return sum(bags.total for part in self.parts for bags in part.bags.values())

    def _take(self) -> None:
        """Keep the rows that the present stride keeps, and no others."""
        self.parts = [part.take(self._kept(part)) for part in self.parts]

    def _kept(self, part: Kept) -> Array:
        """Return the rows of a part that the present stride keeps: it is a power of two."""
        return np.flatnonzero(part.numbers & (self.stride - 1) == 0)

    def documents(self, column: int, classes: Array) -> tuple[list[Bags], Array, Array]:
        """Return the documents of a column that are there, in rows to settle on, their class codes and weights."""
        parts = [part.take(np.flatnonzero(~part.bags[column].missing & part.settling(classes))) for part in self.parts]
        codes = np.concatenate([part.coded(classes) for part in parts])
        return [part.bags[column] for part in parts], codes, np.concatenate([part.weight for part in parts])

    def rows(self, classes: Array) -> list[Kept]:
        """Return the parts of rows that weigh something and whose labels are known classes."""
        parts = [part.take(np.flatnonzero(part.settling(classes))) for part in self.parts]
        return [part for part in parts if len(part.numbers)]
