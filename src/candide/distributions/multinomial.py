"""Multinomial: columns that count the words of a document."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from candide import native
from candide.arithmetic import difference, log, ratio
from candide.distributions.base import NONNEGATIVE, Block, Distribution, Rules, Support
from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import pseudo_counts
from candide.distributions.forms import Form, Linear
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.schema.domain import Domain
from candide.schema.order import object_array
from candide.schema.rows import Rows
from candide.smoothing.base import Smoothing, softened
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class Multinomial(Distribution):
    """P(x | c) ∝ Π_i theta_ic^x_i: all columns of the block share one urn per class.

    The urn is one attribute whose values are the columns, so that every smoothing rule applies to it. The multinomial
    coefficient, which is the same for every class, is left out. A missing count says nothing.
    """

    name = "multinomial"
    needs = ("totals",)
    support = NONNEGATIVE

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Soften the totals of the columns."""
        totals, known = evidence.totals(positions)
        names = tuple(evidence.schema.columns[j].name for j in positions)
        domain = Domain((names,), (object_array(list(names)),), evidence.classes)
        length = ratio(totals, np.broadcast_to(known, totals.shape)).sum(axis=1)
        return Urn.estimate(positions, domain, totals, rules.smoothing, length)


@frozen
class Urn(Block):
    """log P(x | c) = Σ_i x_i log theta_ic; rows of class c have `length` words on average."""

    positions: Array
    domain: Domain
    totals: Array
    smoothing: Smoothing
    theta: Array
    length: Array
    reads_sparse: ClassVar[bool] = True

    @classmethod
    def estimate(cls, positions: Array, domain: Domain, totals: Array, smoothing: Smoothing, length: Array) -> Urn:
        """Return theta_ic = (T_ic + s_ic) / (Σ_i T_ic + Σ_i s_ic)."""
        urn = cls(positions, domain, totals, smoothing, totals, length)
        return replace(urn, theta=softened(totals, totals.sum(axis=1, keepdims=True), *urn.pseudo))

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # one contribution per column
        """The columns."""
        return tuple(self.domain.names[0])

    @property
    def places(self) -> Array:
        """The columns."""
        return self.positions

    @cached_property
    def pseudo(self) -> tuple[Array, Array]:
        """s_ic and Σ_i s_ic, as (K or 1, D)."""
        return pseudo_counts(self.smoothing, self.domain, self.totals)

    @cached_property
    def log_table(self) -> Array:
        """Log theta as (D, K)."""
        return log(np.ascontiguousarray(self.theta.T))

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.theta)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add x · log theta; what is zero or missing is skipped, so that 0 · log 0 = 0."""
        x = rows.entries(self.positions) if link is LOG and without is None else None
        if x is None:
            super().add(rows, link, out, without)
            return
        data = np.nan_to_num(x.data) if x.data.dtype.kind == "f" and np.isnan(x.data).any() else x.data
        native.add_csr(data, x.indices, x.indptr, self.log_table, out)
        out[rows_outside(x, NONNEGATIVE)] = -np.inf

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return x_i log theta_ic; minus infinity for a negative count."""
        x = rows.numbers(self.positions)
        return power(x, self.log_table.T[None] if without is None else log(self._theta_without(x, without)))

    def _theta_without(self, x: Array, without: LeftOut) -> Array:
        """Return theta_ic (rows, K, D), the row's words taken out of its own class's urn."""
        x = np.nan_to_num(x.astype(float))
        own, weight = without.own(self.n_classes), np.where(without.y < 0, 0.0, without.weight)
        counts = np.maximum(difference(self.totals[None], own[:, :, None] * x[:, None, :]), 0.0)
        everything = np.maximum(difference(self.totals.sum(), weight * x.sum(axis=1)), 0.0)
        marginal = np.maximum(difference(self.totals.sum(axis=0)[None], weight[:, None] * x), 0.0)
        n, d = x.shape
        cells = np.tile(np.arange(d), n)
        known = counts.sum(axis=2, keepdims=True)
        of_cell = np.repeat(known[:, :, 0], d, axis=0)
        pseudo, mass = (
            np.moveaxis(a.reshape(n, d, -1), 2, 1)
            for a in self.smoothing.pseudo_counts(
                self.domain, cells, marginal.ravel(), np.repeat(everything, d), of_cell
            )
        )
        return softened(counts, known, pseudo, mass)

    def draw(self, rng: np.random.Generator) -> Urn:
        """Draw theta_.c ~ Dirichlet(T + s)."""
        gamma = rng.standard_gamma(self.totals + self.pseudo[0])
        return replace(self, theta=ratio(gamma, gamma.sum(axis=1, keepdims=True)))

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw documents of the mean length of the training rows of their class."""
        theta = np.where(self.theta.sum(axis=1, keepdims=True) > 0, self.theta, 1.0)
        words = self.length.round().astype(np.int64)[y]
        counts = rng.multinomial(words, (theta / theta.sum(axis=1, keepdims=True))[y]).astype(float)
        return {int(j): counts[:, i] for i, j in enumerate(self.positions)}

    def describe(self, attribute: int) -> dict[str, Array]:
        """Return theta of one column."""
        return {"theta": self.theta[:, attribute]}

    def form(self, attribute: int) -> Form:
        """Return the line x log theta."""
        zero = np.zeros(self.n_classes)
        slope = self.log_table[attribute]
        return Linear(columns=self.columns(attribute), missing=zero, intercept=zero, slope=slope, least=0.0)


def rows_outside(sparse: Any, support: Support) -> Array:
    """Return the rows of a sparse table that hold a number outside a support that zero is in."""
    entries = np.flatnonzero(support.outside(sparse.data))
    return np.unique(np.searchsorted(sparse.indptr, entries, side="right") - 1)


def power(x: Array, log_theta: Array) -> Array:
    """Return x_i log theta_ic as (rows, classes, columns), with 0 · log 0 = 0 and a missing count saying nothing."""
    count = x[:, None, :]
    with np.errstate(invalid="ignore"):
        out = np.where((count == 0) | np.isnan(count.astype(float, copy=False)), 0.0, count * log_theta)
    return np.where(count < 0, -np.inf, out)
