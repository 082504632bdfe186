"""The engine for sources that are read batch by batch: each is counted and dropped, and what they teach adds up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from candide.engines.base import Given
from candide.engines.memory import Memory
from candide.engines.sample import Sample
from candide.frozen import frozen
from candide.native import useful_threads
from candide.overlap import begun, overlapped, workers
from candide.reading import TableReading, look
from candide.reading.kinds import in_one_kind, labels_in, like_known
from candide.schema.alignment import align, unmeasured
from candide.schema.column import Kind
from candide.schema.known_numbers import as_numbered
from candide.schema.known_truths import TruthColumns, as_learnt, shown_truths
from candide.schema.schema import Schema
from candide.sources.base import Source
from candide.sources.batch import counted_from
from candide.statistics.learnt import Learnt
from candide.statistics.request import Request
from candide.table import Numbers, Symbols, Table, read
from candide.table.weights import read_weights

Array = np.ndarray[Any, Any]


class Adding(Protocol):
    """What adds up."""

    def __add__(self, other: Self, /) -> Self: ...


Adds = TypeVar("Adds", bound=Adding)

LOOKAHEAD = 16
"""Batches held at the most while a column shows nothing but missing cells, which tells neither numbers nor symbols."""


@dataclass(eq=False)
class Batched:
    """A source whose rows have their labels, and where asked their weights, in columns of their own.

    Parameters
    ----------
    source : Source
    target : str
        The column of the labels.
    weight : str or None
        The column of the weights.
    known : Schema or None
        What was learnt before: cells are read as it has them.
    who : str
        The estimator's name, for messages.
    sample : Sample or None
        What keeps some of the rows as they go by.
    every : bool
        Give batches whose rows weigh nothing as well: there is nothing to be learnt from them.
    reading : "auto", "plain", a mapping or a TableReading
        How columns are read where nothing was learnt before: as the first batch shows.
    found : TableReading or None
        How they are read, once that is seen.
    truths : mapping or None
        Its columns of yes and no: those that were learnt before, or that the first batch shows.
    """

    source: Source
    target: str
    weight: str | None = None
    known: Schema | None = None
    who: str = "the model"
    sample: Sample | None = None
    every: bool = False
    reading: Any = "plain"
    found: TableReading | None = None
    truths: TruthColumns | None = None
    _ahead: list[Given] = field(default_factory=list)
    _rest: Iterator[tuple[Table, int]] | None = None
    _others: Iterator[Iterator[tuple[Table, int]]] = field(default_factory=lambda: iter(()))

    def look(self) -> list[Given]:
        """Return the first batches, as many as it takes until every column has shown something; they are kept."""
        if self._rest is None:
            self._rest = self._begin()
            blank: set[int] | None = None
            for table, start in islice(self._following(), LOOKAHEAD):
                given = self.given(table, start)
                self._ahead.append(given)
                here = {j for j in range(given.table.n_columns) if is_blank(given.table, j)}
                blank = here if blank is None else blank & here
                if not blank:
                    break
        if not self._ahead:
            weighing = "" if self.weight is None else f" with a weight in {self.weight!r}"
            raise ValueError(f"{self.source.name} has no rows{weighing} to learn from")
        return self._ahead

    def shares(self) -> Iterator[Iterator[Given | tuple[Table, int]]]:
        """Yield the batches in shares that different threads may read: of the parts of the source, where it has any.

        The first has those that were looked at, as they were given; all others are as `given` takes them.
        """
        self.look()
        ahead, self._ahead = self._ahead, []
        rest, self._rest = self._rest, None
        ahead.reverse()
        yield chain((ahead.pop() for _ in range(len(ahead))), rest or ())  # and held no longer
        yield from self._others

    @property
    def n_rows(self) -> int:
        """How many rows will be given at the least: all of them, where the source has counted them and each weighs."""
        return 0 if self.weight is not None else self.source.n_rows or 0

    @property
    def is_divided(self) -> bool:
        """Whether there are several shares."""
        following = next(self._others, None)
        self._others = iter(()) if following is None else chain([following], self._others)
        return following is not None

    def __iter__(self) -> Iterator[Given]:
        """Yield every batch once."""
        for batch in chain.from_iterable(self.shares()):
            yield self.taken(batch)

    def taken(self, batch: Given | tuple[Table, int]) -> Given:
        """Return a batch with its labels and weights, once the sample has had its share of it."""
        given = batch if isinstance(batch, Given) else self.given(*batch)
        return given if self.sample is None else self.sample.take(given)

    def _begin(self) -> Iterator[tuple[Table, int]]:
        """Return the first share of the batches, all of them where the source has no parts; the second is begun."""
        parts = self.source.parts(self.known)
        first = self._read(*next(parts, (self.source, 0)))
        self._others = (self._read(part, start) for part, start in parts)
        if workers() > 1:
            self._others = chain([begun(second) for second in islice(self._others, 1)], self._others)
        return first

    def _following(self) -> Iterator[tuple[Table, int]]:
        """Yield the batches of one share after the other; what is left of the last one is the rest."""
        shares = chain([self._rest or iter(())], self._others)
        for self._rest in shares:
            for batch in self._rest:  # noqa: UP028  # which would be closed when no more batches are looked at
                yield batch

    def _read(self, source: Source, start: int) -> Iterator[tuple[Table, int]]:
        """Yield tables that hold a row of some weight, and the row of the source that each begins with."""
        for frame in source.batches(self.known):
            table = read(frame, self.source.name)
            with counted_from(start):
                weighs = self._weighs(table)
            if weighs or self.every:
                yield table, start
            start += table.n_rows

    def _column(self, table: Table, name: str) -> Numbers | Symbols:
        """Return the column of the weights."""
        self._column_there(table, name)
        return table.column(table.index(name))

    def _column_there(self, table: Table, name: str) -> None:
        """Refuse a batch without the column of the labels or of the weights."""
        if table.names is None or name not in table.names:
            columns = list(table.names or ())[:20]
            raise ValueError(f"{self.source.name} has no column {name!r}; it has {columns}")

    def _weighs(self, table: Table) -> bool:
        """Whether any row of a batch has a weight: one without teaches nothing."""
        if self.weight is None:
            return True
        column = self._column(table, self.weight)
        if not isinstance(column, Numbers):
            raise TypeError(f"{self.source.name}: column {self.weight!r} holds no numbers to weigh rows by")
        return bool(column.values.any())

    def given(self, table: Table, start: int) -> Given:
        """Return a table without the columns of its labels and weights, and with these."""
        with counted_from(start):
            return replace(self._given(table), start=start)

    def _given(self, table: Table) -> Given:
        apart = [name for name in (self.target, self.weight) if name is not None]
        self._column_there(table, self.target)
        labels = labels_in(table, self.target, self.reading)
        weight = None if self.weight is None else self._column(table, self.weight)
        rest = table.select([j for j in range(table.n_columns) if table.names is None or table.names[j] not in apart])
        if not rest.n_columns:
            raise ValueError(f"{self.source.name} has no column besides {apart}: at least one feature is required")
        if self.known is not None:
            if not isinstance(self.known.names[0], str):
                rest = by_position(rest)
            labels = like_known(labels, self.known.classes, self.reading)
            rest = align(rest, self.known, self.who, reading=self.reading)
            found = self.known.reading
        else:
            rest = by_position(rest) if self.source.by_position else rest
            found = self._look_at(rest)
            rest = found.apply(in_one_kind(rest, self.reading, found, unmeasured(found)))
            if self.truths is None:  # what a source has told of all its cells needs no more
                self.truths = {} if self.source.looks_at_all else shown_truths(rest, self.reading)
        rest = as_learnt(rest, self.truths or {})
        if self.known is not None:
            rest = as_numbered(rest, self.known, self.reading)
        weights = None if weight is None else self._weights(weight.values, table.n_rows)  # type: ignore[union-attr]
        return Given(rest, labels, weights, reading=found)

    def _look_at(self, table: Table) -> TableReading:
        """Return how columns are read, as the first batch shows it."""
        if self.found is None:
            told: Any = {} if self.reading == "plain" else self.source.readers()
            options = self.source.options
            self.found = look(
                in_one_kind(table, self.reading),
                self.reading,
                told,
                options.dates,
                tuple(filter(None, options.missing)),
            )
        return self.found

    def _weights(self, values: Array, n_rows: int) -> Array | None:
        """Return weights, checked; some of those rows may weigh nothing at all, and are given for another reason."""
        return values if self.every and not values.any() else read_weights(values, n_rows)


def by_position(table: Table) -> Table:
    """Return a table whose columns go by position: their names served to tell the labels."""
    return table.called(range(table.n_columns))


def is_blank(table: Table, j: int) -> bool:
    """Whether a column shows nothing but missing cells."""
    if table.kind(j) == "bags":
        return False
    column = table.column(j)
    if isinstance(column, Symbols):
        return not (column.codes >= 0).any()
    return column.values.dtype.kind == "f" and bool(np.isnan(column.values).all())


@frozen
class Batches:
    """Counts a source batch by batch, one while the next is read; or several at the same time, each by one thread.

    These are its parts, where it has any, or batches so small that no kernel would wake a thread for one of them.
    Memory is bounded by the statistics and the batches in flight: three, one a thread that reads a part, or two more
    than threads; and those looked at ahead.
    """

    def columns(self, source: Batched) -> tuple[Sequence[str | int], Sequence[Kind]]:
        """Return names and kinds as the batches ahead show them: of each column the first that is not blank."""
        names: Sequence[str | int] = ()
        kinds: dict[int, Kind] = {}
        for given in source.look():
            names, here = Memory().columns(given)
            for j, kind in enumerate(here):
                if j not in kinds and not is_blank(given.table, j):
                    kinds[j] = kind
        return names, [kinds.get(j, "numbers") for j in range(len(names))]

    def learn(self, source: Batched, request: Request, known: Schema | None = None) -> Iterator[Learnt]:
        """Yield what all batches teach, added up."""
        seen = known

        def count(batches: Iterable[Given | tuple[Table, int]]) -> Learnt | None:
            # the cells of any batch before serve: whichever they are, the sum is the same
            nonlocal seen
            total: Learnt | None = None
            for batch in batches:
                total = added([total, *Memory().learn(source.taken(batch), request, seen)])
                seen = seen if total is None else total.schema
            return total

        first = source.look()[0].table
        if source.is_divided:
            total = added(overlapped(count, source.shares(), workers()))
        else:
            documents = any(want.kind == "bags" for want in request.columns)  # of which there is no saying by cells
            small = not documents and useful_threads(first.n_rows * first.n_columns) == 1
            batches = zip(chain.from_iterable(source.shares()), strict=False)
            total = added(overlapped(count, batches, workers() if small else 1))
        if total is not None:
            yield total


def added(parts: Iterable[Adds | None]) -> Adds | None:
    """Return the sum of what parts taught; None where none taught anything."""
    total: Adds | None = None
    for part in parts:
        total = part if total is None else total if part is None else total + part
    return total
