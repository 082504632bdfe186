"""Formats: what a table in a file may be written in, how that is told, and what reads and writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from candide.frozen import frozen
from candide.sources.packings import packing_by_ending

if TYPE_CHECKING:
    from candide.sources.open_table import OpenFile, OpenTable
    from candide.sources.writing import Writer

LONGEST_MAGIC = 16
"""Bytes that are looked at."""
SPACE = b"\xef\xbb\xbf \t\r\n"
"""What may stand before them in text: blank lines, behind a mark."""


@frozen
class Format:
    """A format of tables.

    Parameters
    ----------
    name : str
    endings : tuple of str
        Of files that are read and written.
    open : function of an OpenFile
        Returns the table that the file holds.
    write : function of a binary file, whether it can be sought in, and whether spreadsheets shall not compute its text
        Returns what writes such a table; None for a format that is only read.
    cells : "text", "values" or "columns"
        How cells say what they are: not at all, each for itself, or by the type of their column.
    magic : tuple of bytes
        What a file may begin with, spaces aside.
    read_endings : tuple of str
        Further endings, of files that are only read.
    in_lines : bool
        Whether rows are lines, which can be answered as they come.
    separator : str or None
        What stands between cells, where the format says it.
    in_groups : bool
        Whether rows are stored in groups that can be passed over unread.
    """

    name: str
    endings: tuple[str, ...]
    open: Callable[[OpenFile], OpenTable]
    write: Callable[[IO[bytes], bool, bool], Writer] | None
    cells: Literal["text", "values", "columns"]
    magic: tuple[bytes, ...] = ()
    read_endings: tuple[str, ...] = ()
    in_lines: bool = False
    separator: str | None = None
    in_groups: bool = False


# Readers and writers are imported where a file is opened: the command asks for the names of formats alone.


def _read_csv(file: OpenFile) -> OpenTable:
    from candide.sources.csv_table import CsvTable

    return CsvTable(file)


def _read_tsv(file: OpenFile) -> OpenTable:
    from candide.sources.csv_table import CsvTable

    return CsvTable(file, "\t")


def _write_csv(sink: IO[bytes], _: bool, safe: bool) -> Writer:
    from candide.sources.writing import TextWriter

    return TextWriter(sink, ",", safe)


def _write_tsv(sink: IO[bytes], _: bool, safe: bool) -> Writer:
    from candide.sources.writing import TextWriter

    return TextWriter(sink, "\t", safe)


def _read_objects(file: OpenFile) -> OpenTable:
    from candide.sources.objects import ObjectTable

    return ObjectTable(file)


def _write_objects(sink: IO[bytes], *_: bool) -> Writer:
    from candide.sources.writing import JsonWriter

    return JsonWriter(sink)


def _read_parquet(file: OpenFile) -> OpenTable:
    from candide.sources.binary import Binary

    return Binary(file, "parquet")


def _write_parquet(sink: IO[bytes], seekable: bool, _: bool) -> Writer:
    from candide.sources.writing import ArrowWriter

    return ArrowWriter(sink, "parquet", seekable)


def _read_arrow(file: OpenFile) -> OpenTable:
    from candide.sources.binary import Binary

    return Binary(file, "arrow")


def _write_arrow(sink: IO[bytes], seekable: bool, _: bool) -> Writer:
    from candide.sources.writing import ArrowWriter

    return ArrowWriter(sink, "arrow", seekable)


def _read_workbook(file: OpenFile) -> OpenTable:
    from candide.sources.excel import Workbook

    return Workbook(file)


FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format("csv", (".csv",), _read_csv, _write_csv, "text", in_lines=True),
        Format("tsv", (".tsv", ".tab"), _read_tsv, _write_tsv, "text", in_lines=True, separator="\t"),
        Format(
            "ndjson", (".ndjson", ".jsonl"), _read_objects, _write_objects, "values", (b"{", b"["),
            read_endings=(".json",),  # lines of objects are not called so when they are written
            in_lines=True,
        ),
        Format(
            "parquet", (".parquet", ".pq"), _read_parquet, _write_parquet, "columns", (b"PAR1",), in_groups=True,
        ),
        Format(
            "arrow", (".arrow", ".feather", ".ipc"), _read_arrow, _write_arrow, "columns",
            (b"ARROW1", b"\xff\xff\xff\xff"),
        ),
        Format("excel", (".xlsx", ".xlsm"), _read_workbook, None, "text", (b"PK\x03\x04",)),
    )
}  # fmt: skip
"""By name."""


def written_formats() -> list[str]:
    """Return the names of the formats that are written."""
    return [form.name for form in FORMATS.values() if form.write is not None]


def written_endings() -> list[str]:
    """Return the endings of files that are written."""
    return [ending for name in written_formats() for ending in FORMATS[name].endings]


def by_ending(path: str, written: bool = False) -> tuple[str | None, str | None]:
    """Return the names of the format and the packing that a file's name says, if it says any.

    Examples
    --------
    >>> by_ending("requests.csv.gz"), by_ending("-")
    (('csv', 'gzip'), (None, None))
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packing = packing_by_ending(suffixes[-1]) if suffixes else None
    last = suffixes[-1 if packing is None else -2 :][:1]
    for form in FORMATS.values():
        if last and last[0] in (form.endings if written else form.endings + form.read_endings):
            return None if written and form.write is None else form.name, packing
    return None, packing


def format_of(start: bytes) -> str | None:
    """Tell the format from the first unpacked bytes; None for anything that may be a CSV or TSV.

    Examples
    --------
    >>> format_of(b'{"wheels": 2}'), format_of(b"wheels,energy")
    ('ndjson', None)
    """
    start = start.lstrip(SPACE)
    return next((form.name for form in FORMATS.values() if form.magic and start.startswith(form.magic)), None)
