"""Dates and times in the common spellings, with their parts as columns of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from candide.reading.base import (
    ColumnReader,
    ReadAs,
    ReadColumn,
    UnreadableError,
    number_in,
    numbers_by_level,
    refuse,
    spelt,
    texts_of,
    times,
    without,
)
from candide.reading.calendar import MONTHLY, SPELT, UNDATED, form, orders_of, second_of, seconds_by
from candide.reading.dating import DAY, as_durations, as_moments, as_times, dated, on_firsts, on_weekday
from candide.reading.texts import is_missing_spelling
from candide.table.columns import Array, Numbers

FIRST = 60
"""Cells that are tried first."""

ISO = ("ymd", "compact")
"""How dates may be written whatever the column was, since services do: as ISO 8601 has them, also in digits alone."""


class Dates(ColumnReader):
    """Dates, with or without a time of day: seconds since 1970, and parts of their own.

    A column `when` gives `when` (the trend), `when.month`, `when.weekday` unless it tells months alone and, where there
    are times, `when.hour`.
    Which of them tell something is chosen as for any other column.

    Parameters
    ----------
    order : str
        "ymd", "dmy", "mdy", "d name y", "name d y", "name d clock y" as computers write it, "y name d", "compact" for
        20240301, "name y", "y-m" and "m-y" for months, "y-week-d" and "y-week" for weeks, "time" for times of day
        without a date, or "hours" for how long something took, in hours and minutes.
    clock : bool
        Whether there are times of day.
    missing : sequence of str
        What is written in a cell that is missing, besides what usually is.
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
        if not self.parts_too or self.order in UNDATED:
            return (name,)
        if self.order in MONTHLY:
            return (name, f"{name}.month")
        return (name, f"{name}.month", f"{name}.weekday", *([f"{name}.hour"] if self.clock else []))

    @property
    def measures(self) -> tuple[str, ...]:
        """What the parts measure, in their order."""
        if self.order in UNDATED:
            return (UNDATED[self.order],)
        return ("moment" if self.clock else "day", "month", "weekday", "hour")

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        undated = self.order in UNDATED
        if isinstance(cells, Numbers) and (cells.measure or undated):
            if cells.measure and undated == (cells.measure == "moment"):
                held = f"{where} holds {'dates' if undated else 'durations or times of day'}"
                raise UnreadableError(f"{held}, and was read as {self.measures[0]}s: convert it, or make it missing")
            declared = {second for text in self.missing if (second := self.second(text)) is not None}
            return self._parted(without(cells, declared).values.astype(float, copy=False))
        text = texts_of(cells)  # of numbers as well: which second, day or year one is, is open, but for eight digits
        values = [self.value(level) for level in text.levels.tolist()]
        if None in values:
            raise refuse(text, values.index(None), where, SPELT.get(self.order, self.says))
        return self._parted(numbers_by_level(text, values))  # type: ignore[arg-type]  # none is None

    def cells(self, cell: Any) -> tuple[Any, ...] | None:
        if self.order not in UNDATED and type(cell) in (int, float):
            cell = spelt(cell)
        second = number_in(cell, self.value)
        if second is None:
            return None
        if second != second:  # noqa: PLR0124  # NaN
            return (None,) * len(self.parts(""))
        return tuple(part.values.item() for part in self._parted(np.array([second])))

    def unread(self, parts: Sequence[Array | None], ends: tuple[float, float] | None = None) -> Array:
        """Return moments; times of day as text, as they are read from, and durations as such."""
        first = np.asarray(parts[0], dtype=float)
        if self.order in UNDATED:
            return as_times(first) if UNDATED[self.order] == "time of day" else as_durations(first)
        if not self.clock:
            first = DAY * np.rint(first / DAY)
        days, clock = dated((first, *parts[1:]), ends)
        if self.order in MONTHLY:
            days = on_weekday(days, np.zeros(len(days))) if self.order == "y-week" else on_firsts(days)
        return as_moments(days, clock)

    def value(self, text: str) -> float | None:
        """Return the second of a text, NaN where it means that a cell is missing, None where it is neither."""
        second = None if text in self.missing else self.second(text)
        return np.nan if second is None and (text in self.missing or is_missing_spelling(text)) else second

    def second(self, text: str) -> float | None:
        """Return the second that a text is, None where it is none."""
        found = form(self.order).fullmatch(text)
        second = None if found is None else second_of(found)
        for iso in () if second is not None or self.order in UNDATED else ISO:
            found = form(iso).fullmatch(text)
            second = second if found is None else second_of(found)
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


