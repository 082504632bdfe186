"""Faults: what is wrong with a table in text, and in which line of it."""

from __future__ import annotations

import csv
import io
import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from candide.native import count_byte, open_quote
from candide.sources.spread import records

Array = np.ndarray[Any, Any]

NEWLINE, RETURN = b"\n\r"
LONGEST_RECORD = 1 << 26
"""Bytes of a record at the most; what is longer is a table behind a quote that nothing closes."""


class UnevenRowError(ValueError):
    """A row that has more or fewer cells than there are columns; `line` is None where it is not known."""

    line: int | None = None


COMMENTS = ("#", "%", "//")
"""What a line may begin with that is no row."""


def uneven(
    name: str, line: int | None, wanted: int, found: int, end: int | None = None, text: str = ""
) -> UnevenRowError:
    """Return the error of a row of so many cells; `end` is the last of its lines where it has several."""
    where = name if line is None else f"{name}, line {line}"
    said = "a row" if end in (None, line) else f"a row, which a quote makes go on to line {end},"
    cells, columns = f"{found} cell{'s' * (found != 1)}", f"{wanted} column{'s' * (wanted != 1)}"
    mark = next((mark for mark in COMMENTS if text.lstrip().startswith(mark)), None)
    hint = "" if mark is None else f"; --comment {mark!r}, or Reading(comment={mark!r}), passes over such lines"
    error = UnevenRowError(f"{where}: {said} has {cells} and the first line names {columns}{hint}")
    error.line = line
    return error


class UnclosedQuoteError(ValueError):
    """A quote that nothing closes, so that all that follows is one cell; `line` is None where it is not known."""

    line: int | None = None


def unclosed(name: str, line: int | None = None) -> UnclosedQuoteError:
    """Return the error of a quote that is not closed; `line` is where its row begins."""
    where = (
        f"{name}: a quote opens a cell" if line is None else f"{name}, line {line}: a quote opens a cell of this row"
    )
    error = UnclosedQuoteError(f"{where} and is not closed: close it, or write it twice within quotes")
    error.line = line
    return error


def whole_records(lines: Iterable[str], n_columns: int, separator: str, name: str, n_lines: int) -> Iterator[list[str]]:
    """Yield the records of a CSV that are not empty; an error says in which line one is uneven, or a quote stays open.

    Parameters
    ----------
    lines : iterable of str
        The lines, with their ends.
    n_columns : int
        Cells of a record.
    separator : str
    name : str
        What to call the table in a message.
    n_lines : int
        Lines of the table before these.
    """
    held: list[str] = []
    ended = False

    def fed() -> Iterator[str]:
        nonlocal ended
        for line in lines:
            held.append(line)
            yield line
        ended = True

    records = csv.reader(fed(), delimiter=separator)
    begin = n_lines + 1
    try:
        for record in records:
            end = n_lines + records.line_num
            if (len(held) > 1 or ended) and is_unclosed(held, separator):
                raise unclosed(name, begin)
            if record and len(record) != n_columns:
                raise uneven(name, begin, n_columns, len(record), end, record[0])
            if record:
                yield record
            held.clear()
            begin = end + 1
    except csv.Error as error:
        if "field larger" in str(error):  # as a quote makes it that is not closed
            raise unclosed(name, begin) from None
        raise ValueError(f"{name} is not a good table: {error}") from None


def find_fault(block: bytes, n_columns: int, separator: str, name: str, n_lines: int) -> None:
    """Go through records line by line, for the error that says which is uneven, or where a quote stays open."""
    longest = csv.field_size_limit(sys.maxsize)  # cells of documents are long as well
    try:
        lines = io.TextIOWrapper(io.BytesIO(block), "utf-8", "replace", newline="")
        for _ in whole_records(lines, n_columns, separator, name, n_lines):
            pass
    finally:
        csv.field_size_limit(longest)


def line_of(block: bytes, record: int, separator: str) -> int:
    r"""Return the line of a block, from 1, that a record of it begins in; without a separator, records are objects.

    Examples
    --------
    >>> line_of(b'a,1\n\n"b\nc",2\nd,3\n', 2, ","), line_of(b'{"a": 1}\n\n{"a": 2}\n', 1, "")
    (5, 3)
    """
    if not separator:
        return next(itertools.islice(records(io.BytesIO(block)), record, None))[0]
    lines = io.TextIOWrapper(io.BytesIO(block), "utf-8", "replace", newline="")
    rows = csv.reader(lines, delimiter=separator)
    begins, begin = [], 1
    for cells in rows:
        begins += [begin] if cells else []
        begin = rows.line_num + 1
    return begins[record]


def count_lines(block: Array) -> int:
    r"""Return how many lines end in a block of bytes: in a newline, or in a carriage return where none has a newline.

    Examples
    --------
    >>> [count_lines(np.frombuffer(block, np.uint8)) for block in (b"a\r\nb\r\n", b"a\rb\r")]
    [2, 2]
    """
    return count_byte(block, b"\n") or count_byte(block, b"\r")


def is_unclosed(lines: Sequence[str], separator: str) -> bool:
    r"""Whether a record ends within a quote, or closes one in another line and not where a cell ends.

    Examples
    --------
    >>> is_unclosed(['1,"red'], ","), is_unclosed(['1,"red"'], ","), is_unclosed(['1,5" wide'], ",")
    (True, False, False)
    >>> is_unclosed(['1,"red\n', '2,"blue"'], ",")
    True
    """
    record = "".join(lines)
    return '"' in record and open_quote(np.frombuffer(record.encode(), np.uint8), separator.encode()) >= 0


class NotUtf8Error(ValueError):
    """A file that is not text in UTF-8; `line` is None where it is not known."""

    line: int | None = None


def not_utf8(name: str, line: int | None = None, error: UnicodeDecodeError | None = None) -> NotUtf8Error:
    """Return the error of a file that is not text in UTF-8; `error` is that of its line."""
    # of one byte each, only Windows has characters there
    windows = error is not None and 0x80 <= error.object[error.start] < 0xA0
    so = f"as --encoding {'cp1252' if windows else 'latin-1'} does"
    do = f"say how its characters are written, {so}, or have --replace-invalid read them as U+FFFD"
    if line is None or error is None:
        return NotUtf8Error(f"{name} is not text in UTF-8: {do}")
    byte = f"byte {error.start + 1} of it is 0x{error.object[error.start]:02x}"
    out = NotUtf8Error(f"{name}, line {line} is not text in UTF-8: {byte}; {do}")
    out.line = line
    return out


def find_not_utf8(lines: Iterable[bytes], name: str, n_lines: int) -> None:
    """Go through a table line by line, for the error that says in which line a byte is no text."""
    for n, line in enumerate(lines, n_lines + 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise not_utf8(name, n, error) from None
