"""CellColumn: text as numbers, numbers as text, by rules that never guess twice.

A column's cells are a PyArrow array or a list of Python values, None where missing. Arrow reads numbers fast; where it
refuses, the plain rule below decides and finds the cell to complain of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from candide.messages import shortened
from candide.reading.kinds import in_any_style
from candide.reading.texts import is_missing_spelling
from candide.reading.truths import meaning
from candide.table.arrow import arrow_floats, signed_codes

Array = np.ndarray[Any, Any]
CellColumn = Any

NUMBER = re.compile(r"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)\s*", re.IGNORECASE | re.ASCII)
"""A number as text: digits with a point and an exponent; infinity is one, so that it is refused by name."""

INTEGER = re.compile(r"\s*[+-]?\d{1,19}\s*", re.ASCII)
"""An integer as text, no longer than 64 bits need."""

EXACT_INTEGERS = 2.0**53
"""From here on a float64 holds not every integer."""

LARGEST_DIGITS = 15
"""Digits that a quantity may have; longer rows of digits are how codes are written."""

FIRST = 16
"""Cells of text that are looked at before all of them are cast to numbers."""

PIECE = 1 << 14


def is_arrow(cells: CellColumn) -> bool:
    """Whether cells are a PyArrow array."""
    return type(cells).__module__.partition(".")[0] == "pyarrow"


def walk(cells: CellColumn) -> Iterator[Any]:
    """Yield cells as Python values, a piece at a time."""
    if not is_arrow(cells):
        yield from cells
        return
    coded = hasattr(cells, "dictionary")  # PyArrow spells such cells out one by one, which takes ten times as long
    levels = [*cells.dictionary.to_pylist(), None] if coded else []
    for start in range(0, len(cells), PIECE):
        piece = cells.slice(start, PIECE)
        if coded:
            yield from map(levels.__getitem__, signed_codes(piece.indices, len(levels)).tolist())
        else:
            yield from piece.to_pylist()


def is_text(cells: CellColumn) -> bool:
    """Whether the cells that are there are text."""
    if is_arrow(cells):
        import pyarrow as pa

        kind = cells.type.value_type if pa.types.is_dictionary(cells.type) else cells.type
        return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
    return all(isinstance(cell, str) for cell in cells if cell is not None)


CODE = re.compile(r"0[0-9]+")
"""Digits behind a zero, as codes are written: 01234."""


def are_codes(cells: CellColumn) -> tuple[bool, bool]:
    """Return whether some cells are codes, and whether all that are there are nothing but digits, as codes are."""
    if is_arrow(cells) and not is_text(cells):
        known = numbers(cells)
        return False, known is not None and not (known < 0).any() and not (np.floor(known) < known).any()
    if is_arrow(cells):
        cells = getattr(cells, "dictionary", cells)
        if str(cells.type) == "string":
            return _are_codes(cells)
    levels = {in_any_style(cell) for cell in walk(cells) if cell is not None}
    return any(map(CODE.fullmatch, levels)), all(level.isascii() and level.isdecimal() for level in levels)


def _are_codes(texts: Any) -> tuple[bool, bool]:
    """Return the same of texts that lie one behind the other, by their bytes."""
    _, ends, data = texts.buffers()
    if data is None or not len(texts):
        return False, True
    at = np.frombuffer(ends, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    bytes_ = np.frombuffer(data, np.uint8)
    some = bool((bytes_[at[:-1][np.diff(at) > 1]] == ord("0")).any())
    whole = bool((bytes_[at[0] : at[-1]] - np.uint8(ord("0")) < 10).all())
    return some and whole, whole


def looks_numeric(cell: str, decimal: str = ".") -> bool:
    """Whether a cell of text reads as a number, written with this decimal point.

    Examples
    --------
    >>> [looks_numeric(cell) for cell in ("12", "-1.5e3", "nan", "1_000", "0x10", "")]
    [True, True, False, False, False, False]
    >>> looks_numeric("1,5", ","), looks_numeric("1.5", ",")
    (True, False)
    """
    if decimal != "." and "." in cell:
        return False
    return NUMBER.fullmatch(cell.replace(decimal, ".")) is not None


def is_quantity(cell: str, decimal: str = ".") -> bool:
    """Whether a cell is a number and nothing but: leading zeros and many digits are how codes are written.

    Examples
    --------
    >>> [is_quantity(cell) for cell in ("4", "4.0", "01234", "9007199254740993")]
    [True, True, False, False]
    """
    digits = re.match(r"\s*-?(\d*)", cell)
    code = digits is not None and (len(digits[1]) > LARGEST_DIGITS or (len(digits[1]) > 1 and digits[1][0] == "0"))
    return looks_numeric(cell, decimal) and not code


def first_not_numeric(cells: CellColumn, decimal: str = ".") -> tuple[int, Any] | None:
    """Return the row and value of the first cell that is not a number."""
    for row, cell in enumerate(walk(cells)):
        if cell is not None and not (looks_numeric(cell, decimal) if isinstance(cell, str) else _is_number(cell)):
            return row, cell
    return None


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def numbers(cells: CellColumn, decimal: str = ".") -> Array | None:
    """Return cells as float64, NaN where missing; None if one of them is not a number."""
    fast = _arrow_numbers(cells, decimal)
    if fast is not None:
        return fast
    if first_not_numeric(cells, decimal) is not None:
        return None
    return np.fromiter((_as_float(cell, decimal) for cell in walk(cells)), float, len(cells))


def are_numbers(cells: CellColumn, decimal: str = ".") -> bool:
    """Whether all cells are numbers, or missing; those that were read as such need not be looked at."""
    if is_arrow(cells) and not is_text(cells):
        import pyarrow as pa

        if pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type):
            return True
    return numbers(cells, decimal) is not None


def _as_float(cell: Any, decimal: str) -> float:
    if cell is None:
        return np.nan
    try:
        return float(cell.replace(decimal, ".") if isinstance(cell, str) else cell)
    except OverflowError:  # an integer of more digits than a float64 has room for
        return np.inf if cell > 0 else -np.inf


def _arrow_numbers(cells: CellColumn, decimal: str) -> Array | None:
    if not is_arrow(cells):
        return None
    import pyarrow as pa

    text = is_text(cells)
    # a cast goes through all cells before it fails, and most columns of text show what they are at once
    if text and not all(looks_numeric(cell, decimal) for cell in cells[:FIRST].to_pylist() if cell is not None):
        return None
    if text:
        from pyarrow import compute  # which takes as long to import as a small table to be read
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    try:
        if text and decimal != ".":
            if compute.any(compute.match_substring(cells, ".")).as_py():
                return None
            cells = compute.replace_substring(cells, decimal, ".")
        out = cells if cells.type == pa.float64() else cells.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    if text and compute.any(compute.is_nan(out)).as_py():
        return None  # the word nan is text
    return arrow_floats(out.combine_chunks() if isinstance(out, pa.ChunkedArray) else out)


def as_numbers(cells: CellColumn, where: str, start: int, decimal: str = ".", gaps: bool = False) -> Array:
    """Return the numbers of a numeric column, or say which cell is none.

    Parameters
    ----------
    cells : PyArrow array or list
    where : str
        What to call the column in a message.
    start : int
        The number of the first row, for messages.
    decimal : str
        The decimal point.
    gaps : bool
        Whether what is usually written in a missing cell is one: where nobody looked for it before.
    """
    out = numbers(cells, decimal)
    if out is None and gaps:
        cells = [None if isinstance(cell, str) and is_missing_spelling(cell) else cell for cell in walk(cells)]
        out = numbers(cells, decimal)
    if out is None:
        row, value = first_not_numeric(cells, decimal) or (0, None)
        told = shortened(value)
        raise ValueError(
            f"{where}, row {start + row}: {told} is not a number, and the column is numeric; --missing {told}, or "
            f"Reading(missing=[{told}]) of candide.sources, makes such cells missing"
        )
    infinite = np.isinf(out)
    if infinite.any():
        row = start + int(infinite.argmax())
        raise ValueError(f"{where}, row {row}: infinity is not a usable number; leave the cell empty")
    return out


def as_whole(cells: CellColumn, where: str, start: int, decimal: str = ".") -> Array:
    """Return numbers as int64 where every one is whole: a float64 would round beyond 2**53, and make two labels one."""
    exact = integers(cells)
    if exact is not None:
        return exact
    values = as_numbers(cells, where, start, decimal)
    if np.isnan(values).any() or (np.abs(values) >= EXACT_INTEGERS).any():
        return values
    rounded = values.astype(np.int64)
    return rounded if bool((rounded == values).all()) else values


def integers(cells: CellColumn) -> Array | None:
    """Return cells that are written as integers, digit by digit; None if one is not, is missing or too long."""
    if is_arrow(cells) and hasattr(cells, "dictionary") and not cells.null_count:
        distinct = integers(cells.dictionary)
        return None if distinct is None else distinct[signed_codes(cells.indices, len(distinct))]
    if is_arrow(cells) and hasattr(cells, "buffers") and str(cells.type) == "int64" and not cells.null_count:
        exact: Array = np.frombuffer(cells.buffers()[1], np.int64, len(cells), cells.offset * 8)
        return exact
    found = list(walk(cells))
    if not all(type(cell) is int or (isinstance(cell, str) and INTEGER.fullmatch(cell)) for cell in found):
        return None
    whole = [int(cell) for cell in found]
    small = all(-(2**63) <= n < 2**63 for n in whole)
    return np.array(whole, np.int64) if small else None


def as_text(cells: CellColumn, levels: Sequence[Any] | Array = ()) -> CellColumn:
    """Return cells as text; whole numbers without a point, booleans as the levels spell them."""
    if is_text(cells):
        return cells
    known = set(levels)
    return [None if _missing(cell) else _spelt(cell, known) for cell in walk(cells)]


def _missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and np.isnan(cell))


def _spelt(cell: Any, known: set[Any]) -> str:
    spellings: tuple[str, ...]
    if isinstance(cell, bool):
        spellings = (str(cell), str(cell).lower(), str(cell).upper(), str(int(cell)))
        return next((s for s in spellings if s in known), str(cell))
    if isinstance(cell, int) or (isinstance(cell, float) and cell.is_integer()):
        spellings = (str(cell), str(int(cell)), f"{int(cell)}.0")
        return next((s for s in spellings if s in known), str(int(cell)))
    return str(cell)


def as_booleans(cells: CellColumn, where: str, start: int) -> list[bool | None]:
    """Return cells as booleans: what means yes is True, what means no is False, in any case and language."""
    out: list[bool | None] = []
    for row, cell in enumerate(walk(cells)):
        text = "" if _missing(cell) else _spelt(cell, set())
        means = meaning(text)
        if means is None and not is_missing_spelling(text):
            raise ValueError(f"{where}, row {start + row}: {shortened(cell)} is neither true nor false")
        out.append(means)
    return out
