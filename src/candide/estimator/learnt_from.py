"""Learnt from: the names of the tables that a model was learnt from, which its file tells and nothing is written over.

A file tells one name as its `source`, and several as its `tables`. A name is what was given: a file, a folder or a
pattern, which stand for all that they name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from candide.sources.base import are_paths, is_path

MOST = 100
"""Tables that a file names: of a model that is taught a table a day, the latest."""


def names_in(X: Any) -> list[str]:
    """Return the tables that X names; none where X is no name of files.

    Examples
    --------
    >>> names_in("years/*.csv"), names_in(["a.csv", "b.csv"]), names_in([[1.0]])
    (['years/*.csv'], ['a.csv', 'b.csv'], [])
    """
    from candide.sources.written import WrittenFiles

    if is_path(X):
        return [os.fspath(X)]
    return [os.fspath(path) for path in X] if are_paths(X) else list(X.named) if isinstance(X, WrittenFiles) else []


def told_tables(told: Mapping[str, Any]) -> list[str]:
    """Return the tables that are told of."""
    return list(told.get("tables") or filter(None, [told.get("source")]))


def naming(tables: Iterable[str]) -> dict[str, Any]:
    """Return what is told of tables: one as the source, several by their names, the latest where they are too many.

    Examples
    --------
    >>> naming(["a.csv"]), naming(["a.csv", "b.csv", "a.csv"])
    ({'source': 'a.csv'}, {'tables': ['a.csv', 'b.csv']})
    >>> len(naming(map(str, range(1000)))["tables"]), naming([])
    (100, {})
    """
    names = list(dict.fromkeys(tables))[-MOST:]
    return {"tables": names} if len(names) > 1 else {"source": names[0]} if names else {}
