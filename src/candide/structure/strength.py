"""The strength of back-off, chosen by leaving one out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.arithmetic import log
from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import Discrete
from candide.smoothing.backoff import Backoff
from candide.structure.attributes import rows_within

Array = np.ndarray[Any, Any]

STRENGTHS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
"""Strengths that come into question."""
CELLS = 1 << 15
"""Cells of tables that are scored; of more, evenly spaced ones."""


def settle_strength(tables: Sequence[tuple[Discrete, int, Array]]) -> Backoff:
    """Return back-off of the strength under which rows left out are most probable given their class and parents.

    Σ N log P(x_i | x_p, c), over all tables and cells, one unit of weight left out of the counts of each cell.

    Parameters
    ----------
    tables : sequence of (Discrete, int, ndarray (K, values of the parents, values))
        P(x_i | c), the attribute i, and its counts within the values of its parents.
    """
    cells = sum(int((n > 0).sum()) for _, _, n in tables)
    if not cells:
        return Backoff(Backoff().strength)
    scores = {m: sum(score(replace(p, smoothing=Backoff(m)), i, n, cells) for p, i, n in tables) for m in STRENGTHS}
    return Backoff(max(scores, key=lambda m: scores[m]))


def score(plain: Discrete, i: int, counts: Array, cells: int) -> float:
    """Return Σ N log P(x_i | parents, c) of one table, one unit of weight left out at a time."""
    c, at, v = np.nonzero(counts > 0)
    every = max(1, cells // CELLS)
    c, at, v = c[::every], at[::every], v[::every]
    weight = counts[c, at, v].astype(float)
    theta = rows_within(plain, i, v, counts, at, LeftOut(c, np.minimum(weight, 1.0)))
    return float((weight * log(theta[np.arange(len(c)), c])).sum())
