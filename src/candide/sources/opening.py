"""Opening: the bytes of a file, of a pipe or of standard input, unpacked, with what counts how far they are read."""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias

from candide.messages import did_you_mean
from candide.sources.formats import LONGEST_MAGIC, SPACE
from candide.sources.packings import PACKINGS, packing_of
from candide.sources.waiting import wait

ByteStream: TypeAlias = "io.BufferedReader[Any]"
Place: TypeAlias = "str | IO[bytes]"
"""Where bytes are: a path, "-" for standard input, or a file that can be read from its beginning again and again."""

STANDARD_INPUT = "-"
BUFFER = 1 << 20


class Counted(io.RawIOBase):
    """A raw file that knows how far it has been read, whatever is stacked on it."""

    def __init__(self, raw: IO[bytes], size: int | None, ours: bool = True) -> None:
        self.raw, self.size, self.ours, self.done = raw, size, ours, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the narrower of Buffer
        n = self._read(buffer)
        # blank lines tell no format: what is looked at first holds more, as soon as more comes
        while not self.done and 0 < n < len(buffer) and not bytes(buffer[:n]).strip(SPACE):  # ends: with the buffer
            more = self._read(buffer[n:])
            if not more:
                break
            n += more
        self.done += n
        return n

    def _read(self, buffer: memoryview) -> int:
        """Read what is there, rather than waiting until the buffer is full."""
        if self.size is None:
            wait(self.raw)
        n: int = (self.raw.readinto1 if hasattr(self.raw, "readinto1") else self.raw.readinto)(buffer)  # type: ignore[attr-defined]
        return n

    def close(self) -> None:
        if self.ours:
            self.raw.close()
        super().close()

    @property
    def fraction(self) -> float | None:
        """How much has been read, 0 .. 1; None where the end is not known."""
        return min(1.0, self.done / self.size) if self.size else None


def open_bytes(place: Place, name: str) -> tuple[ByteStream, Counted]:
    """Open a place for reading, unpacked; also return what counts the bytes read.

    Parameters
    ----------
    place : path, "-" or file
    name : str
        What to call it in a message.
    """
    counted = _counted(place)
    buffered = io.BufferedReader(counted, BUFFER)
    with whole(name):
        packing = packing_of(buffered.peek(LONGEST_MAGIC)[:LONGEST_MAGIC])
    if packing is None:
        return buffered, counted
    try:
        unpacked = PACKINGS[packing].unpack(buffered)
    except ImportError as error:
        raise ImportError(f"{name}: {error}") from None
    return io.BufferedReader(unpacked, BUFFER), counted


def _counted(place: Place) -> Counted:
    if not isinstance(place, str):
        place.seek(0)
        return Counted(place, os.fstat(place.fileno()).st_size, ours=False)
    if place == STANDARD_INPUT:
        stream = sys.stdin.buffer
        if stream.isatty():
            raise ValueError("standard input is the keyboard: give a file, or pipe a table in")
        # nothing that is waited for may lie in a buffer already
        return Counted(getattr(stream, "raw", stream), None, ours=False)
    check_file(place)
    file = Path(place)
    return Counted(file.open("rb", buffering=0), file.stat().st_size if file.is_file() else None)


@contextmanager
def whole(name: str) -> Iterator[None]:
    """Say of which file unpacking failed."""
    try:
        yield
    except (zlib.error, EOFError, OSError) as error:
        # gzip, bz2 and zstd say so by an OSError without a number
        if isinstance(error, OSError) and (error.errno is not None or error.filename is not None):
            raise
        raise ValueError(f"{name} is not a whole packed file: {error}") from None


class NoFileError(FileNotFoundError):
    """A file that is not there, said in a sentence."""

    def __init__(self, why: str, path: str) -> None:
        super().__init__(errno.ENOENT, why, path)

    def __reduce__(self) -> Any:
        return NoFileError, (self.strerror, self.filename)

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


def check_file(path: str) -> None:
    """Refuse a folder, and a file that is not there, with the closest name that is."""
    place = Path(path)
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder, not a file; folder/*.csv stands for many", path)
    if place.exists():
        return
    if place.is_symlink():
        raise NoFileError("is a link to a file that is not there", path)
    try:
        near = [entry.name for entry in place.parent.iterdir()]
    except OSError:
        raise NoFileError(f"there is no folder {str(place.parent)!r}", path) from None
    raise NoFileError(f"no such file{did_you_mean(place.name, near)}", path)


def is_repeatable(place: Place) -> bool:
    """Whether a place can be read more than once: a plain file can, a pipe cannot."""
    if not isinstance(place, str):
        return True
    return place != STANDARD_INPUT and Path(place).exists() and stat.S_ISREG(Path(place).stat().st_mode)


def spooled(stream: IO[bytes]) -> IO[bytes]:
    """Return what is left of a stream as a file that can be read from its beginning; the disk forgets it with us.

    The folder is that of Python's `tempfile`: TMPDIR says which.
    """
    file = tempfile.TemporaryFile(prefix="candide-")  # noqa: SIM115  # it lives as long as the source
    shutil.copyfileobj(stream, file, BUFFER)
    file.seek(0)
    return file
