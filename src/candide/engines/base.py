"""What an engine is: from a source of rows to a stream of what they teach, which adds up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, Protocol

import numpy as np

from candide.frozen import frozen
from candide.reading import TableReading
from candide.schema.column import Kind
from candide.schema.schema import Schema
from candide.statistics.learnt import Learnt
from candide.statistics.request import Request
from candide.table import Table
from candide.table.labels import Labels

Array = np.ndarray[Any, Any]


@frozen
class Given:
    """A table with the labels and weights of its rows.

    Parameters
    ----------
    table : Table
    labels : Labels
    weight : ndarray (rows,) or None
        Integer weights keep counts integers.
    start : int
        The row of the source that the table begins with, for messages.
    reading : TableReading
        How the columns of the table were read from those that were given.
    """

    table: Table
    labels: Labels
    weight: Array | None = None
    start: int = 0
    reading: TableReading = field(default_factory=TableReading)

    @property
    def names(self) -> list[str | int]:
        """Names of the columns, or their positions."""
        return list(range(self.table.n_columns)) if self.table.names is None else list(self.table.names)

    def rows(self, start: int, stop: int) -> Given:
        """Return a range of rows."""
        part = slice(start, stop)
        labels = Labels(self.labels.codes[part], self.labels.classes)
        weight = None if self.weight is None else self.weight[part]
        return Given(self.table.rows(start, stop), labels, weight, self.start + start, self.reading)


class Engine(Protocol):
    """Turns a source into what its rows teach; `fit` is the sum. It never sees a distribution."""

    def columns(self, source: Any) -> tuple[Sequence[str | int], Sequence[Kind]]:
        """Return the names of a source's columns, without the target, and what their cells are."""
        ...

    def learn(self, source: Any, request: Request, known: Schema | None = None) -> Iterator[Learnt]:
        """Yield what was learnt, part by part: each under a schema of its own, and all of them add up."""
        ...
