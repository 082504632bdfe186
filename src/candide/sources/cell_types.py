"""Types of cells: what the cells of a text column are, decided from all of them before the first is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.messages import warn
from candide.reading import Amounts, ReadAs, Texts
from candide.reading.dates import find_compact
from candide.reading.habits import Habits, habits_of
from candide.reading.looking import found_in
from candide.reading.oddities import find_nearly_numbers
from candide.reading.omitted import IDENTIFIER, SAMPLE, find_numbered
from candide.reading.table_reading import TAKEN_AS_TEXT
from candide.sources.base import Reading, SourceWarning
from candide.sources.batch import Batch
from candide.sources.finders import CellType, Role, TextFinder, ValueFinder
from candide.sources.spelling import numbers
from candide.table.columns import Numbers

NEARLY_NUMBERS = ReadAs(Texts(), "numbers but for a few cells, and therefore text")
AS_CODES = TAKEN_AS_TEXT + "; reading={column: Amounts()}, or a --distribution of numbers, reads numbers"


class CellTypes:
    """The types of all columns, as batches of them come.

    Parameters
    ----------
    options : Reading
        Says which column holds the labels and which hold codes.

    Attributes
    ----------
    complete : bool
        Whether all columns have been looked at.
    seen : dict
        The columns that were there, in their order.
    """

    def __init__(self, options: Reading) -> None:
        self.options = options
        self._finders: dict[str, TextFinder] = {}
        self._closed: set[str] = set()
        self._rows: dict[str, list[Any]] = {}
        self.complete = False
        self.seen: dict[str, None] = {}
        self.readers: dict[str, ReadAs | None] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._closed

    def see(self, batch: Batch) -> None:
        """Take a batch into account; columns whose type was found before stay as they are."""
        self.seen |= dict.fromkeys(batch.columns)
        for name, cells in batch.columns.items():
            if name not in self._closed:
                if name not in self._finders:
                    self._finders[name] = self._finder(name, batch.loose)
                self._finders[name].see(cells, batch.start)
                if IDENTIFIER.fullmatch(name) and self._finders[name].numeric:
                    self._see_identifiers(name, numbers(cells, self.options.decimal))

    def _see_identifiers(self, name: str, values: Any) -> None:
        """Hold the first numbers of a column that may count rows by its name."""
        held = self._rows.setdefault(name, [])
        room = SAMPLE - sum(map(len, held))
        if values is not None and room > 0:
            held.append(values[:room])

    def _finder(self, name: str, loose: bool) -> TextFinder:
        return (ValueFinder if loose else TextFinder)(self._role(name), self.options.decimal)

    def _role(self, name: str) -> Role:
        if name == self.options.target:
            return "label"
        return "document" if name in self.options.documents else "text" if name in self.options.text else "attribute"

    def close(self, columns: Sequence[str] | None) -> None:
        """Take the types as found, those of columns asked for and never seen as well; warn of doubtful ones."""
        for name in columns or ():
            self._finders.setdefault(name, ValueFinder(self._role(name), self.options.decimal))
        self.readers |= self._read([name for name in self._finders if name not in self._closed])
        for name, finder in self._finders.items():
            read = self.readers.get(name) or NEARLY_NUMBERS
            told = name in self._closed or name == self.options.weight or read.said != NEARLY_NUMBERS.said
            doubt = None if told else finder.doubt(name)
            if doubt is not None:
                warn(doubt, SourceWarning)
        self._closed |= self._finders.keys()
        self.complete = self.complete or columns is None

    def _read(self, names: Sequence[str]) -> dict[str, ReadAs | None]:
        """Return how columns are to be read, from all of their cells; None where they are taken as they are."""
        finders = {name: self._finders[name] for name in names if name != self.options.weight}
        texts = {name: f for name, f in finders.items() if f.role == "attribute" and f.cell_type != "booleans"}
        declared = tuple(spelling for spelling in self.options.missing if spelling)
        told = habits_of([f.census.counts for f in texts.values() if f.holds_texts])
        decimal = "," if self.options.decimal == "," else told.decimal
        habits = Habits(decimal, self.options.dates or told.dates)
        out: dict[str, ReadAs | None] = {}
        for name, finder in texts.items():
            if finder.numeric and finder.dotted and decimal == "," and any("." in cell for cell in finder.first):
                finder.numeric = False
                finder.see_first()
            words = finder.holds_texts or finder.coded
            counts, chosen = finder.census.counts, finder.chosen
            read = found_in(counts, habits, chosen) if words else self._numbered(name, finder)
            if read is None and finder.coded and not chosen:
                read = ReadAs(Texts(declared), f"codes such as {finder.code!r}{AS_CODES}", doubted=True)
            elif read is None and not finder.holds_texts and (declared or self.options.decimal != "."):
                read = ReadAs(Amounts(self.options.decimal, missing=declared))
            elif read is None:
                nearly = find_nearly_numbers(counts) if not (finder.doubt(name) or chosen) else None
                found = NEARLY_NUMBERS if finder.doubt(name) else nearly or ReadAs(Texts())
                read = replace(found, reader=Texts(declared)) if declared or found.said else None
            elif declared and hasattr(read.reader, "missing"):
                read.reader.set_params(missing=(*declared, *read.reader.missing))
            out[name] = read
        return out

    def _numbered(self, name: str, finder: TextFinder) -> ReadAs | None:
        """Return how a column of numbers is read that are days in eight digits, or count rows; None of any other."""
        days = None if finder.days is None else find_compact(finder.days.counts)
        held = self._rows.get(name)
        return find_numbered(Numbers(np.concatenate(held))) if days is None and held else days

    def of(self, columns: Sequence[str] | None = None) -> dict[str, CellType]:
        """Return the types of these columns, or of all that were seen, in their order."""
        asked = self._finders if columns is None else columns
        return {name: self._finders[name].cell_type for name in asked if name in self._finders}
