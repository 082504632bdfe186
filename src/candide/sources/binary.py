"""Parquet and Arrow files, read in batches by PyArrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, Literal

from candide import native
from candide.messages import need
from candide.sources.batch import batch_rows
from candide.sources.open_table import OpenFile, OpenTable, counted_rows
from candide.sources.opening import ByteStream, spooled
from candide.sources.pages import read_group
from candide.sources.spelling import is_text
from candide.sources.utf8 import are_bytes, in_utf8
from candide.table.arrays import installed

if TYPE_CHECKING:
    from candide.sources.text import TextColumns

ARROW_FILE = b"ARROW1"
WHOLE = 2
"""Batches that a group of rows may be as large as to be read at once: what is read of it is not read again."""
FEWEST_ROWS = 1000
"""Rows of a group that are looked at, at the least, where the first of each are."""
CODE_BYTES = 4
"""What a code takes: text that a file keeps in fewer bytes a row is stored as codes, and is read as such."""


class Binary(OpenTable):
    """A Parquet or Arrow file: its columns, and its batches as they are read.

    Parameters
    ----------
    file : OpenFile
        Its stream is read where the place cannot be read out of order.
    kind : "parquet" or "arrow"

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

    names: list[str]

    def __init__(self, file: OpenFile, kind: Literal["parquet", "arrow"]) -> None:
        super().__init__(file)
        place, stream, name = file.place, file.stream, file.name
        if not installed("pyarrow"):
            raise ImportError(f"{name}: {need('Parquet and Arrow files', 'arrow')}")
        import pyarrow as pa

        self.name, self.kind, self.done = name, kind, 0.0
        self.groups, self.alone = range(0), False
        self._copy: IO[bytes] | None = None
        direct = file.is_repeatable and not file.is_packed
        self._path = place if direct and isinstance(place, str) else ""
        try:
            if kind == "parquet":
                self._open_parquet(place if direct else self._seekable(stream))
            else:
                self._open_arrow(place if direct else stream, stream)
        except (pa.ArrowInvalid, OSError) as error:
            self.close()
            raise self._not_whole(error) from None
        self.texts = [field.name for field in self._schema if _is_text(field.type) or are_bytes(field.type)]
        repeated = next((n for n, times in Counter(self.names).items() if times > 1), None)
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
        self._opened = parquet.ParquetFile(source, pre_buffer=False)
        self._schema = self._opened.schema_arrow
        self.names = list(self._schema.names)
        groups = self._opened.metadata
        self.group_rows = [groups.row_group(g).num_rows for g in range(groups.num_row_groups)]
        self.groups = range(len(self.group_rows))
        self.stored = frozenset(stored_as_codes(self._opened))
        if self.stored:
            self._opened = parquet.ParquetFile(
                source, metadata=self._opened.metadata, pre_buffer=False, read_dictionary=sorted(self.stored)
            )

    def _open_arrow(self, source: Any, stream: ByteStream) -> None:
        import pyarrow as pa

        if stream.peek(len(ARROW_FILE))[: len(ARROW_FILE)] != ARROW_FILE:
            self._opened = pa.ipc.open_stream(stream)
        elif isinstance(source, str):
            self._opened = pa.ipc.open_file(pa.memory_map(source))
        else:
            self._opened = pa.ipc.open_file(source if source is not stream else self._seekable(stream))
        self._schema = self._opened.schema
        self.names = list(self._schema.names)

    @property
    def fraction(self) -> float | None:
        return self.done

    def read_only(self, groups: slice, alone: bool) -> None:
        self.groups, self.alone = self.groups[groups], alone

    def columns(
        self, wanted: Sequence[str] | None, known: Mapping[str, str] | None
    ) -> Iterator[tuple[TextColumns, int]]:
        return counted_rows(self._batches(wanted))

    def beginnings(self, wanted: Sequence[str], rows: int) -> Iterator[tuple[TextColumns, int]]:
        batches = self._beginnings(list(wanted), rows)
        return counted_rows(self._in_utf8(batch, wanted, 0, replace=True) for batch in batches)  # a look at them

    def _beginnings(self, names: list[str], rows: int) -> Iterator[Any]:
        groups = len(self.groups) if self.kind == "parquet" else getattr(self._opened, "num_record_batches", 1)
        each = max(FEWEST_ROWS, rows // max(groups, 1))
        if self.kind == "parquet":
            return chain.from_iterable(islice(self._read(names, each, [g]), 1) for g in self.groups)
        return (batch.slice(0, each) for batch in self._stored() if batch.num_rows)

    def _batches(self, wanted: Sequence[str] | None) -> Iterator[dict[str, Any]]:
        """Yield the columns wanted, or all, as PyArrow arrays, a bounded number of rows at a time."""
        import pyarrow as pa

        names = self.names if wanted is None else list(wanted)
        rows = batch_rows(len(names))
        start, replace = sum(self.group_rows[: self.groups.start]), self.file.options.replace_invalid
        try:
            for batch in self._parquet(names, rows) if self.kind == "parquet" else self._arrow(rows):
                yield self._in_utf8(batch, names, start, replace)
                start += batch.num_rows
        except (pa.ArrowInvalid, OSError) as error:
            raise self._not_whole(error) from None

    def _in_utf8(self, batch: Any, names: Sequence[str], start: int, replace: bool) -> dict[str, Any]:
        """Return columns whose text is text; bytes, which may be none, are looked at where somebody asks for them."""
        columns = {n: batch.column(n) for n in names}
        return {
            n: in_utf8(cells, f"{self.name}: column {n!r}", start, replace) if replace or is_text(cells) else cells
            for n, cells in columns.items()
        }

    def _parquet(self, names: list[str], rows: int) -> Iterator[Any]:
        read, all_rows = sum(self.group_rows[: self.groups.start]), max(1, self._opened.metadata.num_rows)
        n = sum(self.group_rows[g] for g in self.groups)
        even = max(1, -(-n // max(1, -(-n // rows))))  # as many batches as it takes, one like the other
        decodes = self.alone and self._path and n <= WHOLE * rows and native.kernels() == "native"  # twins are slower
        for batch in self._decoded(names, rows) if decodes else self._read(names, even, self.groups):
            read += batch.num_rows
            self.done = read / all_rows
            yield batch

    def _read(self, names: list[str], rows: int, groups: Sequence[int]) -> Iterator[Any]:
        return iter(self._opened.iter_batches(rows, columns=names, row_groups=groups, use_threads=not self.alone))

    def _decoded(self, names: list[str], rows: int) -> Iterator[Any]:
        """Yield groups of rows whole, decoded page by page, where they are plain."""
        for g in self.groups:
            batch = read_group(self._path, self._opened, g, names, self.stored)
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

        if isinstance(self._opened, pa.ipc.RecordBatchStreamReader):
            yield from self._opened
            return
        for n in range(self._opened.num_record_batches):
            self.done = (n + 1) / self._opened.num_record_batches
            yield self._opened.get_batch(n)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


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
