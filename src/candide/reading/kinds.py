"""Several kinds of cells in one column: numbers among texts, dates among texts, read as if all of them were written.

A frame of Python objects, or a list of rows, may hold 1.5, "?" and "1,234" in one column. A file of the same table
holds three texts, and what those are is found by the readers; so each cell is written as a writer of CSV does it, and
then read as text. A number has no decimal point of its own: while a reader is sought it is written so that it is the
same number in every style, and afterwards as the reader that was found writes it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from candide.reading.base import ReadAs, spelt
from candide.reading.table_reading import Name
from candide.table.arrays import text_symbols
from candide.table.columns import Numbers, Symbols, level_array
from candide.table.labels import Labels, column_labels, read_labels
from candide.table.objects import (
    BOOLEAN,
    NUMBER,
    TEXT,
    MixedKindsError,
    code_objects,
    is_missing,
    kind_of,
    python_number,
    python_time,
)
from candide.table.table import Table

PLAIN = "plain"

Check = Callable[[Any, Numbers | Symbols], Numbers | Symbols]

LABEL = re.compile(r"0|-?[1-9][0-9]{0,18}")
"""A whole number written in the one way in which it is a label and not a code."""


def written(cell: Any, write: Callable[[Any], str] = spelt) -> str:
    """Return a cell as a writer of CSV writes it.

    Parameters
    ----------
    cell : str, bool, number, date, time or duration
    write : function
        Writes a number.

    Examples
    --------
    >>> written(4.0), written(dt.datetime(2024, 3, 1)), written(True), written("1,5")
    ('4', '2024-03-01', 'True', '1,5')
    >>> written(dt.timedelta(hours=27, minutes=15)), written(Decimal("1.50"))
    ('27:15:00', '1.5')
    """
    plain = text_or_number(cell)
    return plain if isinstance(plain, str) else write(plain)


def text_or_number(cell: Any) -> str | int | float:
    """Return a number as Python's, and any other cell as it is written."""
    kind = kind_of(type(cell))
    if kind in (TEXT, BOOLEAN):
        return str(cell)
    if kind == NUMBER:
        return python_number(cell)
    cell = python_time(cell)
    if isinstance(cell, dt.datetime):
        bare = cell.tzinfo is None and cell.time() == dt.time()
        return cell.date().isoformat() if bare else cell.isoformat(" ")
    if isinstance(cell, dt.timedelta):
        minutes, seconds = divmod(round(cell.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    return str(cell)


def in_any_style(cell: Any) -> str:
    """Return a cell as text: a number so that it is the same one whichever decimal point the texts around it have.

    Examples
    --------
    >>> in_any_style(500.125), in_any_style(4), in_any_style("1.234,56")
    ('500125e-3', '4', '1.234,56')
    """
    if not isinstance(cell, float) or not np.isfinite(cell):
        return str(cell)
    if cell.is_integer() and abs(cell) < 2.0**53:
        return str(int(cell))
    sign, digits, exponent = Decimal(repr(cell)).as_tuple()
    return f"{'-' * sign}{''.join(map(str, digits))}e{exponent}"


def as_texts(cells: Sequence[Any], write: Callable[[Any], str] = spelt) -> list[str | None]:
    """Return cells as they are written, None where one is missing."""
    return [None if is_missing(cell) else written(cell, write) for cell in cells]


def in_one_kind(
    table: Table, reading: Any, readers: Mapping[Name, ReadAs] | None = None, check: Check | None = None
) -> Table:
    """Return a table whose columns of several kinds of cells are text.

    Parameters
    ----------
    table : Table
    reading : "auto", "plain", a mapping or a TableReading
        As the estimator reads columns: one that is "plain" stays as it is, and an error to whoever asks for it.
    readers : mapping, optional
        How columns are read, once it is known; before, numbers stand among the texts as they are.
    check : function, optional
        Sees the name of each column and what it holds, and returns what is to be taken for it.
    """
    if table.matrix is not None or table.sparse is not None or (reading == PLAIN and check is None):
        return table
    names: Sequence[Any] = range(table.n_columns) if table.names is None else table.names
    kept = {name for name, how in reading.items() if how == PLAIN} if isinstance(reading, Mapping) else set()
    kept = set(names) if reading == PLAIN else kept

    def write(i: int) -> Callable[[Any], str]:
        return readers[names[i]].reader.written if readers and names[i] in readers else spelt

    def column(i: int) -> Numbers | Symbols:
        try:
            found = table.column(i)
            return found if check is None else check(names[i], found)
        except MixedKindsError:
            if names[i] in kept:
                raise
            if readers is None:
                return as_they_are(table.text(i))
            return text_symbols(as_texts(table.text(i), write(i)), f"column {names[i]!r}")

    return table.recoded(column)


def as_they_are(cells: Sequence[Any]) -> Symbols:
    """Return a column of texts and Python's numbers; what is neither is written."""
    codes, levels = code_objects([None if is_missing(cell) else text_or_number(cell) for cell in cells])
    return Symbols(codes, level_array(levels))


def one_kind_of_labels(y: Any, n_rows: int, reading: Any = "auto") -> Labels:
    """Code one label per row; those of several kinds are text, or integers where all are written as such.

    Examples
    --------
    >>> one_kind_of_labels([0, 1, "unknown"], 3).classes.tolist(), one_kind_of_labels([2, "1"], 2).classes.tolist()
    (['0', '1', 'unknown'], [1, 2])
    """
    try:
        return read_labels(y, n_rows)
    except MixedKindsError:
        if reading == PLAIN:
            raise
    return read_labels(as_labels(y), n_rows)


def as_labels(cells: Sequence[Any]) -> np.ndarray[Any, Any]:
    """Return labels of several kinds as integers where all of them are written as such, otherwise as text."""
    texts = as_texts(cells)
    whole = all(text is None or LABEL.fullmatch(text) for text in texts)
    out = np.empty(len(texts), dtype=object)
    out[:] = [text if text is None or not whole else int(text) for text in texts]
    return out


def labels_in(table: Table, target: str, reading: Any = "auto") -> Labels:
    """Return the labels that a column of a table holds, as `one_kind_of_labels` has them."""
    at = table.index(target)
    try:
        return column_labels(table.column(at))
    except MixedKindsError:
        if reading == PLAIN:
            raise
    return read_labels(as_labels(table.text(at)), table.n_rows)


def like_known(labels: Labels, classes: np.ndarray[Any, Any], reading: Any = "auto") -> Labels:
    """Return labels as the classes known before are written: 1 is the class "1", and "1" the class 1.

    Examples
    --------
    >>> like_known(read_labels([1, 0, 1], 3), np.array(["0", "1", "unknown"])).classes.tolist()
    ['0', '1']
    """
    own, known = labels.classes.tolist(), classes.tolist()
    if reading == PLAIN or not own or not known or isinstance(own[0], str) == isinstance(known[0], str):
        return labels
    alike = as_labels([*own, *known])[: len(own)]
    if not set(alike.tolist()).intersection(known):
        return labels  # which the sum of both refuses, in its own words
    return read_labels(alike[labels.codes], len(labels.codes))
