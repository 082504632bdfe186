"""Coding: the columns of NumPy arrays, pandas, Arrow and Polars, without a Python loop over rows.

Where the library already holds codes (a categorical, a dictionary) or plain numbers, its memory serves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from candide.table.arrays import encode_array
from candide.table.arrow import encode_arrow
from candide.table.columns import Numbers, Symbols
from candide.table.pandas import encode_pandas
from candide.table.polars import encode_polars


def library(values: Any) -> str | None:
    """Name the library an object's type comes from: pandas, polars, pyarrow, or None for another."""
    origins = (base.__module__.partition(".")[0] for base in type(values).__mro__)
    return next((origin for origin in origins if origin in ENCODERS), None)


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
    return ENCODERS[str(library(values))](values, where)


ENCODERS: dict[str, Callable[[Any, str], Numbers | Symbols]] = {
    "pandas": encode_pandas,
    "pyarrow": encode_arrow,
    "polars": encode_polars,
}
"""The libraries whose columns are read as they are, by the name that they are imported by."""
