"""Reading: any table as batches of raw columns, in the order of its rows."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from candide.cli.failures import BadInput, one_line
from candide.cli.formats import TEXT_FORMATS, Format, Stream, by_ending, open_bytes, shown, sniff
from candide.cli.text_tables import Columns, csv_batches, json_batches, read_header


@dataclass(frozen=True)
class Batch:
    """Some rows: raw cells by column (PyArrow arrays or lists), and the number of the first row."""

    columns: Columns
    start: int

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.columns.values()))) if self.columns else 0


@dataclass(frozen=True)
class Source:
    """A table being read.

    Attributes
    ----------
    path : str
    format : Format
    names : list of str, or None
        The columns, where the format names them before the first row.
    fraction : function
        How much of it has been read, 0 .. 1; None where that cannot be known.
    """

    path: str
    format: Format
    names: list[str] | None
    _batches: Iterator[Columns]
    fraction: Callable[[], float | None]

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return shown(self.path)

    @property
    def typed(self) -> bool:
        """Whether the format itself says what is text and what is a number."""
        return self.format not in {"csv", "tsv"}

    def __iter__(self) -> Iterator[Batch]:
        start = 0
        try:
            for columns in self._batches:
                batch = Batch(columns, start)
                yield batch
                start += batch.n_rows
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise BadInput(f"{self.name} is not a whole gzip file: {one_line(str(error))}") from None

    def whole(self) -> Batch:
        """Return all rows as one batch."""
        return Batch(join([batch.columns for batch in self]), 0)


def open_table(path: str, format_: Format | None = None, na: Sequence[str] = ()) -> Source:
    """Open a table.

    Parameters
    ----------
    path : str
        A file, or "-" for standard input.
    format_ : Format, optional
        By default the file's ending says it, or its first bytes.
    na : sequence of str
        Cells of a CSV or TSV that are missing besides the empty ones.
    """
    try:
        stream, counted = open_bytes(path)
        kind = format_ or by_ending(path)[0] or sniff(stream)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise BadInput(f"{shown(path)} is not a whole gzip file: {one_line(str(error))}") from None

    def fraction() -> float | None:
        return None if not counted.size else min(1.0, counted.done / counted.size)

    if kind == "ndjson":
        return Source(path, kind, None, json_batches(stream, shown(path)), fraction)
    if kind in {"parquet", "arrow"}:
        return _binary(path, cast("Format", kind), stream)
    delimiter = "\t" if kind == "tsv" else None
    try:
        names, used = read_header(stream, delimiter, shown(path))
    except UnicodeDecodeError:
        raise BadInput(
            f"{shown(path)} is not a table in a known format ({', '.join(TEXT_FORMATS)} in UTF-8, parquet, "
            "arrow): give a file with such an ending, or --format"
        ) from None
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise BadInput(f"{shown(path)} is not a whole gzip file: {one_line(str(error))}") from None
    return Source(path, kind or "csv", names, csv_batches(stream, names, used, na, shown(path)), fraction)


def _binary(path: str, kind: Format, stream: Stream) -> Source:
    """Open a Parquet or Arrow file; standard input is read whole, as these formats are read from their end."""
    try:
        import pyarrow as pa
    except ImportError:
        raise BadInput(f"{shown(path)}: Parquet and Arrow files need PyArrow: pip install 'candide[arrow]'") from None
    done = [0.0]
    try:
        source = io.BytesIO(stream.read()) if path == "-" else path
        names, batches = _open_parquet(source, done) if kind == "parquet" else _open_arrow(source, done)
    except (pa.ArrowInvalid, OSError) as error:
        raise BadInput(f"{shown(path)} is not a whole {kind.title()} file: {one_line(str(error), 200)}") from None
    repeated = next((n for n in names if names.count(n) > 1), None)
    if repeated is not None:
        raise BadInput(f"{shown(path)}: two columns are called {repeated!r}; names must be distinct")
    columns = (dict(zip(names, batch.columns, strict=True)) for batch in batches if batch.num_rows)
    return Source(path, kind, names, columns, lambda: done[0])


def _open_parquet(source: Any, done: list[float]) -> tuple[list[str], Iterator[Any]]:
    from pyarrow import parquet

    file = parquet.ParquetFile(source)

    def batches() -> Iterator[Any]:
        read = 0
        for batch in file.iter_batches():
            read += batch.num_rows
            done[0] = read / max(1, file.metadata.num_rows)
            yield batch

    return list(file.schema_arrow.names), batches()


def _open_arrow(source: Any, done: list[float]) -> tuple[list[str], Iterator[Any]]:
    import pyarrow as pa

    opened = pa.memory_map(source) if isinstance(source, str) else source
    magic = opened.read(6)
    opened.seek(0)
    if magic != b"ARROW1":
        stream = pa.ipc.open_stream(opened)
        return list(stream.schema.names), iter(stream)
    file = pa.ipc.open_file(opened)

    def batches() -> Iterator[Any]:
        for n in range(file.num_record_batches):
            done[0] = n / file.num_record_batches
            yield file.get_batch(n)

    return list(file.schema.names), batches()


def join(parts: list[Columns]) -> Columns:
    """Return batches as one, in order; a column that a batch does not have is missing in its rows."""
    if len(parts) == 1:
        return parts[0]
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: _join_cells(name, parts) for name in names}


def _join_cells(name: str, parts: list[Columns]) -> Any:
    first = next(part[name] for part in parts if name in part)
    if not isinstance(first, list):
        import pyarrow as pa

        return pa.chunked_array([part[name] for part in parts])
    sizes = [len(next(iter(part.values()))) for part in parts]
    return [cell for part, n in zip(parts, sizes, strict=True) for cell in part.get(name, [None] * n)]
