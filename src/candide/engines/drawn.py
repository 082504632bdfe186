"""Drawn rows: some of the rows of partitions, no more than a bound however many there are, as a value that adds.

Row n of partition p has the mark n ⊕ r(p), and a stride s, a power of two, draws the rows whose mark is a multiple of
it: every s-th row of each partition, from one on that the number of the partition tells. So a partition has a share of
the rows by its size, and one of fewer than s rows has one row or none. The stride is the least that keeps within the
bound. More rows never have a smaller one, and what a stride draws holds what a greater one draws: hence the rows that
are drawn of a sum are the same in whatever order it is made, and none that was left out on the way is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from candide.engines.sample import LEAST, Sample
from candide.frozen import frozen
from candide.sources.streams import one_behind_the_other

Array = np.ndarray[Any, Any]

MOST_SENT = 1 << 26
"""Bytes of rows that are sent at a time at the most, unless few of them are as long."""
SPREAD = 16
"""Partitions send so many times the bound together at the most: one of so many times their mean size has its share."""
GOLDEN = 0x9E3779B9
"""The golden ratio's fraction in 32 bits: its multiples lie evenly in whatever number they are taken."""
WIDEST = 1 << 62
"""The greatest stride."""


@frozen
class Bound:
    """How many rows are drawn at the most.

    Parameters
    ----------
    rows : int
    size : int
        Bytes of them.
    least : int
        Rows that may be longer together.
    """

    rows: int
    size: int
    least: int

    @classmethod
    def of(cls, sample: Sample) -> Bound:
        """Return how many rows are drawn for a sample."""
        return cls(2 * sample.most, MOST_SENT, 2 * LEAST)

    def is_short_of(self, rows: Any) -> bool:
        """Whether there is no room for rows as long as these."""
        return bool(rows.nbytes > self.size and rows.num_rows > self.least)

    def shared(self, partitions: int) -> Bound:
        """Return the bound of one among so many partitions."""
        part = min(1.0, SPREAD / partitions)
        return Bound(*(max(1, int(part * most)) for most in (self.rows, self.size, self.least)))


@frozen
class Drawn:
    """Rows that were drawn, as they were given.

    Parameters
    ----------
    bound : Bound
    rows : pyarrow.Table
    partition, number, mark : ndarray (rows,)
        Of which partition each row is, which of its rows, and its mark.
    seen : int
        How many rows there were to draw from.
    stride : int
        One of so many rows is drawn.

    Examples
    --------
    >>> import pyarrow as pa
    >>> five = Bound(rows=5, size=1 << 20, least=1)
    >>> one, two = (Drawn.of(pa.table({"x": range(8 * p, 8 * p + 8)}), p, five) for p in (0, 1))
    >>> one.rows["x"].to_pylist(), two.rows["x"].to_pylist()
    ([0, 2, 4, 6], [9, 11, 13, 15])
    >>> both = one + two
    >>> both.rows["x"].to_pylist(), both.seen, both.stride
    ([0, 4, 9, 13], 16, 4)
    """

    bound: Bound
    rows: Any
    partition: Array
    number: Array
    mark: Array
    seen: int
    stride: int = 1

    @classmethod
    def of(cls, rows: Any, partition: int, bound: Bound, start: int = 0, stride: int = 1) -> Drawn:
        """Return what is drawn of a table of a partition, which begins with such a row of it."""
        n = rows.num_rows
        number = start + np.arange(n, dtype=np.int64)
        drawn = cls(bound, rows, np.full(n, partition), number, number ^ first_row(partition), n, stride)
        return drawn._within()

    def __add__(self, other: Drawn) -> Drawn:
        stride = max(self.stride, other.stride)
        one, two = (drawn if drawn.stride == stride else drawn._every(stride) for drawn in (self, other))
        return replace(
            one,
            rows=one_behind_the_other([one.rows, two.rows]),
            partition=np.concatenate([one.partition, two.partition]),
            number=np.concatenate([one.number, two.number]),
            mark=np.concatenate([one.mark, two.mark]),
            seen=one.seen + two.seen,
        )._within()

    @property
    def ordered(self) -> Drawn:
        """The same rows in the order of the partitions and of their rows, in one piece."""
        return self._take(np.lexsort([self.number, self.partition]))

    def _within(self) -> Drawn:
        """Return the rows of the least stride that keeps within the bound."""
        stride, bound = self.stride, self.bound
        while np.count_nonzero(self.mark & (stride - 1) == 0) > bound.rows and stride < WIDEST:  # ends: it doubles
            stride *= 2
        drawn = self._every(stride)
        while bound.is_short_of(drawn.rows) and stride < WIDEST:  # ends: likewise
            stride *= 2
            drawn = drawn._every(stride)
        return drawn

    def _every(self, stride: int) -> Drawn:
        """Return the rows that a stride draws."""
        kept = np.flatnonzero(self.mark & (stride - 1) == 0)
        return replace(self if len(kept) == len(self.mark) else self._take(kept), stride=stride)

    def _take(self, at: Array) -> Drawn:
        """Return some rows, copied, so that the others need not be kept."""
        places = {name: getattr(self, name)[at] for name in ("partition", "number", "mark")}
        return replace(self, rows=self.rows.take(at), **places)


def first_row(partition: int) -> int:
    """Return r(p): the bits of a multiple of the golden ratio in reverse order, so that its leading ones come last.

    Those tell which of s rows is drawn: evenly spread over partitions, since the multiples are.

    Examples
    --------
    >>> [first_row(p) % 8 for p in range(8)]
    [0, 1, 4, 3, 6, 0, 5, 2]
    """
    return int(f"{partition * GOLDEN % (1 << 32):032b}"[::-1], 2)


class Drawing:
    """Draws rows of a partition as its tables go by.

    Parameters
    ----------
    bound : Bound
    partition : int
    partitions : int or None
        How many there are; None: at least as many as its number says.
    """

    def __init__(self, bound: Bound, partition: int, partitions: int | None) -> None:
        self.bound, self.partition = bound, partition
        self.own = bound.shared(partitions or partition + 1)
        self._drawn: Drawn | None = None

    def passing(self, tables: Iterable[Any]) -> Iterator[Any]:
        """Yield the tables, once some of their rows are drawn."""
        for table in tables:
            drawn = self._drawn
            if drawn is None:
                self._drawn = Drawn.of(table, self.partition, self.own)
            else:
                self._drawn = drawn + Drawn.of(table, self.partition, self.own, drawn.seen, drawn.stride)
            yield table

    @property
    def drawn(self) -> Drawn | None:
        """The rows that were drawn, to be added to those of other partitions."""
        return None if self._drawn is None else replace(self._drawn, bound=self.bound).ordered
