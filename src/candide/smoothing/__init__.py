"""Smoothing: every softening rule is a pair of pseudo-counts, for classes and for the values of attributes."""

from __future__ import annotations

from typing import Any

from candide.rules import resolve
from candide.smoothing.automatic import AutomaticSmoothing
from candide.smoothing.backoff import Backoff
from candide.smoothing.base import Smoothing
from candide.smoothing.constant import Frequencies, Indifferent, Laplace, Lidstone
from candide.smoothing.decomposable import Decomposable
from candide.smoothing.dirichlet import Dirichlet, NaiveDistribution
from candide.smoothing.marginal import Marginal, MEstimate

RULES: list[type[Smoothing]] = [
    Frequencies,
    Laplace,
    Lidstone,
    MEstimate,
    Marginal,
    Indifferent,
    Backoff,
    Dirichlet,
    NaiveDistribution,
]


def as_smoothing(value: Any) -> Smoothing:
    """Return the smoothing rule that a name or an object stands for; "auto" chooses."""
    return resolve(value, [*RULES, AutomaticSmoothing], "smoothing", Smoothing)


__all__ = [
    "Backoff",
    "Decomposable",
    "Dirichlet",
    "Frequencies",
    "Indifferent",
    "Laplace",
    "Lidstone",
    "MEstimate",
    "Marginal",
    "NaiveDistribution",
    "Smoothing",
    "as_smoothing",
]
