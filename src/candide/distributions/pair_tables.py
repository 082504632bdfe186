"""Pairs: what two columns add together, in coarse cells, beside what each adds alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.distributions.blocks import Block, LeftOut
from candide.distributions.forms import Form, Lookup
from candide.distributions.links import Link
from candide.frozen import frozen
from candide.schema.cells import MISSING, UNSEEN
from candide.schema.column import Column
from candide.schema.order import object_array
from candide.schema.rows import Rows

Array = np.ndarray[Any, Any]


@frozen
class Coarse:
    """A column in a few cells: intervals (a, b] of numbers, or some levels and all others together; last, missing.

    Parameters
    ----------
    column : str or int
    cuts : ndarray or None
        Of a column of numbers.
    levels : mapping of level to cell, or None
        Of a column of symbols, every level that was there; an unseen one says nothing.
    """

    column: str | int
    cuts: Array | None = None
    levels: Mapping[Any, int] | None = None

    @property
    def size(self) -> int:
        """How many cells there are, the missing one among them."""
        if self.levels is not None:
            return max(self.levels.values(), default=-1) + 2
        assert self.cuts is not None
        return len(self.cuts) + 2

    def codes(self, rows: Rows, position: int) -> Array:
        """Return the cells of rows; -1 where a level was not there, or the cell is not known yet."""
        if self.cuts is not None:
            at = native.bin_codes(rows.numbers(np.array([position])), self.cuts, offsets([len(self.cuts)]))[:, 0]
            found = np.where(at < 0, self.size - 1, at)
        else:
            found = self._cells(rows.schema.columns[position])[rows.codes(np.array([position]))[:, 0]]
        return np.where(rows.silent(found == self.size - 1, position), -1, found)

    def _cells(self, column: Column) -> Array:
        """Return the cell of each level of a column, then of an unseen level and of a missing cell."""
        assert self.levels is not None
        known = [] if column.levels is None else column.levels.tolist()
        assert (UNSEEN, MISSING) == (-2, -1)
        return np.array([*(self.levels.get(level, -1) for level in known), -1, self.size - 1], dtype=np.int32)

    def told(self) -> list[tuple[Any, int]]:
        """Return what a table has for the column: levels, or the numbers of intervals, and None; each with its cell."""
        known = range(self.size - 1) if self.levels is None else self.levels
        cells = range(self.size - 1) if self.levels is None else self.levels.values()
        return [*zip(known, cells, strict=True), (None, self.size - 1)]


@frozen
class PairTables(Block):
    """Terms of pairs of columns.

    Parameters
    ----------
    coarse : tuple of Coarse
        The columns that are in pairs.
    positions : ndarray (columns,)
        Where they are.
    pairs : ndarray (pairs, 2)
        Which two of them.
    entries : tuple of ndarray (cells of the first, cells of the second, K)
    first : int
        The place of the first pair in the order of attributes, behind all columns.
    """

    coarse: tuple[Coarse, ...]
    positions: Array
    pairs: Array
    entries: tuple[Array, ...]
    k: int
    first: int

    adds_pairs: ClassVar[bool] = True

    @cached_property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # made of the columns' names
        """Both columns."""
        return tuple(f"{self.coarse[a].column} × {self.coarse[b].column}" for a, b in self.pairs.tolist())

    @property
    def places(self) -> Array:
        """Pairs stand behind all columns."""
        return self.first + np.arange(len(self.pairs))

    @property
    def n_classes(self) -> int:
        """K."""
        return self.k

    def columns(self, attribute: int) -> tuple[int, ...]:
        """Return the two columns of a pair."""
        a, b = self.positions[self.pairs[attribute]].tolist()
        return a, b

    @cached_property
    def _table(self) -> tuple[Array, Array]:
        """The entries of all pairs (entries, K), and where each pair's begin."""
        flat = [table.reshape(-1, self.k) for table in self.entries]
        return np.ascontiguousarray(np.concatenate([np.zeros((0, self.k)), *flat])), offsets(map(len, flat))

    def codes(self, rows: Rows) -> Array:
        """Return the cells of pairs (rows, pairs), -1 where one of the two says nothing."""
        alone = [c.codes(rows, int(j)) for c, j in zip(self.coarse, self.positions, strict=True)]
        out = np.empty((len(rows), len(self.pairs)), dtype=np.int32)
        for p, (a, b) in enumerate(self.pairs.tolist()):
            known = (alone[a] >= 0) & (alone[b] >= 0)
            out[:, p] = np.where(known, alone[a] * self.coarse[b].size + alone[b], -1)
        return out

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return the entries at the rows' cells; what was found of pairs is not found again without a row."""
        codes = self.codes(rows)
        table, starts = self._table
        found = table[np.where(codes >= 0, codes, 0) + starts[:-1]]
        return np.moveaxis(np.where((codes >= 0)[:, :, None], found, np.nan), 2, 1)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add the entries, by one look-up a pair."""
        table, starts = self._table
        native.add_gather(self.codes(rows), starts, table, out)

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add nothing: what was settled is taken as it is."""

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return zeros: what was settled is taken as it is."""
        return np.zeros((len(rows), self.k, len(self.pairs)))

    def draw(self, rng: np.random.Generator) -> PairTables:
        """Return the same."""
        return self

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw no cells: the columns do."""
        return {}

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return the entries of a pair by its cells."""
        form = self.form(attribute)
        assert isinstance(form, Lookup)
        return dict(zip(map(str, form.levels.tolist()), form.table.T, strict=True))

    def form(self, attribute: int) -> Form:
        """Return a table by the levels, or intervals, of both columns."""
        one, other = (self.coarse[c] for c in self.pairs[attribute])
        both = list(product(one.told(), other.told()))
        table = np.array([self.entries[attribute][a[1], b[1]] for a, b in both]).reshape(len(both), self.k).T
        levels = object_array([(a[0], b[0]) for a, b in both])
        cuts = (one.cuts, other.cuts)
        zero = np.zeros(self.k)
        return Lookup(columns=self.columns(attribute), missing=zero, levels=levels, table=table, cuts=cuts)
