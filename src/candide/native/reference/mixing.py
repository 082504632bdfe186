"""Text and tables of whole numbers in few bytes: contexts foretell every bit, and their forecasts are mixed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from candide.native.reference.bits import BitCoder, Decoder, Encoder
from candide.native.reference.mixer import LONGEST, Mixer, counted, number, uncounted

__all__ = ["mixed", "unmixed"]

ORDERS = (0, 1, 2, 3, 4, 6)
"""Bytes before a byte by which it is foretold; as many contexts has a number."""
LARGEST = 4095
"""Beyond which contexts do not tell roots apart."""
MOST, MOST_TABLES = 1 << 28, 1 << 20
"""Numbers of which sums fit into 64 bits, and tables, whose shapes are read before anything of them."""


def mixed(text: bytes, primer: bytes, shapes: NDArray[np.int64], numbers: NDArray[np.int64]) -> bytes:
    """Code a text and tables of whole numbers.

    A bit costs as many bits as it surprises: log2 of 1 / p, where log-odds of p are a weighted sum of those that were
    seen in each context. Weights learn by the gradient of that cost. Contexts of a byte are the bytes before it, those
    of a number its neighbours in the table, and how far the sum of its row lies below the greatest of all rows; those
    of a root of a chance where the rows above have gone, and what is left of its row's squares.

    Parameters
    ----------
    text : bytes
        Without a zero, which ends it.
    primer : bytes
        A text that is learnt first and coded nowhere; what it has in common with the text costs next to nothing.
    shapes : ndarray (n, 2)
        Rows and columns of each table, at least one of each; rows of a table of roots, which has no number below zero,
        are told below zero.
    numbers : ndarray
        Of all tables, row by row; below 2^30, on either side of zero.
    """
    if shapes.shape[1] != 2 or len(shapes) > MOST_TABLES:
        raise ValueError("shapes must have two columns, and at most 2^20 rows")
    told = np.abs(shapes.astype(object)) if (shapes[:, 1:] > 0).all() else np.zeros((1, 2), dtype=object)
    if not told.all() or told.prod(axis=1).sum() != len(numbers):
        raise ValueError("shapes must have at least one row and column each, and be those of numbers")
    if (np.abs(numbers) >= 1 << (LONGEST - 2)).any():
        raise ValueError("numbers must lie below 2^30, on either side of zero")
    if 0 in text:
        raise ValueError("text must have no zero byte")
    encoder = Encoder()
    texts, tables, roots = _Texts(primer), _Tables(encoder), _Roots(encoder)
    for byte in (*text, 0):
        texts(encoder, byte)
    tables([len(shapes)], 1, 1)
    tables(shapes.ravel().tolist(), len(shapes), 2)
    at = 0
    for rows, columns in shapes.tolist():
        of = numbers[at : at + abs(rows) * columns].tolist()
        if rows < 0 and min(of) < 0:
            raise ValueError("roots must not lie below zero")
        (roots if rows < 0 else tables)(of, abs(rows), columns)
        at += len(of)
    return encoder.ended()


def unmixed(coded: bytes, primer: bytes, most: int) -> tuple[bytes, bytes, bytes]:
    """Decode what `mixed` has coded with the same primer: the text, and shapes and numbers as bytes of int64.

    ValueError where it is no such thing, or holds more than so many bytes of text, or numbers.
    """
    decoder, most = Decoder(coded), min(most, MOST)
    texts, tables, roots = _Texts(primer), _Tables(decoder), _Roots(decoder)
    text = bytearray()
    # ends: at a zero, or with all that it may hold
    while byte := texts(decoder, 0):
        _bound(len(text) + 1, most)
        text.append(byte)
    (n,) = tables([0], 1, 1)
    if not 0 <= n <= MOST_TABLES:
        raise ValueError("it has less than no table, or too many")
    shapes = np.array(tables([0] * (2 * n), n, 2), dtype=np.int64).reshape(n, 2)
    numbers: list[int] = []
    for rows, columns in shapes.tolist():
        if rows == 0 or columns < 1:
            raise ValueError("it has a table of nothing")
        size = abs(rows) * columns
        _bound(len(numbers) + size, most)
        numbers += (roots if rows < 0 else tables)([0] * size, abs(rows), columns)
    decoder.end()
    return bytes(text), shapes.tobytes(), np.array(numbers, dtype=np.int64).tobytes()


def _bound(size: int, most: int) -> None:
    if size > most:
        raise ValueError("it holds more than it may")


class _Texts:
    """Bytes by those before them."""

    def __init__(self, primer: bytes) -> None:
        self.mixer, self.before = Mixer(), 0
        for byte in primer:
            self(None, byte)

    def __call__(self, coder: BitCoder | None, given: int) -> int:
        contexts = [self.before & (1 << 8 * order) - 1 for order in ORDERS]
        node = 1
        for k in range(7, -1, -1):
            node = node << 1 | self.mixer(coder, contexts, node, 0, given >> k & 1)
        self.before = (self.before << 8 | node & 255) % 2**64
        return node & 255


class _Tables:
    """Tables of whole numbers, column by column, each by its neighbours."""

    def __init__(self, coder: BitCoder) -> None:
        self.coder, self.mixer, self.coded = coder, Mixer(), 0

    def __call__(self, z: list[int], rows: int, columns: int) -> list[int]:
        """Code the numbers of a table, or put those in their places that are decoded."""
        sums, left, far = [0] * rows, [0] * rows, [0] * rows
        for v in range(columns):
            greatest, above, edge = max(sums, default=0), 0, (v == 0) + 2 * (rows == 1)
            for r in range(rows):
                near, below = left[r], _depth(greatest - sums[r])
                around = [abs(x).bit_length() for x in (near, far[r], above)]
                contexts = (
                    4 * (2 * abs(near) + abs(far[r]) + abs(above)).bit_length() + edge,
                    4 * min(counted(near), 40) + edge,
                    64 * self.coded + below,
                    4 * (around[0] << 12 | around[1] << 6 | around[2]) + edge,
                    4 * (4 * below + (near > 0) + 2 * (near < 0)) + edge,
                    64 * min(counted(near), 40) + min(counted(far[r]), 20),
                )
                z[r * columns + v] = above = number(self.mixer, self.coder, contexts, z[r * columns + v])
                far[r], left[r] = near, above
                sums[r] += above
        self.coded += 1
        return z


class _Roots:
    """Tables of roots of chances, column by column, each by its neighbours and by what is left of its row's squares."""

    def __init__(self, coder: BitCoder) -> None:
        self.coder, self.mixer, self.coded = coder, Mixer(), 0
        self.squares: list[int] = []  # of each row, in all tables

    def __call__(self, z: list[int], rows: int, columns: int) -> list[int]:
        """Code the numbers of a table, or put those in their places that are decoded."""
        left, far, squares = [0] * rows, [0] * rows, [0] * rows
        self.squares += [0] * (rows - len(self.squares))
        for v in range(columns):
            gone, to_come = 0, columns - v
            for r in range(rows):
                near = min(left[r], 15)
                ahead = max(16 + 4 * left[r] + (4 * gone // r if r else 0), 0)
                rest = max((self.squares[r] // self.coded if self.coded else 0) - squares[r], 0)
                contexts = (
                    near << 5 | min(far[r], 15) << 1 | (v == 0),
                    min(ahead, 127),
                    _depth(16 * rest // to_come) << 4 | near,
                    _depth(4 * rest) << 32 | to_come,
                    min(max(3 * ahead - 4 * left[r] - 2 * far[r] - 28, 0), 120),
                    self.coded << 32 | v,
                )
                found = counted(number(self.mixer, self.coder, contexts, uncounted(z[r * columns + v])))
                z[r * columns + v], seen = found, min(found, LARGEST)
                gone += seen - left[r]
                far[r], left[r] = left[r], seen
                squares[r] += seen * seen
        self.squares[:rows] = [a + b for a, b in zip(self.squares, squares, strict=False)]
        self.coded += 1
        return z


def _depth(below: int) -> int:
    """Half-bits of a depth."""
    bits = (below + 1).bit_length()
    return 2 * bits + ((below + 1) >> (bits - 2) & 1 if bits > 1 else 0)
