"""Streams: Arrow readers and datasets, lazy frames, iterators and lists of frames, read batch by batch."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from candide.messages import unknown
from candide.progress import Done
from candide.schema.schema import Schema
from candide.sources.base import Reading, Source
from candide.sources.batch import batch_rows
from candide.table.encode import library


class Stream(Source):
    """A source that gives frames, whose cells have types already.

    Parameters
    ----------
    given : object
        What is read.
    options : Reading
        Which columns are left out; all else is for text.
    """

    name = "the stream of tables"
    repeatable = True

    def __init__(self, given: Any, options: Reading) -> None:
        self.given, self.options = given, options
        self.done: Done = lambda _: None
        self._read: list[bool] = []  # shared by all that read this stream

    def learning(self, target: str, weight: str | None) -> Stream:
        """Return the same stream with the columns of its labels and weights named, so that these are given as well."""
        other = copy(self)
        other.options = replace(self.options, target=target, weight=weight)
        return other

    @abstractmethod
    def frames(self, columns: Sequence[str] | None) -> Iterator[Any]:
        """Yield frames, of these columns at least."""

    def names(self) -> list[str] | None:
        """Return the columns, None where only the frames know them."""
        return None

    def batches(self, known: Schema | None = None, columns: Sequence[str | int] | None = None) -> Iterator[Any]:
        """Yield frames as they come, of the columns asked for; see `Source`."""
        if self._read and not self.repeatable:
            raise ValueError(f"{self.name} can be read only once, and has been: give a list or a file instead")
        self._read.append(True)
        names = self.names()
        wanted = None if names is None else self._wanted(names, known, columns)
        for frame in self.frames(wanted):
            if not len(frame):
                continue
            here = names_of(frame)
            yield frame if here is None else picked(frame, self._wanted(here, known, columns))
            self.done(None)

    def _wanted(self, names: list[str], known: Schema | None, columns: Sequence[str | int] | None) -> list[str]:
        """Return the columns to yield among those that are there."""
        if columns is not None and all(isinstance(name, str) for name in columns):
            wanted = list(map(str, columns))
            absent = next((name for name in wanted if name not in names), None)
            if absent is not None:
                raise ValueError(f"{self.name}: {unknown('column', absent, names)}")
            return wanted
        kept = [name for name in names if name not in self.options.exclude]
        if known is None or not all(isinstance(name, str) for name in known.names):
            return kept
        ours = {*known.used_names, known.target, self.options.target, self.options.weight}
        return [name for name in kept if name in ours]


class Frames(Stream):
    """A list or an iterator of frames."""

    def __init__(self, given: Any, options: Reading) -> None:
        super().__init__(given, options)
        self.repeatable = not isinstance(given, Iterator)

    def frames(self, columns: Sequence[str] | None) -> Iterator[Any]:
        return iter(self.given)


class ArrowStream(Stream):
    """A PyArrow reader, or anything that hands out an Arrow stream."""

    name = "the Arrow stream"
    repeatable = False

    def frames(self, columns: Sequence[str] | None) -> Iterator[Any]:
        import pyarrow as pa

        return gathered(pa.RecordBatchReader.from_stream(self.given))


class ArrowDataset(Stream):
    """A PyArrow dataset: files of any number, of which only the columns asked for are read."""

    name = "the dataset"

    def names(self) -> list[str]:
        return list(self.given.schema.names)

    def frames(self, columns: Sequence[str] | None) -> Iterator[Any]:
        from pyarrow import dataset

        options: dict[str, Any] = {}
        if isinstance(getattr(self.given, "format", None), dataset.ParquetFileFormat):
            # buffering ahead would hold whole row groups, all columns of them
            options["fragment_scan_options"] = dataset.ParquetFragmentScanOptions(pre_buffer=False)
        rows = batch_rows(len(self.names() if columns is None else columns))
        batches = self.given.to_batches(
            columns=columns, batch_size=rows, batch_readahead=1, fragment_readahead=1, **options
        )
        return iter(batches)


class LazyFrames(Stream):
    """A lazy frame of Polars, run a part at a time and never collected whole."""

    name = "the lazy frame"

    def names(self) -> list[str]:
        return list(self.given.collect_schema().names())

    def frames(self, columns: Sequence[str] | None) -> Iterator[Any]:
        lazy = self.given if columns is None else self.given.select(columns)
        rows = batch_rows(len(self.names() if columns is None else columns))
        if hasattr(lazy, "collect_batches"):
            yield from lazy.collect_batches(chunk_size=rows, maintain_order=True)
            return
        for start in range(0, 1 << 62, rows):  # an older Polars runs the query anew for each slice
            frame = lazy.slice(start, rows).collect()
            yield frame
            if len(frame) < rows:
                return


def gathered(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield record batches, those of few rows together: counting a batch costs more than counting a row of it."""
    import pyarrow as pa

    few: list[Any] = []
    for batch in batches:
        if few and sum(b.num_rows for b in few) + batch.num_rows > batch_rows(batch.num_columns):
            yield pa.Table.from_batches(few)
            few = []
        few.append(batch)
    if few:
        yield pa.Table.from_batches(few)


def one_behind_the_other(tables: Iterable[Any]) -> Any:
    """Return the rows of tables of PyArrow as one, in the memory that they have."""
    import pyarrow as pa

    return pa.concat_tables(tables)


def names_of(frame: Any) -> list[str] | None:
    """Return the columns of a frame, None for an array without names."""
    if library(frame) == "pyarrow":
        return list(frame.schema.names)
    names = list(frame.columns) if hasattr(frame, "columns") else None
    return names if names is None or all(isinstance(name, str) for name in names) else None


def picked(frame: Any, names: list[str]) -> Any:
    """Return some columns of a frame."""
    if names == names_of(frame):
        return frame
    return frame.select(names) if hasattr(frame, "select") else frame[names]
