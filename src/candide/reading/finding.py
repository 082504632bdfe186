"""Finding: which reader the cells of a column ask for. One rule a kind; the first that fits counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from candide.messages import shortened
from candide.reading.amounts import Amounts, find_amounts
from candide.reading.base import ColumnReader
from candide.reading.calendar import ORDERS, orders_of, seconds_by
from candide.reading.dates import Dates, find_compact, find_dates
from candide.reading.documents import find_documents
from candide.reading.numerals import STYLES, commonest_unit, fitting, is_code
from candide.reading.omitted import Omitted, find_identifiers
from candide.reading.texts import Texts, is_missing_spelling
from candide.reading.truths import MOST, are_truths, find_truths

FIRST = 20
"""Levels that are looked at first."""

FEW = 0.25
"""Levels, as a share of the rows, up to which they are surely no identifiers."""

NEARLY = 0.9
"""Share of the different cells that are dates or numbers where the others are told of as odd."""

MOSTLY = 0.5
"""Share of all cells that are, then: one odd spelling may stand in many."""

DIFFERENT = 10
"""Dates or numbers that differ, without which cells may as well be levels: 0, 1, 2, 3+."""

DAYS = ("ymd", "dmy", "mdy")
"""Orders that one column may mix."""

BEFORE = " +-−($€£¥"
"""What stands before the digits of a number."""

LOOKED_AT = 60
"""Cells that are looked at before all are."""

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
    asked = (finder(counts, decimal, chosen) for finder in FINDERS)
    return next((found for found in asked if found is not None), None)


def promising(levels: Sequence[str], n_rows: int) -> bool:
    """Whether anything may be found in a column of these levels: a few of them settle for most columns that not.

    Counting the rows of each level costs as much as a part of learning them, so that it is done where it serves.
    """
    if len(levels) == 1 or len(levels) > FEW * n_rows:
        return True
    first = [level for level in islice(levels, FIRST) if not is_missing_spelling(level)]
    if len(levels) <= MOST and (not first or are_truths(levels)):
        return True
    return bool(first) and bool(fitting(first) or orders_of(first) or are_written_in_digits(first))


def are_written_in_digits(texts: Sequence[str]) -> bool:
    """Whether nearly all texts begin with a digit, or with a sign or a currency before one."""
    return len(texts) >= DIFFERENT and sum(t.lstrip(BEFORE)[:1].isdigit() for t in texts) >= NEARLY * len(texts)


def find_nearly(counts: Mapping[str, int], chosen: bool) -> tuple[ColumnReader, str] | None:
    """Return the reader of cells that would be dates or numbers but for a few: they stay text, which is said.

    Numbers of files are told of by their source, which knows the row.

    Examples
    --------
    >>> find_nearly({**{f"2023-01-{d:02d}": 1 for d in range(1, 29)}, "in May": 1}, chosen=False)[1]
    "28 dates and once 'in May', which is none: taken as text; Dates(missing=['in May']) makes it missing"
    """
    if not are_written_in_digits(list(islice(counts, LOOKED_AT))):
        return None
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    rules: list[tuple[str, ColumnReader, Callable[[str], Any]]] = [
        ("dates", Dates(order), seconds_by(order)) for order in ORDERS
    ]
    if chosen and not any(map(is_code, texts)):
        amounts = [Amounts(*style, commonest_unit(islice(texts, LOOKED_AT), style)) for style in STYLES]
        rules += [("numbers", of_style, numbers_by(of_style)) for of_style in amounts]
    for what, reader, fits in rules:
        odd = [cell for cell in texts if not fits(cell)]
        n, total = sum(counts[cell] for cell in odd), sum(counts[cell] for cell in texts)
        few = len(odd) <= (1 - NEARLY) * len(texts) and n <= (1 - MOSTLY) * total
        if odd and few and len(texts) - len(odd) >= DIFFERENT:
            first = f"{'once' if counts[odd[0]] == 1 else f'{counts[odd[0]]} times'} {shortened(odd[0])}"
            more = "" if len(odd) == 1 else f" and {len(odd) - 1} more"
            so = reader.set_params(missing=odd[:1])
            said = f"{total - n} {what} and {first}{more}, which is none: taken as text; {so!r} makes it missing"
            return Texts(), said
    return None


def find_mixed(counts: Mapping[str, int]) -> tuple[ColumnReader, str] | None:
    """Return the reader of cells that are all dates, but not of one order: what each means is not guessed.

    Examples
    --------
    >>> find_mixed({text: 1 for d in range(10, 20) for text in (f"2023-01-{d}", f"{d}.01.2023")})[1]
    "20 dates in several spellings, such as '2023-01-10' and '10.01.2023': taken as text; written alike, they are dates"
    """
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    if len(texts) < DIFFERENT or not all(text.strip()[-1:].isdigit() for text in texts[:LOOKED_AT]):
        return None
    rules = {order: seconds_by(order) for order in DAYS}
    first_of: dict[str | None, str] = {}
    for text in texts:
        first_of.setdefault(next((order for order, fits in rules.items() if fits(text)), None), text)
    if None in first_of or len(first_of) < 2:
        return None
    one, other, *_ = first_of.values()
    ignored = find_identifiers(counts) is not None
    said = f"{sum(counts[text] for text in texts)} dates in several spellings, such as {one!r} and {other!r}"
    so = "ignored" if ignored else "taken as text"
    return Omitted() if ignored else Texts(), f"{said}: {so}; written alike, they are dates"


def numbers_by(reader: Amounts) -> Callable[[str], bool]:
    """Return whether a text is a number to a reader."""
    return lambda text: reader.value(text) is not None


def find_constant(counts: Mapping[str, int]) -> tuple[ColumnReader, str] | None:
    """Return the reader of a column that holds one level only: it stays, and says nothing."""
    if len(counts) != 1 or sum(counts.values()) < FEWEST:
        return None
    (level,) = counts
    return Texts(), f"always {shortened(level)}, which tells nothing"


Finder = Callable[[Mapping[str, int], str | None, bool], tuple[ColumnReader, str] | None]

FINDERS: list[Finder] = [
    lambda counts, *_: find_compact(counts),
    find_amounts,
    lambda counts, *_: find_dates(counts),
    lambda counts, *_: find_truths(counts),
    lambda counts, *_: find_documents(counts),
    lambda counts, _, chosen: find_nearly(counts, chosen),
    lambda counts, *_: find_mixed(counts),
    lambda counts, *_: find_identifiers(counts),
    lambda counts, *_: find_constant(counts),
]
"""What looks for a reader of its own kind, in this order."""
