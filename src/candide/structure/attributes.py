"""Attributes of a structure: every column discrete, as the schema counts it, alone and within the values of others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import difference, ratio, variance_of_log
from candide.distributions.base import Rules
from candide.distributions.bins import bin_names
from candide.distributions.blocks import LeftOut
from candide.distributions.categorical import with_missing
from candide.distributions.coders import CutCoder, LevelCoder, Told
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Form
from candide.frozen import frozen
from candide.schema.lattice import Grid
from candide.schema.rows import Rows
from candide.smoothing.base import Smoothing, softened
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


@frozen
class ColumnCoder:
    """The values of columns of symbols and of numbers, side by side.

    Parameters
    ----------
    symbols : LevelCoder
    numbers : CutCoder
    """

    symbols: LevelCoder
    numbers: CutCoder

    @property
    def places(self) -> Array:
        """All columns."""
        return np.sort(np.concatenate([self.symbols.places, self.numbers.places]))

    def codes(self, rows: Rows) -> Array:
        """Return the level or the bin of every cell."""
        out = np.empty((len(rows), len(self.places)), dtype=np.int32)
        for coder in (self.symbols, self.numbers):
            if len(coder.places):
                out[:, coder.places] = coder.codes(rows)
        return out

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return cells of each kind."""
        return {
            **self.symbols.sample(rng, codes[:, self.symbols.places]),
            **self.numbers.sample(rng, codes[:, self.numbers.places]),
        }

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        """Return a table by level, or by interval."""
        cuts = self.cuts[attribute]
        return told.lookup(levels, table) if cuts is None else told.steps(cuts, table)

    @cached_property
    def cuts(self) -> list[Array | None]:
        """The cuts of each column; None for one of symbols."""
        cuts = dict(zip(self.numbers.places.tolist(), self.numbers.cuts, strict=True))
        return [cuts.get(j) for j in self.places.tolist()]


def column_coder(evidence: Evidence) -> ColumnCoder:
    """Return the coder of all columns, each as the schema counts it."""
    axes = [column.axis for column in evidence.schema.columns]
    grids = [j for j, axis in enumerate(axes) if isinstance(axis, Grid)]
    rest = [j for j, axis in enumerate(axes) if not isinstance(axis, Grid)]
    cuts = tuple(axes[j].edges for j in grids)  # type: ignore[union-attr]  # a grid
    levels = tuple(evidence.level_names(j) for j in rest)
    return ColumnCoder(
        LevelCoder(np.array(rest, dtype=np.int64), levels),
        CutCoder(np.array(grids, dtype=np.int64), cuts, tuple(outer(cut) for cut in cuts)),
    )


def outer(cuts: Array) -> tuple[float, float]:
    """Return where the outermost bins end when numbers are drawn: as far from the cuts as these lie apart."""
    if not len(cuts):
        return 0.0, 0.0
    width = float(np.median(np.diff(cuts))) if len(cuts) > 1 else max(1.0, abs(float(cuts[0])))
    return float(cuts[0]) - width, float(cuts[-1]) + width


def plain_tables(evidence: Evidence, rules: Rules) -> Discrete:
    """Return P(x_i | c) of all columns, each as the schema counts it."""
    coder = column_coder(evidence)
    tables = [
        (evidence.level_names(j) if cuts is None else bin_names(cuts), counts[:, 1:])
        for j, (cuts, counts) in enumerate(zip(coder.cuts, evidence.all_counts(), strict=True))
    ]
    domain, counts, absent = with_missing(evidence, coder.places, tables, rules)
    return Discrete.estimate(coder, domain, counts, rules.smoothing, absent)


def cells_of_values(plain: Discrete) -> list[Array]:
    """Return the cell of every value, by attribute: on the schema's axes the missing cell is first, here last."""
    return [
        np.roll(np.arange(size), -1) if absent else np.arange(1, size + 1)
        for size, absent in zip(plain.domain.sizes, plain.absent, strict=True)
    ]


def value_codes(plain: Discrete, rows: Rows) -> Array:
    """Return the values (rows, attributes), -1 where a cell says nothing."""
    return np.maximum(plain.codes(rows), -1)


