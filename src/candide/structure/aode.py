"""AveragedOneDependence: the mean of models in which all attributes depend on the same one or two of them."""

from __future__ import annotations

from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np

from candide.distributions import Block
from candide.distributions.discrete import Discrete
from candide.frozen import frozen
from candide.model.plan import Plan
from candide.model.settled import Settled
from candide.schema.schema import Schema
from candide.smoothing import Backoff
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence
from candide.structure.base import Structure
from candide.structure.dependence import Dependence
from candide.structure.graph import Parents
from candide.structure.plan import StructurePlan
from candide.structure.strength import settle_strength
from candide.structure.super_parents import SuperParents

Array = np.ndarray[Any, Any]

CHOOSING = 200
"""Tables that the strength of back-off is chosen by; of more, evenly spaced ones."""


@frozen
class AveragedPlan(StructurePlan):
    """The plan of averaged dependence."""

    n: int = 1
    min_frequency: float = 1

    def choose(self, evidence: Evidence, plain: Discrete) -> tuple[Smoothing, Parents | None]:
        """Return the smoothing rule."""
        rule = plain.smoothing
        if isinstance(rule, Backoff) and rule.m == "auto":
            models = Dependence.estimate(plain, evidence, self.n, self.min_frequency)
            d = len(plain.names)
            tables = [(J, i) for J in combinations(range(d), self.n) for i in range(d) if i not in J]
            some = tables[:: max(1, len(tables) // CHOOSING)]
            rule = settle_strength([(plain, i, models.table(J, i)) for J, i in some])
        return rule, None

    def block(self, evidence: Evidence, plain: Discrete, settled: Settled) -> Block:
        """Return the models of all super-parents."""
        return SuperParents(Dependence.estimate(plain, evidence, self.n, self.min_frequency))


class AveragedOneDependence(Structure):
    """Averaged one-dependence (AODE): log of the mean over j of P(c) P(x_j | c) Π_i P(x_i | x_j, c).

    Every attribute is the super-parent of all others in turn, where enough rows have its value; with none, naive Bayes.
    With n=2 (A2DE) every pair of attributes is. Columns of numbers are cut; the cuts are settled from the values of the
    first rows learnt and stay.

    Parameters
    ----------
    n : 1 or 2
        How many super-parents a model has.
    min_frequency : float
        How many rows must have the values of super-parents.
    smoothing : str or Smoothing
        Pseudo-counts, within each value of the super-parents as without.
    distributions : "auto", a name, an object, or {column: name or object}
        Which columns are categorical, and how columns of numbers are cut.
    prior, costs, missing, unseen, schema, weights
        As in `NaiveBayes`.

    Examples
    --------
    >>> import pandas as pd
    >>> from candide.structure import AveragedOneDependence
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1] * 3, "b": [0, 1, 0, 1] * 3}).astype(str)
    >>> AveragedOneDependence().fit(frame, ["same", "other", "other", "same"] * 3).predict(frame[:3])
    array(['same', 'other', 'other'], dtype='<U5')
    """

    PLANNED = ("n", "min_frequency", "distributions", "smoothing", "prior", "missing", "schema", "weights")

    def __init__(
        self,
        n: Any = 1,
        min_frequency: Any = 1,
        smoothing: Any = "laplace",
        distributions: Any = "auto",
        prior: Any = None,
        costs: Any = None,
        missing: str = "ignore",
        unseen: str = "ignore",
        schema: Schema | None = None,
        weights: Any = None,
        reading: Any = "auto",
    ) -> None:
        self.n = n
        self.min_frequency = min_frequency
        self.smoothing = smoothing
        self.distributions = distributions
        self.prior = prior
        self.costs = costs
        self.missing = missing
        self.unseen = unseen
        self.schema = schema
        self.weights = weights
        self.reading = reading

    def _structured(self, plan: Plan) -> StructurePlan:
        if not isinstance(self.n, Integral) or self.n not in (1, 2):
            raise ValueError(f"n={self.n!r}: models have 1 or 2 super-parents")
        if not isinstance(self.min_frequency, (int, float, np.number)) or not self.min_frequency >= 0:
            raise ValueError(f"min_frequency={self.min_frequency!r}: a number of rows is not negative")
        n = int(self.n)
        return AveragedPlan.of(plan, together=n + 1, n=n, min_frequency=float(self.min_frequency))
