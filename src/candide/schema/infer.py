"""From a table's column to what may occur in it: its levels, declared or seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide import native
from candide.schema.cells import Levels
from candide.schema.order import in_order, object_array
from candide.table import Numbers, Symbols, as_symbols
from candide.table.columns import EXACT_FLOAT

Array = np.ndarray[Any, Any]


def infer_levels(cells: Numbers | Symbols, given: Sequence[Any] | None, name: str | int) -> Levels:
    """Return the levels of a column: the declared domain, then the other levels seen."""
    seen = numeric_levels(cells, name) if isinstance(cells, Numbers) else cells.levels.tolist()
    if given is not None:
        return Levels.of(list(given), seen)
    if isinstance(cells, Symbols) and cells.declared:
        return Levels(cells.levels, len(cells.levels))
    return Levels(object_array(in_order(seen)))


def numeric_levels(cells: Numbers, name: str | int) -> list[Any]:
    """Return the distinct numbers of a column as levels: integers stay integers, floats are never cut."""
    if cells.values.dtype.kind in "iu":
        values = native.distinct(cells.values, len(cells.values))
        if values is not None and (np.abs(values) < EXACT_FLOAT).all():
            whole: list[Any] = values.astype(np.int64).tolist()
            return whole
    levels: list[Any] = as_symbols(cells, f"column {name!r}").levels.tolist()
    return levels
