"""Counting cells: which different ones a column has, and how often each occurs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from candide.reading.kinds import in_any_style
from candide.sources.spelling import CellColumn, is_arrow, is_text
from candide.table.arrow import arrow_floats, signed_codes


def distinct_cells(cells: CellColumn) -> list[Any]:
    """Return the distinct cells that are there."""
    return list(counted_cells(cells))


def counted_cells(cells: CellColumn) -> dict[Any, int]:
    """Return the distinct cells that are there, and how often each is."""
    if not is_arrow(cells):
        return Counter(cell for cell in cells if cell is not None)
    if hasattr(cells, "dictionary"):
        levels = cells.dictionary.to_pylist()
        codes = signed_codes(cells.indices, len(levels))
        times = np.bincount(codes + 1, minlength=len(levels) + 1)[1:].tolist()
    elif str(cells.type) == "double" and hasattr(cells, "buffers"):  # PyArrow would import all that it can compute
        floats = arrow_floats(cells)
        return Counter(floats[~np.isnan(floats)].tolist())
    else:
        found = cells.value_counts()
        levels, times = found.field("values").to_pylist(), found.field("counts").to_pylist()
    return {cell: n for cell, n in zip(levels, times, strict=False) if n and cell is not None}


def counted_texts(cells: CellColumn) -> dict[str, int]:
    """Return the same as text, in which numbers of a workbook are written so that they fit every style."""
    counts = counted_cells(cells)
    if is_text(cells):
        return counts
    out: Counter[str] = Counter()
    for cell, n in counts.items():
        out[in_any_style(cell)] += n
    return out


def n_missing(cells: CellColumn) -> int:
    """Return how many cells are missing."""
    return int(cells.null_count) if is_arrow(cells) else sum(cell is None for cell in cells)
