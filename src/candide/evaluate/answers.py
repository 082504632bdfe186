"""Ask a model: fit it so that it knows all classes, read its decisions and probabilities in their order."""

from __future__ import annotations

import io
import time
import warnings
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from candide.frozen import frozen


@frozen(eq=True)
class Answers:
    """Decisions (class codes), log-probabilities (rows, classes), rows that are impossible, and times."""

    decided: np.ndarray
    log_proba: np.ndarray
    impossible: np.ndarray
    fit_seconds: float
    predict_seconds: float


def ask(model: Any, train: tuple[Any, np.ndarray], test: Any, classes: np.ndarray) -> Answers:
    """Fit a clone of `model` and let it answer.

    Parameters
    ----------
    model : classifier
        One of Candide's, fitted by `partial_fit(classes=)`; or any of scikit-learn's, where a class that is
        not among the learning rows has probability zero.
    train : (X, y)
    test : X
    classes : ndarray of shape (n_classes,)
        All labels, ascending.
    """
    start = time.perf_counter()
    fitted = fit_knowing(model, *train, classes)
    # what partial_fit has counted is estimated when first asked for: that belongs to learning
    getattr(fitted, "model_", None)
    fit_seconds = time.perf_counter() - start
    start = time.perf_counter()
    labels = np.asarray(fitted.predict(test))
    predict_seconds = time.perf_counter() - start
    decided = np.searchsorted(classes, labels)
    return Answers(decided, log_proba(fitted, test, classes), impossible(fitted, test), fit_seconds, predict_seconds)


def hear(model: Any, train: tuple[Any, np.ndarray], test: Any, classes: np.ndarray) -> tuple[Answers, list[str]]:
    """Let a model answer, as `ask` does, and return what was warned of besides, or printed, as some libraries warn."""
    printed = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, redirect_stdout(printed):
        warnings.simplefilter("always")
        answers = ask(model, train, test, classes)
    return answers, [*(f"{w.category.__name__}: {w.message}" for w in caught), *printed.getvalue().splitlines()]


def fit_knowing(model: Any, X: Any, y: np.ndarray, classes: np.ndarray) -> Any:
    """Return a fitted clone that knows all classes, if it can."""
    from sklearn.base import clone

    fresh = clone(model)
    return fresh.partial_fit(X, y, classes=classes) if is_candide(model) else fresh.fit(X, y)


def is_candide(model: Any) -> bool:
    """Whether a model can learn and unlearn row by row, as Candide's classifiers do."""
    return hasattr(model, "partial_fit") and hasattr(model, "forget")


def log_proba(fitted: Any, X: Any, classes: np.ndarray) -> np.ndarray:
    """Log-probabilities in the order of `classes`; −inf for a class not known, NaN without probabilities."""
    if not hasattr(fitted, "predict_proba"):
        return np.full((n_rows(X), len(classes)), np.nan)
    with np.errstate(divide="ignore"):
        if hasattr(fitted, "predict_log_proba"):
            known = np.asarray(fitted.predict_log_proba(X))
        else:
            known = np.log(fitted.predict_proba(X))
    if known.ndim != 2 or known.shape[1] != len(fitted.classes_):
        raise ValueError(f"it learnt {len(fitted.classes_)} classes and gives probabilities of shape {known.shape}")
    every = np.full((len(known), len(classes)), -np.inf)
    every[:, np.searchsorted(classes, fitted.classes_)] = known
    return every


def impossible(fitted: Any, X: Any) -> np.ndarray:
    """Rows to which a product model gives probability zero under every class; other rules classify them."""
    if hasattr(fitted, "impossible") and _is_product(getattr(fitted, "combination", None)):
        return np.asarray(fitted.impossible(X))
    return np.zeros(n_rows(X), dtype=bool)


def n_rows(X: Any) -> int:
    """Number of rows of an array, a frame or a list."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _is_product(combination: Any) -> bool:
    return combination == "product" or type(combination).__name__ == "Product"
