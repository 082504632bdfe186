"""Dates and times in the common spellings, with their parts as columns of their own."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from candide.reading.base import ColumnReader, ReadColumn, number_in, numbers_by_level, refuse, texts_of
from candide.reading.texts import is_missing_spelling
from candide.table.columns import Array, Numbers

FIRST = 60
"""Cells that are tried first."""

PIVOT = 69
"""Years of two digits up to here are of this century, as strptime has it."""

CLOCK = r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::(?P<second>\d{2}(?:[.,]\d{1,9})?))?\s*(?P<half>[AaPp]\.?[Mm]\.?)?"
ZONE = r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?"
NAME = r"(?P<name>[A-Za-zäéûç]{3,9})\.?"
WEEKDAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?,?\s+)?"
BEHIND = rf"(?:(?:\s*T\s*|,?\s+){CLOCK}{ZONE})?"
DAY, MONTH, YEAR = r"(?P<d>\d{1,2})", r"(?P<m>\d{1,2})", r"(?P<y>\d{4}|\d{2})"
BETWEEN = r"(?P<sep>[-/.])"


def _form(*parts: str) -> str:
    return rf"\s*{WEEKDAY}{''.join(parts)}{BEHIND}\s*"


ORDERS = {
    "ymd": _form(r"(?P<y>\d{4})", BETWEEN, MONTH, r"(?P=sep)", DAY),
    "dmy": _form(DAY, BETWEEN, r"\s?", MONTH, r"(?P=sep)\s?", YEAR),
    "mdy": _form(MONTH, BETWEEN, DAY, r"(?P=sep)", YEAR),
    "d name y": _form(DAY, r"(?:st|nd|rd|th)?[\s./-]+(?:of\s+)?", NAME, r"[\s,./-]+", YEAR),
    "name d y": _form(NAME, r"[\s.-]+", DAY, r"(?:st|nd|rd|th)?,?\s+", YEAR),
    "y name d": _form(r"(?P<y>\d{4})", r"[\s./-]+", NAME, r"[\s./-]+", DAY),
    "time": rf"\s*{CLOCK}\s*",
}
"""The orders of day, month and year; where a column fits several, the first."""


@cache
def form(order: str) -> re.Pattern[str]:
    """Return what texts of an order look like; compiled when the first text is looked at."""
    return re.compile(ORDERS[order])


SPELT = {"ymd": "year-month-day", "dmy": "day/month/year", "mdy": "month/day/year", "time": "times of day"}

NAMES = {
    prefix: n % 12 + 1
    for n, prefix in enumerate(
        (
            *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),  # English
            *("jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"),  # German
            *("jan", "fév", "mar", "avr", "mai", "jui", "jui", "aoû", "sep", "oct", "nov", "déc"),  # French
            *("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),  # Spanish
        )
    )
    if prefix != "jui"
} | {"juin": 6, "juil": 7}
"""Months by the first letters of their names."""

EPOCH = dt.datetime(1970, 1, 1)


class Dates(ColumnReader):
    """Dates, with or without a time of day: seconds since 1970, and parts of their own.

    A column `when` gives `when` (the trend), `when.month`, `when.weekday` and, where there are times, `when.hour`.
    Which of them tell something is chosen as for any other column.

    Parameters
    ----------
    order : str
        "ymd", "dmy", "mdy", "d name y", "name d y", "y name d", or "time" for times of day without a date.
    clock : bool
        Whether there are times of day.
    missing : sequence of str
        What is written in a cell that is missing.
    parts_too : bool
        Whether the parts are columns of their own, for which columns need names.

    Examples
    --------
    >>> from candide.table import read
    >>> from candide.table.measures import shown
    >>> when, month, weekday = Dates("dmy").read(read([["24.12.2023"]]).column(0), "it")
    >>> [shown(part.values[0], part.measure) for part in (when, month, weekday)]
    ['2023-12-24', 'December', 'Sunday']
    """

    says = "dates"

    def __init__(
        self, order: str = "ymd", clock: bool = False, missing: Sequence[str] = (), parts_too: bool = True
    ) -> None:
        self.order = order
        self.clock = clock
        self.missing = missing
        self.parts_too = parts_too

    def parts(self, name: str) -> tuple[str, ...]:
        if not self.parts_too or self.order == "time":
            return (name,)
        return (name, f"{name}.month", f"{name}.weekday", *([f"{name}.hour"] if self.clock else []))

    @property
    def measures(self) -> tuple[str, ...]:
        """What the parts measure, in their order."""
        if self.order == "time":
            return ("time of day",)
        return ("moment" if self.clock else "day", "month", "weekday", "hour")

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        if isinstance(cells, Numbers):
            return self._parted(cells.values.astype(float, copy=False))
        text = texts_of(cells)
        values = [self.value(level) for level in text.levels.tolist()]
        if None in values:
            raise refuse(text, values.index(None), where, SPELT.get(self.order, self.says))
        return self._parted(numbers_by_level(text, values))  # type: ignore[arg-type]  # none is None

    def cells(self, cell: Any) -> tuple[Any, ...] | None:
        second = number_in(cell, self.value)
        if second is None:
            return None
        if second != second:  # noqa: PLR0124  # NaN
            return (None,) * len(self.parts(""))
        return tuple(part.values.item() for part in self._parted(np.array([second])))

    def value(self, text: str) -> float | None:
        """Return the second of a text, NaN where it means that a cell is missing, None where it is neither."""
        found = form(self.order).fullmatch(text)
        second = None if found is None else second_of(found)
        if second is None and self.order not in ("ymd", "time"):  # rows of a service have dates as ISO writes them
            iso = form("ymd").fullmatch(text)
            second = None if iso is None else second_of(iso)
        if second is None and (text in self.missing or not text.strip()):
            return np.nan
        return second

    def _parted(self, seconds: Array) -> tuple[Numbers, ...]:
        n_parts = len(self.parts(""))
        if n_parts == 1:
            return (Numbers(seconds, self.measures[0]),)
        days = np.floor(seconds / 86400)
        values = seconds, months_of(days), (days + 3) % 7, np.floor((seconds - 86400 * days) / 3600)
        return tuple(map(Numbers, values[:n_parts], self.measures))


def months_of(days: Array) -> Array:
    """Return the months, 1 .. 12, of days since 1970; NaN where a day is."""
    known = np.isfinite(days)
    dates = np.where(known, days, 0).astype("datetime64[D]")
    return np.where(known, dates.astype("datetime64[M]").astype(np.int64) % 12 + 1, np.nan)


def second_of(found: re.Match[str]) -> float | None:
    """Return the second since 1970 of a date, or since midnight of a time; None where there is no such day or hour."""
    said = found.groupdict()
    try:
        second = clock_second(said)
        if "y" not in said:
            return second
        month = (
            int(said["m"]) if "m" in said else NAMES.get(said["name"].lower()[:4]) or NAMES[said["name"].lower()[:3]]
        )
        year = int(said["y"])
        if len(said["y"]) == 2:
            year += 2000 if year < PIVOT else 1900
        return (dt.datetime(year, month, int(said["d"])) - EPOCH).total_seconds() + second
    except (ValueError, KeyError):
        return None


def clock_second(said: Mapping[str, str | None]) -> float:
    """Return the second after midnight, as the clock of UTC has it; 0 without a clock."""
    if said.get("hour") is None:
        return 0.0
    hour, minute = int(said["hour"] or 0), int(said["minute"] or 0)
    if said["half"]:
        if not 1 <= hour <= 12:
            raise ValueError("no such hour")
        hour = hour % 12 + 12 * (said["half"][0] in "pP")
    if hour > 24 or minute > 59:
        raise ValueError("no such time")
    zone = said.get("zone") or ""
    away = 0
    if zone[:1] in ("+", "-"):
        away = (1 if zone[0] == "+" else -1) * (3600 * int(zone[1:3]) + 60 * int(zone[-2:]))
    return 3600.0 * hour + 60.0 * minute + float((said["second"] or "0").replace(",", ".")) - away


def find_dates(counts: Mapping[str, int]) -> tuple[Dates, str] | None:
    """Return the reader of cells that are dates or times, all but missing spellings."""
    first = [cell for cell in islice(counts, FIRST) if not is_missing_spelling(cell)]
    orders = orders_of(first)
    if not orders:
        return None
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    orders = [order for order in orders if all(map(seconds_by(order), texts))]
    if not orders:
        return None
    missing = tuple(cell for cell in counts if is_missing_spelling(cell))
    order = orders[0]
    clock = order != "time" and any(form(order).fullmatch(text)["hour"] is not None for text in texts)  # type: ignore[index]  # all match
    said = f"{sum(counts.values()) - sum(counts[c] for c in missing)} "
    said += SPELT["time"] if order == "time" else f"dates as {SPELT.get(order, 'day, month, year')}"
    said += "".join(f" and {counts[cell]} times {cell!r}" for cell in missing) + (
        ", read as missing" if missing else ""
    )
    if {"dmy", "mdy"} <= set(orders):
        open_ = next((text for text in texts if Dates("mdy").value(text) != Dates("dmy").value(text)), texts[0])
        said += f"; {open_!r} could be month/day/year as well (reading=Dates('mdy') says so)"
    return Dates(order, clock, missing), said


def orders_of(texts: Sequence[str]) -> list[str]:
    """Return the orders in which every text is a date or a time."""
    return [order for order in ORDERS if texts and all(map(seconds_by(order), texts))]


def seconds_by(order: str) -> Callable[[str], bool]:
    """Return whether a text is a date of an order."""
    looks = form(order)

    def is_date(text: str) -> bool:
        found = looks.fullmatch(text)
        return found is not None and second_of(found) is not None

    return is_date
