"""The convex problem: weights that make rows, each left out of the evidence, most probable, less a penalty.

score_c = θ log P(c) + b_c + Σ_i (τ + u_i) L_i[c] + β_ic z_i + δ_kc

is linear in all parameters, so that Σ −log P(y) plus squares has one least value. Everything a row's cell adds is an
entry of a table: the kernel sums what is left over of the rows by entry, and the derivatives follow from those sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import minimize

from candide import native
from candide.arithmetic import offsets
from candide.tuning.views import Evidence

Array = np.ndarray[Any, Any]

STEPS = 150
"""Steps of the descent at the most."""
TOLERANCE = 1e-7
"""Relative gain below which the descent ends."""


@dataclass(frozen=True, eq=False)
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


@dataclass(frozen=True, eq=False)
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

    @classmethod
    def of(cls, evidence: Evidence, ridge: bool, shifting: bool) -> Layout:
        """Lay the views of evidence out flat."""
        views = evidence.views
        at = offsets(len(view.others) for view in views)
        others, own = (np.ascontiguousarray(np.concatenate(a)) for a in zip(*((v.others, v.own) for v in views), strict=True))
        z, line, free = np.zeros(len(others)), np.full(len(others), -1), []
        numbers = 0
        for view, start in zip(views[1:], at[1:-1].tolist(), strict=True) if ridge else ():
            known = 0 if view.z is None else len(view.z)
            if view.z is not None:
                z[start : start + known], line[start : start + known] = view.z, numbers
                numbers += 1
            free += range(start + known, start + len(view.others))
        cells = np.array(free, dtype=np.int64)
        return cls(others, own, at, len(views) - 1, len(evidence.loose), z, line, cells, shifting)

    def joined(self, sizes: Sequence[int]) -> Layout:
        """Return the layout with further attributes of so many free cells each, and no evidence."""
        more, k = sum(sizes), self.others.shape[1]
        m = len(self.others)
        padded = {name: np.concatenate([getattr(self, name), np.zeros((more, k))]) for name in ("others", "own")}
        return replace(
            self,
            **padded,
            offsets=np.concatenate([self.offsets, m + offsets(sizes)[1:]]),
            z=np.concatenate([self.z, np.zeros(more)]),
            line=np.concatenate([self.line, np.full(more, -1)]),
            free=np.concatenate([self.free, np.arange(m, m + more)]),
        )

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
        """Return how strongly each parameter is drawn to where it begins."""
        each = (4.0, 4.0, 2.0 * strength, 1.0, strength, strength)
        return np.repeat(np.array(each), self.sizes)

    @cached_property
    def start(self) -> Array:
        """Naive Bayes: θ = τ = 1, all others 0."""
        return np.repeat(np.array((1.0, 1.0, 0.0, 0.0, 0.0, 0.0)), self.sizes)

    @cached_property
    def attribute(self) -> Array:
        """The attribute of each entry."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def weights(self, terms: Terms) -> Array:
        """Return how much the evidence of every attribute with cells counts."""
        out = np.zeros(len(self.offsets) - 1)
        out[0] = terms.theta
        out[1 : 1 + self.n_weighed] = terms.tau + terms.shifts[: self.n_weighed]
        return out

    def tables(self, terms: Terms) -> tuple[Array, Array]:
        """Return what each cell adds to the classes that a row is not in, and to its own."""
        w = self.weights(terms)[self.attribute][:, None]
        added = np.zeros_like(self.others)
        added[0] = terms.bias
        lined = self.line >= 0
        if lined.any():
            added[lined] += self.z[lined, None] * terms.slopes[self.line[lined]]
        added[self.free] += terms.entries
        return w * self.others + added, w * self.own + added

    def gradient(self, sums: Array, own_sums: Array, of_loose: Array) -> Array:
        """Return the derivative by every parameter, from those by entry and by the weights of loose attributes."""
        both = sums + own_sums
        by_entry = (sums * self.others + own_sums * self.own).sum(axis=1)
        by_weight = np.add.reduceat(by_entry, self.offsets[:-1])
        weighed = np.concatenate([by_weight[1 : 1 + self.n_weighed], of_loose])
        lined = self.line >= 0
        slopes = np.zeros((self.n_lines, both.shape[1]))
        if lined.any():
            zg = self.z[lined, None] * both[lined]
            slopes = np.add.reduceat(zg, np.flatnonzero(np.diff(self.line[lined], prepend=-1)))
        parts = ([by_weight[0]], [weighed.sum()], weighed if self.shifting else (), both[0], slopes.ravel())
        return np.concatenate([*parts, both[self.free].ravel()])


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows, and the parameters that their scores depend on.

    Parameters
    ----------
    layout : Layout
    codes : ndarray (rows, attributes)
    dense : ndarray (rows, loose, K)
    starts : ndarray (K + 1,)
    weight : ndarray (rows,)
    """

    layout: Layout
    codes: Array
    dense: Array
    starts: Array
    weight: Array

    @classmethod
    def of(cls, evidence: Evidence, ridge: bool = True, shifting: bool = True) -> Problem:
        """Return the problem of evidence."""
        layout = Layout.of(evidence, ridge, shifting)
        return cls(layout, evidence.codes, evidence.dense, evidence.starts, evidence.weight)

    def __len__(self) -> int:
        return len(self.codes)

    def only(self, rows: Array) -> Problem:
        """Return the problem of some rows, ascending."""
        starts = np.searchsorted(rows, self.starts).astype(np.int64)
        return Problem(self.layout, self.codes[rows], self.dense[rows], starts, self.weight[rows])

    def joined(self, codes: Array, sizes: Sequence[int]) -> Problem:
        """Return the problem with further attributes: codes (rows, more) below their sizes."""
        kind = np.promote_types(self.codes.dtype, codes.dtype)
        both = np.concatenate([self.codes.astype(kind, copy=False), codes.astype(kind, copy=False)], axis=1)
        return replace(self, layout=self.layout.joined(sizes), codes=both)

    def _base(self, terms: Terms) -> Array | None:
        """Return what attributes without cells add to the scores."""
        if not self.dense.shape[1]:
            return None
        w = terms.tau + terms.shifts[self.layout.n_weighed :]
        return np.ascontiguousarray(np.einsum("v,nvk->nk", w, self.dense))

    def loss(self, p: Array) -> tuple[float, Array]:
        """Return Σ −w log P(y) and its derivative."""
        terms = self.layout.split(p)
        base = self._base(terms)
        residual = None if base is None else np.empty_like(base)
        others, own = self.layout.tables(terms)
        value, sums, own_sums, _ = native.tuning_loss(
            self.codes, self.layout.offsets, others, own, self.starts, self.weight, base, residual
        )
        of_loose = np.zeros(0) if residual is None else np.einsum("nvk,nk->v", self.dense, residual)
        return value, self.layout.gradient(sums, own_sums, of_loose)

    def log_proba(self, p: Array) -> Array:
        """Return log P(c | x) of every row, left out."""
        terms = self.layout.split(p)
        base = self._base(terms)
        out = np.zeros((len(self), len(self.starts) - 1)) if base is None else base
        y = np.repeat(np.arange(out.shape[1]), np.diff(self.starts))
        native.add_gather_left_out(self.codes, self.layout.offsets, *self.layout.tables(terms), y, out)
        native.log_normalize(out)
        return out

    def scale(self, p: Array, penalty: Array) -> Array:
        """Return the size of a step that changes the value by about one, parameter by parameter."""
        layout, terms = self.layout, self.layout.split(p)
        others, own = layout.tables(terms)
        _, _, _, h = native.tuning_loss(
            self.codes, layout.offsets, others, own, self.starts, self.weight, self._base(terms), None, True
        )
        assert h is not None
        by_entry = (h * layout.others**2).sum(axis=1)
        by_weight = np.add.reduceat(by_entry, layout.offsets[:-1])
        loose = np.einsum("n,nvk->v", self.weight, self.dense**2) / 4
        weighed = np.concatenate([by_weight[1 : 1 + layout.n_weighed], loose])
        lined = layout.line >= 0
        slopes = np.zeros((layout.n_lines, h.shape[1]))
        np.add.at(slopes, layout.line[lined], layout.z[lined, None] ** 2 * h[lined])
        parts = ([by_weight[0]], [weighed.sum()], weighed if layout.shifting else (), h[0], slopes.ravel())
        return np.asarray(1.0 / np.sqrt(np.concatenate([*parts, h[layout.free].ravel()]) + penalty))

    def solve(self, strength: float, start: Array | None = None, tolerance: float = TOLERANCE) -> Array:
        """Return the parameters of the least loss and penalty."""
        centre, penalty = self.layout.start, self.layout.penalty(strength)
        begin = centre if start is None else start
        step = self.scale(begin, penalty)

        def objective(q: Array) -> tuple[float, Array]:
            p = begin + q * step
            value, gradient = self.loss(p)
            away = p - centre
            return value + 0.5 * float(penalty @ away**2), (gradient + penalty * away) * step

        found = minimize(
            objective, np.zeros(len(begin)), jac=True, method="L-BFGS-B",
            options={"maxcor": 20, "maxiter": STEPS, "ftol": tolerance, "gtol": 1e-5},
        )  # fmt: skip
        return np.asarray(begin + found.x * step)
