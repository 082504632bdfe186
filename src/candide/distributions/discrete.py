"""Discrete attributes: softened tables of P(value | class), read by codes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol, Self

import numpy as np

from candide import native
from candide.distributions.base import Block
from candide.distributions.drawing import draw_positions
from candide.domains import Domain
from candide.rows import MISSING, Rows, rename
from candide.smoothing import Smoothing
from candide.statistics import difference

Array = np.ndarray[Any, Any]


class Coder(Protocol):
    """From rows to the value codes of attributes: -1 missing, -2 outside the domain."""

    @property
    def places(self) -> Array:
        """The column that each attribute is read from."""
        ...

    def codes(self, rows: Rows) -> Array:
        """Return codes (rows, attributes)."""
        ...

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Add table[code] to out without building the codes; False where that is not possible."""
        ...

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return cells that have these codes, by column position."""
        ...


@dataclass(frozen=True, eq=False)
class LevelCoder:
    """The level codes of columns of symbols."""

    places: Array
    levels: tuple[Array, ...]

    def codes(self, rows: Rows) -> Array:
        """Return the schema's codes."""
        return rows.codes(self.places)

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Read a frame's own codes in place: the table is renamed, not the rows."""
        if rows.table.matrix is not None or rows.unseen == "error":
            return False
        ends = np.cumsum([len(levels) for levels in self.levels])[:-1]
        codes, levels = rows.own_codes(self.places)
        renamed = [rename(part, level) for part, level in zip(np.split(table, ends), levels, strict=True)]
        offsets = np.concatenate([[0], np.cumsum([len(part) for part in renamed])]).astype(np.int64)
        native.add_gather(codes, offsets, np.ascontiguousarray(np.concatenate(renamed)), out)
        return True

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return the levels themselves."""
        out = {}
        for i, (j, levels) in enumerate(zip(self.places, self.levels, strict=True)):
            cells = np.full(len(codes), None, dtype=object)
            known = (codes[:, i] >= 0) & (codes[:, i] < len(levels))
            cells[known] = levels[codes[known, i]]
            out[int(j)] = cells
        return out


@dataclass(frozen=True, eq=False)
class Discrete(Block):
    """P(A_i = v | c) = theta_ivc for a block of attributes.

    Parameters
    ----------
    coder : Coder
    domain : Domain
    counts : ndarray (K, cells)
        N_ivc.
    smoothing : Smoothing
    theta : ndarray (K, cells)
    absent : ndarray of bool (attributes,)
        Where the last value of the attribute is "missing".
    """

    coder: Coder
    domain: Domain
    counts: Array
    smoothing: Smoothing
    theta: Array
    absent: Array

    @classmethod
    def estimate(cls, coder: Coder, domain: Domain, counts: Array, smoothing: Smoothing, absent: Array) -> Self:
        """Soften the counts: theta_ivc = (N_ivc + s_ivc) / (N_i.c + Σ_v s_ivc), 0/0 = 0."""
        cells = np.arange(counts.shape[1])
        marginal = counts.sum(axis=0).astype(float)
        total = domain.total(marginal)
        pseudo = smoothing.value_pseudo(domain, cells, marginal, total[domain.attribute]).T
        mass = smoothing.value_mass(domain, np.arange(len(domain.names)), total).T
        known = domain.total(counts) + mass
        theta = ratio(counts + pseudo, known[:, domain.attribute])
        return cls(coder, domain, counts, smoothing, theta, absent)

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # a block's names are its domain's
        """The attributes' names."""
        return self.domain.names

    @property
    def places(self) -> Array:
        """The columns of the attributes."""
        return self.coder.places

    @cached_property
    def log_table(self) -> Array:
        """Log theta as (cells, K): one gather reads the classes side by side."""
        return log(np.ascontiguousarray(self.theta.T))

    def codes(self, rows: Rows) -> Array:
        """Return value codes; a missing cell has the last code where missing is a value."""
        codes = self.coder.codes(rows)
        if self.absent.any():
            last = np.broadcast_to(self.domain.sizes - 1, codes.shape)
            codes = np.where((codes == MISSING) & self.absent, last, codes)
        return codes

    def add_table(self, rows: Rows, table: Array, out: Array, outside: float = 0.0) -> None:
        """Add a (cells, K) table at the rows' values to `out` (rows, K).

        A level outside the domain adds nothing; `outside` is for numbers outside the support of a distribution.
        """
        table = np.ascontiguousarray(table)
        if self.absent.any() or not self.coder.add(rows, table, out):
            native.add_gather(self.codes(rows), self.domain.offsets, table, out)

    def add(self, rows: Rows, out: Array) -> None:
        """Add Σ_i log theta."""
        self.add_table(rows, self.log_table, out, outside=-np.inf)

    def read(self, table: Array, rows: Rows, outside: float = np.nan) -> Array:
        """Return a (cells, K) table at the rows' values: (rows, K, attributes), NaN where a cell says nothing."""
        codes = self.codes(rows)
        cells = codes + self.domain.offsets[:-1]
        out = table[np.where(codes >= 0, cells, 0)] if len(table) else np.zeros((*codes.shape, table.shape[1]))
        return np.moveaxis(np.where((codes >= 0)[:, :, None], out, np.nan), 2, 1)

    def log_likelihood(self, rows: Rows) -> Array:
        """Return log theta at the rows' values."""
        return self.read(self.log_table, rows, outside=-np.inf)

    def marginal(self, counts: Array, total: Array, size: Array) -> Array:
        """Return the softened marginal (N_iv. + 1) / (N_i.. + #A_i)."""
        out: Array = (counts + 1.0) / (total + size)
        return out

    @property
    def background_table(self) -> Array:
        """The softened marginal of every cell."""
        marginal = self.counts.sum(axis=0)
        attribute = self.domain.attribute
        return self.marginal(marginal, self.domain.total(marginal)[attribute], self.domain.sizes[attribute])

    def _known(self, rows: Rows) -> tuple[Array, Array, Array]:
        """Return row, attribute and cell of every known value."""
        codes = self.codes(rows)
        row, i = np.nonzero(codes >= 0)
        return row, i, codes[row, i] + self.domain.offsets[i]

    def _marginals_without(self, cell: Array, weight: Array) -> tuple[Array, Array]:
        """Return N_iv. and N_i.. at cells (M,), each less a weight (M,)."""
        everything = self.counts.sum(axis=0).astype(float)
        total = self.domain.total(everything)[self.domain.attribute[cell]]
        return np.maximum(difference(everything[cell], weight), 0.0), np.maximum(difference(total, weight), 0.0)

    def _log_theta_without(self, cell: Array, weight: Array, own: Array) -> Array:
        """Return log theta (M, K) at cells (M,): a weight (M,) less in all classes together, `own` (M, K) in each."""
        i = self.domain.attribute[cell]
        marginal, total = self._marginals_without(cell, weight)
        count = np.maximum(difference(self.counts.T[cell], own), 0.0)
        known = np.maximum(difference(self.domain.total(self.counts).T[i], own), 0.0)
        pseudo = self.smoothing.value_pseudo(self.domain, cell, marginal, total)
        mass = self.smoothing.value_mass(self.domain, i, total)
        return log(ratio(count + pseudo, known + mass))

    def leave_one_out(self, rows: Rows, y: Array, weight: Array) -> Array:
        """Return log theta at the rows' values, each row's weight taken out of its own class."""
        row, i, cell = self._known(rows)
        own = np.zeros((len(cell), len(self.counts)))
        own[np.arange(len(cell)), y[row]] = weight[row]
        out = np.full((len(rows), len(self.counts), len(self.names)), np.nan)
        out[row, :, i] = self._log_theta_without(cell, weight[row], own)
        return out

    def add_left_out(self, rows: Rows, y: Array, weight: Array, out: Array) -> None:
        """Add Σ_i log theta without each row, by tables of all values where those are fewer than the rows' cells.

        What a row says depends on its values, its class and its weight alone: rows of one weight share two tables, of
        the classes that the row is not in and of the one that it is in. The tables of several weights lie behind each
        other, attribute by attribute.
        """
        sizes = self.domain.sizes
        cells = int(self.domain.offsets[-1])
        weights = native.distinct(weight, len(rows) * len(sizes) // max(2 * cells, 1))
        if weights is None or not cells:
            super().add_left_out(rows, y, weight, out)
            return
        codes = self.codes(rows)
        if len(weights) > 1:
            codes = np.where(codes < 0, codes, codes + np.searchsorted(weights, weight)[:, None] * sizes)
        cell = np.concatenate([np.tile(np.arange(a, b), len(weights)) for a, b in pairwise(self.domain.offsets)])
        each = np.concatenate([np.repeat(weights, size) for size in sizes])
        others = self._log_theta_without(cell, each, np.zeros((len(cell), 1)))
        own = self._log_theta_without(cell, each, each[:, None])
        native.add_gather_left_out(codes, self.domain.offsets * len(weights), others, own, y, out)

    def leave_one_out_background(self, rows: Rows, weight: Array) -> Array:
        """Return b_iv with each row left out."""
        row, i, cell = self._known(rows)
        out = np.full((len(rows), len(self.names)), np.nan)
        out[row, i] = self.marginal(*self._marginals_without(cell, weight[row]), self.domain.sizes[i])
        return out

    def draw(self, rng: np.random.Generator) -> Self:
        """Draw theta_i.c ~ Dirichlet(N + s); a cell of weight zero stays zero."""
        marginal = self.counts.sum(axis=0).astype(float)
        total = self.domain.total(marginal)[self.domain.attribute]
        cells = np.arange(self.counts.shape[1])
        weights = self.counts + self.smoothing.value_pseudo(self.domain, cells, marginal, total).T
        gamma = rng.standard_gamma(weights)
        return replace(self, theta=ratio(gamma, self.domain.total(gamma)[:, self.domain.attribute]))

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw a value of every attribute by theta; a class that knows nothing of it draws uniformly."""
        codes = np.empty((len(y), len(self.names)), dtype=np.int64)
        for i, size in enumerate(self.domain.sizes):
            cells = slice(int(self.domain.offsets[i]), int(self.domain.offsets[i + 1]))
            codes[:, i] = draw_positions(rng, self.theta[:, cells], y) if size else MISSING
            if self.absent[i]:
                codes[codes[:, i] == size - 1, i] = MISSING
        return self.coder.sample(rng, codes)

    def describe(self, attribute: int) -> dict[str, Array]:
        """Return theta by level."""
        start = int(self.domain.offsets[attribute])
        levels = self.domain.levels[attribute]
        return {str(level): self.theta[:, start + v] for v, level in enumerate(levels)}


def ratio(a: Array, b: Array) -> Array:
    """Return a / b with 0/0 = 0."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    out: Array = np.divide(a, b, out=np.zeros(shape), where=np.broadcast_to(b, shape) > 0)
    return out


def log(theta: Array) -> Array:
    """Return the logarithm, minus infinity at zero."""
    with np.errstate(divide="ignore"):
        out: Array = np.log(theta)
    return out
