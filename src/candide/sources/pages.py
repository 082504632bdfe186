"""Row groups of the plainest Parquet files, decoded here: PyArrow unpacks their pages, the kernels read the values.

PyArrow's own reader gives the same cells, and reads everything else: it takes a fifth to a third longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from io import FileIO
from typing import Any

import numpy as np

from candide import native
from candide.sources.memory import reused, room
from candide.table.arrays import installed
from candide.table.arrow import arrow_strings

Array = np.ndarray[Any, Any]

PLAIN, PLAIN_BEFORE = 0, 2
"""Encodings of values, and of dictionaries: as they are, the latter also by the old name of codes."""
DICTIONARY = 2
"""The kind of page that a dictionary is."""

CODECS = {"UNCOMPRESSED": None, "SNAPPY": "snappy", "GZIP": "gzip", "ZSTD": "zstd", "BROTLI": "brotli"}
"""Compressions, and PyArrow's names of what unpacks them."""

NUMBERS = {"double": np.uint64, "int64": np.uint64, "float": np.uint32, "int32": np.uint32}
"""Types of numbers, and integers of as many bytes."""

HOLES = {"double": int(np.float64(np.nan).view(np.int64)), "float": int(np.float32(np.nan).view(np.int32))}
"""What stands where a number is missing: so readers need no copy that has it there."""

CODED_TEXT = "dictionary<values=string, indices=int32, ordered=0>"

LARGEST = 1 << 27
"""Bytes of a column in a row group, packed, that are read here."""

WINDOW = 1 << 19
"""Bytes that are read at once, and of pages that are unpacked at once where these are several."""

KEPT_TEXTS = 1 << 14
"""Bytes of a dictionary of texts that is kept as it was read."""


class UnusualError(Exception):
    """A page that is not of the plainest kind."""


def read_group(path: str, file: Any, g: int, names: Sequence[str], stored: frozenset[str]) -> Any:
    """Return some columns of a row group as a PyArrow record batch; None where one of them is not of the plainest kind.

    Parameters
    ----------
    path : str
    file : pyarrow.parquet.ParquetFile
        The file, opened: only what its end says is used.
    g : int
        The row group.
    names : sequence of str
    stored : frozenset of str
        The columns of text that are given as codes.
    """
    import pyarrow as pa

    group, schema = file.metadata.row_group(g), file.schema
    if file.metadata.num_columns != len(file.schema_arrow.names):  # some column holds others
        return None
    at = {name: i for i, name in enumerate(file.schema_arrow.names)}
    places = [at[name] for name in names]
    types = [file.schema_arrow.field(i).type for i in places]
    chunks = [Chunk(group.column(i), schema.column(i), str(type_)) for i, type_ in zip(places, types, strict=True)]
    if not chunks or not all(chunk.is_plain(name in stored) for chunk, name in zip(chunks, names, strict=True)):
        return None
    window = Window()
    try:
        with FileIO(path) as bytes_:
            arrays = [chunk.read(bytes_, window, group.num_rows) for chunk in chunks]
    except (UnusualError, ValueError, OSError):  # PyArrow reads more kinds of pages, and says what is wrong with others
        return None
    return pa.RecordBatch.from_arrays(arrays, list(names))


class Chunk:
    """One column of a row group.

    Parameters
    ----------
    about : pyarrow.parquet.ColumnChunkMetaData
    column : pyarrow.parquet.ColumnSchema
    type_ : str
        Its type, by PyArrow's name.
    """

    def __init__(self, about: Any, column: Any, type_: str) -> None:
        self.about, self.type, self.size = about, type_, int(about.total_compressed_size)
        self.flat = column.max_repetition_level == 0 and column.max_definition_level <= 1
        self.optional = column.max_definition_level == 1
        self.text = type_ == CODED_TEXT
        self.hole = -1 if self.text else HOLES.get(type_, 0)

    def is_plain(self, stored: bool) -> bool:
        """Whether it looks as if it can be read here, its text as codes."""
        known = stored if self.text else self.type in NUMBERS or self.type == "bool"
        return self.flat and known and self.about.compression in CODECS and 0 < self.size <= LARGEST

    def read(self, file: FileIO, window: Window, rows: int) -> Any:
        """Return its cells as a PyArrow array."""
        import pyarrow as pa

        unpack = unpacker(self.about.compression)
        dtype = np.dtype(np.uint8 if self.text or self.type == "bool" else NUMBERS[self.type])
        dictionary, levels = np.empty(0, dtype=dtype), None
        present, _held = reused.take(rows if self.optional else 0, np.uint8)
        out, cells = None, None
        first = missing = 0
        for headers, packed in self._pages(file, window):
            pages = [unpack(packed[at : at + n], size) for *_, at, n, size in headers.tolist()]
            if headers[0, 0] == DICTIONARY:
                n = int(headers[0, 3])
                if out is not None or headers[0, 1] not in (PLAIN, PLAIN_BEFORE):
                    raise UnusualError
                if self.text:
                    levels, dictionary = texts(bytes(pages[0]), n)
                else:
                    dictionary = np.array(np.frombuffer(pages[0], dtype, n))  # where its numbers are aligned
                continue
            if self.text and (headers[:, 1] == PLAIN).any():
                raise UnusualError
            if out is None:
                out, cells = reused.take(rows, dictionary.dtype)
            missing += native.decode_pages(pages, headers, first, self.optional, dictionary, out, present, self.hole)
            first += int(headers[:, 3].sum())
        if first != rows or out is None:
            raise UnusualError
        if self.type == "bool":
            cells = pa.py_buffer(np.packbits(out, bitorder="little"))
        return self._array(rows, out.dtype, cells, present if missing else None, missing, levels)

    def _pages(self, file: FileIO, window: Window) -> Iterator[tuple[Array, Array]]:
        """Yield the headers of a few pages, and bytes that theirs are among: valid until the next are asked for."""
        about, left, held = self.about, self.size, 0
        file.seek(about.dictionary_page_offset if about.has_dictionary_page else about.data_page_offset)
        while left:  # ends: with the bytes
            free = window.of(held)[held : held + left]
            if file.readinto(free.data) != len(free):
                raise UnusualError
            left -= len(free)
            read = window.bytes[: held + len(free)]
            headers, behind = native.page_headers(read), 0
            for some in few_at_once(headers, about.total_uncompressed_size):
                yield headers[some], read
                behind = int(headers[some.stop - 1, 4:6].sum())
            held = len(read) - behind
            window.bytes[:held] = read[behind:]
        if held:
            raise UnusualError

    def _array(self, n: int, dtype: np.dtype[Any], cells: Any, present: Array | None, missing: int, levels: Any) -> Any:
        import pyarrow as pa

        valid = None if present is None else pa.py_buffer(np.packbits(present, bitorder="little"))
        type_ = {"double": "float64", "float": "float32"}.get(self.type, self.type)
        type_ = f"int{8 * dtype.itemsize}" if self.text else type_
        found = pa.Array.from_buffers(pa.type_for_alias(type_), n, [valid, cells], missing)
        if not self.text:
            return found
        return pa.DictionaryArray.from_arrays(found, arrow_strings([]) if levels is None else levels, safe=False)


