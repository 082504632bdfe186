"""Families of a network: each node with its parents, their counts, and P(node | parents)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from math import prod
from typing import Any, Self

import numpy as np

from candide.arithmetic import difference, ratio, shares, variance_of_log
from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import Discrete
from candide.frozen import frozen
from candide.smoothing.base import Smoothing, softened
from candide.structure.attributes import draw_within, soften_within, table_within, variance_within

Array = np.ndarray[Any, Any]


@frozen
class Spread:
    """Rows in which some columns are known and others are not, spread out over the values of those that are not.

    Parameters
    ----------
    values : list of ndarray (M,)
        The value of each column of a family.
    row : ndarray of int (M,)
        The row that each comes from.
    hidden : list of int
        The columns that are not known.
    shape : tuple of int
        Rows, and the values of each of these.
    """

    values: list[Any]
    row: Array
    hidden: list[int]
    shape: tuple[int, ...]


def spread(columns: tuple[int, ...], sizes: tuple[int, ...], codes: Array, unknown: set[int]) -> Spread:
    """Spread rows (rows, all columns) out over the values of a family's columns that are unknown in all of them."""
    hidden = [j for j in columns if j in unknown]
    of_hidden = [sizes[columns.index(j)] for j in hidden]
    grid = np.indices(of_hidden).reshape(len(hidden), prod(of_hidden))
    n, m = len(codes), grid.shape[1]
    values = [
        np.tile(grid[hidden.index(j)], n) if j in unknown else np.repeat(np.maximum(codes[:, j], 0), m) for j in columns
    ]
    return Spread(values, np.repeat(np.arange(n), m), hidden, (n, *of_hidden))


@frozen
class Family(ABC):
    """A node and its parents.

    Parameters
    ----------
    columns : tuple of int
        The columns of the family: the parents in order, and behind them the node, where it is a column.
    of_class : bool
        Whether the class is in the family.
    counts : ndarray (K, values of each column ...)
        Of the rows that know all of them; K is 1 where the class is not in the family.
    theta : ndarray, in the same way
        P(node | parents).
    """

    columns: tuple[int, ...]
    of_class: bool
    counts: Array
    theta: Array

    @property
    @abstractmethod
    def freedom(self) -> int:
        """How many parameters are free."""

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Self:
        """Draw P(node | parents) from its posterior."""

    @abstractmethod
    def variance(self) -> Array:
        """Return the posterior variance of log P(node | parents), as theta is laid out."""

    @abstractmethod
    def without(self, at: Spread, left: LeftOut) -> Array:
        """Return P(node | parents) (M, K), each row left out of the counts that score it."""

    def log_likelihood(self) -> float:
        """Return Σ N log P(node | parents) of the rows that know the whole family."""
        used = self.counts > 0
        with np.errstate(divide="ignore"):
            return float((self.counts[used] * np.log(self.theta[used])).sum())

    def at(self, codes: Array, unknown: set[int], left: LeftOut | None) -> tuple[Array, list[int]]:
        """Return P(node | parents) (rows, values of unknown columns ..., K) of rows, and these columns."""
        at = spread(self.columns, self.counts.shape[1:], codes, unknown)
        found = self.theta[(slice(None), *at.values)].T if left is None else self.without(at, left)
        return found.reshape(*at.shape, found.shape[1]), at.hidden

    def _counted(self, at: Spread, left: LeftOut) -> tuple[Array, Array]:
        """Return the weights (M,) and (M, K) that rows have in the counts: none where they do not know the family."""
        weight = np.where(left.y < 0, 0.0, left.weight)[at.row]
        own = left[at.row].own(len(self.counts)) if self.of_class else weight[:, None]
        return (np.zeros_like(weight), np.zeros_like(own)) if at.hidden else (weight, own)


