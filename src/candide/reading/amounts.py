"""Amounts: numbers in disguise, with thousands apart, a decimal comma, a currency, a per cent sign or in brackets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from candide.reading.base import (
    ColumnReader,
    ReadAs,
    ReadColumn,
    check_unmeasured,
    number_in,
    numbers_by_level,
    refuse,
    spelt,
    texts_of,
    times,
    without,
)
from candide.reading.numerals import (
    FIRST,
    are_measured,
    fitting,
    has_digit,
    is_code,
    number_of,
    pattern,
    unit_of,
)
from candide.reading.texts import is_missing_spelling
from candide.table.columns import Numbers, Symbols

FEW_LEVELS = 20
"""Different plain whole numbers up to which the text of a frame may as well be names of levels, and stays so."""


class Amounts(ColumnReader):
    """Numbers as people write them.

    Parameters
    ----------
    decimal : "." or ","
    thousands : "", ",", ".", " " or "'"
        What stands between thousands.
    unit : str
        What stands before or behind a number: a currency, "%", "kg"; numbers are taken as they are written, and with
        another unit they are none.
    missing : sequence of str
        What is written in a cell that is missing, besides what usually is.

    Examples
    --------
    >>> from candide.table import read
    >>> cells = read([["$ 1,234.5"], ["(3.2)"], ["?"]]).column(0)
    >>> Amounts(thousands=",", unit="$", missing=["?"]).read(cells, "it")[0].values.tolist()
    [1234.5, -3.2, nan]
    """

    says = "numbers"

    def __init__(self, decimal: str = ".", thousands: str = "", unit: str = "", missing: Sequence[str] = ()) -> None:
        self.decimal = decimal
        self.thousands = thousands
        self.unit = unit
        self.missing = missing

    def check(self) -> None:
        """Refuse points that write no number."""
        pattern(self.decimal, self.thousands)

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        if isinstance(cells, Numbers) and cells.measure:
            check_unmeasured(cells, where)
        return (without(cells, self.gaps) if isinstance(cells, Numbers) else self.numbers(cells, where),)

    def cells(self, cell: Any) -> tuple[Any, ...] | None:
        if type(cell) in (int, float):
            return (None if cell in self.gaps else cell,)
        number = number_in(cell, self.value)
        return None if number is None else (None if number != number else number,)  # noqa: PLR0124  # NaN

    def written(self, number: Any) -> str:
        return spelt(number).replace(".", self.decimal)

    def numbers(self, cells: Symbols, where: str) -> Numbers:
        """Return the numbers that levels of text are."""
        text = texts_of(cells)
        values = [self.value(level) for level in text.levels.tolist()]
        if None in values:
            raise refuse(text, values.index(None), where, self.says)
        return Numbers(numbers_by_level(text, values))  # type: ignore[arg-type]  # none is None

    def value(self, text: str) -> float | None:
        """Return the number that a text is, NaN where it means that a cell is missing, None where it is neither."""
        found = None if text in self.missing else self._match(text)
        if found is None:
            return np.nan if text in self.missing or is_missing_spelling(text) else None
        number = number_of(found, self.decimal)
        return np.nan if number in self.gaps else number

    @property
    def gaps(self) -> frozenset[float]:
        """The numbers that were declared to stand for a missing cell, such as -99."""
        return numbers_among(self.missing if isinstance(self.missing, tuple) else tuple(self.missing), self.decimal)

    def is_number(self, text: str) -> bool:
        """Whether a text is a number; which one is not computed."""
        return self._match(text) is not None

    def _match(self, text: str) -> re.Match[str] | None:
        """Return the parts of a number that has the unit, or none; None of any other text."""
        found = pattern(self.decimal, self.thousands).fullmatch(text)
        if found is None or found["before"] not in (None, self.unit) or found["after"] not in (None, self.unit):
            return None
        return found


@lru_cache
def numbers_among(spellings: tuple[str, ...], decimal: str) -> frozenset[float]:
    """Return the numbers that some of these spellings are, without a unit.

    Examples
    --------
    >>> sorted(numbers_among(("?", "-99", "1,5"), ","))
    [-99.0, 1.5]
    """
    found = (pattern(decimal, "").fullmatch(spelling) for spelling in spellings)
    bare = (match for match in found if match is not None and match["before"] is match["after"] is None)
    return frozenset(number_of(match, decimal) for match in bare)


def find_amounts(counts: Mapping[str, int], decimal: str | None, chosen: bool) -> ReadAs | None:
    """Return how cells are read that are numbers, all but missing spellings.

    Parameters
    ----------
    counts : mapping
        The different cells, and how often each occurs.
    decimal : "." or ",", optional
        The decimal point of the other columns, where it is known: it settles what one column leaves open.
    chosen : bool
        Whether somebody chose text for these cells, as in a frame: few plain whole numbers are levels then.
    """
    first = [cell for cell in islice(counts, FIRST) if not is_missing_spelling(cell)]
    if not any(has_digit(cell) for cell in first) and len(counts) > FIRST:
        return None
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    styles = fitting(texts)
    if not styles or not texts:
        return None
    if any(is_code(text) for text in texts):
        return None
    missing = tuple(cell for cell in counts if is_missing_spelling(cell))
    style = next((s for s in styles if s[0] == decimal), styles[0]) if decimal else styles[0]
    unit = unit_of(texts, style)
    if unit is None or (unit.isalpha() and not are_measured(texts, style, unit)):
        return None
    # digits alone have no decimal point: what other columns have tells nothing of them
    plain = chosen and not unit and not missing and len(texts) <= FEW_LEVELS
    if plain and all(text.strip().lstrip("+-").isdecimal() for text in texts):
        return None
    said, open_ = in_words(counts, missing, style, unit), ""
    example = next((cell for cell in counts if "," in cell), None)
    if example is not None and set(styles) >= {(".", ","), (",", "")} and decimal is None:
        open_ = f"; {example!r} could have a decimal comma as well: "
        open_ += "--decimal ',', or reading={column: Amounts(',')}, says so"
    return ReadAs(Amounts(*style, unit, missing), said + open_, doubted=bool(open_))


def in_words(counts: Mapping[str, int], missing: Sequence[str], style: tuple[str, str], unit: str) -> str:
    """Say what the column was read as."""
    n = sum(counts.values()) - sum(counts[cell] for cell in missing)
    said = f"{n} numbers"
    marks = []
    if style[0] == "," and any("," in cell for cell in counts):
        marks.append("a decimal comma")
    if style[1] and any(len(found) > 1 for found in (re.findall(r"\d+", cell.split(style[0])[0]) for cell in counts)):
        marks.append(f"{style[1]!r} between thousands")
    if unit:
        bare = sum(n for cell, n in counts.items() if unit not in cell and cell not in missing)
        marks.append(f"the unit {unit!r}" + (f" ({bare} of them without it, taken as if they had it)" if bare else ""))
    if any("(" in cell for cell in counts):
        marks.append("brackets for a minus")
    if any(re.search(r"\d-\s*$", cell) for cell in counts if cell.rstrip().endswith("-")):
        marks.append("a minus behind")
    said += f" with {' and '.join(marks)}" if marks else ""
    for cell in missing:
        said += f" and {times(counts[cell])} {cell!r}"
    return said + (", read as missing" if missing else "")
