"""Records of a CSV: where a block of bytes can be cut."""

from __future__ import annotations

__all__ = ["record_end"]


def record_end(block: bytes, separator: bytes) -> int:
    """Where the last whole record of a block of CSV ends; 0 where none does.

    A quote opens where a cell begins, and nowhere else; within it, a doubled one is a quote, and any other closes it. A
    carriage return ends a line by itself where no newline does, but not as the last byte, which a newline may follow.
    """
    if len(separator) != 1:
        raise ValueError("the separator must be one byte")
    found = outside = 0
    while outside < len(block):
        quote = _next(block, outside)
        while quote < len(block) and quote and block[quote - 1 : quote] not in (separator, b"\n", b"\r"):
            quote = _next(block, quote + 1)
        line = block.rfind(b"\n", outside, quote) + 1
        found = line or block.rfind(b"\r", outside, min(quote, len(block) - 1)) + 1 or found
        close = _next(block, quote + 1)
        while block[close + 1 : close + 2] == b'"':
            close = _next(block, close + 2)
        outside = close + 1
    return found


def _next(block: bytes, start: int) -> int:
    at = block.find(b'"', start)
    return len(block) if at < 0 else at
