"""From what holds documents to a table of one column, or to batches of such tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from numbers import Number
from types import NoneType
from typing import Any

import numpy as np

from candide.progress import Done
from candide.schema.order import object_array
from candide.schema.schema import Schema
from candide.table import Table
from candide.table.bags import bags_of
from candide.table.encode import encode

BATCH = 1 << 14
"""Documents of an iterator that are held at a time."""

CELLS = (str, bytes, NoneType, Number)
"""What one document may be, or be mistaken for: whoever gives numbers is told that a document is text."""

TEXT, LABEL = "text", "label"
"""What the columns of documents and labels are called that come one by one."""


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
    if isinstance(X, (str, bytes)):
        X = [X]
    if isinstance(X, Iterator):
        first = list(islice(X, 1))
        if first and not isinstance(first[0], CELLS):
            return chain(first, X)  # frames
        X = [*first, *X]
    if isinstance(X, tuple):
        X = list(X)
    if isinstance(X, list):
        if X and not isinstance(X[0], CELLS):
            return X  # rows of cells, or frames
        return of_column(X, len(X), name)
    if is_column(X):
        return of_column(X, len(X), name)
    return X


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
    """

    name = "the documents"
    repeatable = False

    def __init__(self, documents: Iterator[Any], labels: Iterable[Any]) -> None:
        self.documents, self.labels = documents, iter(labels)
        self.done: Done = lambda _: None

    def learning(self, target: str, weight: str | None) -> DocumentStream:
        """Return the same documents: their labels are known."""
        return self

    def batches(self, known: Schema | None = None, columns: Sequence[str | int] | None = None) -> Iterator[Table]:
        """Yield tables of documents and labels."""
        while texts := list(islice(self.documents, BATCH)):  # ends: with the documents
            labels = list(islice(self.labels, len(texts)))
            if len(labels) < len(texts):
                raise ValueError("there are more documents than labels")
            yield pairs(texts, labels)
            self.done(None)
        if next(self.labels, self) is not self:
            raise ValueError("there are more labels than documents")


def pairs(texts: list[Any], labels: list[Any]) -> Table:
    """Return a table of documents and labels."""
    named = isinstance(labels[0], str)
    columns = [object_array(texts), object_array(labels) if named else np.asarray(labels)]
    names = (TEXT, LABEL)
    return Table((len(texts), 2), names, lambda i: encode(columns[i], names[i]), texts=columns.__getitem__)


def opened(X: Any, y: Any) -> tuple[Any, Any]:
    """Return documents that come one by one as a source, with the name of its labels; all else as it was given."""
    if not isinstance(X, Iterator) or isinstance(y, str):
        return X, y
    first = next(X, None)
    if not isinstance(first, (str, bytes, type(None))):
        return chain([first], X), y
    if y is None:
        raise TypeError("documents that come one by one have labels that come so as well: give y as an iterable")
    return DocumentStream(chain([first], X), y), LABEL
