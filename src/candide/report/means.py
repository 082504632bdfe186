"""Means of what rows gain, and the least probability that they are measured by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LEAST = 1e-9
"""The least probability of a class by which evidence is measured, so that one impossible row does not decide all."""


@dataclass(eq=False)
class Mean:
    """A mean over weighed rows, with its standard error; batches are added to it."""

    weight: float = 0.0
    total: float = 0.0
    squares: float = 0.0

    def add(self, x: Array, weight: Array) -> None:
        """Add rows."""
        self.weight += float(weight.sum())
        self.total += float(weight @ x)
        self.squares += float(weight @ x**2)

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / self.weight if self.weight else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if not self.weight:
            return 0.0
        variance = max(self.squares / self.weight - self.mean**2, 0.0)
        return float(np.sqrt(variance / self.weight))

    def facts(self) -> dict[str, float]:
        """Return mean and standard error."""
        return {"mean": self.mean, "error": self.error}
