"""Dating: from parts that were drawn back to dates as a table has them, so that drawn rows read as given ones do.

A model draws a date's trend, month, weekday and hour apart from each other, and a date has one of each. The hour and
the weekday are taken as they were drawn, which moves the day by three, or by six within a month. The month is taken
where it lies among the days that were seen, in the nearest year; elsewhere the day stays, rather than that a year is
made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

DAY = 86400.0


def whole_part(cells: Array, low: int, high: int) -> Array:
    """Return the whole numbers that drawn ones are nearest to, from low to high; NaN where there is none."""
    return np.asarray(np.clip(np.rint(cells.astype(float)), low, high))


def in_month(days: Array, months: Array, ends: tuple[float, float]) -> Array:
    """Return days since 1970 moved to months 1 .. 12 of the nearest year; as they are where none lies between the ends.

    Examples
    --------
    >>> days = np.array(["2023-01-31", "2023-01-31"], dtype="datetime64[D]").astype(float)
    >>> in_month(days, np.array([4.0, 12.0]), (19358.0, 19500.0)).astype("datetime64[D]").astype(str).tolist()
    ['2023-04-30', '2023-01-31']
    """
    known = np.isfinite(days) & np.isfinite(months)
    day = days[known]
    at = month_number(day)
    past = day - first_days(at)
    moved, off = day, np.full(len(day), np.inf)
    for year in (-1, 0, 1):
        month = 12 * (at // 12 + year) + months[known].astype(np.int64) - 1
        low = np.maximum(first_days(month), ends[0])
        high = np.minimum(first_days(month + 1) - 1, ends[1])
        there = np.clip(first_days(month) + past, low, high)
        away = np.where(low <= high, np.abs(there - day), np.inf)
        moved, off = np.where(away < off, there, moved), np.minimum(away, off)
    out = days.copy()
    out[known] = moved
    return out


def on_weekday(days: Array, weekdays: Array, months: Array | None = None) -> Array:
    """Return the days nearest to days since 1970 that are of weekdays 0 .. 6, in the same month where it is drawn too.

    Examples
    --------
    >>> day = np.array(["2023-12-31"], dtype="datetime64[D]").astype(float)  # a Sunday
    >>> [
    ...     on_weekday(day, np.array([1.0]), m).astype("datetime64[D]").astype(str).item()
    ...     for m in (None, np.array([12.0]))
    ... ]
    ['2024-01-02', '2023-12-26']
    """
    move = (weekdays - (days + 3) + 3) % 7 - 3
    move = np.where(np.isnan(move), 0.0, move)
    if months is None:
        return np.asarray(days + move)
    same = month_number(days + move) == month_number(days)
    return np.asarray(days + np.where(same | np.isnan(months), move, move - 7 * np.sign(move)))


def on_firsts(days: Array) -> Array:
    """Return the first days of the months that days are in."""
    return np.where(np.isfinite(days), first_days(month_number(days)), days)


def month_number(days: Array) -> Array:
    """Return months since 1970 of days; of no day any."""
    return np.where(np.isfinite(days), days, 0.0).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def first_days(months: Array) -> Array:
    """Return the first days of months since 1970."""
    return months.astype("datetime64[M]").astype("datetime64[D]").astype(float)


def dated(parts: Sequence[Array | None], ends: tuple[float, float] | None) -> tuple[Array, Array]:
    """Return the days since 1970, whole, and the seconds after midnight of dates whose parts were drawn.

    Parameters
    ----------
    parts : sequence of ndarray or None
        The seconds since 1970 and, as far as there are any, months, weekdays and hours; None for one that says nothing.
    ends : (float, float) or None
        The first and the last second that were seen, where they are known.
    """
    seconds, month, weekday, hour = [*parts, None, None, None][:4]
    assert seconds is not None
    seconds = seconds.astype(float)
    days = np.floor(seconds / DAY)
    clock = seconds - DAY * days
    if month is not None:
        month = whole_part(month, 1, 12)
        if ends is not None:
            days = in_month(days, month, (np.floor(ends[0] / DAY), np.floor(ends[1] / DAY)))
    if weekday is not None:
        days = on_weekday(days, whole_part(weekday, 0, 6), month)
    if hour is not None:
        hours = whole_part(hour, 0, 23)
        clock = np.where(np.isfinite(hours), 3600 * hours + clock % 3600, clock)
    return days, clock


def as_moments(days: Array, clock: Array) -> Array:
    """Return days since 1970 and seconds after midnight as moments, to the second."""
    seconds = days * DAY + np.rint(clock)
    known = np.isfinite(seconds)
    moments = np.where(known, seconds, 0.0).astype(np.int64).astype("datetime64[s]")
    return np.where(known, moments, np.datetime64("NaT", "s"))


def as_durations(seconds: Array) -> Array:
    """Return seconds as durations, to the microsecond."""
    known = np.isfinite(seconds)
    durations = np.rint(np.where(known, seconds, 0.0) * 1e6).astype(np.int64).astype("timedelta64[us]")
    return np.where(known, durations, np.timedelta64("NaT", "us"))


def as_times(seconds: Array) -> Array:
    """Return what the clock shows at seconds after midnight; None where there are none.

    Examples
    --------
    >>> as_times(np.array([34200.0, 34205.4, np.nan, -3.0])).tolist()
    ['09:30', '09:30:05', None, '00:00']
    """

    def time(second: float) -> str:
        hours, rest = divmod(int(second), 3600)
        shown = f"{hours:02d}:{rest // 60:02d}"
        return f"{shown}:{rest % 60:02d}" if rest % 60 else shown

    whole = np.clip(np.rint(seconds), 0, DAY - 1).tolist()
    return np.array([time(s) if s == s else None for s in whole], dtype=object)  # noqa: PLR0124  # NaN
