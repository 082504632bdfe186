"""Files: tables in files of any format, in pipes and on standard input, as batches, in the order of their rows.

Text does not say what its columns are. Where no schema says it either, the types of all columns are found in a first
pass and the batches typed in a second. Small files are kept in between, and read once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from candide.messages import unknown
from candide.reading import ReadAs
from candide.schema.schema import Schema
from candide.sources.base import Reading, Source
from candide.sources.batch import Batch, batch_rows, in_batches
from candide.sources.cell_types import CellTypes
from candide.sources.finders import CellType
from candide.sources.formats import FORMATS, by_ending
from candide.sources.spelling import is_arrow, is_text
from candide.sources.table_file import TableFile
from candide.sources.typing import as_given, by_schema, by_type, check_header, has_names, make_array, make_frame
from candide.sources.written import WrittenFiles

LOOKED_ROWS = 1_000_000
"""Rows of all groups together whose texts tell how columns with types are read."""
KEPT_BYTES = 1 << 28
"""Raw cells of a first pass that are kept for the second."""


class Files(WrittenFiles, Source):
    """Tables in files, one behind the other, whose cells have types.

    Parameters
    ----------
    paths : sequence of str
        "-" is standard input.
    options : Reading
    """

    looks_at_all = True

    def __init__(self, paths: Sequence[str], options: Reading) -> None:
        super().__init__(paths, options)
        self._cell_types = CellTypes(options)
        self._shown: CellTypes | None = None
        self._kept: tuple[Sequence[str] | None, list[Batch]] | None = None

    def parts(self, known: Schema | None = None) -> Iterator[tuple[Files, int]]:
        """Yield files of Parquet in parts, groups of rows, each with the row that it begins with; see `Source`."""
        formats = {self.options.format or by_ending(path)[0] for path in self._paths}
        grouped = all(name is not None and FORMATS[name].in_groups for name in formats)
        if not self.repeatable or not grouped or self._groups != slice(None):
            return
        choose = self._present if known is None else partial(self._needed, known=known, every=False)
        self.rows = 0
        first: list[str] | None = None
        for n, (file, wanted) in enumerate(self._opened(lambda file: choose(file, columns=None), known is None)):
            first = first or wanted
            ends = np.cumsum([0, *file.group_rows]).tolist()
            for groups in in_batches(file.group_rows, batch_rows(len(wanted or ()))):
                part = Files([self._paths[n]], self.options)
                part._groups, part._alone, part._of_all = groups, True, first
                yield part, self.rows
                self.rows += ends[groups.stop] - ends[groups.start]
                self.done((n + ends[groups.stop] / max(1, ends[-1])) / len(self._paths))

    # -- types -------------------------------------------------------------------------------------------------------

    def cell_types(self, columns: Sequence[str] | None = None) -> dict[str, CellType]:
        """Return what the cells of each column are, from all of them; only what was not looked at before is read."""
        if not self._cell_types.complete and (columns is None or any(name not in self._cell_types for name in columns)):
            self._look(columns)
        return self._cell_types.of(columns)

    def readers(self) -> dict[str, ReadAs | None]:
        """Return how columns are to be read, as all cells show, None as they are; nothing before they were seen."""
        if self._shown is None:
            self._shown = self._cell_types if not self.repeatable or self._are_text() else self._texts_of_columns()
        return self._shown.readers

    def _texts_of_columns(self) -> CellTypes:
        """Return what the texts of typed columns show: those of all rows, or of the first of every group of rows."""
        shown = CellTypes(self.options)
        apart = {self.options.target, self.options.weight, *self.options.exclude}
        for file, _ in self._opened(lambda _: None, alike=True):
            texts = [name for name in file.texts if name not in apart]
            for batch in file.beginnings(texts, LOOKED_ROWS // len(self._places)) if texts else ():
                shown.see(batch)
        shown.close(None)
        return shown

    def _cells(self, columns: Sequence[str] | None) -> Iterator[Batch]:
        """Yield the batches, with cells that are numbers or codes as such where that is seen at once."""
        return self._batches(lambda file: self._present(file, columns), alike=True, types=self._cell_types.of())

    def _look(self, columns: Sequence[str] | None) -> None:
        self._keep_pipes()
        kept: list[Batch] | None = []
        size = 0
        self._pass = (0.0, 0.5)
        for batch in self._cells(columns):
            self._cell_types.see(batch)
            size += batch.size
            kept = None if kept is None or size > KEPT_BYTES else [*kept, batch]
        self._cell_types.close(columns)
        self.n_rows = self.rows
        if kept is not None and any(map(self._is_numeric_text, kept)):
            kept = None
        self._pass = (0.5, 0.5)
        self._kept = None if kept is None else (columns, kept)

    def _is_numeric_text(self, batch: Batch) -> bool:
        """Whether a column came as numbers and is text after all, of which the spelling is wanted."""
        types = {} if batch.loose else self._cell_types.of()  # objects are what they are, however often they are read
        return any(types.get(n) == "text" and is_arrow(c) and not is_text(c) for n, c in batch.columns.items())

    def _again(self, columns: Sequence[str] | None) -> Iterator[Batch]:
        """Yield the batches that the types were found in, those that were kept without reading them again."""
        if self._kept is None or self._kept[0] != columns:
            return self._cells(columns)
        kept, self._kept = self._kept[1], None
        return iter(kept)

    def _are_text(self) -> bool:
        """Whether the types have to be found; all files are taken to be as the first."""
        self._keep_pipes()
        with TableFile(self._places[0], self._names[0], self.options) as file:
            return file.is_text

    # -- typed cells -------------------------------------------------------------------------------------------------

    def batches(self, known: Schema | None = None, columns: Sequence[str | int] | None = None) -> Iterator[Any]:
        """Yield frames of typed cells; see `Source`."""
        if known is not None:
            for batch in self.raw_for(known, columns):
                yield self._frame(self.typed(batch, known, columns), known, columns, batch.stored)
            return
        wanted = None if columns is None else list(map(str, columns))
        if self._are_text():
            cell_types = self.cell_types(wanted)
            absent = next((name for name in wanted or () if name not in self._cell_types.seen), None)
            if absent is not None and self._cell_types.seen:
                raise ValueError(f"{self.name}: {unknown('column', absent, list(self._cell_types.seen))}")
            for batch in self._again(wanted):
                yield make_frame(by_type(batch, cell_types, self.readers(), self.options), batch.stored)
        else:
            for batch in self.raw(wanted):
                yield make_frame(as_given(batch, self.options), batch.stored)

    def raw_for(self, known: Schema, columns: Sequence[str | int] | None, every: bool = False) -> Iterator[Batch]:
        """Yield the raw batches for `typed`, of the columns needed or of every one.

        The types of columns that the schema has seen nothing of are found before.
        """
        target = self.options.target or known.target
        fresh = [str(column.name) for column in known.columns if column.blank] if has_names(known) else []
        fresh = [name for name in fresh if name not in known.reading and name in known.given_names]
        if target is not None and not len(known.classes) and (columns is None or target in columns):
            fresh.append(target)
        self._pass = (0.0, 1.0)
        if fresh and self._are_text():
            self.cell_types(fresh)
        kinds = {str(c.name): "numbers" if c.kind == "numbers" and not c.blank else "text" for c in known.columns}
        read = {str(name): "text" for name in known.used_names if name in known.reading}
        types = None if every or not has_names(known) else {str(target): "text", **kinds, **read}
        return self._batches(lambda file: self._needed(file, known, columns, every), alike=False, types=types)

    def _needed(
        self, file: TableFile, known: Schema, columns: Sequence[str | int] | None, every: bool
    ) -> list[str] | None:
        beside = self._beside(known, columns)
        if has_names(known) and file.names is not None:
            check_header(file.name, known, file.names, self.options)
        if columns is None and self.options.target is None and file.names is not None:
            # rows may come without the target that the schema remembers, not without one that was asked for
            beside = [name for name in beside if name != known.target or name in file.names]
        self._present(file, beside)
        if every or not has_names(known):
            return self._present(file, None)
        used = list(map(str, known.used_names))
        if self.options.may_lack and file.names is not None:
            used = list(filter(set(file.names).__contains__, used))
        return self._present(file, [*used, *beside])

    def _beside(self, known: Schema, columns: Sequence[str | int] | None) -> list[str]:
        """Return the columns to read beside those of a schema: as asked for, or the target and the weights."""
        asked = (self.options.target or known.target, self.options.weight) if columns is None else columns
        given = {None, *known.given_names}
        return [str(name) for name in asked if name not in given]

    def typed(self, batch: Batch, known: Schema, columns: Sequence[str | int] | None) -> dict[str, Any]:
        """Return the columns of a schema, and those asked for or there beside them, typed as the schema has them."""
        beside = [name for name in self._beside(known, columns) if columns is not None or name in batch.columns]
        return by_schema(batch, known, beside, self._cell_types.of(), self.options)

    def _frame(
        self, typed: dict[str, Any], known: Schema, columns: Sequence[str | int] | None, stored: frozenset[str]
    ) -> Any:
        if not has_names(known):
            return make_array(typed) if len(typed) == len(known.given_names) else make_frame(typed, stored)
        return make_frame(typed if columns is None else {str(name): typed[str(name)] for name in columns}, stored)
