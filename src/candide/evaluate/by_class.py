"""Scores by class: what was decided for what is true, and what follows from it."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

AVERAGES = ("balanced_accuracy", "precision", "f1", "matthews", "auc")
"""Scores over all classes; precision, F1 and AUC are means over the classes, balanced accuracy is that of recall."""


def confusion(truth: Array, decided: Array, n_classes: int) -> Array:
    """Count the rows (true class, decided class).

    Examples
    --------
    >>> confusion(np.array([0, 0, 1]), np.array([0, 1, 1]), 2).tolist()
    [[1, 1], [0, 1]]
    """
    return np.bincount(truth * n_classes + decided, minlength=n_classes**2).reshape(n_classes, n_classes)


def class_scores(counts: Array) -> dict[str, Array]:
    """Return recall, precision and F1 of each class from a confusion; NaN where there is nothing to divide by.

    A class that no row has has no recall; one that was never decided has no precision, and an F1 of 0.
    """
    hits, true, decided = np.diagonal(counts), counts.sum(axis=1), counts.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return {"recall": hits / true, "precision": hits / decided, "f1": 2 * hits / (true + decided)}


def matthews(counts: Array) -> float:
    """Return Matthews' correlation of true and decided classes; 0 where either is the same for all rows.

    (c s − Σ_k t_k d_k) / √((s² − Σ d_k²)(s² − Σ t_k²)), with s rows, c of them right, t_k true and d_k decided.
    """
    s, c = float(counts.sum()), float(np.trace(counts))
    t, d = counts.sum(axis=1).astype(float), counts.sum(axis=0).astype(float)
    spread = (s**2 - d @ d) * (s**2 - t @ t)
    return float((c * s - t @ d) / np.sqrt(spread)) if spread > 0 else 0.0


def areas(truth: Array, proba: Array) -> Array:
    """Return the area under the ROC curve of each class against the rest, NaN where a class has all rows or none.

    It is the share of pairs, one row of the class and one of the rest, of which the first has the higher probability;
    a tie is half.
    """
    from scipy.stats import rankdata

    n, k = proba.shape
    out = np.full(k, np.nan)
    if np.isnan(proba).any():
        return out
    for c in range(k):
        mine = truth == c
        m = int(mine.sum())
        if 0 < m < n:
            out[c] = (rankdata(proba[:, c])[mine].sum() - m * (m + 1) / 2) / (m * (n - m))
    return out


def averages(counts: Array, auc: Array) -> dict[str, float]:
    """Return the scores over all classes that some row has."""
    found = class_scores(counts)
    present = counts.sum(axis=1) > 0
    precision = np.nan_to_num(found["precision"])
    return {
        "balanced_accuracy": float(found["recall"][present].mean()),
        "precision": float(precision[present].mean()),
        "f1": float(np.nan_to_num(found["f1"])[present].mean()),
        "matthews": matthews(counts),
        "auc": float(np.nanmean(auc)) if np.isfinite(auc).any() else float("nan"),
    }