def soften_within(
    plain: Discrete, cell: Array, counts: Array, known: Array, contexts: int, left: tuple[Array, Array] | None = None
) -> Array:
    """Return P(x_i | parents, c) (M, K): counts within the parents' values, softened as the rule softens P(x_i | c).

    Parameters
    ----------
    plain : Discrete
        P(x_i | c), with the rule.
    cell : ndarray of int (M,)
        The flat cell of each value in the domain.
    counts, known : ndarray (M, K)
        N of the value and of all values of its attribute, among the rows of the parents' values.
    contexts : int
        How many values the parents have together.
    left : None, or ndarray (M,) and (M, K)
        What is left out of P(x_i | c): a weight of all rows together, and of those of each class.
    """
    weight, own = (np.zeros(len(cell)), np.zeros((len(cell), 1))) if left is None else left
    rule: Smoothing = plain.smoothing
    marginal, total = plain.marginals_without(cell, weight)
    pseudo, mass = rule.pseudo_counts(plain.domain, cell, marginal, total, known)
    theta = plain.theta.T[cell] if left is None else plain.theta_without(cell, weight, own)
    return softened(counts, known, *rule.within(pseudo, mass, theta, contexts))


def table_within(plain: Discrete, i: int, counts: Array) -> Array:
    """Return P(x_i | parents, c) from counts, both (K, contexts, values of i)."""
    k, contexts, size = counts.shape
    flat = counts.transpose(1, 2, 0).reshape(-1, k).astype(float)
    known = np.repeat(counts.sum(axis=2).T.astype(float), size, axis=0)
    cell = np.tile(np.arange(plain.domain.offsets[i], plain.domain.offsets[i + 1]), contexts)
    theta = soften_within(plain, cell, flat, known, contexts)
    return theta.reshape(contexts, size, k).transpose(2, 0, 1)


def rows_within(plain: Discrete, i: int, v: Array, counts: Array, at: Array, without: LeftOut) -> Array:
    """Return P(x_i | parents, c) (rows, K) at known values, each row left out of the counts that score it.

    Parameters
    ----------
    plain : Discrete
    i : int
        The attribute.
    v, at : ndarray of int (rows,)
        Its values, and the parents' values.
    counts : ndarray (K, contexts, values of i)
    without : LeftOut
    """
    own = without.own(len(counts))
    mine = np.maximum(difference(counts[:, at, v].T, own), 0.0)
    known = np.maximum(difference(counts.sum(axis=2)[:, at].T, own), 0.0)
    left = (np.where(without.y < 0, 0.0, without.weight), own)
    return soften_within(plain, plain.domain.offsets[i] + v, mine, known, counts.shape[1], left)


def weights_within(plain: Discrete, i: int, counts: Array) -> tuple[Array, Array]:
    """Return N + s (K, contexts, values), whose shares P(x_i | parents, c) are, and N. + Σ_v s (K, contexts, 1)."""
    k, contexts, size = counts.shape
    cell = np.tile(np.arange(plain.domain.offsets[i], plain.domain.offsets[i + 1]), contexts)
    known = np.repeat(counts.sum(axis=2).T.astype(float), size, axis=0)
    marginal, total = plain.marginals_without(cell, np.zeros(len(cell)))
    pseudo, mass = plain.smoothing.pseudo_counts(plain.domain, cell, marginal, total, known)
    pseudo, mass = plain.smoothing.within(pseudo, mass, plain.theta.T[cell], contexts)
    of_cells = (np.broadcast_to(a, (len(cell), k)).T.reshape(counts.shape) for a in (pseudo, known + mass))
    s, whole = of_cells
    return counts + s, whole[:, :, :1]


def draw_within(plain: Discrete, i: int, counts: Array, rng: np.random.Generator) -> Array:
    """Draw P(x_i | parents, c) (K, contexts, values) from Dirichlet(N + s); a cell of weight zero stays zero."""
    gamma = rng.standard_gamma(weights_within(plain, i, counts)[0])
    return ratio(gamma, gamma.sum(axis=2, keepdims=True))


def variance_within(plain: Discrete, i: int, counts: Array) -> Array:
    """Return the posterior variance of log P(x_i | parents, c), ψ₁(N + s) − ψ₁(N. + Σ_v s); 0 where it is zero."""
    return variance_of_log(*weights_within(plain, i, counts))


def values_of(table: Array, cells: Sequence[Array]) -> Array:
    """Return a table (K, cells of columns ...) at the cells of the columns' values."""
    for axis, cell in enumerate(cells, start=1):
        table = np.take(table, cell, axis=axis)
    return table
