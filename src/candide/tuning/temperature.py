"""Temperature: one weight for all the evidence, one for the prior, and what every class adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide import native
from candide.distributions.blocks import LeftOut
from candide.distributions.links import LOG
from candide.model.model import Model
from candide.model.weights import Weights
from candide.schema.rows import Rows
from candide.tuning.evidence import LeftOutEvidence, by_class, evenly, of_parts
from candide.tuning.problem import Problem
from candide.tuning.views import LEAST, prior_view

Array = np.ndarray[Any, Any]

MOST_ROWS, PER_CLASS = 3000, 200
"""Rows at the most that it is settled on, and of many classes so many for each."""
FEW_CLASSES = 32
"""Of so many classes the whole second derivative, (K + 2)², is worth its sums: a few steps are enough then."""
STEPS, TOLERANCE = 20, 1e-6
"""Steps of Newton's method at the most; it ends when one promises less than this share of the loss."""


def settle_temperature(model: Model, parts: Sequence[Rows], y: Array, weight: Array) -> Weights:
    """Settle one weight of all evidence, that of the prior, and what every class adds."""
    labels, learnt = model.classes, float(np.sum(model.prior.counts))
    if len(labels) < 2:
        return Weights.once(labels, len(y), learnt)
    parts, y, weight = evenly(parts, y, weight, max(MOST_ROWS, PER_CLASS * len(labels)))
    evidence = total_evidence(model, parts, y, weight, min(1.0, float(weight.mean())))
    if len(labels) <= FEW_CLASSES:
        view = evidence.views[0]
        prior = np.where(np.eye(len(labels), dtype=bool), view.own, view.others)
        said = np.ascontiguousarray(evidence.dense[:, 0])
        p = native.fit_temperature(prior, said, evidence.starts, evidence.weight, STEPS, TOLERANCE)
    else:
        p = Problem.of(evidence, ridge=False, shifting=False).solve(1.0)  # the same, in the same order
    return Weights(labels, float(p[0]), p[2:], float(p[1]), rows=len(y), learnt=learnt)


def total_evidence(model: Model, parts: Sequence[Rows], y: Array, weight: Array, unit: float) -> LeftOutEvidence:
    """Return what all attributes say together of rows, each left out: the prior, and one attribute without cells."""
    order, starts = by_class(y, len(model.classes))
    total = np.zeros((len(y), len(model.classes)))
    begin = 0
    for rows, left in of_parts(parts, y, np.full(len(y), unit)):
        here, without = total[begin : begin + len(rows)], LeftOut(*left)
        for part, batch in rows.batches(rows.spelt_out):
            model.add(batch, LOG, here[part], without[part])
        begin += len(rows)
    said = np.ascontiguousarray((total - total.mean(axis=1, keepdims=True))[order][:, None, :])
    said = np.nan_to_num(said, neginf=LEAST, posinf=-LEAST)
    codes = np.zeros((len(y), 1), dtype=np.uint8)
    return LeftOutEvidence([prior_view(model, unit)], codes, [None], said, starts, weight[order], order, [])
