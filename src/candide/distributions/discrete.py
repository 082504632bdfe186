"""Discrete attributes: softened tables of P(value | class), read by codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np

from candide import native
from candide.arithmetic import difference, log, ratio, variance_of_log
from candide.distributions.blocks import Block, LeftOut, narrow
from candide.distributions.coders import Coder, CutCoder, Told
from candide.distributions.drawing import draw_positions
from candide.distributions.forms import Form
from candide.distributions.links import LOG, PROBABILITY, Link
from candide.frozen import frozen
from candide.schema.cells import MISSING, UNSEEN
from candide.schema.domain import Domain, MissingLevel
from candide.schema.rows import Rows
from candide.smoothing.base import Smoothing, softened

Array = np.ndarray[Any, Any]

AT_A_TIME = 1 << 16
"""Cells that a row is left out of at a time: what is made on the way is as large several times over."""


@frozen
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
        """Soften the counts."""
        known = domain.spread(domain.total(counts))
        theta = softened(counts, known, *pseudo_counts(smoothing, domain, counts))
        return cls(coder, domain, counts, smoothing, theta, absent)

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # a block's names are its domain's
        """The attributes' names."""
        return self.domain.names

    @property
    def places(self) -> Array:
        """The columns of the attributes."""
        return self.coder.places

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.theta)

    @property
    def tables(self) -> list[Any]:
        """The block itself."""
        return [self]

    # -- scoring -----------------------------------------------------------------------------------------------------

    @cached_property
    def _log_table(self) -> Array:
        return LOG.of(np.ascontiguousarray(self.theta.T))

    def table(self, link: Link) -> Array:
        """Return g(theta) as (cells, K): one gather reads the classes side by side."""
        if link is LOG:
            return self._log_table
        return np.ascontiguousarray(link.of(self.theta.T, self.background(link)[:, None]), dtype=float)

    def codes(self, rows: Rows) -> Array:
        """Return value codes; a missing cell has the last code where missing is a value, and it is known to be."""
        codes = self.coder.codes(rows)
        if self.absent.any():
            last = np.broadcast_to(self.domain.sizes - 1, codes.shape)
            missing = (codes == MISSING) & self.absent
            codes = np.where(missing & ~rows.silent(missing, self.places), last, codes)
        return codes

    def terms(self, rows: Rows, link: Link, without: LeftOut | None = None) -> Array:
        """Return g(theta) at the rows' values."""
        return self.read(self.table(link), rows, link) if without is None else self.terms_without(rows, link, without)

    def terms_without(
        self, rows: Rows, link: Link, without: LeftOut, change: Callable[[Array, Array], Array] | None = None
    ) -> Array:
        """Return g(theta) at the rows' values, each row left out; `change` makes others of the terms of cells."""
        codes = self.codes(rows)
        row, i = np.nonzero(codes >= 0)
        cell, weight = codes[row, i] + self.domain.offsets[i], without.weight[row]
        out, own = np.full((len(rows), self.n_classes, len(self.names)), np.nan), without.own(self.n_classes)
        for first in range(0, len(cell), AT_A_TIME):
            part = slice(first, first + AT_A_TIME)
            at, less = cell[part], weight[part]
            theta = self.theta_without(at, less, own[row[part]])
            found = link.of(theta, self.background_without(link, at, less)[:, None])
            out[row[part], :, i[part]] = found if change is None else change(found, at)
        return out

    def read(self, table: Array, rows: Rows, link: Link) -> Array:
        """Return a (cells, K) table at the rows' values: (rows, K, attributes), NaN where a cell says nothing."""
        codes = self.codes(rows)
        cells = codes + self.domain.offsets[:-1]
        out = table[np.where(codes >= 0, cells, 0)] if len(table) else np.zeros((*codes.shape, table.shape[1]))
        return np.moveaxis(np.where((codes >= 0)[:, :, None], out, np.nan), 2, 1)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add Σ_i g(theta), by one look-up a cell."""
        if without is None:
            self.add_table(rows, self.table(link), link, out)
        else:
            self.add_without(rows, link, out, without)

    def add_table(self, rows: Rows, table: Array, link: Link, out: Array) -> None:
        """Add a (cells, K) table at the rows' values to `out`; a level outside the domain adds nothing."""
        if self.absent.any() or not self.coder.add(rows, table, out):
            native.add_gather(self.codes(rows), self.domain.offsets, table, out)

    def add_without(
        self,
        rows: Rows,
        link: Link,
        out: Array,
        without: LeftOut,
        change: Callable[[Array, Array], Array] | None = None,
    ) -> None:
        """Add Σ_i g(theta) without each row, by tables of all values where those are fewer than the rows' cells.

        What a row says depends on its values, its class and its weight alone: rows of one weight share two tables, of
        the classes that the row is not in and of the one that it is in. `change` makes others of the terms (M, K) of
        cells (M,).
        """
        sizes, cells = self.domain.sizes, int(self.domain.offsets[-1])
        weights = native.distinct(without.weight, len(rows) * len(sizes) // max(2 * cells, 1))
        if weights is None or not cells:
            for part, batch in rows.batches(narrow(out.shape[1], len(self.names))):
                out[part] += np.nansum(self.terms_without(batch, link, without[part], change), axis=2)
            return
        others, own, cell = self.tables_without(link, weights)
        if change is not None:
            others, own = change(others, cell), change(own, cell)
        for part, batch in rows.batches(narrow(out.shape[1], len(self.names))):
            codes, left = self.codes(batch), without[part]
            if len(weights) > 1:
                codes = np.where(codes < 0, codes, codes + np.searchsorted(weights, left.weight)[:, None] * sizes)
            native.add_gather_left_out(codes, self.domain.offsets * len(weights), others, own, left.y, out[part])

    def tables_without(self, link: Link, weights: Array) -> tuple[Array, Array, Array]:
        """Return g(theta) less each of some weights, (entries, K), and the cell of each entry.

        The first table is of the classes that a row is not in, the second of the one that it is in. The entries of
        several weights lie behind each other, attribute by attribute.
        """
        sizes = self.domain.sizes
        cell = np.concatenate([np.tile(np.arange(a, b), len(weights)) for a, b in pairwise(self.domain.offsets)])
        each = np.concatenate([np.repeat(weights, size) for size in sizes])
        others, own = np.empty((2, len(cell), self.n_classes))
        for first in range(0, len(cell), AT_A_TIME):
            part = slice(first, first + AT_A_TIME)
            at, less = cell[part], each[part]
            background = self.background_without(link, at, less)[:, None]
            for out, gone in ((others, np.zeros((len(at), 1))), (own, less[:, None])):
                out[part] = link.of(self.theta_without(at, less, gone), background)
        return others, own, cell

    def theta_without(self, cell: Array, weight: Array, own: Array) -> Array:
        """Return theta (M, K) at cells (M,): a weight (M,) less in all classes together, `own` (M, K) in each."""
        i = self.domain.attribute[cell]
        marginal, total = self.marginals_without(cell, weight)
        count = np.maximum(difference(self.counts.T[cell], own), 0.0)
        known = np.maximum(difference(self.domain.total(self.counts).T[i], own), 0.0)
        return softened(count, known, *self.smoothing.pseudo_counts(self.domain, cell, marginal, total, known))

    def marginals_without(self, cell: Array, weight: Array) -> tuple[Array, Array]:
        """Return N_iv. and N_i.. at cells (M,), each less a weight (M,)."""
        everything = self.counts.sum(axis=0).astype(float)
        total = self.domain.total(everything)[self.domain.attribute[cell]]
        return np.maximum(difference(everything[cell], weight), 0.0), np.maximum(difference(total, weight), 0.0)

    # -- background --------------------------------------------------------------------------------------------------

    def background(self, link: Link) -> Array:
        """Return the background of every cell: (N_iv. + 1) / (N_i.. + #A_i), or 1 / #A_i; 0 where none is asked for."""
        cells = np.arange(self.counts.shape[1])
        return self.background_without(link, cells, np.zeros(len(cells)))

    def background_without(self, link: Link, cell: Array, weight: Array) -> Array:
        """Return the background at cells (M,), each with a weight (M,) left out."""
        size = np.maximum(self.domain.sizes[self.domain.attribute[cell]], 1)
        if link.background is None:
            return np.zeros(len(cell))
        if link.background == "uniform":
            return np.asarray(1.0 / size)
        marginal, total = self.marginals_without(cell, weight)
        return np.asarray((marginal + 1.0) / (total + size))

    # -- drawing and telling -----------------------------------------------------------------------------------------

    def draw(self, rng: np.random.Generator) -> Self:
        """Draw theta_i.c ~ Dirichlet(N + s); a cell of weight zero stays zero."""
        gamma = rng.standard_gamma(self.counts + pseudo_counts(self.smoothing, self.domain, self.counts)[0])
        return replace(self, theta=ratio(gamma, self.domain.total(gamma)[:, self.domain.attribute]))

    def add_draws(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Draw theta at the cells of the rows: under Dirichlet(N + s), a cell's share is Beta."""
        codes = self.codes(rows)
        weight, total = self.weights()
        for row, at in enumerate(codes):
            cell = (at + self.domain.offsets[:-1])[at >= 0]
            out[:, row] += log(self.draw_theta(cell, weight[:, cell], total[:, cell], len(out), rng)).sum(axis=2)

    def draw_theta(self, cell: Array, weight: Array, total: Array, draws: int, rng: np.random.Generator) -> Array:
        """Return theta (draws, K, M) at cells (M,) of these weights (K, M) within those of their attributes."""
        own = rng.standard_gamma(weight, (draws, *weight.shape))
        rest = rng.standard_gamma(np.maximum(total - weight, 0.0), own.shape)
        return ratio(own, own + rest)

    def weights(self) -> tuple[Array, Array]:
        """Return the weights (K, cells) that theta is the share of, and those of its attribute together.

        Under the posterior Dirichlet(N + s) these are N_ivc + s_ivc and N_i.c + Σ_v s_ivc.
        """
        pseudo, mass = pseudo_counts(self.smoothing, self.domain, self.counts)
        known = self.domain.spread(self.domain.total(self.counts))
        return self.counts + pseudo, known + np.broadcast_to(mass, known.shape)

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add ψ₁(N_ivc + s_ivc) − ψ₁(N_i.c + Σ_v s_ivc), the variance of log theta; none where theta is zero."""
        self.add_table(rows, self.variances, PROBABILITY, out)

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return the variance of log theta at the rows' values."""
        found = self.read(self.variances, rows, PROBABILITY)
        return np.where(np.isnan(found), 0.0, found)

    @cached_property
    def variances(self) -> Array:
        """The variance of log theta as (cells, K)."""
        return np.ascontiguousarray(variance_of_log(*self.weights()).T)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw a value of every attribute by theta; a class that knows nothing of it draws uniformly."""
        codes = np.empty((len(y), len(self.names)), dtype=np.int64)
        for i, size in enumerate(self.domain.sizes):
            codes[:, i] = draw_positions(rng, self.theta_of(i), y) if size else MISSING
            if self.absent[i]:
                codes[codes[:, i] == size - 1, i] = MISSING
        return self.coder.sample(rng, codes)

    def theta_of(self, attribute: int) -> Array:
        """Return theta (K, values) of one attribute."""
        return self.theta[:, self.domain.offsets[attribute] : self.domain.offsets[attribute + 1]]

    def strength_scores(self, strengths: Sequence[float]) -> Array | None:
        """Return Σ N log P(x | c) of rows left out, by the strength that columns apart have; None where it has none."""
        return None

    def cells_of(self, attribute: int) -> list[Any] | None:
        """Return the levels of an attribute; the cells of numbers by name."""
        return [
            None if isinstance(level, MissingLevel) else level for level in self.domain.levels_of(attribute).tolist()
        ]

    def cuts_of(self, attribute: int) -> Array | None:
        """Return the cuts between the cells of numbers."""
        return self.coder.cuts[attribute] if isinstance(self.coder, CutCoder) else None

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return theta by level; the missing cell has a name of its own."""
        levels = self.domain.levels[attribute].tolist()
        return dict(zip(told_apart([str(level) for level in levels]), self.theta_of(attribute).T, strict=True))

    def form(self, attribute: int) -> Form:
        """Return the table of log theta."""
        table = LOG.of(self.theta_of(attribute))
        columns = self.columns(attribute)
        missing = table[:, -1] if self.absent[attribute] else np.zeros(self.n_classes)
        table = table[:, :-1] if self.absent[attribute] else table
        levels = self.domain.levels[attribute][: table.shape[1]]
        return self.coder.form(attribute, levels, table, Told(columns, missing))


def pseudo_counts(smoothing: Smoothing, domain: Domain, counts: Array) -> tuple[Array, Array]:
    """Return s_ivc and Σ_v s_ivc of all cells, as (K or 1, cells)."""
    marginal = counts.sum(axis=0).astype(float)
    total, known = (domain.spread(domain.total(a)) for a in (marginal, counts))
    pseudo, mass = smoothing.pseudo_counts(domain, np.arange(counts.shape[1]), marginal, total, known.T)
    return pseudo.T, mass.T


@frozen
class SwitchBlock(Discrete):
    """Bernoulli attributes, with a path that reads only the ones of a sparse table; other numbers are impossible."""

    reads_sparse = True

    def add_table(self, rows: Rows, table: Array, link: Link, out: Array) -> None:
        """Add Σ_i t_i0 + Σ_{i: x_i = 1} (t_i1 − t_i0) where the rows are sparse and the table is finite."""
        x = self._ones(rows)
        if x is not None and not self.absent.any() and np.isfinite(table).all():
            zeros, ones = table[0::2], table[1::2]
            out += zeros.sum(axis=0)
            native.add_csr(x.data, x.indices, x.indptr, np.ascontiguousarray(ones - zeros), out)
            return
        codes = self.codes(rows)
        native.add_gather(codes, self.domain.offsets, table, out)
        strange = (codes == UNSEEN).sum(axis=1)
        if strange.any():
            out[strange > 0] += link.outside * strange[strange > 0, None]

    def add_draws(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Draw whole models, which know of numbers that are impossible."""
        Block.add_draws(self, rows, out, rng)

    def _ones(self, rows: Rows) -> Any:
        """Return the block's columns of a sparse table; None where the rows are dense, or hold more than 0 and 1."""
        x = rows.entries(self.coder.places)
        return x if x is not None and np.isin(x.data, (0, 1)).all() else None

    def read(self, table: Array, rows: Rows, link: Link) -> Array:
        """Return the table at the rows' values; a number that is neither 0 nor 1 is impossible."""
        out = super().read(table, rows, link)
        return np.where((self.codes(rows) == UNSEEN)[:, None, :], link.outside, out)


def told_apart(names: list[str]) -> list[str]:
    """Return names that are all different: a second one of the same has its position behind it."""
    seen: set[str] = set()
    out = []
    for position, name in enumerate(names):
        unique = name if name not in seen else f"{name} [{position}]"
        seen.add(unique)
        out.append(unique)
    return out
