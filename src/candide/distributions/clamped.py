"""Clamped: a density that is asked no further than where numbers were seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.density import Density
from candide.distributions.known import known
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class Clamped(Distribution):
    """f(x | c) of a density at x cut off at `low` and `high`: beyond the numbers seen, nothing more is said.

    A density has tails where it has seen nothing, and there its word for one class against another grows without end.

    Parameters
    ----------
    distribution : Distribution
        A density of numbers by moments.
    low, high : float
    """

    name = "clamped"

    def __init__(self, distribution: Distribution, low: float, high: float) -> None:
        self.distribution = distribution
        self.low = low
        self.high = high

    @property
    def support(self) -> Any:  # type: ignore[override]
        """Any number is moved into the support of the density."""
        return self.distribution.support

    needs = ("cells",)

    def family(self) -> Any:
        """Clamped densities of one family make one block."""
        return (Clamped, self.distribution.family())

    def joined(self, rules: Sequence[Distribution]) -> Distribution:
        """Return clamped densities by several rules."""
        return ClampedByColumn(rules)

    def _rules(self, n: int) -> Sequence[Clamped]:
        return [self] * n

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Estimate the density, and put the ends to it."""
        by_column = self._rules(len(positions))
        inner = by_column[0].distribution
        block = inner.estimate(evidence, positions, Rules(rules.smoothing))
        if not isinstance(block, Density):
            raise TypeError(f"{inner!r} is not a density by moments: it cannot be clamped")
        ends = np.array([[rule.low for rule in by_column], [rule.high for rule in by_column]], dtype=float)
        return known(replace(block, ends=(ends[0], ends[1])), evidence, positions, rules)


class ClampedByColumn(Clamped):
    """Clamped densities of a block of columns, each with ends of its own.

    Parameters
    ----------
    rules : sequence of Clamped
    """

    name = ""

    def __init__(self, rules: Sequence[Any]) -> None:
        self.rules = rules

    def _rules(self, n: int) -> Sequence[Clamped]:
        return self.rules
