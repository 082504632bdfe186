"""Worth: whether a model tells more about the class than the commonest answer does."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.frozen import frozen

Array = np.ndarray[Any, Any]

ROWS = 5000
"""Rows by which it is judged."""

FEWEST = 50
"""Rows without which nothing is said."""

BEYOND_CHANCE = 2.0
"""Standard errors by which a model must be better to be called so."""


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
    """

    rows: int
    accuracy: float
    log_loss: float
    commonest: str
    share: float
    better: bool

    def __str__(self) -> str:
        if self.better:
            return f"right in {100 * self.accuracy:.1f} % of {self.rows} rows, each left out"
        return f"{self.no_better('the model')}, and 'candide evaluate' compares other models"

    def no_better(self, model: str) -> str:
        """Return what is said of a model that is not better."""
        chance = ", which is no more than chance explains" if self.accuracy > self.share else ""
        return (
            f"{model} is no better than always answering {self.commonest!r}, which {100 * self.share:.1f} % of the "
            f"rows are: it is right in {100 * self.accuracy:.1f} %{chance}; other columns may tell more"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what a model file keeps of it."""
        loss = self.log_loss if np.isfinite(self.log_loss) else None
        return {"method": "leave one out", "rows": self.rows, "accuracy": self.accuracy, "log_loss": loss}


def worth(model: Any, X: Any, y: Any, rows: int = ROWS) -> ModelWorth | None:
    """Judge a model on the first rows that it has learnt; None where they are too few.

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
    classes = model.classes_
    own = labels_in(table, y) if isinstance(y, str) else one_kind_of_labels(y, table.n_rows)
    labels = like_known(own, classes)
    truth = code_labels(labels.classes, classes)[labels.codes][:n]
    log_p = model.leave_one_out(table.rows(0, n), labels.classes[labels.codes[:n]])
    return judged(truth, log_p.argmax(axis=1) == truth, log_p[np.arange(n), truth], classes)


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
    better = beyond_chance(right.astype(float) - (truth == commonest)) or beyond_chance(told - np.log(shares[truth]))
    return ModelWorth(n, float(right.mean()), float(-told.mean()), str(classes[commonest]), float(shares.max()), better)


def beyond_chance(differences: Array) -> bool:
    """Whether the mean of differences is above zero by more than chance explains."""
    if not np.isfinite(differences).all():
        return False
    spread = differences.std() / np.sqrt(len(differences))
    return bool(differences.mean() > BEYOND_CHANCE * spread)
