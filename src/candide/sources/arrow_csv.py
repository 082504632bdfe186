"""CSV read by PyArrow: blocks of whole records, several of them at once where the file is there to its end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from candide import native
from candide.frozen import frozen
from candide.overlap import overlapped, workers
from candide.sources import waiting
from candide.sources.blocks import whole_blocks
from candide.sources.faults import (
    LONGEST_RECORD,
    NEWLINE,
    RETURN,
    UnclosedQuoteError,
    count_lines,
    find_fault,
    find_not_utf8,
    not_utf8,
    unclosed,
    uneven,
)
from candide.sources.guesses import Guess
from candide.sources.opening import ByteStream
from candide.sources.plain_csv import plain_batch
from candide.sources.spelling import CODE
from candide.sources.text import NotAsGuessedError, TextColumns

Array = np.ndarray[Any, Any]

ZERO = np.uint8(ord("0"))

LINE = 1 << 12
"""Bytes at the end of a block in which the last line is looked for."""


@frozen(eq=True)
class ArrowCsv:
    """How the records of a CSV are read.

    Parameters
    ----------
    names : list of str
        The columns.
    separator : str
    missing : sequence of str
        Spellings of a missing cell.
    wanted : sequence of str
        The columns to yield.
    name : str
        What to call the table in a message.
    guesses : mapping of names to Guess
        What columns may be read as.
    """

    names: list[str]
    separator: str
    missing: Sequence[str]
    wanted: Sequence[str]
    name: str
    guesses: Mapping[str, Guess]

    def batches(self, stream: ByteStream, n_lines: int, block_bytes: int, ahead: bool) -> Iterator[TextColumns]:
        """Yield the records of a stream, a block at a time; `ahead` has several read by threads before they are due.

        What is wrong is looked for in its block, line by line: a pipe could not be gone through again.
        """
        import pyarrow as pa

        if waiting.STOP is not None:
            pa.enable_signal_handlers(False)  # PyArrow's own would keep from us what was heard
        spare: list[Array] = []

        def cells(block: tuple[Array, int]) -> _Read:
            memory, end = block
            read = self.read(memory[:end])
            if read.doubtful is None:
                spare.append(memory)  # nothing of it is held
            return read

        separator = self.separator.encode()
        blocks = whole_blocks(
            stream, block_bytes, lambda block: native.record_end(block, separator), spare, LONGEST_RECORD
        )
        for read in overlapped(cells, blocks, workers()) if ahead else map(cells, blocks):
            if read.doubtful is not None:
                block = read.doubtful.tobytes()
                find_fault(block, len(self.names), self.separator, self.name, n_lines)
                find_not_utf8(block.splitlines(), self.name, n_lines)
            if isinstance(read.error, UnclosedQuoteError):  # all of the block, from its first line on
                raise unclosed(self.name, n_lines + 1)
            if read.error is not None:
                raise read.error
            n_lines += read.n_lines
            if read.batch.num_rows:
                yield dict(zip(self.wanted, read.batch.columns, strict=True))

    def read(self, records: Array) -> _Read:
        """Return the records of a block as one record batch."""
        import pyarrow as pa
        from pyarrow import csv

        found: list[int] = []

        def stop(row: Any) -> str:
            found.append(row.actual_columns)
            return "error"

        if len(records) > LONGEST_RECORD and not native.record_end(records, self.separator.encode()):
            return _Read(None, 0, None, unclosed(self.name))
        n_lines = count_lines(records)
        plain = set(self.missing) == {""}
        batch = plain_batch(records, n_lines, self.separator, self._kinds()) if plain else None
        if batch is not None:
            return _Read(batch.select(list(self.wanted)), n_lines)
        try:
            table = csv.read_csv(
                pa.BufferReader(pa.py_buffer(records)),
                csv.ReadOptions(column_names=self.names, block_size=len(records), use_threads=False),
                csv.ParseOptions(delimiter=self.separator, newlines_in_values=True, invalid_row_handler=stop),
                self._cells(),
            )
        except pa.ArrowInvalid as error:
            told = self._told(str(error).removeprefix("CSV parse error: "), found)
            return _Read(None, n_lines, None if isinstance(told, NotAsGuessedError) else records, told)
        if any(_has_nan(table.column(n)) for n in self._numeric):
            raise NotAsGuessedError  # the word nan is text
        if self._numeric and self._has_code(records):
            raise NotAsGuessedError  # PyArrow takes 01234 for a number
        batch = table.combine_chunks().to_batches()[0] if len(table) else table
        return _Read(batch, n_lines, records if self._may_be_open(records, len(table), n_lines) else None)

    def _may_be_open(self, records: Array, n_rows: int, n_lines: int) -> bool:
        """Whether a quote may not be closed where it should: where every line is a row, that of the last one alone."""
        ends = len(records) and records[-1] in (NEWLINE, RETURN)
        if n_rows == n_lines + (not ends):
            tail = records[-LINE:]
            before = np.flatnonzero(tail[:-1] == NEWLINE)
            records = tail[before[-1] + 1 :] if len(before) else records
        return native.open_quote(records, self.separator.encode()) >= 0

    def _has_code(self, records: Array) -> bool:
        """Whether a column that is guessed to hold numbers holds digits behind a zero."""
        import pyarrow as pa
        from pyarrow import csv

        if not may_have_code(records, self.separator.encode()):
            return False
        written = csv.read_csv(
            pa.BufferReader(pa.py_buffer(records)),
            csv.ReadOptions(column_names=self.names, block_size=len(records), use_threads=False),
            csv.ParseOptions(delimiter=self.separator, newlines_in_values=True),
            csv.ConvertOptions(column_types=dict.fromkeys(self.names, pa.string()), include_columns=self._numeric),
        )
        return any(CODE.fullmatch(cell) for n in self._numeric for cell in written.column(n).unique().to_pylist())

    @property
    def _numeric(self) -> list[str]:
        return [n for n in self.wanted if self.guesses.get(n) == "numbers"]

    def _kinds(self) -> dict[str, Guess | None]:
        """Return what every column is guessed to be, None for one that is not wanted."""
        wanted = set(self.wanted)
        return {name: self.guesses.get(name, "text") if name in wanted else None for name in self.names}

    def _cells(self) -> Any:
        """Return how cells are read."""
        import pyarrow as pa
        from pyarrow import csv

        types = {"numbers": pa.float64(), "codes": pa.dictionary(pa.int32(), pa.string()), "text": pa.string()}
        return csv.ConvertOptions(
            column_types={n: types[self.guesses.get(n, "text")] for n in self.names},
            include_columns=list(self.wanted),
            null_values=list(self.missing),
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        )

    def _told(self, message: str, found: list[int]) -> Exception:
        """Return what is wrong with a block, in our words where these say more than PyArrow's."""
        if "utf8" in message.lower():
            return not_utf8(self.name)
        if found:
            return uneven(self.name, None, len(self.names), found[0])
        if self._numeric and "conversion error" in message:
            return NotAsGuessedError()
        return ValueError(f"{self.name} is not a good table: {message}")


@frozen
class _Read:
    """What was read of a block: a record batch, or why there is none.

    Parameters
    ----------
    batch : RecordBatch or None
    n_lines : int
        Lines of the block.
    doubtful : ndarray or None
        The block, where something is wrong with it or may be.
    error : Exception or None
    """

    batch: Any
    n_lines: int
    doubtful: Array | None = None
    error: Exception | None = None


def may_have_code(records: Array, separator: bytes) -> bool:
    """Whether a cell begins with a zero and another digit."""
    digit = records[1:] - ZERO < 10  # what is less than a zero goes round, and is far beyond
    at = np.flatnonzero((records[:-1] == ZERO) & digit)
    before = np.frombuffer(separator + b'"\r\n-', dtype=np.uint8)
    return len(at) > 0 and bool(at[0] == 0 or np.isin(records[at - 1], before).any())


def _has_nan(numbers: Any) -> bool:
    from pyarrow import compute

    total = compute.sum(numbers).as_py()  # NaN where one is, or where infinities of both signs are
    return total is not None and math.isnan(total) and bool(compute.any(compute.is_nan(numbers)).as_py())