@frozen
class ColumnFamily(Family):
    """P(x_i | parents).

    Parameters
    ----------
    plain : Discrete
        P(x_i | c); P(x_i), of one class only, where the class is not in the family.
    """

    plain: Discrete

    @classmethod
    def estimate(cls, columns: tuple[int, ...], of_class: bool, counts: Array, plain: Discrete) -> Self:
        """Soften the counts."""
        theta = plain.theta_of(columns[-1])
        if len(columns) > 1:
            theta = table_within(plain, columns[-1], flat(counts)).reshape(counts.shape)
        return cls(columns, of_class, counts, theta, plain)

    @property
    def node(self) -> int:
        """The column i."""
        return self.columns[-1]

    @property
    def freedom(self) -> int:
        """How many parameters are free."""
        return int(prod(self.counts.shape[:-1]) * max(self.counts.shape[-1] - 1, 0))

    def draw(self, rng: np.random.Generator) -> Self:
        """Draw from Dirichlet(N + s)."""
        if len(self.columns) == 1:
            return replace(self, theta=self.plain.draw(rng).theta_of(self.node))
        return replace(
            self, theta=draw_within(self.plain, self.node, flat(self.counts), rng).reshape(self.counts.shape)
        )

    def variance(self) -> Array:
        """Return ψ₁(N + s) − ψ₁(N. + Σ s)."""
        if len(self.columns) == 1:
            start = int(self.plain.domain.offsets[self.node])
            return self.plain.variances.T[:, start : start + self.counts.shape[-1]]
        return variance_within(self.plain, self.node, flat(self.counts)).reshape(self.counts.shape)

    def without(self, at: Spread, left: LeftOut) -> Array:
        """Return P(x_i | parents) (M, K); a row that knows x_i is left out of P(x_i | c), too."""
        weight = np.where(left.y < 0, 0.0, left.weight)[at.row]
        own = left[at.row].own(len(self.counts)) if self.of_class else weight[:, None]
        heard = self.node not in at.hidden
        alone = (weight, own) if heard else (np.zeros_like(weight), np.zeros_like(own))
        cell = self.plain.domain.offsets[self.node] + at.values[-1]
        if len(self.columns) == 1:
            return self.plain.theta_without(cell, *alone)
        counted = self._counted(at, left)[1]
        mine = np.maximum(difference(self.counts[(slice(None), *at.values)].T.astype(float), counted), 0.0)
        all_of = self.counts.sum(axis=-1)[(slice(None), *at.values[:-1])].T.astype(float)
        known = np.maximum(difference(all_of, counted), 0.0)
        return soften_within(self.plain, cell, mine, known, prod(self.counts.shape[1:-1]), alone)


@frozen
class ClassFamily(Family):
    """P(c | parents) = (N + a_c) / (N. + Σ a_c), or as the rule softens within parents.

    Parameters
    ----------
    smoothing : Smoothing
    pseudo : ndarray (K,)
        a_c.
    class_counts : ndarray (K,)
    """

    smoothing: Smoothing
    pseudo: Array
    class_counts: Array

    @classmethod
    def estimate(
        cls, columns: tuple[int, ...], counts: Array, smoothing: Smoothing, pseudo: Array, class_counts: Array
    ) -> Self:
        """Soften the counts."""
        family = cls(columns, True, counts, counts.astype(float), smoothing, pseudo, class_counts)
        k = len(counts)
        mine = counts.reshape(k, prod(counts.shape[1:])).T.astype(float)
        p = shares(class_counts + pseudo)[None, :]
        theta = family._soften(mine, mine.sum(axis=1, keepdims=True), p)
        return replace(family, theta=theta.T.reshape(counts.shape))

    def _pseudo(self, p: Array) -> tuple[Array, Array]:
        """Return s and Σ s, of P(c) (M, K)."""
        contexts = prod(self.counts.shape[1:])
        mass = np.full((len(p), 1), self.pseudo.sum())
        s, total = self.smoothing.within(np.broadcast_to(self.pseudo, p.shape), mass, p, contexts)
        return s, total

    def _soften(self, mine: Array, known: Array, p: Array) -> Array:
        return softened(mine, known, *self._pseudo(p))

    @property
    def freedom(self) -> int:
        """How many parameters are free."""
        return int(prod(self.counts.shape[1:]) * (len(self.counts) - 1))

    def draw(self, rng: np.random.Generator) -> Self:
        """Draw from Dirichlet(N + s)."""
        s = self._pseudo(shares(self.class_counts + self.pseudo)[None, :])[0]
        gamma = rng.standard_gamma(self.counts + s.reshape(-1, *[1] * len(self.columns)))
        return replace(self, theta=ratio(gamma, gamma.sum(axis=0, keepdims=True)))

    def variance(self) -> Array:
        """Return ψ₁(N + s) − ψ₁(N. + Σ s); 0 where the probability is."""
        s = self._pseudo(shares(self.class_counts + self.pseudo)[None, :])[0]
        weight = self.counts + s.reshape(-1, *[1] * len(self.columns))
        whole = np.broadcast_to(weight.sum(axis=0), weight.shape)
        return variance_of_log(weight, whole)

    def without(self, at: Spread, left: LeftOut) -> Array:
        """Return P(c | parents) (M, K)."""
        weight, own = self._counted(at, left)
        mine = np.maximum(difference(self.counts[(slice(None), *at.values)].T.astype(float), own), 0.0)
        all_of = self.counts.sum(axis=0)[tuple(at.values)].astype(float)
        known = np.maximum(difference(all_of, weight), 0.0)[:, None]
        every = left[at.row].own(len(self.counts))
        classes = np.maximum(difference(self.class_counts.astype(float), every), 0.0)
        return self._soften(mine, known, shares(classes + self.pseudo))


def flat(counts: Array) -> Array:
    """Return counts (K, values of parents ..., values) as (K, values of parents together, values)."""
    return counts.reshape(len(counts), prod(counts.shape[1:-1]), counts.shape[-1])
