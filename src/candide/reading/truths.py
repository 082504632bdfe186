"""Truths: columns of yes and no, in whichever language and case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from candide.reading.base import SPELT, ColumnReader, ReadColumn, refuse, spelt, texts_of, times
from candide.reading.texts import is_missing_spelling
from candide.table.columns import Symbols, level_array

PAIRS: tuple[tuple[str, str], ...] = (
    ("yes", "no"),
    ("y", "n"),
    ("true", "false"),
    ("t", "f"),
    ("on", "off"),
    ("ja", "nein"),
    ("ja", "nej"),
    ("ja", "nee"),
    ("oui", "non"),
    ("vrai", "faux"),
    ("wahr", "falsch"),
    ("sí", "no"),
    ("si", "no"),
    ("sì", "no"),
    ("sim", "não"),
    ("tak", "nie"),
    ("да", "нет"),
)
"""What means yes and what means no, in small letters."""

MOST = 12
"""Spellings of yes, of no and of missing cells that a column has at the most."""


MEANS = {word: means for pair in PAIRS for word, means in zip(pair, (True, False), strict=True)}
"""What each of these words means."""
DIGITS = {"1": True, "0": False, "1.0": True, "0.0": False}
"""What may stand for them, also as it is written where some cells are missing."""


def meaning(text: str) -> bool | None:
    """Return whether a text means yes or no, in some language; None where it is no such word.

    Examples
    --------
    >>> meaning("Yes"), meaning(" FALSE"), meaning("0"), meaning("perhaps")
    (True, False, False, None)
    """
    word = text.strip().lower()
    return MEANS.get(word, DIGITS.get(word))


class Truths(ColumnReader):
    """Yes or no: levels as they are written, whatever their case, and truth values and 0 and 1 beside them.

    Parameters
    ----------
    true, false : str
        The two levels, as they are written most often.
    missing : sequence of str
        What is written in a cell that is missing, besides what usually is.

    Examples
    --------
    >>> from candide.table import read
    >>> (cells,) = Truths("yes", "no").read(read([["Yes"], ["NO"], ["yes"]]).column(0), "it")
    >>> cells.levels[cells.codes].tolist()
    ['yes', 'no', 'yes']
    """

    says = "yes and no"
    spellings = ("missing", "true", "false")

    def __init__(self, true: str = "yes", false: str = "no", missing: Sequence[str] = ()) -> None:
        self.true = true
        self.false = false
        self.missing = missing

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        text = texts_of(cells)
        found = [self.code(level) for level in text.levels.tolist()]
        if None in found:
            raise refuse(text, found.index(None), where, f"{self.true!r} and {self.false!r}")
        codes = np.array([*found, -1], dtype=np.int32)[text.codes]
        return (Symbols(codes, level_array([self.false, self.true])),)

    def cells(self, cell: Any) -> tuple[Any, ...] | None:
        if cell is None:
            return (None,)
        code = self.code(spelt(cell)) if type(cell) in SPELT else None
        return None if code is None else ((self.false, self.true, None)[code],)

    def code(self, text: str) -> int | None:
        """Return 0 for what means no, 1 for yes, −1 for what is missing; None where it is none of them."""
        word = text.strip().lower()
        if word in {spelling.strip().lower() for spelling in self.missing}:
            return -1
        own = {self.false.lower(): 0, self.true.lower(): 1}
        if word in own:
            return own[word]
        means = meaning(word)
        return (-1 if is_missing_spelling(word) else None) if means is None else int(means)


def are_truths(levels: Sequence[str]) -> bool:
    """Whether two levels or more mean yes or no, in some language."""
    return sum(level.strip().lower() in MEANS for level in levels) > 1


def find_truths(counts: Mapping[str, int]) -> tuple[Truths, str] | None:
    """Return the reader of cells that are all yes or no, of which some differ in case alone or are missing spellings.

    Two levels that are always written alike need no reader: they are levels, which `same_level` finds however they are
    written later.
    """
    if not 3 <= len(counts) <= MOST:
        return None
    folded: dict[str, dict[str, int]] = {}
    for cell, n in counts.items():
        folded.setdefault(cell.strip().lower(), {})[cell] = n
    for true, false in PAIRS:
        if true not in folded or false not in folded:
            continue
        missing = [cell for word, cells in folded.items() if word not in (true, false) for cell in cells]
        if all(map(is_missing_spelling, missing)):
            most = {word: max(folded[word], key=folded[word].__getitem__) for word in (true, false)}
            said = [f"{cell!r} read as {most[w]!r}" for w in (true, false) for cell in folded[w] if cell != most[w]]
            said += [f"{times(counts[cell])} {cell!r} read as missing" for cell in missing]
            return Truths(most[true], most[false], tuple(missing)), f"yes and no: {', '.join(said)}"
    return None
