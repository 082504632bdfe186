"""A process of one checkout that scores models over folds: `python -m benchmarks.choice.scorer`.

The rows and their folds come in a file, so that every checkout learns from the same rows and is asked about the same.
"""

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from benchmarks.about import about
from benchmarks.channel import Channel
from benchmarks.choice import models


def main() -> None:
    """Score tables until the benchmark has gone."""
    channel = Channel.of_this_process()
    warnings.simplefilter("ignore")  # scikit-learn's, on constant columns and bins that coincide
    channel.send(about())
    for order in channel.messages():
        X, y, folds = pickle.loads(Path(order["table"]).read_bytes())
        channel.send({"scores": scores(X, y, folds, order["all"])})


def scores(X: Any, y: np.ndarray, folds: np.ndarray, every: bool) -> dict[str, list[list[float]]]:
    """Return accuracy and log-loss of each fold by model: the automatic choice alone, or every model."""
    ours = models.ours()
    if not every:
        return {models.AUTO: over_folds(ours[models.AUTO], X, y, folds)}
    frame, most = models.prepared(X)
    found = {name: over_folds(model, X, y, folds) for name, model in ours.items()}
    return found | {name: over_folds(model, frame, y, folds) for name, model in models.theirs(most).items()}


def over_folds(model: Any, X: Any, y: np.ndarray, folds: np.ndarray) -> list[list[float]]:
    """Return accuracy and log-loss (nats) of a model on each fold, learnt from the others."""
    found = []
    for fold in range(folds.max() + 1):
        learnt, asked = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        fitted = fit_knowing(clone(model), X.iloc[learnt], y[learnt], np.unique(y))
        right = np.asarray(fitted.predict(X.iloc[asked])) == y[asked]
        found.append([float(right.mean()), log_loss(fitted, X.iloc[asked], y[asked])])
    return found


def fit_knowing(model: Any, X: Any, y: np.ndarray, classes: np.ndarray) -> Any:
    """Fit a model; ours is told of all classes, also of those that the other folds do not hold."""
    return model.partial_fit(X, y, classes=classes) if hasattr(model, "forget") else model.fit(X, y)


def log_loss(fitted: Any, X: Any, y: np.ndarray) -> float:
    """Return the mean of −log P(true class); a class that the model does not know has probability zero."""
    with np.errstate(divide="ignore"):
        log_proba = np.asarray(fitted.predict_log_proba(X))
    place = {label: c for c, label in enumerate(fitted.classes_)}
    losses = [-log_proba[i, place[label]] if label in place else np.inf for i, label in enumerate(y)]
    return float(np.mean(losses))


if __name__ == "__main__":
    main()
