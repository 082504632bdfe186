"""The block of a tree: each attribute depends on the class and on one other attribute at the most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import log, offsets
from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import Discrete, told_apart
from candide.distributions.drawing import draw_positions
from candide.distributions.forms import Form, Lookup
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.schema.cells import MISSING
from candide.schema.order import object_array
from candide.schema.rows import Rows
from candide.structure.attributes import (
    draw_within,
    rows_within,
    table_within,
    value_codes,
    variance_within,
    weights_within,
)
from candide.structure.joined import chances_together, joined_lookup, told_values
from candide.structure.structure_block import StructureBlock

Array = np.ndarray[Any, Any]


@frozen
class TreeBlock(StructureBlock):
    """P(x_i | x_p, c) with p the parent of i; P(x_i | c) where i has none, or where its parent's cell says nothing.

    Parameters
    ----------
    plain : Discrete
        P(x_i | c) of all attributes.
    parents : tuple of int or None
    counts : tuple of ndarray (K, values of the parent, values) or None
    theta : tuple of ndarray, in the same way
    """

    plain: Discrete
    parents: tuple[int | None, ...]
    counts: tuple[Array | None, ...]
    theta: tuple[Array | None, ...]

    @classmethod
    def estimate(cls, plain: Discrete, parents: tuple[int | None, ...], counts: tuple[Array | None, ...]) -> TreeBlock:
        """Soften the tables within the parents' values."""
        theta = tuple(None if n is None else table_within(plain, i, n) for i, n in enumerate(counts))
        return cls(plain, parents, counts, theta)

    # -- scoring -----------------------------------------------------------------------------------------------------

    @cached_property
    def _offsets(self) -> Array:
        """Where each attribute's table begins: its values within no known value of the parent, then within each."""
        within = [1 if n is None else 1 + n.shape[1] for n in self.counts]
        return offsets((self.domain.sizes * within).tolist())

    def _laid_out(self, alone: Array, within: Sequence[Array | None]) -> Array:
        """Return tables of all attributes (K, cells), and within the parents' values, as (entries, K)."""
        parts = [np.zeros((0, self.n_classes))]
        for i, table in enumerate(within):
            parts.append(alone[:, self.domain.offsets[i] : self.domain.offsets[i + 1]].T)
            if table is not None:
                parts.append(table.transpose(1, 2, 0).reshape(-1, self.n_classes))
        return np.ascontiguousarray(np.concatenate(parts), dtype=float)

    def _table(self, link: Link) -> Array:
        """Return g(theta) as (entries, K)."""
        return np.ascontiguousarray(link.of(self._laid_out(self.plain.theta, self.theta)), dtype=float)

    @cached_property
    def _log_table(self) -> Array:
        return self._table(LOG)

    def _codes(self, codes: Array) -> Array:
        """Return the entries of an attribute's table that values (rows, attributes) mean, -1 where nothing is said."""
        out = codes.copy()
        for i, p in enumerate(self.parents):
            if p is not None:
                out[:, i] = np.where(codes[:, i] < 0, -1, codes[:, i] + (codes[:, p] + 1) * self.domain.sizes[i])
        return out

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add Σ_i g(theta), by one look-up a cell."""
        if without is not None or link.background is not None:
            super().add(rows, link, out, without)
            return
        table = self._log_table if link is LOG else self._table(link)
        native.add_gather(self._codes(value_codes(self.plain, rows)), self._offsets, table, out)

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return log P(x_i | x_p, c) per row, class and attribute; NaN where the cell says nothing."""
        codes = value_codes(self.plain, rows)
        if without is None:
            return self._read(self._log_table, self._codes(codes))
        out = self.plain.terms(rows, LOG, without)
        for i, (p, counts) in enumerate(zip(self.parents, self.counts, strict=True)):
            if p is not None and counts is not None:
                both = np.flatnonzero((codes[:, i] >= 0) & (codes[:, p] >= 0))
                theta = rows_within(self.plain, i, codes[both, i], counts, codes[both, p], without[both])
                out[both, :, i] = log(theta)
        return out

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add the posterior variances of log P(x_i | x_p, c)."""
        native.add_gather(self._codes(value_codes(self.plain, rows)), self._offsets, self._variances, out)

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return the posterior variances of log P(x_i | x_p, c)."""
        return np.nan_to_num(self._read(self._variances, self._codes(value_codes(self.plain, rows))), nan=0.0)

    def _read(self, table: Array, entries: Array) -> Array:
        """Return a table (entries, K) at entries (rows, attributes): (rows, K, attributes), NaN where there is none."""
        at = np.where(entries >= 0, entries + self._offsets[:-1], 0)
        found = table[at] if len(table) else np.zeros((*at.shape, self.n_classes))
        return np.moveaxis(np.where((entries >= 0)[:, :, None], found, np.nan), 2, 1)

    @cached_property
    def _variances(self) -> Array:
        within = [None if n is None else variance_within(self.plain, i, n) for i, n in enumerate(self.counts)]
        return self._laid_out(self.plain.variances.T, within)

    # -- drawing and telling -----------------------------------------------------------------------------------------

    def draw(self, rng: np.random.Generator) -> TreeBlock:
        """Draw every table."""
        theta = tuple(None if n is None else draw_within(self.plain, i, n, rng) for i, n in enumerate(self.counts))
        return replace(self, plain=self.plain.draw(rng), theta=theta)

    @cached_property
    def order(self) -> list[int]:
        """The attributes, parents before their children."""
        out: list[int] = []
        todo = [i for i, p in enumerate(self.parents) if p is None]
        while todo:  # ends: every attribute is put there once
            out.append(todo.pop(0))
            todo += [i for i, p in enumerate(self.parents) if p == out[-1]]
        return out

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw the values of parents, and then of their children."""
        codes = np.empty((len(y), len(self.names)), dtype=np.int64)
        for i in self.order:
            p, theta = self.parents[i], self.theta[i]
            if not self.domain.sizes[i]:
                codes[:, i] = MISSING
            elif p is None or theta is None or not theta.shape[1]:
                codes[:, i] = draw_positions(rng, self.plain.theta_of(i), y)
            else:
                at = y * theta.shape[1] + codes[:, p]
                codes[:, i] = draw_positions(rng, theta.reshape(-1, theta.shape[2]), at)
        last = self.plain.absent & (codes == self.domain.sizes - 1)
        return self.plain.coder.sample(rng, np.where(last, MISSING, codes))

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return theta by value, and by value within the parent's."""
        p, theta = self.parents[attribute], self.theta[attribute]
        if p is None or theta is None:
            return self.plain.describe(attribute)
        values, given = self.domain.levels[attribute].tolist(), self.domain.levels[p].tolist()
        names = told_apart([f"{v} | {self.names[p]} = {u}" for u in given for v in values])
        return dict(zip(names, theta.transpose(1, 2, 0).reshape(-1, self.n_classes), strict=True))

    def chances_together(self, attribute: int) -> Lookup | None:
        """Return the table of log P(x_i, x_p | c), softened within the values of p."""
        p, counts, theta = self.parents[attribute], self.counts[attribute], self.theta[attribute]
        if p is None or counts is None or theta is None or not theta.size:
            return None
        return chances_together(self.plain, (attribute, p), theta * weights_within(self.plain, attribute, counts)[1])

    def form(self, attribute: int) -> Form:
        """Return the table of log P(x_i | x_p, c) by the values of both."""
        p, theta = self.parents[attribute], self.theta[attribute]
        if p is None or theta is None:
            return self.plain.form(attribute)
        mine, given = told_values(self.plain, attribute), [None, *told_values(self.plain, p)]
        keep = [v for v, level in enumerate(mine) if level is not None]
        pairs = [(mine[v], u) for u in given for v in keep]
        table = np.concatenate([self.plain.theta_of(attribute)[:, None], theta], axis=1)
        absent = bool(self.plain.absent[p])
        if absent:  # the parent's missing cell is a value: it is the last, and told as None, as missing is
            table = np.concatenate([table[:, -1:], table[:, 1:]], axis=1)
            pairs = pairs[: len(pairs) - len(keep)]
            table = table[:, :-1]
        told = joined_lookup(self.plain, (attribute, p), pairs, LOG.of(table[:, :, keep].reshape(self.n_classes, -1)))
        if len(keep) == len(mine):
            return told
        gone = [(None, u) for u in given[: table.shape[1]]]
        more = table[:, :, -1]
        return replace(
            told, levels=object_array([*pairs, *gone]), table=np.concatenate([told.table, LOG.of(more)], axis=1)
        )
