"""Rows given as mappings of names to cells: a dict, or a list of dicts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from candide.messages import shortened
from candide.table.objects import encode_objects
from candide.table.table import Table


def are_mappings(X: Any) -> bool:
    """Whether something is a list of rows that are mappings."""
    return isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(row, Mapping) for row in X)


def is_row(X: Any) -> bool:
    """Whether a mapping is one row: not all of its cells are columns, and it is no sparse matrix (some are mappings).

    A row may hold lists at keys that nobody asks for.
    """
    if not isinstance(X, Mapping) or hasattr(X, "tocsr"):
        return False
    return not X or any(isinstance(c, (str, bytes)) or not hasattr(c, "__len__") for c in X.values())


def is_named_row(X: Any) -> bool:
    """Whether something is a row of a pandas frame: a series whose index names columns."""
    if type(X).__name__ != "Series" or not hasattr(X, "iloc") or not len(X):
        return False
    return all(isinstance(name, str) for name in X.index)


class RepeatedKey(ValueError):  # noqa: N818  # what is wrong, in its own words
    """A key that stands twice in an object, of which readers of JSON would each take what they like."""


def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of pairs, whose keys are distinct.

    Examples
    --------
    >>> unrepeated([("wind", "weak"), ("degrees", 12)])
    {'wind': 'weak', 'degrees': 12}
    """
    out = dict(pairs)
    if len(out) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise RepeatedKey(f"the key {shortened(key)} stands twice in an object")
    return out


def json_rows(text: str | bytes) -> list[dict[str, Any]]:
    r"""Return the rows that a JSON text holds: an object, an array of objects, or an object a line.

    Examples
    --------
    >>> json_rows('{"wind": "weak"}\n{"wind": null}'), json_rows('[{"wind": "weak"}]')
    ([{'wind': 'weak'}, {'wind': None}], [{'wind': 'weak'}])
    """
    if text.lstrip()[:1] not in ("{", "[", b"{", b"["):
        raise TypeError(
            "the rows are a text and no table: a path is read by fit, predict_batches and the command, JSON by all"
        )
    try:
        found = json.loads(text, object_pairs_hook=unrepeated)
    except RepeatedKey as error:
        raise ValueError(f"the rows are JSON in which {error}") from None
    except ValueError:
        try:
            found = [json.loads(line, object_pairs_hook=unrepeated) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise ValueError(f"the rows are text that begins as JSON and is none: {error}") from None
    rows = found if isinstance(found, list) else [found]
    if rows and not are_mappings(rows):
        raise ValueError("the rows are JSON, and no object or array of objects: a row is an object of names and cells")
    return rows


def read_mappings(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as a table whose columns are found by name; a name that a row does not have is a missing cell.

    Examples
    --------
    >>> table = read_mappings([{"wind": "weak", "degrees": 12}, {"degrees": 20}])
    >>> table.names, table.column(1).values.tolist(), table.column(0).codes.tolist()
    (('wind', 'degrees'), [12, 20], [0, -1])
    """
    names = tuple(dict.fromkeys(name for row in rows for name in row))
    wrong: list[Any] = [name for name in names if type(name) is not str]
    if wrong:
        raise TypeError(f"a row names the column {wrong[0]!r}: the names of columns are text")

    ragged = any(len(row) < len(names) for row in rows)
    lacking = [name for name in names if any(name not in row for row in rows)] if ragged else []

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
        lacking=lacking,
    )
