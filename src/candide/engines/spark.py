"""The engine for frames of Spark: every partition is counted where it lies, and what the partitions teach is added up.

A partition is a source of Arrow batches, and is counted by the loop that counts any other. What goes to the driver is
one `Learnt` for each of a few partitions, never a row.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import add
from typing import Any

from candide.engines.batches import Batched, Batches
from candide.frozen import frozen
from candide.reading import TableReading
from candide.schema.column import Kind
from candide.schema.known_truths import TruthColumns
from candide.schema.schema import Schema
from candide.sources.base import Reading
from candide.sources.streams import Frames, gathered
from candide.sources.typing import record_batch
from candide.statistics.learnt import Learnt
from candide.statistics.request import Request

HEAD = 1_000
"""Rows that are looked at to tell what the columns are."""
FEW = 16
"""Partial statistics that the driver adds up by itself; more are added up on the executors before."""
PAYLOAD = "learnt binary"

INSTALL = (
    "candide is not installed where Spark's executors run Python: install the same release there, or ship an "
    "environment that has it (spark.archives with a packed environment, and spark.pyspark.python pointing into it)"
)


def is_spark(X: Any) -> bool:
    """Whether X is a frame of Spark, of a session in this process or of a server (Connect)."""
    return any(base.__module__.startswith("pyspark.sql") for base in type(X).__mro__) and hasattr(X, "mapInArrow")


@dataclass(eq=False)
class SparkRows:
    """A frame of Spark whose rows have their labels, and where asked their weights, in columns of their own.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    target : str
        The column of the labels.
    weight : str or None
        The column of the weights.
    known : Schema or None
        What was learnt before.
    who : str
        The estimator's name, for messages.
    reading : "auto", "plain", a mapping or a TableReading
        How columns are read where nothing was learnt before: as the first rows show, on all executors alike.
    """

    frame: Any
    target: str
    weight: str | None = None
    known: Schema | None = None
    who: str = "the model"
    reading: Any = "plain"
    found: TableReading | None = None
    truths: TruthColumns | None = None

    def batched(self, frames: Iterable[Any]) -> Batched:
        """Return some of the rows, as the batches that they come in."""
        source = Frames(iter(frames), Reading())
        source.name = "the Spark frame"
        columns = source.learning(self.target, self.weight)
        told = {"reading": self.reading, "found": self.found, "truths": self.truths}
        return Batched(columns, self.target, self.weight, self.known, self.who, **told)


@frozen
class Spark:
    """Counts a frame of Spark on its executors."""

    def columns(self, source: SparkRows) -> tuple[Sequence[str | int], Sequence[Kind]]:
        """Return names and kinds as the first rows show them; Spark knows the types of all."""
        with explained():
            head = source.frame.limit(HEAD).toArrow()
        first = source.batched([head] if head.num_rows else [])
        columns = Batches().columns(first)
        source.found, source.truths = first.found, first.truths
        return columns

    def learn(self, source: SparkRows, request: Request, known: Schema | None = None) -> Iterator[Learnt]:
        """Yield what the partitions teach, few of them or sums of some."""
        nowhere = replace(source, frame=None)
        with explained():
            parts = source.frame.mapInArrow(counting(nowhere, request, known), PAYLOAD)
            if (partitions := number_of_partitions(source.frame)) > FEW:
                # repartitioned are the sums, not the rows: the square root of their number makes a tree of two levels
                parts = parts.repartition(round(partitions**0.5)).mapInArrow(adding, PAYLOAD)
            found = parts.toArrow().column(0)
        yield from (unpacked(cell.as_py()) for cell in found)


def number_of_partitions(frame: Any) -> int:
    """Return how many partitions a frame has; a server does not tell, and is taken to have many."""
    try:
        return int(frame.rdd.getNumPartitions())
    except Exception:  # of a class that only pyspark has
        return FEW**2


def counting(source: SparkRows, request: Request, known: Schema | None) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what an executor does with a partition: from batches of rows to what they teach, if there are any."""

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        there = (batch for batch in batches if batch.num_rows)
        first = next(there, None)
        if first is None:
            return
        rows = source.batched(gathered(chain([first], there)))
        yield packed(lambda: reduce(add, Batches().learn(rows, request, known)))

    return count


def adding(batches: Iterator[Any]) -> Iterator[Any]:
    """Add up what several partitions teach, on an executor."""
    parts = [cell.as_py() for batch in batches for cell in batch.column(0)]
    if parts:
        yield packed(lambda: reduce(add, map(unpacked, parts)))


def packed(work: Callable[[], Learnt]) -> Any:
    """Return what was learnt as a batch of one cell; or why it could not be, which Spark would tell as a traceback."""
    from importlib.metadata import version

    try:
        found: Learnt | Exception = work()
    except (ValueError, TypeError) as error:
        found = error
    return record_batch({"learnt": [pickle.dumps((version("candide"), found))]})


def unpacked(cell: bytes) -> Learnt:
    """Return what was learnt elsewhere, or raise what went wrong there."""
    from importlib.metadata import version

    release, found = pickle.loads(cell)
    if release != version("candide"):
        raise RuntimeError(
            f"the executors have candide {release}, here is {version('candide')}: install the same release"
        )
    if isinstance(found, Exception):
        raise found
    learnt: Learnt = found
    return learnt


@contextmanager
def explained() -> Iterator[None]:
    """Say how candide gets to the executors, where it is not there."""
    try:
        yield
    except Exception as error:
        if "No module named 'candide'" in str(error):
            raise ImportError(INSTALL) from None
        raise
