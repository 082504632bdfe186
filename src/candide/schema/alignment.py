"""Alignment: the columns of a table given later against the columns that were learnt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from candide.messages import LISTED, did_you_mean, warn
from candide.reading.base import check_unmeasured, texts_of
from candide.reading.kinds import Check, in_one_kind
from candide.reading.table_reading import TableReading
from candide.schema.column import Column, Kind
from candide.schema.schema import Schema
from candide.table import Numbers, Symbols, Table


def align(table: Table, schema: Schema, who: str, strict: bool = True, reading: Any = "auto") -> Table:
    """Return the table read as the schema has its columns, its target column left aside; other columns are an error.

    Columns without names go by position, where either has none, and are called as they were when they were learnt.

    Rows that are mappings have their columns found by name: those not there are missing, others are ignored.

    Parameters
    ----------
    table : Table
    schema : Schema
    who : str
        The estimator's name, for scikit-learn's messages.
    strict : bool
        Whether frames must have just the columns that were learnt, in their order; otherwise they go by name too.
    reading : "auto", "plain", a mapping or a TableReading
        As the estimator reads columns: cells of several kinds are texts, but where it is "plain"; in rows that are
        mappings they always are, since services send 1 and "1".
    """
    names, left_out = schema.given_names, schema.reading.left_out
    check = unmeasured(schema.reading, schema.columns)
    if table.names is not None and schema.target in table.names and schema.target not in names:
        table = table.select([j for j, name in enumerate(table.names) if name != schema.target])
    named = isinstance(names[0], str)
    if not table.n_rows and not table.n_columns:  # an empty list says nothing of columns
        table = Table((0, len(names)), None, lambda _: Numbers(np.zeros(0))).called(names)
    if named and table.names is not None and (table.by_name or not strict):
        alike = in_one_kind(table, "auto" if table.by_name else reading, schema.reading, check)
        return schema.reading.apply(in_order(alike, names, left_out))
    if named and table.names is not None:
        here, needed = ([n for n in given if n not in left_out] for given in (table.names, names))
        if here != needed:
            raise ValueError(names_differ(needed, here))
    elif table.n_columns != len(names):
        raise ValueError(f"X has {table.n_columns} features, but {who} is expecting {len(names)} features as input.")
    if named and table.names is None:
        warn(f"X does not have valid feature names, but {who} was fitted with feature names", UserWarning)
    elif not named and table.names is not None:
        warn(f"X has feature names, but {who} was fitted without feature names", UserWarning)
    table = table.called(names) if named != (table.names is not None) else table
    return schema.reading.apply(in_one_kind(table, reading, schema.reading, check))


def unmeasured(reading: TableReading, columns: Sequence[Column] = ()) -> Check:
    """Return what refuses dates and durations where numbers were learnt, and writes them where levels were.

    Columns that were dates when they were learnt are in the reading, and what is read is the reader's.

    Parameters
    ----------
    reading : TableReading
    columns : sequence of Column
        What was learnt, where it is known.
    """

    def check(name: Any, cells: Numbers | Symbols) -> Numbers | Symbols:
        if isinstance(cells, Symbols) or not cells.measure or name in reading:
            return cells
        learnt = next((column for column in columns if column.name == name), None)
        if learnt is not None and learnt.kind == "symbols":
            return texts_of(cells)
        if learnt is None or not learnt.blank:
            check_unmeasured(cells, f"column {name!r}")
        return cells

    return check


def in_order(table: Table, names: list[Any], left_out: Collection[Any] = ()) -> Table:
    """Return a table whose columns are found by name with these columns; one that it does not have is missing.

    That columns are missing is told once, with the names that may have been meant, but of those that are left out.
    """
    here = table.names or ()
    place = {name: i for i, name in enumerate(here)}
    absent = [name for name in names if (name not in place or name in table.lacking) and name not in left_out]
    if absent and table.n_rows:
        warn_absent(absent, [name for name in here if name not in names], bool(table.lacking.intersection(absent)))

    def column(i: int) -> Numbers | Symbols:
        if names[i] not in place:
            return Numbers(np.full(table.n_rows, np.nan))
        return table.column(place[names[i]])

    def texts(i: int) -> Any:
        return table.text(place[names[i]]) if names[i] in place else [None] * table.n_rows

    return Table((table.n_rows, len(names)), tuple(names), column, texts=texts)


class AbsentColumns(UserWarning):  # a warning, as scikit-learn's names of them go
    """Columns that a model has learnt and that the rows do not have."""


def warn_absent(absent: Sequence[Any], strange: Sequence[Any], some: bool = False) -> None:
    """Say which columns the rows, or some of them, do not have; Python tells the same text once."""
    warn(absent_told(absent, strange, some), AbsentColumns)


def absent_told(absent: Sequence[Any], strange: Sequence[Any] = (), some: bool = False) -> str:
    """Return which columns the rows, or some of them, do not have, and which of their own may be meant."""
    hints = [did_you_mean(str(name), [str(s) for s in strange]) for name in absent]
    listed = ", ".join(f"{name!r}{hint}" for name, hint in zip(absent[:LISTED], hints, strict=False))
    more = f" and {len(absent) - LISTED} more" if len(absent) > LISTED else ""
    return (
        f"the model has learnt columns that {'some' if some else 'the'} rows do not have, and takes them as missing: "
        f"{listed}{more}"
    )


def known_kinds(own: Sequence[Kind], known: Schema | None) -> list[Kind]:
    """Return the kinds of columns as they were learnt, or their own where nothing was seen of them so far."""
    if known is None:
        return list(own)
    return [mine if column.blank else column.kind for mine, column in zip(own, known.columns, strict=True)]


def own_kinds(kinds: Sequence[Kind], known: Schema | None) -> list[Kind]:
    """Return the kinds that columns have where no rule makes them others, as one did that is given no more."""
    if known is None:
        return list(kinds)
    return [column.own_kind if kind == column.kind else kind for kind, column in zip(kinds, known.columns, strict=True)]


DIFFER = "The feature names should match those that were passed during fit"

MISSPELT = 100
"""Names up to which some may be misspelt: more are of another table."""


def names_differ(expected: list[Any], given: list[Any]) -> str:
    """Return what misspelt names mean, in one line; of other names scikit-learn's words, which its checks ask for.

    Examples
    --------
    >>> print(names_differ(["age", "income"], ["age", "incme"]))
    The feature names should match those that were passed during fit: 'incme' was not; did you mean 'income'?
    """
    unknown = sorted(set(given) - set(expected))
    missing = sorted(set(expected) - set(given))
    sought = unknown if max(len(unknown), len(missing)) <= MISSPELT else []
    near = ((name, did_you_mean(name, missing)) for name in sought)
    meant = [f"{name!r} was not{hint}" for name, hint in near if hint]
    if meant:
        return f"{DIFFER}: {' '.join(meant[:LISTED])}"
    message = f"{DIFFER}.\n"
    if unknown:
        message += f"Feature names unseen at fit time:\n{one_a_line(unknown)}"
    if missing:
        message += f"Feature names seen at fit time, yet now missing:\n{one_a_line(missing)}"
    if unknown or missing:
        return message + "strict=False takes missing ones as missing cells, and ignores others."
    return message + "Feature names must be in the same order as they were in fit.\nstrict=False finds them by name."


def one_a_line(names: Sequence[str]) -> str:
    """Return the first of some names, one a line."""
    more = [f"and {len(names) - LISTED} more"] if len(names) > LISTED else []
    return "".join(f"- {name}\n" for name in [*names[:LISTED], *more])
