"""Alignment: the columns of a table given later against the columns that were learnt."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from candide.schema.column import Kind
from candide.schema.schema import Schema
from candide.table import Numbers, Symbols, Table


def align(table: Table, schema: Schema, who: str) -> Table:
    """Return the table with the schema's columns, its target column left aside; other columns are an error.

    Parameters
    ----------
    table : Table
    schema : Schema
    who : str
        The estimator's name, for scikit-learn's messages.
    """
    names = schema.names
    if table.names is not None and schema.target in table.names and schema.target not in names:
        table = table.select([j for j, name in enumerate(table.names) if name != schema.target])
    named = isinstance(names[0], str)
    if table.by_name:
        return in_order(table, names, who)
    if named and table.names is not None and list(table.names) != names:
        raise ValueError(names_differ(names, list(table.names)))
    if table.n_columns != len(names):
        raise ValueError(f"X has {table.n_columns} features, but {who} is expecting {len(names)} features as input.")
    if named and table.names is None:
        warnings.warn(f"X does not have valid feature names, but {who} was fitted with feature names", stacklevel=4)
    elif not named and table.names is not None:
        warnings.warn(f"X has feature names, but {who} was fitted without feature names", stacklevel=4)
    return table


def in_order(table: Table, names: list[Any], who: str) -> Table:
    """Return a table whose columns are found by name with these columns; one that it does not have is missing."""
    place = {name: i for i, name in enumerate(table.names or ())}
    strange = [name for name in place if name not in names]
    if strange:
        near = get_close_matches(str(strange[0]), [str(name) for name in names], 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {names[:20]}"
        raise ValueError(f"{who} has learnt no column {strange[0]!r}{hint}")

    def column(i: int) -> Numbers | Symbols:
        return table.column(place[names[i]]) if names[i] in place else Numbers(np.full(table.n_rows, np.nan))

    return Table((table.n_rows, len(names)), tuple(names), column)


def known_kinds(own: Sequence[Kind], known: Schema | None) -> list[Kind]:
    """Return the kinds of columns as they were learnt, or their own where nothing was seen of them so far."""
    if known is None:
        return list(own)
    return [mine if column.blank else column.kind for mine, column in zip(own, known.columns, strict=True)]


def names_differ(expected: list[Any], given: list[Any]) -> str:
    """Return scikit-learn's words for columns that are unknown, missing or in another order."""
    unknown = sorted(set(given) - set(expected))
    missing = sorted(set(expected) - set(given))
    message = "The feature names should match those that were passed during fit.\n"
    if unknown:
        message += "Feature names unseen at fit time:\n" + "".join(f"- {n}\n" for n in unknown)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + "".join(f"- {n}\n" for n in missing)
    if not unknown and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message
