"""Records: where a block of CSV or of JSON can be cut, and where a quote makes several lines one cell by mistake."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["count_byte", "object_end", "open_quote", "record_end"]

PIECE = 1 << 16


def record_end(block: NDArray[np.uint8], separator: bytes) -> int:
    """Where the last whole record of a block of CSV ends; 0 where none does.

    A carriage return ends a line by itself where no newline does, but not as the last byte, which a newline may follow.
    """
    text, found = block.tobytes(), 0
    for outside, quote, _ in _quoted(text, separator):
        line = text.rfind(b"\n", outside, quote) + 1
        found = line or text.rfind(b"\r", outside, min(quote, len(text) - 1)) + 1 or found
    return found


def open_quote(block: NDArray[np.uint8], separator: bytes) -> int:
    """Where the first quote opens that nothing closes, or that is closed in another line and not where a cell ends.

    -1 where none is. The second is how a quote that somebody forgot to close meets the next one.
    """
    text = block.tobytes()
    for _, quote, close in _quoted(text, separator):
        lines = b"\n" in text[quote:close] or b"\r" in text[quote:close]
        if quote < len(text) and (close >= len(text) or (lines and not _parts(text[close + 1 : close + 2], separator))):
            return quote
    return -1


def object_end(block: NDArray[np.uint8]) -> int:
    """Where the last line of a block of JSON objects ends; 0 where none does.

    -1 where a line ends with a brace that opens an object, which is printed over several lines.
    """
    text = block.tobytes()
    return -1 if b"{\n" in text or b"{\r" in text else text.rfind(b"\n") + 1


def count_byte(block: NDArray[np.uint8], byte: bytes) -> int:
    """How often a byte stands in a block."""
    if len(byte) != 1:
        raise ValueError("one byte is counted")
    # piece by piece: what is compared stays near
    return sum(int(np.count_nonzero(block[i : i + PIECE] == ord(byte))) for i in range(0, len(block), PIECE))


def _quoted(text: bytes, separator: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield for every quoted cell where the bytes before it begin, and where it opens and closes; at last those behind.

    A quote opens where a cell begins, and nowhere else; within it, a doubled one is a quote, and any other closes it.
    """
    if len(separator) != 1:
        raise ValueError("the separator must be one byte")
    outside = 0
    # ends: behind another quote each time
    while outside < len(text):
        quote = _next(text, outside)
        # ends: with the quotes
        while quote < len(text) and not _parts(text[max(0, quote - 1) : quote], separator):
            quote = _next(text, quote + 1)
        close = _next(text, quote + 1)
        # ends: with the quotes
        while text[close + 1 : close + 2] == b'"':
            close = _next(text, close + 2)
        yield outside, quote, close
        outside = close + 1


def _parts(byte: bytes, separator: bytes) -> bool:
    """Whether a cell ends here: at a separator, a line end, or an end of all."""
    return byte in (separator, b"\n", b"\r", b"")


def _next(text: bytes, start: int) -> int:
    at = text.find(b'"', start)
    return len(text) if at < 0 else at
