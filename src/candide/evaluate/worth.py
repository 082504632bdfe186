"""Worth: whether a model tells more about the class than the commonest answer does."""

from __future__ import annotations

from typing import Any

import numpy as np

ROWS = 5000
"""Rows by which it is judged."""

FEWEST = 50
"""Rows without which nothing is said."""

BEYOND_CHANCE = 2.0
"""Standard errors by which a model must be better to be called so."""


def no_better(model: Any, X: Any, y: Any, rows: int = ROWS) -> str | None:
    """Say that a model is no better than always answering the commonest class; None where it is better.

    Each row is scored by the model without it. A model is better if its answers are right more often, or its
    probabilities lose less, by more than chance explains: two standard errors of the difference, row by row.

    Parameters
    ----------
    model : Classifier
        Fitted.
    X, y
        Rows that it has learnt, the first of which are looked at.
    rows : int
        How many at the most.

    Examples
    --------
    >>> from candide import NaiveBayes
    >>> x, y = [[0.0], [1.0]] * 40, ["a", "a", "a", "b"] * 20
    >>> nb = NaiveBayes().fit(x, y)
    >>> print(no_better(NaiveBayes().fit([[0.0]] * 80, y), [[0.0]] * 80, y))
    the model is no better than always answering 'a', which 75.0 % of the rows are: it is right in 75.0 %; ...
    >>> no_better(nb, x, y) is None
    True
    """
    from candide.table import read
    from candide.table.labels import code_labels, column_labels, read_labels

    table = read(X)
    n = min(table.n_rows, rows)
    if n < FEWEST:
        return None
    labels = column_labels(table.column(table.index(y))) if isinstance(y, str) else read_labels(y, table.n_rows)
    classes = model.classes_
    truth = code_labels(labels.classes, classes)[labels.codes][:n]
    log_p = model.leave_one_out(table.rows(0, n), labels.classes[labels.codes[:n]])
    shares = np.bincount(truth, minlength=len(classes)) / n
    commonest = int(shares.argmax())
    right = log_p.argmax(axis=1) == truth
    more_right = right.astype(float) - (truth == commonest)
    with np.errstate(divide="ignore"):
        gained = log_p[np.arange(n), truth] - np.log(shares[truth])
    if beyond_chance(more_right) or beyond_chance(gained):
        return None
    return (
        f"the model is no better than always answering {str(classes[commonest])!r}, which {100 * shares.max():.1f} % "
        f"of the rows are: it is right in {100 * right.mean():.1f} %; other columns may tell more, and "
        "'candide evaluate' compares other models"
    )


def beyond_chance(differences: np.ndarray) -> bool:
    """Whether the mean of differences is above zero by more than chance explains."""
    if not np.isfinite(differences).all():
        return False
    spread = differences.std() / np.sqrt(len(differences))
    return bool(differences.mean() > BEYOND_CHANCE * spread and differences.mean() > 0)
