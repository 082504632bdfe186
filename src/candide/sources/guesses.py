"""Guesses: what the columns of a CSV may be read as at once, so that most cells are parsed once and never are text.

A guess decides nothing. A column that is guessed to hold numbers, and holds a cell that is none, is read again as it is
written; what a column is stays the business of `cell_types`.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from candide.sources.finders import DOTTED
from candide.sources.spelling import CODE, looks_numeric

Guess = Literal["numbers", "codes", "text"]
"""Numbers; text of which there is little that differs, read as codes into a dictionary; any text."""

SNIFFED_BYTES = 1 << 16
"""Bytes that are looked at."""
DISTINCT = 0.5
"""Distinct cells for each that is there, up to which text is read as codes."""


def guessed(start: bytes, names: Sequence[str], separator: str, written: Collection[str]) -> dict[str, Guess]:
    r"""Return guesses from the first bytes behind the header, of which the last line may be cut.

    Parameters
    ----------
    start : bytes
    names : sequence of str
        The columns.
    separator : str
    written : collection of str
        Columns that are not taken for numbers: labels, and codes such as 01234.

    Examples
    --------
    >>> guessed(b"1.5,petrol,7\n2.5,petrol,\n4,diesel,9\n", ["power", "energy", "desk"], ",", ["desk"])
    {'power': 'numbers', 'energy': 'text', 'desk': 'text'}
    """
    text = start[:SNIFFED_BYTES].decode("utf-8", "replace")
    lines = text[: text.rfind("\n") + 1].splitlines(keepends=True)
    try:
        rows = [row for row in csv.reader(lines, delimiter=separator) if len(row) == len(names)]
    except csv.Error:
        rows = []
    columns = dict(zip(names, zip(*rows, strict=True), strict=False))
    return {name: guess(columns.get(name, ()), name in written) for name in names}


def guess(cells: Sequence[str], written: bool) -> Guess:
    """Return what a column may be read as, from some of its cells."""
    there = [cell for cell in cells if cell]
    # where every cell may have points between thousands, the other columns tell what they are
    plain = not all(map(DOTTED.fullmatch, there)) and not any(map(CODE.fullmatch, there))
    if there and not written and plain and all(map(looks_numeric, there)):
        return "numbers"
    return "codes" if there and len(set(there)) <= DISTINCT * len(there) else "text"


def revised(guesses: Mapping[str, Guess], known: Mapping[str, str]) -> dict[str, Guess]:
    """Return guesses in which nothing is taken for numbers that is known to be something else."""
    return {n: "text" if g == "numbers" and known.get(n, "numbers") != "numbers" else g for n, g in guesses.items()}
