"""Blocks of smoothed tables: cells of about equal mass whose counts are spread over their neighbours."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from candide import native
from candide.arithmetic import difference, ratio
from candide.distributions.coders import CutCoder
from candide.distributions.discrete import AT_A_TIME, Discrete
from candide.distributions.drawing import draw_gammas
from candide.frozen import frozen
from candide.schema.domain import Domain
from candide.smoothing.constant import Frequencies

Array = np.ndarray[Any, Any]


@frozen
class Smoothed(Discrete):
    """P(x in cell k | c) = (S_kc + s_kc) / (N_c + Σ_k s_kc), with s_kc = a r P(c) + m_k.

    S = G n are the counts spread by the kernel G of the column (`native.smooth`), m_k the cell's share of the column,
    P(c) = (N_c + 1) / (N + K), and r the harmonic mean of G[k, k], the part of a row that stays in its cell. So a
    cell is drawn towards saying nothing by a r rows, and a class towards the column's own shares by one row.

    Parameters
    ----------
    shares : ndarray (cells,)
        m_k, as they were settled; those of a column add up to 1.
    widths, strengths : ndarray (attributes,)
        The kernel's width in shares, 0 for none, and a.
    class_counts : ndarray (K,)
        N_c over the whole table.
    """

    shares: Array
    widths: Array
    strengths: Array
    class_counts: Array

    @classmethod
    def of(
        cls,
        coder: CutCoder,
        domain: Domain,
        counts: Array,
        shares: Array,
        widths: Array,
        strengths: Array,
        class_counts: Array,
    ) -> Self:
        """Spread the counts (K, cells) and soften them."""
        silent = np.zeros(len(domain.names), dtype=bool)
        class_counts = class_counts.astype(float)
        block = cls(coder, domain, counts, Frequencies(), np.zeros(0), silent, shares, widths, strengths, class_counts)
        theta = np.empty(counts.shape)
        for first in range(0, counts.shape[1], AT_A_TIME):
            cells = np.arange(first, min(first + AT_A_TIME, counts.shape[1]))
            nobody = np.zeros((len(cells), 1))
            theta[:, cells] = block.theta_without(cells, nobody[:, 0], nobody).T
        return replace(block, theta=theta)

    @property
    def tables(self) -> list[Any]:
        """None that a rule of smoothing softens: the pseudo-counts are the block's own."""
        return []

    @cached_property
    def spread(self) -> tuple[Array, Array, Array]:
        """S (K, cells), G[k, k] (cells,) and Σ G² n (K, cells)."""
        counts = np.ascontiguousarray(self.counts, dtype=np.float64)
        return native.smooth(counts, self.domain.offsets, self.shares, self.widths)

    @cached_property
    def pulls(self) -> Array:
        """The weight a r by which a cell of each attribute is drawn towards saying nothing."""
        stays = self.spread[1]
        return np.asarray(self.strengths * self.domain.sizes / self.domain.total(1.0 / stays))

    def _pseudo(self, cell: Array, weight: Array, own: Array) -> tuple[Array, Array]:
        """Return s_kc at cells (M,), and Σ_k s_kc, each without a weight (M,) of which `own` (M, K) is of a class."""
        i = self.domain.attribute[cell]
        prior = self.class_counts + 1.0
        p = (prior - own) / (prior.sum() - weight)[:, None]
        pull = self.pulls[i][:, None] * p
        return pull + self.shares[cell][:, None], self.domain.sizes[i][:, None] * pull + 1.0

    def theta_without(self, cell: Array, weight: Array, own: Array) -> Array:
        """Return theta (M, K) at cells (M,), under the same shares, widths and strengths."""
        smoothed, stays, _ = self.spread
        pseudo, mass = self._pseudo(cell, weight, own)
        count = np.maximum(difference(smoothed.T[cell], own * stays[cell][:, None]), 0.0)
        known = np.maximum(difference(self._known.T[self.domain.attribute[cell]], own), 0.0)
        return np.asarray((count + pseudo) / (known + mass))

    @cached_property
    def _known(self) -> Array:
        return self.domain.total(self.counts)

    def weights(self) -> tuple[Array, Array]:
        """Return effective weights: (S + s)² / (Σ G² n + s) has the relative variance of S + s."""
        smoothed, _, variance = self.spread
        cells = np.arange(self.counts.shape[1])
        pseudo, mass = (a.T for a in self._pseudo(cells, np.zeros(len(cells)), np.zeros((len(cells), 1))))
        effective = (smoothed + pseudo) ** 2 / (variance + pseudo)
        return effective, np.maximum(self._known[:, self.domain.attribute] + mass, effective)

    def draw_theta(self, cell: Array, weight: Array, total: Array, draws: int, rng: np.random.Generator) -> Array:
        """Return theta (draws, K, M) at cells (M,), each of another attribute: as `draw`, of these cells alone.

        The kernel's columns add up to 1, so that the spread counts of an attribute add up to the counts themselves.
        """
        pseudo, mass = (a.T for a in self._pseudo(cell, np.zeros(len(cell)), np.zeros((len(cell), 1))))
        own = rng.standard_gamma(pseudo, (draws, *pseudo.shape))
        everything = own + rng.standard_gamma(mass - pseudo, own.shape)
        for m, (k, i) in enumerate(zip(cell.tolist(), self.domain.attribute[cell].tolist(), strict=True)):
            start, end = self.domain.offsets[i : i + 2].tolist()
            counts, arrives = nearer(self.counts[:, start:end], self._kernel(i)[:, k - start])
            drawn = draw_gammas(rng, counts, draws)
            everything[:, :, m] += drawn.sum(axis=2)
            own[:, :, m] += (drawn * arrives).sum(axis=2)
        return ratio(own, everything)

    def _kernel(self, i: int) -> Array:
        """Return what of a row in each cell j of an attribute goes to each cell k: (j, k)."""
        start, end = self.domain.offsets[i : i + 2].tolist()
        one_each, ends = np.eye(end - start), np.array([0, end - start], dtype=np.int64)
        return native.smooth(one_each, ends, self.shares[start:end], self.widths[[i]])[0]

    def draw(self, rng: np.random.Generator) -> Self:
        """Draw counts n_kc ~ Gamma(n_kc), spread them, and soften them by drawn pseudo-counts."""
        cells = np.arange(self.counts.shape[1])
        pseudo, _ = self._pseudo(cells, np.zeros(len(cells)), np.zeros((len(cells), 1)))
        drawn = rng.standard_gamma(self.counts.astype(float))
        smoothed, _, _ = native.smooth(drawn, self.domain.offsets, self.shares, self.widths)
        weights = smoothed + rng.standard_gamma(np.ascontiguousarray(pseudo.T))
        return replace(self, theta=ratio(weights, self.domain.total(weights)[:, self.domain.attribute]))


FAR = 1e-6
"""What of a row arrives in a cell that is far from its own, at the most."""


def nearer(counts: Array, arrives: Array) -> tuple[Array, Array]:
    """Return the counts (K, near + 1) of the cells that are not far, those of all others as one, and what arrives.

    Gamma numbers of one scale add up to a gamma number of the sum of their shapes. What arrives of those far away is
    the mean of theirs, by class: (K, near + 1).

    Parameters
    ----------
    counts : ndarray (K, cells)
    arrives : ndarray (cells,)
        What of a row in each cell arrives in the one that is asked for.

    Examples
    --------
    >>> nearer(np.array([[4, 3, 1]]), np.array([0.5, 0.0, 4e-8]))
    (array([[4., 4.]]), array([[5.e-01, 1.e-08]]))
    """
    near = arrives > FAR
    far = counts[:, ~near].sum(axis=1, keepdims=True)
    share = ratio(counts[:, ~near] @ arrives[~near][:, None], far)
    of_near = np.broadcast_to(arrives[near], (len(counts), int(near.sum())))
    return np.hstack([counts[:, near].astype(float), far]), np.hstack([of_near, share])
