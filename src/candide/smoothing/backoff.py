"""Back-off: tables of two or more columns are softened towards what is known of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from candide.smoothing.base import Smoothing, nonnegative
from candide.smoothing.constant import Laplace

Array = np.ndarray[Any, Any]

USUAL = 5.0
"""The strength where there is nothing to choose it by."""
STRENGTHS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
"""Strengths that come into question."""


class Backoff(Laplace):
    """P(x_i | parents, c) = (N + m P(x_i | c)) / (N. + m), and P(x_i | c) as Laplace has it.

    A table of two columns has few rows in each cell: what it does not know it takes from the table of one.

    Parameters
    ----------
    m : float or "auto"
        How many rows P(x_i | c) is worth; "auto" chooses it by leaving one out.
    """

    name = "backoff"

    def __init__(self, m: float | Literal["auto"] = "auto") -> None:
        self.m = m

    @property
    def strength(self) -> float:
        """How many rows P(x_i | c) is worth."""
        return USUAL if self.m == "auto" else nonnegative(self.m, "m")

    def within(self, pseudo: Array, mass: Array, theta: Array, contexts: int) -> tuple[Array, Array]:
        """Return m · P(x_i | c), and m."""
        return self.strength * theta, np.full((len(theta), 1), self.strength)

    def settle_strength(self, tables: Sequence[Any]) -> Smoothing:
        """Return back-off of the strength under which rows left out are most probable given their class."""
        scores = [table.strength_scores(STRENGTHS) for table in tables] if self.m == "auto" else []
        scores = [found for found in scores if found is not None]
        return Backoff(STRENGTHS[int(np.argmax(sum(scores)))]) if scores else self
