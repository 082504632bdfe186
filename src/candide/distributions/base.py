"""What a distribution is: a rule that turns evidence on columns into a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from candide.analysis.analyzer import Analyzer
from candide.distributions.blocks import Block, LeftOut
from candide.frozen import frozen
from candide.rules import Rule
from candide.schema.column import Kind
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence
from candide.statistics.request import BINARY, NONNEGATIVE, POSITIVE, REAL, WHOLE, Support
from candide.table import Bags

Array = np.ndarray[Any, Any]

__all__ = ["BINARY", "NONNEGATIVE", "POSITIVE", "REAL", "WHOLE", "Block", "Choice", "Distribution", "Rules", "Support"]


@frozen(eq=True)
class Rules:
    """The rules an estimate depends on besides the distribution itself."""

    smoothing: Smoothing
    missing: Literal["ignore", "level"] = "ignore"


class Distribution(Rule):
    """The form of P(x | c) for a block of columns.

    A new distribution says which parts of the statistics it reads (`needs`), whether it gives probabilities of values
    (`discrete`) or densities, where it lives (`support`), and how it is estimated (`estimate`).
    """

    kind: ClassVar[Kind] = "numbers"
    needs: ClassVar[tuple[str, ...]] = ("moments",)
    discrete: ClassVar[bool] = False
    support: ClassVar[Support] = REAL
    levels: Sequence[Any] | None = None

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Return the parameters of a block of columns, from statistics alone."""
        raise NotImplementedError

    def settle(self, evidence: Evidence, positions: Array, discrete: bool) -> list[Choice]:
        """Return the distribution that each of some columns gets; an automatic rule chooses here, from the evidence."""
        return [Choice(self.name, self, {})] * len(positions)

    @property
    def analysis(self) -> Analyzer | None:
        """What the words of documents are, where it reads documents."""
        return None

    @property
    def tunable(self) -> bool:
        """Whether there are numbers to be settled on the rows themselves, and not on sums of them."""
        return False

    @property
    def settled_on(self) -> tuple[float, float]:
        """The weight of the rows that such numbers were settled on, and of all that were learnt then; 0 where not."""
        return 0.0, 0.0

    @property
    def settled_rank(self) -> tuple[Any, ...]:
        """By what the numbers of two such rules are put in order: that of more rows is above, and no two are level."""
        return self.settled_on

    def tune(
        self, evidence: Evidence, position: int, bags: Sequence[Bags], without: LeftOut
    ) -> tuple[Distribution, dict[str, Any]]:
        """Settle such numbers on rows that were learnt: the rule with them, and parts of the statistics that they need.

        Parameters
        ----------
        evidence : Evidence
        position : int
        bags : sequence of Bags
            The column's cells, in parts.
        without : LeftOut
            Their classes and weights.
        """
        return self, {}

    def adopt(self, tuned: Distribution) -> Distribution:
        """Return the rule with the numbers that were settled for it before, where it asks for some."""
        return self

    def family(self) -> Any:
        """Return what columns must share to be estimated in one block: the rule, whatever levels are declared.

        None: each column is a block of its own, be it that several have one rule.
        """
        return self.key(apart_from=("levels",))

    def joined(self, rules: Sequence[Distribution]) -> Distribution:
        """Return one rule that estimates a block of columns, each by its own rule of this family."""
        return self

    def taken(self) -> Distribution:
        """Return the rule as it was settled from the very evidence that is at hand: nothing is sought again."""
        return self

    def fixed(self, block: Block, position: int) -> Distribution:
        """Return this distribution with the choices it made for a column (its cut points) given."""
        return self


@frozen(eq=True)
class Choice:
    """The distribution of a column, and how well every candidate did where there was a choice.

    Parameters
    ----------
    name : str
        The candidate chosen.
    distribution : Distribution
    scores : mapping of str to float
        Mean leave-one-out log P(c | x) in nats per unit of weight, by candidate; simplest first.
    """

    name: str
    distribution: Distribution
    scores: Mapping[str, float]
