"""Measures: how numbers that are moments, months or hours are shown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day(second: float) -> str:
    """Return the day of a second since 1970."""
    return str(np.datetime64(int(second // 86400), "D"))


def moment(second: float) -> str:
    """Return the day and, where it is not midnight, the time of a second since 1970."""
    return day(second) if second % 86400 == 0 else str(np.datetime64(round(second), "s")).replace("T", " ")


def duration(seconds: float) -> str:
    """Return how long seconds are."""
    return f"{seconds:.6g} s"


def time_of_day(second: float) -> str:
    """Return what the clock shows at a second after midnight."""
    return f"{int(second // 3600):02d}:{int(second % 3600 // 60):02d}"


def month(number: float) -> str:
    """Return the name of a month, 1 .. 12."""
    return MONTHS[int(number) - 1] if number in range(1, 13) else f"{number:g}"


def weekday(number: float) -> str:
    """Return the name of a weekday, 0 .. 6."""
    return WEEKDAYS[int(number)] if number in range(7) else f"{number:g}"


def hour(number: float) -> str:
    """Return an hour of the day."""
    return f"{number:g} h"


MEASURES: dict[str, Callable[[float], str]] = {
    "moment": moment,
    "day": day,
    "duration": duration,
    "time of day": time_of_day,
    "month": month,
    "weekday": weekday,
    "hour": hour,
}
"""What numbers may measure, and how one is shown."""


def shown(number: float, measure: str) -> str:
    """Return a number as a person reads it.

    Examples
    --------
    >>> shown(1703376000.0, "day"), shown(1.0, "month"), shown(0.25, "")
    ('2023-12-24', 'January', '0.25')
    """
    try:
        return MEASURES[measure](float(number)) if measure else f"{number:.6g}"
    except (ValueError, OverflowError):  # beyond the years that a calendar has
        return f"{number:.6g}"


# -- parameters --------------------------------------------------------------------------------------------------------

UNITS = {
    "moment": (86400.0, "days"),
    "day": (86400.0, "days"),
    "duration": (1.0, "s"),
    "time of day": (3600.0, "h"),
    "hour": (1.0, "h"),
}
"""In which unit a spread is told of what is measured, and its name; months and weekdays are spread as numbers are."""


def parameter_shown(name: str, number: float, measure: str) -> str | float:
    """Return a parameter of numbers that measure something as a person reads it; one that is a plain number as it is.

    Examples
    --------
    >>> parameter_shown("mean", 1.7e9, "day"), parameter_shown("var", 4 * 86400.0**2, "day")
    ('2023-11-14', '(2 days)²')
    >>> parameter_shown("bandwidth", 5400.0, "time of day"), parameter_shown("weight", 0.5, "day")
    ('1.5 h', 0.5)
    """
    if measure not in UNITS:
        return number
    size, unit = UNITS[measure]
    if name == "mean":  # to the day: the time of day of a mean tells nothing
        return shown(number, "day" if measure == "moment" else measure)
    if name == "var":
        return f"({np.sqrt(number) / size:.5g} {unit})²"
    return f"{number / size:.5g} {unit}" if name in ("scale", "bandwidth") else number
