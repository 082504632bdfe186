"""The discrete columns of a group: each on its own, and the codes of their combinations."""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from candide.distributions.base import Distribution, Rules
from candide.distributions.coders import CutCoder, Told
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Form
from candide.frozen import frozen
from candide.schema.cells import MISSING, UNSEEN
from candide.schema.combinations import distinct
from candide.schema.order import object_array
from candide.schema.rows import Rows
from candide.smoothing.constant import Laplace
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]

LARGEST_DOMAIN = 1 << 20
"""Combinations that the declared domains of a group may have."""
LARGEST_KEY = 1 << 62
"""Numbers up to which the values of a row are digits of one; beyond it the number so far is made a rank first."""
LARGEST_TABLE = 1 << 20
"""Combinations that may be, up to which each has a place of its own where it is looked up."""


@frozen
class Member:
    """A discrete column of a group.

    Parameters
    ----------
    position : int
    block : Discrete
        The column on its own.
    value_of_cell : ndarray of int (cells,)
        The value that each counted cell has, the missing one first; negative where it has none.
    exhaustive : bool
        Whether the values are a whole domain: declared, or bins.
    """

    position: int
    block: Discrete
    value_of_cell: Array
    exhaustive: bool

    @property
    def levels(self) -> Array:
        """The values, as a person names them."""
        return self.block.domain.levels[0]

    @property
    def cuts(self) -> Array | None:
        """The cuts between the values of a column of numbers."""
        return self.block.coder.cuts[0] if isinstance(self.block.coder, CutCoder) else None

    def level_of(self, value: int) -> Any:
        """Return a value for a table: None for a missing cell, an interval by its number."""
        if self.block.absent[0] and value == len(self.levels) - 1:
            return None
        return self.levels[value] if self.cuts is None else value


def member(evidence: Evidence, position: int, rule: Distribution, rules: Rules) -> Member:
    """Estimate a member on its own; its domain is exhaustive if it was declared or made of bins."""
    # the member's own table is never scored: any rule of smoothing will do
    block = rule.estimate(evidence, np.array([position]), Rules(Laplace(), rules.missing))
    assert isinstance(block, Discrete)
    column = evidence.schema.columns[position]
    assert column.axis is not None
    known, cuts = column.axis.levels, block.coder.cuts[0] if isinstance(block.coder, CutCoder) else None
    values = np.arange(len(known)) if cuts is None else np.searchsorted(cuts, known, side="left")
    missing = len(block.domain.levels[0]) - 1 if block.absent[0] else MISSING
    exhaustive = cuts is not None or column.closed
    return Member(position, block, np.concatenate([[missing], values]).astype(np.int64), exhaustive)


