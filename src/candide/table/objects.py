"""Cells: a column given as Python objects, read by content.

A cell is text, a boolean, a number, a date, a time of day, a duration, or missing. A column holds one kind only:
a column that mixes kinds is refused, with the first odd cell; whoever knows how text is read may write all of its cells
(`candide.reading.kinds`). Booleans are not numbers here.
"""

from __future__ import annotations

import datetime as dt
import decimal
import numbers
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from candide import native
from candide.messages import shortened
from candide.table.columns import EXACT_FLOAT, Array, Numbers, Symbols, level_array

SMALL = 256
"""Up to this many cells a Python dictionary codes faster than the fixed cost of pandas or Arrow."""

TEXT, BYTES, BOOLEAN, NUMBER, MOMENT, DURATION = "text", "bytes", "booleans", "numbers", "dates", "durations"
CLOCK = "times of day"
EPOCH = dt.datetime(1970, 1, 1)

WRITABLE = frozenset({TEXT, BOOLEAN, NUMBER, MOMENT, DURATION, CLOCK})
"""The kinds of cells that can be written as text and read again."""


class MixedKindsError(TypeError):
    """A column whose cells are of several kinds, each of which can be written as text."""


def encode_objects(values: Array, where: str) -> Numbers | Symbols:
    """Return the column that an array of Python objects holds; all missing: numbers, all NaN."""
    first = next((cell for cell in values if not is_missing(cell)), None)
    if first is None:
        return Numbers(np.full(len(values), np.nan))
    if not isinstance(first, str):
        return _encode_kind(values, one_kind(values, where), where)
    try:
        codes, levels = code_objects(values)
    except TypeError:  # a cell without a hash
        raise _mixed(values, where) from None
    if not all(isinstance(level, str) for level in levels):
        raise _mixed(values, where)
    return Symbols(codes, level_array([str(level) for level in levels]))


def _encode_kind(values: Array, kind: str, where: str) -> Numbers | Symbols:
    if kind == NUMBER:
        return Numbers(numbers_of(values, where), exact=exact_integers(values))
    if kind == MOMENT:
        return _seconds_of(values, _since_epoch, "moment")
    if kind == DURATION:
        return _seconds_of(values, lambda cell: python_time(cell).total_seconds(), "duration")
    if kind == CLOCK:
        return _seconds_of(values, _since_midnight, "duration")
    codes, levels = code_objects(values)
    return Symbols(codes, plain_levels(levels, where))


def code_objects(values: Array | Sequence[Any]) -> tuple[Array, list[Any]]:
    """Return (codes, distinct cells in order of appearance); -1 for a missing cell."""
    if isinstance(values, np.ndarray) and len(values) > SMALL and native.kernels() == "native":
        texts = native.text_codes(values.astype(object, copy=False))
        if texts is not None:
            return texts
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(values, np.ndarray) and len(values) > SMALL:
        codes, levels = pandas.factorize(values)
        return codes, list(levels)
    cells = values.tolist() if isinstance(values, np.ndarray) else values
    levels = [cell for cell in dict.fromkeys(cells) if not is_missing(cell)]
    code = {level: i for i, level in enumerate(levels)}
    return np.fromiter(map(code.get, cells, repeat(-1)), np.int32, len(cells)), levels


def is_missing(cell: Any) -> bool:
    """Whether a cell is None, NaN, pd.NA or NaT."""
    if cell is None or type(cell) is str:
        return cell is None
    if type(cell) is float:
        return cell != cell  # noqa: PLR0124  # NaN is not
    if isinstance(cell, (float, decimal.Decimal, np.floating)):
        return bool(np.isnan(float(cell)))
    if isinstance(cell, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(cell))
    return type(cell).__name__ in {"NAType", "NaTType"}


KINDS: tuple[tuple[str, tuple[type, ...]], ...] = (
    (TEXT, (str,)),
    (BYTES, (bytes,)),
    (BOOLEAN, (bool, np.bool_)),
    (MOMENT, (dt.date, np.datetime64)),
    (DURATION, (dt.timedelta, np.timedelta64)),  # which is an integer to NumPy, of whatever unit
    (NUMBER, (int, float, numbers.Real, decimal.Decimal)),
    (CLOCK, (dt.time,)),
)
"""The kinds of cells and their Python types; the first that fits counts."""


def kind_of(kind: type) -> str:
    """Name the kind of cell that a Python type is; the type's own name where it is none."""
    return next((name for name, types in KINDS if issubclass(kind, types)), kind.__name__)


def one_kind(values: Array, where: str) -> str:
    """Return the kind of all cells that are there, or refuse the column. At least one is there."""
    kinds = {kind_of(kind) for kind in set(map(type, values.tolist())) if kind.__name__ not in _NO_KIND}
    if kinds - {NUMBER}:
        # a NaN is a number by type; among other kinds it is a missing cell
        kinds = {kind_of(type(cell)) for cell in values if not is_missing(cell)}
    if len(kinds) > 1 or not kinds <= dict(KINDS).keys():
        raise _mixed(values, where)
    (kind,) = kinds
    return kind


