"""The engine for frames of Spark: every partition is counted where it lies, and what the partitions teach is added up.

A partition is a source of Arrow batches, and is counted by the loop that counts any other. What goes to the driver is
one `Learnt` for each of a few partitions, and no row. Where something is settled on rows, some are drawn of each
partition as it is counted (`drawn.py`): they go with what it teaches, and are added up with it.
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

from candide.engines.base import Given
from candide.engines.batches import Batched, Batches, added
from candide.engines.drawn import Bound, Drawing, Drawn
from candide.engines.sample import Sample
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
FEW_DRAWN = 4
"""The same where rows are drawn of partitions: of more, they are added up on one executor at the last."""
PAYLOAD = "taught binary"

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
    sample : Sample or None
        What keeps the rows that are drawn while all are counted.
    """

    frame: Any
    target: str
    weight: str | None = None
    known: Schema | None = None
    who: str = "the model"
    reading: Any = "plain"
    found: TableReading | None = None
    truths: TruthColumns | None = None
    sample: Sample | None = None
    n_rows = 0
    """How many rows there are at the least: Spark does not tell before they are counted."""

    def batched(self, frames: Iterable[Any]) -> Batched:
        """Return some of the rows, as the batches that they come in."""
        source = Frames(iter(frames), Reading())
        source.name = "the Spark frame"
        columns = source.learning(self.target, self.weight)
        told = {"reading": self.reading, "found": self.found, "truths": self.truths}
        return Batched(columns, self.target, self.weight, self.known, self.who, **told)

    def __iter__(self) -> Iterator[Given]:
        """Yield rows that are drawn, once the sample has had them."""
        yield from self.given(collected(self, None).drawn)

    def given(self, drawn: Drawn | None) -> Iterator[Given]:
        """Yield rows that were drawn as any batch is read, once the sample has had them."""
        if drawn is None or self.sample is None:
            return
        rows = self.batched([drawn.ordered.rows])
        rows.sample, rows.every = self.sample, True
        yield from rows
        self.sample.seen = drawn.seen


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
        """Yield what the partitions teach, added up; the sample gets the rows that are drawn of them."""
        taught = collected(source, request, known)
        for _ in source.given(taught.drawn):
            pass
        if taught.learnt is not None:
            yield taught.learnt


@frozen
class Taught:
    """What partitions teach, as a value that adds.

    Parameters
    ----------
    learnt : Learnt or None
        None where nothing is counted.
    drawn : Drawn or None
        None where nothing is settled on rows.
    """

    learnt: Learnt | None = None
    drawn: Drawn | None = None

    def __add__(self, other: Taught) -> Taught:
        return Taught(added([self.learnt, other.learnt]), added([self.drawn, other.drawn]))


def collected(source: SparkRows, request: Request | None, known: Schema | None = None) -> Taught:
    """Return what all partitions teach: sums of them are sent, and the rows that are drawn of them."""
    partitions = number_of_partitions(source.frame)
    bound = None if source.sample is None else Bound.of(source.sample)
    nowhere = replace(source, frame=None, sample=None)
    with explained():
        parts = source.frame.mapInArrow(counting(nowhere, request, known, bound, partitions), PAYLOAD)
        for number in levels(partitions or FEW**2, bound is not None):  # repartitioned are the sums, not the rows
            parts = parts.repartition(number).mapInArrow(adding, PAYLOAD)
        cells = parts.toArrow().column(0)
    return reduce(add, (unpacked(cell.as_py()) for cell in cells), Taught())


def levels(partitions: int, drawn: bool) -> Iterator[int]:
    """Yield into how many parts what so many partitions teach is added up before the driver does so, step by step.

    The square root of many makes a tree of two levels. Rows that are drawn come in one part, or in very few.
    """
    if partitions > FEW:
        yield round(partitions**0.5)
    if drawn and partitions > FEW_DRAWN:
        yield 1


def number_of_partitions(frame: Any) -> int | None:
    """Return how many partitions a frame has; None where a server does not tell, which is taken to have many."""
    try:
        return int(frame.rdd.getNumPartitions())
    except Exception:  # of a class that only pyspark has
        return None


def counting(
    source: SparkRows, request: Request | None, known: Schema | None, bound: Bound | None, partitions: int | None
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what an executor does with a partition: from batches of rows to what they teach, if there are any.

    Parameters
    ----------
    source : SparkRows
        Without its frame.
    request : Request or None
        What is counted; None: nothing.
    known : Schema or None
        What was learnt before.
    bound : Bound or None
        How many rows are drawn; None: none.
    partitions : int or None
        How many there are, where it is known.
    """

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        there = (batch for batch in batches if batch.num_rows)
        first = next(there, None)
        if first is None:
            return
        tables = gathered(chain([first], there))
        drawing = None if bound is None else Drawing(bound, here(), partitions)
        rows = source.batched(tables if drawing is None else drawing.passing(tables))

        def work() -> Taught:
            learnt = None if request is None else reduce(add, Batches().learn(rows, request, known))
            for _ in rows if request is None else ():  # they are drawn as they go by
                pass
            return Taught(learnt, None if drawing is None else drawing.drawn)

        yield packed(work)

    return count


def here() -> int:
    """Return the number of the partition that this executor is at."""
    from pyspark import TaskContext

    task = TaskContext.get()
    return 0 if task is None else int(task.partitionId())


def adding(batches: Iterator[Any]) -> Iterator[Any]:
    """Add up what several partitions teach, on an executor."""
    parts = [cell.as_py() for batch in batches for cell in batch.column(0)]
    if parts:
        yield packed(lambda: reduce(add, map(unpacked, parts)))


def packed(work: Callable[[], Taught]) -> Any:
    """Return what was taught as a batch of one cell; or why it could not be, which Spark would tell as a traceback."""
    from importlib.metadata import version

    try:
        found: Taught | Exception = work()
    except (ValueError, TypeError) as error:
        found = error
    return record_batch({"taught": [pickle.dumps((version("candide"), found))]})


def unpacked(cell: bytes) -> Taught:
    """Return what was taught elsewhere, or raise what went wrong there."""
    from importlib.metadata import version

    release, found = pickle.loads(cell)
    if release != version("candide"):
        raise RuntimeError(
            f"the executors have candide {release}, here is {version('candide')}: install the same release"
        )
    if isinstance(found, Exception):
        raise found
    taught: Taught = found
    return taught


@contextmanager
def explained() -> Iterator[None]:
    """Say how candide gets to the executors, where it is not there."""
    try:
        yield
    except Exception as error:
        if "No module named 'candide'" in str(error):
            raise ImportError(INSTALL) from None
        raise
