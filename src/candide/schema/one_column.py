"""Documents as a table of one column, whatever holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set, ValuesView
from itertools import chain, islice
from numbers import Number
from typing import Any

from candide.messages import shortened
from candide.schema.order import object_array
from candide.table import Table
from candide.table.bags import bags_of
from candide.table.encode import encode
from candide.table.objects import is_missing


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
    X = one_by_one(X)
    if getattr(X, "shape", None) == ():  # an array of one text has no length
        X = X.item()
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
    if isinstance(X, (Sequence, ValuesView)):
        X = list(X)
    if isinstance(X, list) and X and not is_cell(X[0]):
        check_one_cell(X[0])
        return X  # rows of cells, or frames
    return of_column(X, len(X), name) if isinstance(X, list) or is_column(X) else X


def check_one_cell(row: Any) -> None:
    """Refuse a first row of words: whoever has found them before is told that a document is text."""
    if isinstance(row, (list, tuple)) and len(row) != 1:
        raise TypeError(
            f"row 0 of X is a {type(row).__name__} of {len(row)} cells, {shortened(row)}: a document is text; words "
            "that were found before are joined to one, as ' '.join(words) does"
        )


MANY = ("__len__", "__fspath__", "__arrow_c_stream__", "collect")
"""What a row, a table or what is read as one has: a length, a path, or rows that come as a stream or when asked."""


def is_cell(value: Any) -> bool:
    """Whether a value is one document, or mistaken for one: whoever gives numbers is told that a document is text."""
    return isinstance(value, (str, bytes, bytearray, memoryview, Set)) or not any(hasattr(value, of) for of in MANY)


def one_by_one(X: Any) -> Any:
    """Return an iterator over documents that can be gone through and no more, as a corpus can; all else as given."""
    if not isinstance(X, Iterable) or any(hasattr(X, of) for of in (*MANY, "__next__", "shape", "batches")):
        return X
    documents = iter(X)
    first = list(islice(documents, 1))
    return chain(first, documents) if first and is_cell(first[0]) else X


def is_column(X: Any) -> bool:
    """Whether X is one column: an array of one dimension, a series, or an Arrow array."""
    shape = getattr(X, "shape", None)
    if shape is not None:
        return len(shape) == 1
    return type(X).__module__.startswith("pyarrow") and hasattr(X, "null_count") and hasattr(X, "type")


def of_column(values: Any, n: int, name: str | int) -> Table:
    """Return a table of one column of documents."""
    documents = bags_of(values, "X")
    names = (name,) if isinstance(name, str) else None
    return Table((n, 1), names, lambda _: encode(object_array(documents.texts()), "X"), texts=lambda _: documents)
