"""Worth: whether a model tells more about the class than the commonest answer does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from candide.estimator.settling import ALIKE
from candide.evaluate.held_out import FOLDS, held_out, weighed_on
from candide.frozen import frozen
from candide.shares import share

if TYPE_CHECKING:
    from candide.table import Table

Array = np.ndarray[Any, Any]

ROWS = 5000
"""Rows by which it is judged."""

FEWEST = 50
"""Rows without which nothing is said."""

BEYOND_CHANCE = 2.0
"""Standard errors by which a model must be better to be called so."""

SURE = 10.0
"""Standard errors that are not found in noise, however many weights are chosen by the rows they are judged on."""

MORE = 2.0
"""Rows that were learnt for each that is judged, from which on choices were made by rows enough."""

LEFT_OUT = "leave one out"
FLATTERED = "leave one out, weights kept"
IN_FOLDS = f"{FOLDS} folds"

METHODS = {
    LEFT_OUT: "each left out",
    FLATTERED: "each left out of what was counted and not of the weights that were settled on them, which flatters it",
    IN_FOLDS: f"in {FOLDS} folds",
}
"""How rows were kept from a model, in words."""


@frozen(eq=True)
class ModelWorth:
    """How a model did on rows, each scored by a model that has not learnt it.

    Parameters
    ----------
    rows : int
    accuracy, log_loss : float
    commonest : str
        The commonest class.
    share : float
        How many rows have it.
    better : bool
        Whether the answers are right more often, or the probabilities lose less, than those of always answering the
        commonest class, by more than chance explains: two standard errors of the difference, row by row.
    method : str
        How the rows were kept from the model. Weights that were settled on them are kept, and flatter, only where the
        model is not better all the same.
    """

    rows: int
    accuracy: float
    log_loss: float
    commonest: str
    share: float
    better: bool
    method: str = LEFT_OUT

    def __str__(self) -> str:
        if self.better:
            return f"right in {share(self.accuracy)} of {self.rows} rows, {METHODS[self.method]}"
        return f"{self.no_better('the model')}, and 'candide evaluate' compares other models"

    def no_better(self, model: str) -> str:
        """Return what is said of a model that is not better."""
        chance = ", which is no more than chance explains" if self.accuracy > self.share else ""
        return (
            f"{model} is no better than always answering {self.commonest!r}, which {share(self.share)} of the "
            f"rows are: it is right in {share(self.accuracy)}{chance}; other columns may tell more"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what a model file keeps of it."""
        loss = self.log_loss if np.isfinite(self.log_loss) else None
        return {"method": self.method, "rows": self.rows, "accuracy": self.accuracy, "log_loss": loss}


def worth(model: Any, X: Any, y: Any, rows: int = ROWS) -> ModelWorth | None:
    """Judge a model on rows that it has learnt; None where they are too few, or their classes not those of all.

    Parameters
    ----------
    model : Classifier
        Fitted.
    X, y
        Rows that it has learnt: a table or a source, of which the first batch is taken, and labels or the name of the
        target, which may be left out where the model knows it.
    rows : int
        How many are looked at at the most.

    Examples
    --------
    >>> from candide import NaiveBayes
    >>> y = ["a", "a", "a", "b"] * 20
    >>> print(worth(NaiveBayes().fit([[0.0]] * 80, y), [[0.0]] * 80, y))
    the model is no better than always answering 'a', which 75.0 % of the rows are: it is right in 75.0 %; ...
    >>> x = [[0.0], [1.0], [0.0], [5.0]] * 20
    >>> worth(NaiveBayes().fit(x, y), x, y).better
    True
    """
    from candide.reading.kinds import labels_in, like_known, one_kind_of_labels
    from candide.sources.base import open_source
    from candide.table import read
    from candide.table.labels import code_labels

    schema = model.learnt_.schema
    y = schema.target if y is None else y
    if y is None:
        raise ValueError("the model does not know what its target is called: give y, labels or the name of a column")
    source = open_source(X)
    if source is not None:
        if not isinstance(y, str):
            raise ValueError("the labels of a source are one of its columns: give its name as y")
        X = next(iter(source.learning(y, None).batches(schema, columns=[*schema.used_names, y])), None)
        if X is None:
            return None
    table = read(X)
    n = min(table.n_rows, rows)
    if n < FEWEST:
        return None
    some = np.linspace(0, table.n_rows - 1, n).astype(np.int64)  # a table may be sorted
    own = labels_in(table, y) if isinstance(y, str) else one_kind_of_labels(y, table.n_rows)
    labels = like_known(own, model.classes_)
    truth = code_labels(labels.classes, model.classes_)[labels.codes][some]
    if not alike(truth, model.class_counts_):
        return None
    return worth_on(model, table.take(some), labels.classes[labels.codes[some]], truth)


