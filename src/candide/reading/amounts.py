"""Amounts: numbers in disguise, with thousands apart, a decimal comma, a currency, a per cent sign or in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from candide.reading.base import ColumnReader, ReadColumn, number_in, numbers_by_level, refuse, texts_of
from candide.reading.texts import is_missing_spelling
from candide.table.columns import Numbers, Symbols

CURRENCIES = r"[$€£¥₹₽₩₺₪฿¢]|US\$|A\$|C\$|R\$|USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|Fr\.|kr\.?|zł|Kč"
UNITS = rf"%|‰|{CURRENCIES}"
SPACES = " \u00a0\u202f\u2009"
"""The spaces that stand between thousands: plain, unbreakable, narrow, thin."""

STYLES: tuple[tuple[str, str], ...] = (
    (".", ""),
    (",", ""),
    (".", ","),
    (",", "."),
    (",", " "),
    (".", " "),
    (".", "'"),
    (",", "'"),
)
"""Decimal points and what stands between thousands; where a column fits several, the first."""

FEW_LEVELS = 20
"""Different plain whole numbers up to which the text of a frame may as well be names of levels, and stays so."""

LARGEST_DIGITS = 15
"""Digits that an amount has at the most; longer rows of digits are how codes are written."""

FIRST = 60
"""Cells that are tried first: most columns of text hold no digits at all."""


@cache
def pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    """Return the form of an amount: brackets or a sign, a unit before or behind, digits and an exponent."""
    whole = r"\d+"
    if thousands:
        between = {" ": f"[{SPACES}]", "'": "['’]"}.get(thousands, re.escape(thousands))
        groups = r"\d{2,3}" if thousands == "," else r"\d{3}"  # 12,34,567 in India
        whole = rf"(?:[1-9]\d{{0,2}}(?:{between}{groups})*{between}\d{{3}}|\d+)"
    point = re.escape(decimal)
    body = rf"(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?"
    sign = r"[+\-−]?"
    return re.compile(
        rf"\s*(?P<bracket>\()?\s*(?P<sign>{sign})\s*(?P<before>{UNITS})?\s*(?P<second>{sign})\s*"
        rf"(?P<body>{body})\s*(?P<after>{UNITS})?\s*(?(bracket)\))\s*"
    )


class Amounts(ColumnReader):
    """Numbers as people write them.

    Parameters
    ----------
    decimal : "." or ","
    thousands : "", ",", ".", " " or "'"
        What stands between thousands.
    unit : str
        What stands before or behind a number: a currency, "%"; numbers are taken as they are written.
    missing : sequence of str
        What is written in a cell that is missing.

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

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        return (cells if isinstance(cells, Numbers) else self.numbers(cells, where),)

    def cells(self, cell: Any) -> tuple[Any, ...] | None:
        if type(cell) in (int, float):
            return (cell,)
        number = number_in(cell, self.value)
        return None if number is None else (None if number != number else number,)  # noqa: PLR0124  # NaN

    def numbers(self, cells: Symbols, where: str) -> Numbers:
        """Return the numbers that levels of text are."""
        text = texts_of(cells)
        values = [self.value(level) for level in text.levels.tolist()]
        if None in values:
            raise refuse(text, values.index(None), where, self.says)
        return Numbers(numbers_by_level(text, values))  # type: ignore[arg-type]  # none is None

    def value(self, text: str) -> float | None:
        """Return the number that a text is, NaN where it means that a cell is missing, None where it is neither."""
        found = pattern(self.decimal, self.thousands).fullmatch(text)
        if found is None:
            return np.nan if text in self.missing or not text.strip() else None
        return number_of(found, self.decimal)


def number_of(found: re.Match[str], decimal: str) -> float:
    """Return the number of an amount's digits, sign and brackets."""
    digits = "".join(c if c != decimal else "." for c in found["body"] if c.isalnum() or c in f"{decimal}+-")
    negative = (found["sign"] + found["second"]).count("-") + (found["sign"] + found["second"]).count("−")
    return -float(digits) if bool(found["bracket"]) != (negative % 2 == 1) else float(digits)


def find_amounts(counts: Mapping[str, int], decimal: str | None, chosen: bool) -> tuple[Amounts, str] | None:
    """Return the reader of cells that are numbers, all but missing spellings.

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
    if unit is None:
        return None
    plain = style == STYLES[0] and not unit and not missing
    if plain and chosen and len(texts) <= FEW_LEVELS and all(text.strip().lstrip("+-").isdecimal() for text in texts):
        return None
    return Amounts(*style, unit, missing), told(counts, missing, style, unit, styles, decimal)


def has_digit(text: str) -> bool:
    """Whether a text holds a digit."""
    return any(map(str.isdigit, text))


def fitting(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the styles in which every text is a number, the simplest first.

    Examples
    --------
    >>> fitting(["1,234", "5,678,901"]), fitting(["1,5"])[0], fitting(["20.465,07"]), fitting(["red"])
    ([('.', ',')], (',', ''), [(',', '.')], [])
    """
    styles = [style for style in STYLES if all(map(pattern(*style).fullmatch, texts[:FIRST]))]
    styles = [style for style in styles if all(map(pattern(*style).fullmatch, texts[FIRST:]))]
    if (",", "") in styles and (".", ",") in styles:  # 1,234: thousands, unless another column knows better
        styles.remove((",", ""))
        styles.insert(styles.index((".", ",")) + 1, (",", ""))
    return styles


def is_code(text: str) -> bool:
    """Whether a text of digits is written as codes are: with a leading zero, or with many digits.

    Examples
    --------
    >>> [is_code(text) for text in ("01234", "0.5", "0", "9007199254740993", "12")]
    [True, False, False, True, False]
    """
    digits = text.strip().lstrip("+-")
    return digits.isdecimal() and (len(digits) > LARGEST_DIGITS or (len(digits) > 1 and digits[0] == "0"))


def unit_of(texts: Iterable[str], style: tuple[str, str]) -> str | None:
    """Return the one unit that texts have, "" without one, None where they have several."""
    form = pattern(*style)
    units = {found["before"] or found["after"] or "" for found in map(form.fullmatch, texts) if found is not None}
    units.discard("")
    return units.pop() if len(units) == 1 else None if units else ""


def told(
    counts: Mapping[str, int],
    missing: Sequence[str],
    style: tuple[str, str],
    unit: str,
    styles: Sequence[tuple[str, str]],
    decimal: str | None,
) -> str:
    """Say what the column was read as."""
    n = sum(counts.values()) - sum(counts[cell] for cell in missing)
    said = f"{n} numbers"
    marks = []
    if style[0] == "," and any("," in cell for cell in counts):
        marks.append("a decimal comma")
    if style[1] and any(len(found) > 1 for found in (re.findall(r"\d+", cell.split(style[0])[0]) for cell in counts)):
        marks.append(f"{style[1]!r} between thousands")
    if unit:
        marks.append(f"the unit {unit!r}")
    if any(cell.lstrip().startswith("(") for cell in counts):
        marks.append("brackets for a minus")
    said += f" with {' and '.join(marks)}" if marks else ""
    for cell in missing:
        said += f" and {counts[cell]} times {cell!r}"
    said += ", read as missing" if missing else ""
    example = next((cell for cell in counts if "," in cell), None)
    if example is not None and set(styles) >= {(".", ","), (",", "")} and decimal is None:
        said += f"; {example!r} could have a decimal comma as well (decimal=',' says so)"
    return said
