"""Packing: what a slim model's file holds and nobody reads line by line, as text of few signs with a checksum."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from candide import native
from candide.estimator.format.entries import Entry
from candide.estimator.slim.format.primers import PRIMER

Array = np.ndarray[Any, Any]

MOST = 1 << 25
"""Signs of a text, and numbers, that a packed part may have: a file of a few kilobytes could fill the memory."""


VERSION = b"\x01"
"""Of what is packed: by these contexts, and after this primer."""
SEAL = 8
"""Bytes of the SHA-256 of all that stands behind them: a file that was damaged fits it once in 10^19 times."""


def pack(value: Any, tables: Sequence[Array]) -> str:
    """Return a JSON value and tables of whole numbers (rows, columns) as text of 85 signs that JSON need not escape.

    Tables whose numbers have no sign are taken for roots of chances, rows of which are told below zero.
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    rows = [-len(table) if table.dtype.kind == "u" else len(table) for table in tables]
    shapes = np.array([(n, table.shape[1]) for n, table in zip(rows, tables, strict=True)], np.int64).reshape(-1, 2)
    numbers = np.concatenate([np.zeros(0, np.int64), *(table.astype(np.int64).ravel() for table in tables)])
    packed = VERSION + native.mixed(text.encode(), PRIMER, shapes, numbers)
    return base64.b85encode(seal(packed) + packed).decode("ascii")


def seal(packed: bytes) -> bytes:
    """Return the checksum of what was packed."""
    return hashlib.sha256(packed).digest()[:SEAL]


def unpack(entry: Entry) -> tuple[bytes, Packed]:
    """Return the text of the JSON value that was packed, and the tables."""
    data = from_signs(entry)
    packed = data[SEAL:]
    if data[:SEAL] != seal(packed):
        raise entry.wrong("is damaged: its checksum does not fit it; restore the file from a copy")
    if packed[:1] != VERSION:
        raise entry.wrong("was packed by a later release: this one does not read it")
    return unmixed(entry, packed[1:], PRIMER)


def unpack_unsealed(entry: Entry, primer: bytes) -> tuple[bytes, Packed]:
    """Return what was packed without a checksum of its own, as files had one of all that they hold."""
    return unmixed(entry, from_signs(entry), primer)


def from_signs(entry: Entry) -> bytes:
    """Return the bytes that signs tell."""
    try:
        return base64.b85decode(entry.text())
    except ValueError as error:
        raise entry.wrong(f"cannot be unpacked: {error}") from None


def unmixed(entry: Entry, packed: bytes, primer: bytes) -> tuple[bytes, Packed]:
    """Return the text and the tables of bytes."""
    try:
        text, shapes, numbers = native.unmixed(packed, primer, MOST)
    except ValueError as error:
        raise entry.wrong(f"cannot be unpacked: {error}") from None
    return text, Packed(entry, np.frombuffer(shapes, np.int64).reshape(-1, 2), np.frombuffer(numbers, np.int64))


class Packed:
    """Tables, which are taken one after the other."""

    def __init__(self, entry: Entry, shapes: Array, numbers: Array) -> None:
        self._entry = entry
        shapes = np.abs(shapes)
        ends = np.cumsum(shapes.prod(axis=1))
        parts = np.split(numbers, ends[:-1]) if len(shapes) else []
        self._tables: Iterator[Array] = (part.reshape(of) for part, of in zip(parts, shapes, strict=True))

    def take(self, rows: int, columns: int | None = None) -> Array:
        """Return the next table, which should have so many rows and columns; any, where no number of them is told."""
        table = next(self._tables, None)
        if table is None or len(table) != rows or columns not in (None, table.shape[1]):
            raise self._entry.wrong("has tables that are not of the columns and classes")
        return table

    def end(self) -> None:
        """Refuse tables that nobody has taken."""
        if next(self._tables, None) is not None:
            raise self._entry.wrong("has more tables than columns")
