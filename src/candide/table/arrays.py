"""Columns of NumPy arrays, and what the readers of frames share."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from candide.table.columns import Array, Numbers, Symbols, booleans, plain, seconds
from candide.table.objects import code_objects, encode_objects, plain_levels


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
    raise unreadable(values.dtype, where)


def is_masked(values: Any) -> bool:
    """Whether an array is a masked one, as none is where nobody has imported these."""
    return "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)


def installed(module: str) -> bool:
    """Whether an optional library is there; it is imported, as it is about to be used."""
    if module not in sys.modules:
        try:
            __import__(module)
        except ImportError:
            return False
    return sys.modules[module] is not None


def text_symbols(cells: Any, where: str) -> Symbols:
    """Return a text column from Python objects; with all cells missing it is a text column still."""
    codes, levels = code_objects(cells)
    return Symbols(codes, plain_levels(levels, where))


def unreadable(dtype: Any, where: str) -> TypeError:
    """Return the error of a column of a type that has no reading."""
    return TypeError(f"{where} has the type {dtype}; convert it to text, booleans, numbers, dates or durations")
