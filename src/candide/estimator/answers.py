"""Answers: what predicting adds to rows, as named columns; in memory, batch by batch, or on Spark's executors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from candide.engines.spark import explained
from candide.overlap import overlapped
from candide.scoring.decision import decide, risk
from candide.sources.base import open_source
from candide.sources.batch import counted_from
from candide.sources.typing import record_batch

if TYPE_CHECKING:
    from candide.estimator.predictor import Predictor
    from candide.schema.schema import Schema

PREDICTION = "prediction"


def answers(model: Predictor, frame: Any, wanted: Sequence[str] = ()) -> dict[str, Any]:
    """Return the columns that predicting adds; without rows where there is no frame.

    Parameters
    ----------
    model : Predictor
    frame : table, or None
    wanted : sequence of "P" and "R"
        Also the probabilities, as columns P(class); also the risks, as columns R(class).
    """
    classes = model.classes_
    if not wanted:
        return {PREDICTION: classes[:0] if frame is None else model.predict(frame)}
    # scored once for the decision, the probabilities and the risks
    log_p = np.zeros((0, len(classes))) if frame is None else model.predict_log_proba(frame)
    costs = model._costs(classes)
    tables = {"P": np.exp(log_p), "R": risk(log_p, costs)}
    columns = {f"{name}({label})": tables[name][:, c] for name in wanted for c, label in enumerate(classes.tolist())}
    return {PREDICTION: classes[decide(log_p, costs)]} | columns


def scored_schema(model: Predictor) -> Schema:
    """Return the schema by which rows of files are read for a model: what it ignores may hold anything."""
    return model.learnt_.schema.without_types(model.model_.ignored)


def answered(model: Predictor, X: Any, wanted: Sequence[str]) -> Iterator[Any]:
    """Yield record batches of answers, in the order of the rows.

    One is scored while the next is read, where all are there to be read; a stream is answered as it comes.
    """
    known = scored_schema(model)
    source = open_source(X)
    frames = iter([X]) if source is None else source.batches(known, known.used_names)
    if source is not None and source.repeatable:
        yield from overlapped(lambda frame: record_batch(answers(model, frame, wanted)), frames)
        return
    start = 0
    for frame in frames:
        with counted_from(start):
            batch = record_batch(answers(model, frame, wanted))
        yield batch
        start += batch.num_rows


# -- Spark -----------------------------------------------------------------------------------------------------------


def answered_by_spark(model: Predictor, frame: Any, wanted: Sequence[str]) -> Any:
    """Return a frame of Spark with the columns that predicting adds behind its own; rows are scored where they lie."""
    from pyspark.sql.types import StructField, StructType

    added = answers(model, None, wanted)
    taken = next((name for name in added if name in frame.columns), None)
    if taken is not None:
        raise ValueError(f"the Spark frame has a column {taken!r} already: rename it, or drop it")
    absent = next((name for name in model.learnt_.schema.used_names if name not in frame.columns), None)
    if absent is not None:
        raise ValueError(f"the Spark frame has no column {absent!r}, which {type(model).__name__} has learnt")
    fields = [StructField(name, spark_type(column)) for name, column in added.items()]
    with explained():
        return frame.mapInArrow(answering(model, wanted), StructType([*frame.schema.fields, *fields]))


def spark_type(column: Any) -> Any:
    """Return Spark's type of a column that was added."""
    from pyspark.sql import types

    kinds = {"b": types.BooleanType, "i": types.LongType, "u": types.LongType, "f": types.DoubleType}
    return kinds.get(column.dtype.kind, types.StringType)()


def answering(model: Predictor, wanted: Sequence[str]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what an executor does with a partition: its batches, and the answers beside them."""
    names = list(model.learnt_.schema.used_names)

    def answer(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            if batch.num_rows:
                added = answers(model, batch.select(names), wanted)
                own = dict(zip(batch.schema.names, batch.columns, strict=True))
                yield record_batch(own | added)

    return answer
