"""Lines of JSON objects: read by a kernel where all of them have the same keys, and otherwise by PyArrow."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from candide import native
from candide.sources.faults import NEWLINE
from candide.sources.kernel_cells import arrow_cells
from candide.sources.memory import room
from candide.sources.text import TextColumns
from candide.table.mappings import unrepeated

Array = np.ndarray[Any, Any]

FIRST_LINE = re.compile(rb"\s*([^\n]*)")

ARROW_CELLS = frozenset({"string", "int64", "double", "bool", "null"})
"""PyArrow's types of cells that are values."""

DEEPEST = 500
"""Brackets that a line opens at the most where PyArrow reads it."""


def arrow_columns(
    block: Array, n_lines: int, taken: Callable[[str], bool] = lambda _: True, coded: bool = False
) -> tuple[TextColumns, int] | None:
    """Return lines of objects as PyArrow's columns, and how many they are.

    None where a line is refused, or a cell is more than a value.

    Parameters
    ----------
    block : ndarray (bytes,)
    n_lines : int
        Line ends among them.
    taken : function
        Whether the cells of a key are asked for: others are left out where they are more than values.
    coded : bool
        Whether text may come as codes into a dictionary, where little of it differs.
    """
    found = alike(block, n_lines, coded)
    return unlike(block.tobytes(), taken) if found is None else found


def alike(block: Array, n_lines: int, coded: bool = False) -> tuple[TextColumns, int] | None:
    """Return objects that have the same keys in the same order as columns; None where they are not alike."""
    import pyarrow as pa

    keys = first_keys(block) if native.kernels() == "native" else []  # the kernels' twin is slower than PyArrow
    if not keys:
        return None
    if block[-1] != NEWLINE:
        block, n_lines = np.append(block, np.uint8(NEWLINE)), n_lines + 1
    outs = [room(n_lines + 1, np.int64) for _ in keys]
    present = np.zeros((len(keys), (n_lines + 7) // 8), dtype=np.uint8)
    spelt = [json.dumps(key, ensure_ascii=False).encode() for key in keys]
    told = native.json_cells(block, spelt, coded, outs, present)
    if told is None:
        return None
    n, columns = told
    try:
        return {
            key: arrow_cells(kind, n, out, valid, missing, texts, ends)
            for key, out, valid, (kind, missing, texts, ends) in zip(keys, outs, present, columns, strict=True)
        }, n
    except pa.ArrowInvalid:  # bytes that are no UTF-8
        return None


def first_keys(block: Array) -> list[str]:
    r"""Return the keys of the first object, none where the first line is no object.

    Examples
    --------
    >>> first_keys(np.frombuffer(b'\n{"power": 66, "energy": "petrol"}\n', np.uint8))
    ['power', 'energy']
    """
    line = FIRST_LINE.match(block.data)
    try:
        found = json.loads(line[1] if line else b"", object_pairs_hook=unrepeated)
        keys = list(found) if isinstance(found, dict) else []
        "".join(keys).encode()
    except (ValueError, RecursionError):  # what is wrong, whoever reads the line by itself tells
        return []
    return keys


def unlike(block: bytes, taken: Callable[[str], bool] = lambda _: True) -> tuple[TextColumns, int] | None:
    """Return objects of whichever keys as columns; None where PyArrow refuses them, or a cell is more than a value."""
    import pyarrow as pa
    from pyarrow import compute
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
            # which would come first
            table = arrow_json.read_json(pa.BufferReader(block), options, spelt).select(table.column_names)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, UnicodeDecodeError):
        return None
    table = table.select([f.name for f in table.schema if str(f.type) in ARROW_CELLS or taken(f.name)])
    if not set(map(str, table.schema.types)) <= ARROW_CELLS or not table.num_columns:
        return None
    if any(compute.any(compute.is_inf(c)).as_py() for c in table.columns if pa.types.is_floating(c.type)):
        return None  # a number of too many digits, which is told by its line
    return {n: table.column(n).combine_chunks() for n in table.column_names}, table.num_rows


def is_deep(block: bytes) -> bool:
    """Whether a line may be nested deeper than objects of values are: brackets of texts are counted, too."""
    opened = block.count(b"{") + block.count(b"[")
    if opened <= DEEPEST or opened <= block.count(b"\n") + DEEPEST:
        return False
    return any(line.count(b"{") + line.count(b"[") > DEEPEST for line in block.splitlines())
