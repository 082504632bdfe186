"""One file of a table: its format, its columns and its batches of raw cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

from candide.sources.base import Reading
from candide.sources.batch import Batch
from candide.sources.binary import Binary
from candide.sources.decoding import decoded
from candide.sources.excel import Workbook
from candide.sources.faults import NotUtf8Error, find_not_utf8
from candide.sources.formats import LONGEST_MAGIC, TEXT_FORMATS, Format, by_ending, format_of
from candide.sources.guesses import SNIFFED_BYTES, Guess, guessed, revised
from candide.sources.objects import json_batches
from candide.sources.opening import Place, is_repeatable, open_bytes, whole
from candide.sources.text import NotAsGuessedError, TextColumns, csv_batches, read_header


class TableFile:
    """A table in a file that is open.

    Parameters
    ----------
    place : path, "-" or file
    name : str
        What to call it in a message.
    options : Reading
    block_bytes : int, optional
        How much of a CSV becomes a batch.

    Attributes
    ----------
    format : Format
    names : list of str, or None
        The columns, where the format names them before the first row.
    """

    def __init__(self, place: Place, name: str, options: Reading, block_bytes: int | None = None) -> None:
        self.name, self.options, self._place, self._block_bytes = name, options, place, block_bytes
        self._stream, self._counted = open_bytes(place, name)
        self._binary: Binary | None = None
        self._workbook: Workbook | None = None
        self.names: list[str] | None = None
        with whole(name):
            start = self._stream.peek(LONGEST_MAGIC)
            self.format: Format = options.format or by_ending(name)[0] or format_of(start) or "csv"
            if self.format in {"csv", "tsv", "ndjson"}:
                comment = None if self.format == "ndjson" else options.comment
                self._stream = decoded(self._stream, options.encoding, comment, name, options.replace_invalid)
            if self.format == "excel":
                self._workbook = Workbook(self._stream, name)
                self.names = self._workbook.names
            elif self.format in {"csv", "tsv"}:
                given = "\t" if self.format == "tsv" else options.separator
                self.names, self._separator, self._n_lines = read_header(self._stream, given, options.decimal, name)
            elif self.format != "ndjson":
                packed = self._stream.raw is not self._counted
                self._binary = Binary(place, self._stream, packed, self.format, name)
                self.names = self._binary.names

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._binary is not None:
            self._binary.close()
        if self._workbook is not None:
            self._workbook.close()
        self._stream.close()
        self._counted.close()

    @property
    def is_text(self) -> bool:
        """Whether the file itself does not say what its columns are."""
        return self.format in TEXT_FORMATS

    @property
    def form(self) -> str:
        """How its cells say what they are: not at all, each for itself, or by the type of their column."""
        return {"csv": "text", "tsv": "text", "excel": "text", "ndjson": "values"}.get(self.format, "columns")

    @property
    def fraction(self) -> float | None:
        """How much has been read, 0 .. 1; None where the end is not known."""
        return self._counted.fraction if self._binary is None else self._binary.done

    @property
    def group_rows(self) -> list[int]:
        """The rows of each group of rows that can be passed over unread; none where the format has no such groups."""
        return [] if self._binary is None else self._binary.group_rows

    def read_only(self, groups: slice, alone: bool) -> None:
        """Read no more than some groups of rows, by one thread where others read others."""
        if self._binary is not None:
            self._binary.groups, self._binary.alone = self._binary.groups[groups], alone

    def batches(self, wanted: Sequence[str] | None, known: Mapping[str, str] | None = None) -> Iterator[Batch]:
        """Yield the columns wanted, or all, as raw cells.

        Parameters
        ----------
        wanted : sequence of str, or None
        known : mapping of names to types of cells, optional
            Where it is given, cells of text that are numbers may come as numbers, unless their column is known to be
            something else; and text as codes.
        """
        start, loose = 0, self.format == "ndjson"
        guesses = {} if known is None or self._binary is not None else revised(self._guesses(), known)
        codes = frozenset(n for n, guess in guesses.items() if guess == "codes")
        stored = codes if self._binary is None else self._binary.stored
        with whole(self.name):
            for columns, n_rows in self._in_utf8(self._columns(wanted, guesses)):
                kept = columns if not loose else {n: columns[n] for n in self._of_objects(columns, wanted)}
                yield Batch(kept, start, n_rows, self.name, loose, self.options.decimal, stored)
                start += n_rows

    def _in_utf8(self, batches: Iterator[tuple[TextColumns, int]]) -> Iterator[tuple[TextColumns, int]]:
        """Yield batches; where the line that is no text is not told, the table is gone through again."""
        try:
            yield from batches
        except NotUtf8Error as error:
            if error.line is None and is_repeatable(self._place):
                with TableFile(self._place, self.name, self.options) as again:
                    find_not_utf8(again._stream, self.name, 0 if self.format == "ndjson" else self._n_lines)
            raise

    def _of_objects(self, columns: Iterable[str], wanted: Sequence[str] | None) -> list[str]:
        """Return the columns to yield among those that some objects have."""
        return [n for n in columns if (n not in self.options.exclude if wanted is None else n in wanted)]

    def _guesses(self) -> dict[str, Guess]:
        """Return what the columns of a CSV may be read as; nothing where it could not be read again, or may differ."""
        plain = self.options.decimal == "." and not any(self.options.missing) and self.format in {"csv", "tsv"}
        if self.names is None or not plain or not is_repeatable(self._place):
            return {}
        written = {self.options.target, *self.options.text}
        return guessed(self._stream.peek(SNIFFED_BYTES), self.names, self._separator, {n for n in written if n})

    def _columns(self, wanted: Sequence[str] | None, guesses: Mapping[str, Guess]) -> Iterator[tuple[TextColumns, int]]:
        """Yield raw columns, and how many rows they have."""
        if self.format == "ndjson":
            return json_batches(self._stream, self.name, self._counted.size is not None and self._block_bytes is None)
        missing = ["", *self.options.missing]
        if self._binary is not None:
            read = self._binary.batches(wanted)
        elif self._workbook is not None:
            read = self._workbook.batches(wanted, missing)
        else:
            read = self._csv(wanted, guesses)
        return ((columns, len(next(iter(columns.values())))) for columns in read)

    def _csv(self, wanted: Sequence[str] | None, guesses: Mapping[str, Guess]) -> Iterator[TextColumns]:
        """Yield columns as they were guessed to be; from where one is not, all of them as they are written."""
        missing = ["", *self.options.missing]
        size, done = self._counted.size, 0
        try:
            for columns in csv_batches(
                self._stream,
                self.names or [],
                self._separator,
                missing,
                wanted,
                self.name,
                self._n_lines,
                size,
                guesses,
                self._block_bytes,
            ):
                yield columns
                done += len(next(iter(columns.values())))
        except NotAsGuessedError:
            with TableFile(self._place, self.name, self.options) as again:
                for columns in again._csv(wanted, {}):
                    n_rows = len(next(iter(columns.values())))
                    if done < n_rows:
                        yield {name: cells[done:] for name, cells in columns.items()}
                    done = max(0, done - n_rows)
