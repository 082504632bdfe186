"""Selection: the simplest of several candidates that is not clearly worse than the best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

STANDARD_ERRORS = 1.0
"""A simpler candidate is taken within this many standard errors of the best."""


def simplest(scores: Mapping[str, Array], weight: Array, n: float) -> tuple[str, dict[str, float]]:
    """Return the first name whose loss against the best is within its standard error, and the mean scores.

    Parameters
    ----------
    scores : mapping of str to (rows,)
        Scores of the same rows, simplest first.
    weight : (rows,)
    n : float
        How many independent observations the rows stand for.
    """
    share = weight / weight.sum()
    means = {name: float(share @ score) for name, score in scores.items()}
    best = max(means, key=lambda name: means[name])
    for name, score in scores.items():
        loss = scores[best] - score
        error = np.sqrt(share @ (loss - share @ loss) ** 2 / max(n - 1.0, 1.0))
        if means[best] - means[name] <= STANDARD_ERRORS * error:
            return name, means
    return best, means
