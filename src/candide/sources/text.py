"""CSV and TSV, read in batches: by PyArrow where it is installed, by the standard library otherwise."""

from __future__ import annotations

import csv
import io
import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from candide.sources.faults import not_utf8, whole_records
from candide.sources.formats import FORMATS
from candide.sources.guesses import Guess
from candide.sources.opening import ByteStream
from candide.sources.spelling import CellColumn
from candide.table.arrays import installed

TextColumns = dict[str, CellColumn]

SEPARATORS = ",;\t|"
BLOCK_BYTES = 1 << 23
"""What is read of a file at a time at the most and becomes a batch: so much that threads are worth it."""
FEW_BYTES = 1 << 16
"""A file of so few bytes is read by the standard library in less time than PyArrow takes to be imported."""
BATCH_ROWS = 1 << 15
LONGEST_LINE = 1 << 24
"""Bytes of a first line; what has none as short as this is no table."""


BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]|\A[\x80-\xff]+\Z")
"""What is no text, whatever its characters are written as: it has bytes that no text has, or none of its own."""

SAID = re.compile(r'\ufeff?"?sep=(.)"?\s*', re.IGNORECASE)
"""The line before the first by which spreadsheets tell each other the separator."""


def read_header(stream: ByteStream, separator: str | None, decimal: str, name: str) -> tuple[list[str], str, int]:
    """Read the first record, which names the columns.

    Returns
    -------
    names : list of str
    separator : str
        Seen from the record if not given.
    n_lines : int
        The lines that were read.
    """
    n_lines = 0

    def read_lines() -> Iterator[str]:
        nonlocal n_lines
        for line in _lines(stream, name):
            n_lines += 1
            yield line.decode("utf-8-sig").replace("\0", "")

    lines = read_lines()
    try:
        first = next((line for line in lines if line.strip() and not _is_comment(line, stream)), None)
        if first is None:
            raise ValueError(f"{name} is empty: a table starts with the names of its columns")
        said = SAID.fullmatch(first)
        if said is not None:
            first = next((line for line in lines if line.strip()), "")
        used = separator or (_separator(first, decimal) if said is None else said[1])
        names = next(csv.reader(itertools.chain([first], lines), delimiter=used))
    except UnicodeDecodeError as error:
        if not BINARY.search(error.object):
            raise not_utf8(name, n_lines, error) from None
        raise ValueError(
            f"{name} is not a table in a known format ({', '.join(FORMATS)}; text in UTF-8): give a file with"
            " such an ending, or say its format; other characters than UTF-8 are said by --encoding latin-1"
        ) from None
    except csv.Error as error:
        raise ValueError(f"{name}: the first line does not name columns: {_told(error)}") from None
    check_distinct(names, name)
    return names, used, n_lines


def _told(error: csv.Error) -> str:
    """Return what the standard library says of a record, or what it means."""
    if "field limit" in str(error):
        return f"a cell has more than {csv.field_size_limit():,} characters; is its separator another, or a quote open?"
    return str(error)


def check_distinct(names: list[str], name: str) -> None:
    """Refuse names of columns that are not distinct."""
    repeated = next((n for n, times in Counter(names).items() if times > 1), None)
    if repeated == "":
        raise ValueError(
            f"{name}: {names.count('')} columns have no name in the first line: give each a name, and take away lines "
            "that stand above the names"
        )
    if repeated is not None:
        raise ValueError(f"{name}: the column name {repeated!r} stands twice in the first line; names must be distinct")


def _is_comment(line: str, stream: ByteStream) -> bool:
    """Whether a line before the names of the columns is a comment: it begins with # and the next has more cells."""
    if not line.lstrip().startswith("#"):
        return False
    following = stream.peek(1).lstrip().partition(b"\n")[0].decode("utf-8", "replace")
    return following.lstrip().startswith("#") or max(map(following.count, SEPARATORS)) > max(
        map(line.count, SEPARATORS)
    )


