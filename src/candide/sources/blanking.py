"""Blanking: declared spellings of a missing cell, in files whose cells have types as in those of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.reading.amounts import numbers_among
from candide.sources.spelling import CellColumn, is_arrow, is_text
from candide.table.arrow import signed_codes


def blanked(cells: CellColumn, spellings: Sequence[str]) -> CellColumn:
    """Return cells without those that are written so: texts, and numbers that a spelling is.

    Examples
    --------
    >>> blanked(["red", "unknown", -99, 4.5], ["unknown", "-99"])
    ['red', None, None, 4.5]
    """
    numbers = numbers_among(tuple(spellings), ".")
    if is_arrow(cells):
        return _arrow_blanked(cells, spellings, numbers)
    gone = {*spellings, *numbers}
    return [None if not isinstance(cell, bool) and cell in gone else cell for cell in cells]


def _arrow_blanked(cells: CellColumn, spellings: Sequence[str], numbers: frozenset[float]) -> CellColumn:
    import pyarrow as pa

    if is_text(cells):
        coded = hasattr(cells, "dictionary")
        if list(spellings) == [""] and not _some_empty(cells.dictionary if coded else cells):  # as nearly always
            return cells
        return _without_levels(cells, spellings) if coded else _without(cells, spellings)
    if pa.types.is_integer(cells.type):
        return _without(cells, [int(number) for number in numbers if number.is_integer()])
    return _without(cells, list(numbers)) if pa.types.is_floating(cells.type) else cells


def _some_empty(cells: CellColumn) -> bool:
    from pyarrow import compute

    return bool(compute.min(compute.binary_length(cells)).as_py() == 0)


def _without(cells: CellColumn, values: Sequence[Any]) -> CellColumn:
    import pyarrow as pa
    from pyarrow import compute

    if not values:
        return cells
    wide = {"integer": pa.int64(), "floating": pa.float64()}  # which hold what a narrow type may not
    kind = next((to for of, to in wide.items() if getattr(pa.types, f"is_{of}")(cells.type)), cells.type)
    gone = compute.is_in(cells.cast(kind, safe=False), pa.array(values, kind))
    return compute.if_else(gone, pa.scalar(None, cells.type), cells)


def _without_levels(cells: CellColumn, spellings: Sequence[str]) -> CellColumn:
    """Return coded text without some levels, which are none of its domain either."""
    import pyarrow as pa

    levels = cells.dictionary.to_pylist()
    kept = [i for i, level in enumerate(levels) if level not in spellings]
    if len(kept) == len(levels):
        return cells
    place = np.full(len(levels) + 1, -1)  # code -1 reads the last
    place[kept] = np.arange(len(kept))
    codes = place[signed_codes(cells.indices, len(levels))].astype(np.int32)
    left = cells.dictionary.take(pa.array(kept, pa.int64()))
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), left)
