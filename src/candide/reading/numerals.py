"""Numerals: how numbers are written, with which marks and units, told from other texts that hold digits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from candide.reading.calendar import NAMES
from candide.table.columns import EXACT_FLOAT

CURRENCIES = r"[$€£¥₹₽₩₺₪฿¢]|US\$|A\$|C\$|R\$|USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|Fr\.|kr\.?|zł|Kč"
UNITS = rf"%|‰|{CURRENCIES}"
BEHIND = rf"{UNITS}|[^\W\d_]{{1,12}}[²³23]?(?:/[^\W\d_]{{1,3}}[²³23]?)?|°[CFK]?"
"""What may stand behind a number: a unit as above, or one of letters: kg, km/h, m², years."""

FEW_OF_A_UNIT = 10
"""Different numbers without which letters behind them may as well be a part of names: 2WD and 4WD."""

NO_UNITS = frozenset({"am", "pm", "bis", "ter"})
"""What stands behind numbers and is no unit: halves of the day, and of house numbers."""
SPACES = " \u00a0\u202f\u2009"
"""The spaces that stand between thousands: plain, unbreakable, narrow, thin."""

BLANK = "[\\s“”„«»\u200b\u200e\u200f\u202a\u202c\u2060\ufeff]*+"
"""What says nothing around a number: spaces, those of no width, marks of direction and byte order, printed quotes."""

MINUS = "\\-\u2212\u2013\u2010\uff0d"
"""What stands for a minus: the hyphen of keyboards, the sign of its own, the dash of word processors, other hyphens."""

MARKS = {".": "[.\u066b\uff0e]", ",": "[,\u066c\uff0c]", " ": f"[{SPACES}]", "'": "['\u2019]"}
"""Points and commas, also those of Arabic and of wide digits, spaces and apostrophes."""

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

LARGEST_DIGITS = 15
"""Digits that an amount has at the most; longer rows of digits are how codes are written."""

PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
"""A number as programs write it."""

ALIKE = str.maketrans("23456789", "1" * 8)
BARE = "0123456789.,+- '$€£%()"
"""What numbers without letters are made of: with these alone, no digit but a zero matters to how one is written."""

FIRST = 60
"""Cells that are tried first: most columns of text hold no digits at all."""


@cache
def pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    """Return the form of an amount: brackets or a sign, a unit before or behind, digits and an exponent.

    Brackets stand around all of it, or around the number alone, as accountants write `$ (180.10)` and `(3.2)%`; no sign
    stands before them. Ledgers write a minus behind the digits; before letters it joins words, as in 5-door. Thousands
    stand apart in no number that has an exponent.
    """
    if (decimal, thousands) not in STYLES:
        raise ValueError(f"decimal={decimal!r} and thousands={thousands!r} write no number; known are {STYLES}")
    whole = r"\d+"
    if thousands:
        between = MARKS[thousands]
        groups = r"\d{2,3}" if thousands == "," else r"\d{3}"  # 12,34,567 in India
        whole = rf"(?:(?!0)\d{{1,3}}(?:{between}{groups})*{between}\d{{3}}(?!{MARKS[decimal]}?\d*[eE][+-]?\d)|\d+)"
    point = MARKS[decimal]
    body = rf"(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?"
    sign = rf"[+{MINUS}]?"
    first = rf"[+{MINUS}](?![^\d(]*\()|"
    # spaces are taken whole, once: each run of them would be parted in every way otherwise
    return re.compile(
        rf"{BLANK}(?P<bracket>\()?\s*+(?P<sign>{first})\s*+(?P<before>{UNITS})?\s*+"
        rf"(?P<inner>(?(bracket)(?!)|\())?\s*+(?P<second>{sign})\s*+(?P<body>{body})(?P<last>-(?![^\W\d_])|)\s*+"
        rf"(?(inner)\))\s*+(?P<after>{BEHIND})?\s*+(?(bracket)\)){BLANK}"
    )


def number_of(found: re.Match[str], decimal: str) -> float:
    """Return the number of an amount's digits, sign and brackets."""
    points = MARKS[decimal]
    digits = "".join("." if c in points else c for c in found["body"] if c.isalnum() or c in points or c in "+-")
    signs = found["sign"] + found["second"] + found["last"]
    negative = sum(sign != "+" for sign in signs)
    bracketed = bool(found["bracket"] or found["inner"])
    return -float(digits) if bracketed != (negative % 2 == 1) else float(digits)