def _separator(first: str, decimal: str) -> str:
    """Return what stands most often between the names; a decimal comma makes the comma the last to be thought of."""
    candidates = SEPARATORS if decimal != "," else SEPARATORS[1:]
    best = max(candidates, key=lambda d: (first.count(d), -candidates.index(d)))
    return best if first.count(best) else ","


def _lines(stream: ByteStream, name: str) -> Iterator[bytes]:
    """Yield lines, whether they end as on Unix, on Windows, or in a carriage return alone as on old Macs."""
    while True:  # ends: with the stream
        line = bytearray()
        while not line.endswith((b"\n", b"\r")):  # ends: with the stream, or beyond LONGEST_LINE
            ahead = stream.peek(1)
            if not ahead:
                break
            ends = [at for at in (ahead.find(b"\n"), ahead.find(b"\r")) if at >= 0]
            line += stream.read(min(ends) + 1 if ends else len(ahead))
            if len(line) > LONGEST_LINE:
                raise ValueError(f"{name}: the first line has over {LONGEST_LINE >> 20} MB; it should name the columns")
        if line.endswith(b"\r") and stream.peek(1)[:1] == b"\n":
            line += stream.read(1)
        if not line:
            return
        yield bytes(line)


def csv_batches(
    stream: ByteStream,
    names: list[str],
    separator: str,
    missing: Sequence[str],
    wanted: Sequence[str] | None,
    name: str,
    n_lines: int = 1,
    size: int | None = None,
    guesses: Mapping[str, Guess] | None = None,
    block_bytes: int | None = None,
) -> Iterator[TextColumns]:
    """Yield the records behind the header as columns of text, None where a cell is missing.

    Parameters
    ----------
    stream : ByteStream
        The file behind its header.
    names : list of str
        The columns.
    separator : str
    missing : sequence of str
        Spellings of a missing cell.
    wanted : sequence of str, or None
        The columns to yield; None for all.
    name : str
        What to call the table in a message.
    n_lines : int
        Lines of the file that were read before, for messages.
    size : int, optional
        How many bytes there are, where that is known.
    guesses : mapping of names to Guess, optional
        What columns may be read as; a cell that is not raises `NotAsGuessedError`.
    block_bytes : int, optional
        How much of the file becomes a batch.
    """
    few = size is not None and size <= FEW_BYTES and "pyarrow" not in sys.modules
    chosen = names if wanted is None else wanted
    if few or not installed("pyarrow"):
        return plain_batches(stream, names, separator, missing, chosen, name, n_lines)
    from candide.sources.arrow_csv import ArrowCsv
    from candide.sources.blocks import even_bytes

    ahead = size is not None and block_bytes is None  # the rest of a pipe may not be there for long
    csv_ = ArrowCsv(names, separator, missing, chosen, name, guesses or {})
    return csv_.batches(stream, n_lines, block_bytes or even_bytes(size, BLOCK_BYTES), ahead)


class NotAsGuessedError(ValueError):
    """A column holds what it was not guessed to hold."""


def plain_batches(
    stream: ByteStream, names: list[str], separator: str, missing: Sequence[str], wanted: Sequence[str], name: str,
    n_lines: int,
) -> Iterator[TextColumns]:  # fmt: skip
    """Yield the records behind the header, read by the standard library."""
    absent = set(missing)
    lines = io.TextIOWrapper(stream, "utf-8", newline="")
    records = whole_records(lines, len(names), separator, name, n_lines)
    while batch := _some(records, name):  # ends: with the records
        columns = dict(zip(names, zip(*batch, strict=True), strict=True))
        yield {n: [None if cell in absent else cell for cell in columns[n]] for n in wanted}


def _some(records: Iterator[list[str]], name: str) -> list[list[str]]:
    try:
        return list(itertools.islice(records, BATCH_ROWS))
    except UnicodeDecodeError:
        raise not_utf8(name) from None
