"""Oddities: cells that would be dates, numbers or levels but for how some are written: text, and said to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from candide.messages import shortened
from candide.reading.amounts import Amounts
from candide.reading.base import ColumnReader, ReadAs, times
from candide.reading.calendar import ORDERS, seconds_by
from candide.reading.dates import Dates
from candide.reading.nearly import DIFFERENT, LOOKED_AT, MOSTLY, n_in_digits, nearly_numbers, spread
from candide.reading.numerals import STYLES, commonest_unit, is_code, shapes
from candide.reading.omitted import Omitted, find_identifiers
from candide.reading.texts import Texts, is_missing_spelling

T = TypeVar("T")

NEARLY = 0.9
"""Share of the different cells that are dates where the others are told of as odd."""

DAYS = ("ymd", "dmy", "mdy")
"""Orders that one column may mix."""

MOST_VARIED = 1000
"""Levels up to which they are compared without case and spaces."""


def are_written_in_digits(texts: Sequence[str]) -> bool:
    """Whether nearly all texts begin with a digit, or with a sign or a currency before one."""
    return len(texts) >= DIFFERENT and n_in_digits(texts) >= NEARLY * len(texts)


def find_nearly(counts: Mapping[str, int], chosen: bool) -> ReadAs | None:
    """Return how cells are read that would be dates or numbers but for a few: they stay text, which is said.

    Numbers of files are told of by their source, which knows the row where it has seen them to be numbers.

    Examples
    --------
    >>> print(find_nearly({**{f"2023-01-{d:02d}": 1 for d in range(1, 29)}, "in May": 1}, chosen=False).said[:89])
    28 dates and once 'in May', which is none: taken as text; --missing 'in May', or reading=
    """
    dates = find_nearly_dates(counts) if are_written_in_digits(list(islice(counts, LOOKED_AT))) else None
    return find_nearly_numbers(counts) if dates is None and chosen else dates


def find_nearly_dates(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how cells are read that would be dates but for a few."""
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    total = sum(counts[cell] for cell in texts)
    some = spread(texts)
    for order in ORDERS:
        fits = seconds_by(order)
        if sum(map(fits, some)) < MOSTLY * len(some):
            continue
        odd = [cell for cell in texts if not fits(cell)]
        few = len(odd) <= (1 - NEARLY) * len(texts) and sum(counts[cell] for cell in odd) <= (1 - MOSTLY) * total
        if odd and few and len(texts) - len(odd) >= DIFFERENT:
            return told_nearly(counts, "dates", Dates(order), odd)
    return None


def find_nearly_numbers(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how cells are read that would mostly be numbers."""
    found = nearly_numbers(counts)
    return None if found is None else told_nearly(counts, "numbers", *found)


def told_nearly(counts: Mapping[str, int], what: str, reader: ColumnReader, odd: Sequence[str]) -> ReadAs:
    """Return how dates or numbers are read but for odd cells, of which the first is shown."""
    n = sum(k for text, k in counts.items() if not is_missing_spelling(text)) - sum(counts[cell] for cell in odd)
    first = f"{times(counts[odd[0]])} {shortened(odd[0])}"
    more, others = ("", "") if len(odd) == 1 else (f" and {len(odd) - 1} more", ", and the others likewise")
    so = reader.set_params(missing=odd[:1])
    said = f"{n} {what} and {first}{more}, which is none: taken as text"
    said += f"; --missing {shortened(odd[0])}, or reading={{column: {so!r}}}, makes it missing{others}"
    return ReadAs(Texts(), said, doubted=True)


def find_mixed(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how cells are read that are all dates, but not of one order: what each means is not guessed.

    Examples
    --------
    >>> find_mixed({text: 1 for d in range(10, 20) for text in (f"2023-01-{d}", f"{d}.01.2023")}).said
    "20 dates in several spellings, such as '2023-01-10' and '10.01.2023': taken as text; written alike, they are dates"
    """
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    if len(texts) < DIFFERENT or not all(text.strip()[-1:].isdigit() for text in texts[:LOOKED_AT]):
        return None
    rules = {order: seconds_by(order) for order in DAYS}
    first_of = first_by_rule(texts, rules)
    return None if len(first_of) < 2 else told_mixed(counts, "dates", *first_of.values())


def first_by_rule(texts: Iterable[str], rules: Mapping[T, Callable[[str], bool]]) -> dict[T, str]:
    """Return the first text of each rule, a text going by the first that fits it; nothing where none fits some text."""
    first_of: dict[T, str] = {}
    for text in texts:
        fitting = next((rule for rule, fits in rules.items() if fits(text)), None)
        if fitting is None:
            return {}
        first_of.setdefault(fitting, text)
    return first_of


def find_points(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how cells are read that are all numbers, but some with a decimal point and some with a decimal comma.

    Examples
    --------
    >>> find_points({text: 1 for x in range(10, 20) for text in (f"{x}.55", f"{x},5")}).said
    "20 numbers in several spellings, such as '10.55' and '10,5': taken as text; written alike, they are numbers"
    """
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    if len(texts) < DIFFERENT or any(map(is_code, texts)) or not are_written_in_digits(texts[:LOOKED_AT]):
        return None
    rules = {style: Amounts(*style, commonest_unit(texts[:LOOKED_AT], style)).is_number for style in STYLES}
    first_of = first_by_rule(shapes(texts).values(), rules)
    return None if len(first_of) < 2 else told_mixed(counts, "numbers", *first_of.values())


def told_mixed(counts: Mapping[str, int], what: str, one: str, other: str, *_: str) -> ReadAs:
    """Return how dates or numbers are read of several spellings, of which two are shown."""
    n = sum(k for text, k in counts.items() if not is_missing_spelling(text))
    ignored = find_identifiers(counts) is not None
    so = "ignored" if ignored else "taken as text"
    said = f"{n} {what} in several spellings, such as {one!r} and {other!r}: {so}; written alike, they are {what}"
    return ReadAs(Omitted() if ignored else Texts(), said, doubted=True)


def find_variants(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how levels are read of which some differ in case or spaces alone: they stay what they are, which is said.

    Examples
    --------
    >>> find_variants({"red": 5, "blue": 3, "Red ": 2, "RED": 1}).said
    "'Red ' and 'RED' beside 'red': they differ in case or spaces alone, and count apart"
    """
    if len(counts) > MOST_VARIED or not are_varied(list(counts)):
        return None
    spellings: dict[str, list[str]] = {}
    for level in sorted(counts, key=counts.__getitem__, reverse=True):
        spellings.setdefault(folded(level), []).append(level)
    (usual, *rare), *more = (levels for levels in spellings.values() if len(levels) > 1)
    others = " and ".join(shortened(level) for level in rare[:2])
    rest = f"; {len(more)} more such" if more else ""
    said = f"{others} beside {shortened(usual)}: they differ in case or spaces alone, and count apart{rest}"
    return ReadAs(Texts(), said)


def are_varied(levels: Sequence[str]) -> bool:
    """Whether some of not too many levels differ in case or spaces alone."""
    return len(levels) <= MOST_VARIED and len(set(map(folded, levels))) < len(levels)


def folded(level: str) -> str:
    """Return a level without case and the spaces around it."""
    return level.strip().casefold()
