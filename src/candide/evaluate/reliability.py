"""Do probabilities mean what they say: reliability curves, error of calibration, Brier's decomposition."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas


def reliability(y: Any, proba: Any, bins: int = 10, *, equal_mass: bool = False, classes: Any = None) -> Any:
    """Reliability curve: how often what was predicted with a certain confidence came true.

    Parameters
    ----------
    y : array of shape (n_samples,)
        With `proba` of one dimension, the event (0 or 1, or booleans); with two, the true labels.
    proba : array of shape (n_samples,) or (n_samples, n_classes)
        Probability of the event; or of every class, of which the most probable one is looked at.
    bins : int
        Number of bins.
    equal_mass : bool
        Bins of equally many rows instead of equally wide ones; equal probabilities share a bin.
    classes : sequence, optional
        Labels of the columns of `proba`, by default the sorted labels of y.

    Returns
    -------
    pandas.DataFrame
        One row per bin that holds rows: lower, upper, count, confidence (mean probability), frequency.

    Examples
    --------
    >>> reliability([0, 1, 1, 1], [0.2, 0.6, 0.9, 1.0], bins=2)[["count", "confidence", "frequency"]]
       count  confidence  frequency
    0      1       0.200        0.0
    1      3       0.833        1.0
    """
    confidence, event = _top(np.asarray(y), np.asarray(proba, dtype=float), classes)
    edges = _edges(confidence, bins, equal_mass)
    held, columns = by_bin(confidence, event, edges)
    return import_pandas().DataFrame({"lower": edges[:-1][held], "upper": edges[1:][held], **columns})


def calibration_error(confidence: np.ndarray, event: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error: Σ_b N_b/N · |frequency_b − confidence_b| over equally wide bins.

    Examples
    --------
    >>> calibration_error(np.array([0.8, 0.8, 0.8, 0.8]), np.array([1, 1, 1, 0]))
    0.05
    """
    _, found = by_bin(confidence, event, np.linspace(0, 1, bins + 1))
    gap = np.abs(found["frequency"] - found["confidence"])
    return float((found["count"] * gap).sum() / max(len(confidence), 1))


def by_bin(
    confidence: np.ndarray, event: np.ndarray, edges: np.ndarray, weight: np.ndarray | None = None
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Mask of the intervals (a, b] that hold rows, and their count, mean confidence and frequency of the event."""
    # what lies on the first edge belongs to the first interval
    code = np.clip(np.searchsorted(edges, confidence, side="left") - 1, 0, len(edges) - 2)
    count = np.bincount(code, weight, minlength=len(edges) - 1)
    held = count > 0
    each = 1.0 if weight is None else weight
    means = {
        name: np.bincount(code, each * values, len(count))[held] / count[held]
        for name, values in (("confidence", confidence), ("frequency", event))
    }
    return held, {"count": count[held], **means}


def brier_decomposition(y: Any, proba: Any, bins: int | None = None, *, classes: Any = None) -> Any:
    """Take the Brier score apart: brier = reliability − resolution + uncertainty + within_bins.

    With f̄_b and ō_b the mean forecast and frequency of bin b, and ō the frequency of all rows, reliability
    is Σ N_b/N (f̄_b − ō_b)², resolution Σ N_b/N (ō_b − ō)², uncertainty ō(1 − ō). Without `bins` a bin is a
    distinct forecast and within_bins is zero (Murphy 1973); otherwise within_bins is what the spread of
    forecasts inside the bins adds. Over several classes, all of them are summed.

    Parameters
    ----------
    y, proba, classes
        As in `reliability`; two dimensions are taken class by class.
    bins : int, optional
        Equally wide bins; by default every distinct forecast.

    Returns
    -------
    pandas.Series
        brier, reliability, resolution, uncertainty, within_bins.

    Examples
    --------
    >>> brier_decomposition([0, 1, 1, 1], [0.5, 0.5, 1.0, 1.0]).to_dict()
    {'brier': 0.125, 'reliability': 0.0, 'resolution': 0.0625, 'uncertainty': 0.1875, 'within_bins': 0.0}
    """
    proba = np.asarray(proba, dtype=float)
    if proba.ndim == 1:
        parts = _decompose(proba, np.asarray(y, dtype=float), bins)
    else:
        y = np.asarray(y)
        labels = _labels(y, proba, classes)
        events = ((y == label).astype(float) for label in labels)
        parts = np.sum([_decompose(f, event, bins) for f, event in zip(proba.T, events, strict=True)], axis=0)
    names = ["brier", "reliability", "resolution", "uncertainty", "within_bins"]
    return import_pandas().Series(np.asarray(parts), index=names)


def _decompose(forecast: np.ndarray, event: np.ndarray, bins: int | None) -> np.ndarray:
    if bins is None:
        code = np.unique(forecast, return_inverse=True)[1]
    else:
        code = np.clip(np.ceil(forecast * bins).astype(int) - 1, 0, bins - 1)
    count = np.maximum(np.bincount(code), 1)
    mean_forecast = (np.bincount(code, forecast) / count)[code]
    mean_event = (np.bincount(code, event) / count)[code]
    base = event.mean()
    spread = forecast - mean_forecast
    return np.array(
        [
            ((forecast - event) ** 2).mean(),
            ((mean_forecast - mean_event) ** 2).mean(),
            ((mean_event - base) ** 2).mean(),
            base * (1 - base),
            (spread**2 - 2 * spread * (event - mean_event)).mean(),
        ]
    )


def _top(y: np.ndarray, proba: np.ndarray, classes: Any) -> tuple[np.ndarray, np.ndarray]:
    if proba.ndim == 1:
        return proba, y.astype(float)
    labels = _labels(y, proba, classes)
    return proba.max(axis=1), (labels[proba.argmax(axis=1)] == y).astype(float)


def _labels(y: np.ndarray, proba: np.ndarray, classes: Any) -> np.ndarray:
    labels = np.unique(y) if classes is None else np.asarray(classes)
    if len(labels) != proba.shape[1]:
        raise ValueError(f"proba has {proba.shape[1]} columns for {len(labels)} classes: give classes=")
    return labels


def _edges(confidence: np.ndarray, bins: int, equal_mass: bool) -> np.ndarray:
    if bins < 1:
        raise ValueError(f"bins must be at least 1, got {bins}")
    return mass_edges(confidence, bins) if equal_mass else np.linspace(0, 1, bins + 1)


def mass_edges(confidence: np.ndarray, bins: int) -> np.ndarray:
    """Edges of bins of about equally many rows, from 0 to 1; equal probabilities share a bin."""
    inner = np.quantile(confidence, np.arange(1, bins) / bins, method="inverted_cdf")
    return np.concatenate([[0.0], np.unique(inner[(inner > 0) & (inner < 1)]), [1.0]])
