"""The table of a group under back-off: softened towards what its columns say apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from candide.arithmetic import difference, ratio
from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import Discrete
from candide.frozen import frozen
from candide.smoothing.base import softened

Array = np.ndarray[Any, Any]


AT_ONCE = 1 << 22
"""Numbers that are held at a time where a strength is chosen: combinations by cells of the table."""


@frozen
class JointTable(Discrete):
    """P(x_a, x_b | c) = (N + m q) / (N. + m), q in proportion to P(x_a | c) P(x_b | c) over the combinations.

    Parameters
    ----------
    members : tuple of Discrete
        P(x_i | c) of each column, as Laplace has it.
    combinations : ndarray of int (combinations, columns)
        Their values.
    strength : float
        m.
    """

    members: tuple[Discrete, ...] = ()
    combinations: Array = None  # type: ignore[assignment]  # always given; fields behind defaults need one
    strength: float = 0.0

    @classmethod
    def of(cls, joint: Discrete, members: tuple[Discrete, ...], combinations: Array, strength: float) -> Self:
        """Return a joint table softened by back-off."""
        parts = (joint.coder, joint.domain, joint.counts, joint.smoothing, joint.theta, joint.absent)
        table = cls(*parts, members, combinations, strength)
        weight, whole = table.weights()
        return replace(table, theta=softened(weight, whole, np.zeros(1), np.zeros(1)))

    @cached_property
    def apart(self) -> Array:
        """The columns taken apart, q (K, combinations)."""
        q = np.ones(self.counts.shape)
        for i, member in enumerate(self.members):
            q = q * member.theta[:, self.combinations[:, i]]
        return ratio(q, q.sum(axis=1, keepdims=True))

    def weights(self) -> tuple[Array, Array]:
        """Return N + m q and N. + m."""
        whole = self.counts.sum(axis=1, keepdims=True) + self.strength
        return self.counts + self.strength * self.apart, np.broadcast_to(whole, self.counts.shape)

    def draw(self, rng: np.random.Generator) -> Self:
        """Draw from Dirichlet(N + m q)."""
        gamma = rng.standard_gamma(self.weights()[0])
        return replace(self, theta=ratio(gamma, gamma.sum(axis=1, keepdims=True)))

    def theta_without(self, cell: Array, weight: Array, own: Array) -> Array:
        """Return theta (M, K) at combinations (M,), `own` (M, K) less in each class, in the columns apart as well."""
        count, known, share = self.without(cell, np.broadcast_to(own, (len(cell), self.n_classes)))
        return softened(count, known, self.strength * share, np.full((1, 1), self.strength))

    def without(self, cell: Array, own: Array) -> tuple[Array, Array, Array]:
        """Return N, N. and q (M, K) at combinations (M,), `own` (M, K) less in each class."""
        q = np.ones((len(cell), self.n_classes, len(self.combinations)))
        for i, member in enumerate(self.members):
            size = int(member.domain.sizes[0])
            mine = self.combinations[cell, i][:, None, None] == np.arange(size)
            counts = np.maximum(difference(member.counts.astype(float)[None], mine * own[:, :, None]), 0.0)
            theta = (counts + 1.0) / (counts.sum(axis=2, keepdims=True) + size)
            q = q * theta[:, :, self.combinations[:, i]]
        share = q[np.arange(len(cell)), :, cell] / np.maximum(q.sum(axis=2), np.finfo(float).tiny)
        count = np.maximum(difference(self.counts.T[cell].astype(float), own), 0.0)
        known = np.maximum(difference(self.counts.sum(axis=1).astype(float)[None, :], own), 0.0)
        return count, known, share

    def strength_scores(self, strengths: Sequence[float]) -> Array | None:
        """Return Σ N log P(x | c) by strength, a unit of weight left out of each cell; of many, evenly spaced ones."""
        c, cell = np.nonzero(self.counts > 0)
        every = max(1, len(c) * self.counts.size // AT_ONCE)
        c, cell = c[::every], cell[::every]
        weight = self.counts[c, cell].astype(float)
        own = LeftOut(c, np.minimum(weight, 1.0)).own(self.n_classes)
        count, known, share = (found[np.arange(len(c)), c] for found in self.without(cell, own))
        tiny = np.finfo(float).tiny
        return np.array([weight @ np.log(np.maximum((count + m * share) / (known + m), tiny)) for m in strengths])
