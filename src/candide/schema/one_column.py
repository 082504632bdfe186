"""Documents as a table of one column, whatever holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set, ValuesView
from itertools import chain, islice
from numbers import Number
from typing import Any

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
    documents = bags_of(values, "X")
    names = (name,) if isinstance(name, str) else None
    return Table((n, 1), names, lambda _: encode(object_array(documents.texts()), "X"), texts=lambda _: documents)