def alike(truth: Array, counts: Array) -> bool:
    """Whether the classes of rows have about the shares that they have in all: rows of a sorted file tell of few.

    Examples
    --------
    >>> alike(np.array([0, 1, 0]), np.array([20, 10])), alike(np.array([0, 0, 0]), np.array([20, 10]))
    (True, False)
    """
    shares = np.bincount(truth[truth >= 0], minlength=len(counts)) / len(truth)
    return bool(np.sqrt(shares * counts / counts.sum()).sum() >= ALIKE)


def worth_on(model: Any, table: Table, y: Array, truth: Array) -> ModelWorth | None:
    """Judge a model on rows that it has learnt: each left out, or in folds where something was settled on them."""
    log_p, settled = model.leave_one_out(table, y), model.model_.settled
    found, weighed = judged_by(log_p, truth, model.classes_), weighed_on(model.model_) > 0
    if found is None or not found.better:  # what flatters does not make it worse
        return replace(found, method=FLATTERED) if found is not None and weighed else found
    if not weighed and not any(settled.scores):
        return found
    # weights and distributions that were chosen by these rows find something in noise: what is counted must tell it
    # clearly, or models of other rows
    sure = model.learnt_.weight > MORE * len(y)
    if not sure:
        if settled.weights is not None and settled.weights.rows:
            log_p = sum([model]).set_params(weights=None).leave_one_out(table, y)
        sure = edge(log_p, truth) > SURE
    if sure and not weighed:
        return found
    folded = in_folds(model, table, y, truth)
    return replace(folded, better=True) if folded is not None and sure else folded


def judged_by(log_p: Array, truth: Array, classes: Array) -> ModelWorth | None:
    """Judge a model by log P(c) of rows that it has not learnt."""
    return judged(truth, log_p.argmax(axis=1) == truth, log_p[np.arange(len(truth)), truth], classes)


def in_folds(model: Any, table: Table, y: Array, truth: Array) -> ModelWorth | None:
    """Judge models without a part of the rows, which choose and settle as this one did."""
    from candide.estimator.given import read_given

    schema = model.learnt_.schema
    table = table.select([table.index(name) for name in schema.used_names])  # without the target
    read, _, _ = read_given(table, y, schema, type(model).__name__)
    found = judged_by(held_out(model, read, truth), truth, model.classes_)
    return None if found is None else replace(found, method=IN_FOLDS)


def judged(truth: Array, right: Array, told: Array, classes: Array) -> ModelWorth | None:
    """Judge a model by its answers to rows that it has not learnt; None where they are too few.

    Parameters
    ----------
    truth : ndarray (rows,)
        The codes of the true classes.
    right : ndarray (rows,)
        Whether the answers are those.
    told : ndarray (rows,)
        log P(true class); NaN where a model has no probabilities.
    classes : ndarray (classes,)
    """
    n = len(truth)
    if n < FEWEST:
        return None
    shares = np.bincount(truth, minlength=len(classes)) / n
    commonest = int(shares.argmax())
    better = bool(standard_errors(truth, right, told) > BEYOND_CHANCE)
    return ModelWorth(n, float(right.mean()), float(-told.mean()), str(classes[commonest]), float(shares.max()), better)


def edge(log_p: Array, truth: Array) -> float:
    """Return by how many standard errors log P(c) of rows do better than the shares of the classes."""
    return standard_errors(truth, log_p.argmax(axis=1) == truth, log_p[np.arange(len(truth)), truth])


def standard_errors(truth: Array, right: Array, told: Array) -> float:
    """Return by how many standard errors answers are right more often than the commonest, or lose less than shares."""
    shares = np.bincount(truth) / len(truth)
    gains = right.astype(float) - (truth == shares.argmax()), told - np.log(shares[truth])
    return max(map(above_zero, gains))


def above_zero(differences: Array) -> float:
    """Return by how many standard errors the mean of differences is above zero."""
    if not np.isfinite(differences).all():
        return -np.inf
    spread, mean = float(differences.std()) / np.sqrt(len(differences)), float(differences.mean())
    return mean / spread if spread else float(np.copysign(np.inf, mean)) if mean else 0.0
