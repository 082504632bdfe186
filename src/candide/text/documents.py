"""From what holds documents to a table of one column, or to batches of such tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from candide.messages import shortened
from candide.progress import Done
from candide.schema.one_column import as_table, is_cell, is_column, one_by_one
from candide.schema.order import object_array
from candide.schema.schema import Schema
from candide.sources.base import Source
from candide.sources.batch import counted_from
from candide.table import Table
from candide.table.bags import bags_of
from candide.table.encode import encode
from candide.table.labels import listed

BATCH, MOST_HELD = 1 << 14, 1 << 25
"""Documents of an iterator that are held at a time, and their characters: long ones are held a few at a time."""


TEXT, LABEL, WEIGHT = "text", "label of the text", "weight of the text"
"""What the columns of documents, labels and weights are called that come one by one."""


class DocumentStream(Source):
    """Documents and their labels one by one, as batches of tables.

    Parameters
    ----------
    documents : iterator of str
    labels : iterable
        One for each document.
    weights : iterable of float or None
        As many, or none.
    column : str or int
        What the column of documents is called; a position is no name, and models of such add to those of lists.
    """

    name = "the stream of documents"
    repeatable = False

    def __init__(
        self,
        documents: Iterator[Any],
        labels: Iterable[Any],
        weights: Iterable[float] | None = None,
        column: str | int = 0,
    ) -> None:
        self.documents = documents
        beside = {LABEL: labels} if weights is None else {LABEL: labels, WEIGHT: weights}
        self.beside = {name: iter(values) for name, values in beside.items()}
        self.column = column if isinstance(column, str) else TEXT
        self.by_position = not isinstance(column, str)
        self.done: Done = lambda _: None

    def learning(self, target: str, weight: str | None) -> DocumentStream:
        """Return the same documents: their labels are known."""
        return self

    def batches(self, known: Schema | None = None, columns: Sequence[str | int] | None = None) -> Iterator[Table]:
        """Yield tables of documents, labels and weights."""
        start = 0
        for texts in some_at_a_time(self.documents):
            beside = {name: list(islice(values, len(texts))) for name, values in self.beside.items()}
            for name, values in beside.items():
                if len(values) < len(texts):
                    raise ValueError(f"there are more documents than {PLURALS[name]}")
            with counted_from(start):
                table = side_by_side({self.column: texts, **beside})
            yield table
            start += len(texts)
            self.done(None)
        for name, more in self.beside.items():
            if next(more, self) is not self:
                raise ValueError(f"there are more {PLURALS[name]} than documents")


def some_at_a_time(documents: Iterator[Any]) -> Iterator[list[Any]]:
    """Yield documents in lists of so many, or of so much text, as are held at a time."""
    held: list[Any] = []
    size = 0
    for document in documents:
        held.append(document)
        size += len(document) if isinstance(document, (str, bytes)) else 0
        if len(held) == BATCH or size >= MOST_HELD:
            yield held
            held, size = [], 0
    if held:
        yield held


PLURALS = {LABEL: "labels", WEIGHT: "weights"}


def side_by_side(given: dict[str, list[Any]]) -> Table:
    """Return a table of documents and what comes beside them."""
    names, documents = tuple(given), next(iter(given.values()))
    columns = [object_array(documents), *(listed(values) for values in list(given.values())[1:])]
    texts = [bags_of(documents, f"column {names[0]!r}"), *columns[1:]]
    shape = len(documents), len(names)
    return Table(shape, names, lambda i: encode(columns[i], names[i]), texts=texts.__getitem__)


def in_batches(X: Any, column: str | int) -> Any:
    """Return documents to be answered as lists of some at a time, a column of them as a table; all else as given."""
    if is_column(X):
        return as_table(X, column)
    X = one_by_one(X)
    if not isinstance(X, Iterator):
        return X
    first = list(islice(X, 1))
    every = chain(first, X)
    return some_at_a_time(every) if first and is_cell(first[0]) else every


def opened(X: Any, y: Any, weights: Any, column: str | int) -> tuple[Any, Any, Any]:
    """Return documents that come one by one as a source, with the names of labels and weights; all else as given."""
    X = one_by_one(X)
    if not isinstance(X, Iterator) or isinstance(y, str):
        return X, y, weights
    first = list(islice(X, 1))
    if first and isinstance(first[0], (tuple, list)):
        raise TypeError(
            f"X begins with {shortened(first[0])}: a document is text; documents and labels that come one by one are "
            "two iterators, fit(texts, labels)"
        )
    if first and not is_cell(first[0]):
        return chain(first, X), y, weights
    for name, beside in (("y", y), ("sample_weight", [] if weights is None else weights)):
        if isinstance(beside, str) or not isinstance(beside, Iterable):
            raise TypeError(
                f"{name}={beside!r:.60}: what stands beside documents that come one by one comes so as well: give an "
                "iterable"
            )
    return DocumentStream(chain(first, X), y, weights, column), LABEL, None if weights is None else WEIGHT
