"""Finders: what the cells of one column are, as batches of them come."""

from __future__ import annotations

import re
from typing import Any, Literal

from candide.messages import shortened
from candide.reading.census import Census
from candide.reading.dates import is_compact
from candide.reading.kinds import LABEL, in_any_style
from candide.sources.counting import counted_cells, counted_texts, distinct_cells, n_missing
from candide.sources.spelling import (
    CODE,
    CellColumn,
    are_codes,
    are_numbers,
    first_not_numeric,
    is_arrow,
    is_quantity,
    is_text,
    looks_numeric,
)

CellType = Literal["numbers", "integers", "text", "booleans", "given"]
"""What a column is read as; "given" is what a binary file says itself."""

Role = Literal["attribute", "text", "document", "label"]

DOTTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+|\d{1,3}")
"""What may be a whole number with points between thousands, where the other columns have a decimal comma."""

SAMPLE_CELLS = 1000
FIRST_CELLS = 60
"""Cells of a column of numbers that stand for all of them, should a cell that is none come later."""

NEARLY, MOSTLY, DIFFERENT = 0.9, 0.5, 10
"""Shares of cells that are numbers where the others are told of as odd: of any, and where so many numbers differ."""

ARROW_VALUES = {"int64": "numbers", "double": "numbers", "bool": "booleans"}
VALUES = {bool: "booleans", int: "numbers", float: "numbers", str: "text"}


class TextFinder:
    """The type of a column of text, as its cells come.

    Parameters
    ----------
    role : "attribute", "text", "document" or "label"
        An attribute is numeric if every cell is a number, unless all are digits and some of them codes such as 01234; a
        column declared to be text only if none is a code, and one of documents never; labels are integers if every one
        is written as one.
    decimal : str
        The decimal point.
    """

    def __init__(self, role: Role, decimal: str) -> None:
        self.role, self.decimal = role, decimal
        self.numeric = role != "document"
        self.odd: tuple[int, Any] | None = None
        self.sampled = self.sampled_numbers = 0
        self.different: set[Any] = set()
        self.census = Census()
        self.first: list[str] = []
        self.plain = 0  # cells that were numbers before the first that was none
        self.dotted = decimal == "."  # every one of them may be 1.234 for 1234
        self.whole, self.code = True, ""  # whether all are digits and nothing else, and the first that is a code
        self.days: Census | None = Census()  # the numbers, as long as all are days in eight digits

    def see(self, cells: CellColumn, start: int) -> None:
        """Take some more cells into account, the first of them in row `start`."""
        self._sample(cells)
        if self.numeric and self.role == "label":
            self.numeric = all(_is_label(str(cell)) for cell in distinct_cells(cells))
        elif self.numeric and self.role == "text":
            found = (cell for cell in distinct_cells(cells) if isinstance(cell, str))
            self.numeric = all(is_quantity(cell, self.decimal) for cell in found)
        elif self.numeric and not are_numbers(cells, self.decimal):
            self.numeric = False
            row, value = first_not_numeric(cells, self.decimal) or (0, None)
            self.odd = start + row, value
            if self.first and not self.coded:
                self.see_first()
        elif self.numeric:
            self._see_numbers(cells, len(cells) - n_missing(cells))
            self._see_days(cells)
        if self.role == "attribute" and self._are_counted(cells):
            self.census.see(counted_texts(cells))

    def _see_numbers(self, cells: CellColumn, n: int) -> None:
        self.plain += n
        # numbers of text that were read as such already have a point, those of a workbook are of any style
        self.first = self.first or list(
            map(str if is_arrow(cells) else in_any_style, distinct_cells(cells[:FIRST_CELLS]))
        )
        if self.whole:
            self._see_digits(cells)
        texts = cells if is_arrow(cells) else [cell for cell in cells if isinstance(cell, str)]
        written = self.dotted and is_text(texts)
        self.dotted = written and are_dotted(texts[:FIRST_CELLS]) and are_dotted(texts)

    @property
    def chosen(self) -> bool:
        """Whether somebody chose text for all cells."""
        return False

    def _are_counted(self, cells: CellColumn) -> bool:
        """Whether cells are remembered one by one, and not by the first few."""
        return not self.numeric or self.coded

    def _see_days(self, cells: CellColumn) -> None:
        for some in (cells[:FIRST_CELLS], cells):  # the first few settle it for most columns
            counts = {} if self.days is None else counted_texts(some)
            self.days = self.days if all(map(is_compact, counts)) else None
        if self.days is not None:
            self.days.see(counts)

    def see_first(self) -> None:
        """Count the cells that were numbers, all alike, of which the first few stand for all."""
        self.census.see({**dict.fromkeys(self.first, 1), self.first[0]: self.plain - len(self.first) + 1})

    def _see_digits(self, cells: CellColumn) -> None:
        some, self.whole = are_codes(cells)
        if not self.whole:
            self._forget_codes()
        elif some and not self.code:
            self.code = next(cell for cell in counted_texts(cells) if CODE.fullmatch(cell))

    def _forget_codes(self) -> None:
        """Let go of what was a code, and is a number."""
        self.census = Census()

    def _sample(self, cells: CellColumn) -> None:
        if self.sampled < SAMPLE_CELLS and self.role == "attribute":
            counts = counted_cells(cells[:SAMPLE_CELLS])
            self.sampled += sum(counts.values())
            # what was read as a number already looked like one
            looks = {c: n for c, n in counts.items() if not isinstance(c, str) or looks_numeric(c, self.decimal)}
            self.sampled_numbers += sum(looks.values())
            self.different.update(looks)

    @property
    def cell_type(self) -> CellType:
        """What all cells so far are."""
        if not self.numeric or self.coded:
            return "text"
        return "integers" if self.role == "label" else "numbers"

    @property
    def holds_texts(self) -> bool:
        """Whether some cells are no numbers."""
        return not self.numeric

    @property
    def coded(self) -> bool:
        """Whether the cells are digits, and some of them codes."""
        return bool(self.code) and self.whole

    def doubt(self, name: str) -> str | None:
        """Return what to tell of a column that a few words keep from being numeric."""
        share = NEARLY if len(self.different) < DIFFERENT else MOSTLY
        if self.odd is None or self.sampled_numbers < share * max(self.sampled, 1):
            return None
        row, value = self.odd[0], shortened(self.odd[1])
        return (
            f"column {name!r} is taken as text because of {value} in row {row}; --missing {value}, or "
            f"Reading(missing=[{value}]), makes such cells missing"
        )


