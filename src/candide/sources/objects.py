"""NDJSON: one object per line, or one array of objects, in batches.

Lines are read by a kernel and by PyArrow where it is installed; what these refuse, and arrays, by the standard library,
which says why.
"""

from __future__ import annotations

import codecs
import io
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from candide.messages import shortened
from candide.overlap import overlapped, workers
from candide.sources import text as csv_text
from candide.sources.blocks import even_bytes, whole_blocks
from candide.sources.decoding import decoded
from candide.sources.faults import count_lines, not_utf8
from candide.sources.json_lines import arrow_columns
from candide.sources.open_table import OpenFile, OpenTable
from candide.sources.opening import ByteStream
from candide.sources.spread import records, whole_end
from candide.sources.text import TextColumns
from candide.table.arrays import installed
from candide.table.mappings import RepeatedKey, unrepeated

Array = np.ndarray[Any, Any]
Taken: TypeAlias = Callable[[str], bool]

SPACES = re.compile(r"[ \t\r\n]*")
JSON_CELLS = (str, int, float, bool, type(None))
DECODER = json.JSONDecoder(object_pairs_hook=unrepeated)
PIECE_BYTES = 1 << 16
LONGEST_OBJECT = 1 << 26
"""Characters of one object in an array; what has none as short as this is no table."""


def json_batches(
    stream: ByteStream,
    name: str,
    taken: Taken,
    block_bytes: int | None = None,
    ahead: bool = False,
    n_lines: int = 0,
    coded: bool = False,
) -> Iterator[tuple[TextColumns, int]]:
    """Yield objects as columns of Python values, None where an object has no such key, and how many they were.

    Parameters
    ----------
    stream : ByteStream
    name : str
        What to call it in a message.
    taken : function
        Whether the cells of a key are asked for: those of others may hold anything, and what is no cell is left out.
    block_bytes : int, optional
        How much of lines becomes a batch.
    ahead : bool
        Have several blocks of lines read by threads before they are due.
    n_lines : int
        How many lines were read before.
    coded : bool
        Whether text may come as codes into a dictionary, where little of it differs.
    """
    start = stream.peek(1).removeprefix(codecs.BOM_UTF8).lstrip()
    if start.startswith(b"["):
        yield from _columns(iter(_Array(stream, name, taken)))
    elif installed("pyarrow"):
        blocks = block_bytes or csv_text.BLOCK_BYTES
        yield from _by_arrow(stream, name, taken, blocks, ahead, n_lines + 1, coded)
    else:
        yield from _columns(_in_lines(stream, name, taken, n_lines + 1))


def _columns(objects: Iterator[dict[str, Any]]) -> Iterator[tuple[TextColumns, int]]:
    while batch := list(itertools.islice(objects, csv_text.BATCH_ROWS)):  # ends: with the objects
        keys = dict.fromkeys(key for record in batch for key in record)
        yield {key: [record.get(key) for record in batch] for key in keys}, len(batch)


def _by_arrow(
    stream: ByteStream, name: str, taken: Taken, block_bytes: int, ahead: bool, line: int, coded: bool
) -> Iterator[tuple[TextColumns, int]]:
    """Read whole lines, so many bytes at a time; `line` is the number of the first of them."""
    spare: list[Array] = []

    def read(block: tuple[Array, int]) -> tuple[tuple[TextColumns, int] | None, int, bytes]:
        memory, end = block
        lines = _without_mark(memory[:end])
        n_lines = count_lines(lines)
        found = arrow_columns(lines, n_lines, taken, coded)
        refused = b"" if found is not None else lines.tobytes()
        spare.append(memory)  # nothing of it is held
        return found, n_lines, refused

    blocks = whole_blocks(stream, block_bytes, whole_end, spare)
    for found, n_lines, refused in overlapped(read, blocks, workers()) if ahead else map(read, blocks):
        if found is not None:
            yield found
        else:
            yield from _columns(_in_lines(io.BytesIO(refused), name, taken, line))
        line += n_lines


def _without_mark(lines: Array) -> Array:
    """Return lines without the mark of UTF-8 before them."""
    return lines[len(codecs.BOM_UTF8) :] if lines[:3].tobytes() == codecs.BOM_UTF8 else lines


def _in_lines(stream: Iterable[bytes], name: str, taken: Taken, first: int) -> Iterator[dict[str, Any]]:
    for n, record in records(stream, first):
        where = f"{name}, line {n}"
        yield _checked(_parsed(record.removeprefix(codecs.BOM_UTF8), where, name, n), where, taken)


def _parsed(line: bytes, where: str, name: str, n: int) -> Any:
    try:
        return json.loads(line, object_pairs_hook=unrepeated)
    except UnicodeDecodeError as error:
        raise not_utf8(name, n, error) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{where} is not JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError) as error:
        raise _unreadable(error, where) from None


