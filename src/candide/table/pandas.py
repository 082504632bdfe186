"""Columns of pandas: its own codes and numbers serve where it holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.table.arrays import encode_array, text_symbols, unreadable
from candide.table.arrow import encode_arrow
from candide.table.columns import Array, Numbers, Symbols, booleans, holed_integers
from candide.table.objects import plain_levels


def encode_pandas(values: Any, where: str) -> Numbers | Symbols:
    """Return the column of a pandas extension array."""
    import pandas as pd

    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return Symbols(values.codes, plain_levels(_listed(dtype.categories), where), declared=True)
    if in_arrow(dtype):
        return encode_arrow(values.__arrow_array__(), where)
    if isinstance(dtype, pd.StringDtype):
        return text_symbols(np.asarray(values, dtype=object), where)
    if isinstance(dtype, pd.BooleanDtype):
        return booleans(values.to_numpy(dtype=np.int8, na_value=-1))
    if isinstance(values, pd.arrays.IntegerArray) and values.isna().any():
        return holed_integers(values.to_numpy(dtype=dtype.numpy_dtype, na_value=0), ~values.isna())
    return encode_array(_pandas_numbers(values, where), where)


def in_arrow(dtype: Any) -> bool:
    """Whether the cells of a pandas type lie in Arrow's memory."""
    return getattr(dtype, "storage", None) == "pyarrow" or type(dtype).__name__ == "ArrowDtype"


def _listed(categories: Any) -> list[Any]:
    """Return the categories of a type, which pandas takes longer to copy out of Arrow than Arrow does."""
    if in_arrow(categories.dtype):
        texts: list[Any] = categories.array.__arrow_array__().to_pylist()
        return texts
    cells: list[Any] = np.asarray(categories, dtype=object).tolist()
    return cells


def _pandas_numbers(values: Any, where: str) -> Array:
    import pandas as pd

    dtype = values.dtype
    if isinstance(dtype, pd.DatetimeTZDtype):
        return np.asarray(values.tz_convert(None))
    if isinstance(dtype, (np.dtype, pd.SparseDtype)) or isinstance(values, pd.arrays.NumpyExtensionArray):
        return np.asarray(values)
    if dtype.kind not in "iuf" or not hasattr(dtype, "numpy_dtype"):
        raise unreadable(dtype, where)
    if not values.isna().any():
        whole: Array = values.to_numpy(dtype=dtype.numpy_dtype)
        return whole
    holed: Array = values.to_numpy(dtype=dtype.numpy_dtype, na_value=np.nan)
    return holed
