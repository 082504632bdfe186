"""One file of a table: its format, its columns and its batches of raw cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

from candide.sources.base import Reading
from candide.sources.batch import Batch
from candide.sources.faults import NotUtf8Error, find_not_utf8
from candide.sources.formats import FORMATS, LONGEST_MAGIC, by_ending, format_of
from candide.sources.open_table import OpenFile
from candide.sources.opening import Place, open_bytes, whole
from candide.sources.text import TextColumns


class TableFile:
    """A table in a file that is open.

    Parameters
    ----------
    place : path, "-" or file
    name : str
        What to call it in a message.
    options : Reading
    block_bytes : int, optional
        How much of a CSV or of lines of objects becomes a batch.

    Attributes
    ----------
    format : Format
    names : list of str, or None
        The columns, where the format names them before the first row.
    """

    def __init__(self, place: Place, name: str, options: Reading, block_bytes: int | None = None) -> None:
        self.name, self.options = name, options
        self._file = OpenFile(place, name, options, *open_bytes(place, name), block_bytes)
        try:
            with whole(name):
                start = self._file.stream.peek(LONGEST_MAGIC)
                self.format = FORMATS[options.format or by_ending(name)[0] or format_of(start) or "csv"]
                self._table = self.format.open(self._file)
        except BaseException:
            self._file.close()
            raise
        self.names = self._table.names

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._table.close()
        self._file.close()

    @property
    def is_text(self) -> bool:
        """Whether the file itself does not say what its columns are."""
        return self.format.cells != "columns"

    @property
    def fraction(self) -> float | None:
        """How much has been read, 0 .. 1; None where the end is not known."""
        return self._table.fraction

    @property
    def group_rows(self) -> Sequence[int]:
        """The rows of each group of rows that can be passed over unread; none where the format has no such groups."""
        return self._table.group_rows

    @property
    def texts(self) -> Sequence[str]:
        """The columns that the file itself says are text, and no declared levels."""
        return self._table.texts

    def beginnings(self, wanted: Sequence[str], rows: int) -> Iterator[Batch]:
        """Yield the first rows of each group, about so many of all groups together, of columns of text."""
        with whole(self.name):
            for columns, n in self._table.beginnings(wanted, rows):
                yield Batch(self._without_missing(columns, empty=True), 0, n, self.name, loose=True)

    def read_only(self, groups: slice, alone: bool) -> None:
        """Read no more than some groups of rows, by one thread where others read others."""
        self._table.read_only(groups, alone)

    def batches(self, wanted: Sequence[str] | None, known: Mapping[str, str] | None = None) -> Iterator[Batch]:
        """Yield the columns wanted, or all, as raw cells; see `OpenTable.columns`."""
        start, loose = 0, self.format.cells == "values"
        with whole(self.name):
            batches = self._table.columns(wanted, known)
            for columns, n_rows in self._in_utf8(batches):
                kept = columns if not loose else {n: columns[n] for n in self._of_objects(columns, wanted)}
                kept = self._without_missing(kept, empty=loose)
                yield Batch(kept, start, n_rows, self.name, loose, self.options.decimal, self._table.stored)
                start += n_rows

    def _without_missing(self, columns: TextColumns, empty: bool) -> TextColumns:
        """Return columns without cells that are declared to be missing, or are empty; readers of text left them out."""
        spellings = [*([""] if empty else []), *filter(None, self.options.missing)]
        if not spellings or self.format.cells == "text":
            return columns
        from candide.sources.blanking import blanked

        return {name: blanked(cells, spellings) for name, cells in columns.items()}

    def _in_utf8(self, batches: Iterator[tuple[TextColumns, int]]) -> Iterator[tuple[TextColumns, int]]:
        """Yield batches; where the line that is no text is not told, the table is gone through again."""
        try:
            yield from batches
        except NotUtf8Error as error:
            if error.line is None and self._file.is_repeatable:
                again = self._file.again()
                try:
                    find_not_utf8(again.stream, self.name, 0)
                finally:
                    again.close()
            raise

    def _of_objects(self, columns: Iterable[str], wanted: Sequence[str] | None) -> list[str]:
        """Return the columns to yield among those that some objects have."""
        asked = None if wanted is None else set(wanted)
        return [n for n in columns if (n not in self.options.exclude if asked is None else n in asked)]
