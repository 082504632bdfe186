"""The plan of a network: which families are counted, and the model that is made of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from candide.distributions import Block
from candide.distributions.discrete import Discrete
from candide.frozen import frozen
from candide.model.model import Model
from candide.model.prior import Prior
from candide.model.settled import Settled
from candide.schema.domain import Domain
from candide.schema.tuples import MOST_BYTES
from candide.smoothing import Backoff
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence
from candide.structure.attributes import cells_of_values, values_of
from candide.structure.factors import Factors
from candide.structure.families import ClassFamily, ColumnFamily, flat
from candide.structure.graph import Graph, Parents
from candide.structure.network_block import NetworkBlock
from candide.structure.plan import StructurePlan
from candide.structure.strength import settle_strength
from candide.structure.trees import information, spanning_tree

Array = np.ndarray[Any, Any]


@frozen
class NetworkPlan(StructurePlan):
    """The plan of a network.

    Parameters
    ----------
    graph : Graph or None
        Who depends on whom; None where it is learnt.
    node : str
        What the class is called among the columns.
    """

    graph: Graph | None = None
    node: str = "class"

    def choose(self, evidence: Evidence, plain: Discrete) -> tuple[Smoothing, Parents]:
        """Return the parents of every node: as they are given, or the tree of most mutual information."""
        if self.graph is not None:
            parents = self.graph.parents
        else:
            parents = self.taken or chow_liu(evidence, plain, self.node)
        rule = plain.smoothing
        if isinstance(rule, Backoff) and rule.m == "auto":
            families = Families(evidence, plain, parents, self.node)
            found = [families.of_column(i) for i in range(len(plain.names))]
            rule = settle_strength([(f.plain, f.node, flat(f.counts)) for f in found if len(f.columns) > 1])
        return rule, parents

    def check_settled(self, settled: Settled) -> None:
        """Every column has its parents, and so has the class: those of the network that is given, where one is."""
        found = settled.parents or {}
        given = found if self.graph is None else self.graph.parents
        if set(found) != {*self.names, self.node} or any(set(found[node]) != set(given[node]) for node in found):
            raise ValueError("the parents that were settled are not those of the network")

    def block(self, evidence: Evidence, plain: Discrete, settled: Settled) -> Block:
        """Return the tables of all families."""
        assert settled.parents is not None
        families = Families(evidence, plain, settled.parents, self.node)
        columns = tuple(families.of_column(i) for i in range(len(plain.names)))
        pseudo = plain.smoothing.class_pseudo(plain.domain)
        return NetworkBlock(
            Factors(plain, columns, families.of_class()), self.node, HeldPrior(evidence.class_counts, pseudo)
        )

    def estimate(self, evidence: Evidence, settled: Settled | None = None) -> Model:
        """Return the model; where the class has parents, its prior only stands for what is taken off again."""
        model = super().estimate(evidence, settled)
        (block,) = model.blocks
        assert isinstance(block, NetworkBlock)
        if block.of_class is None:
            return model
        if self.prior is not None:
            raise ValueError(
                f"prior={self.prior!r}: {self.node!r} has parents in this network, and so no prior of its own"
            )
        return replace(model, prior=block.prior)


@frozen
class HeldPrior(Prior):
    """A prior that is the same in every model drawn."""

    def draw_log(self, rng: np.random.Generator, draws: int) -> Array:
        """Return the prior as it is: what is drawn of the class is drawn in its family."""
        return np.broadcast_to(self.log, (draws, len(self.log)))

    def draw(self, rng: np.random.Generator) -> Prior:
        """Return the prior."""
        return self


@frozen
class Families:
    """The families of a network, from what was counted.

    Parameters
    ----------
    evidence : Evidence
    plain : Discrete
        P(x_i | c).
    parents : mapping of node to nodes
    node : str
        What the class is called.
    """

    evidence: Evidence
    plain: Discrete
    parents: Parents
    node: str

    @cached_property
    def pooled(self) -> Discrete:
        """P(x_i), of all classes together."""
        domain = Domain(self.plain.domain.names, self.plain.domain.levels, np.array(["all classes"]))
        counts = self.plain.counts.sum(axis=0, keepdims=True)
        return Discrete.estimate(self.plain.coder, domain, counts, self.plain.smoothing, self.plain.absent)

    def _columns(self, node: Any) -> tuple[int, ...]:
        """Return the parents of a node that are columns, and of which any value is known."""
        names = list(self.plain.names)
        columns = (names.index(p) for p in self.parents[node] if p != self.node)
        return tuple(j for j in columns if self.plain.domain.sizes[j])

    def of_column(self, i: int) -> ColumnFamily:
        """Return the family of a column."""
        name = self.plain.names[i]
        columns, of_class = (*self._columns(name), i), self.node in self.parents[name]
        counts = self.counts(columns, name)
        if of_class:
            return ColumnFamily.estimate(columns, True, counts, self.plain)
        return ColumnFamily.estimate(columns, False, counts.sum(axis=0, keepdims=True), self.pooled)

    def of_class(self) -> ClassFamily | None:
        """Return the family of the class; None where it has no parents."""
        columns = self._columns(self.node)
        if not columns:
            return None
        rule, n = self.plain.smoothing, self.evidence.class_counts
        return ClassFamily.estimate(
            columns, self.counts(columns, self.node), rule, rule.class_pseudo(self.plain.domain), n
        )

    def counts(self, columns: tuple[int, ...], of: Any) -> Array:
        """Return the counts (K, values of each column ...) of the rows that know all of some columns."""
        k, sizes = self.plain.n_classes, tuple(int(self.plain.domain.sizes[j]) for j in columns)
        check_table(of, [self.plain.names[j] for j in columns], sizes, k)
        cells = cells_of_values(self.plain)
        if len(columns) == 1:
            start = int(self.plain.domain.offsets[columns[0]])
            return self.plain.counts[:, start : start + sizes[0]]
        if self.evidence.schema.together >= len(columns):
            axis, counts = self.evidence.together(len(columns))
            return values_of(axis.table(counts, *columns), [cells[j] for j in columns])
        names = list(self.plain.names)
        ascending = tuple(sorted(names.index(one) for one in (of, *self.parents[of]) if one in names))
        g = self.evidence.schema.groups.index(ascending)
        seen, counts = self.evidence.schema.combinations[g].cells, self.evidence.joint(g)[0].table
        value = [value_of_cells(cells[j], self.evidence.schema.columns[j].axis.size) for j in ascending]  # type: ignore[union-attr]
        values: list[Any] = [value[m][seen[:, m]] for m in range(len(ascending))]
        order = [ascending.index(j) for j in columns]
        known = np.all([values[m] >= 0 for m in order], axis=0)
        out = np.zeros((k, *sizes), dtype=counts.dtype)
        np.add.at(out, (slice(None), *(values[m][known] for m in order)), counts[:, known])
        return out


def value_of_cells(cells: Array, size: int) -> Array:
    """Return the value of each cell of a column, -1 where it is none."""
    out = np.full(size, -1, dtype=np.int64)
    out[cells] = np.arange(len(cells))
    return out


def check_table(node: Any, columns: list[Any], sizes: tuple[int, ...], k: int) -> None:
    """Refuse a table that is too large to hold."""
    size = 8 * k * prod(sizes)
    if size > MOST_BYTES:
        told = " × ".join(f"{n} of {name!r}" for name, n in zip(columns, sizes, strict=True))
        raise ValueError(
            f"the table of {node!r} given its parents has {told} values, by {k} classes: {size:,} bytes, more than the "
            f"limit of {MOST_BYTES:,}; give {node!r} fewer parents, or cut numbers into fewer bins"
        )


def chow_liu(evidence: Evidence, plain: Discrete, node: str) -> Parents:
    """Return the tree of most mutual information over all columns and the class, which is its root."""
    axis, counts = evidence.together(2)
    d = len(plain.names)
    gain = np.zeros((d + 1, d + 1))
    gain[1:, 1:] = information(axis, counts.sum(axis=0, keepdims=True), cells_of_values(plain))
    gain[0, 1:] = gain[1:, 0] = information_of_class(plain)
    names = [node, *plain.names]
    return {name: () if p is None else (names[p],) for name, p in zip(names, spanning_tree(gain), strict=True)}


def information_of_class(plain: Discrete) -> Array:
    """Return the mutual information of every column and the class, in nats, of the rows that know the column."""
    n = plain.counts.astype(float)
    values, classes, total = n.sum(axis=0), plain.domain.total(n), plain.domain.total(n.sum(axis=0))
    expected = classes[:, plain.domain.attribute] * values / np.maximum(total, 1e-300)[plain.domain.attribute]
    told = np.where(n > 0, n * np.log(np.where(n > 0, n / np.maximum(expected, 1e-300), 1.0)), 0.0)
    out: Array = plain.domain.total(told.sum(axis=0)) / np.maximum(total, 1e-300)
    return out
