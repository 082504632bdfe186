"""Records of a CSV: where a block of bytes can be cut."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["record_end"]


def record_end(block: NDArray[np.uint8], separator: bytes) -> int:
    """Where the last whole record of a block of CSV ends; 0 where none does.

    A quote opens where a cell begins, and nowhere else; within it, a doubled one is a quote, and any other closes it. A
    carriage return ends a line by itself where no newline does, but not as the last byte, which a newline may follow.
    """
    if len(separator) != 1:
        raise ValueError("the separator must be one byte")
    text, found, outside = block.tobytes(), 0, 0
    # ends: behind another quote each time
    while outside < len(text):
        quote = _next(text, outside)
        # ends: with the quotes
        while quote < len(text) and quote and text[quote - 1 : quote] not in (separator, b"\n", b"\r"):
            quote = _next(text, quote + 1)
        line = text.rfind(b"\n", outside, quote) + 1
        found = line or text.rfind(b"\r", outside, min(quote, len(text) - 1)) + 1 or found
        close = _next(text, quote + 1)
        # ends: with the quotes
        while text[close + 1 : close + 2] == b'"':
            close = _next(text, close + 2)
        outside = close + 1
    return found


def _next(text: bytes, start: int) -> int:
    at = text.find(b'"', start)
    return len(text) if at < 0 else at
