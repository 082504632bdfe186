"""leave_one_out: every row scored by the model without it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas
from candide.evaluate.answers import fit_knowing, is_candide, log_proba
from candide.evaluate.evaluation import Evaluation
from candide.evaluate.held_out import weighed_on
from candide.evaluate.metrics import scores
from candide.evaluate.models import by_name
from candide.evaluate.performance import performance
from candide.evaluate.streaming import leave_one_out_source
from candide.evaluate.tables import separate
from candide.sources.base import is_source


def leave_one_out(models: Mapping[str, Any] | Any, X: Any, y: Any) -> Evaluation:
    """Score models by leaving out one row at a time.

    Candide's models subtract the row from their statistics, under the same levels and cuts, which costs about
    as much as one prediction; other models are fitted once per row. A model decides for its most probable
    class. What was settled on all rows is kept: cuts and choices flatter a little, the weights of `TunedNB` more, which
    is said: judge those by `cross_validate`.

    Parameters
    ----------
    models : dict of str to classifier, or one classifier
    X : array or frame, or a source such as a path
        A source is read once to learn and once to be scored, in constant memory, by Candide's models.
    y : array, or name of a column of X

    Returns
    -------
    Evaluation
        A frame of one row per model (model, n, accuracy, log_score, log_loss, brier, calibration_error) that a notebook
        shows with the confusion and the reliability of each; of a source there are the scores alone.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB
    >>> leave_one_out({"b": BernoulliNB()}, np.array([[0], [0], [1], [1]]), [0, 0, 1, 1])["accuracy"].item()
    1.0
    """
    if is_source(X) and isinstance(y, str):
        return leave_one_out_source(models, X, y)
    X, labels = separate(X, y)
    classes, codes = np.unique(labels, return_inverse=True)
    lines = []
    performances, flattered = {}, []
    shares = np.bincount(codes, minlength=len(classes)) / max(len(codes), 1)
    for name, model in by_name(models).items():
        if is_candide(model):
            fitted = fit_knowing(model, X, labels, classes)
            answers = np.asarray(fitted.leave_one_out(X, labels))
            flattered += [name] if hasattr(fitted, "model_") and weighed_on(fitted.model_) else []
        else:
            answers = _by_refitting(model, X, labels, classes)
        found = scores(codes, answers.argmax(axis=1), answers, np.zeros(len(codes), dtype=bool))
        lines.append({"model": name, "n": len(codes), **found})
        performances[name] = performance(codes, answers, shares)
    names = [str(label) for label in classes.tolist()]
    return Evaluation(import_pandas().DataFrame(lines), performances, names, flattered=flattered)


def _by_refitting(model: Any, X: Any, labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    from sklearn.utils import _safe_indexing

    rows = np.arange(len(labels))
    answers = np.empty((len(rows), len(classes)))
    for row in rows:
        others = rows[rows != row]
        fitted = fit_knowing(model, _safe_indexing(X, others), labels[others], classes)
        answers[row] = log_proba(fitted, _safe_indexing(X, rows[row : row + 1]), classes)[0]
    return answers
