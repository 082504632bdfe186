"""The average over all trees: each weighs as its posterior probability, and all are summed by elimination."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import gammaln

from candide.arithmetic import difference, log, ratio
from candide.distributions.blocks import LeftOut, narrow
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Form
from candide.distributions.in_pairs import InPairs
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.schema.tuples import Tuples
from candide.smoothing.decomposable import Decomposable
from candide.structure.attributes import cells_of_values, value_codes, values_of
from candide.structure.joined import beyond
from candide.structure.spanning_trees import draw_edges, log_sum_of_trees
from candide.structure.structure_block import StructureBlock
from candide.structure.tree_block import TreeBlock
from candide.structure.trees import away_from_first, log_evidence, spanning_tree

Array = np.ndarray[Any, Any]


SAMPLED_TREES = 16
"""Trees that are drawn for a sample of rows."""


@frozen
class AllTrees(StructureBlock):
    """P(x | c) = Π_i P(x_i | c) · E_T Π_{ij in T} P(x_i, x_j | c) / (P(x_i | c) P(x_j | c)), T ~ P(T | rows).

    Parameters
    ----------
    plain : Discrete
        P(x_i | c) under the decomposable prior.
    pairs : dict
        The counts (K, values of i, values of j) of each pair i < j.
    log_w : ndarray (D, D)
        log of the weight of each edge: P(T | rows) is in proportion to the product over the edges of T.
    theta : dict or None
        P(x_i, x_j | c) of each pair where they were drawn; None takes the counts'.
    """

    plain: Discrete
    pairs: dict[tuple[int, int], Array]
    log_w: Array
    theta: dict[tuple[int, int], Array] | None = None

    @classmethod
    def estimate(cls, plain: Discrete, axis: Tuples, counts: Array) -> AllTrees:
        """Weigh the edges."""
        assert isinstance(plain.smoothing, Decomposable)
        cells = cells_of_values(plain)
        pairs = {(i, j): values_of(axis.table(counts, i, j), [cells[i], cells[j]]) for i, j in axis.columns}
        return cls(plain, pairs, log_evidence(axis, counts, cells, plain.smoothing.weight))

    # -- scoring -----------------------------------------------------------------------------------------------------

    def _pseudo(self, *attributes: int) -> float:
        """Return N' of the values of some attributes and a class."""
        assert isinstance(self.plain.smoothing, Decomposable)
        return float(
            self.plain.smoothing.weight / (self.n_classes * np.prod(np.maximum(self.domain.sizes[list(attributes)], 1)))
        )

    @cached_property
    def _dependence(self) -> dict[tuple[int, int], Array]:
        """Log P(x_i, x_j | c) / (P(x_i | c) P(x_j | c)) of each pair (values, values, K)."""
        out = {}
        for (i, j), table in self.pairs.items():
            joint = table + self._pseudo(i, j) if self.theta is None else self.theta[i, j]
            whole = joint.sum(axis=(1, 2), keepdims=True)
            apart = joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True)
            out[i, j] = (log(joint) + log(whole) - log(apart)).transpose(1, 2, 0)
        return out

    def _told(self, codes: Array) -> Array:
        """Return the dependence (rows, K, D, D) of the values of rows; 0 where either says nothing."""
        n, d = codes.shape
        out = np.zeros((n, self.n_classes, d, d))
        for (i, j), table in self._dependence.items():
            both = np.flatnonzero((codes[:, i] >= 0) & (codes[:, j] >= 0))
            out[both, :, i, j] = out[both, :, j, i] = table[codes[both, i], codes[both, j]]
        return out

    def _told_without(self, codes: Array, without: LeftOut) -> tuple[Array, Array]:
        """Return the dependence by the counts without each row, and log W (rows, 1, D, D) of the rows without it."""
        told = self._told(codes)
        log_w = np.repeat(self.log_w[None], len(codes), axis=0)
        for (i, j), table in self.pairs.items():
            at = np.flatnonzero((codes[:, i] >= 0) & (codes[:, j] >= 0) & (without.y >= 0))
            u, v, y, w = codes[at, i], codes[at, j], without.y[at], without.weight[at]
            parts = (  # N without the row, and N', with the sign that their logarithm has in the dependence
                (table[y, u, v], self._pseudo(i, j), 1),
                (table.sum(axis=(1, 2))[y], self._pseudo(), 1),
                (table.sum(axis=2)[y, u], self._pseudo(i), -1),
                (table.sum(axis=1)[y, v], self._pseudo(j), -1),
            )
            left = [(np.maximum(difference(n.astype(float), w), 0.0) + prior, sign) for n, prior, sign in parts]
            told[at, y, i, j] = told[at, y, j, i] = sum(sign * np.log(n) for n, sign in left)
            # P(rows) = P(rows without this one) P(this one given them)
            gone = sum(sign * (gammaln(n + w) - gammaln(n)) for n, sign in left)
            log_w[at, i, j] -= gone
            log_w[at, j, i] -= gone
        return told, log_w[:, None]

    def _together(self, codes: Array, without: LeftOut | None) -> Array:
        """Return log E_T of the product of dependences (rows, K)."""
        told, log_w = (self._told(codes), self.log_w) if without is None else self._told_without(codes, without)
        return log_sum_of_trees(told + log_w) - log_sum_of_trees(log_w)

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return log P(x_i | x_1 ... x_i-1, c), which add up to log P(x | c); NaN where a cell says nothing."""
        out = self.plain.terms(rows, LOG, without)
        codes = value_codes(self.plain, rows)
        before = np.zeros(out.shape[:2])
        for i in range(1, codes.shape[1]):
            so_far = np.where(np.arange(codes.shape[1]) <= i, codes, -1)
            total = self._together(so_far, without)
            out[:, :, i] += total - before
            before = total
        return out

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add log P(x | c)."""
        self.plain.add(rows, LOG, out, without)
        d = len(self.names)
        for part, batch in rows.batches(narrow(self.n_classes, d * d)):
            left = None if without is None else without[part]
            out[part] += self._together(value_codes(self.plain, batch), left)

    # -- drawing and telling -----------------------------------------------------------------------------------------

    def draw(self, rng: np.random.Generator) -> AllTrees:
        """Draw P(x_i | c), and P(x_i, x_j | c) of every pair."""
        theta = {}
        for (i, j), table in self.pairs.items():
            gamma = rng.standard_gamma(table + self._pseudo(i, j))
            theta[i, j] = ratio(gamma, gamma.sum(axis=(1, 2), keepdims=True))
        return replace(self, plain=self.plain.draw(rng), theta=theta)

    def draw_tree(self, rng: np.random.Generator) -> TreeBlock:
        """Draw a tree by its posterior probability."""
        neighbours: list[list[int]] = [[] for _ in self.names]
        for i, j in draw_edges(rng, self.log_w):
            neighbours[i].append(j)
            neighbours[j].append(i)
        parents = away_from_first(neighbours)
        counts = tuple(None if p is None else self._counts(p, i) for i, p in enumerate(parents))
        return TreeBlock.estimate(self.plain, tuple(parents), counts)

    def _counts(self, p: int, i: int) -> Array:
        return self.pairs[p, i] if p < i else self.pairs[i, p].transpose(0, 2, 1)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw some trees, and each row by one of them."""
        of_row = rng.integers(0, SAMPLED_TREES, len(y))
        out: dict[int, Array] = {}
        for tree in np.unique(of_row):
            rows = of_row == tree
            for j, cells in self.draw_tree(rng).sample(rng, y[rows]).items():
                out.setdefault(j, np.empty(len(y), dtype=cells.dtype))[rows] = cells
        return out if len(y) else self.plain.sample(rng, y)

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return P(x_i | c) by value."""
        return self.plain.describe(attribute)

    def _chances(self, i: int, j: int) -> Array:
        """Return P(x_i, x_j | c) (K, values of j, values of i), up to a factor of each class."""
        return (self.pairs[i, j] + self._pseudo(i, j)).transpose(0, 2, 1)

    def in_pairs(self) -> InPairs:
        """Return what columns say alone, and in pairs: those of the most probable tree count, others hardly."""
        edges = {frozenset((i, p)) for i, p in enumerate(spanning_tree(self.log_w)) if p is not None}
        pairs = (
            beyond(self.plain, (i, j), table.transpose(2, 0, 1), self._chances(i, j), (table.shape[1], {i, j} in edges))
            for (i, j), table in self._dependence.items()
            if table.size
        )
        return InPairs(tuple(self.plain.form(i) for i in range(len(self.names))), tuple(pairs))

    def form(self, attribute: int) -> Form:
        """Refuse: no column tells anything by itself."""
        raise ValueError("an average over trees is no sum of tables, and cannot be told in them")