class ValueFinder(TextFinder):
    """The type of a column of Python values: what they are where they are of one kind, otherwise what their texts are.

    Texts are all counted, since somebody chose them; of numbers, the first few stand for all before a text.
    """

    def __init__(self, role: Role, decimal: str) -> None:
        super().__init__(role, decimal)
        self.kinds: set[str] = set()
        self.dotted = False  # numbers have a point

    def see(self, cells: CellColumn, start: int) -> None:
        """Take some more cells into account, the first of them in row `start`."""
        self.kinds |= kinds_in(cells)
        super().see(booleans_written(cells), start)

    def _see_numbers(self, cells: CellColumn, n: int) -> None:
        if not self._are_counted(cells):
            self.plain += n
            self.first = self.first or list(map(in_any_style, distinct_cells(cells[:FIRST_CELLS])))
        if self.whole:
            self._see_digits(cells)

    def _are_counted(self, cells: CellColumn) -> bool:
        return super()._are_counted(cells) or ("text" in self.kinds and is_text(cells))

    def _forget_codes(self) -> None:
        """Keep them: they are texts, and counted as such."""

    @property
    def chosen(self) -> bool:
        return self.kinds == {"text"}

    @property
    def holds_texts(self) -> bool:
        return self.chosen or super().holds_texts

    @property
    def cell_type(self) -> CellType:
        """What all cells so far are."""
        if len(self.kinds) > 1 or self.role == "document":
            return super().cell_type
        if "text" in self.kinds:
            return "text"
        return "booleans" if "booleans" in self.kinds else "integers" if self.role == "label" else "numbers"

    def doubt(self, name: str) -> str | None:
        """Return what to tell of a column of several kinds; nothing is doubtful where the file says what cells are."""
        return super().doubt(name) if len(self.kinds) > 1 else None


def kinds_in(cells: CellColumn) -> set[str]:
    """Return the kinds of the values that are there."""
    if is_arrow(cells):  # of one type
        kind = "text" if is_text(cells) else ARROW_VALUES.get(str(cells.type))
        return {kind} if kind is not None and cells.null_count < len(cells) else set()
    return {VALUES[of] for of in set(map(type, cells)) if of in VALUES}


def booleans_written(cells: CellColumn) -> CellColumn:
    """Return cells in which truth values are text."""
    if not is_arrow(cells):
        return [str(cell) if isinstance(cell, bool) else cell for cell in cells]
    if str(cells.type) != "bool":
        return cells
    from pyarrow import compute

    return compute.if_else(cells, str(True), str(False))


def are_dotted(cells: CellColumn) -> bool:
    """Whether all cells that are there may have points between thousands."""
    return all(DOTTED.fullmatch(cell) for cell in distinct_cells(cells))


def _is_label(cell: str) -> bool:
    return LABEL.fullmatch(cell) is not None and -(2**63) <= int(cell) < 2**63
