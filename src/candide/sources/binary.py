"""Parquet and Arrow files, read in batches by PyArrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any

from candide import native
from candide.messages import need
from candide.sources.batch import batch_rows
from candide.sources.formats import Format
from candide.sources.opening import ByteStream, Place, is_repeatable, spooled
from candide.sources.pages import read_group
from candide.table.arrays import installed

ARROW_FILE = b"ARROW1"
WHOLE = 2
"""Batches that a group of rows may be as large as to be read at once: what is read of it is not read again."""
CODE_BYTES = 4
"""What a code takes: text that a file keeps in fewer bytes a row is stored as codes, and is read as such."""


class Binary:
    """A Parquet or Arrow file: its columns, and its batches as they are read.

    Parameters
    ----------
    place : path, "-" or file
    stream : ByteStream
        Its bytes, unpacked: read where the place cannot be read out of order.
    kind : "parquet" or "arrow"
    name : str
        What to call it in a message.

    Attributes
    ----------
    names : list of str
    stored : frozenset of str
        The columns of text that are given as codes into a dictionary, which is how the file stores them.
    group_rows : list of int
        The rows of each row group of a Parquet file: so many can be passed over without reading them.
    groups : range
        The row groups that are read: all, unless somebody wants some.
    alone : bool
        Whether one thread reads it, since others read other files or groups.
    done : float
        How much has been read, 0 .. 1.
    """

    def __init__(self, place: Place, stream: ByteStream, packed: bool, kind: Format, name: str) -> None:
        if not installed("pyarrow"):
            raise ImportError(f"{name}: {need('Parquet and Arrow files', 'arrow')}")
        import pyarrow as pa

        self.name, self.kind, self.done = name, kind, 0.0
        self.stored: frozenset[str] = frozenset()
        self.group_rows: list[int] = []
        self.groups, self.alone = range(0), False
        self._copy: IO[bytes] | None = None
        direct = is_repeatable(place) and not packed
        self._path = place if direct and isinstance(place, str) else ""
        try:
            if kind == "parquet":
                self._open_parquet(place if direct else self._seekable(stream))
            else:
                self._open_arrow(place if direct else stream, stream)
        except (pa.ArrowInvalid, OSError) as error:
            self.close()
            raise self._not_whole(error) from None
        repeated = next((n for n in self.names if self.names.count(n) > 1), None)
        if repeated is not None:
            raise ValueError(f"{name}: two columns are called {repeated!r}; names must be distinct")

    def _not_whole(self, error: Exception) -> ValueError:
        return ValueError(f"{self.name} is not a whole {self.kind.title()} file: {error}")

    def _seekable(self, stream: ByteStream) -> IO[bytes]:
        """Return a copy of a stream: these formats are read from their end."""
        self._copy = spooled(stream)
        return self._copy

    def close(self) -> None:
        """Let go of the copy, if one had to be made."""
        if self._copy is not None:
            self._copy.close()

    def _open_parquet(self, source: Any) -> None:
        from pyarrow import parquet

        # buffering ahead would hold whole row groups, all columns of them
        self.file = parquet.ParquetFile(source, pre_buffer=False)
        self.names = list(self.file.schema_arrow.names)
        groups = self.file.metadata
        self.group_rows = [groups.row_group(g).num_rows for g in range(groups.num_row_groups)]
        self.groups = range(len(self.group_rows))
        self.stored = frozenset(stored_as_codes(self.file))
        if self.stored:
            self.file = parquet.ParquetFile(
                source, metadata=self.file.metadata, pre_buffer=False, read_dictionary=sorted(self.stored)
            )

    def _open_arrow(self, source: Any, stream: ByteStream) -> None:
        import pyarrow as pa

        if stream.peek(len(ARROW_FILE))[: len(ARROW_FILE)] != ARROW_FILE:
            self.file = pa.ipc.open_stream(stream)
        elif isinstance(source, str):
            self.file = pa.ipc.open_file(pa.memory_map(source))
        else:
            self.file = pa.ipc.open_file(source if source is not stream else self._seekable(stream))
        self.names = list(self.file.schema.names)

    def batches(self, wanted: Sequence[str] | None) -> Iterator[dict[str, Any]]:
        """Yield the columns wanted, or all, as PyArrow arrays, a bounded number of rows at a time."""
        import pyarrow as pa

        names = self.names if wanted is None else list(wanted)
        rows = batch_rows(len(names))
        try:
            for batch in self._parquet(names, rows) if self.kind == "parquet" else self._arrow(rows):
                yield {n: batch.column(n) for n in names}
        except (pa.ArrowInvalid, OSError) as error:
            raise self._not_whole(error) from None

    def _parquet(self, names: list[str], rows: int) -> Iterator[Any]:
        read, all_rows = sum(self.group_rows[: self.groups.start]), max(1, self.file.metadata.num_rows)
        n = sum(self.group_rows[g] for g in self.groups)
        even = max(1, -(-n // max(1, -(-n // rows))))  # as many batches as it takes, one like the other
        decodes = self.alone and self._path and n <= WHOLE * rows and native.kernels() == "native"  # twins are slower
        for batch in self._decoded(names, rows) if decodes else self._read(names, even, self.groups):
            read += batch.num_rows
            self.done = read / all_rows
            yield batch

    def _read(self, names: list[str], rows: int, groups: Sequence[int]) -> Iterator[Any]:
        return iter(self.file.iter_batches(rows, columns=names, row_groups=groups, use_threads=not self.alone))

    def _decoded(self, names: list[str], rows: int) -> Iterator[Any]:
        """Yield groups of rows whole, decoded page by page, where they are plain."""
        for g in self.groups:
            batch = read_group(self._path, self.file, g, names, self.stored)
            if batch is None:
                yield from self._read(names, rows, [g])
            elif batch.num_rows:
                yield batch

    def _arrow(self, rows: int) -> Iterator[Any]:
        for batch in self._stored():
            for start in range(0, batch.num_rows, rows):
                yield batch.slice(start, rows)

    def _stored(self) -> Iterator[Any]:
        """Yield the batches of an Arrow file, as large as they are stored."""
        import pyarrow as pa

        if isinstance(self.file, pa.ipc.RecordBatchStreamReader):
            yield from self.file
            return
        for n in range(self.file.num_record_batches):
            self.done = (n + 1) / self.file.num_record_batches
            yield self.file.get_batch(n)


def stored_as_codes(file: Any) -> list[str]:
    """Return the columns of text that a Parquet file stores as codes, by what its first row group says."""
    import pyarrow as pa

    schema, groups = file.schema_arrow, file.metadata
    if not groups.num_row_groups or groups.num_columns != len(schema.names):  # none, or some column holds others
        return []
    first = groups.row_group(0)
    chunks = [first.column(i) for i in range(groups.num_columns)]
    return [
        name
        for name, kind, chunk in zip(schema.names, schema.types, chunks, strict=True)
        if (pa.types.is_string(kind) or pa.types.is_large_string(kind))
        and any("DICTIONARY" in encoding for encoding in chunk.encodings)
        and chunk.total_uncompressed_size < CODE_BYTES * chunk.num_values
    ]
