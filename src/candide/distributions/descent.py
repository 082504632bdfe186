"""Descent: the least of a smooth function of some dozen numbers, by the two-loop recursion of limited-memory BFGS.

SciPy's calls threaded BLAS for vectors of fifty numbers, which costs more than the function itself on a busy machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

MEMORY = 8
"""Steps that the curvature is known from."""

ENOUGH = 1e-4
"""The share of a step's promise that it must keep."""

SHORTEST = 1e-10
"""Steps below this lead nowhere."""


def descend(function: Callable[[Array], tuple[float, Array]], start: Array, steps: int, tolerance: float) -> Array:
    """Return where a function is least, as far as can be seen.

    Parameters
    ----------
    function : callable
        Returns value and gradient.
    start : ndarray
    steps : int
        At the most.
    tolerance : float
        The descent ends when a step gains less than this share of the value, twice.

    Examples
    --------
    >>> descend(lambda x: (float(((x - 3) ** 2).sum()), 2 * (x - 3)), np.zeros(2), 50, 1e-12).round(6).tolist()
    [3.0, 3.0]
    """
    x = np.asarray(start, dtype=float)
    value, gradient = function(x)
    history: list[tuple[Array, Array, float]] = []
    idle = 0
    for _ in range(steps):
        direction = -curved(gradient, history)
        slope = float(direction @ gradient)
        if slope >= 0:
            break
        step = 1.0 if history else min(1.0, 1.0 / max(float(np.abs(gradient).sum()), 1e-300))
        while True:
            new = x + step * direction
            new_value, new_gradient = function(new)
            if new_value <= value + ENOUGH * step * slope or step < SHORTEST:
                break
            step /= 2
        if not new_value < value:
            break
        s, t = new - x, new_gradient - gradient
        if float(s @ t) > 0:
            history = [*history[-MEMORY + 1 :], (s, t, 1.0 / float(s @ t))]
        idle = idle + 1 if value - new_value < tolerance * max(abs(value), abs(new_value)) else 0
        x, value, gradient = new, new_value, new_gradient
        if idle == 2:
            break
    return x


def curved(gradient: Array, history: list[tuple[Array, Array, float]]) -> Array:
    """Return the gradient times the inverse curvature that the last steps have shown."""
    q = gradient.copy()
    used = []
    for s, t, rho in reversed(history):
        alpha = rho * float(s @ q)
        q -= alpha * t
        used.append(alpha)
    if history:
        s, t, _ = history[-1]
        q *= float(s @ t) / float(t @ t)
    for (s, t, rho), alpha in zip(history, reversed(used), strict=True):
        q += s * (alpha - rho * float(t @ q))
    return q
