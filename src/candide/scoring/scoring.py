"""Scoring: rows through a model and a combination, a bounded number of rows at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.combination import Combination, log_posterior
from candide.distributions.base import narrow
from candide.model.model import Model
from candide.schema.rows import BATCH, Rows

Array = np.ndarray[Any, Any]


def score(model: Model, rule: Combination, rows: Rows) -> Array:
    """Return the scores (rows, classes)."""
    size = BATCH if all(block.reads_sparse for block in model.blocks) else rows.spelt_out
    if len(rows) <= size:
        return rule.score(model, rows)
    out = np.empty((len(rows), len(model.classes)))
    for part, batch in rows.batches(size):
        out[part] = rule.score(model, batch)
    return out


def leave_one_out(model: Model, rule: Combination, rows: Rows, y: Array, weight: Array) -> Array:
    """Return log P(c | x) (rows, classes), each row by the model without it.

    Parameters
    ----------
    model : Model
    rule : Combination
    rows : Rows
    y : ndarray of int (rows,)
        Class codes.
    weight : ndarray (rows,)
        The weights with which the rows were learnt.
    """
    out = np.empty((len(rows), len(model.classes)))
    size = narrow(len(model.classes), len(model.attributes)) if rule.apart else rows.spelt_out
    for part, batch in rows.batches(size):
        scores, log_prior = rule.leave_one_out(model, batch, y[part], weight[part])
        out[part] = log_posterior(scores, log_prior)
    return out


def contributions(model: Model, rule: Combination, rows: Rows) -> tuple[Array, Array]:
    """Return what the prior (classes,) and each attribute (rows, classes, attributes) add; 0 for a silent cell."""
    prior, parts = model.log_prior, []
    for _, batch in rows.batches(narrow(len(model.classes), len(model.attributes))):
        prior, part = rule.contributions(model, batch)
        parts.append(np.where(np.isnan(part), 0.0, part))
    return prior, np.concatenate(parts)
