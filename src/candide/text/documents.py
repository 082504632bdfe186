"""From what holds documents to a table of one column, or to batches of such tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain, islice
from numbers import Number
from typing import Any

import numpy as np

from candide.progress import Done
from candide.schema.order import object_array
from candide.schema.schema import Schema
from candide.table import Table
from candide.table.bags import bags_of
from candide.table.encode import encode
from candide.table.objects import is_missing

Array = np.ndarray[Any, Any]

BATCH = 1 << 14
"""Documents of an iterator that are held at a time."""


TEXT, LABEL, WEIGHT = "text", "label of the text", "weight of the text"
"""What the columns of documents, labels and weights are called that come one by one."""


def as_table(X: Any, name: str | int = 0) -> Any:
    """Return documents as a table of one column of this name; frames and sources of tables as they are.

    Parameters
    ----------
    X : str, sequence or iterator of str, NumPy array, pandas, Polars or Arrow column; or a frame, or a source of frames
        A single text is one document.
    name : str or int
        The name of the column; a position is no name.

    Examples
    --------
    >>> as_table(["a claim", None]).bags(0).missing.tolist()
    [False, True]
    """
    if isinstance(X, Table):
        return X
    if isinstance(X, (Number, Set)) or (not hasattr(X, "__len__") and is_missing(X)):
        raise TypeError(
            f"X is {X!r:.60} ({type(X).__name__}): a document is text, and several are a list or a column of them"
        )
    if isinstance(X, (str, bytes)):
        X = [X]
    if isinstance(X, Iterator):
        first = list(islice(X, 1))
        if first and not is_cell(first[0]):
            return chain(first, X)  # frames
        X = [*first, *X]
    if isinstance(X, tuple):
        X = list(X)
    if isinstance(X, list):
        if X and not is_cell(X[0]):
            return X  # rows of cells, or frames
        return of_column(X, len(X), name)
    if is_column(X):
        return of_column(X, len(X), name)
    return X


def is_cell(value: Any) -> bool:
    """Whether a value is one document, or mistaken for one: whoever gives numbers is told that a document is text."""
    return isinstance(value, (str, bytes, Number)) or (not hasattr(value, "__len__") and is_missing(value))


def is_column(X: Any) -> bool:
    """Whether X is one column: an array of one dimension, a series, or an Arrow array."""
    shape = getattr(X, "shape", None)
    if shape is not None:
        return len(shape) == 1
    return type(X).__module__.startswith("pyarrow") and hasattr(X, "null_count") and hasattr(X, "type")


def of_column(values: Any, n: int, name: str | int) -> Table:
    """Return a table of one column of documents."""
    if n < 1:
        raise ValueError("Found array with 0 sample(s) (shape=(0,)) while a minimum of 1 is required.")
    documents = bags_of(values, "X")
    names = (name,) if isinstance(name, str) else None
    return Table((n, 1), names, lambda _: encode(object_array(documents.texts()), "X"), texts=lambda _: documents)


class DocumentStream:
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
        while texts := list(islice(self.documents, BATCH)):  # ends: with the documents
            beside = {name: list(islice(values, len(texts))) for name, values in self.beside.items()}
            for name, values in beside.items():
                if len(values) < len(texts):
                    raise ValueError(f"there are more documents than {PLURALS[name]}")
            yield side_by_side({self.column: texts, **beside})
            self.done(None)
        for name, more in self.beside.items():
            if next(more, self) is not self:
                raise ValueError(f"there are more {PLURALS[name]} than documents")


PLURALS = {LABEL: "labels", WEIGHT: "weights"}


def side_by_side(given: dict[str, list[Any]]) -> Table:
    """Return a table of documents and what comes beside them."""
    names, documents = tuple(given), next(iter(given.values()))
    columns = [object_array(documents), *(of_one_kind(values) for values in list(given.values())[1:])]
    shape = len(documents), len(names)
    return Table(shape, names, lambda i: encode(columns[i], names[i]), texts=columns.__getitem__)


def of_one_kind(values: list[Any]) -> Array:
    """Return labels or weights as an array."""
    return object_array(values) if isinstance(values[0], str) else np.asarray(values)


def opened(X: Any, y: Any, weights: Any, column: str | int) -> tuple[Any, Any, Any]:
    """Return documents that come one by one as a source, with the names of labels and weights; all else as given."""
    if not isinstance(X, Iterator) or isinstance(y, str):
        return X, y, weights
    first = list(islice(X, 1))
    if first and not is_cell(first[0]):
        return chain(first, X), y, weights
    if y is None:
        raise TypeError("documents that come one by one have labels that come so as well: give y as an iterable")
    return DocumentStream(chain(first, X), y, weights, column), LABEL, None if weights is None else WEIGHT
