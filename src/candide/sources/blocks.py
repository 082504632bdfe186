"""Blocks: a stream of bytes in pieces of whole records, read into memory that is used again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from candide.sources.memory import room
from candide.sources.opening import ByteStream

Array = np.ndarray[Any, Any]

CUT_BYTES = 1 << 16
"""What blocks may lack all together since each ends with a record: the last is not left for a block of its own."""


def even_bytes(size: int | None, most: int) -> int:
    """Return how many bytes of a stream to read at a time, no more than some, so that threads have equal shares.

    Examples
    --------
    >>> even_bytes(None, 8 << 20) >> 20, even_bytes(10 << 20, 8 << 20) >> 20, even_bytes(5 << 20, 8 << 20) >> 20
    (8, 5, 8)
    """
    n_blocks = 1 if size is None else -(-size // most)
    return most if size is None or n_blocks < 2 else min(most, size // n_blocks + CUT_BYTES)


def whole_blocks(
    stream: ByteStream, size: int, end_of: Callable[[Array], int], spare: list[Array], longest: float = np.inf
) -> Iterator[tuple[Array, int]]:
    """Yield memory that begins with whole records, and where these end: about so many bytes at a time.

    Memory is taken from what is spare, if it is enough: any other would be cleared first.

    Parameters
    ----------
    stream : ByteStream
    size : int
        How many bytes are read at a time, more where no record ends in so many.
    end_of : function
        Returns where the last whole record of a block ends, 0 where none does.
    spare : list of ndarray
        Memory that nobody needs any more, which whoever is done with a block adds to.
    longest : int
        Bytes without the end of a record that are the last to be yielded.
    """
    rest, ended = np.empty(0, dtype=np.uint8), False
    while not ended:  # ends: with the stream
        least = max(size, 2 * len(rest))
        memory = spare.pop() if spare else room(least, np.uint8)
        memory = memory if len(memory) >= least else room(least, np.uint8)
        memory[: len(rest)] = rest  # which may lie in the same memory, further on
        end = len(rest) + stream.readinto(memory[len(rest) :].data)
        block, ended = memory[:end], end < len(memory)
        end = len(block) if ended else end_of(block)
        rest = block[end:]
        if end:
            yield memory, end
        if len(rest) > longest:
            yield rest.copy(), len(rest)
            return
