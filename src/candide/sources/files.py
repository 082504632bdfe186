"""Files: tables in files of any format, in pipes and on standard input, as batches, in the order of their rows.

Text does not say what its columns are. Where no schema says it either, the types of all columns are found in a first
pass and the batches typed in a second; what can be read only once is copied to a temporary file before. Small files
are kept in between, and read once.
"""

from __future__ import annotations

import errno
import glob
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from candide.messages import unknown
from candide.progress import Done
from candide.reading import ReadAs
from candide.schema.schema import Schema
from candide.sources.base import Reading
from candide.sources.batch import Batch, batch_rows, in_batches
from candide.sources.cell_types import CellType, CellTypes
from candide.sources.formats import FORMATS, by_ending
from candide.sources.opening import STANDARD_INPUT, Place, check_file, is_repeatable, open_bytes, spooled
from candide.sources.spelling import is_arrow, is_text
from candide.sources.table_file import TableFile
from candide.sources.typing import as_given, by_schema, by_type, check_header, has_names, make_array, make_frame

KEPT_BYTES = 1 << 28
"""Raw cells of a first pass that are kept for the second."""
FIRST_BYTES = 1 << 20
"""What is read of a CSV at a time where its first rows are wanted alone."""


def expand(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the files that paths, folders and patterns name, those of one in the order of their names.

    Examples
    --------
    >>> expand(["nowhere/*.csv"])
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] no file is called so: 'nowhere/*.csv'
    """
    found: list[str] = []
    for given in paths:
        path = os.fspath(given)
        named = [path]
        if Path(path).is_dir():
            named = [str(file) for file in sorted(Path(path).iterdir()) if is_table(file)]
            if not named:
                raise FileNotFoundError(errno.ENOENT, "the folder holds no table", path)
        elif glob.has_magic(path) and not Path(path).exists():
            named = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  # patterns may be absolute
        if not named:
            raise FileNotFoundError(errno.ENOENT, "no file is called so", path)
        for name in named:
            check_file(name)
        found += named
    return found


def is_table(path: Path) -> bool:
    """Whether a file of a folder is called as a table is; hidden ones are not."""
    return path.is_file() and not path.name.startswith(".") and by_ending(path.name)[0] is not None


class Files:
    """Tables in files, one behind the other.

    Parameters
    ----------
    paths : sequence of str
        "-" is standard input.
    options : Reading

    Attributes
    ----------
    read_names : list of str, or None
        The columns of the file that was opened last, where its format names them before the first row.
    rows : int
        How many rows the last reading through all files has given so far.
    """

    def __init__(self, paths: Sequence[str], options: Reading) -> None:
        self.options = options
        self.done: Done = lambda _: None
        self.repeatable = all(map(is_repeatable, paths))
        self._names = ["standard input" if path == STANDARD_INPUT else path for path in paths]
        self.name = self._names[0] if len(paths) == 1 else f"{self._names[0]} and {len(paths) - 1} more"
        self.read_names: list[str] | None = None
        self.rows = 0
        self._paths = tuple(paths)
        self._keeper: Files = self  # whose copies of pipes are read, and who must not go before they are
        self._places: list[Place] = list(paths)
        self._cell_types = CellTypes(options)
        self._kept: tuple[Sequence[str] | None, list[Batch]] | None = None
        self._groups = slice(None)  # groups of rows of the first file that are read
        self._alone = False  # whether other threads read other parts
        self._block_bytes: int | None = None
        self._pass = (0.0, 1.0)  # where the present pass begins, and how much of all reading it is

    def learning(self, target: str, weight: str | None) -> Files:
        """Return the same files with the columns of their labels and weights named, so that these are typed as such."""
        options = replace(self.options, target=target, weight=weight)
        if options == self.options:
            return self
        other = Files(self._paths, options)
        other.done, other._places, other._keeper = self.done, self._places, self
        return other

    def behind(self, rows: int) -> tuple[Files, int]:
        """Return the files behind some rows, and how many of their first rows are still to be left aside.

        Files and row groups of Parquet are passed over unread; of other formats everything is to be read.
        """
        paths, passed = list(self._paths), 0
        while rows:  # ends: one path less each time, or a break
            with TableFile(paths[0], paths[0], self.options) as file:
                ends = np.cumsum([0, *file.group_rows])
            if ends[-1] <= rows and len(paths) > 1 and len(ends) > 1:
                rows -= int(ends[-1])
                paths.pop(0)
                continue
            passed = int(np.searchsorted(ends, rows, side="right")) - 1
            rows -= int(ends[passed])
            break
        if not passed and len(paths) == len(self._paths):
            return self, rows
        other = Files(paths, self.options)
        other.done, other._groups = self.done, slice(passed, None)
        return other, rows

    def beginning(self) -> Files:
        """Return the same files for somebody who wants their first rows alone: those of a CSV come in small batches."""
        other = copy(self)
        other._block_bytes = FIRST_BYTES
        return other

    def signature(self) -> list[Any]:
        """Return what tells these files from others: where they are, how long, and when they were changed."""
        found = [(Path(path).absolute(), Path(path).stat()) for path in self._paths]
        return [[str(path), stat.st_size, stat.st_mtime_ns] for path, stat in found]

    # -- raw cells ---------------------------------------------------------------------------------------------------

    def raw(self, columns: Sequence[str] | None = None) -> Iterator[Batch]:
        """Yield the batches as they are written.

        Parameters
        ----------
        columns : sequence of str, optional
            The columns to yield, by default all but the excluded; one that is not there is an error, or missing in
            objects.
        """
        return self._batches(lambda file: self._present(file, columns), alike=True, types=None)

    def _cells(self, columns: Sequence[str] | None) -> Iterator[Batch]:
        """Yield the batches, with cells that are numbers or codes as such where that is seen at once."""
        return self._batches(lambda file: self._present(file, columns), alike=True, types=self._cell_types.of())

    def _batches(
        self, choose: Callable[[TableFile], list[str] | None], alike: bool, types: Mapping[str, str] | None
    ) -> Iterator[Batch]:
        """Yield the batches of the columns chosen; alike are files whose cells are typed by what all of them hold.

        With the types that are known, cells may come as what they are guessed to be; without, they are as written.
        """
        begin, share = self._pass
        self.rows = 0
        for n, (file, wanted) in enumerate(self._opened(choose, alike)):
            for batch in file.batches(wanted, types):
                self.rows += batch.n_rows
                yield batch
                read = file.fraction
                self.done(None if read is None else begin + share * (n + read) / len(self._places))

    def _opened(
        self, choose: Callable[[TableFile], list[str] | None], alike: bool
    ) -> Iterator[tuple[TableFile, list[str] | None]]:
        """Yield the files, one behind the other, each open and with the columns chosen, which are those of all."""
        first: list[str] | None = None
        forms: dict[str, str] = {}
        for n, (place, name) in enumerate(zip(self._places, self._names, strict=True)):
            with TableFile(place, name, self.options, self._block_bytes) as file:
                file.read_only(self._groups if n == 0 else slice(None), self._alone)
                self.read_names = file.names
                forms.setdefault(file.format.cells, name)
                if alike and len(forms) > 1:
                    raise ValueError(f"{' and '.join(forms.values())} are of two formats: give tables of one")
                wanted = choose(file)
                first = first or wanted
                _check_same(name, wanted, self._names[0], first)
                yield file, wanted

    def parts(self, known: Schema | None = None) -> Iterator[tuple[Files, int]]:
        """Yield files of Parquet in parts, groups of rows, each with the row that it begins with; see `Source`."""
        formats = {self.options.format or by_ending(path)[0] for path in self._paths}
        grouped = all(name is not None and FORMATS[name].in_groups for name in formats)
        if not self.repeatable or not grouped or self._groups != slice(None):
            return
        choose = self._present if known is None else partial(self._needed, known=known, every=False)
        self.rows = 0
        for n, (file, wanted) in enumerate(self._opened(lambda file: choose(file, columns=None), known is None)):
            ends = np.cumsum([0, *file.group_rows]).tolist()
            for groups in in_batches(file.group_rows, batch_rows(len(wanted or ()))):
                part = Files([self._paths[n]], self.options)
                part._groups, part._alone = groups, True
                yield part, self.rows
                self.rows += ends[groups.stop] - ends[groups.start]
                self.done((n + ends[groups.stop] / max(1, ends[-1])) / len(self._paths))

    def _present(self, file: TableFile, columns: Sequence[str] | None) -> list[str] | None:
        """Return the columns to read from a file; None for all that its objects have."""
        if file.names is None:
            return None if columns is None else list(columns)
        if columns is None:
            return [name for name in file.names if name not in self.options.exclude]
        for name in columns:
            if name not in file.names:
                raise ValueError(f"{file.name}: {unknown('column', name, file.names)}")
        return list(columns)

    def names(self) -> list[str] | None:
        """Return the columns, None where only the rows name them."""
        self._keep_pipes()
        with TableFile(self._places[0], self._names[0], self.options) as file:
            return file.names

    def _keep_pipes(self) -> None:
        """Copy what can be read only once, so that it can be read again."""
        for n, place in enumerate(self._places):
            if not is_repeatable(place):
                with open_bytes(place, self._names[n])[0] as stream:
                    self.keep(spooled(stream), n)

    def keep(self, copy: IO[bytes], n: int = 0) -> None:
        """Read a copy in the place of a file that can be read only once."""
        weakref.finalize(self, copy.close)
        self._places[n] = copy

    # -- types -------------------------------------------------------------------------------------------------------

    def cell_types(self, columns: Sequence[str] | None = None) -> dict[str, CellType]:
        """Return what the cells of each column are, from all of them; only what was not looked at before is read."""
        if not self._cell_types.complete and (columns is None or any(name not in self._cell_types for name in columns)):
            self._look(columns)
        return self._cell_types.of(columns)

    def readers(self) -> dict[str, ReadAs]:
        """Return how columns of text are to be read, as all of their cells show; nothing before they were seen."""
        return self._cell_types.readers

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
        if kept is not None and any(map(self._is_numeric_text, kept)):
            kept = None
        self._pass = (0.5, 0.5)
        self._kept = None if kept is None else (columns, kept)

    def _is_numeric_text(self, batch: Batch) -> bool:
        """Whether a column came as numbers and is text after all, of which the spelling is wanted."""
        types = self._cell_types.of()
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
                yield make_frame(by_type(batch, cell_types, self.options), batch.stored)
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
            used = [name for name in used if name in file.names]
        return self._present(file, [*used, *beside])

    def _beside(self, known: Schema, columns: Sequence[str | int] | None) -> list[str]:
        """Return the columns to read beside those of a schema: as asked for, or the target and the weights."""
        asked = (self.options.target or known.target, self.options.weight) if columns is None else columns
        return [str(name) for name in asked if name is not None and name not in known.given_names]

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


def _check_same(name: str, wanted: list[str] | None, other: str, first: list[str] | None) -> None:
    """Refuse files that do not have the same columns, in whatever order."""
    if wanted is not None and first is not None and set(wanted) != set(first):
        odd = min(set(wanted) ^ set(first))
        raise ValueError(f"{name} and {other} differ in the column {odd!r}: give tables of the same columns")
