"""Looking at a table: which reader each of its columns asks for, and what is said of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.messages import unknown, warn
from candide.reading.amounts import Amounts
from candide.reading.base import ColumnReader, ReadAs
from candide.reading.dates import LEAST_COMPACT, Dates, find_compact_numbers
from candide.reading.documents import FREE_TEXT, are_documents
from candide.reading.finding import find, promising
from candide.reading.habits import Habits, habits_of
from candide.reading.kinds import PLAIN, in_any_style, in_one_kind
from candide.reading.omitted import AS_INDEX, IDENTIFIER, INDEX, Omitted, find_numbered
from candide.reading.table_reading import NOTHING, Name, ReadingWarning, TableReading
from candide.reading.texts import Texts
from candide.table.bags import Bags
from candide.table.columns import Numbers, Symbols
from candide.table.table import Table

AUTO = "auto"

NUMBERS = "numbers"
"""Said of a column that is declared to hold numbers: it is read as it asks for, never ignored, and told as such."""

JOINED = "joined"
"""Said of a column that a group joins with others: it is taken as it is, and told where it is free text."""

GLANCE = 20
"""Rows of a matrix that are looked at before a column of it is."""


def as_reading(reading: Any, names: Sequence[Name]) -> dict[Name, ColumnReader | None]:
    """Return the readers that were asked for by column; None where a column stays as it is, nothing under "auto".

    Parameters
    ----------
    reading : "auto", "plain", or {column: reader, "plain", "auto" or None}
        "auto" reads a column as it asks for, and never ignores it. "numbers", of which it is told that they are taken
        as such, None and "joined" are what other parameters say of columns, and these parameters refuse those that are
        not there.
    names : sequence
        The columns there are.
    """
    if reading == AUTO:
        return {}
    if reading == PLAIN:
        return dict.fromkeys(names)
    if not isinstance(reading, Mapping):
        raise ValueError(f"reading={reading!r} is not known; use 'auto', 'plain', or a reader by column")
    for name, reader in reading.items():
        if reader is None or reader in (NUMBERS, JOINED):
            continue
        if name not in names:
            raise ValueError(f"reading: {unknown('column', str(name), list(map(str, names)))}")
        if reader not in (PLAIN, AUTO) and not isinstance(reader, ColumnReader):
            raise TypeError(
                f"reading of column {name!r} takes 'auto', 'plain' or a reader, such as Dates('mdy'), not {reader!r}"
            )
    told = {name: reader for name, reader in reading.items() if name in names and reader not in (AUTO, NUMBERS)}
    return {name: None if reader in (PLAIN, JOINED) else reader for name, reader in told.items()}


def first_read(table: Table, reading: Any = AUTO) -> tuple[Table, TableReading]:
    """Return a table with the columns that are learnt, and how its columns are read; parameters as `look` takes them.

    Cells of several kinds are looked at as texts, and then written as the reader that was found reads them.
    """
    found = look(in_one_kind(table, reading), reading)
    return found.apply(in_one_kind(table, reading, found)), found


def look(
    table: Table,
    reading: Any = AUTO,
    told: Mapping[Name, ReadAs | None] | None = None,
    dates: str | None = None,
    missing: Sequence[str] = (),
) -> TableReading:
    """Return how the columns of a table are to be read; only columns of text and of dates are looked at.

    Parameters
    ----------
    table : Table
    reading : "auto", "plain", {column: reader or "plain"}, or a TableReading that holds
    told : mapping, optional
        How a source found its columns to be read, from all of their cells: None as they are.
    dates : "dmy" or "mdy", optional
        What somebody said that dates are which leave open which number is the day.
    missing : sequence of str
        What somebody said is written in a cell that is missing: it is kept for rows that come later.
    """
    if isinstance(reading, TableReading):
        return reading
    names: tuple[Name, ...] = tuple(range(table.n_columns)) if table.names is None else table.names
    asked = as_reading(reading, names)
    if table.sparse is not None:
        return NOTHING
    by_word, told = reading if isinstance(reading, Mapping) else {}, told or {}
    # who speaks of a column first is heard; None: it is taken as it is
    said: dict[Name, ReadAs | None] = {
        name: _as_asked(table, i, asked[name], by_word.get(name)) for i, name in enumerate(names) if name in asked
    }

    def unsaid() -> dict[int, Name]:
        return {i: name for i, name in enumerate(names) if name not in said}

    said |= {name: AS_INDEX for name in unsaid().values() if _is_index(name)}
    said |= {name: told[name] for name in unsaid().values() if name in told}
    said |= _numbered(table, unsaid())
    said |= _found(table, unsaid(), dates)
    columns = {name: read for name, read in said.items() if read is not None}
    if missing:
        own = {i: name for i, name in enumerate(names) if name not in asked and name not in told}
        columns |= _with_missing(table, own, columns, missing)
    left_out = {name for name, read in columns.items() if isinstance(read.reader, Omitted)}
    for name in left_out & {name for name, reader in by_word.items() if reader in (AUTO, NUMBERS)}:
        del columns[name]
    if left_out == columns.keys() == {*names}:
        columns = {n: _as_text(columns[n]) for i, n in enumerate(names) if not _counts(table, i, columns[n])}
    ordered = TableReading(names, {name: columns[name] for name in names if name in columns})
    read = ordered.as_taken([name for name, reader in by_word.items() if reader == NUMBERS])
    _warn(read)
    return read or NOTHING


def _as_asked(table: Table, i: int, reader: ColumnReader | None, word: Any) -> ReadAs | None:
    """Return how a column is read of which it was said how; one that is taken as it is keeps that it is of dates, so
    that a number given later is none, and free text that a group joins is told to be whole levels.
    """
    if reader is not None:
        return ReadAs(reader)
    if table.matrix is not None:
        return None
    text = table.text(i)
    if word == JOINED and text is not None and are_documents(text):
        return ReadAs(Texts(), TEXT_JOINED, doubted=True)
    return None if isinstance(text, Bags) else _kept_date(table.column(i), named=False)


def _with_missing(
    table: Table, names: Mapping[int, Name], columns: Mapping[Name, ReadAs], missing: Sequence[str]
) -> dict[Name, ReadAs]:
    """Return how columns are read of which some spellings of missing cells are declared, beside those found."""
    out: dict[Name, ReadAs] = {}
    for i, name in names.items():
        read = columns.get(name)
        if read is None and isinstance(table.text(i), Bags):
            continue
        column = table.column(i)
        if read is None and isinstance(column, Numbers):
            out[name] = ReadAs(Amounts(missing=tuple(missing)))
        elif read is None and are_text(column):
            out[name] = ReadAs(Texts(tuple(missing)))
        elif read is not None and hasattr(read.reader, "missing"):
            read.reader.set_params(missing=tuple(dict.fromkeys([*missing, *read.reader.missing])))
    return out


def _found(table: Table, columns: Mapping[int, Name], dates: str | None = None) -> dict[Name, ReadAs]:
    """Return how columns of text and of dates are read, where nobody said it, by what all of them show together."""
    found: dict[Name, ReadAs | None] = {}
    counts: dict[Name, dict[str, int]] = {}
    mixed: set[Name] = set()
    named = table.names is not None
    for i, name in columns.items() if table.matrix is None else ():
        if isinstance(table.text(i), Bags | None):
            continue
        if are_documents(table.text(i)):
            found[name] = FREE_TEXT
            continue
        column = table.column(i)
        found[name] = _kept_date(column, named)
        counts |= _counted(name, column)
        mixed |= {name} if name in counts and not are_text(column) else set()
    habits = habits_of(counts.values())
    habits = habits if dates is None else replace(habits, dates=dates)
    for name, cells in counts.items():
        found[name] = found_in(cells, habits, name not in mixed, named=named)
    return {name: read for name, read in found.items() if read is not None}


def _is_index(name: Name) -> bool:
    return isinstance(name, str) and INDEX.fullmatch(name) is not None


def _numbered(table: Table, columns: Mapping[int, Name]) -> dict[Name, ReadAs]:
    """Return how columns of numbers are read that are identifiers or days in eight digits; these have names."""
    read: dict[Name, ReadAs] = {}
    # of many columns in one matrix, a glance at the first rows tells which to look at
    large = None if table.matrix is None else np.fmax.reduce(table.matrix[:GLANCE], axis=0, initial=0) >= LEAST_COMPACT
    for i, name in columns.items():
        if not isinstance(name, str):
            continue
        counts_rows = IDENTIFIER.fullmatch(name) is not None
        if not (counts_rows or large is None or large[i]) or table.kind(i) != "numbers":
            continue
        column = table.column(i)
        found = find_compact_numbers(column) or (find_numbered(column) if counts_rows else None)
        if found is not None:
            read[name] = found
    return read


def _counted(name: Name, column: Numbers | Symbols) -> dict[Name, dict[str, int]]:
    """Return the different cells of a column of text with how often each occurs; nothing of any other."""
    if not isinstance(column, Symbols) or column.declared or not any(isinstance(v, str) for v in column.levels):
        return {}
    own = column.levels.tolist()
    levels = own if are_text(column) else list(map(in_any_style, own))
    if not promising(levels, len(column)):
        return {}
    n = np.bincount(column.codes.astype(np.int64) + 1, minlength=len(levels) + 1)[1:]  # code -1 is a missing cell
    if levels is own:
        return {name: {level: k for level, k in zip(levels, n.tolist(), strict=True) if k}}
    counts: Counter[str] = Counter()
    for level, k in zip(levels, n.tolist(), strict=True):
        counts[level] += k  # 2 and "2" are written alike
    return {name: dict(counts)}


def are_text(column: Numbers | Symbols) -> bool:
    """Whether somebody chose text for all cells of a column, and has no numbers among it."""
    return isinstance(column, Symbols) and all(isinstance(level, str) for level in column.levels)


def found_in(counts: Mapping[str, int], habits: Habits, chosen: bool, named: bool = True) -> ReadAs | None:
    """Return how a column of these cells is read; None where it is taken as it is.

    Parameters
    ----------
    counts, habits, chosen
        As `find` takes them.
    named : bool
        Whether columns have names; those that go by position stay where they are.
    """
    found = find(counts, habits, chosen)
    if found is None:
        return None
    if not named and isinstance(found.reader, Omitted):
        return None  # columns go by position, and none may be left out
    if not named and isinstance(found.reader, Dates):
        found.reader.set_params(parts_too=False)
    return found


TEXT_JOINED = (
    "free text, taken as text that is counted as whole levels, since a group joins it: out of the group its words are "
    "counted"
)


def _kept_date(column: Numbers | Symbols, named: bool) -> ReadAs | None:
    """Return the reader of a column that is a column of moments or durations already."""
    if not isinstance(column, Numbers) or column.measure not in ("moment", "duration"):
        return None
    if column.measure == "duration":
        return ReadAs(Dates("hours"), "durations")
    clock = bool((column.values[np.isfinite(column.values)] % 86400 != 0).any())
    return ReadAs(Dates(clock=clock, parts_too=named), "dates" + (" with times of day" if clock else ""))


def _counts(table: Table, i: int, read: ReadAs) -> bool:
    """Whether a column was found to count rows by numbers, which are taken as they are where there is no other."""
    return read == AS_INDEX or (read.said != "" and table.kind(i) == "numbers")


def _as_text(read: ReadAs) -> ReadAs:
    """Return how identifiers are read where there is nothing else to be learnt from."""
    said = read.said.replace("ignored", "taken as text, since there is no other column")
    return ReadAs(Texts(), said, doubted=said != "")


def _warn(columns: Mapping[Name, ReadAs]) -> None:
    """Say what was left out, and what could have been read otherwise."""
    for name, read in columns.items():
        if isinstance(read.reader, Omitted) or read.doubted:
            warn(f"column {name!r}: {read.said}", ReadingWarning)
