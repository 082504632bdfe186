"""Rows to judge a model by: read as it reads them, and told apart into those that it has learnt and new ones."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np

from candide.engines import Batched
from candide.engines.sample import Sample
from candide.estimator.classifier import Classifier
from candide.estimator.given import read_given
from candide.estimator.state import count
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.sources.base import is_source
from candide.statistics.learnt import Learnt
from candide.table.labels import code_labels
from candide.table.stack import stack
from candide.table.weights import read_weights

Array = np.ndarray[Any, Any]
How = Literal["learnt", "new", "unclear"]


@frozen
class JudgedRows:
    """Rows with their classes.

    Parameters
    ----------
    rows : Rows
    y : ndarray of int (rows,)
        Classes as the model codes them; -1 for one that it has not learnt.
    weight : ndarray (rows,)
    how : "learnt", "new" or "unclear"
        "unclear": all of them may have been learnt, but so were others.
    among : int or None
        How many rows the source has that these are a sample of; None where these are all.
    """

    rows: Rows
    y: Array
    weight: Array
    how: How
    among: int | None = None

    @property
    def learnt(self) -> bool:
        """Whether each row is scored by the model without it, the careful thing where it is not clear."""
        return self.how != "new"


def judged(model: Classifier, table: Any, learnt: bool | None = None) -> JudgedRows:
    """Read a table.

    Parameters
    ----------
    model : fitted classifier
    table : frame or source with the target column, (X, y) or (X, y, sample_weight)
        Of a source of many rows evenly spaced ones are kept, 50,000 at the least.
    learnt : bool or None
        Whether the rows were learnt; None asks the algebra.
    """
    X, y, sample_weight = parts(model, table)
    if is_source(X) and isinstance(y, str):
        return judged_source(model, X, y, sample_weight, learnt)
    how: How = was_learnt(model, X, y, sample_weight) if learnt is None else "learnt" if learnt else "new"
    schema = model.learnt_.schema
    read, labels, _ = read_given(*model._given(X, y), schema, type(model).__name__)
    weight = read_weights(sample_weight, read.n_rows)
    codes = code_labels(labels.classes, schema.classes)[labels.codes]
    w = np.ones(read.n_rows) if weight is None else weight.astype(float)
    return JudgedRows(Rows(read, schema, model.unseen), np.asarray(codes), w, how)


def judged_source(model: Classifier, X: Any, y: str, sample_weight: Any, learnt: bool | None) -> JudgedRows:
    """Read a source, once: whether all of its rows were learnt, and a sample of them."""
    schema = model.learnt_.schema
    engine, source, plan = model._open(X, y, sample_weight, schema)
    assert isinstance(source, Batched)
    source.sample = Sample((), whole=True)
    if learnt is None:
        how = remaining(model, count(engine, source, plan, schema))
    else:
        how = "learnt" if learnt else "new"
        for _ in source:  # the sample takes its share as they go by
            pass
    kept = source.sample.parts
    table = stack([part.table for part in kept if part.table is not None])
    codes = [part.coded(schema.classes) for part in kept]
    among = source.sample.seen if source.sample.seen > table.n_rows else None
    weight = np.concatenate([part.weight for part in kept])
    return JudgedRows(Rows(table, schema, model.unseen), np.concatenate(codes), weight, how, among)


def parts(model: Classifier, table: Any) -> tuple[Any, Any, Any]:
    """Return X, y and the weights of a table; y is the name of the target where the table holds it."""
    if isinstance(table, tuple) and len(table) in (2, 3):
        X, y, sample_weight = (*table, None)[:3]
    else:
        X, y, sample_weight = table, None, None
    if y is None:
        y = model.learnt_.schema.target
        if y is None:
            raise ValueError("the model does not know the name of its target: give the rows as (X, y)")
    return X, y, sample_weight


def was_learnt(model: Classifier, X: Any, y: Any, sample_weight: Any = None) -> How:
    """Say whether rows are what a model has learnt."""
    schema = model.learnt_.schema
    try:
        engine, source, plan = model._open(X, y, sample_weight, schema)
        taught = count(engine, source, plan, schema)
    except ValueError:
        return "new"
    return remaining(model, taught)


def remaining(model: Classifier, taught: Learnt) -> How:
    """Say whether rows are what a model has learnt, by taking what they teach away from it.

    Where nothing is left they are; where they cannot be forgotten they are new; what is left over leaves it open.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rest = model.learnt_ - taught
    except ValueError:
        return "new"
    return "learnt" if rest.weight <= 1e-9 * model.learnt_.weight else "unclear"
