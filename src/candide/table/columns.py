"""Columns: one column of a table as numbers, or as codes into a list of levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from candide import native
from candide.messages import shortened

Array = np.ndarray[Any, Any]

TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12}
"""Ticks per second of NumPy's units of time; the other units go by whole seconds."""


@dataclass(frozen=True, eq=False, slots=True)
class Numbers:
    """A numeric column.

    Parameters
    ----------
    values : (n_rows,) float32, float64 (NaN is a missing cell) or any integer type (none missing)
    measure : str
        What the numbers measure, where it is more than a number: a key of `MEASURES`.
    exact : Symbols or None
        The integers themselves as levels, where float64 does not hold them and a cell is missing.
    """

    values: Array
    measure: str = ""
    exact: Symbols | None = None

    def __getitem__(self, rows: slice | Array) -> Numbers:
        return Numbers(self.values[rows], self.measure, None if self.exact is None else self.exact[rows])

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, eq=False, slots=True)
class Symbols:
    """A categorical column.

    Parameters
    ----------
    codes : (n_rows,) signed integers
        Positions in `levels`; -1 is a missing cell.
    levels : (n_levels,) object
        Distinct str, bool, int or float. Some may have no row: declared ones, and those of a slice of rows.
    declared : bool
        The levels are a domain that the user declared (a categorical dtype), not just what was seen.
    """

    codes: Array
    levels: Array
    declared: bool = False

    def __getitem__(self, rows: slice | Array) -> Symbols:
        return Symbols(self.codes[rows], self.levels, self.declared)

    def __len__(self) -> int:
        return len(self.codes)


def without_blanks(column: Numbers | Symbols) -> Numbers | Symbols:
    """Return a column whose empty texts are missing cells, as they are in files; declared levels stay what they are.

    Examples
    --------
    >>> import numpy as np
    >>> cells = without_blanks(Symbols(np.array([0, 1, 2, 1]), np.array(["red", "", "blue"], object)))
    >>> cells.codes.tolist(), cells.levels.tolist()
    ([0, -1, 1, -1], ['red', 'blue'])
    """
    if isinstance(column, Numbers) or column.declared:
        return column
    if "" not in column.levels.tolist():  # of few levels, as most have, a tenth of what NumPy takes
        return column
    blank = column.levels == ""
    place = np.where(blank, -1, np.cumsum(~blank) - 1).astype(np.int32)
    return Symbols(np.append(place, np.int32(-1))[column.codes], column.levels[~blank])  # code -1 reads the last


def as_symbols(column: Numbers, where: str = "the column") -> Symbols:
    """Take the distinct numbers of a column as levels: integers stay integers, floats stay floats.

    Examples
    --------
    >>> import numpy as np
    >>> symbols = as_symbols(Numbers(np.array([2.5, np.nan, 1.0, 2.5])))
    >>> symbols.codes.tolist(), symbols.levels.tolist()
    ([1, -1, 0, 1], [1.0, 2.5])
    """
    if column.exact is not None:
        return column.exact
    values = column.values
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.isinf(values).argmax())
        raise ValueError(f"{where} holds infinity in row {row}; an infinite number is not a level")
    present = np.isfinite(values) if values.dtype.kind == "f" else np.ones(len(values), bool)
    if present.all():
        codes, distinct = factorize_numbers(values)
    else:
        codes = np.full(len(values), -1, np.int32)
        codes[present], distinct = factorize_numbers(values[present])
    return Symbols(codes, level_array(distinct.tolist()))


EXACT_FLOAT = 2.0**53
"""Integers below this are exact as floats."""


def holed_integers(values: Array, present: Array) -> Numbers:
    """Return integers of which some cells are missing: as floats, and exactly as well where floats would round them.

    Parameters
    ----------
    values : ndarray of int (rows,)
        Anything where a cell is missing.
    present : ndarray of bool (rows,)
    """
    floats = np.where(present, values, np.nan)
    known = values[present]
    if not ((known >= EXACT_FLOAT) | (known <= -EXACT_FLOAT)).any():
        return Numbers(floats)
    codes = np.full(len(values), -1, np.int32)
    codes[present], distinct = factorize_numbers(known)
    return Numbers(floats, exact=Symbols(codes, level_array(distinct.tolist())))


def booleans_as_numbers(column: Symbols, where: str = "the column") -> Numbers:
    """Take booleans as 0 and 1 (a missing cell as NaN); other levels are not numbers.

    Examples
    --------
    >>> import numpy as np
    >>> booleans_as_numbers(Symbols(np.array([0, 1, -1]), np.array([True, False], object))).values.tolist()
    [1.0, 0.0, nan]
    """
    for level in column.levels:
        if not isinstance(level, bool):
            raise TypeError(
                f"{where} holds {shortened(level)} ({type(level).__name__}), a level, where numbers are needed; "
                "turn the column into numbers, or give it a categorical distribution"
            )
    missing = len(column) > 0 and bool(column.codes.min() < 0)
    worth = np.array([*column.levels, np.nan], float)[column.codes]
    return Numbers(worth if missing else worth.astype(np.int8))


def factorize_numbers(values: Array) -> tuple[Array, Array]:
    """Return (codes, sorted distinct values) of numbers that are not NaN; whole ones in linear time."""
    whole = whole_numbers(values)
    if whole is None:
        distinct, order = np.unique(values + values.dtype.type(0), return_inverse=True)  # -0.0 becomes 0.0
        return order, distinct
    codes, integers = native.label_codes(whole)
    return codes, integers.astype(values.dtype)


def whole_numbers(values: Array) -> Array | None:
    """Return numbers as int64 or a smaller type, or None where one of them is not whole or too large."""
    if values.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            whole = values.astype(np.int64)
        return whole if (whole == values).all() else None
    if values.dtype == np.uint64 and len(values) and values.max() > np.iinfo(np.int64).max:
        return None
    return values


def plain(values: Array) -> Array:
    """Return numbers in a type and layout that kernels read: the same memory wherever it can be."""
    dtype = values.dtype
    if dtype.kind == "f" and dtype.itemsize not in {4, 8}:
        return values.astype(np.float32 if dtype.itemsize < 4 else np.float64)
    if not dtype.isnative or not values.flags.aligned:
        return values.astype(dtype.newbyteorder("="))
    return values


def booleans(codes: Array) -> Symbols:
    """Return a boolean column from 1, 0 and -1 (missing); its levels are those seen."""
    seen = [level for level in (False, True) if (codes == level).any()]
    if seen == [True]:
        codes = np.minimum(codes, 0)
    return Symbols(codes, level_array(seen))


def seconds(values: Array) -> Numbers:
    """Return datetime64 or timedelta64 cells as seconds; the unit does not change the result."""
    unit, step = np.datetime_data(values.dtype)
    if step != 1 or unit not in TICKS:
        unit = unit if unit in TICKS else "s"
        values = values.astype(f"{values.dtype.kind}8[{unit}]")
    per_second, missing = TICKS[unit], np.isnat(values)
    ticks = np.where(missing, 0, plain(values).view(np.int64))
    while per_second > 1 and not (ticks % 1000).any():  # ends: with a second, at the sixth step at the latest
        # a number of ticks below 2**53 is exact as a float, so that only the division rounds
        ticks, per_second = ticks // 1000, per_second // 1000
    result = ticks / per_second
    result[missing] = np.nan
    return Numbers(result, "moment" if values.dtype.kind == "M" else "duration")


def level_array(levels: Sequence[Any]) -> Array:
    """Return levels as an object array."""
    result = np.empty(len(levels), object)
    result[:] = levels
    return result
