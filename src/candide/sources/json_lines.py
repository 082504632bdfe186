"""Lines of JSON objects read by PyArrow: as CSV, where all of them have the same keys; otherwise as what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from candide import native
from candide.sources.text import TextColumns

ARROW_CELLS = frozenset({"string", "int64", "double", "bool", "null"})
"""PyArrow's types of cells that are values."""

DEEPEST = 500
"""Brackets that a line opens at the most where PyArrow reads it."""


def arrow_columns(block: bytes, taken: Callable[[str], bool] = lambda _: True) -> tuple[TextColumns, int] | None:
    """Return lines of objects as PyArrow's columns; None where it refuses them, or a cell is more than a value.

    Columns that are not taken are left out where their cells are more than values.
    """
    import pyarrow as pa
    from pyarrow import compute

    table = alike(block)
    if table is None:
        table = unlike(block)
    if table is None:
        return None
    table = table.select([f.name for f in table.schema if str(f.type) in ARROW_CELLS or taken(f.name)])
    if not set(map(str, table.schema.types)) <= ARROW_CELLS or not table.num_columns:
        return None
    if any(compute.any(compute.is_inf(c)).as_py() for c in table.columns if pa.types.is_floating(c.type)):
        return None  # a number of too many digits, which is told by its line
    return {n: table.column(n).combine_chunks() for n in table.column_names}, table.num_rows


def alike(block: bytes) -> Any:
    """Return the table of objects that have the same keys in the same order: but for these, they are rows of CSV.

    PyArrow reads CSV in a third of the time. None where they are not alike.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    found = native.json_rows(block) if native.kernels() == "native" else None
    if found is None:
        return None
    keys, kinds, rows = found
    try:
        names = [key.decode() for key in keys]
        return arrow_csv.read_csv(
            pa.BufferReader(rows),
            arrow_csv.ReadOptions(column_names=names, block_size=len(rows), use_threads=False),
            arrow_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
            arrow_csv.ConvertOptions(
                column_types={n: pa.type_for_alias(kind) for n, kind in zip(names, kinds, strict=True)},
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None


def unlike(block: bytes) -> Any:
    """Return the table of objects of whichever keys; None where PyArrow refuses them."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    if is_deep(block):  # PyArrow would go down as deep as it is nested, and not come back
        return None
    if not block.lstrip().startswith(b"{") or b"\nnull" in block:  # nor does it where the first row is null
        return None
    options = arrow_json.ReadOptions(use_threads=False, block_size=len(block) + 1)
    try:
        block.decode()
        table = arrow_json.read_json(pa.BufferReader(block), options)
        dates = [field for field in table.schema if pa.types.is_timestamp(field.type)]
        if dates:  # text is text: a reader says what it means, in all files alike
            spelt = arrow_json.ParseOptions(pa.schema([field.with_type(pa.string()) for field in dates]))
            table = arrow_json.read_json(pa.BufferReader(block), options, spelt)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, UnicodeDecodeError):
        return None
    return table


def is_deep(block: bytes) -> bool:
    """Whether a line may be nested deeper than objects of values are: brackets of texts are counted, too."""
    opened = block.count(b"{") + block.count(b"[")
    if opened <= DEEPEST or opened <= block.count(b"\n") + DEEPEST:
        return False
    return any(line.count(b"{") + line.count(b"[") > DEEPEST for line in block.splitlines())
