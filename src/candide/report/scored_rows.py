"""Scored rows: what a model says of rows that it has not seen, how well it does on them, and what its columns add."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.combination import Combination
from candide.estimator.classifier import Classifier
from candide.evaluate.held_out import FOLDS, held_out, weighed_on
from candide.evaluate.performance import performance
from candide.frozen import frozen
from candide.report.columns import ByColumn
from candide.report.evidence import Worth, by_rows, of_truth
from candide.report.rows import JudgedRows
from candide.scoring.decision import decide

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

FEWEST = 12
"""Rows that are held out in folds at the least: those that are left of fewer settle nothing like the weights."""


@frozen
class RowScores:
    """What rows were scored.

    Parameters
    ----------
    log_proba : ndarray (rows, classes)
    worths : list of Worth
        What each item is worth; where the row was learnt, by the model without it, which keeps its weights.
    flattered : bool
        Whether what was settled on the rows has scored them all the same.
    folds : int
        Parts that the rows were held out in; 0 where they were not.
    """

    log_proba: Array
    worths: list[Worth]
    flattered: bool = False
    folds: int = 0

    @property
    def told(self) -> Facts:
        """How they were scored."""
        return {"flattered": self.flattered, **({"folds": self.folds} if self.folds else {})}


def score_rows(model: Classifier, attributes: ByColumn, rule: Combination, rows: JudgedRows) -> RowScores:
    """Score rows: each left out of the model, and held out in folds where its weights were settled on them."""
    known = np.flatnonzero(rows.y >= 0)
    if not len(known) or not rows.weight[known].sum():
        raise ValueError("the table has no rows of the classes that the model has learnt")
    weight = np.where(rows.y < 0, 0.0, rows.weight)
    log_proba, worths = by_rows(attributes, rule, rows.rows, np.maximum(rows.y, 0), weight, rows.learnt)
    if not rows.learnt or not weighed_on(attributes.model):
        return RowScores(log_proba, worths)
    if len(known) < FEWEST or model.privacy_ is not None:  # noise is not drawn again
        return RowScores(log_proba, worths, flattered=True)
    weighed = None if (rows.weight == 1.0).all() else rows.weight[known]
    log_proba[known] = held_out(model, rows.rows.table.take(known), rows.y[known], weighed)
    return RowScores(log_proba, worths, folds=FOLDS)


def tell_performance(model: Classifier, attributes: ByColumn, rows: JudgedRows, scores: RowScores) -> Facts:
    """Return how well the model does on rows, and how they were scored."""
    known = np.flatnonzero(rows.y >= 0)
    log_proba = scores.log_proba[known]
    decided = decide(log_proba, model._costs(model.classes_))
    found = performance(rows.y[known], log_proba, attributes.model.prior.alpha, decided, rows.weight[known])
    told = {"how": rows.how, **scores.told, "strange": len(rows.y) - len(known)}
    return told | ({} if rows.among is None else {"among": rows.among}) | found


def attach_worths(
    columns: list[Facts],
    joint: list[Facts],
    attributes: ByColumn,
    rows: JudgedRows,
    scores: RowScores,
    accuracy: float,
) -> None:
    """Add what each column and each attribute of several is worth, beside how the model does with it."""
    items, known = attributes.items, np.flatnonzero(rows.y >= 0)
    told = [columns[on[0]] if len(on) == 1 else joint[k - len(items)] for k, (on, _) in enumerate(items)]
    log_loss = -float(np.average(of_truth(scores.log_proba[known], rows.y[known]), weights=rows.weight[known]))
    for one, worth in zip(told, scores.worths, strict=True):
        one.update(worth.facts(accuracy, log_loss))
