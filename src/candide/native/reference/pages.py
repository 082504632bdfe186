"""Pages of columns of Parquet files, of the plainest kind: flat, one value or none a row."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from candide.native.reference.rows import Array

__all__ = ["decode_pages", "page_headers"]

PLAIN, DICTIONARIES, RUNS = 0, (2, 8), 3
"""Parquet's numbers of encodings: as they are; as places in a dictionary, by its old name and the new one; in runs."""

WIDEST_CODE = 32
DEEPEST_FIELD = 8


class EndedEarlyError(ValueError):
    """Bytes end before what they should hold."""


class PageBytes:
    """Bytes that are read one after the other, and none beyond their end."""

    def __init__(self, data: Array) -> None:
        self.data, self.at = data, 0

    def take(self, n: int) -> Array:
        """Return the next n bytes."""
        if n < 0 or n > len(self.data) - self.at:
            raise EndedEarlyError("a page ends before what it should hold")
        self.at += n
        return self.data[self.at - n : self.at]

    def number(self, n: int) -> int:
        """Return the number of the next n bytes, the lowest first."""
        return int.from_bytes(self.take(n).tobytes(), "little")

    def varint(self) -> int:
        """Return a number of seven bits a byte, the lowest first."""
        value = 0
        for shift in range(0, 64, 7):
            byte = self.number(1)
            value |= (byte & 127) << shift
            if byte < 128:
                return value & (2**64 - 1)
        raise ValueError("a number of a page is too long")

    def signed(self) -> int:
        """Return a number whose lowest bit is its sign."""
        n = self.varint()
        return (n >> 1) ^ -(n & 1)

    def structure(self, depth: int = 0) -> dict[int, Any]:
        """Return the numbers and structures among the fields of a structure of Thrift's compact protocol."""
        if depth > DEEPEST_FIELD:
            raise ValueError("a page's header is too deep")
        out: dict[int, Any] = {}
        number = 0
        # ends: with the bytes
        while head := self.number(1):
            number = number + (head >> 4) if head >> 4 else self.signed()
            match head & 15:
                case 1 | 2:
                    pass
                case 3:
                    self.take(1)
                case 4 | 6:
                    self.varint()
                case 5:
                    out[number] = self.signed()
                case 7:
                    self.take(8)
                case 8:
                    self.take(self.varint())
                case 12:
                    out[number] = self.structure(depth + 1)
                case _:
                    raise ValueError("a page's header holds what none is known to")
        return out


def page_headers(chunk: Array) -> Array:
    """Return of every whole page that bytes of a column chunk begin with: kind, encoding, that of which values are
    there, rows, where its own bytes begin, how many, and how many unpacked.

    Kind 0 is a page of data, 2 a dictionary; encodings are Parquet's numbers, -1 where none is told.
    """
    reader, pages = PageBytes(chunk), []
    with suppress(EndedEarlyError):  # within the next
        # ends: every header has a byte at least
        while reader.at < len(chunk):
            header = reader.structure()
            inner: dict[int, int] = {}
            for field in (5, 7):
                inner |= {n: v for n, v in (header.get(field) or {}).items() if isinstance(v, int)}
            packed, at = header.get(3, 0), reader.at
            reader.take(packed)
            encodings = inner.get(2, -1), inner.get(3, -1)
            pages.append([header.get(1, -1), *encodings, inner.get(1, 0), at, packed, header.get(2, 0)])
    return np.array(pages, dtype=np.int64).reshape(-1, 7)


def unpacked(data: Array, width: int, n: int) -> Array:
    """Return n numbers of so many bits, packed tightly."""
    bits = np.unpackbits(data, bitorder="little")[: n * width].reshape(n, width)
    numbers: Array = (bits.astype(np.uint64) << np.arange(width, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    return numbers


def unpack_runs(reader: PageBytes, width: int, n: int) -> Array:
    """Return n numbers that lie in runs: of one of them again and again, or of any, packed tightly in eights."""
    out = np.zeros(n, dtype=np.uint64)
    at = 0
    # ends: every run has a byte at least
    while at < n:
        head = reader.varint()
        run = head >> 1
        if run >> 40:
            raise ValueError("a run of a page is too long")
        here = min(n - at, 8 * run if head & 1 else run)
        if head & 1:
            out[at : at + here] = unpacked(reader.take(run * width), width, here)
        else:
            out[at : at + here] = reader.number((width + 7) // 8)
        at += here
    return out


def decode_pages(
    pages: list[Any],
    headers: Array,
    first: int,
    optional: bool,
    dictionary: Array,
    out: Array,
    present: Array,
    hole: int = 0,
) -> int:
    """Write the values of pages to `out` from row `first` on, a hole where a cell is missing; return how many are.

    Parameters
    ----------
    pages : list of bytes or ndarrays of uint8
    headers : ndarray of int64 (pages, 7)
        As `page_headers` tells them: values are as they are, or places in the dictionary.
    first : int
    optional : bool
        Values say first which are there; it is written to `present`, which has as many rows as `out`.
    dictionary : ndarray of out's type
    out : ndarray of unsigned integers; of one byte those that are no codes are booleans, a bit each in the page
    present : ndarray of uint8
    hole : int
        What is written where a cell is missing, as a signed integer of as many bytes.
    """
    if not 0 <= first <= len(out) or (optional and len(present) != len(out)):
        raise ValueError("a page has more rows than there is room for")
    if out.dtype.kind != "u":
        raise ValueError("out must be of unsigned integers")
    missing = 0
    for page, (kind, encoding, levels, rows, *_) in zip(pages, headers.tolist(), strict=True):
        coded = encoding in DICTIONARIES
        if kind != 0 or not (coded or encoding == PLAIN) or (optional and levels != RUNS):
            raise ValueError("a page is not of the plainest kind")
        if not 0 <= rows <= len(out) - first:
            raise ValueError("a page has more rows than there is room for")
        here = slice(first, first + rows)
        missing += decode_page(page, optional, coded, dictionary, out[here], present[here], hole)
        first += rows
    return missing


def decode_page(
    page: Any, optional: bool, coded: bool, dictionary: Array, out: Array, present: Array, hole: int
) -> int:
    """Write the values of one page to all of `out`."""
    rows = len(out)
    reader = PageBytes(np.frombuffer(page, np.uint8))
    there = np.ones(rows, dtype=bool)
    if optional:
        levels = PageBytes(reader.take(reader.number(4)))
        there = (unpack_runs(levels, 1, rows) & np.uint64(1)).astype(bool)
        present[:] = there
    n = int(there.sum())
    if coded:
        width = reader.number(1)
        if width > WIDEST_CODE:
            raise ValueError("a page's codes have too many bits")
        codes = unpack_runs(reader, width, n)
        if n and codes.max() >= len(dictionary):
            raise ValueError("a page has a code beyond its dictionary")
        values = dictionary[codes.astype(np.int64)]
    elif out.dtype == np.uint8:
        values = unpacked(reader.take((n + 7) // 8), 1, n)
    else:
        values = np.frombuffer(reader.take(n * out.dtype.itemsize).tobytes(), out.dtype)
    out[:] = np.int64(hole).astype(out.dtype)
    out[there] = values
    return rows - n
