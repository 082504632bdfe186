"""Packing: a part of a model file that is large and that nobody reads line by line, as compressed text."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

from candide.estimator.format.entries import Entry

MOST_BYTES = 1 << 28
"""Bytes that a packed part may have: a file of a few kilobytes could otherwise fill the memory."""


def pack(value: Any) -> str:
    """Return a JSON value as text: compact, compressed, in the 85 signs that need no escape in JSON."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return base64.b85encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpack(entry: Entry) -> bytes:
    """Return the bytes of the JSON value that was packed."""
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(base64.b85decode(entry.text()), MOST_BYTES)
    except (ValueError, binascii.Error, zlib.error) as error:
        raise entry.wrong(f"cannot be unpacked: {error}") from None
    if stream.unconsumed_tail:
        raise entry.wrong(f"holds more than {MOST_BYTES >> 20} MB")
    if not stream.eof:
        raise entry.wrong("was cut short")
    return data
