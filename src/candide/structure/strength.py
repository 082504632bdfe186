"""The strength of back-off, chosen by leaving one out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import Discrete
from candide.smoothing.backoff import STRENGTHS, Backoff

Array = np.ndarray[Any, Any]

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
    every = max(1, cells // CELLS)
    weight, n, known, theta = np.concatenate([left_out(*table, every) for table in tables], axis=1)
    scores = [(weight * np.log((n + m * theta) / (known + m))).sum() for m in STRENGTHS]
    return Backoff(STRENGTHS[int(np.argmax(scores))])


def left_out(plain: Discrete, i: int, counts: Array, every: int) -> Array:
    """Return the weight of cells, and without one unit of it N, N. and P(x_i | c), in their own class: (4, cells)."""
    c, at, v = (index[::every] for index in np.nonzero(counts > 0))
    weight = counts[c, at, v].astype(float)
    unit = np.minimum(weight, 1.0)
    own = LeftOut(c, unit).own(len(counts))
    theta = plain.theta_without(plain.domain.offsets[i] + v, unit, own)[np.arange(len(c)), c]
    return np.stack([weight, weight - unit, counts.sum(axis=2)[c, at] - unit, theta])
