"""Finding: which reader the cells of a column ask for. One rule a kind; the first that fits counts."""

from __future__ import annotations

from collections.abc import Mapping

from candide.reading.amounts import find_amounts
from candide.reading.base import Reader
from candide.reading.dates import find_dates
from candide.reading.omitted import find_identifiers
from candide.reading.truths import find_truths
from candide.reading.words import Words

FEWEST = 30
"""Cells without which nothing is told to be constant."""


def find(counts: Mapping[str, int], decimal: str | None = None, chosen: bool = False) -> tuple[Reader, str] | None:
    """Return the reader of a column of text, and what to say of it; None where its cells are levels as they are.

    Parameters
    ----------
    counts : mapping
        The different cells, in order of appearance, and how often each occurs.
    decimal : "." or ",", optional
        The decimal point of the table, where another column tells it.
    chosen : bool
        Whether somebody chose text for these cells, as in a frame.

    Examples
    --------
    >>> find({"1.5": 1, "20.465,07": 2}) is None
    True
    >>> find({"1": 300, "2": 235, "?": 65})
    (Amounts(missing=('?',)), "535 numbers and 65 times '?', read as missing")
    """
    if not counts:
        return None
    return (
        find_amounts(counts, decimal, chosen)
        or find_dates(counts)
        or find_truths(counts)
        or find_identifiers(counts)
        or find_constant(counts)
    )


def find_constant(counts: Mapping[str, int]) -> tuple[Reader, str] | None:
    """Return the reader of a column that holds one level only: it stays, and says nothing."""
    if len(counts) != 1 or sum(counts.values()) < FEWEST:
        return None
    (level,) = counts
    return Words(), f"always {level!r}, which tells nothing"