_NO_KIND = {"NoneType", "NAType", "NaTType"}


def numbers_of(values: Array, where: str) -> Array:
    """Return Python numbers as int64 where they are whole and fit, otherwise as float64."""
    cells = values.tolist()
    kinds = set(map(type, cells))
    if any(kind.__name__ in {"NAType", "NaTType"} for kind in kinds):
        cells = [None if is_missing(cell) else cell for cell in cells]
    if all(issubclass(kind, numbers.Integral) for kind in kinds):
        try:
            return np.array(cells, np.int64)
        except OverflowError:
            pass  # beyond int64: a float holds it to 16 digits
    try:
        return np.array(cells, np.float64)
    except OverflowError:
        row = next(row for row, cell in enumerate(cells) if cell is not None and abs(cell) > sys.float_info.max)
        raise ValueError(f"{where} holds a number too large for float64 in row {row}") from None


def exact_integers(values: Array) -> Symbols | None:
    """Return Python integers as levels, where one is too large for float64 and int64 does not hold the column."""
    cells = values.tolist()
    if not all(issubclass(kind, numbers.Integral) or kind.__name__ in _NO_KIND for kind in set(map(type, cells))):
        return None
    known = [cell for cell in cells if not is_missing(cell)]
    largest, whole = max(map(abs, known)), len(known) == len(values)
    if largest < EXACT_FLOAT or (whole and largest < np.iinfo(np.int64).max):
        return None
    codes, levels = code_objects(values)
    return Symbols(codes, plain_levels(levels, "the column"))


def _seconds_of(values: Array, second: Callable[[Any], float], measure: str) -> Numbers:
    cells = (np.nan if is_missing(cell) else second(cell) for cell in values)
    return Numbers(np.fromiter(cells, np.float64, len(values)), measure)


def python_time(cell: Any) -> Any:
    """Return a moment or a duration of NumPy as Python's; any other as it is."""
    if isinstance(cell, (np.datetime64, np.timedelta64)):
        return cell.astype(f"{cell.dtype.kind}8[us]").item()
    return cell


def _since_epoch(cell: Any) -> float:
    moment = python_time(cell)
    if not isinstance(moment, dt.datetime):
        moment = dt.datetime(moment.year, moment.month, moment.day)
    return moment.timestamp() if moment.tzinfo else (moment - EPOCH).total_seconds()


def _since_midnight(clock: dt.time) -> float:
    """Return how long after midnight a time of day is, as Arrow and Polars have it."""
    since = dt.timedelta(0, clock.second, clock.microsecond, 0, clock.minute, clock.hour)
    return since.total_seconds()


def plain_levels(levels: Sequence[Any], where: str) -> Array:
    """Return levels as str, bool, int and float, of one kind; anything else goes by its text."""
    if set(map(type, levels)) <= {str}:
        return level_array(levels)
    result = [_plain_level(level, where) for level in levels]
    kinds = sorted({kind_of(type(level)) for level in result})
    if len(kinds) > 1:
        raise MixedKindsError(f"{where} has levels of several kinds ({', '.join(kinds)}); make them one kind")
    return level_array(result)


def _plain_level(level: Any, where: str) -> str | bool | int | float:
    kind = kind_of(type(level))
    if kind == BOOLEAN:
        return bool(level)
    if kind == NUMBER:
        return python_number(level)
    if kind == BYTES:
        try:
            return str(level, "utf-8")
        except UnicodeDecodeError:
            raise TypeError(
                f"{where} holds {shortened(level)}, bytes that are not text in UTF-8; decode them"
            ) from None
    return str(level)


def python_number(number: Any) -> int | float:
    """Return a number of whichever library as one of Python's."""
    return int(number) if isinstance(number, numbers.Integral) else float(number)


def _mixed(values: Array, where: str) -> TypeError:
    """Say which cell is none, or which kinds a column mixes, and where the first cell of the rarer kind is."""
    kinds = ["" if is_missing(cell) else kind_of(type(cell)) for cell in values]
    count = Counter(kind for kind in kinds if kind)
    strange = next((kind for kind in count if kind not in dict(KINDS)), None)
    if strange is not None:
        row = kinds.index(strange)
        return TypeError(
            f"{where} holds {shortened(values[row])} ({strange}) in row {row}; a cell is text, a boolean, a number, a "
            "date, a time, or missing: convert it to text, or leave the column out"
        )
    most, rarest = max(count, key=count.__getitem__), min(reversed(count), key=count.__getitem__)
    row = kinds.index(rarest)
    odd = values[row]
    return (MixedKindsError if WRITABLE.issuperset(count) else TypeError)(
        f"{where} mixes {most} and {rarest}: row {row} holds {shortened(odd)} ({type(odd).__name__}); "
        "make the column one kind (such as astype(str)), or the odd cells missing"
    )
