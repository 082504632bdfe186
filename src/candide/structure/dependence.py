"""Averaged dependence: models in which all attributes depend on the same super-parents, and their mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from candide.arithmetic import difference, log
from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import Discrete
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
)

Array = np.ndarray[Any, Any]
Positions = tuple[int, ...]


@dataclass(frozen=True, eq=False)
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

    def terms(self, codes: Array, alone: Array, without: LeftOut | None) -> Array:
        """Return what each attribute adds to log P(x | c) (rows, K, attributes): the mean of its terms, by shares.

        With w_J the share of model J in the sum, log of the mean of exp(s_J) is Σ_J w_J s_J − Σ_J w_J log(n w_J); the
        second sum is shared out to the super-parents.
        """
        scores, used = self.scores(codes, alone, without)
        n = used.sum(axis=1)
        out = alone.copy()
        some = np.flatnonzero(n > 0)
        none = np.flatnonzero(n == 0)
        if self.fewer is not None and len(none):
            left = None if without is None else without[none]
            out[none] = self.fewer.terms(codes[none], alone[none], left)
        share = shares(scores[some])
        total = np.where(np.isnan(alone[some]), np.nan, 0.0)
        left = None if without is None else without[some]
        for choice, J in enumerate(self.choices()):
            here = np.flatnonzero(used[some, choice])
            w = share[here, choice]
            terms = self.model(codes[some[here]], alone[some[here]], J, None if left is None else left[here])
            total[here] += w[:, :, None] * np.where(w[:, :, None] > 0, terms, 0.0)
            added = -w * log(np.where(w > 0, w * n[some[here], None], 1.0)) / self.n
            for j in J:
                total[here, :, j] += added
        out[some] = total
        return out

    def scores(self, codes: Array, alone: Array, without: LeftOut | None) -> tuple[Array, Array]:
        """Return log P(x | c) (rows, choices, K) of every model, and which of them (rows, choices) a row has."""
        choices = list(self.choices())
        scores = np.full((len(codes), len(choices), self.n_classes), -np.inf)
        used = np.zeros((len(codes), len(choices)), dtype=bool)
        for choice, J in enumerate(choices):
            here = np.flatnonzero(self.frequent(codes, J, without))
            left = None if without is None else without[here]
            scores[here, choice] = np.nansum(self.model(codes[here], alone[here], J, left), axis=2)
            used[here, choice] = True
        return scores, used

    def mean(self, codes: Array, alone: Array, without: LeftOut | None) -> Array:
        """Return log P(x | c) (rows, K)."""
        scores, used = self.scores(codes, alone, without)
        n = used.sum(axis=1)
        out = np.logaddexp.reduce(scores, axis=1, initial=-np.inf) - log(np.maximum(n, 1))[:, None]
        none = np.flatnonzero(n == 0)
        if len(none):
            left = None if without is None else without[none]
            rest = self.fewer
            out[none] = np.nansum(alone[none], axis=2) if rest is None else rest.mean(codes[none], alone[none], left)
        return np.asarray(out)

    def variance(self, codes: Array, alone: Array) -> Array:
        """Return the posterior variance of log P(x | c) (rows, K): of models with shares w_J, Σ_J w_J² that of each.

        The tables of different super-parents are taken as independent; d log Σ exp(s_J) = Σ w_J d s_J.
        """
        scores, used = self.scores(codes, alone, None)
        share = shares(scores)
        out = np.zeros(alone.shape[:2])
        for choice, J in enumerate(self.choices()):
            here = np.flatnonzero(used[:, choice])
            total = np.zeros((len(here), self.n_classes))
            for i in range(self.width):
                block, given = (self, J) if i not in J else (self.fewer, J[:-1])
                known = np.flatnonzero(codes[here, i] >= 0)
                v = codes[here[known], i]
                if i == J[0] or block is None:
                    total[known] += self.plain.variances[self.domain.offsets[i] + v]
                else:
                    table = block._variances(given, i)
                    total[known] += table[:, block.at(codes[here[known]], given), v].T
            out[here] += share[here, choice] ** 2 * total
        none = np.flatnonzero(~used.any(axis=1))
        if len(none) and self.fewer is not None:
            out[none] = self.fewer.variance(codes[none], alone[none])
        elif len(none):
            heard = codes[none] >= 0
            found = self.plain.variances[np.where(heard, self.domain.offsets[:-1] + codes[none], 0)]
            out[none] = np.where(heard[:, :, None], found, 0.0).sum(axis=1)
        return out

    def _variances(self, J: Positions, i: int) -> Array:
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


def shares(scores: Array) -> Array:
    """Return exp(s_J) / Σ exp(s_J) (rows, choices, K); even where all are zero, among all of them."""
    top = scores.max(axis=1, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(np.where(np.isfinite(top), scores - top, 0.0))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