def few_at_once(headers: Array, most: int) -> Iterator[slice]:
    """Yield which pages to unpack at once: a dictionary alone, others while they stay near the processor."""
    begin = unpacked = 0
    alone = False
    for i, (kind, *_, size) in enumerate(headers.tolist()):
        if not 0 <= size <= most:
            raise UnusualError
        if i > begin and (alone or kind == DICTIONARY or unpacked + size > WINDOW):
            yield slice(begin, i)
            begin, unpacked = i, 0
        alone = kind == DICTIONARY
        unpacked += size
    if len(headers):
        yield slice(begin, len(headers))


class Window:
    """Where packed pages are read to: little enough to stay near the processor, and more where a page needs it."""

    def __init__(self) -> None:
        self.bytes = room(WINDOW, np.uint8)

    def of(self, held: int) -> Array:
        """Return it, with room behind so many bytes that stay."""
        if held == len(self.bytes):
            larger = room(2 * held, np.uint8)
            larger[:held] = self.bytes
            self.bytes = larger
        return self.bytes


def unpacker(compression: str) -> Callable[[Array, int], Any]:
    """Return what makes of the bytes of a page those that were packed, so many."""
    name = CODECS[compression]
    if name is None:
        return lambda page, _: page
    if name == "zstd" and installed("zstandard"):
        return zstd_unpacker()
    import pyarrow as pa

    codec = pa.Codec(name)
    return lambda page, size: np.frombuffer(codec.decompress(page, size), np.uint8)


def zstd_unpacker() -> Callable[[Array, int], bytes]:
    """Return an unpacker that keeps its working memory: PyArrow makes it anew for every page, a tenth of all time."""
    import zstandard

    codec = zstandard.ZstdDecompressor()

    def unpack(page: Array, size: int) -> bytes:
        try:
            told = zstandard.frame_content_size(page.data)  # and so many bytes would be made room for
            unpacked: bytes = codec.decompress(page.data) if told == size else b""
        except zstandard.ZstdError:
            raise UnusualError from None
        if len(unpacked) != size:
            raise UnusualError
        return unpacked

    return unpack


def texts(page: bytes, n: int) -> tuple[Any, Array]:
    """Return the texts of a dictionary's page, in order, and of each as it is stored its place among them."""
    return (_texts if len(page) <= KEPT_TEXTS else _texts.__wrapped__)(page, n)


@lru_cache(maxsize=64)
def _texts(data: bytes, n: int) -> tuple[Any, Array]:
    """Read texts, each the number of its bytes and these: those of one row group are often those of the next."""
    at, found = 0, []
    for _ in range(n):
        size = int.from_bytes(data[at : at + 4], "little")
        at += 4 + size
        if at > len(data):
            raise UnusualError
        found.append(data[at - size : at].decode())
    order = sorted(range(n), key=found.__getitem__)
    place = np.empty(n, dtype=code_type(n))
    place[order] = np.arange(n)
    place.flags.writeable = False
    return arrow_strings([found[i] for i in order]), place


def code_type(n: int) -> Any:
    """Return the narrowest type of codes of so many texts, and of a hole: as signed ones they are told."""
    return next(t for t in (np.uint8, np.uint16, np.uint32) if n <= np.iinfo(t).max // 2)
