"""Packing: a part of a model file that is large and that nobody reads line by line, as compressed text."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np

from candide.estimator.format.entries import Entry

Array = np.ndarray[Any, Any]

MOST_BYTES = 1 << 28
"""Bytes that a packed part may have: a file of a few kilobytes could otherwise fill the memory."""
WIDTH = 4
"""Bytes of a number; its highest value stands for infinity."""


def pack(value: Any, numbers: Array) -> str:
    """Return a JSON value and whole numbers, none below zero, as compressed text of 85 signs that JSON need not escape.

    All lowest bytes of the numbers stand before all second ones, and so on: the high ones are mostly zero.
    """
    most = np.iinfo(np.uint32).max
    if np.any((numbers < 0) | (np.isfinite(numbers) & (numbers >= most))):
        raise ValueError("numbers to be packed must be whole, from 0 on")
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    whole = np.where(np.isfinite(numbers), numbers, most).astype("<u4")
    planes = np.ascontiguousarray(whole.view(np.uint8).reshape(-1, WIDTH).T).tobytes()
    return base64.b85encode(zlib.compress(text.encode() + b"\n" + planes, 9)).decode("ascii")


def unpack(entry: Entry) -> tuple[bytes, Array]:
    """Return the text of the JSON value that was packed, and the numbers."""
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(base64.b85decode(entry.text()), MOST_BYTES)
    except (ValueError, zlib.error) as error:
        raise entry.wrong(f"cannot be unpacked: {error}") from None
    if stream.unconsumed_tail:
        raise entry.wrong(f"holds more than {MOST_BYTES >> 20} MB")
    text, _, planes = data.partition(b"\n")
    if not stream.eof or len(planes) % WIDTH:
        raise entry.wrong("was cut short")
    bytes_ = np.frombuffer(planes, np.uint8).reshape(WIDTH, -1)
    whole = np.ascontiguousarray(bytes_.T).view("<u4").ravel()
    return text, np.where(whole == np.iinfo(np.uint32).max, np.inf, whole)
