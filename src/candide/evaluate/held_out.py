"""Held out: rows scored by the model without a part of them, where leaving one out keeps what was settled on it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from candide.combination import log_posterior
from candide.distributions.weighted import WeightedBag
from candide.engines import Given, Memory
from candide.estimator.settling import sample_for, tuned_state
from candide.estimator.state import State, count
from candide.model.model import Model
from candide.model.plan import Plan
from candide.schema.rows import Rows
from candide.scoring.scoring import score
from candide.statistics.learnt import Learnt
from candide.table import Table
from candide.table.labels import Labels

Array = np.ndarray[Any, Any]

FOLDS = 3
"""Parts of the rows, each answered by a model without it."""
SEED = 0
"""Decides the parts: the same rows are told the same."""


def held_out(model: Any, table: Table, truth: Array, weight: Array | None = None) -> Array:
    """Return log P(c | x) of rows that a model has learnt, each by the model without a third of them.

    What the third taught is taken away exactly, as `forget` does; distributions are chosen again from what is left, and
    weights, or numbers of documents, are settled anew on the other two thirds. So nothing that answers a row has seen
    it: of a whole table they are the models that its other rows make, but for the cuts that trees and averages keep.

    Parameters
    ----------
    model : fitted classifier
    table : Table
        The rows, with the columns that are learnt, as the model's schema reads them.
    truth : ndarray of int (rows,)
        Their classes.
    weight : ndarray (rows,) or None
        What they weighed when they were learnt.
    """
    state, made = model._modelled()
    before, plan, classes = state.learnt, made.plan, model.classes_
    part = parts(truth)
    out = np.empty((len(truth), len(classes)))

    def given(rows: Array) -> Given:
        weighed = None if weight is None else weight[rows]
        return Given(table.take(rows), Labels(truth[rows], classes), weighed, reading=before.schema.reading)

    for fold in range(FOLDS):
        asked, others = given(np.flatnonzero(part == fold)), given(np.flatnonzero(part != fold))
        learnt = taken_away(before, asked, others, plan).with_classes(classes)
        anew = settled_anew(learnt, plan, others).make(plan).model
        scores = score(anew, plan.combination, Rows(asked.table, learnt.schema))
        out[part == fold] = log_posterior(scores, anew.log_prior)
    return out


def taken_away(learnt: Learnt, asked: Given, others: Given, plan: Plan) -> Learnt:
    """Return what was learnt without some rows, or of the others alone where these cannot be taken from what faded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of digits that are lost, which are few
            return learnt - count(Memory(), asked, plan, learnt.schema)
    except ValueError:
        return count(Memory(), others, plan, learnt.schema)


def parts(truth: Array) -> Array:
    """Return the part of each row: the classes in equal shares, and rows in no order, since that of a table may tell.

    Examples
    --------
    >>> np.bincount(parts(np.array([0, 1, 0, 1, 0, 1]))).tolist()
    [2, 2, 2]
    """
    order = np.random.default_rng(SEED).permutation(len(truth))
    part = np.empty(len(truth), dtype=np.int64)
    part[order[np.argsort(truth[order], kind="stable")]] = np.arange(len(truth)) % FOLDS
    return part


def settled_anew(learnt: Learnt, plan: Plan, others: Given) -> State:
    """Return the state of what was learnt, with what is settled on rows settled on these."""
    sample = sample_for(plan)
    if sample is None:
        return State(learnt, plan)
    sample.take(others)
    return tuned_state(learnt, plan, sample)


def weighed_on(model: Model) -> float:
    """Return the rows that weights of columns or of words were settled on; none where they were not settled."""
    weights, bags = model.settled.weights, [block.bare for block in model.blocks]
    of_words = [float(bag.rule.documents) for bag in bags if isinstance(bag, WeightedBag)]
    return max([0.0 if weights is None else float(weights.rows), *of_words])
