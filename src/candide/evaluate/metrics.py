"""Scores of one model's answers on one test fold."""

from __future__ import annotations

import numpy as np

from candide.evaluate.reliability import calibration_error

SCORES = ("accuracy", "log_score", "log_loss", "brier", "calibration_error")


def greater_is_better(metric: str) -> bool:
    """Accuracy is the only score that is better when greater; the others are losses."""
    return metric == "accuracy"


def scores(truth: np.ndarray, decided: np.ndarray, log_proba: np.ndarray, impossible: np.ndarray) -> dict[str, float]:
    """Score answers: accuracy, log_score, log_loss, brier, calibration_error.

    LogScore = Σ −log P(true class), log_loss its mean, brier the mean of Σ_c (P(c) − [c is true])²; the error
    of calibration is that of the most probable class over ten equally wide bins of its probability.

    Parameters
    ----------
    truth : ndarray of shape (n_samples,)
        True class codes.
    decided : ndarray of shape (n_samples,)
        Decided class codes.
    log_proba : ndarray of shape (n_samples, n_classes)
        NaN where the model has no probabilities.
    impossible : ndarray of shape (n_samples,)
        Rows the model cannot classify: errors, with LogScore +inf.
    """
    rows = np.arange(len(truth))
    loss = np.where(impossible, np.inf, -log_proba[rows, truth])
    proba = np.exp(log_proba)
    right = (decided == truth) & ~impossible
    return {
        "accuracy": float(right.mean()),
        "log_score": float(loss.sum()),
        "log_loss": float(loss.mean()),
        "brier": float(((proba - np.eye(proba.shape[1])[truth]) ** 2).sum(axis=1).mean()),
        "calibration_error": _top_calibration_error(proba, truth, impossible),
    }


def _top_calibration_error(proba: np.ndarray, truth: np.ndarray, impossible: np.ndarray) -> float:
    confidence = proba.max(axis=1)
    if np.isnan(confidence).any():
        return float("nan")
    event = (proba.argmax(axis=1) == truth) & ~impossible
    return calibration_error(confidence, event.astype(float))
