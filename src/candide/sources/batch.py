"""A batch: some rows of a file, as they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from candide.frozen import frozen
from candide.sources.spelling import CellColumn, as_text, is_arrow
from candide.sources.utf8 import are_bytes, in_utf8

CELL_BYTES = 64
"""About what a cell takes as a Python object."""

BATCH_ROWS = 1 << 20
"""Rows of a batch at the most."""
BATCH_CELLS = 3 << 21
"""Cells of a batch at the most, 48 MB of numbers: counting fewer rows costs more for each, and more do not fit many
times into memory.
"""


def batch_rows(n_columns: int) -> int:
    """Return how many rows a batch of so many columns has at the most.

    Examples
    --------
    >>> batch_rows(1), batch_rows(16), batch_rows(10_000)
    (1048576, 393216, 629)
    """
    return max(1, min(BATCH_ROWS, BATCH_CELLS // max(n_columns, 1)))


def in_batches(group_rows: Sequence[int], most: int) -> list[slice]:
    """Return groups of rows gathered into runs of at most so many rows; a larger group stays alone.

    Examples
    --------
    >>> in_batches([4, 4, 4, 20, 1], 10)
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None), slice(4, 5, None)]
    """
    runs: list[slice] = []
    held = 0
    for g, rows in enumerate(group_rows):
        if runs and held + rows <= most:
            runs[-1], held = slice(runs[-1].start, g + 1), held + rows
        else:
            runs, held = [*runs, slice(g, g + 1)], rows
    return runs


@frozen
class Batch:
    """Some rows of a file.

    Parameters
    ----------
    columns : mapping
        Raw cells by column: PyArrow arrays, or lists with None where missing.
    start : int
        The number of the first row.
    n_rows : int
        How many there are, also where none of the columns is.
    name : str
        What to call the file in a message.
    loose : bool
        The rows were objects: cells have types, and an absent column is missing in these rows.
    decimal : str
        The decimal point of numbers in text.
    stored : frozenset of str
        Columns of text whose dictionary is how they are stored, and no declared domain.
    """

    columns: Mapping[str, CellColumn]
    start: int
    n_rows: int
    name: str
    loose: bool = False
    decimal: str = "."
    stored: frozenset[str] = frozenset()

    def where(self, column: str | int) -> str:
        """What to call a column in a message."""
        return f"{self.name}: column {column!r}"

    def cells(self, column: str) -> CellColumn:
        """Return the cells of a column, bytes as the text that they are, all missing where it is absent."""
        if column not in self.columns:
            return [None] * self.n_rows
        cells = self.columns[column]
        return in_utf8(cells, self.where(column), self.start) if is_arrow(cells) and are_bytes(cells.type) else cells

    @property
    def spelt(self) -> dict[str, CellColumn]:
        """The columns, those that are stored as codes spelt out."""
        return {n: spelt_out(cells) if n in self.stored else cells for n, cells in self.columns.items()}

    @property
    def echoed(self) -> dict[str, CellColumn]:
        """The columns as they are written beside answers: those of a workbook, which mix what they like, as text."""
        return {n: as_text(c) if isinstance(c, list) and not self.loose else c for n, c in self.spelt.items()}

    def rows(self, start: int, n: int) -> Batch:
        """Return some of the rows, of which a column that is stored as codes has no texts but its own."""
        part = replace(self, columns={name: cells[start : start + n] for name, cells in self.columns.items()})
        return replace(part, columns=part.spelt, start=self.start + start, n_rows=n, stored=frozenset())

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return sum(CELL_BYTES * len(c) if isinstance(c, list) else int(c.nbytes) for c in self.columns.values())


def spelt_out(cells: CellColumn) -> CellColumn:
    """Return text as it is written, where it comes as codes into a dictionary."""
    return cells.dictionary_decode() if hasattr(cells, "dictionary") else cells


@contextmanager
def counted_from(start: int) -> Iterator[None]:
    """Say of a refusal which row its counting begins at."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if start:
            error.add_note(f"rows counted from row {start}")
        raise
