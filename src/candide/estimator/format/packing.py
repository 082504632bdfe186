"""Packing: a part of a model file that is large and that nobody reads line by line, as compressed text."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from candide.estimator.format.entries import Entry

Array = np.ndarray[Any, Any]

MOST_BYTES = 1 << 28
"""Bytes that a packed part may have: a file of a few kilobytes could otherwise fill the memory."""
MOST = 1 << 30
"""Numbers lie below it, on either side of zero."""
WIDTH = 4
"""Bytes of a number."""
WINDOW = 1 << 20
"""Bytes back to which what comes again is found."""


def pack(value: Any, numbers: Array) -> str:
    """Return a JSON value and whole numbers as compressed text of 85 signs that JSON need not escape.

    Numbers are counted 0, −1, 1, −2, 2 ..., and all lowest bytes stand before all second ones, and so on: the high ones
    are mostly zero.
    """
    lzma = compressor()
    if np.any(np.abs(numbers) > MOST):
        raise ValueError(f"numbers to be packed must be whole, and not beyond {MOST}")
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    counted = np.where(numbers < 0, -2 * numbers - 1, 2 * numbers).astype("<u4")
    planes = np.ascontiguousarray(counted.view(np.uint8).reshape(-1, WIDTH).T).tobytes()
    packed = lzma.compress(text.encode() + b"\n" + planes, lzma.FORMAT_RAW, filters=filters())
    return base64.b85encode(packed).decode("ascii")


def unpack(entry: Entry) -> tuple[bytes, Array]:
    """Return the text of the JSON value that was packed, and the numbers."""
    lzma = compressor()
    try:
        stream = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters())
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
    return text, np.where(counted % 2 == 1, -(counted // 2) - 1, counted // 2)


def filters() -> list[dict[str, int]]:
    """Return how bytes are packed: single ones, of which none lies as its neighbours do."""
    lzma = compressor()
    return [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": WINDOW, "lc": 0, "lp": 0, "pb": 0}]


def compressor() -> Any:
    """Return Python's module of LZMA, which a Python may have been built without."""
    try:
        import lzma
    except ImportError:
        raise ImportError(
            "slim models are packed by Python's module lzma, which this Python was built without: "
            "use one that has it, or the whole model"
        ) from None
    return lzma
