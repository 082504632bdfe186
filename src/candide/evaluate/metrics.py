"""Scores of one model's answers on one test fold."""

from __future__ import annotations

import numpy as np

from candide.evaluate.answers import Answers
from candide.evaluate.by_class import AVERAGES
from candide.evaluate.reliability import calibration_error
from candide.frozen import frozen
from candide.messages import not_known

SCORES = ("accuracy", "log_score", "log_loss", "brier", "calibration_error")


def greater_is_better(metric: str) -> bool:
    """Whether a score is better when greater; the others are losses."""
    return metric in ("accuracy", *AVERAGES)


IMPOSSIBLE = ("error", "prior", "first")


@frozen(eq=True)
class Judge:
    """What becomes of rows that a product model gives probability zero under every class, and of small probabilities.

    Parameters
    ----------
    impossible : "error", "prior" or "first"
        Such a row is an error with LogScore +inf; or it has the class prior, and is decided by it; or it is decided for
        the first class, the first of equals, with LogScore +inf.
    floor : float
        The least probability of the true class that LogScore and log-loss know; 0 lets them be infinite.
    """

    impossible: str = "error"
    floor: float = 0.0

    def __post_init__(self) -> None:
        if self.impossible not in IMPOSSIBLE:
            raise ValueError(not_known("impossible", self.impossible, IMPOSSIBLE))
        if not 0 <= self.floor < 1:
            raise ValueError(f"floor={self.floor!r}: the least probability is in [0, 1)")

    def scores(self, truth: np.ndarray, answers: Answers) -> dict[str, float]:
        """Score a model's answers."""
        lost = self._lost(answers)
        found = scores(truth, answers.decided, answers.log_proba, lost, self.floor)
        if self.impossible == "first":
            found["accuracy"] = float((np.where(lost, 0, answers.decided) == truth).mean())
        return found

    def by_row(self, truth: np.ndarray, answers: Answers) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows a model tells right, and log P(true class) of each."""
        right, loss = row_scores(truth, answers.decided, answers.log_proba, self._lost(answers), self.floor)
        return right, -loss

    def _lost(self, answers: Answers) -> np.ndarray:
        return np.zeros_like(answers.impossible) if self.impossible == "prior" else answers.impossible


def row_scores(
    truth: np.ndarray, decided: np.ndarray, log_proba: np.ndarray, impossible: np.ndarray, floor: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return which rows are right, and −log P(true class) of each; the parameters are those of `scores`."""
    loss = np.where(impossible, np.inf, -log_proba[np.arange(len(truth)), truth])
    return (decided == truth) & ~impossible, np.minimum(loss, -np.log(floor)) if floor else loss


def scores(
    truth: np.ndarray, decided: np.ndarray, log_proba: np.ndarray, impossible: np.ndarray, floor: float = 0.0
) -> dict[str, float]:
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
    floor : float
        The least probability of the true class that LogScore and log-loss know.
    """
    right, loss = row_scores(truth, decided, log_proba, impossible, floor)
    proba = np.exp(log_proba)
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
