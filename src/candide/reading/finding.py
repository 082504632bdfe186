"""Finding: which reader the cells of a column ask for. One rule a kind; the first that fits counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from candide.reading.amounts import find_amounts, fitting
from candide.reading.base import ColumnReader
from candide.reading.dates import find_dates, orders_of
from candide.reading.documents import find_documents
from candide.reading.omitted import find_identifiers
from candide.reading.texts import Texts, is_missing_spelling
from candide.reading.truths import MOST, are_truths, find_truths

FIRST = 20
"""Levels that are looked at first."""

FEW = 0.25
"""Levels, as a share of the rows, up to which they are surely no identifiers."""

FEWEST = 30
"""Cells without which nothing is told to be constant."""


def find(
    counts: Mapping[str, int], decimal: str | None = None, chosen: bool = False
) -> tuple[ColumnReader, str] | None:
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
        or find_documents(counts)
        or find_identifiers(counts)
        or find_constant(counts)
    )


def promising(levels: Sequence[str], n_rows: int) -> bool:
    """Whether anything may be found in a column of these levels: a few of them settle for most columns that not.

    Counting the rows of each level costs as much as a part of learning them, so that it is done where it serves.
    """
    if len(levels) == 1 or len(levels) > FEW * n_rows:
        return True
    first = [level for level in islice(levels, FIRST) if not is_missing_spelling(level)]
    if len(levels) <= MOST and (not first or are_truths(levels)):
        return True
    return bool(first) and bool(fitting(first) or orders_of(first))


def find_constant(counts: Mapping[str, int]) -> tuple[ColumnReader, str] | None:
    """Return the reader of a column that holds one level only: it stays, and says nothing."""
    if len(counts) != 1 or sum(counts.values()) < FEWEST:
        return None
    (level,) = counts
    return Texts(), f"always {level!r}, which tells nothing"
