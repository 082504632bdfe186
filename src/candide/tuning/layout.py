"""The parameters of the convex problem: which cells have which, where they begin and what draws them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.frozen import frozen
from candide.tuning.evidence import LeftOutEvidence

Array = np.ndarray[Any, Any]

STIFF = 4.0
"""How strongly θ is drawn to one and τ to what is believed of it at the least, whatever the strength of the penalty."""
LEAK = 1.0
"""How much of what a weight may seem to gain the penalty takes back."""


@frozen
class Terms:
    """The parameters of a problem, apart.

    Parameters
    ----------
    theta, tau : float
    shifts : ndarray (attributes,)
        u, of the attributes with cells and of those without.
    bias : ndarray (K,)
    slopes : ndarray (numbers, K)
        β.
    entries : ndarray (free cells, K)
        δ.
    """

    theta: float
    tau: float
    shifts: Array
    bias: Array
    slopes: Array
    entries: Array


@frozen
class Layout:
    """Which cells have which parameters.

    Parameters
    ----------
    others, own : ndarray (entries, K)
    offsets : ndarray (attributes + 1,)
        Where the cells of each attribute begin: the prior, those with evidence, pairs.
    n_weighed : int
        How many attributes have evidence, the prior not among them.
    n_loose : int
        How many have evidence without cells.
    z : ndarray (entries,)
    line : ndarray of int (entries,)
        The slope of each cell; -1 where it has none.
    free : ndarray of int
        The cells that add something of their own.
    shifting : bool
        Whether each attribute has a weight of its own.
    leaks : ndarray (n_weighed + n_loose,)
        What a weight may seem to gain by rows' having been left out, which the penalty takes back.
    believed, held : float
        Where τ is drawn to, and how strongly: to one, or to less where the evidence is of few rows.
    towards, pull : float
        Where τ is drawn to besides, and how strongly: below zero it would gain what all weights may seem to.
    """

    others: Array
    own: Array
    offsets: Array
    n_weighed: int
    n_loose: int
    z: Array
    line: Array
    free: Array
    shifting: bool
    leaks: Array
    believed: float = 1.0
    held: float = STIFF
    towards: float = 1.0
    pull: float = 0.0

    @classmethod
    def of(cls, evidence: LeftOutEvidence, ridge: bool, shifting: bool) -> Layout:
        """Lay the views of evidence out flat."""
        views = evidence.views
        at = offsets(len(view.others) for view in views)
        others, own = (
            np.ascontiguousarray(np.concatenate(a)) for a in zip(*((v.others, v.own) for v in views), strict=True)
        )
        z, line, free = np.zeros(len(others)), np.full(len(others), -1, dtype=np.int64), np.zeros(0, dtype=np.int64)
        leaks = np.concatenate([[view.leak for view in views[1:]], np.zeros(len(evidence.loose))]) * LEAK
        numbers = 0
        for view, start in zip(views[1:], at[1:-1].tolist(), strict=True) if ridge else ():
            known = 0 if view.z is None else len(view.z)
            if view.z is not None:
                z[start : start + known], line[start : start + known] = view.z, numbers
                numbers += 1
            free = np.append(free, np.arange(start + known, start + len(view.others)))
        return cls(others, own, at, len(views) - 1, len(evidence.loose), z, line, free, shifting, leaks)

    def joined(self, sizes: Sequence[int], products: Sequence[Array | None]) -> Layout:
        """Return the layout with further attributes of so many free cells each, and no evidence.

        Those that have products, one in each cell, have a slope along them as well.
        """
        more, k = sum(sizes), self.others.shape[1]
        m = len(self.others)
        nothing = np.zeros((more, k))
        sloped = np.cumsum([p is not None for p in products])
        z = [np.zeros(size) if p is None else p for p, size in zip(products, sizes, strict=True)]
        line = [-1 if p is None else self.n_lines + i - 1 for p, i in zip(products, sloped.tolist(), strict=True)]
        return replace(
            self,
            others=np.concatenate([self.others, nothing]),
            own=np.concatenate([self.own, nothing]),
            offsets=np.concatenate([self.offsets, m + offsets(sizes)[1:]]),
            z=np.concatenate([self.z, *z]),
            line=np.concatenate([self.line, np.repeat(np.array(line, dtype=np.int64), sizes)]),
            free=np.concatenate([self.free, np.arange(m, m + more)]),
        )

    def widened(self, p: Array, wide: Layout) -> Array:
        """Return parameters as those of a layout with further attributes, whose own are zero."""
        parts = zip(np.split(p, np.cumsum(self.sizes)[:-1]), wide.sizes, strict=True)
        return np.concatenate([np.pad(part, (0, size - len(part))) for part, size in parts])

    @property
    def n_shifts(self) -> int:
        """How many attributes have a weight of their own."""
        return (self.n_weighed + self.n_loose) * self.shifting

    @property
    def n_lines(self) -> int:
        """How many slopes there are."""
        return int(self.line.max(initial=-1)) + 1

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many parameters there are of each kind: θ, τ, u, b, β, δ."""
        k = self.others.shape[1]
        return (1, 1, self.n_shifts, k, self.n_lines * k, len(self.free) * k)

    def split(self, p: Array) -> Terms:
        """Return parameters apart."""
        theta, tau, shifts, bias, slopes, entries = np.split(p, np.cumsum(self.sizes)[:-1])
        k = len(bias)
        if not self.shifting:
            shifts = np.zeros(self.n_weighed + self.n_loose)
        return Terms(float(theta[0]), float(tau[0]), shifts, bias, slopes.reshape(-1, k), entries.reshape(-1, k))

    def penalty(self, strength: float) -> Array:
        """Return how strongly each parameter is drawn to its centre."""
        out = np.repeat(np.array((STIFF, self.held, 2.0 * strength, 1.0, strength, strength)), self.sizes)
        out[1] += self.pull
        out[2 : 2 + self.n_shifts] += self.leaks[: self.n_shifts]
        return out

    @cached_property
    def start(self) -> Array:
        """Naive Bayes: θ = τ = 1, all others 0."""
        return np.repeat(np.array((1.0, 1.0, 0.0, 0.0, 0.0, 0.0)), self.sizes)

    @property
    def silent(self) -> Array:
        """The prior alone: θ = 1, all others 0."""
        return np.repeat(np.array((1.0, 0.0, 0.0, 0.0, 0.0, 0.0)), self.sizes)

    @cached_property
    def centre(self) -> Array:
        """Where the parameters are drawn to."""
        out = self.start.copy()
        out[1] = (self.held * self.believed + self.pull * self.towards) / (self.held + self.pull)
        return out

    def tables(self, terms: Terms) -> tuple[Array, Array]:
        """Return what each cell adds to the classes that a row is not in, and to its own."""
        weight = np.zeros(len(self.offsets) - 1)
        weight[0] = terms.theta
        weight[1 : 1 + self.n_weighed] = terms.tau + terms.shifts[: self.n_weighed]
        w = np.repeat(weight, np.diff(self.offsets))[:, None]
        added = np.zeros_like(self.others)
        added[0] = terms.bias
        on_line = self.line >= 0
        added[on_line] += self.z[on_line, None] * terms.slopes[self.line[on_line]]
        added[self.free] += terms.entries
        return w * self.others + added, w * self.own + added

    @cached_property
    def entries(self) -> tuple[Any, ...]:
        """What the kernels take."""
        free = np.full(len(self.others), -1, dtype=np.int64)
        free[self.free] = np.arange(len(self.free))
        return (self.offsets, self.others, self.own, self.z, self.line, free, self.n_weighed)
