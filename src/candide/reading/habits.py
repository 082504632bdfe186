"""Habits: how a table is written, where one of its columns leaves no choice; they settle what others leave open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from candide.frozen import frozen
from candide.reading.dates import date_orders
from candide.reading.numerals import fitting
from candide.reading.texts import is_missing_spelling

T = TypeVar("T")


@frozen(eq=True)
class Habits:
    """How numbers and dates are written in a table.

    Parameters
    ----------
    decimal : ".", "," or None
        The decimal point.
    dates : "dmy", "mdy" or None
        Which of two numbers is the day, and which the month.
    """

    decimal: str | None = None
    dates: str | None = None


NO_HABITS = Habits()


def habits_of(columns: Collection[Mapping[str, int]]) -> Habits:
    """Return the habits of a table, of the different cells of its columns of text.

    Examples
    --------
    >>> habits_of([{"1,5": 1}, {"03/19/2023": 1, "?": 1}, {"05/06/2023": 1}])
    Habits(decimal=',', dates='mdy')
    """
    decimal = agreed(columns, lambda texts: {point for point, _ in fitting(texts)})
    return Habits(decimal, agreed(columns, lambda texts: {"dmy", "mdy"} & set(date_orders(texts))))


def agreed(columns: Iterable[Mapping[str, int]], choices: Callable[[list[str]], set[T]]) -> T | None:
    """Return the one choice that some columns leave, where all of these leave the same."""
    found = set()
    for counts in columns:
        texts = [cell for cell in counts if not is_missing_spelling(cell)]
        left = choices(texts) if texts else set()
        found |= left if len(left) == 1 else set()
    return found.pop() if len(found) == 1 else None