class ObjectTable(OpenTable):
    """The table in lines of objects, or in one array of them, which names no columns before its rows."""

    def __init__(self, file: OpenFile) -> None:
        options = file.options
        stream = decoded(file.stream, options.encoding, None, file.name, options.replace_invalid)
        super().__init__(replace(file, stream=stream))

    def columns(
        self, wanted: Sequence[str] | None, known: Mapping[str, str] | None
    ) -> Iterator[tuple[TextColumns, int]]:
        ahead = self.file.counted.size is not None and self.file.block_bytes is None
        asked, exclude = None if wanted is None else frozenset(wanted), self.file.options.exclude

        def taken(key: str) -> bool:
            return key not in exclude if asked is None else key in asked

        block_bytes = self.file.block_bytes or even_bytes(self.file.counted.size, csv_text.BLOCK_BYTES)
        batches = json_batches(self.file.stream, self.file.name, taken, block_bytes, ahead, coded=known is not None)
        for columns, n_rows in batches:
            self.stored = frozenset(key for key, cells in columns.items() if hasattr(cells, "dictionary"))
            yield columns, n_rows


class _Array:
    """One JSON array of objects, of which no more is held than one object and a piece."""

    def __init__(self, stream: ByteStream, name: str, taken: Taken) -> None:
        self.stream, self.name, self.taken = stream, name, taken
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self.held, self.at, self.ended = "", 0, False

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self._take("[", f"{self.name} does not begin with a JSON array")
        for n in itertools.count():
            where = f"{self.name}, object {n}"
            if self._next() == "]":
                break
            yield _checked(self._value(where), where, self.taken)
            if self._next() != "]":
                self._take(",", f"{where}: no comma and no end of the array stands behind it; is the file cut short?")
        self.at += 1
        if self._next():
            raise ValueError(f"{self.name}: something stands behind the end of its JSON array")

    def _next(self) -> str:
        """Return the next character that is no space, "" at the end."""
        while True:  # ends: with the stream
            self.at = SPACES.match(self.held, self.at).end()  # type: ignore[union-attr]  # it matches nothing, too
            if self.at < len(self.held) or not self._more():
                return self.held[self.at : self.at + 1]

    def _take(self, character: str, otherwise: str) -> None:
        if self._next() != character:
            raise ValueError(otherwise)
        self.at += 1

    def _value(self, where: str) -> Any:
        while True:  # ends: with the stream, or beyond LONGEST_OBJECT
            try:
                found, self.at = DECODER.raw_decode(self.held, self.at)
                return found
            except json.JSONDecodeError as error:
                if len(self.held) - self.at > LONGEST_OBJECT or not self._more():
                    raise ValueError(f"{where} is not whole JSON: {error.msg}") from None
            except (ValueError, RecursionError) as error:
                raise _unreadable(error, where) from None

    def _more(self) -> bool:
        """Read on, as much again as is held, so that a long object is not gone through too often."""
        if self.ended:
            return False
        piece = self.stream.read(max(PIECE_BYTES, len(self.held) - self.at))
        self.ended = not piece
        try:
            self.held = self.held[self.at :] + self.decoder.decode(piece, final=self.ended)
        except UnicodeDecodeError:
            raise not_utf8(self.name) from None
        self.at = 0
        return True


def _unreadable(error: Exception, where: str) -> ValueError:
    if isinstance(error, RepeatedKey):
        return ValueError(f"{where}: {error}")
    if isinstance(error, RecursionError):
        return ValueError(f"{where} is nested too deeply: a cell is text, a number or a boolean")
    # Python reads no integer of more digits than sys.get_int_max_str_digits()
    return ValueError(f"{where} holds a number of too many digits")


def _checked(record: Any, where: str, taken: Taken) -> dict[str, Any]:
    """Return the cells of a row, and refuse what is none; what keys hold that are not asked for may be left out."""
    if not isinstance(record, dict):
        raise ValueError(f"{where}: a row must be a JSON object such as {{'weight': 1200}}, not {shortened(record)}")
    wrong = {key: told for key, cell in record.items() if (told := _wrong(key, cell)) is not None}
    for key, told in wrong.items():
        if taken(key):
            raise ValueError(f"{where}: {key!r} holds {told}")
    return {key: cell for key, cell in record.items() if key not in wrong} if wrong else record


def _wrong(key: str, cell: Any) -> str | None:
    """Return what a key holds that is no cell, None where it is one."""
    if not isinstance(cell, JSON_CELLS):
        return "a list or an object; a cell is text, a number or a boolean"
    if isinstance(cell, int) and abs(cell) > sys.float_info.max:
        return "a number too large for float64"
    if _half(key) or (isinstance(cell, str) and _half(cell)):
        return f"half of a character ({shortened(cell)}), which is no text"
    return None


def _half(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)
