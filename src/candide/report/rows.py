"""Rows to judge a model by: read as it reads them, and told apart into those that it has learnt and new ones."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from candide.estimator.classifier import Classifier
from candide.estimator.given import read_given
from candide.schema.rows import Rows
from candide.table.labels import code_labels
from candide.table.weights import read_weights

Array = np.ndarray[Any, Any]
How = Literal["learnt", "new", "unclear"]


@dataclass(frozen=True, eq=False)
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
    """

    rows: Rows
    y: Array
    weight: Array
    how: How

    @property
    def learnt(self) -> bool:
        """Whether each row is scored by the model without it, the careful thing where it is not clear."""
        return self.how != "new"


def judged(model: Classifier, table: Any, learnt: bool | None = None) -> JudgedRows:
    """Read a table.

    Parameters
    ----------
    model : fitted classifier
    table : frame with the target column, (X, y) or (X, y, sample_weight)
    learnt : bool or None
        Whether the rows were learnt; None asks the algebra.
    """
    X, y, sample_weight = parts(model, table)
    how: How = was_learnt(model, X, y, sample_weight) if learnt is None else "learnt" if learnt else "new"
    schema = model.learnt_.schema
    read, labels, _ = read_given(*model._given(X, y), schema, type(model).__name__)
    weight = read_weights(sample_weight, read.n_rows)
    codes = code_labels(labels.classes, schema.classes)[labels.codes]
    w = np.ones(read.n_rows) if weight is None else weight.astype(float)
    return JudgedRows(Rows(read, schema, model.unseen), np.asarray(codes), w, how)


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
    """Say whether rows are what a model has learnt, by taking them away from it.

    Where nothing is left they are; where they cannot be forgotten they are new; what is left over leaves it open.
    """
    rest = model.__radd__(0)  # the same model, to be taken apart
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rest.forget(X, y, sample_weight)
    except ValueError:
        return "new"
    left = float(np.sum(rest.learnt_.statistics["classes"].table))
    return "learnt" if left <= 1e-9 * float(np.sum(model.class_counts_)) else "unclear"
