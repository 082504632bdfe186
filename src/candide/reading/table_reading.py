"""The reading of a table: how each of its columns is read, as it was found once, and what was said of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from candide.reading.base import ColumnReader, ReadAs
from candide.reading.dates import Dates
from candide.table.columns import Array, Numbers, Symbols
from candide.table.table import Table

Name = str | int

TAKEN_AS_TEXT = ", taken as text"
"""What is said of a column that could have been something else."""


AS_GIVEN = ColumnReader()
"""How a column is read that is taken as it is."""


class ReadingWarning(UserWarning):
    """Something about how a table was read that the user may not have meant."""


@dataclass(frozen=True, eq=False, repr=False)
class TableReading(Mapping[Name, ReadAs]):
    """How the columns of a table are read; columns that are not in it are taken as they are.

    Parameters
    ----------
    names : tuple of str or int
        The columns as they are given, all of them.
    columns : mapping
        By name, those that need a reader.
    constants : mapping
        By name, what is said of columns that all rows have the same cell of: it is told of what was learnt, and is
        no part of how later rows are read.
    """

    names: tuple[Name, ...] = ()
    columns: Mapping[Name, ReadAs] = field(default_factory=dict)
    constants: Mapping[Name, str] = field(default_factory=dict)

    def __getitem__(self, name: Name) -> ReadAs:
        read = self.columns.get(name)
        if read is None:
            return ReadAs(AS_GIVEN, self.constants[name])
        constant = self.constants.get(name)
        return read if constant is None else ReadAs(read.reader, "; ".join(filter(None, (read.said, constant))))

    def __iter__(self) -> Iterator[Name]:
        if not self.constants:
            return iter(self.columns)
        return (name for name in self.names if name in self.columns or name in self.constants)

    def __len__(self) -> int:
        return len(self.columns) + sum(name not in self.columns for name in self.constants)

    def __repr__(self) -> str:
        return "\n".join(self.lines()) or "every column is taken as it is"

    def as_taken(self, numbers: Collection[Name]) -> TableReading:
        """Return the same reading in words that fit columns which were found to be text, and are numbers to a model."""

        def fitting(name: Name, read: ReadAs) -> ReadAs:
            before, text, _ = read.said.partition(TAKEN_AS_TEXT)
            return ReadAs(read.reader, f"{before}, taken as numbers") if text and name in numbers else read

        return replace(self, columns={name: fitting(name, read) for name, read in self.columns.items()})

    @property
    def bare(self) -> TableReading:
        """The same reading without what was said of columns, which tells of their cells."""
        return TableReading(self.names, {name: ReadAs(read.reader) for name, read in self.items()})

    def telling(self, names: Sequence[Name], constants: Mapping[Name, str]) -> TableReading:
        """Return the same reading of columns by these names, with what is said of those that are constant."""
        return TableReading(tuple(names), self.columns, constants) if constants or self.constants else self

    def lines(self) -> list[str]:
        """Return what was found, a line a column."""
        return [f"{name}: {read.said or f'read as {read.reader!r}'}" for name, read in self.items()]

    @property
    def left_out(self) -> list[Name]:
        """The columns that no model is made from."""
        return [name for name in self.columns if not self.parts(name)]

    @property
    def measures(self) -> dict[Name, str]:
        """What the columns that are learnt measure, where it is more than a number."""
        found: dict[Name, str] = {}
        for name, read in self.columns.items():
            if isinstance(read.reader, Dates):
                found |= dict(zip(self.parts(name), read.reader.measures, strict=False))
        return found

    @property
    def learnt(self) -> tuple[Name, ...]:
        """The columns that are learnt, in their order."""
        return tuple(part for name in self.names for part in self.parts(name))

    def origin(self, learnt: Name) -> Name:
        """Return the column that a column which is learnt was made of."""
        return next((name for name in self.columns if learnt in self.parts(name)), learnt)

    def parts(self, name: Name) -> tuple[Name, ...]:
        """Return the columns that are learnt from one that is given."""
        return self.columns[name].reader.parts(name) if name in self.columns else (name,)  # type: ignore[arg-type]  # a position has one part

    def apply(self, table: Table) -> Table:
        """Return a table with these columns as the columns that are learnt, each read when it is first asked for."""
        if not self.columns:
            return table
        places = [(name, part) for name in self.names for part in range(len(self.parts(name)))]
        named = table.names is not None and isinstance(self.names[0], str)
        at = {name: i for i, name in enumerate(table.names if named else self.names)}  # type: ignore[arg-type]  # named
        names = tuple(str(part) for name in self.names for part in self.parts(name)) if table.names else None

        @cache
        def parts(name: Name) -> tuple[Numbers | Symbols, ...]:
            return self.columns[name].reader.read(table.column(at[name]), f"column {name!r}")

        def column(k: int) -> Numbers | Symbols:
            name, part = places[k]
            return parts(name)[part] if name in self.columns else table.column(at[name])

        free = [k for k, (name, _) in enumerate(places) if name in self.columns and self.columns[name].reader.free]
        texts = (lambda k: table.text(at[places[k][0]])) if table.written else None
        return Table((table.n_rows, len(places)), names, column, texts=texts, free=free)

    def row(self, given: Mapping[Any, Any]) -> Mapping[Any, Any] | None:
        """Return one row, cells by name, with the columns that are learnt; None where it has to be read as a table."""
        if not self.columns:
            return given
        row = dict(given)
        for name, read in self.columns.items():
            cells = read.reader.cells(row.pop(name, None))
            if cells is None:
                return None
            row.update(zip(self.parts(name), cells, strict=True))
        return row

    def unread(
        self,
        drawn: Mapping[Name, Array],
        silent: Collection[Name] = (),
        ends: Mapping[Name, tuple[float, float]] | None = None,
    ) -> dict[Name, Array]:
        """Return columns that are read as those that a model has drawn, by name; of none that is left out.

        Parameters
        ----------
        drawn : mapping of ndarray
            The columns that are learnt.
        silent : collection
            Those of them that say nothing.
        ends : mapping, optional
            Of columns of numbers the least and the largest that were seen.
        """
        found: dict[Name, Array] = {}
        for name in self.names:
            parts = self.parts(name)
            if name not in self.columns:
                found[name] = drawn[name]
            elif parts:
                first, *others = parts
                heard = [drawn[first], *(None if part in silent else drawn[part] for part in others)]
                found[name] = self.columns[name].reader.unread(heard, (ends or {}).get(first))
        return found

    def union(self, other: TableReading) -> TableReading:
        """Return the reading of rows of either; a column that is read in two ways is an error."""
        if self is other or not other.columns:
            return self
        if not self.columns:
            return other
        columns = dict(self.columns)
        for name, read in other.columns.items():
            mine = columns.get(name)
            columns[name] = read if mine is None else ReadAs(united(name, mine.reader, read.reader), mine.said)
        return TableReading(self.names, columns)


def united(name: Name, mine: ColumnReader, theirs: ColumnReader) -> ColumnReader:
    """Return the reader of two parts of a column: the first's spellings count, and those of missing cells add up."""
    if mine == theirs:
        return mine
    if type(mine) is not type(theirs) or mine.key(mine.spellings) != theirs.key(mine.spellings):
        raise ValueError(
            f"column {name!r} is read as {mine!r} on one side and as {theirs!r} on the other: fit the second model "
            "with the first one's schema=, or both with reading='plain'"
        )
    params = mine.get_params(deep=False)
    missing = tuple(dict.fromkeys([*params["missing"], *theirs.missing]))  # type: ignore[attr-defined]  # of one type
    return type(mine)(**{**params, "missing": missing})


NOTHING = TableReading()
