"""Formats: which one a file is in, by its ending or by its first bytes, and how its bytes are opened."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, cast, get_args

from candide.cli.failures import BadInput
from candide.messages import unknown

Format = Literal["csv", "tsv", "ndjson", "parquet", "arrow"]
FORMATS: tuple[Format, ...] = get_args(Format)
TEXT_FORMATS: tuple[Format, ...] = ("csv", "tsv", "ndjson")

ENDINGS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
MAGIC: dict[bytes, Format] = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow", b"{": "ndjson"}
Stream: TypeAlias = "io.BufferedReader[Any]"
GZIP = b"\x1f\x8b"
BUFFER = 1 << 20


def by_ending(path: str) -> tuple[Format | None, bool]:
    """Return the format that a file's name says, if it says one, and whether it is compressed.

    Examples
    --------
    >>> by_ending("requests.csv.gz"), by_ending("-")
    (('csv', True), (None, False))
    """
    suffixes = [s.lower() for s in Path(path).suffixes]
    compressed = bool(suffixes) and suffixes[-1] == ".gz"
    if compressed:
        suffixes.pop()
    return ENDINGS.get(suffixes[-1]) if suffixes else None, compressed


def shown(path: str) -> str:
    """Return what to call a file in a message."""
    return "standard input" if path == "-" else path


class Counted(io.RawIOBase):
    """A raw file that knows how far it has been read, whatever is stacked on it."""

    def __init__(self, raw: IO[bytes], size: int | None) -> None:
        self.raw, self.size, self.done = raw, size, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the narrower of Buffer
        part = self.raw.read(len(buffer))
        buffer[: len(part)] = part
        self.done += len(part)
        return len(part)

    def close(self) -> None:
        self.raw.close()
        super().close()


def open_bytes(path: str) -> tuple[Stream, Counted]:
    """Open a file or standard input for reading, uncompressed; also return what counts the bytes read."""
    if path == "-":
        stream = sys.stdin.buffer
        if stream.isatty():
            raise BadInput("standard input is the keyboard: give a file, or pipe a table in")
        counted = Counted(_unbuffered(stream), None)
    else:
        file = Path(path)
        if file.is_dir():
            raise BadInput(f"{path} is a folder, not a table")
        if not file.exists():
            raise BadInput(missing_file(path))
        counted = Counted(file.open("rb", buffering=0), file.stat().st_size if file.is_file() else None)
    buffered = io.BufferedReader(counted, BUFFER)
    if buffered.peek(2)[:2] == GZIP:
        return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=buffered)), BUFFER), counted
    return buffered, counted


def _unbuffered(stream: IO[bytes]) -> IO[bytes]:
    """Read what is there rather than wait for a full buffer."""
    return cast("IO[bytes]", _Available(stream)) if hasattr(stream, "read1") else stream


class _Available:
    """A stream whose `read` returns as soon as something has come."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def read(self, n: int) -> bytes:
        return cast("io.BufferedReader", self.stream).read1(n)

    def close(self) -> None:
        """Leave standard input open: it is not ours."""


def missing_file(path: str) -> str:
    """Say that a file is not there, with the closest name that is."""
    folder = Path(path).parent
    try:
        near = [entry.name for entry in folder.iterdir()]
    except OSError:
        return f"{path}: there is no folder {str(folder)!r}"
    hint = unknown("file", Path(path).name, near)
    return f"{path}: no such file{hint[hint.index('; did') :] if '; did' in hint else ''}"


def sniff(stream: Stream) -> Format | None:
    """Tell the format from the first bytes; None for anything that may be a CSV or TSV."""
    start = stream.peek(16).lstrip(b"\xef\xbb\xbf \r\n") or b""
    return next((name for magic, name in MAGIC.items() if start.startswith(magic)), None)
