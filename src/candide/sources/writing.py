"""Writing tables: rows to CSV, TSV, NDJSON, Parquet or Arrow, batch by batch; a file appears only when it is whole."""

from __future__ import annotations

import csv
import io
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Literal, cast

import numpy as np

from candide.messages import need
from candide.sources.formats import FORMATS, by_ending, written_endings, written_formats
from candide.sources.packings import PACKINGS, StaysOpen
from candide.sources.spelling import is_arrow, looks_numeric, walk
from candide.table.arrays import installed
from candide.writing import is_stream, replacing

WrittenColumns = dict[str, Any]

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would compute."""


class Writer(ABC):
    """Takes batches of columns; the first one decides the names and types."""

    @abstractmethod
    def write(self, columns: WrittenColumns) -> None:
        """Write some rows."""

    @abstractmethod
    def close(self) -> None:
        """Write what is still held back."""

    def flush(self) -> None:  # noqa: B027  # files of columns are written when they are whole
        """Let whoever reads see what was written so far."""

    def abandon(self) -> None:  # noqa: B027  # most hold nothing back
        """Let go of what is still held back: what was written is not whole."""


class TextWriter(Writer):
    """CSV and TSV: empty cells where missing, numbers to all their digits.

    Parameters
    ----------
    sink : binary file
    separator : str
    safe : bool
        Put an apostrophe before text that a spreadsheet would take for a formula.
    """

    def __init__(self, sink: IO[bytes], separator: str, safe: bool = False) -> None:
        self.text = io.TextIOWrapper(
            cast("io.BufferedWriter", StaysOpen(sink)), "utf-8", newline="", write_through=True
        )
        self.rows = csv.writer(self.text, delimiter=separator, lineterminator="\n")
        self.sink, self.safe = sink, safe
        self.names: list[str] | None = None

    def write(self, columns: WrittenColumns) -> None:
        if self.names is None:
            self.names = list(columns)
            self.rows.writerow(map(harmless, self.names) if self.safe else self.names)
        n = len(next(iter(columns.values())))
        cells = [listed(columns[name]) if name in columns else [None] * n for name in self.names]
        if self.safe:
            cells = [[harmless(cell) for cell in column] for column in cells]
        self.rows.writerows(zip(*cells, strict=True))

    def flush(self) -> None:
        self.text.flush()
        self.sink.flush()

    def close(self) -> None:
        self.text.flush()


def harmless(cell: Any) -> Any:
    """Return a cell as a spreadsheet shows it and does not compute it; numbers are what they are.

    Examples
    --------
    >>> harmless("=HYPERLINK(0)"), harmless("-5"), harmless("petrol")
    ("'=HYPERLINK(0)", '-5', 'petrol')
    """
    formula = isinstance(cell, str) and cell.startswith(FORMULA) and not looks_numeric(cell)
    return f"'{cell}" if formula else cell


class JsonWriter(Writer):
    """One object per line."""

    def __init__(self, sink: IO[bytes]) -> None:
        self.sink = sink

    def write(self, columns: WrittenColumns) -> None:
        names = list(columns)
        cells = [listed(values) for values in columns.values()]
        for row in zip(*cells, strict=True):
            line = json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, default=str)
            self.sink.write(line.encode() + b"\n")

    def flush(self) -> None:
        self.sink.flush()

    def close(self) -> None:
        self.flush()


class ArrowWriter(Writer):
    """Parquet and Arrow, through PyArrow."""

    def __init__(self, sink: IO[bytes], kind: Literal["parquet", "arrow"], seekable: bool) -> None:
        if not installed("pyarrow"):
            raise ImportError(need("Parquet and Arrow files", "arrow"))
        self.sink, self.kind, self.seekable = StaysOpen(sink), kind, seekable
        self.writer: Any = None

    def write(self, columns: WrittenColumns) -> None:
        import pyarrow as pa

        table = pa.table({name: c if is_arrow(c) else pa.array(c) for name, c in columns.items()})
        if self.writer is None:
            self.schema, self.writer = table.schema, self._open(table.schema)
        try:
            self.writer.write_table(table.select(self.schema.names).cast(self.schema))
        except (pa.ArrowInvalid, KeyError) as error:
            raise ValueError(f"the rows do not all have the same columns and types: {error}") from None

    def _open(self, schema: Any) -> Any:
        import pyarrow as pa

        if self.kind == "parquet":
            from pyarrow import parquet

            return parquet.ParquetWriter(self.sink, schema)
        # a pipe gets the form that is read from its beginning
        return pa.ipc.new_file(self.sink, schema) if self.seekable else pa.ipc.new_stream(self.sink, schema)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()

    def abandon(self) -> None:
        self.sink.dropped = True
        self.close()


def listed(cells: Any) -> list[Any]:
    """Return cells as Python values, None where missing; bytes as the text that they are."""
    if isinstance(cells, np.ndarray):
        lost = np.isnan(cells) if cells.dtype.kind == "f" else np.zeros(len(cells), dtype=bool)
        return [None if gone else v for v, gone in zip(cells.tolist(), lost, strict=True)]
    return [cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell for cell in walk(cells)]


def output_format(path: str | None, given: str | None) -> str:
    """Return the format to write: as given, as the file's ending says, CSV on standard output, devices and FIFOs."""
    if given is not None:
        return given
    if path is None or path == "-":
        return "csv"
    found = by_ending(path, written=True)[0]
    if found is None and is_stream(path):
        return "csv"
    if found is None:
        raise ValueError(f"{path}: the ending tells no format; use one of {' '.join(written_endings())}, or --to")
    return found


@contextmanager
def open_writer(path: str, kind: str, safe: bool = False) -> Iterator[Writer]:
    """Open a table for writing; the file is put in its place when everything has been written.

    Parameters
    ----------
    path : str
        A file, or "-" for standard output; the ending tells whether it is packed.
    kind : Format
    safe : bool
        As in `TextWriter`.
    """
    if path == "-":
        with _writer(sys.stdout.buffer, kind, False, safe) as writer:
            yield writer
        sys.stdout.buffer.flush()
        return
    with (
        replacing(path) as file,
        _packed(file, path) as sink,
        _writer(sink, kind, not is_stream(path), safe) as writer,
    ):
        yield writer


@contextmanager
def _writer(sink: IO[bytes], kind: str, seekable: bool, safe: bool) -> Iterator[Writer]:
    writer = _make_writer(sink, kind, seekable, safe)
    try:
        yield writer
    except BaseException:
        writer.abandon()
        raise
    writer.close()


def _make_writer(sink: IO[bytes], kind: str, seekable: bool, safe: bool) -> Writer:
    form = FORMATS[kind]
    if form.write is None:
        raise ValueError(f"{kind} is read and not written: use one of {', '.join(written_formats())}")
    if safe and form.cells != "text":
        raise ValueError(f"only CSV and TSV can be made safe for spreadsheets, not {kind}")
    return form.write(sink, seekable, safe)


@contextmanager
def _packed(file: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    """Pack what is written as the file's ending says."""
    packing = by_ending(path)[1]
    if packing is None:
        yield file
        return
    try:
        packed = PACKINGS[packing].pack(file)
    except ImportError as error:
        raise ImportError(f"{path}: {error}") from None
    with packed:
        yield packed
