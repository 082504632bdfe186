"""Writing: rows to CSV, TSV, NDJSON, Parquet or Arrow, batch by batch; a file appears only when it is whole."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

import numpy as np

from candide.cli.cells import is_arrow, walk
from candide.cli.failures import BadInput, one_line
from candide.cli.formats import ENDINGS, TEXT_FORMATS, Format, by_ending
from candide.table.arrays import installed
from candide.writing import is_stream, replacing

Columns = dict[str, Any]


class Writer(ABC):
    """Takes batches of columns; the first one decides the names and types."""

    @abstractmethod
    def write(self, columns: Columns) -> None:
        """Write some rows."""

    @abstractmethod
    def close(self) -> None:
        """Write what is still held back."""


class TextWriter(Writer):
    """CSV and TSV: empty cells where missing, numbers to all their digits."""

    def __init__(self, sink: IO[bytes], delimiter: str) -> None:
        self.text = io.TextIOWrapper(cast("io.BufferedWriter", _Kept(sink)), "utf-8", newline="", write_through=True)
        self.rows = csv.writer(self.text, delimiter=delimiter, lineterminator="\n")
        self.names: list[str] | None = None

    def write(self, columns: Columns) -> None:
        if self.names is None:
            self.names = list(columns)
            self.rows.writerow(self.names)
        n = len(next(iter(columns.values())))
        cells = [listed(columns[name]) if name in columns else [None] * n for name in self.names]
        self.rows.writerows(zip(*cells, strict=True))

    def close(self) -> None:
        self.text.flush()


class JsonWriter(Writer):
    """One object per line."""

    def __init__(self, sink: IO[bytes]) -> None:
        self.sink = sink

    def write(self, columns: Columns) -> None:
        names = list(columns)
        cells = [listed(values) for values in columns.values()]
        for row in zip(*cells, strict=True):
            line = json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, default=str)
            self.sink.write(line.encode() + b"\n")

    def close(self) -> None:
        self.sink.flush()


class ArrowWriter(Writer):
    """Parquet and Arrow, through PyArrow."""

    def __init__(self, sink: IO[bytes], kind: Format, seekable: bool) -> None:
        self.sink, self.kind, self.seekable = sink, kind, seekable
        self.writer: Any = None

    def write(self, columns: Columns) -> None:
        import pyarrow as pa

        table = pa.table({name: c if is_arrow(c) else pa.array(c) for name, c in columns.items()})
        if self.writer is None:
            self.schema, self.writer = table.schema, self._open(table.schema)
        try:
            self.writer.write_table(table.select(self.schema.names).cast(self.schema))
        except (pa.ArrowInvalid, KeyError) as error:
            raise BadInput(
                f"the rows do not all have the same columns and types: {one_line(str(error), 200)}"
            ) from None

    def _open(self, schema: Any) -> Any:
        import pyarrow as pa

        if self.kind == "parquet":
            from pyarrow import parquet

            return parquet.ParquetWriter(self.sink, schema)
        return pa.ipc.new_file(self.sink, schema) if self.seekable else pa.ipc.new_stream(self.sink, schema)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


class _Kept(io.RawIOBase):
    """A sink that stays open when the text layer above it goes."""

    def __init__(self, sink: IO[bytes]) -> None:
        self.sink = sink

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.sink.write(data)
        return len(data)


def listed(cells: Any) -> list[Any]:
    """Return cells as Python values, None where missing."""
    if isinstance(cells, np.ndarray):
        return [None if lost else v for v, lost in zip(cells.tolist(), absent(cells), strict=True)]
    return list(walk(cells))


def absent(cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return which cells of an array are NaN."""
    return np.isnan(cells) if cells.dtype.kind == "f" else np.zeros(len(cells), dtype=bool)


def output_format(path: str | None, given: Format | None) -> Format:
    """Return the format to write: as given, as the file's ending says, CSV on standard output."""
    if given is not None:
        return given
    if path is None or path == "-":
        return "csv"
    found = by_ending(path)[0]
    if found is None:
        raise BadInput(f"{path}: the ending tells no format; use one of {' '.join(ENDINGS)}, or --to")
    return found


@contextmanager
def open_writer(path: str, kind: Format) -> Iterator[Writer]:
    """Open a table for writing; the file is put in its place when everything has been written."""
    if path == "-":
        with _writer(sys.stdout.buffer, kind, seekable=False) as writer:
            yield writer
        sys.stdout.buffer.flush()
        return
    with (
        replacing(path) as file,
        _packed(file, path) as sink,
        _writer(sink, kind, seekable=not is_stream(path)) as writer,
    ):
        yield writer


@contextmanager
def _packed(file: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    """Compress what is written where the file's ending says so."""
    if not by_ending(path)[1]:
        yield file
        return
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        yield cast("IO[bytes]", packed)


@contextmanager
def _writer(sink: IO[bytes], kind: Format, seekable: bool) -> Iterator[Writer]:
    writer: Writer
    if kind in TEXT_FORMATS:
        writer = JsonWriter(sink) if kind == "ndjson" else TextWriter(sink, "\t" if kind == "tsv" else ",")
        yield writer
        writer.close()
        return
    if not installed("pyarrow"):
        raise BadInput("Parquet and Arrow files need PyArrow: pip install 'candide[arrow]'")
    whole = io.BytesIO() if kind == "parquet" and not seekable else None
    writer = ArrowWriter(whole or sink, kind, seekable)
    yield writer
    writer.close()
    if whole is not None:
        sink.write(whole.getvalue())