def has_digit(text: str) -> bool:
    """Whether a text holds a digit."""
    return any(map(str.isdigit, text))


def shape(text: str) -> str:
    """Return a text that is a number of a style, and has a unit, just where another is; many numbers share one.

    Examples
    --------
    >>> shape("$ 2,345.60"), shape("907.5"), shape("12 m2")
    ('$ 1,111.10', '101.1', '12 m2')
    """
    return text if text.strip(BARE) else text.translate(ALIKE)


def shapes(texts: Iterable[str]) -> dict[str, str]:
    """Return the shapes of texts, each with the first text that has it."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(shape(text), text)
    return found


def fitting(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the styles in which every text is a number, the simplest first.

    Examples
    --------
    >>> fitting(["1,234", "5,678,901"]), fitting(["1,5"])[0], fitting(["20.465,07"]), fitting(["red"])
    ([('.', ',')], (',', ''), [(',', '.')], [])
    """
    styles = [style for style in STYLES if all(map(pattern(*style).fullmatch, texts[:FIRST]))]
    rest = shapes(texts[FIRST:]) if styles else ()
    styles = [style for style in styles if all(map(pattern(*style).fullmatch, rest))]
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
    start = text.strip().lstrip("+-")
    if start[:1] != "0" and len(start) <= LARGEST_DIGITS:
        return False
    digits = re.sub(r"\s*[^\W\d_]*\s*$", "", start)
    return digits.isdecimal() and (len(digits) > LARGEST_DIGITS or (len(digits) > 1 and digits[0] == "0"))


def plain_number(level: Any) -> float | None:
    """Return the number that a level is, or that it is the plain text of; None of words, of truths and of codes.

    Examples
    --------
    >>> [plain_number(level) for level in (1, "1.0", "1.50", "01", "1,5", True, 2**60)]
    [1.0, 1.0, 1.5, None, None, None, None]
    """
    if isinstance(level, str):
        written = PLAIN.fullmatch(level) is not None and not is_code(level)
    else:
        written = isinstance(level, (int, float)) and not isinstance(level, bool)
    if not written or not -EXACT_FLOAT < (number := float(level)) < EXACT_FLOAT:
        return None  # beyond, two integers may be one float
    return number


def are_measured(texts: Sequence[str], style: tuple[str, str], unit: str) -> bool:
    """Whether letters behind numbers are their unit: each has them, many differ, and no month is meant.

    Examples
    --------
    >>> heavy = [f"{n} kg" for n in range(40, 90)]
    >>> are_measured(heavy, (".", ""), "kg"), are_measured([*heavy, "12"], (".", ""), "kg")
    (True, False)
    >>> (
    ...     are_measured(["2WD", "4WD"], (".", ""), "WD"),
    ...     are_measured([f"{n} May" for n in range(1, 20)], (".", ""), "May"),
    ... )
    (False, False)
    """
    if unit.lower() in NO_UNITS or unit.lower() in NAMES or re.fullmatch(CURRENCIES, unit):
        return re.fullmatch(CURRENCIES, unit) is not None
    form = pattern(*style)
    found = [form.fullmatch(text) for text in texts]
    different = {number_of(number, style[0]) for number in found if number is not None}
    return len(different) >= FEW_OF_A_UNIT and all(number is not None and number["after"] == unit for number in found)


def commonest_unit(texts: Iterable[str], style: tuple[str, str]) -> str:
    """Return the unit that most numbers among texts have, "" for none."""
    found = filter(None, map(pattern(*style).fullmatch, texts))
    counts = Counter(number["before"] or number["after"] or "" for number in found)
    return max(counts, key=counts.__getitem__, default="")


def unit_of(texts: Iterable[str], style: tuple[str, str]) -> str | None:
    """Return the one unit that texts have, "" without one, None where they have several."""
    form = pattern(*style)
    matches = filter(None, map(form.fullmatch, shapes(texts)))
    units = {unit for found in matches for unit in (found["before"], found["after"]) if unit}
    return units.pop() if len(units) == 1 else None if units else ""
