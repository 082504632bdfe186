"""Arriving rows: a table on standard input, given out as its lines come and not when it ends."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide import native
from candide.progress import Done
from candide.schema.schema import Schema
from candide.sources.base import Reading
from candide.sources.batch import Batch
from candide.sources.faults import LONGEST_RECORD, line_of, unclosed
from candide.sources.formats import FORMATS, format_of
from candide.sources.objects import Taken, json_batches
from candide.sources.opening import ByteStream
from candide.sources.spread import whole_end
from candide.sources.text import TextColumns, plain_batches, read_header
from candide.sources.typing import by_schema, check_header, has_names

MOST_BYTES = 1 << 20
"""Bytes that are taken at a time where many have arrived."""


class Arriving:
    """NDJSON, CSV or TSV in a stream, in batches of whole lines: all that have arrived, or so many.

    Parameters
    ----------
    stream : ByteStream
    options : Reading
    most : int, optional
        Rows of a batch at the most.

    Attributes
    ----------
    read_names : list of str, or None
        The columns of a CSV.
    rows : int
        How many rows have been given out.
    """

    name = "standard input"
    repeatable = False

    def __init__(self, stream: ByteStream, options: Reading, most: int | None = None) -> None:
        self.stream, self.options, self.most = stream, options, most
        self.done: Done = lambda _: None
        self.rows = 0
        self.read_names: list[str] | None = None
        self._told = False  # whether some row had a column of the model
        self._block = (b"", "", 0, 0)  # what arrived last, its separator, and the lines and the rows before it

    def raw_for(self, known: Schema, columns: Sequence[str | int] | None, every: bool = False) -> Iterator[Batch]:
        """Yield the raw batches for `typed`."""
        kind = FORMATS[self.options.format or format_of(self.stream.peek(1)) or "csv"]
        loose = kind.cells == "values"
        separator, n_lines = "", 0
        if not loose:
            given = kind.separator or self.options.separator
            self.read_names, separator, n_lines = read_header(self.stream, given, self.options.decimal, self.name)
            if has_names(known):
                check_header(self.name, known, self.read_names, self.options)
        used = frozenset(known.used_names)

        def taken(key: str) -> bool:
            return every or not has_names(known) or key in used

        for block in self._whole_lines(separator):
            self._block = (block, separator, n_lines, self.rows)
            parsed, wrong = self._until_bad(block, loose, separator, n_lines, taken)
            for cells, n_rows in parsed:
                yield from self._batches(cells, n_rows, loose)
            if wrong is not None:
                raise wrong
            n_lines += block.count(b"\n")

    def place(self, row: int) -> str:
        """Return where a row of those that arrived last stands, for a message."""
        block, separator, n_lines, first = self._block
        return f"line {n_lines + line_of(block, row - first, separator)}"

    def _batches(self, cells: TextColumns, n_rows: int, loose: bool) -> Iterator[Batch]:
        whole = Batch(cells, self.rows, n_rows, self.name, loose, self.options.decimal)
        size = self.most or n_rows
        for start in range(0, n_rows, size):
            part = whole if size >= n_rows else whole.rows(start, min(size, n_rows - start))
            self.rows += part.n_rows
            yield part

    def _until_bad(
        self, block: bytes, loose: bool, separator: str, n_lines: int, taken: Taken
    ) -> tuple[list[tuple[TextColumns, int]], ValueError | None]:
        """Return the rows of whole lines, or those before one that is none, and what is wrong with that one."""
        try:
            return list(self._parsed(block, loose, separator, n_lines, taken)), None
        except ValueError as error:
            wrong = error
        good, bad = 0, 0 if loose and block.lstrip().startswith(b"[") else len(block)  # lines of an array are no rows
        rows: list[tuple[TextColumns, int]] = []
        while more := _middle(block[good:bad], separator):  # ends: there are fewer lines each time
            try:
                rows = list(self._parsed(block[: good + more], loose, separator, n_lines, taken))
                good += more
            except ValueError as error:
                wrong, bad = error, good + more
        return rows, wrong

    def _parsed(
        self, block: bytes, loose: bool, separator: str, n_lines: int, taken: Taken
    ) -> Iterator[tuple[TextColumns, int]]:
        part: Any = io.BufferedReader(io.BytesIO(block))
        if loose:
            yield from json_batches(part, self.name, taken, n_lines=n_lines)
            return
        names, missing = self.read_names or [], ["", *self.options.missing]
        for cells in plain_batches(part, names, separator, missing, names, self.name, n_lines):
            yield cells, len(next(iter(cells.values())))

    def _whole_lines(self, separator: str) -> Iterator[bytes]:
        """Yield the lines that have arrived, none of them cut; a cell that a quote opens goes on in the next line.

        Without a separator, a line is an object, or a part of one that is printed over several.
        """
        held = b""
        while piece := self.stream.read1(MOST_BYTES):  # ends: with the stream
            held += piece
            end = _record_end(held, separator)
            block, held = held[:end], held[end:]
            if block:
                yield block
            if len(held) > LONGEST_RECORD:
                raise unclosed(self.name) if separator else ValueError(f"{self.name}: a line is too long for a row")
        if held.strip():
            yield held

    def typed(self, batch: Batch, known: Schema, columns: Sequence[str | int] | None) -> dict[str, Any]:
        """Return the columns of a schema, typed as it has them.

        Objects of which none has a column of the model are of another table; but not behind one that had, since which
        of them come together is chance.
        """
        if batch.loose and has_names(known):
            used = [str(name) for name in known.used_names]
            if not self._told:
                self._told = any(name in batch.columns for name in used)
            elif not any(name in batch.columns for name in used):
                batch = replace(batch, columns={**batch.columns, used[0]: [None] * batch.n_rows})
        return by_schema(batch, known, [], {}, self.options)


def _middle(block: bytes, separator: str) -> int:
    """Return where a record ends that is about the middle one of a block; 0 where there is one record alone."""
    at = len(block) // 2
    end = _record_end(block[:at], separator)
    while not end and (at := block.find(b"\n", at) + 1):  # ends: with the lines
        end = _record_end(block[:at], separator)
    return end if end < len(block) else 0


def _record_end(block: bytes, separator: str) -> int:
    """Return where the last whole record of a block ends, 0 where there is none; without a separator, an object."""
    if not separator:
        return whole_end(np.frombuffer(block, np.uint8))
    end = block.rfind(b"\n") + 1
    if not end or b'"' not in block:
        return end
    return int(native.record_end(np.frombuffer(block, np.uint8), separator.encode()))
