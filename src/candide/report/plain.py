"""Plain values: what facts are made of, so that JSON holds them and nothing else is needed to read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:  # noqa: PLR0911  # one return for each kind of value
    """Return dicts, lists, strings, booleans and finite numbers; None for a number that is not finite.

    Examples
    --------
    >>> plain({"log": np.array([[0.5, -np.inf]]), "n": np.float64(3.0), "label": np.str_("a")})
    {'log': [[0.5, None]], 'n': 3, 'label': 'a'}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isfinite(value).all():
        return (value.astype(np.int64) if (value == np.rint(value)).all() and near(value) else value).tolist()
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < EXACT else value


EXACT = 2.0**53
"""Whole numbers below this are exact as floats."""


def near(values: np.ndarray[Any, Any]) -> bool:
    """Whether whole floats are exact integers."""
    return bool((np.abs(values) < EXACT).all())


def rounded(values: Any, digits: int = 6) -> Any:
    """Return an array to so many significant digits, which is enough for a picture."""
    a = np.asarray(values, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        scale = 10.0 ** (digits - 1 - np.floor(np.log10(np.abs(a))))
        out = np.round(a * scale) / scale
    return np.where(np.isfinite(a) & (a != 0) & np.isfinite(out), out, a)
