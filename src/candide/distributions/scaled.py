"""Scaled: blocks whose evidence counts more than once, or less, with what was found to be added to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.distributions.blocks import Block, LeftOut, Wrapping
from candide.distributions.coders import Coder, Told
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Form, times
from candide.distributions.in_pairs import InPairs
from candide.distributions.known import Known
from candide.distributions.links import LOG, PROBABILITY, Link
from candide.distributions.summands import Summands
from candide.frozen import frozen
from candide.schema.rows import Rows

Array = np.ndarray[Any, Any]


@frozen
class Scaled(Wrapping):
    """w_i log P(x_i | c) for the attributes of a block; minus infinity stays what it is where w_i is not zero.

    Weights say how much evidence counts, not what occurs: cells are drawn as the block draws them.

    Parameters
    ----------
    inner : Block
    weights : ndarray (attributes,)
    """

    inner: Block
    weights: Array

    @property
    def reads_sparse(self) -> bool:  # type: ignore[override]  # as the block does
        """Whether sparse rows are scored as they are."""
        return self.inner.reads_sparse and self._same

    @property
    def tables(self) -> list[Any]:
        """The tables of the block."""
        return self.inner.tables

    @cached_property
    def _same(self) -> bool:
        return bool((self.weights == self.weights[:1]).all())

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return w_i log P(x_i | c) per row, class and attribute."""
        return times(self.inner.terms(rows, LOG, without), self.weights)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add Σ_i w_i log P(x_i | c), as the block adds it where all weights are the same."""
        if link is not LOG or not self._same:
            super().add(rows, link, out, without)
        elif len(self.weights):
            total = np.zeros_like(out)
            self.inner.add(rows, link, total, without)
            out += times(total, float(self.weights[0]))

    def spelt_out(self, rows: Rows) -> Summands | None:
        """Return the summands of the block's one attribute, weighted."""
        found = self.inner.spelt_out(rows)
        return None if found is None else replace(found, f=times(found.f, float(self.weights[0])))

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return w² times the block's variances."""
        return self.weights**2 * self.inner.term_variances(rows, rng)

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add w² times the block's variance, where all weights are the same."""
        if not self._same:
            super().add_variance(rows, out, rng)
        elif len(self.weights):
            variance = np.zeros_like(out)
            self.inner.add_variance(rows, variance, rng)
            out += self.weights[0] ** 2 * variance

    def draw(self, rng: np.random.Generator) -> Scaled:
        """Draw the block; its weights stay."""
        return replace(self, inner=self.inner.draw(rng))

    def form(self, attribute: int) -> Form:
        """Return the attribute's form, weighted."""
        return self.inner.form(attribute).scaled(float(self.weights[attribute]))

    def in_pairs(self) -> InPairs | None:
        """Return what attributes say alone and in pairs, weighted."""
        found = self.inner.in_pairs()
        return None if found is None else found.scaled(self.weights)


@frozen
class ScaledTable(Scaled):
    """w_i log theta + e for attributes with a table: one table like the other, read as fast.

    Parameters
    ----------
    inner : Discrete
    weights : ndarray (attributes,)
    added : ndarray (cells, K)
        e, what each cell adds besides.
    """

    inner: Discrete
    weights: Array
    added: Array

    @property
    def coder(self) -> Coder:
        """From rows to codes."""
        return self.inner.coder

    @property
    def reads_sparse(self) -> bool:  # type: ignore[override]  # as the block does
        """Whether sparse rows are scored as they are."""
        return self.inner.reads_sparse

    @cached_property
    def table(self) -> Array:
        """The entries (cells, K)."""
        cells = np.arange(len(self.added))
        return np.ascontiguousarray(self._changed(self.inner.table(LOG), cells))

    def _changed(self, terms: Array, cell: Array) -> Array:
        """Return log theta (M, K) of cells (M,), weighted, with what is added."""
        w = self.weights[self.inner.domain.attribute[cell]]
        return times(terms, w[:, None]) + self.added[cell]

    def tables_without(self, link: Link, weights: Array) -> tuple[Array, Array, Array]:
        """Return the entries of theta less each of some weights, as the inner block's `tables_without` has them."""
        others, own, cell = self.inner.tables_without(link, weights)
        return self._changed(others, cell), self._changed(own, cell), cell

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return the entries at the rows' values; with `without`, of theta without each row."""
        if without is None:
            return self.inner.read(self.table, rows, LOG)
        return self.inner.terms_without(rows, LOG, without, self._changed)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add the entries, by one look-up a cell."""
        if link is not LOG:
            Block.add(self, rows, link, out, without)
        elif without is None:
            self.inner.add_table(rows, self.table, link, out)
        else:
            self.inner.add_without(rows, link, out, without, self._changed)

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add w² times the variance of log theta; what is added has none."""
        w = self.weights[self.inner.domain.attribute][:, None]
        self.inner.add_table(rows, np.ascontiguousarray(w**2 * self.inner.variances), PROBABILITY, out)

    def form(self, attribute: int) -> Form:
        """Return the table of an attribute."""
        inner = self.inner
        table = self.table[slice(*inner.domain.offsets[attribute : attribute + 2])].T
        missing = table[:, -1] if inner.absent[attribute] else np.zeros(self.n_classes)
        table = table[:, :-1] if inner.absent[attribute] else table
        levels = inner.domain.levels[attribute][: table.shape[1]]
        return inner.coder.form(attribute, levels, table, Told(self.columns(attribute), missing))


def scale(block: Block, weights: Array, added: Sequence[Array | None]) -> Block:
    """Return a block whose attributes count as much as their weights (attributes,).

    Parameters
    ----------
    block : Block
    weights : ndarray
    added : sequence of ndarray (cells, K) or None
        What the cells of each attribute with a table add besides: its values, and a missing cell at last where that is
        a value.
    """
    if isinstance(block, Known):
        zero = np.zeros(block.n_classes)
        of_values, of_presence = list(added), [None if a is None else np.stack([zero, a[-1]]) for a in added]
        for i, heard in enumerate(block.heard.tolist()):
            table = added[i]
            if not heard:
                of_presence[i] = None
            elif table is not None:
                of_values[i] = table[:-1]
        inner, presence = scale(block.inner, weights, of_values), scale(block.presence, weights, of_presence)
        return replace(block, inner=inner, presence=presence)
    if not isinstance(block, Discrete):
        return Scaled(block, weights)
    sizes, k = block.domain.sizes, block.n_classes
    tables = [np.zeros((size, k)) if a is None else a for a, size in zip(added, sizes, strict=True)]
    return ScaledTable(block, weights, np.concatenate([np.zeros((0, k)), *tables]))


def unscaled(block: Block) -> Block:
    """Return the block that `scale` was given."""
    if isinstance(block, Known):
        return replace(block, inner=unscaled(block.inner), presence=unscaled(block.presence))
    return block.inner if isinstance(block, Scaled) else block


def middles(cuts: Array, low: float, high: float) -> Array:
    """Return the number in the middle of each cell between cuts; the outer cells end at the ends given."""
    edges = np.concatenate([[min(low, *cuts[:1].tolist(), high)], cuts, [max(high, *cuts[-1:].tolist(), low)]])
    return np.asarray(np.nan_to_num(edges[:-1] / 2 + edges[1:] / 2))
