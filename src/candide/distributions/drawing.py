"""Drawing values by the weights of a class, and weights by their posterior."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def draw_positions(rng: np.random.Generator, weights: Array, y: Array) -> Array:
    """Return a position for each row of class y, drawn by that class's weights; evenly where all of them are zero.

    The cumulative weights of each class are searched for its rows, so that no array of rows and positions is made.

    Parameters
    ----------
    rng : Generator
    weights : ndarray (K, V)
        Not negative; V is at least 1.
    y : ndarray of int (rows,)

    Examples
    --------
    >>> draw_positions(np.random.default_rng(0), np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]), np.array([0, 1, 0]))
    array([1, 0, 1])
    """
    u = rng.random(len(y))
    out = np.empty(len(y), dtype=np.int64)
    for c in np.unique(y):
        rows = y == c
        own = weights[c] if weights[c].any() else np.ones(weights.shape[1])
        edges = np.cumsum(own)
        last = np.flatnonzero(own)[-1]  # where u times the whole rounds up to the whole
        out[rows] = np.minimum(np.searchsorted(edges, u[rows] * edges[-1], side="right"), last)
    return out


MANY = 100.0
"""From this shape on a gamma number is the cube of a normal one, to a thousandth of its spread."""


def draw_gammas(rng: np.random.Generator, shape: Array, draws: int) -> Array:
    """Return numbers (draws, ...) of gamma distributions of these shapes.

    Those of a large shape a are a (1 − 1 / 9a + z / 3√a)³ with a normal z, after Wilson and Hilferty.

    Examples
    --------
    >>> draw_gammas(np.random.default_rng(0), np.array([0.0, 2.0, 400.0]), 1000).mean(axis=0).round(-1)
    array([  0.,   0., 400.])
    """
    shape = np.asarray(shape, dtype=float)
    out = np.empty((draws, *shape.shape))
    large = shape >= MANY
    out[:, ~large] = rng.standard_gamma(shape[~large], (draws, int((~large).sum())))
    a = shape[large]
    z = rng.standard_normal((draws, len(a)), dtype=np.float32)
    out[:, large] = a * (1.0 - 1.0 / (9.0 * a) + z / (3.0 * np.sqrt(a))) ** 3
    return out
