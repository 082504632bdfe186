"""CSV, TSV and NDJSON, read in batches: by PyArrow where it is installed, by the standard library otherwise."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterator, Sequence
from typing import Any

from candide.cli.cells import Cells
from candide.cli.failures import BadInput, one_line
from candide.cli.formats import Stream
from candide.table.arrays import installed

Columns = dict[str, Cells]

DELIMITERS = ",;\t|"
BLOCK_BYTES = 1 << 24
BATCH_ROWS = 1 << 15
JSON_CELLS = (str, int, float, bool, type(None))


def read_header(stream: Stream, delimiter: str | None, name: str) -> tuple[list[str], str]:
    """Read the first record, which names the columns; also return the delimiter, seen from it if not given."""
    lines = (line.decode("utf-8-sig").replace("\0", "") for line in iter(stream.readline, b""))
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise BadInput(f"{name} is empty: a table starts with the names of its columns")
    used = delimiter or max(DELIMITERS, key=lambda d: (first.count(d), -DELIMITERS.index(d)))
    names = next(csv.reader(itertools.chain([first], lines), delimiter=used))
    repeated = next((n for n in names if names.count(n) > 1), None)
    if repeated is not None:
        raise BadInput(f"{name}: the column name {repeated!r} stands twice in the first line; names must be distinct")
    return names, used


def csv_batches(stream: Stream, names: list[str], delimiter: str, na: Sequence[str], name: str) -> Iterator[Columns]:
    """Yield the records behind the header as columns of text, None where a cell is empty or one of `na`."""
    read = _arrow_batches if installed("pyarrow") else _plain_batches
    return read(stream, names, delimiter, na, name)


def _arrow_batches(stream: Stream, names: list[str], delimiter: str, na: Sequence[str], name: str) -> Iterator[Columns]:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    if not stream.peek(1):
        return
    uneven: list[Any] = []

    def stop(row: Any) -> str:
        uneven.append(row)
        return "error"

    try:
        reader = arrow_csv.open_csv(
            stream,
            arrow_csv.ReadOptions(column_names=names, block_size=BLOCK_BYTES),
            arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=stop),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=["", *na],
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
            ),
        )
        for batch in reader:
            if batch.num_rows:
                yield dict(zip(names, batch.columns, strict=True))
    except pa.ArrowInvalid as error:
        message = str(error).removeprefix("CSV parse error: ")
        if "utf8" in message.lower():
            raise _not_utf8(name) from None
        if uneven:
            raise _uneven(name, uneven[0].number, len(names), uneven[0].actual_columns) from None
        raise BadInput(f"{name} is not a good table: {one_line(message, 200)}") from None


def _plain_batches(stream: Stream, names: list[str], delimiter: str, na: Sequence[str], name: str) -> Iterator[Columns]:
    missing = {"", *na}
    records = filter(None, csv.reader(io.TextIOWrapper(stream, "utf-8", newline=""), delimiter=delimiter))
    row = 0
    while batch := _some(records, name):
        for at, record in enumerate(batch):
            if len(record) != len(names):
                raise _uneven(name, row + at, len(names), len(record))
        columns = zip(*batch, strict=True)
        yield {n: [None if c in missing else c for c in cells] for n, cells in zip(names, columns, strict=True)}
        row += len(batch)


def _some(records: Iterator[list[str]], name: str) -> list[list[str]]:
    try:
        return list(itertools.islice(records, BATCH_ROWS))
    except UnicodeDecodeError:
        raise _not_utf8(name) from None
    except csv.Error as error:
        raise BadInput(f"{name} is not a good table: {error}") from None


def json_batches(stream: Stream, name: str) -> Iterator[Columns]:
    """Yield objects, one per line, as columns of Python values, None where an object has no such key."""
    records = ((n, line) for n, line in enumerate(stream, 1) if line.strip())
    while batch := list(itertools.islice(records, BATCH_ROWS)):
        objects = [_json_object(line, n, name) for n, line in batch]
        keys = dict.fromkeys(key for record in objects for key in record)
        yield {key: [record.get(key) for record in objects] for key in keys}


def _json_object(line: bytes, n: int, name: str) -> dict[str, Any]:
    try:
        record = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError:
        raise _not_utf8(name) from None
    except json.JSONDecodeError as error:
        raise BadInput(f"{name}, line {n} is not JSON: {error.msg} at character {error.pos + 1}") from None
    if not isinstance(record, dict):
        raise BadInput(f"{name}, line {n}: every line must be a JSON object such as {{'weight': 1200}}")
    for key, cell in record.items():
        if not isinstance(cell, JSON_CELLS):
            raise BadInput(
                f"{name}, line {n}: {key!r} holds a list or an object; a cell is text, a number or a boolean"
            )
    return record


def _uneven(name: str, row: int | None, wanted: int, found: int) -> BadInput:
    where = name if row is None else f"{name}, row {row}"
    return BadInput(f"{where}: a row has {found} cells and the first line names {wanted} columns")


def _not_utf8(name: str) -> BadInput:
    return BadInput(f"{name} is not text in UTF-8: convert it, for example by iconv -f latin1 -t utf-8")
