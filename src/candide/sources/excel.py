"""Excel: one sheet of a workbook, its numbers as numbers and all other cells as text, read row by row.

A cell is what it shows: .12 that is shown as 12 % is the text "12%", as it is where the sheet is saved as CSV, so that
both give one model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, islice
from typing import Any

from candide.messages import few_of, need, shortened, unknown, warn
from candide.reading.kinds import in_any_style, written
from candide.sources import text as csv_text
from candide.sources.base import SourceWarning
from candide.sources.open_table import OpenFile, OpenTable, counted_rows
from candide.sources.opening import spooled
from candide.sources.text import TextColumns
from candide.table.arrays import installed

LITERAL = re.compile(r'"[^"]*"|\\.')
"""What a number format shows as it stands: a per cent sign there scales nothing."""

NumberedRow = tuple[int, tuple[Any, ...]]


class Workbook(OpenTable):
    """A sheet of a workbook, by default the first that has rows: the first of them names the columns.

    Parameters
    ----------
    file : OpenFile
    """

    names: list[str]

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        name = file.name
        if not installed("openpyxl"):
            raise ImportError(f"{name}: {need('Excel files', 'excel')}")
        import openpyxl

        self._copy = spooled(file.stream)  # a workbook is an archive, read from its end
        try:
            self._book: Any = openpyxl.load_workbook(self._copy, read_only=True, data_only=True)
        except Exception as error:  # zipfile, XML and openpyxl have errors of their own
            self._copy.close()
            if isinstance(error, KeyError):  # a part that every workbook has
                raise ValueError(f"{name} is an archive and no Excel file: unpack it first") from None
            raise ValueError(f"{name} is not a whole Excel file: {error}") from None
        try:
            self._rows = self._sheet()
            _, heads = next(self._rows)
            while heads[-1] is None:  # ends: one head less each time; cells that were formatted and never filled
                heads = heads[:-1]
            self.names = ["" if head is None else written(head) for head in heads]
            csv_text.check_distinct(self.names, name)
        except ValueError:
            self.close()
            raise

    def _sheet(self) -> Iterator[NumberedRow]:
        """Return the rows of the sheet that was asked for, or of the first that has some, with their numbers."""
        name, asked = self.file.name, self.file.options.sheet
        filled = {sheet.title: rows for sheet in self._book.worksheets if (rows := filled_rows(sheet)) is not None}
        if asked is not None and asked not in filled:
            raise ValueError(f"{name}: {unknown('sheet', asked, list(filled))}")
        if not filled:
            raise ValueError(f"{name} is empty: a table starts with the names of its columns")
        if asked is None and len(filled) > 1:
            sheets = few_of(list(filled))
            warn(f"{name}: of its sheets {sheets} the first is read; --sheet names another", SourceWarning)
        return filled[asked or next(iter(filled))]

    def columns(
        self, wanted: Sequence[str] | None, known: Mapping[str, str] | None
    ) -> Iterator[tuple[TextColumns, int]]:
        return counted_rows(self._batches(wanted))

    def _batches(self, wanted: Sequence[str] | None) -> Iterator[TextColumns]:
        """Yield the columns wanted, or all, as lists of numbers and text, None where a cell is missing."""
        absent = {"", *self.file.options.missing}
        places = [(name, i) for i, name in enumerate(self.names) if wanted is None or name in wanted]
        while rows := [self._checked(*row) for row in islice(self._rows, csv_text.BATCH_ROWS)]:  # ends: with the rows
            yield {name: [_known(row[i] if i < len(row) else None, absent) for row in rows] for name, i in places}

    def _checked(self, number: int, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a row; refuse one that has a cell behind the last name, which would be lost."""
        strange = next((i for i, cell in enumerate(row[len(self.names) :]) if cell is not None), None)
        if strange is not None:
            from openpyxl.utils import get_column_letter

            i = len(self.names) + strange
            raise ValueError(
                f"{self.file.name}, row {number} of the sheet: {shortened(row[i])} stands in column "
                f"{get_column_letter(i + 1)}, which has no name: name it in the first row, or empty its cells"
            )
        return row

    def close(self) -> None:
        """Let go of the workbook."""
        self._book.close()
        self._copy.close()


def filled_rows(sheet: Any) -> Iterator[NumberedRow] | None:
    """Return the rows of a sheet that hold something, as they are numbered there; None where none does."""
    sheet.reset_dimensions()  # which some programs write wrongly: rows and columns beyond them would be lost
    numbered = ((i, tuple(map(shown, row))) for i, row in enumerate(sheet.iter_rows(), 1))
    rows = ((i, row) for i, row in numbered if any(cell is not None for cell in row))
    first = next(rows, None)
    return None if first is None else chain([first], rows)


def shown(cell: Any) -> Any:
    """Return the value of a cell; of one that is shown in per cent the text, which is that number in every style."""
    value = cell.value
    if type(value) in (int, float) and "%" in cell.number_format and "%" in LITERAL.sub("", cell.number_format):
        hundredfold = float(Decimal(repr(value)).scaleb(2))  # .145 is 14.5, and not 14.499999999999998
        return f"{int(hundredfold) if hundredfold.is_integer() else in_any_style(hundredfold)}%"
    return value


def _known(cell: Any, absent: set[str]) -> str | int | float | None:
    """Return a cell as a number where the workbook has one: no decimal point has to be guessed; None where missing."""
    text = None if cell is None else written(cell)
    if text is None or text in absent:
        return None
    if type(cell) is float and cell.is_integer():
        return int(cell)
    return cell if type(cell) in (int, float) else text
