"""Averaged dependence: models in which all attributes depend on the same super-parents, and their mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from candide.arithmetic import difference, log
from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import Discrete
from candide.frozen import frozen
from candide.schema.domain import Domain
from candide.schema.tuples import Tuples
from candide.statistics.evidence import Evidence
from candide.structure.attributes import (
    cells_of_values,
    draw_within,
    rows_within,
    table_within,
    values_of,
    variance_within,
    weights_within,
)

Array = np.ndarray[Any, Any]
Positions = tuple[int, ...]


@frozen
class Dependence:
    """P(x | c) = mean over J of P(x_J | c) Π_i P(x_i | x_J, c), J being one or two columns: the super-parents.

    A row has those super-parents whose values it knows, and which at least `min_frequency` rows have; where there are
    none, one super-parent less is tried, and at last P(x | c) is the product of P(x_i | c). Of two super-parents j < k,
    P(x_j, x_k | c) = P(x_j | c) P(x_k | x_j, c).

    Parameters
    ----------
    plain : Discrete
        P(x_i | c).
    fewer : Dependence or None
        The models of one super-parent less; None where there is one.
    axis, counts : Tuples, ndarray (K, entries)
        The counts of one column more than there are super-parents.
    min_frequency : float
    drawn : dict or None
        P(x_i | x_J, c) (K, values of J, values of i) of every J and i, where they were drawn.
    """

    plain: Discrete
    fewer: Dependence | None
    axis: Tuples
    counts: Array
    min_frequency: float
    drawn: dict[tuple[Positions, int], Array] | None = None

    @classmethod
    def estimate(cls, plain: Discrete, evidence: Evidence, n: int, min_frequency: float) -> Dependence:
        """Return the models of n super-parents."""
        fewer = cls.estimate(plain, evidence, n - 1, min_frequency) if n > 1 else None
        return cls(plain, fewer, *evidence.together(n + 1), min_frequency)

    @property
    def n(self) -> int:
        """How many super-parents there are at a time."""
        return self.axis.order - 1

    @property
    def width(self) -> int:
        """How many attributes D there are."""
        return len(self.plain.names)

    @property
    def domain(self) -> Domain:
        """The values of the columns."""
        return self.plain.domain

    @property
    def n_classes(self) -> int:
        """K."""
        return self.plain.n_classes

    # -- tables ------------------------------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> list[Array]:
        """The cells of the values of each column."""
        return cells_of_values(self.plain)

    def choices(self) -> Iterator[Positions]:
        """Yield all choices of super-parents."""
        yield from combinations(range(self.width), self.n)

    def table(self, J: Positions, i: int) -> Array:
        """Return the counts (K, values of J, values of i)."""
        table = values_of(self.axis.table(self.counts, *J, i), [self.cells[j] for j in (*J, i)])
        return table.reshape(len(table), prod(table.shape[1:-1]), table.shape[-1])

    def at(self, codes: Array, J: Positions) -> Array:
        """Return the value of J (rows,), -1 where it is not known."""
        out = np.zeros(len(codes), dtype=np.int64)
        for j in J:
            out = np.where((out < 0) | (codes[:, j] < 0), -1, out * self.domain.sizes[j] + codes[:, j])
        return out

    # -- one row at a time, with or without itself -------------------------------------------------------------------

    def frequent(self, codes: Array, J: Positions, without: LeftOut | None) -> Array:
        """Return which rows (rows,) can have these super-parents."""
        at = self.at(codes, J)
        if self.fewer is None:
            table = self.plain.counts[:, self.domain.offsets[J[0]] : self.domain.offsets[J[0] + 1]]
        else:
            before, last = self.fewer.table(J[:-1], J[-1]).shape[1:]
            table = self.fewer.table(J[:-1], J[-1]).reshape(self.n_classes, before * last)
        n = np.append(table.sum(axis=0).astype(float), -1.0)[at]
        if without is not None:
            n = np.where(at < 0, n, difference(n, np.where(without.y < 0, 0.0, without.weight)))
        return (at >= 0) & (n >= self.min_frequency)

    def within(self, codes: Array, J: Positions, i: int, without: LeftOut | None) -> Array:
        """Return log P(x_i | x_J, c) (rows, K); NaN where x_i says nothing. J must be known."""
        out = np.full((len(codes), self.n_classes), np.nan)
        at, known = self.at(codes, J), np.flatnonzero(codes[:, i] >= 0)
        v = codes[known, i]
        if without is None:
            theta = self.theta(J, i)[:, at[known], v].T
        else:
            theta = rows_within(self.plain, i, v, self.table(J, i), at[known], without[known])
        out[known] = log(theta)
        return out

    def theta(self, J: Positions, i: int) -> Array:
        """Return P(x_i | x_J, c) (K, values of J, values of i)."""
        if self.drawn is not None:
            return self.drawn[J, i]
        return table_within(self.plain, i, self.table(J, i))

    def beyond(self, i: int, j: int) -> Array:
        """Return log P(x_i | x_j, c) / P(x_i | c) (K, values of i, values of j), of one super-parent at a time."""
        alone = log(self.plain.theta_of(i))[:, None, :]
        with np.errstate(invalid="ignore"):
            out: Array = (log(self.theta((j,), i)) - alone).transpose(0, 2, 1)
        return out

    def chances(self, i: int, j: int) -> Array:
        """Return P(x_i, x_j | c) (K, values of j, values of i), up to a factor: softened within the values of j."""
        return self.theta((j,), i) * weights_within(self.plain, i, self.table((j,), i))[1]

    def model(self, codes: Array, alone: Array, J: Positions, without: LeftOut | None) -> Array:
        """Return log P(x_i | parents, c) (rows, K, attributes) of the model of J; NaN where a cell says nothing.

        The first of J depends on the class alone, the second on the first, all others on J.

        Parameters
        ----------
        codes : ndarray (rows, attributes)
        alone : ndarray (rows, K, attributes)
            log P(x_i | c).
        J : tuple of int
        without : LeftOut or None
        """
        out = np.empty_like(alone)
        for i in range(self.width):
            if i == J[0]:
                out[:, :, i] = alone[:, :, i]
            elif i in J:
                assert self.fewer is not None
                out[:, :, i] = self.fewer.within(codes, J[:-1], i, without)
            else:
                out[:, :, i] = self.within(codes, J, i, without)
        return out

    def variances(self, J: Positions, i: int) -> Array:
        """Return the posterior variance of log P(x_i | x_J, c), laid out as theta."""
        return variance_within(self.plain, i, self.table(J, i))

    def draw(self, rng: np.random.Generator) -> Dependence:
        """Draw every table."""
        drawn = {
            (J, i): draw_within(self.plain, i, self.table(J, i), rng)
            for J in self.choices()
            for i in range(self.width)
            if i not in J
        }
        fewer = None if self.fewer is None else self.fewer.draw(rng)
        plain = self.plain.draw(rng)
        if fewer is not None:
            fewer = replace(fewer, plain=plain)
        return replace(self, plain=plain, fewer=fewer, drawn=drawn)
