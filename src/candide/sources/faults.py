"""Faults: what is wrong with a table in text, and in which line of it."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from candide.sources.opening import ByteStream


class UnevenRowError(ValueError):
    """A row that has more or fewer cells than there are columns; `line` is None where it is not known."""

    line: int | None = None


def uneven(name: str, line: int | None, wanted: int, found: int, end: int | None = None) -> UnevenRowError:
    """Return the error of a row of so many cells; `end` is the last of its lines where it has several."""
    where = name if line is None else f"{name}, line {line}"
    said = "a row" if end in (None, line) else f"a row, which a quote makes go on to line {end},"
    error = UnevenRowError(f"{where}: {said} has {found} cells and the first line names {wanted} columns")
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


class QuoteCounter(io.RawIOBase):
    """A stream that counts the quotes that went through: where their number is odd, one may not be closed."""

    def __init__(self, stream: ByteStream) -> None:
        super().__init__()
        self.stream, self.quotes = stream, 0

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, into: Any) -> int:
        """Read some bytes, as many as are there."""
        n = self.stream.readinto1(into)
        self.quotes += bytes(memoryview(into)[:n]).count(b'"')
        return n


def find_fault(stream: ByteStream, names: Sequence[str], separator: str, name: str, n_lines: int) -> None:
    """Go through a table line by line, for the error that says in which line a row is uneven, or a quote stays open."""
    held: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.TextIOWrapper(stream, "utf-8", "replace", newline=""):
            held.append(line)
            yield line

    records = csv.reader(lines(), delimiter=separator)
    begin = n_lines + 1
    longest = csv.field_size_limit(sys.maxsize)  # a quote that is not closed makes a cell of all that follows
    try:
        for record in records:
            end = n_lines + records.line_num
            if is_unclosed(held, separator):
                raise unclosed(name, begin)
            if record and len(record) != len(names):
                raise uneven(name, begin, len(names), len(record), end)
            held.clear()
            begin = end + 1
    finally:
        csv.field_size_limit(longest)


def is_unclosed(lines: Sequence[str], separator: str) -> bool:
    """Whether a record ends within a quote, or in another line and not where a cell does.

    Examples
    --------
    >>> is_unclosed(['1,"red'], ","), is_unclosed(['1,"red"'], ","), is_unclosed(['1,5" wide'], ",")
    (True, False, False)
    >>> is_unclosed(['1,"red', '2,"blue"'], ",")
    True
    """
    if not any('"' in line for line in lines):
        return False
    try:
        list(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error as error:
        return len(lines) > 1 or "end of data" in str(error)
    return False


class NotUtf8Error(ValueError):
    """A file that is not text in UTF-8; `line` is None where it is not known."""

    line: int | None = None


def not_utf8(name: str, line: int | None = None, error: UnicodeDecodeError | None = None) -> NotUtf8Error:
    """Return the error of a file that is not text in UTF-8; `error` is that of its line."""
    do = "say how its characters are written, as --encoding latin-1 does, or have --replace-invalid read them as U+FFFD"
    if line is None or error is None:
        return NotUtf8Error(f"{name} is not text in UTF-8: {do}")
    byte = f"byte {error.start + 1} of it is 0x{error.object[error.start]:02x}"
    out = NotUtf8Error(f"{name}, line {line} is not text in UTF-8: {byte}; {do}")
    out.line = line
    return out


def find_not_utf8(stream: ByteStream, name: str, n_lines: int) -> None:
    """Go through a table line by line, for the error that says in which line a byte is no text."""
    for n, line in enumerate(stream, n_lines + 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise not_utf8(name, n, error) from None
