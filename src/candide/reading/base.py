"""What a reader is: a rule from the cells of a column, as they were given, to the columns that are learnt from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.rules import Rule
from candide.table.columns import Array, Numbers, Symbols, as_symbols, level_array
from candide.table.measures import shown

ReadColumn = Numbers | Symbols


class UnreadableError(ValueError):
    """A cell that a reader cannot read: which one, and where."""


class ColumnReader(Rule):
    """How the cells of one column are read. The constructor only stores; equal readers read alike."""

    says = "text"
    """What the cells are, in a message."""

    free = False
    """Whether the column is a column of documents."""

    spellings: tuple[str, ...] = ("missing",)
    """Parameters in which two readers that read alike may differ: how cells are spelt."""

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the names of the columns that are made of a column; none where it is left out."""
        return (name,)

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        """Return these columns: the cells as they are, where a reader does not say otherwise.

        Parameters
        ----------
        cells : Numbers or Symbols
        where : str
            What to call the column in a message.
        """
        return (cells,)

    def cells(self, cell: Any) -> tuple[Any, ...] | None:
        """Return the cells of these columns for one cell, numbers or text or None where it is missing.

        None where it takes a column to tell: `read` then reads it, or says what is wrong with it.
        """
        return None

    def unread(self, parts: Sequence[Array | None], ends: tuple[float, float] | None = None) -> Array:
        """Return a column that is read as these parts, which a model has drawn each on its own.

        Parameters
        ----------
        parts : sequence of ndarray or None
            None for a part that says nothing; the first is always there.
        ends : (float, float), optional
            The least and the largest number of the first part that were seen.
        """
        assert parts[0] is not None
        return parts[0]

    def written(self, number: Any) -> str:
        """Return a number that stands among texts as the text that this reader reads as that number."""
        return spelt(number)


@frozen(eq=True)
class ReadAs:
    """How a column is read, and what was said of it when it was found.

    Parameters
    ----------
    reader : ColumnReader
    said : str
    doubted : bool
        Whether the cells could as well mean something else, of which the user is warned when they are first read.
    """

    reader: ColumnReader
    said: str = ""
    doubted: bool = field(default=False, compare=False)


def texts_of(cells: ReadColumn) -> Symbols:
    """Return a column as levels of text: numbers as they are written without a needless point, dates as dates."""
    if isinstance(cells, Numbers):
        measure, cells = cells.measure, as_symbols(cells)
        if measure:
            return Symbols(cells.codes, level_array([shown(level, measure) for level in cells.levels.tolist()]))
    if all(isinstance(level, str) for level in cells.levels):
        return cells
    return Symbols(cells.codes, level_array([spelt(level) for level in cells.levels.tolist()]), cells.declared)


def times(n: int) -> str:
    """Return how often something is there, in words.

    Examples
    --------
    >>> times(1), times(65)
    ('once', '65 times')
    """
    return "once" if n == 1 else f"{n} times"


SPELT = (str, bool, int, type(None))
"""Types of cells that are the same level whether they come alone or in a column."""


def spelt(level: Any) -> str:
    """Return a level as text.

    Examples
    --------
    >>> spelt(4.0), spelt(4), spelt("4"), spelt(0.5), spelt(True)
    ('4', '4', '4', '0.5', 'True')
    """
    return str(int(level)) if isinstance(level, float) and level.is_integer() else str(level)


def number_in(cell: Any, value: Callable[[str], float | None]) -> float | None:
    """Return the number of a text by its value, NaN of a cell that is missing; None where `value` has none."""
    return np.nan if cell is None else value(cell) if type(cell) is str else None


def numbers_by_level(cells: Symbols, values: Sequence[float]) -> Array:
    """Return the number of every row from those of the levels; NaN where the cell is missing."""
    return np.array([*values, np.nan])[cells.codes]  # code -1 reads the last


def without(cells: Numbers, gaps: Collection[float]) -> Numbers:
    """Return numbers in the place of which, where they stand for a missing cell, there is none."""
    if not gaps:
        return cells
    return Numbers(np.where(np.isin(cells.values, list(gaps)), np.nan, cells.values), cells.measure)


def check_unmeasured(cells: Numbers, where: str) -> None:
    """Refuse dates, times and durations where plain numbers were learnt: which number one would be, is open."""
    known = np.flatnonzero(~np.isnan(cells.values))
    if len(known):
        row = int(known[0])
        told = shown(float(cells.values[row]), cells.measure)
        what = "dates" if cells.measure == "moment" else "durations or times of day"
        raise UnreadableError(
            f"{where}, row {row}: {told} is no number, and the column was learnt as numbers; it holds {what} "
            "here: give the numbers that were meant, or make the cells missing"
        )


def refuse(cells: Symbols, level: int, where: str, says: str) -> UnreadableError:
    """Return the error of a level that cannot be read, with the first row that holds it."""
    found = np.flatnonzero(cells.codes == level)
    row = f", row {found[0]}" if len(found) else ""
    text = repr(cells.levels[level])
    return UnreadableError(
        f"{where}{row}: {text if len(text) <= 60 else text[:57] + '...'} is none of the {says} that the column was "
        "read as: make the cell missing or correct it, or fit with reading='plain' (--as-written)"
    )
