"""Settled: what was chosen and is not a sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from candide.distributions import Distribution
from candide.distributions.base import Choice
from candide.frozen import frozen
from candide.model.weights import Weights
from candide.smoothing.base import Smoothing


@frozen
class OnRows:
    """What was settled on rows and not on sums of them: rows that are learnt later leave it as it is.

    Parameters
    ----------
    rules : mapping of positions to Distribution
        Rules with numbers that were settled.
    weights : Weights or None
    """

    rules: Mapping[int, Distribution] = field(default_factory=dict)
    weights: Weights | None = None

    def united(self, other: OnRows) -> OnRows:
        """Return of both what was settled on more rows: the same in whatever order."""
        more = {
            j: rule
            for j, rule in other.rules.items()
            if j not in self.rules or rule.settled_rank > self.rules[j].settled_rank
        }
        mine, theirs = self.weights, other.weights
        theirs_stay = theirs is not None and (mine is None or theirs.settled_rank > mine.settled_rank)
        return OnRows({**self.rules, **more}, theirs if theirs_stay else mine)


@frozen
class Settled:
    """The distribution of each column with its cut points, how well every candidate did, and the smoothing rule.

    Parameters
    ----------
    choices : tuple of Choice
        One per column: what was chosen, and the scores of the candidates.
    distributions : tuple of Distribution
        The distribution of each column as the model uses it, cut points and bandwidths given.
    smoothing : Smoothing
        The rule used, chosen where it was automatic.
    parents : mapping of column to columns, or None
        What each column depends on besides the class, in a structure.
    weights : Weights or None
        How much the evidence of each column counts; None: once.
    """

    choices: tuple[Choice, ...]
    distributions: tuple[Distribution, ...]
    smoothing: Smoothing
    parents: Mapping[Any, tuple[Any, ...]] | None = None
    weights: Weights | None = None

    @property
    def on_rows(self) -> OnRows:
        """What was settled on rows."""
        return OnRows({j: rule for j, rule in enumerate(self.distributions) if rule.tunable}, self.weights)

    @property
    def scores(self) -> tuple[Mapping[str, float], ...]:
        """How well every candidate did for each column; empty where there was no choice."""
        return tuple(choice.scores for choice in self.choices)

    def in_words(self, names: tuple[Any, ...]) -> dict[Any, str]:
        """Say what was chosen automatically for each column, in words."""
        return {
            name: "ignored"
            if choice.name == "nothing"
            else f"{choice.name} ({choice.scores[choice.name] - choice.scores['nothing']:+.3f} nats)"
            for name, choice in zip(names, self.choices, strict=True)
            if choice.scores
        }
