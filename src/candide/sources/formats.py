"""Formats: which one a file is in and how it is packed, by its ending or by its first bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

Format = Literal["csv", "tsv", "ndjson", "parquet", "arrow", "excel"]
Packing = Literal["gzip", "bz2", "zstd"]

FORMATS: tuple[Format, ...] = get_args(Format)
TEXT_FORMATS: tuple[Format, ...] = ("csv", "tsv", "ndjson", "excel")
WRITTEN_FORMATS: tuple[Format, ...] = ("csv", "tsv", "ndjson", "parquet", "arrow")

WRITTEN_ENDINGS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
ENDINGS: dict[str, Format] = {**WRITTEN_ENDINGS, ".json": "ndjson", ".xlsx": "excel", ".xlsm": "excel"}
"""What is read; what is written in lines of objects is not called JSON."""

PACKED: dict[str, Packing] = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}

MAGIC: dict[bytes, Format] = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow",
    b"{": "ndjson",
    b"[": "ndjson",
    b"PK\x03\x04": "excel",
}
PACKED_MAGIC: dict[bytes, Packing] = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
LONGEST_MAGIC = 16
SPACE = b"\xef\xbb\xbf \t\r\n"


def by_ending(path: str, endings: Mapping[str, Format] = ENDINGS) -> tuple[Format | None, Packing | None]:
    """Return the format and the packing that a file's name says, if it says any.

    Examples
    --------
    >>> by_ending("requests.csv.gz"), by_ending("-")
    (('csv', 'gzip'), (None, None))
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packing = PACKED.get(suffixes[-1]) if suffixes else None
    if packing is not None:
        suffixes.pop()
    return endings.get(suffixes[-1]) if suffixes else None, packing


def packing_of(start: bytes) -> Packing | None:
    """Tell the packing from a file's first bytes."""
    return next((name for magic, name in PACKED_MAGIC.items() if start.startswith(magic)), None)


def format_of(start: bytes) -> Format | None:
    """Tell the format from the first unpacked bytes; None for anything that may be a CSV or TSV.

    Examples
    --------
    >>> format_of(b'{"wheels": 2}'), format_of(b"wheels,energy")
    ('ndjson', None)
    """
    start = start.lstrip(SPACE)
    return next((name for magic, name in MAGIC.items() if start.startswith(magic)), None)
