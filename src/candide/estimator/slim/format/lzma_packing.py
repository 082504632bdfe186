"""How slim models were packed at first: by LZMA. Their files are read, and no longer written."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from candide.estimator.format.entries import Entry

Array = np.ndarray[Any, Any]

MOST_BYTES = 1 << 28
"""Bytes that a packed part may have: a file of a few kilobytes could otherwise fill the memory."""
WIDTH = 4
"""Bytes of a number."""
WINDOW = 1 << 20
"""Bytes back to which what comes again is found."""


def unpack(entry: Entry) -> tuple[bytes, Flat]:
    """Return the text of the JSON value that was packed, and the tables.

    Numbers are counted 0, −1, 1, −2, 2 ..., and all lowest bytes stand before all second ones, and so on.
    """
    lzma = compressor()
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": WINDOW, "lc": 0, "lp": 0, "pb": 0}]
    try:
        stream = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters)
        data = stream.decompress(base64.b85decode(entry.text()), MOST_BYTES)
    except (ValueError, lzma.LZMAError) as error:
        raise entry.wrong(f"cannot be unpacked: {error}") from None
    if len(data) >= MOST_BYTES:
        raise entry.wrong(f"holds more than {MOST_BYTES >> 20} MB")
    text, _, planes = data.partition(b"\n")
    if not stream.eof or stream.unused_data or len(planes) % WIDTH:
        raise entry.wrong("was cut short, or has something behind it")
    bytes_ = np.frombuffer(planes, np.uint8).reshape(WIDTH, -1)
    counted = np.ascontiguousarray(bytes_.T).view("<u4").ravel().astype(np.int64)
    return text, Flat(entry, np.where(counted % 2 == 1, counted // 2 + 1, -(counted // 2)))  # they were told below zero


class Flat:
    """Tables without their shapes, which are taken one after the other."""

    def __init__(self, entry: Entry, numbers: Array) -> None:
        self._entry, self._numbers = entry, numbers

    def take(self, rows: int, columns: int | None = None) -> Array:
        """Return the next table, of so many rows and columns."""
        if columns is None or rows * columns > len(self._numbers):
            raise self._entry.wrong("has no table: the packed numbers are too few")
        table, self._numbers = np.split(self._numbers, [rows * columns])
        return table.reshape(rows, columns)

    def end(self) -> None:
        """Refuse numbers that nobody has taken."""
        if len(self._numbers):
            raise self._entry.wrong("has more numbers than cells")


def compressor() -> Any:
    """Return Python's module of LZMA, which a Python may have been built without."""
    try:
        import lzma
    except ImportError:
        raise ImportError(
            "this slim model was packed by Python's module lzma, which this Python was built without: "
            "use one that has it, or make the slim model again"
        ) from None
    return lzma
