"""Packings: how a file may be compressed, how that is told, and what packs and unpacks it."""

from __future__ import annotations

import bz2
import gzip
import io
import sys
from collections.abc import Callable
from typing import IO, Any

from candide.frozen import frozen
from candide.messages import need


@frozen
class Packing:
    """A way to compress files.

    Parameters
    ----------
    name : str
    ending : str
    magic : bytes
        What a packed file begins with.
    unpack : function of a binary file
        Returns a raw file of what was packed.
    pack : function of a binary file
        Returns a file that packs what is written to it, and leaves the other open.
    """

    name: str
    ending: str
    magic: bytes
    unpack: Callable[[IO[bytes]], Any]
    pack: Callable[[IO[bytes]], Any]


def _unpack_gzip(file: IO[bytes]) -> Any:
    return gzip.GzipFile(fileobj=file)


def _pack_gzip(file: IO[bytes]) -> Any:
    return gzip.GzipFile("", fileobj=file, mode="wb", mtime=0)  # neither name nor time: the same bytes every time


def _unpack_bz2(file: IO[bytes]) -> Any:
    return bz2.BZ2File(file)


def _pack_bz2(file: IO[bytes]) -> Any:
    return bz2.BZ2File(file, "wb")


def _unpack_zstd(file: IO[bytes]) -> Any:
    return _Unpacked(_arrow().CompressedInputStream(file, "zstd"))


def _pack_zstd(file: IO[bytes]) -> Any:
    return _arrow().CompressedOutputStream(StaysOpen(file), "zstd")


def _arrow() -> Any:
    from candide.table.arrays import installed

    if not installed("pyarrow"):
        raise ImportError(need("files packed by zstd", "arrow"))
    return sys.modules["pyarrow"]


class _Unpacked(io.RawIOBase):
    """A PyArrow stream as a raw file of Python."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the narrower of Buffer
        return int(self.stream.readinto(buffer))


class StaysOpen(io.RawIOBase):
    """A sink that stays open when what is stacked on it goes."""

    dropped = False

    def __init__(self, sink: IO[bytes]) -> None:
        self.sink = sink

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if not self.dropped:
            self.sink.write(data)
        return len(data)


PACKINGS: dict[str, Packing] = {
    packing.name: packing
    for packing in (
        Packing("gzip", ".gz", b"\x1f\x8b", _unpack_gzip, _pack_gzip),
        Packing("bz2", ".bz2", b"BZh", _unpack_bz2, _pack_bz2),
        Packing("zstd", ".zst", b"\x28\xb5\x2f\xfd", _unpack_zstd, _pack_zstd),
    )
}
"""By name."""


def packing_by_ending(suffix: str) -> str | None:
    """Return the name of the packing that a file's last suffix says, if it says one."""
    return next((packing.name for packing in PACKINGS.values() if packing.ending == suffix), None)


def packing_of(start: bytes) -> str | None:
    """Tell the packing from a file's first bytes."""
    return next((packing.name for packing in PACKINGS.values() if start.startswith(packing.magic)), None)
