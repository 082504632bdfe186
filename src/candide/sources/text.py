"""CSV and TSV, read in batches: by PyArrow where it is installed, by the standard library otherwise."""

from __future__ import annotations

import csv
import io
import itertools
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from candide.sources import waiting
from candide.sources.faults import not_utf8, unclosed, uneven
from candide.sources.guesses import Guess
from candide.sources.opening import ByteStream
from candide.sources.spelling import CellColumn
from candide.table.arrays import installed

TextColumns = dict[str, CellColumn]

SEPARATORS = ",;\t|"
BLOCK_BYTES = 1 << 24
PIECE_BYTES = 1 << 21
"""A file is read in pieces that stay near the processor, and so many of them make a batch as it has bytes."""
FEW_BYTES = 1 << 16
"""A file of so few bytes is read by the standard library in less time than PyArrow takes to be imported."""
BATCH_ROWS = 1 << 15
LONGEST_LINE = 1 << 24
"""Bytes of a first line; what has none as short as this is no table."""


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
        used = separator or _separator(first, decimal)
        names = next(csv.reader(itertools.chain([first], lines), delimiter=used))
    except UnicodeDecodeError:
        raise ValueError(
            f"{name} is not a table in a known format (csv, tsv, ndjson in UTF-8, parquet, arrow, excel): give a file "
            "with such an ending, or say its format; other characters than UTF-8 are said by --encoding latin-1"
        ) from None
    except csv.Error as error:
        raise ValueError(f"{name}: the first line does not name columns: {error}") from None
    check_distinct(names, name)
    return names, used, n_lines


def check_distinct(names: list[str], name: str) -> None:
    """Refuse names of columns that are not distinct."""
    repeated = next((n for n in names if names.count(n) > 1), None)
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
    while True:
        line = bytearray()
        while not line.endswith((b"\n", b"\r")):
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
        Behind its header.
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
    block = block_bytes or BLOCK_BYTES
    return _arrow_batches(stream, names, separator, missing, chosen, name, n_lines, guesses or {}, block)


class NotAsGuessedError(ValueError):
    """A column holds what it was not guessed to hold."""


def _arrow_batches(
    stream: ByteStream,
    names: list[str],
    separator: str,
    missing: Sequence[str],
    wanted: Sequence[str],
    name: str,
    n_lines: int,
    guesses: Mapping[str, Guess],
    block_bytes: int,
) -> Iterator[TextColumns]:
    import pyarrow as pa

    if not stream.peek(1):
        return
    if waiting.STOP is not None:
        pa.enable_signal_handlers(False)  # PyArrow's own would keep from us what was heard
    numeric = [n for n in wanted if guesses.get(n) == "numbers"]
    odd_rows: list[Any] = []
    try:
        piece = min(PIECE_BYTES, block_bytes)
        pieces = _arrow_reader(stream, names, separator, missing, wanted, guesses, odd_rows, piece)
        while some := list(itertools.islice(pieces, block_bytes // piece)):
            batch = _joined(some)
            if any(_has_nan(batch.column(n)) for n in numeric):
                raise NotAsGuessedError  # the word nan is text
            if batch.num_rows:
                yield dict(zip(wanted, batch.columns, strict=True))
    except pa.ArrowInvalid as error:
        message = str(error).removeprefix("CSV parse error: ")
        if odd_rows and "utf8" not in message.lower():
            number, found = odd_rows[0].number, odd_rows[0].actual_columns
            raise uneven(name, None if number is None else n_lines + number, len(names), found) from None
        raise _refused(message, name, bool(numeric)) from None


def _refused(message: str, name: str, guessed: bool) -> ValueError:
    """Return the error that PyArrow's words mean."""
    if "utf8" in message.lower():
        return not_utf8(name)
    if "straddles two block" in message:  # a row of megabytes, as a quote makes that is not closed
        return unclosed(name)
    if guessed and "conversion error" in message:
        return NotAsGuessedError()
    return ValueError(f"{name} is not a good table: {message}")


def _arrow_reader(
    stream: ByteStream,
    names: list[str],
    separator: str,
    missing: Sequence[str],
    wanted: Sequence[str],
    guesses: Mapping[str, Guess],
    odd_rows: list[Any],
    block_bytes: int,
) -> Any:
    """Return PyArrow's reader; the first row of too few or too many cells goes to `odd_rows`."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    def stop(row: Any) -> str:
        odd_rows.append(row)
        return "error"

    types = {"numbers": pa.float64(), "codes": pa.dictionary(pa.int32(), pa.string()), "text": pa.string()}
    return arrow_csv.open_csv(
        stream,
        arrow_csv.ReadOptions(column_names=names, block_size=block_bytes),
        arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True, invalid_row_handler=stop),
        arrow_csv.ConvertOptions(
            column_types={n: types[guesses.get(n, "text")] for n in names},
            include_columns=list(wanted),
            null_values=list(missing),
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        ),
    )


def _joined(pieces: list[Any]) -> Any:
    """Return record batches as one."""
    import pyarrow as pa

    if len(pieces) == 1:
        return pieces[0]
    whole = pa.Table.from_batches(pieces).unify_dictionaries().combine_chunks()
    return whole.to_batches()[0] if len(whole) else pieces[0]


def _has_nan(numbers: Any) -> bool:
    from pyarrow import compute

    total = compute.sum(numbers).as_py()  # NaN where one is, or where infinities of both signs are
    return total is not None and math.isnan(total) and bool(compute.any(compute.is_nan(numbers)).as_py())


def plain_batches(
    stream: ByteStream, names: list[str], separator: str, missing: Sequence[str], wanted: Sequence[str], name: str,
    n_lines: int,
) -> Iterator[TextColumns]:  # fmt: skip
    """Yield the records behind the header, read by the standard library."""
    absent = set(missing)
    records = filter(None, csv.reader(io.TextIOWrapper(stream, "utf-8", newline=""), delimiter=separator))
    row = 0
    while batch := _some(records, name):
        for at, record in enumerate(batch):
            if len(record) != len(names):
                raise uneven(name, n_lines + row + at + 1, len(names), len(record))
        columns = dict(zip(names, zip(*batch, strict=True), strict=True))
        yield {n: [None if cell in absent else cell for cell in columns[n]] for n in wanted}
        row += len(batch)


def _some(records: Iterator[list[str]], name: str) -> list[list[str]]:
    try:
        return list(itertools.islice(records, BATCH_ROWS))
    except UnicodeDecodeError:
        raise not_utf8(name) from None
    except csv.Error as error:
        if "field larger" in str(error):  # as a quote makes it that is not closed
            raise unclosed(name) from None
        raise ValueError(f"{name} is not a good table: {error}") from None
