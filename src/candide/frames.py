"""Frames: the columns of NumPy arrays, pandas, Arrow and Polars, coded without a Python loop over rows.

Where the library already holds codes (a categorical, a dictionary) or plain numbers, its memory serves.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from candide.cells import SMALL, code_objects, encode_objects, is_missing, plain_levels
from candide.columns import Array, Numbers, Symbols, booleans, level_array, plain, seconds


def library(values: Any) -> str | None:
    """Name the library an object's type comes from: pandas, polars, pyarrow, or None for another."""
    origins = (base.__module__.partition(".")[0] for base in type(values).__mro__)
    return next((origin for origin in origins if origin in _READERS), None)


def encode(values: Any, where: str) -> Numbers | Symbols:
    """Return the column that a 1-d array, extension array or series holds.

    Parameters
    ----------
    values : NumPy array, pandas array, PyArrow array or chunked array, Polars series
    where : str
        What to call the column in a message.
    """
    if isinstance(values, np.ndarray):
        return encode_array(values, where)
    return _READERS[str(library(values))](values, where)


def encode_array(values: Array, where: str) -> Numbers | Symbols:
    """Return the column of a NumPy array."""
    kind = values.dtype.kind
    if kind in "iuf":
        return Numbers(plain(values))
    if kind == "b":
        return booleans(values.view(np.int8))
    if kind in "Mm":
        return seconds(values)
    if kind in "OUST":
        return encode_objects(values.astype(object, copy=False), where)
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{where} holds complex numbers; take their real parts")
    raise _unreadable(values.dtype, where)


def encode_pandas(values: Any, where: str) -> Numbers | Symbols:
    """Return the column of a pandas extension array."""
    import pandas as pd

    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        levels = np.asarray(dtype.categories, dtype=object).tolist()
        return Symbols(values.codes, plain_levels(levels, where), declared=True)
    if isinstance(dtype, pd.ArrowDtype) or getattr(dtype, "storage", None) == "pyarrow":
        return encode_arrow(values.__arrow_array__(), where)
    if isinstance(dtype, pd.StringDtype):
        return _symbols(np.asarray(values, dtype=object), where)
    if isinstance(dtype, pd.BooleanDtype):
        return booleans(values.to_numpy(dtype=np.int8, na_value=-1))
    return encode_array(_pandas_numbers(values, where), where)


def _pandas_numbers(values: Any, where: str) -> Array:
    import pandas as pd

    dtype = values.dtype
    if isinstance(dtype, pd.DatetimeTZDtype):
        return np.asarray(values.tz_convert(None))
    if isinstance(dtype, (np.dtype, pd.SparseDtype)) or isinstance(values, pd.arrays.NumpyExtensionArray):
        return np.asarray(values)
    if dtype.kind not in "iuf" or not hasattr(dtype, "numpy_dtype"):
        raise _unreadable(dtype, where)
    if not values.isna().any():
        whole: Array = values.to_numpy(dtype=dtype.numpy_dtype)
        return whole
    wide = dtype.numpy_dtype if dtype.kind == "f" else np.float64
    holed: Array = values.to_numpy(dtype=wide, na_value=np.nan)
    return holed


def encode_arrow(values: Any, where: str) -> Numbers | Symbols:
    """Return the column of a PyArrow array or chunked array."""
    import pyarrow as pa

    values = _single(values)
    is_, kind = pa.types, values.type
    if is_.is_dictionary(kind):
        return _dictionary(values, where, declared=True)
    if is_.is_boolean(kind):
        return booleans(values.cast(pa.int8()).fill_null(-1).to_numpy(zero_copy_only=False))
    if not _is_text(kind):
        return encode_array(_arrow_numbers(values, where), where)
    if len(values) <= SMALL:
        return _symbols(values.to_pylist(), where)
    return _dictionary(values.dictionary_encode(), where, declared=False)


def _arrow_numbers(values: Any, where: str) -> Array:
    import pyarrow as pa

    is_, kind = pa.types, values.type
    if is_.is_null(kind):
        return np.full(len(values), np.nan)
    if is_.is_decimal(kind) or (is_.is_integer(kind) and values.null_count):
        values = values.cast(pa.float64(), safe=False)
    elif is_.is_time(kind):  # the time of day is how long after midnight it is
        values = values.view(f"int{kind.bit_width}").cast(pa.int64()).cast(pa.duration(kind.unit))
    elif not is_.is_primitive(kind):
        raise _unreadable(kind, where)
    cells: Array = values.to_numpy(zero_copy_only=False)
    return cells


