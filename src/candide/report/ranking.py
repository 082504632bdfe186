"""Ranking: how much each column settles on its own, and which place among the columns that gives it."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.report.means import LEAST


@frozen(eq=True)
class Rank:
    """What a column settles on its own, by the counts, each row left out of them.

    Parameters
    ----------
    score : float
        Mean log P(class | column) over the rows, in nats.
    settles : float
        The share of the doubt about the class that it takes away; below zero where it misleads.
    place : int
        1 for the column of the best score.
    """

    score: float
    settles: float
    place: int


def rank(facts: dict[str, Any]) -> dict[Any, Rank]:
    """Return the rank of each column that is counted, whatever its kind; one of which moments alone are kept has none.

    With H = −Σ_c N_c / N log P(c) the doubt about the rows before anything is known of them, a column that gains g nats
    on average has the score g − H and settles g / H. The classes' shares are of the counts: P(c) of a tuned model is
    settled together with what its columns say, and lies elsewhere.

    Examples
    --------
    >>> import pandas as pd
    >>> from candide import NaiveBayes
    >>> from candide.report import collect
    >>> rows = pd.DataFrame({"wheels": ["2", "2", "4", "4"] * 5, "colour": ["red", "blue"] * 10})
    >>> found = rank(collect(NaiveBayes().fit(rows, ["bike", "bike", "car", "car"] * 5)))
    >>> {name: (column.place, round(column.settles, 2)) for name, column in found.items()}
    {'wheels': (1, 0.93), 'colour': (2, -0.07)}
    """
    counts = np.array(facts["counts"], dtype=float)
    log_prior = np.array([np.log(LEAST) if x is None else max(x, np.log(LEAST)) for x in facts["prior"]["log"]])
    if not counts.sum() or not log_prior.any():
        return {}
    doubt = float(-counts @ log_prior / counts.sum())
    gains = {column["name"]: column["alone"]["mean"] for column in facts["columns"] if "alone" in column}
    best = sorted(gains.values(), reverse=True)
    # gains leave each row out of the prior as well, which doubts a little more than the whole: none is over all of it
    return {
        name: Rank(min(gain - doubt, 0.0), min(gain / doubt, 1.0), best.index(gain) + 1) for name, gain in gains.items()
    }
