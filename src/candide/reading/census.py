"""The census of a column of text whose cells come in batches: its different cells, and how often each was seen."""

from __future__ import annotations

from collections.abc import Mapping

from candide.reading.base import ColumnReader
from candide.reading.finding import find
from candide.reading.omitted import Omitted
from candide.reading.texts import is_missing_spelling

MOST = 20_000
"""Different cells that are remembered; of further ones only those that do not fit what was found."""


class Census:
    """Different cells and their counts, in bounded memory.

    Attributes
    ----------
    counts : dict
        In order of appearance. Cells beyond the most that are remembered are counted with the first one.
    """

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self._guess: ColumnReader | None = None
        self._settled = False

    def see(self, counts: Mapping[str, int]) -> None:
        """Take some more cells into account."""
        for cell, n in counts.items():
            if cell in self.counts:
                self.counts[cell] += n
            elif len(self.counts) < MOST or not self._fits(cell):
                self.counts[cell] = n
            elif self._guess is not None:
                self.counts[next(iter(self.counts))] += n

    def _fits(self, cell: str) -> bool:
        """Whether a cell is as those remembered are, and not missing; levels and identifiers are settled by so many."""
        if not self._settled:
            found = find(self.counts)
            self._guess = None if found is None or isinstance(found.reader, Omitted) else found.reader
            self._settled = True
        value = getattr(self._guess, "value", None)
        return value is None or (value(cell) is not None and not is_missing_spelling(cell))
