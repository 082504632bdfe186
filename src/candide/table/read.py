"""Reading: any frame or array as named columns of numbers and symbols."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from candide.messages import shortened
from candide.table.arrays import installed, is_masked
from candide.table.arrow import encode_arrow, stored_columns
from candide.table.columns import Array, Numbers, plain, seconds
from candide.table.encode import encode, library
from candide.table.mappings import are_mappings, is_named_row, is_row, json_rows, read_mappings
from candide.table.table import Table

RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
    "or array.reshape(1, -1) if it contains a single sample."
)


def read(X: Any, name: str = "X", empty: bool = False) -> Table:
    """Read a table: a NumPy array, nested lists, a SciPy sparse matrix, or a data frame.

    Text, booleans and categorical dtypes become `Symbols`, numbers and dates `Numbers` (dates in seconds
    since 1970); a sparse matrix holds numbers only.

    Parameters
    ----------
    X : array, sparse matrix, pandas, Polars or PyArrow frame, what narwhals reads, a dict (a row), a list of dicts, a
        pandas Series with names (a row), or the text of a JSON object, of an array of them, or of one a line
    name : str
        What to call the table in a message.
    empty : bool
        Whether there may be no rows, or rows by name without a cell: they are answered, and teach nothing.

    Examples
    --------
    >>> table = read([["red", 4], ["blue", None]])
    >>> table.column(0).levels.tolist(), table.column(1).values.tolist()
    (['red', 'blue'], [4.0, nan])
    """
    table = X if isinstance(X, Table) else _read(X, name)
    if not (table.n_rows and table.n_columns):
        _check_filled(table, empty)
    return table


def _read(X: Any, name: str) -> Table:
    """Read a table that may have no rows."""
    if isinstance(X, np.ndarray):
        return _read_array(X, name)
    if hasattr(X, "tocsr"):
        return _read_sparse(X)
    if isinstance(X, (list, tuple, Mapping, str, bytes)) or is_named_row(X):
        return _read_python(X, name)
    origin = library(X)
    if origin == "polars" and hasattr(X, "collect"):
        X = X.collect()
    if hasattr(X, "columns") and origin in FRAMES:
        return FRAMES[origin](X)
    if hasattr(X, "columns") or not hasattr(X, "__array__"):
        frame = _foreign(X)
        if frame is not None:
            return _read(frame, name)
    if isinstance(X, (os.PathLike, Iterator)):
        raise TypeError(f"{name} is a {type(X).__name__} and no table: fit and predict_batches read it, in batches")
    return _read_array(np.asarray(X), name)


def _read_python(X: Any, name: str) -> Table:
    """Read nested lists, rows that are mappings or JSON, or one such row."""
    if isinstance(X, (str, bytes)):
        X = json_rows(X)
    if is_named_row(X):
        X = X.to_dict()
    if are_mappings(X) or (isinstance(X, (list, tuple)) and not X):
        return read_mappings(X)
    if is_row(X):
        return read_mappings([X])
    if isinstance(X, Mapping):
        raise TypeError(f"{name} is a {type(X).__name__} of columns: make it a data frame, as pandas.DataFrame({name})")
    odd = next((n for n, row in enumerate(X) if not isinstance(row, Mapping)), 0)
    if odd and isinstance(X[0], Mapping):
        raise TypeError(f"row {odd} of {name} is no dict as those before it, but {shortened(X[odd])}: give all alike")
    return _read_array(_nested(X, name), name)


def _read_array(X: Array, name: str) -> Table:
    if X.dtype.names is not None:
        raise TypeError(f"{name} is an array of fields with names: make it a data frame, as pandas.DataFrame({name})")
    if X.ndim != 2:
        raise ValueError(_not_2d(X, name))
    if is_masked(X):
        X = _unmasked(X)
    kind = X.dtype.kind
    if kind in "Mm":
        cells = np.asarray(X)
        return Table(X.shape, None, lambda i: seconds(cells[:, i]), texts=lambda i: cells[:, i])
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{name} holds complex numbers; take their real parts")
    if kind not in "iufbOUST":
        raise TypeError(f"{name} is an array of {X.dtype}; give a two-dimensional array or a data frame")
    if kind in "iuf":
        matrix = plain(np.asarray(X))
        return Table(X.shape, None, lambda i: Numbers(matrix[:, i]), matrix)
    cells = np.asarray(X)
    return Table(X.shape, None, lambda i: encode(cells[:, i], f"{name}'s column {i}"), texts=lambda i: cells[:, i])


def _unmasked(X: Array) -> Array:
    """Return a masked array as a plain one, with masked cells missing."""
    cells = np.array(X, float if X.dtype.kind in "iuf" else object)
    cells[np.ma.getmaskarray(X)] = None
    return cells


def _nested(X: Sequence[Any], name: str) -> Array:
    """Return nested lists as an array: of numbers if all cells are numbers, otherwise of objects."""
    try:
        cells = np.array(X, dtype=object)
    except ValueError:
        cells = np.empty(len(X), object)
    if cells.ndim == 1 and len({len(row) if hasattr(row, "__len__") else None for row in X}) > 1:
        if all(isinstance(row, str) or not hasattr(row, "__len__") for row in X):
            raise ValueError(
                f"Expected 2D array, got 1D array instead: {name} is one row; give a list of rows, [[...]]"
            )
        raise ValueError(f"the rows of {name} do not all have the same number of cells")
    kinds = set(map(type, cells.ravel().tolist()))
    if kinds and all(issubclass(kind, (float, int, np.number)) and kind is not bool for kind in kinds):
        numbers = np.asarray(X)
        return numbers.astype(float) if numbers.dtype == object else numbers  # integers beyond 64 bits
    return cells if cells.size else np.asarray(X)


def _read_sparse(X: Any) -> Table:
    from scipy.sparse import csr_array

    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported\nthe sparse matrix holds complex numbers; take their real parts")
    if X.ndim != 2:
        raise ValueError(f"Expected 2D input, got input with shape {X.shape}.\n{RESHAPE}")
    table = csr_array(X)
    if table.dtype.kind not in "iuf":
        table = table.astype(np.uint8 if table.dtype.kind == "b" else np.float64)
    elif not table.has_canonical_format:
        table = table.copy()
    table.sum_duplicates()
    table.data = plain(table.data)
    by_column = cache(table.tocsc)
    return Table(X.shape, None, lambda i: Numbers(by_column()[:, [i]].toarray().ravel()), sparse=table)


def _read_pandas(X: Any) -> Table:
    # one column at a time costs 16 microseconds through the public interface, 1 through the private one
    at = getattr(X, "_get_column_array", lambda i: X.iloc[:, i].array)
    arrays = [at(i) for i in range(X.shape[1])]
    return _read_frame(X.columns.tolist(), X.shape, arrays, _block(X, arrays))


def _block(X: Any, arrays: list[Any]) -> Array | None:
    """Return a pandas frame as the one array of numbers it may be in memory."""
    first = arrays[0] if arrays else None
    if not isinstance(first, np.ndarray) or first.dtype.kind not in "iuf" or first.base is None:
        return None
    together = all(isinstance(a, np.ndarray) and a.dtype == first.dtype and a.base is first.base for a in arrays)
    return plain(X.to_numpy()) if together else None


def _read_polars(X: Any) -> Table:
    return _read_frame(X.columns, X.shape, X.get_columns())


def _read_arrow(X: Any) -> Table:
    stored = stored_columns(X.schema)
    if not stored:
        return _read_frame(X.schema.names, X.shape, X.columns)
    names, columns = _names(X.schema.names), X.columns
    return Table(
        X.shape,
        names,
        lambda i: encode_arrow(columns[i], f"column {X.schema.names[i]!r}", declared=i not in stored),
        texts=columns.__getitem__,
    )


FRAMES: dict[str, Callable[[Any], Table]] = {"pandas": _read_pandas, "polars": _read_polars, "pyarrow": _read_arrow}
"""The libraries whose frames are read as they are, by the name that they are imported by."""


def _read_frame(names: list[Any], shape: tuple[int, int], arrays: Sequence[Any], matrix: Array | None = None) -> Table:
    known = _names(names)
    if matrix is not None:
        return Table(shape, known, lambda i: Numbers(matrix[:, i]), matrix)
    return Table(shape, known, lambda i: encode(arrays[i], f"column {names[i]!r}"), texts=lambda i: arrays[i])


def _foreign(X: Any) -> Any:
    """Return a frame of another library as a pandas, Polars or Arrow one, or None if it is no frame."""
    import narwhals.stable.v2 as nw

    frame: Any = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        native = frame.to_native()
        if library(native) in FRAMES:
            return native
        return frame.to_arrow() if installed("pyarrow") else frame.to_pandas()
    if hasattr(X, "__arrow_c_stream__") and installed("pyarrow"):
        return sys.modules["pyarrow"].table(X)
    return None


def _names(names: list[Any]) -> tuple[str, ...] | None:
    """Return the names if all are text, None if none is: then columns go by position."""
    if len(set(names)) < len(names):
        repeated = [name for name, n in Counter(names).items() if n > 1]
        raise ValueError(f"column names must be distinct; repeated: {', '.join(map(repr, repeated))}")
    text = [isinstance(name, str) for name in names]
    if all(text):
        return tuple(names)
    if not any(text):
        return None
    types = sorted({type(name).__qualname__ for name in names})
    raise TypeError(
        "Feature names are only supported if all input features have string names, "
        f"but your input has {types} as feature name / column name types. "
        "Convert them all to strings, for example by "
        "X.columns = X.columns.astype(str)"
    )


def _check_filled(table: Table, empty: bool) -> None:
    """Refuse a table without columns or, unless it may be empty, without rows."""
    if empty and (table.n_columns or table.by_name):
        return
    if table.by_name:
        told = "the rows are empty: a row is a mapping of the columns' names to its cells"
        raise ValueError(told if table.n_rows else _not_2d(np.zeros(0), "X"))
    shape = (table.n_rows, table.n_columns)
    what = "feature(s)" if table.n_rows else "sample(s)"
    raise ValueError(f"Found array with 0 {what} (shape={shape}) while a minimum of 1 is required.")


def _not_2d(X: Array, name: str) -> str:
    if X.ndim > 2:
        return f"Found array with dim {X.ndim}, while dim <= 2 is required: {name} has shape {X.shape}."
    given = "scalar" if X.ndim == 0 else "1D"
    return f"Expected 2D array, got {given} array instead:\nits shape is {X.shape}.\n{RESHAPE}"