@frozen
class GroupCoder:
    """Codes of the combinations of the members' values that are in the domain."""

    members: tuple[Member, ...]
    combinations: Array

    @property
    def places(self) -> Array:
        """The first member's column."""
        return np.array([self.members[0].position])

    def values(self, rows: Rows) -> Array:
        """Return the members' value codes (rows, members), negative where a member says nothing."""
        out = np.empty((len(rows), len(self.members)), dtype=np.int32, order="F")
        for i, m in enumerate(self.members):
            out[:, i] = m.block.codes(rows)[:, 0]
        return out

    @cached_property
    def _table(self) -> Array | None:
        """The combination at each place of a table of all that may be; None where these are too many."""
        sizes = [len(m.levels) for m in self.members]
        if prod(sizes) > LARGEST_TABLE:
            return None
        table = np.full(sizes, UNSEEN, dtype=np.int32)
        table[tuple(self.combinations.T)] = np.arange(len(self.combinations))
        return table.ravel()

    @cached_property
    def _tries(self) -> tuple[list[tuple[Array, int]], Array]:
        """The combinations as a chain of keys: (id so far, next value), so that no product of sizes overflows."""
        steps = []
        ids = np.zeros(len(self.combinations), dtype=np.int64)
        for i, m in enumerate(self.members):
            radix = len(m.levels) + 1
            keys, ids = np.unique(ids * radix + self.combinations[:, i], return_inverse=True)
            ids = ids.ravel()
            steps.append((keys, radix))
        place = np.full(len(self.combinations), UNSEEN, dtype=np.int64)
        place[ids] = np.arange(len(self.combinations))
        return steps, place

    def find(self, values: Array) -> Array:
        """Return the combination of each row of values; -1 where one is unknown, -2 where never seen together."""
        if not len(self.combinations):
            return np.where((values < 0).any(axis=1), MISSING, UNSEEN)
        if self._table is not None:
            at, known = np.zeros(len(values), dtype=np.int32), np.ones(len(values), dtype=bool)
            for i, m in enumerate(self.members):
                at = at * np.int32(len(m.levels)) + np.maximum(values[:, i], 0)
                known &= values[:, i] >= 0
            return np.where(known, self._table[at], MISSING)
        steps, place = self._tries
        ids, there = np.zeros(len(values), dtype=np.int64), np.ones(len(values), dtype=bool)
        for i, (keys, radix) in enumerate(steps):
            wanted = ids * radix + np.maximum(values[:, i], 0)
            ids = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            there &= keys[ids] == wanted
        return np.where((values < 0).any(axis=1), MISSING, np.where(there, place[ids], UNSEEN))

    @property
    def n_known(self) -> int:
        """How much may be known of a row: each value of each member, or nothing of it."""
        return prod(len(m.levels) + 1 for m in self.members)

    def known(self, values: Array) -> Array:
        """Return the number below `n_known` of what is known of each row."""
        at = np.zeros(len(values), dtype=np.int32)
        for i, m in enumerate(self.members):
            at *= len(m.levels) + 1
            at += np.maximum(values[:, i], MISSING).astype(np.int32, copy=False) + np.int32(1)
        return at

    def margin(self, known: tuple[int, ...]) -> tuple[GroupCoder, Array]:
        """Return the coder of some members alone, and the combination there of each one here."""
        if known not in self._margins:
            combinations, which = distinct(self.combinations[:, known])
            self._margins[known] = GroupCoder(tuple(self.members[i] for i in known), combinations), which
        return self._margins[known]

    @cached_property
    def _margins(self) -> dict[tuple[int, ...], tuple[GroupCoder, Array]]:
        """The margins that were asked for."""
        return {}

    def keys(self, values: Array) -> Array:
        """Return a number for each row of values, missing ones among them: the same for the same."""
        key = np.zeros(len(values), dtype=np.int64)
        most = 1
        for i, m in enumerate(self.members):
            radix = len(m.levels) + 1
            if most * radix > LARGEST_KEY:
                key, most = np.unique(key, return_inverse=True)[1].ravel(), len(values)
            key, most = key * radix + values[:, i] + 1, most * radix
        return key

    def codes(self, rows: Rows) -> Array:
        """Return the combinations of the rows."""
        return self.find(self.values(rows))[:, None]

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return the members' cells of the combinations."""
        known = codes[:, 0] >= 0
        values = np.full((len(codes), len(self.members)), MISSING)
        values[known] = self.combinations[codes[known, 0]]
        out: dict[int, Array] = {}
        for i, m in enumerate(self.members):
            chosen = values[:, [i]]
            if m.block.absent[0]:
                chosen = np.where(chosen == len(m.levels) - 1, MISSING, chosen)
            out.update(m.block.coder.sample(rng, chosen))
        return out

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        """Return a table by combination."""
        return told.lookup(self.joined, table, cuts=self.cuts)

    @property
    def joined(self) -> Array:
        """The combinations for a table: numbers go by their intervals, and a missing cell is None."""
        return object_array(
            [tuple(map(Member.level_of, self.members, values)) for values in self.combinations.tolist()]
        )

    @property
    def cuts(self) -> tuple[Array | None, ...]:
        """The cuts of each member; None for symbols."""
        return tuple(m.cuts for m in self.members)
