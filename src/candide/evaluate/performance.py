"""Performance: how right, how sure and how honest probabilities are, as one plain dict of counts and shares."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.evaluate.metrics import scores
from candide.evaluate.reliability import by_bin, mass_edges

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

LEVEL = 0.95
"""Probability that an interval holds."""
BINS = 10
"""Bins of equal mass in which claims are compared with what came true."""
BARS = 20
"""Bars of the histogram of claims."""
STEPS = 256
"""Steps of a ROC curve at the most, each whole per cent among them."""


def performance(
    truth: Array, log_proba: Array, prior: Array, decided: Array | None = None, weight: Array | None = None
) -> Facts:
    """Return how well probabilities do.

    Parameters
    ----------
    truth : ndarray of int (rows,)
        True classes.
    log_proba : ndarray (rows, classes)
    prior : ndarray (classes,)
        P(c) before anything is known: the doubt that there is.
    decided : ndarray of int (rows,) or None
        Decisions; None takes the most probable classes.
    weight : ndarray (rows,) or None
        Weights of rows.

    Examples
    --------
    >>> found = performance(np.array([0, 0, 1]), np.log([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7]]), np.array([0.5, 0.5]))
    >>> found["accuracy"], found["confusion"].tolist(), found["classes"][1]["area"]
    (1.0, [[2.0, 0.0], [0.0, 1.0]], 1.0)
    """
    weight = np.ones(len(truth)) if weight is None else weight.astype(float)
    decided = log_proba.argmax(axis=1) if decided is None else decided
    proba, k = np.exp(log_proba), log_proba.shape[1]
    n, right = float(weight.sum()), decided == truth
    confusion = np.zeros((k, k))
    np.add.at(confusion, (truth, decided), weight)
    with np.errstate(divide="ignore"):
        doubt = float(weight @ -np.log(prior)[truth]) / n
    loss = float(weight @ -log_proba[np.arange(len(truth)), truth]) / n
    in_class = confusion.sum(axis=1)
    confidence = proba.max(axis=1)
    of_rows = scores(truth, decided, log_proba, np.zeros(len(truth), dtype=bool))
    return {
        "rows": n,
        "accuracy": float(weight @ right) / n,
        "interval": jeffreys(float(weight @ right), n),
        "guess": int(in_class.argmax()),
        "guessing": float(in_class.max()) / n,
        "log_loss": loss,
        "doubt": doubt,
        "doubt_removed": 1.0 - loss / doubt if doubt > 0 else 0.0,
        "brier": of_rows["brier"],
        "calibration_error": of_rows["calibration_error"],
        "confidence": float(weight @ confidence) / n,
        "area": mean_area(proba, truth, weight),
        "confusion": confusion,
        "classes": [of_class(proba[:, c], truth == c, weight) for c in range(k)],
        "answers": claims(confidence, right, weight),
    }


def jeffreys(successes: float, n: float) -> list[float]:
    """Return Jeffreys' interval of a share: quantiles of Beta(k + ½, n − k + ½), closed at 0 and 1.

    Examples
    --------
    >>> [round(end, 3) for end in jeffreys(8, 10)]
    [0.497, 0.956]
    """
    from scipy.special import betaincinv  # a quarter of a second, which many who import this module do not need

    a, b = successes + 0.5, max(n - successes, 0.0) + 0.5
    low, high = (float(betaincinv(a, b, end)) for end in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return [0.0 if successes <= 0 else low, 1.0 if successes >= n else high]


def of_class(p: Array, event: Array, weight: Array) -> Facts:
    """Return how well the probability of one class tells its rows from the others."""
    return {"area": area(p, event, weight), "roc": roc(p, event, weight), **claims(p, event, weight)}


def claims(p: Array, event: Array, weight: Array) -> Facts:
    """Return how often what was claimed came true, in bins of equal mass, and a histogram of claims."""
    _, found = by_bin(p, event.astype(float), mass_edges(p, BINS), weight)
    bars = np.clip((p * BARS).astype(int), 0, BARS - 1)
    return {
        "reliability": [
            {"claimed": claimed, "came_true": true, "rows": n, "interval": jeffreys(true * n, n)}
            for claimed, true, n in zip(found["confidence"].tolist(), found["frequency"].tolist(),
                                        found["count"].tolist(), strict=True)
        ],
        "histogram": {
            "came_true": np.bincount(bars, weight * event, BARS),
            "did_not": np.bincount(bars, weight * ~event, BARS),
        },
    }  # fmt: skip


def ranked(p: Array, event: Array, weight: Array) -> tuple[Array, Array, Array]:
    """Return distinct probabilities, descending, and the weight of events and of others at each."""
    values, at = np.unique(-p, return_inverse=True)
    n = len(values)
    return -values, np.bincount(at, weight * event, n), np.bincount(at, weight * ~event, n)


def area(p: Array, event: Array, weight: Array) -> float | None:
    """Return the chance that an event was given more than another row, ties as half; None where there is only one.

    Examples
    --------
    >>> area(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False]), np.ones(4))
    0.875
    """
    _, mine, others = ranked(p, event, weight)
    below = others.sum() - np.cumsum(others)
    pairs = mine.sum() * others.sum()
    return float(mine @ (below + others / 2) / pairs) if pairs > 0 else None


def mean_area(proba: Array, truth: Array, weight: Array) -> float | None:
    """Return the mean area of the classes that occur, by how often they do."""
    areas = [area(proba[:, c], truth == c, weight) for c in range(proba.shape[1])]
    share = [float(weight @ (truth == c)) for c in range(proba.shape[1])]
    known = [(a, s) for a, s in zip(areas, share, strict=True) if a is not None]
    return sum(a * s for a, s in known) / sum(s for _, s in known) if known else None


def roc(p: Array, event: Array, weight: Array) -> Facts:
    """Return what is found and falsely reported when everything from a threshold on is reported, by threshold."""
    values, mine, others = ranked(p, event, weight)
    found, false = np.cumsum(mine), np.cumsum(others)
    cents = np.arange(101) / 100
    room = max(STEPS - len(cents), 2)
    some = values[np.linspace(0, len(values) - 1, min(room, len(values))).round().astype(np.int64)]
    thresholds = -np.unique(-np.concatenate([cents, some]))
    # how many of the descending values reach each threshold
    reach = np.searchsorted(-values, -thresholds, side="right")
    at = np.maximum(reach - 1, 0)
    return {
        "threshold": thresholds,
        "found": np.where(reach > 0, found[at], 0.0),
        "false": np.where(reach > 0, false[at], 0.0),
    }
