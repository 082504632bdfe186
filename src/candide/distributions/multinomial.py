"""Multinomial: columns that count the words of a document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from candide import native
from candide.arithmetic import difference, log, ratio
from candide.distributions.base import NONNEGATIVE, Block, Distribution, Rules, rows_outside
from candide.schema.domain import Domain
from candide.schema.rows import Rows
from candide.schema.schema import Storage, object_array
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class Multinomial(Distribution):
    """P(x | c) ∝ Π_i theta_ic^x_i: all columns of the block share one urn per class.

    The urn is one attribute whose values are the columns, so that every smoothing rule applies to it. The multinomial
    coefficient, which is the same for every class, is left out. A missing count says nothing.
    """

    name = "multinomial"
    storage: ClassVar[Storage] = "totals"
    support = NONNEGATIVE

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Soften the totals of the columns."""
        totals, known = evidence.totals(positions)
        names = tuple(evidence.schema.columns[j].name for j in positions)
        domain = Domain((names,), (object_array(list(names)),), evidence.classes)
        length = ratio(totals, np.broadcast_to(known, totals.shape)).sum(axis=1)
        return Urn.estimate(positions, domain, totals, rules.smoothing, length)


@dataclass(frozen=True, eq=False)
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
        return replace(urn, theta=ratio(totals + urn.pseudo, totals.sum(axis=1, keepdims=True) + urn.pseudo_mass))

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # one contribution per column
        """The columns."""
        return tuple(self.domain.names[0])

    @property
    def places(self) -> Array:
        """The columns."""
        return self.positions

    @cached_property
    def pseudo(self) -> Array:
        """s_ic as (K or 1, D)."""
        marginal = self.totals.sum(axis=0)
        everything = np.full(len(marginal), marginal.sum())
        return self.smoothing.value_pseudo(self.domain, np.arange(len(marginal)), marginal, everything).T

    @cached_property
    def pseudo_mass(self) -> Array:
        """Σ_i s_ic as (K or 1, 1)."""
        return self.smoothing.value_mass(self.domain, np.zeros(1, dtype=int), self.totals.sum(keepdims=True)[0]).T

    @cached_property
    def log_table(self) -> Array:
        """Log theta as (D, K)."""
        return log(np.ascontiguousarray(self.theta.T))

    def add(self, rows: Rows, out: Array) -> None:
        """Add x · log theta; what is zero or missing is skipped, so that 0 · log 0 = 0."""
        x = rows.entries(self.positions)
        if x is not None:
            data = np.nan_to_num(x.data) if x.data.dtype.kind == "f" and np.isnan(x.data).any() else x.data
            native.add_csr(data, x.indices, x.indptr, self.log_table, out)
            out[rows_outside(x, NONNEGATIVE)] = -np.inf
        else:
            super().add(rows, out)

    def log_likelihood(self, rows: Rows) -> Array:
        """Return x_i log theta_ic; minus infinity for a negative count."""
        x = rows.numbers(self.positions)
        return power(x, self.log_table.T[None])

    def leave_one_out(self, rows: Rows, y: Array, weight: Array) -> Array:
        """Return x_i log theta_ic, the row's words taken out of its own class's urn."""
        x = np.nan_to_num(rows.numbers(self.positions).astype(float))
        own = np.zeros((len(x), len(self.totals)))
        own[np.arange(len(x)), y] = weight
        counts = np.maximum(difference(self.totals[None], own[:, :, None] * x[:, None, :]), 0.0)
        everything = np.maximum(difference(self.totals.sum(), weight * x.sum(axis=1)), 0.0)
        marginal = np.maximum(difference(self.totals.sum(axis=0)[None], weight[:, None] * x), 0.0)
        n, d = x.shape
        cells = np.tile(np.arange(d), n)
        pseudo = self.smoothing.value_pseudo(self.domain, cells, marginal.ravel(), np.repeat(everything, d))
        mass = self.smoothing.value_mass(self.domain, np.zeros(n, dtype=int), everything)
        pseudo = np.moveaxis(pseudo.reshape(n, d, -1), 2, 1)
        return power(x, log(ratio(counts + pseudo, counts.sum(axis=2, keepdims=True) + mass[:, :, None])))

    def draw(self, rng: np.random.Generator) -> Urn:
        """Draw theta_.c ~ Dirichlet(T + s)."""
        gamma = rng.standard_gamma(self.totals + self.pseudo)
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


def power(x: Array, log_theta: Array) -> Array:
    """Return x_i log theta_ic as (rows, classes, columns), with 0 · log 0 = 0 and a missing count saying nothing."""
    count = x[:, None, :]
    with np.errstate(invalid="ignore"):
        out = np.where((count == 0) | np.isnan(count.astype(float, copy=False)), 0.0, count * log_theta)
    return np.where(count < 0, -np.inf, out)
