"""Texts: levels of text, of which some spellings mean that a cell is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.reading.base import SPELT, ColumnReader, ReadColumn, spelt, texts_of
from candide.table.columns import Symbols, level_array

ERRORS = (
    "#n/a",
    "#nv",
    "#div/0!",
    "#value!",
    "#wert!",
    "#valeur!",
    "#ref!",
    "#bezug!",
    "#num!",
    "#zahl!",
    "#name?",
    "#null!",
)
"""What a spreadsheet writes in a cell that it could not compute."""

MISSING = frozenset({"", "?", "-", "--", "–", "—", ".", "na", "n/a", "n.a.", "nan", "null", "none", "nil", *ERRORS})
"""Spellings of a missing cell among numbers, dates and truths, in whatever case; among words they may be words."""


def is_missing_spelling(text: str) -> bool:
    """Whether a text is one of the spellings of a missing cell.

    Examples
    --------
    >>> [is_missing_spelling(text) for text in ("?", "N/A", " null ", "none left")]
    [True, True, True, False]
    """
    return not text[:1].isdigit() and text.strip().lower() in MISSING  # none begins with a digit, as most cells do


class Texts(ColumnReader):
    """Levels of text, as they are written; declared spellings are missing cells.

    Parameters
    ----------
    missing : sequence of str
        What is written in a cell that is missing.

    Examples
    --------
    >>> from candide.table import read
    >>> (cells,) = Texts(missing=["?"]).read(read([["red"], ["?"]]).column(0), "it")
    >>> cells.codes.tolist(), cells.levels.tolist()
    ([0, -1], ['red'])
    """

    def __init__(self, missing: Sequence[str] = ()) -> None:
        self.missing = missing

    def cells(self, cell: Any) -> tuple[Any, ...] | None:
        if type(cell) not in SPELT:
            return None
        text = None if cell is None else spelt(cell)
        return (None if text in self.missing else text,)

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        text = texts_of(cells)
        absent = set(self.missing)
        if not absent.intersection(text.levels.tolist()):
            return (text,)
        kept = [level for level in text.levels.tolist() if level not in absent]
        place = {level: i for i, level in enumerate(kept)}
        codes = np.array([*(place.get(level, -1) for level in text.levels.tolist()), -1], dtype=np.int32)[text.codes]
        return (Symbols(codes, level_array(kept), text.declared),)
