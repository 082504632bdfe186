"""Known numbers: a number that is learnt later adds to the level that it is in another spelling, as it does in scoring.

Where "1" was learnt, 1, 1.0 and the text "1.0" of a later table are that level, and where 1 was, its texts are:
`same_level` finds it while scoring, and here the same is done before counting. A number that no level is gets the kind
of the others, so that 3 beside "1" and "2" is the level "3".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from candide.reading.base import spelt
from candide.reading.looking import as_reading
from candide.reading.numerals import plain_number
from candide.reading.table_reading import TableReading
from candide.schema.cells import MISSING, Levels
from candide.schema.same_level import position
from candide.schema.schema import Schema
from candide.table import Numbers, Symbols, Table, as_symbols
from candide.table.columns import level_array


def shows_numbers(table: Table, known: Schema) -> list[int]:
    """Return the columns of levels that hold numbers, or texts of them, which are no levels as they are written."""
    if table.sparse is not None:
        return []
    if table.matrix is not None:
        return [j for j, axis in known.level_axes.items() if axis.some_text]
    return [j for j, axis in known.level_axes.items() if _shown(table, j, axis)]


def _shown(table: Table, j: int, axis: Levels) -> bool:
    cells = table.column(j)
    if isinstance(cells, Numbers):
        return axis.some_text
    strange = () if cells.declared else [level for level in cells.levels.tolist() if level not in axis.place]
    return any(plain_number(level) is not None for level in strange)


def as_numbered(table: Table, known: Schema, reading: Any) -> Table:
    """Return a table whose numbers are the levels that are known, whichever of their spellings comes.

    Parameters
    ----------
    table : Table
        Its columns are those of the schema.
    known : Schema
    reading : "auto", "plain", a mapping or a TableReading
        As the estimator reads columns: texts of one that is taken as it is written stay apart, as they do in one table.
    """
    shown = shows_numbers(table, known)
    if not shown:
        return table
    asked = {} if isinstance(reading, TableReading) else as_reading(reading, known.given_names)

    def column(j: int) -> Numbers | Symbols:
        cells = table.column(j)
        if j not in shown:
            return cells
        name = known.columns[j].name
        written = known.reading.origin(name) in asked
        return recoded(cells, known_level(known.level_axes[j], written), f"column {name!r}")

    return table.recoded(column)


def known_level(axis: Levels, written: bool = False) -> Callable[[Any], Any]:
    """Return what finds the level that a number or its text is among known ones.

    Parameters
    ----------
    axis : Levels
    written : bool
        Whether texts stay as they are written, beside other texts.

    Examples
    --------
    >>> texts, numbers = Levels.of([], ["1", "2.50", "red"]), Levels.of([], [1, 2])
    >>> list(map(known_level(texts), (1, 1.0, "1.0", 2.5, 3, "4.0", "01")))
    ['1', '1', '1', '2.50', '3', '4.0', '01']
    >>> list(map(known_level(texts, written=True), (1, "1.0"))), list(map(known_level(numbers), ("1", "2.0", "x")))
    (['1', '1.0'], [1, 2, 'x'])
    """
    levels = axis.levels.tolist()

    def found(level: Any) -> Any:
        if level in axis.place or plain_number(level) is None or (written and isinstance(level, str) and axis.are_text):
            return level
        at = position(level, axis)
        if at >= 0:
            return levels[at]
        return spelt(level) if axis.are_text else level

    return found


def recoded(cells: Numbers | Symbols, known: Callable[[Any], Any], where: str) -> Symbols:
    """Return cells with the levels that theirs are known as."""
    column = as_symbols(cells, where) if isinstance(cells, Numbers) else cells
    meant = [known(level) for level in column.levels.tolist()]
    code = {level: c for c, level in enumerate(dict.fromkeys(meant))}
    codes = np.array([*(code[level] for level in meant), MISSING], dtype=np.int32)  # code -1 reads the last
    return Symbols(codes[column.codes], level_array(list(code)))
