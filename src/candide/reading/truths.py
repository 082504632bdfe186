"""Truths: columns of yes and no, in whichever language and case."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from candide.reading.base import SPELT, ColumnReader, ReadAs, ReadColumn, refuse, spelt, texts_of, times
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
SWITCHED = {"on", "off"}
"""Those that are no other words for yes and no: what is on may be no, and what is off yes."""
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


def find_truths(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how cells are read that are all yes or no, of which some are written in several ways or are missing.

    Two levels that are always written alike need no reader: they are levels, which `same_level` finds however they are
    written later.

    Examples
    --------
    >>> find_truths({"yes": 5, "no": 4, "Y": 1}).said
    "yes and no: 'Y' read as 'yes'"
    """
    if not 3 <= len(counts) <= MOST:
        return None
    folded: dict[str, dict[str, int]] = {}
    for cell, n in counts.items():
        folded.setdefault(cell.strip().lower(), {})[cell] = n
    words = {word for word in folded if word in MEANS}
    missing = [cell for word, cells in folded.items() if word not in words for cell in cells]
    if (
        not any(words >= {*pair} for pair in PAIRS)
        or not are_spelt_out(words)
        or not all(map(is_missing_spelling, missing))
    ):
        return None
    spelt_as: dict[bool, dict[str, int]] = {True: {}, False: {}}
    for word, cells in folded.items():
        if word in words:
            spelt_as[MEANS[word]] |= cells
    most = {means: max(cells, key=cells.__getitem__) for means, cells in spelt_as.items()}
    said = [f"{cell!r} read as {most[means]!r}" for means in most for cell in spelt_as[means] if cell != most[means]]
    said += [f"{times(counts[cell])} {cell!r} read as missing" for cell in missing]
    return ReadAs(Truths(most[True], most[False], tuple(missing)), f"yes and no: {', '.join(said)}")


def are_spelt_out(words: Collection[str]) -> bool:
    """Whether yes and no are two words, or all words but the letters that others begin with: t, f and n may be codes.

    What is on, off or no has three states.

    Examples
    --------
    >>> are_spelt_out({"t", "f"}), are_spelt_out({"yes", "no", "y"}), are_spelt_out({"yes", "no", "ja"})
    (True, True, True)
    >>> are_spelt_out({"t", "f", "n"}), are_spelt_out({"on", "off", "no"})
    (False, False)
    """
    whole = [word for word in words if len(word) > 1]
    return len(words) == 2 or (
        SWITCHED.isdisjoint(words) and all(any(other.startswith(word) for other in whole) for word in words)
    )


def spelt_otherwise(word: str, words: Collection[str]) -> bool | None:
    """Return what a word means beside those of a column of yes and no, None where it is none of that column.

    Examples
    --------
    >>> [spelt_otherwise(word, ("yes", "no")) for word in ("y", "ja", "t", "1")]
    [True, True, None, None]
    """
    return MEANS.get(word) if are_spelt_out({*words, word}) else None