def date_orders(texts: Sequence[str]) -> list[str]:
    """Return the orders in which all of some texts are dates or times; the first few settle it for most columns.

    Examples
    --------
    >>> date_orders(["24.12.2023"]), date_orders(["03/04/2023"]), date_orders(["red"])
    (['dmy'], ['dmy', 'mdy'], [])
    """
    return [order for order in orders_of(texts[:FIRST]) if all(map(seconds_by(order), texts[FIRST:]))]


def find_dates(counts: Mapping[str, int], prefer: str | None = None) -> ReadAs | None:
    """Return how cells are read that are dates or times, all but missing spellings.

    Parameters
    ----------
    counts : mapping
        The different cells, and how often each occurs.
    prefer : "dmy" or "mdy", optional
        What the table's other dates are, where it is known: it settles what one column leaves open.
    """
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    orders = date_orders(texts)
    if not orders:
        return None
    missing = tuple(cell for cell in counts if is_missing_spelling(cell))
    order = prefer if prefer in orders else orders[0]
    clock = order not in UNDATED and any(form(order).fullmatch(text).groupdict().get("hour") for text in texts)  # type: ignore[union-attr]  # all match
    said = f"{sum(counts.values()) - sum(counts[c] for c in missing)} "
    said += {"time": "times of day", "hours": "durations in hours and minutes"}.get(
        order
    ) or f"dates as {SPELT.get(order, 'day, month, year')}"
    said += "".join(f" and {times(counts[cell])} {cell!r}" for cell in missing) + (
        ", read as missing" if missing else ""
    )
    doubted = prefer is None and {"dmy", "mdy"} <= set(orders)
    if doubted:
        open_ = next((text for text in texts if Dates("mdy").value(text) != Dates("dmy").value(text)), texts[0])
        said += (
            f"; {open_!r} could be month/day/year as well: --dates mdy, or reading={{column: Dates('mdy')}}, says so"
        )
    return ReadAs(Dates(order, clock, missing), said, doubted)


# -- dates that could be numbers ---------------------------------------------------------------------------------------

DIFFERENT = 5
"""Days that differ, without which eight digits are a number: one of 27 of these is a day, so five are by no chance."""

YEARS = range(1850, 2100)
"""Years that eight digits may begin with."""

LEAST_COMPACT = 10_000 * YEARS.start
"""Smaller numbers are no such days."""


def is_compact(text: str) -> bool:
    """Whether a text is a day in eight digits, with or without a time behind it.

    Examples
    --------
    >>> [is_compact(text) for text in ("20240301", "20241301", "12345678", "2024-03-01", "20240301T0930")]
    [True, False, False, False, True]
    """
    found = form("compact").fullmatch(text)
    return found is not None and int(found["y"]) in YEARS and second_of(found) is not None


def find_compact(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how cells are read that are days in eight digits, all but missing spellings."""
    if not any(is_compact(cell) for cell in islice(counts, FIRST)):
        return None
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    if len(texts) < DIFFERENT or not all(map(is_compact, texts)):
        return None
    return find_dates(counts)


def find_compact_numbers(column: ReadColumn) -> ReadAs | None:
    """Return how whole numbers are read that are all days, written in eight digits; a few settle for most columns."""
    if not isinstance(column, Numbers) or column.measure or not _are_compact(column.values[:FIRST]):
        return None
    different, counts = np.unique(column.values, return_counts=True)
    if not _are_compact(different) or np.isfinite(different).sum() < DIFFERENT:
        return None
    told = zip(different.tolist(), counts.tolist(), strict=True)
    return find_dates({spelt(number): n for number, n in told if number == number})  # noqa: PLR0124  # NaN


def _are_compact(values: Array) -> bool:
    """Whether numbers that are known, one at the least, are days in eight digits."""
    known = values[np.isfinite(values)]
    if not len(known) or known.min() < LEAST_COMPACT or known.max() >= 10_000 * YEARS.stop:
        return False
    return all(is_compact(spelt(number)) for number in known.tolist())
