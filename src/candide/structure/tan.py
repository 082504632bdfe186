"""TreeAugmentedNB: each attribute depends on the class and on one other attribute, in a tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.distributions import Block
from candide.distributions.discrete import Discrete
from candide.frozen import frozen
from candide.model.plan import Plan
from candide.model.settled import Settled
from candide.schema.schema import Schema
from candide.smoothing import Backoff, Decomposable, Indifferent
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence
from candide.structure.all_trees import AllTrees
from candide.structure.attributes import cells_of_values, values_of
from candide.structure.base import Structure
from candide.structure.graph import Parents
from candide.structure.plan import StructurePlan, named_parents
from candide.structure.strength import settle_strength
from candide.structure.tree_block import TreeBlock
from candide.structure.trees import information, log_evidence, spanning_tree

Array = np.ndarray[Any, Any]


@frozen
class TreePlan(StructurePlan):
    """The plan of a tree, or of the average over all trees."""

    average: bool = False

    def used(self, smoothing: Smoothing) -> Smoothing:
        """Indifferent as to the direction of edges is the decomposable prior."""
        return Decomposable() if isinstance(smoothing, Indifferent) else smoothing

    def choose(self, evidence: Evidence, plain: Discrete) -> tuple[Smoothing, Parents]:
        """Return the tree of most mutual information given the class; for the average, the most probable tree."""
        if self.taken is not None:
            parents = self.taken
        else:
            axis, counts = evidence.together(2)
            cells = cells_of_values(plain)
            if self.average:
                assert isinstance(plain.smoothing, Decomposable)
                gain = log_evidence(axis, counts, cells, plain.smoothing.weight)
            else:
                gain = information(axis, counts, cells)
            parents = named_parents(spanning_tree(gain), evidence.schema.names)
        rule = plain.smoothing
        if isinstance(rule, Backoff) and rule.m == "auto":
            tables = tables_of(evidence, plain, parents)
            rule = settle_strength([(plain, i, n) for i, (_, n) in enumerate(tables) if n is not None])
        return rule, parents

    def check_settled(self, settled: Settled) -> None:
        """Every column has one parent at the most, another column."""
        parents = settled.parents
        if parents is None or not all(len(found) <= 1 and set(found) <= set(self.names) for found in parents.values()):
            raise ValueError("the parents that were settled are no tree of the columns")

    def block(self, evidence: Evidence, plain: Discrete, settled: Settled) -> Block:
        """Return the tables of each column within its parent's values."""
        assert settled.parents is not None
        if self.average:
            return AllTrees.estimate(plain, *evidence.together(2))
        tables = tables_of(evidence, plain, settled.parents)
        return TreeBlock.estimate(plain, tuple(p for p, _ in tables), tuple(n for _, n in tables))


def tables_of(evidence: Evidence, plain: Discrete, parents: Parents) -> list[tuple[int | None, Array | None]]:
    """Return the parent of each column, and the counts (K, values of the parent, values)."""
    axis, counts = evidence.together(2)
    cells, names = cells_of_values(plain), evidence.schema.names
    out: list[tuple[int | None, Array | None]] = []
    for i, name in enumerate(names):
        if parents[name]:
            p = names.index(parents[name][0])
            out.append((p, values_of(axis.table(counts, p, i), [cells[p], cells[i]])))
        else:
            out.append((None, None))
    return out


class TreeAugmentedNB(Structure):
    """Naive Bayes whose attributes form a tree: log P(c) + Σ_i log P(x_i | x_parent(i), c).

    The tree is the one of most mutual information between attributes given the class (Chow and Liu), of the raw counts,
    ties in the order of the columns, the first column being its root. Columns of numbers are cut; the cuts are settled
    from the values of the first rows learnt and stay.

    Parameters
    ----------
    smoothing : str or Smoothing
        Pseudo-counts, within each value of the parent as without. "indifferent" is the decomposable prior
        N'_ijc = λ / (#C #A_i #A_j), λ = 10, under which the direction of the edges does not matter.
    distributions : "auto", a name, an object, or {column: name or object}
        Which columns are categorical, and how columns of numbers are cut.
    average_trees : bool
        Whether to average over all trees, each by its posterior probability, instead of taking one; it takes the
        smoothing "indifferent".
    prior, combination, costs, missing, unseen, schema, weights
        As in `NaiveBayes`. A given schema has a tree of its own, which is taken over.

    Attributes
    ----------
    parents_ : dict
        The parent of each column, None for the root.

    Examples
    --------
    >>> import pandas as pd
    >>> from candide.structure import TreeAugmentedNB
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1] * 3, "b": [0, 1, 0, 1] * 3}).astype(str)
    >>> tan = TreeAugmentedNB().fit(frame, ["same", "other", "other", "same"] * 3)
    >>> tan.parents_, tan.predict(frame[:3])
    ({'a': None, 'b': 'a'}, array(['same', 'other', 'other'], dtype='<U5'))
    """

    PLANNED = ("distributions", "smoothing", "average_trees", "prior", "combination", "missing", "schema", "weights")

    def __init__(
        self,
        smoothing: Any = "laplace",
        distributions: Any = "auto",
        average_trees: bool = False,
        prior: Any = None,
        combination: Any = "product",
        costs: Any = None,
        missing: str = "ignore",
        unseen: str = "ignore",
        schema: Schema | None = None,
        weights: Any = None,
        reading: Any = "auto",
    ) -> None:
        self.smoothing = smoothing
        self.distributions = distributions
        self.average_trees = average_trees
        self.prior = prior
        self.combination = combination
        self.costs = costs
        self.missing = missing
        self.unseen = unseen
        self.schema = schema
        self.weights = weights
        self.reading = reading

    def _structured(self, plan: Plan) -> StructurePlan:
        if self.average_trees and not isinstance(plan.smoothing, (Indifferent, Decomposable)):
            raise ValueError(
                f"average_trees=True averages under the decomposable prior: smoothing={self.smoothing!r} is another; "
                "use smoothing='indifferent'"
            )
        if self.average_trees and plan.combination.name != "product":
            raise ValueError(f"average_trees=True is a product over columns, not combination={self.combination!r}")
        return TreePlan.of(plan, together=2, average=bool(self.average_trees))

    @property
    def parents_(self) -> dict[Any, Any]:
        """The parent of each column, None for the root; averaged over trees, those of the most probable one."""
        parents = self.model_.settled.parents
        assert parents is not None
        return {name: found[0] if found else None for name, found in parents.items()}
