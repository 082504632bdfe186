"""A CSV or TSV that is open: its header, and its cells as they are written or as they are guessed to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from candide.sources.decoding import decoded
from candide.sources.guesses import SNIFFED_BYTES, Guess, guessed, revised
from candide.sources.open_table import OpenFile, OpenTable, counted_rows
from candide.sources.text import NotAsGuessedError, TextColumns, csv_batches, read_header


class CsvTable(OpenTable):
    """The table in a CSV or TSV.

    Parameters
    ----------
    file : OpenFile
    separator : str, optional
        What stands between cells, where it is not seen from the first line.
    """

    names: list[str]

    def __init__(self, file: OpenFile, separator: str | None = None) -> None:
        options = file.options
        stream = decoded(file.stream, options.encoding, options.comment, file.name, options.replace_invalid)
        super().__init__(replace(file, stream=stream))
        self._given = separator
        self.names, self._separator, self._n_lines = read_header(
            stream, separator or options.separator, options.decimal, file.name
        )

    def columns(
        self, wanted: Sequence[str] | None, known: Mapping[str, str] | None
    ) -> Iterator[tuple[TextColumns, int]]:
        guesses = {} if known is None else revised(self._guesses(), known)
        self.stored = frozenset(n for n, guess in guesses.items() if guess == "codes")
        return counted_rows(self._batches(wanted, guesses))

    def _guesses(self) -> dict[str, Guess]:
        """Return what the columns may be read as; nothing where they could not be read again, or may differ."""
        options = self.file.options
        if options.decimal != "." or any(options.missing) or not self.file.is_repeatable:
            return {}
        written = {options.target, *options.text, *options.documents}
        return guessed(self.file.stream.peek(SNIFFED_BYTES), self.names, self._separator, {n for n in written if n})

    def _batches(self, wanted: Sequence[str] | None, guesses: Mapping[str, Guess]) -> Iterator[TextColumns]:
        """Yield columns as they were guessed to be; from where one is not, all of them as they are written."""
        file, done = self.file, 0
        try:
            for columns in csv_batches(
                file.stream,
                self.names,
                self._separator,
                ["", *file.options.missing],
                wanted,
                file.name,
                self._n_lines,
                file.counted.size,
                guesses,
                file.block_bytes,
            ):
                yield columns
                done += len(next(iter(columns.values())))
        except NotAsGuessedError:
            again = CsvTable(file.again(), self._given)
            try:
                for columns in again._batches(wanted, {}):
                    n_rows = len(next(iter(columns.values())))
                    if done < n_rows:
                        yield {name: cells[done:] for name, cells in columns.items()}
                    done = max(0, done - n_rows)
            finally:
                again.file.close()
