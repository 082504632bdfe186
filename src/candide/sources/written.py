"""Files as they are written: batches of cells, one file behind the other, in the order of their rows.

What can be read only once is copied to a temporary file before it is read twice.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from candide.messages import unknown
from candide.progress import Done
from candide.reading.omitted import INDEX
from candide.sources.base import Reading
from candide.sources.batch import Batch
from candide.sources.opening import STANDARD_INPUT, Place, is_repeatable, open_bytes, spooled
from candide.sources.table_file import TableFile

FIRST_BYTES = 1 << 20
"""What is read of text at a time where its first rows are wanted alone."""


class WrittenFiles:
    """Cells of tables in files, one behind the other, as they are written.

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
        self._keeper: WrittenFiles = self  # whose copies of pipes are read, and who must not go before they are
        self._places: list[Place] = list(paths)
        self._groups = slice(None)  # groups of rows of the first file that are read
        self._alone = False  # whether other threads read other parts
        self._of_all: list[str] | None = None  # the columns of all files, where these are some of them
        self._block_bytes: int | None = None
        self._pass = (0.0, 1.0)  # where the present pass begins, and how much of all reading it is

    @property
    def named(self) -> tuple[str, ...]:
        """The files as they were given; standard input is none."""
        return tuple(path for path in self._paths if path != STANDARD_INPUT)

    @property
    def paths(self) -> tuple[str, ...]:
        """Where the files are, from wherever one looks."""
        return tuple(str(Path(path).absolute()) for path in self.named)

    def place(self, row: int) -> str:
        """Return where a row of a file stands, for a message: files are counted from their first row."""
        return f"row {row}"

    def learning(self, target: str, weight: str | None) -> Self:
        """Return the same files with the columns of their labels and weights named, so that these are typed as such."""
        options = replace(self.options, target=target, weight=weight)
        if options == self.options:
            return self
        other = type(self)(self._paths, options)
        other.done, other._places, other._keeper = self.done, self._places, self
        return other

    def behind(self, rows: int) -> tuple[Self, int]:
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
        other = type(self)(paths, self.options)
        other.done, other._groups = self.done, slice(passed, None)
        return other, rows

    def beginning(self) -> Self:
        """Return the same files for somebody who wants their first rows alone: those of text come in small batches."""
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

    def _batches(
        self, choose: Callable[[TableFile], list[str] | None], alike: bool, types: Mapping[str, str] | None
    ) -> Iterator[Batch]:
        """Yield the batches of the columns chosen; alike are files whose cells are typed by what all of them hold.

        With the types that are known, cells may come as what they are guessed to be; without, they are as written.
        """
        begin, share = self._pass
        self.rows = 0
        first: list[str] | None = self._of_all
        for n, (file, wanted) in enumerate(self._opened(choose, alike)):
            first = first or wanted
            for batch in file.batches(wanted, types):
                self.rows += batch.n_rows
                yield with_index(batch, first or ())
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
                first = first or self._of_all or wanted
                yield file, _alike(name, wanted, self._names[0], first)

    def _present(self, file: TableFile, columns: Sequence[str] | None) -> list[str] | None:
        """Return the columns to read from a file; None for all that its objects have."""
        if file.names is None:
            return None if columns is None else list(columns)
        if columns is None:
            return [name for name in file.names if name not in self.options.exclude]
        known = set(file.names)
        strange = next((name for name in columns if name not in known), None)
        if strange is not None:
            raise ValueError(f"{file.name}: {unknown('column', strange, file.names)}")
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


def _alike(name: str, wanted: list[str] | None, other: str, first: list[str] | None) -> list[str] | None:
    """Return the columns to read of a file beside another; those that differ are an error, in whatever order.

    An index that pandas wrote may be in some files alone, since it is ignored: the first tells whether there is one.
    """
    if wanted is None or first is None:
        return wanted
    odd = {column for column in set(wanted) ^ set(first) if not INDEX.fullmatch(column)}
    if odd:
        raise ValueError(f"{name} and {other} differ in the column {min(odd)!r}: give tables of the same columns")
    known = set(first)
    return [column for column in wanted if column in known]


def with_index(batch: Batch, names: Sequence[str]) -> Batch:
    """Return a batch in which an index that other files have is missing."""
    absent = [name for name in names if name not in batch.columns and INDEX.fullmatch(name)]
    if not absent:
        return batch
    return replace(batch, columns={**batch.columns, **{name: np.full(batch.n_rows, np.nan) for name in absent}})
