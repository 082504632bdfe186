"""Rows given as mappings of names to cells: a dict, or a list of dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from candide.table.objects import encode_objects
from candide.table.table import Table


def are_mappings(X: Any) -> bool:
    """Whether something is a list of rows that are mappings."""
    return isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(row, Mapping) for row in X)


def is_row(X: Any) -> bool:
    """Whether a mapping is one row: its cells are no columns, and it is no sparse matrix (some are mappings)."""
    if not isinstance(X, Mapping) or hasattr(X, "tocsr"):
        return False
    return all(isinstance(c, (str, bytes)) or not hasattr(c, "__len__") for c in X.values())


def read_mappings(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as a table whose columns are found by name; a name that a row does not have is a missing cell.

    Examples
    --------
    >>> table = read_mappings([{"wind": "weak", "degrees": 12}, {"degrees": 20}])
    >>> table.names, table.column(1).values.tolist(), table.column(0).codes.tolist()
    (('wind', 'degrees'), [12, 20], [0, -1])
    """
    names = tuple(dict.fromkeys(name for row in rows for name in row))
    if not names:
        raise ValueError("the rows are empty: a row is a mapping of the columns' names to its cells")
    wrong: list[Any] = [name for name in names if type(name) is not str]
    if wrong:
        raise TypeError(f"a row names the column {wrong[0]!r}: the names of columns are text")

    def cells(i: int) -> Any:
        out = np.empty(len(rows), dtype=object)
        out[:] = [row.get(names[i]) for row in rows]
        return out

    return Table(
        (len(rows), len(names)),
        names,
        lambda i: encode_objects(cells(i), f"column {names[i]!r}"),
        texts=cells,
        by_name=True,
    )