def encode_polars(values: Any, where: str) -> Numbers | Symbols:
    """Return the column of a Polars series."""
    import polars as pl

    dtype = values.dtype
    if dtype == pl.Enum:
        return Symbols(_physical(values), plain_levels(dtype.categories.to_list(), where), declared=True)
    if dtype in (
        pl.String,
        pl.Categorical,
    ):  # a set would compare hashes, which differ from class to instance
        return _polars_text(values, where)
    if dtype == pl.Binary:
        return _symbols(values.to_list(), where)
    if dtype == pl.Boolean:
        return booleans(values.cast(pl.Int8).fill_null(-1).to_numpy())
    return encode_array(_polars_numbers(values, where), where)


def _polars_numbers(values: Any, where: str) -> Array:
    import polars as pl

    dtype = values.dtype
    if dtype == pl.Null or dtype.is_decimal() or "128" in str(dtype):
        values = values.cast(pl.Float64)
    elif dtype == pl.Time:
        values = values.cast(pl.Duration("ns"))
    elif dtype == pl.Object:
        return level_array(values.to_list())
    elif not (dtype.is_numeric() or dtype.is_temporal()):
        raise _unreadable(dtype, where)
    cells: Array = values.to_numpy()
    return cells


_READERS = {"pandas": encode_pandas, "pyarrow": encode_arrow, "polars": encode_polars}


def _polars_text(values: Any, where: str) -> Symbols:
    """Code Polars text: through Arrow where PyArrow is installed, otherwise by its own casts."""
    import polars as pl

    if len(values) <= SMALL:
        return _symbols(values.to_list(), where)
    if installed("pyarrow"):
        encoded = values.to_arrow()
        if values.dtype == pl.String:
            encoded = encoded.dictionary_encode()
        return _dictionary(_single(encoded), where, declared=False)
    values = values.cast(pl.String)
    levels = values.drop_nulls().unique(maintain_order=True)
    return Symbols(_physical(values.cast(pl.Enum(levels))), plain_levels(levels.to_list(), where))


def _physical(values: Any) -> Array:
    """Return the codes of a Polars Enum series."""
    import polars as pl

    codes: Array = values.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    return codes


def installed(module: str) -> bool:
    """Whether an optional library is there; it is imported, as it is about to be used."""
    if module not in sys.modules:
        try:
            __import__(module)
        except ImportError:
            return False
    return sys.modules[module] is not None


def _symbols(cells: Any, where: str) -> Symbols:
    """Return a text column from Python objects; with all cells missing it is a text column still."""
    codes, levels = code_objects(cells)
    return Symbols(codes, plain_levels(levels, where))


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    names = "string large_string string_view binary large_binary binary_view fixed_size_binary"
    return any(getattr(pa.types, f"is_{name}")(kind) for name in names.split())


def _single(values: Any) -> Any:
    """Return a PyArrow array in one piece, as plain storage; a piece that is alone is not copied."""
    import pyarrow as pa

    if isinstance(values, pa.ChunkedArray):
        values = values.chunk(0) if values.num_chunks == 1 else values.unify_dictionaries().combine_chunks()
    if isinstance(values, pa.ExtensionArray):
        values = values.storage
    if isinstance(values, pa.RunEndEncodedArray):
        from pyarrow import compute

        values = compute.run_end_decode(values)
    return values


def _dictionary(values: Any, where: str, declared: bool) -> Symbols:
    """Return the column of an Arrow dictionary array: its indices are the codes."""
    cells = values.dictionary.to_pylist()
    codes = _signed(values.indices, len(cells))
    levels = [cell for cell in dict.fromkeys(cells) if not is_missing(cell)]
    if len(levels) < len(cells):  # a dictionary may hold null or repeat a level
        code = {level: i for i, level in enumerate(levels)}
        codes = np.array([*(code.get(cell, -1) for cell in cells), -1], np.int32)[codes]
    return Symbols(codes, plain_levels(levels, where), declared)


def _signed(indices: Any, n_levels: int) -> Array:
    """Return Arrow indices as signed codes, null as -1; a view where no null has to be filled."""
    kind = np.dtype(indices.type.to_pandas_dtype())
    signed = np.dtype(f"i{kind.itemsize}")
    if n_levels > np.iinfo(signed).max:
        import pyarrow as pa

        indices, kind = indices.cast(pa.int64()), np.dtype(np.int64)
        signed = kind
    if indices.null_count:
        # the largest unsigned number has the bits of -1
        indices = indices.fill_null(-1 if kind.kind == "i" else int(np.iinfo(kind).max))
    codes: Array = indices.to_numpy(zero_copy_only=False).view(signed)
    return codes


def _unreadable(dtype: Any, where: str) -> TypeError:
    return TypeError(f"{where} has the type {dtype}; convert it to text, booleans, numbers, dates or durations")
