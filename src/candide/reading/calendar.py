"""The calendar: what dates and times look like in the common spellings, and the second that each of them is."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

PIVOT = 69
"""Years of two digits up to here are of this century, as strptime has it."""

CLOCK = r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::(?P<second>\d{2}(?:[.,]\d{1,9})?))?\s*(?P<half>[AaPp]\.?[Mm]\.?)?"
ZONE = r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?"
NAME = r"(?P<name>[A-Za-zäÄéûç]{3,10})\.?"
WEEKDAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?,?\s+)?"
BEHIND = rf"(?:(?:\s*T\s*|,?\s+|:){CLOCK}{ZONE})?"
CLOCK_TOO = rf"(?P<hour>\d{{2}}):?(?P<minute>\d{{2}})(?::?(?P<second>\d{{2}}))?{ZONE}"
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
    "name d clock y": rf"\s*{WEEKDAY}{NAME}\s+{DAY}\s+{CLOCK}{ZONE}\s+(?P<y>\d{{4}})\s*",
    "y name d": _form(r"(?P<y>\d{4})", r"[\s./-]+", NAME, r"[\s./-]+", DAY),
    "compact": rf"\s*(?P<y>\d{{4}})(?P<m>\d{{2}})(?P<d>\d{{2}})(?:[T ]{CLOCK_TOO})?\s*",
    "name y": rf"\s*{NAME}[\s,./’'-]*{YEAR}\s*",
    "y-m": r"\s*(?P<y>\d{4})(?P<sep>[-/])(?P<m>\d{1,2})\s*",
    "m-y": r"\s*(?P<m>\d{1,2})(?P<sep>[-/])(?P<y>\d{4})\s*",
    "y-week-d": r"\s*(?P<y>\d{4})-?W(?P<week>\d{2})-?(?P<d>[1-7])\s*",
    "y-week": r"\s*(?P<y>\d{4})-?W(?P<week>\d{2})\s*",
    "time": rf"\s*{CLOCK}\s*",
    "hours": r"\s*(?P<hours>\d{1,5}):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d(?:[.,]\d{1,9})?))?\s*",
}
"""The orders of day, month and year; where a column fits several, the first."""


@cache
def form(order: str) -> re.Pattern[str]:
    """Return what texts of an order look like; compiled when the first text is looked at."""
    return re.compile(ORDERS[order])


SPELT = {
    "ymd": "year-month-day",
    "dmy": "day/month/year",
    "mdy": "month/day/year",
    "compact": "eight digits of year, month and day",
    "name y": "month and year",
    "y-m": "year-month",
    "m-y": "month/year",
    "y-week-d": "year, week and day of the week",
    "y-week": "year and week",
    "time": "times of day",
    "hours": "hours and minutes, more than a day has",
}
MONTHLY = frozenset({"name y", "y-m", "m-y", "y-week"})
"""Orders without a day: a month is told by its first, a week by its Monday."""

UNDATED = {"time": "time of day", "hours": "duration"}
"""Orders without a date, and what they measure."""

MONTHS = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner feber mrz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
)
"""Months in English, German (also of Austria, and as a computer shortens March), French and Spanish."""


def _beginnings() -> dict[str, int]:
    """Return months by the beginnings of their names, of three letters or more, that no other month shares."""
    found: dict[str, set[int]] = {}
    for language in MONTHS:
        for number, name in enumerate(language.split(), 1):
            for n in range(3, len(name) + 1):
                found.setdefault(name[:n], set()).add(number)
    return {beginning: min(numbers) for beginning, numbers in found.items() if len(numbers) == 1}


NAMES = _beginnings()

EPOCH = dt.datetime(1970, 1, 1)


def second_of(found: re.Match[str]) -> float | None:
    """Return the second since 1970 of a date, or since midnight of a time; None where there is no such day or hour."""
    said = found.groupdict()
    try:
        second = clock_second(said)
        if "y" not in said:
            return second
        if "week" in said:
            day = dt.datetime.fromisocalendar(int(said["y"]), int(said["week"]), int(said.get("d") or 1))
            return (day - EPOCH).total_seconds()
        month = int(said["m"]) if "m" in said else NAMES[said["name"].lower()]
        year = int(said["y"])
        if len(said["y"]) == 2:
            year += 2000 if year < PIVOT else 1900
        return (dt.datetime(year, month, int(said.get("d") or 1)) - EPOCH).total_seconds() + second
    except (ValueError, KeyError):
        return None


def clock_second(said: Mapping[str, str | None]) -> float:
    """Return the second after midnight, as the clock of UTC has it; 0 without a clock."""
    if said.get("hours") is not None:
        return 3600.0 * int(said["hours"] or 0) + 60.0 * int(said["minute"] or 0) + seconds_past(said)
    if said.get("hour") is None:
        return 0.0
    hour, minute = int(said["hour"] or 0), int(said["minute"] or 0)
    if said.get("half"):
        if not 1 <= hour <= 12:
            raise ValueError("no such hour")
        hour = hour % 12 + 12 * ((said["half"] or "")[0] in "pP")
    if hour > 24 or minute > 59:
        raise ValueError("no such time")
    zone = said.get("zone") or ""
    away = 0
    if zone[:1] in ("+", "-"):
        away = (1 if zone[0] == "+" else -1) * (3600 * int(zone[1:3]) + 60 * int(zone[-2:]))
    return 3600.0 * hour + 60.0 * minute + seconds_past(said) - away


def seconds_past(said: Mapping[str, str | None]) -> float:
    """Return the seconds past a minute."""
    return float((said["second"] or "0").replace(",", "."))


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
