"""Coders: from rows to the value codes of discrete attributes, and back."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.distributions.forms import Form, Lookup, Steps
from candide.frozen import frozen
from candide.schema.cells import MISSING, UNSEEN
from candide.schema.rows import Rows, rename

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

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        """Return a table (K, values) of an attribute in the form in which cells are coded."""
        ...


@frozen
class Told:
    """What every form of an attribute has: its columns, and what a missing cell adds."""

    columns: tuple[int, ...]
    missing: Array

    def lookup(self, levels: Array, table: Array, unseen: float = 0.0, cuts: tuple[Array | None, ...] = ()) -> Form:
        """Return a table by level."""
        return Lookup(columns=self.columns, missing=self.missing, levels=levels, table=table, unseen=unseen, cuts=cuts)

    def steps(self, cuts: Array, table: Array) -> Form:
        """Return a table by interval."""
        return Steps(columns=self.columns, missing=self.missing, cuts=cuts, table=table)


@frozen
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
        ends = offsets(len(levels) for levels in self.levels)[1:-1]
        codes, levels = rows.own_codes(self.places)
        renamed = [rename(part, level) for part, level in zip(np.split(table, ends), levels, strict=True)]
        starts = offsets(len(part) for part in renamed)
        native.add_gather(codes, starts, np.ascontiguousarray(np.concatenate(renamed)), out)
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

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        """Return a table by level."""
        return told.lookup(levels, table)


@frozen
class CutCoder:
    """The bins of numeric columns, (a, b] between cuts."""

    places: Array
    cuts: tuple[Array, ...]
    ends: tuple[tuple[float, float], ...]

    @cached_property
    def flat(self) -> tuple[Array, Array]:
        """The cuts of all columns in a row, and where each column's begin."""
        return np.concatenate([np.zeros(0), *self.cuts]), offsets(len(cut) for cut in self.cuts)

    def codes(self, rows: Rows) -> Array:
        """Return the number of cuts below x."""
        return native.bin_codes(rows.numbers(self.places), *self.flat)

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Bin and gather in one pass."""
        native.add_bin_gather(rows.numbers(self.places), *self.flat, table, out)
        return True

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Draw uniformly within a bin; the outer bins end where the data end."""
        out = {}
        for i, (j, cuts, (low, high)) in enumerate(zip(self.places, self.cuts, self.ends, strict=True)):
            edges = np.concatenate([[low], cuts, [high]])
            code = np.maximum(codes[:, i], 0)
            cells = edges[code] + rng.random(len(code)) * np.maximum(edges[code + 1] - edges[code], 0.0)
            out[int(j)] = np.where(codes[:, i] == MISSING, np.nan, cells)
        return out

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        """Return a table by interval."""
        return told.steps(self.cuts[attribute], table)


@frozen
class StepCoder:
    """The two-valued attributes x > cut of numeric columns."""

    inner: CutCoder

    @property
    def places(self) -> Array:
        """The column of each step."""
        return np.repeat(self.inner.places, [len(cut) for cut in self.inner.cuts])

    def codes(self, rows: Rows) -> Array:
        """Return 1 where x > cut, 0 where not, -1 where missing."""
        bins = self.inner.codes(rows)
        steps = [
            np.where(bins[:, [i]] < 0, MISSING, bins[:, [i]] > np.arange(len(cut)))
            for i, cut in enumerate(self.inner.cuts)
        ]
        return np.concatenate(steps, axis=1).astype(np.int32) if steps else np.zeros((len(rows), 0), dtype=np.int32)

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Draw the bin that the steps agree on: as many steps up as say so."""
        starts = offsets(len(cut) for cut in self.inner.cuts)
        bins = [codes[:, a:b].clip(0).sum(axis=1) for a, b in pairwise(starts)]
        return self.inner.sample(rng, np.column_stack(bins))

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        """Return the two intervals of a step."""
        return told.steps(self.inner.flat[0][[attribute]], table)


@frozen
class SwitchCoder:
    """Zeros and ones as codes; any other number is outside the domain."""

    places: Array

    def codes(self, rows: Rows) -> Array:
        """Return x itself, -1 where missing."""
        x = rows.numbers(self.places)
        codes = np.full(x.shape, UNSEEN, dtype=np.int32)
        codes[x == 0] = 0
        codes[x == 1] = 1
        codes[np.isnan(x.astype(float, copy=False))] = MISSING
        return codes

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return the codes as numbers."""
        cells = np.where(codes < 0, np.nan, codes.astype(float))
        return {int(j): cells[:, i] for i, j in enumerate(self.places)}

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        """Return a table by level; any other number is impossible."""
        return told.lookup(levels, table, unseen=-np.inf)


@frozen
class PresenceCoder:
    """Whether the cells of density columns are known (0) or missing (1); a column that never missed one is silent."""

    places: Array
    heard: Array

    def codes(self, rows: Rows) -> Array:
        """Return 0 or 1, and -1 for a silent column, or where it is not known yet."""
        missing = np.isnan(rows.numbers(self.places).astype(float, copy=False))
        return np.where(self.heard & ~rows.silent(missing, self.places), missing.astype(np.int32), MISSING)

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return which cells are missing; of a silent column none."""
        return {int(j): (codes[:, i] == 1) & self.heard[i] for i, j in enumerate(self.places)}

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        """Return a table by level."""
        return told.lookup(levels, table)
