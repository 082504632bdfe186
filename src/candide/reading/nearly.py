"""Nearly numbers: columns in which most cells are numbers, and some are odd.

One rule for all who ask: such a column is told of, and therefore it is none of identifiers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from candide.reading.amounts import Amounts
from candide.reading.numerals import STYLES, commonest_unit, is_code, shape
from candide.reading.texts import is_missing_spelling

MOSTLY = 0.5
"""Share of all cells that are dates or numbers where the others are odd: one odd spelling may stand in many."""

DIFFERENT = 10
"""Dates or numbers that differ, without which cells may as well be levels: 0, 1, 2, 3+."""

LOOKED_AT = 60
"""Cells that are looked at before all are."""

GLANCE = MOSTLY / 2
"""Share of these that are numbers of a style, without which not all are looked at."""

BEFORE = " +-−($€£¥"
"""What stands before the digits of a number."""


def spread(texts: Sequence[str]) -> Sequence[str]:
    """Return some texts from all over a column, which may be sorted: all, or at least as many as are looked at."""
    return texts[:: max(1, len(texts) // LOOKED_AT)]


def n_in_digits(texts: Sequence[str]) -> int:
    """Return how many texts begin with a digit, or with a sign or a currency before one."""
    return sum(text.lstrip(BEFORE)[:1].isdigit() for text in texts)


def nearly_numbers(counts: Mapping[str, int]) -> tuple[Amounts, list[str]] | None:
    """Return the reader of the numbers that most cells are, and the odd cells that are none; None without either.

    Parameters
    ----------
    counts : mapping
        The different cells, and how often each occurs.

    Examples
    --------
    >>> nearly_numbers({**{f"{x}.5": 1 for x in range(20)}, "<1": 5})
    (Amounts(), ['<1'])
    >>> nearly_numbers({f"K{x}": 1 for x in range(20)}) is None
    True
    """
    texts = [cell for cell in counts if not is_missing_spelling(cell)]
    some, total = spread(texts), sum(counts[cell] for cell in texts)
    if n_in_digits(some) < GLANCE * len(some) or any(map(is_code, texts)):
        return None
    shaped = [(cell, shape(cell)) for cell in texts]
    different = {form for _, form in shaped}
    best: tuple[int, Amounts, list[str]] | None = None
    for style in STYLES:
        reader = Amounts(*style, commonest_unit(some, style))
        if sum(map(reader.is_number, some)) < GLANCE * len(some):
            continue
        none = {form for form in different if not reader.is_number(form)}
        odd = [cell for cell, form in shaped if form in none]
        n = total - sum(counts[cell] for cell in odd)
        if n >= MOSTLY * total and len(texts) - len(odd) >= DIFFERENT and (best is None or n > best[0]):
            best = n, reader, odd
    return None if best is None or not best[2] else best[1:]
