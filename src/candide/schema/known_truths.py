"""Known truths: yes and no that are learnt later are the levels that they were, as they are where rows are scored.

`same_level` finds a level in another spelling while scoring. Here the same is done before counting, so that "YES" of a
later batch adds to the level "yes". Other words stay what they are: new levels.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.reading.looking import as_reading
from candide.reading.table_reading import TableReading
from candide.reading.texts import is_missing_spelling
from candide.reading.truths import meaning, spelt_otherwise
from candide.schema.cells import MISSING, UNSEEN, Levels
from candide.schema.same_level import folded, position, truths
from candide.schema.schema import Schema
from candide.table import Numbers, Symbols, Table, as_symbols
from candide.table.columns import level_array


@frozen
class KnownTruths:
    """A column of yes and no.

    Parameters
    ----------
    place : mapping
        The two levels, no and yes, and their codes 0 and 1.
    levels : collection
        All levels that are known, which stay what they are.
    own : bool
        Whether other words count only where a column that is first read takes them for the same: digits do not.
    """

    place: Mapping[Any, int]
    levels: Collection[Any]
    own: bool = False

    def level(self, level: Any) -> Any:
        """Return the level that another is, None where it is a missing cell, itself where it is neither.

        Examples
        --------
        >>> known = KnownTruths({"no": 0, "yes": 1}, ("no", "yes"))
        >>> [known.level(word) for word in ("YES", "ja", 0, "n/a", "perhaps")]
        ['yes', 'yes', 'no', None, 'perhaps']
        """
        if level in self.levels:
            return level
        if self.own:
            return self._own(level)
        code = position(level, self._two)
        return level if code == UNSEEN else None if code == MISSING else self._two.levels.tolist()[code]

    @cached_property
    def _two(self) -> Levels:
        return Levels.of([], list(self.place))

    def _own(self, level: Any) -> Any:
        word, words = folded(str(level)), {folded(known): known for known in self.place}
        if word in words:
            return words[word]
        means = spelt_otherwise(word, words)
        if means is not None:
            return next(known for known, code in self.place.items() if code == means)
        return None if is_missing_spelling(str(level)) else level

    def recoded(self, cells: Numbers | Symbols) -> Numbers | Symbols:
        """Return cells with these levels; numbers only where all of them are."""
        if isinstance(cells, Symbols) and (cells.declared or all(level in self.levels for level in cells.levels)):
            return cells
        column = as_symbols(cells) if isinstance(cells, Numbers) else cells
        meant = [self.level(level) for level in column.levels.tolist()]
        known = {None, *self.levels}
        if isinstance(cells, Numbers) and not known.issuperset(meant):
            return cells
        code = {level: c for c, level in enumerate(dict.fromkeys(level for level in meant if level is not None))}
        codes = np.array([*(code.get(level, MISSING) for level in meant), MISSING], dtype=np.int32)
        return Symbols(codes[column.codes], level_array(list(code)))


TruthColumns = Mapping[int, KnownTruths]


def known_truths(schema: Schema, reading: Any, forgetting: bool = False) -> dict[int, KnownTruths]:
    """Return the columns of a schema that are yes and no, but for those that are taken as they are written.

    Parameters
    ----------
    schema : Schema
    reading : "auto", "plain", a mapping or a TableReading
        As the estimator reads columns.
    forgetting : bool
        Whether rows are forgotten: they may have been learnt when the column had no other level yet.
    """
    places = truths_among(schema) if forgetting else schema.truths
    if not places:
        return {}
    asked = {} if isinstance(reading, TableReading) else as_reading(reading, schema.given_names)
    return {
        j: KnownTruths(place, column.levels.tolist())
        for j, place in places.items()
        if (column := schema.columns[j]).levels is not None
        and not column.declared
        and schema.reading.origin(column.name) not in asked
    }


def truths_among(schema: Schema) -> dict[int, dict[Any, int]]:
    """Return the columns of a schema of which one level means no and one yes, whatever the others mean, by position."""
    found = {}
    for j, column in enumerate(schema.columns):
        levels = [] if column.kind != "symbols" or column.levels is None else column.levels.tolist()
        told = truths([level for level in levels if meaning(str(level)) is not None])
        if told:
            found[j] = {level: int(means) for means, level in told.items()}
    return found


def shown_truths(table: Table, reading: Any) -> dict[int, KnownTruths]:
    """Return the columns that a first batch shows to be yes and no, but for those taken as they are written."""
    names = range(table.n_columns) if table.names is None else table.names
    if table.matrix is not None or table.sparse is not None:
        return {}
    asked = {} if isinstance(reading, TableReading) else as_reading(reading, tuple(names))
    found = {}
    for j, name in enumerate(names):
        if name in asked or table.kind(j) != "symbols":
            continue
        cells = table.column(j)
        levels = tuple(cells.levels.tolist()) if isinstance(cells, Symbols) and not cells.declared else ()
        place = {level: int(means) for means, level in truths(levels).items()}
        if place:
            found[j] = KnownTruths(place, levels, own=True)
    return found


def as_learnt(table: Table, known: TruthColumns) -> Table:
    """Return a table whose columns of yes and no have the levels that are known."""
    if not known or table.matrix is not None or table.sparse is not None:
        return table

    def column(j: int) -> Numbers | Symbols:
        return known[j].recoded(table.column(j)) if j in known else table.column(j)

    return table.recoded(column)


def shows_more(table: Table, known: Schema) -> bool:
    """Whether a column of yes and no holds anything but its two levels, which is soon told of most tables."""
    if table.matrix is not None or table.sparse is not None:
        return False
    columns = ((table.column(j), place) for j, place in known.truths.items())
    return any(isinstance(cells, Numbers) or not place.keys() >= set(cells.levels) for cells, place in columns)
