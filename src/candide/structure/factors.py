"""The factors of a network, P(node | parents) of every node, and their product with what is unknown summed out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import log, shares
from candide.distributions.blocks import LeftOut
from candide.distributions.discrete import Discrete
from candide.frozen import frozen
from candide.schema.cells import MISSING
from candide.structure.elimination import Factor, sum_out
from candide.structure.families import ClassFamily, ColumnFamily, Family

Array = np.ndarray[Any, Any]

ROW, CLASS = "row", "class"
"""Variables that are no columns."""


@frozen
class Factors:
    """P(x, c) of a network: the product of all P(node | parents).

    Parameters
    ----------
    plain : Discrete
        P(x_i | c), whose domain and coder are those of the columns.
    columns : tuple of ColumnFamily
        One per column.
    of_class : ClassFamily or None
        P(c | parents); None where the class has no parents, and P(c) is no factor here.
    """

    plain: Discrete
    columns: tuple[ColumnFamily, ...]
    of_class: ClassFamily | None

    @property
    def n_classes(self) -> int:
        """K."""
        return self.plain.n_classes

    @property
    def families(self) -> tuple[Family, ...]:
        """The families of all columns, and behind them that of the class, where it has parents."""
        return self.columns if self.of_class is None else (*self.columns, self.of_class)

    @cached_property
    def _children(self) -> list[set[int | str]]:
        """The nodes that depend on each column."""
        out: list[set[int | str]] = [set() for _ in self.columns]
        for i, family in enumerate(self.columns):
            for p in family.columns[:-1]:
                out[p].add(i)
        for p in () if self.of_class is None else self.of_class.columns:
            out[p].add(CLASS)
        return out

    def barren(self, unknown: set[int]) -> set[int]:
        """Return the unknown columns on which nothing that is known depends: they sum to one."""
        out: set[int] = set()
        grown = True
        while grown:  # ends: some columns more each time, or none
            more = {j for j in unknown - out if self._children[j] <= out}
            grown, out = bool(more), out | more
        return out

    def patterns(self, codes: Array) -> Iterator[tuple[Array, set[int]]]:
        """Yield rows that know the same columns, and the columns that they do not know."""
        patterns, which = np.unique(codes < 0, axis=0, return_inverse=True)
        for k, pattern in enumerate(patterns):
            yield np.flatnonzero(which.ravel() == k), {int(j) for j in np.flatnonzero(pattern)}

    def joint(self, codes: Array, unknown: set[int], left: LeftOut | None, keep: tuple[int, ...] = ()) -> Array:
        """Return log P(x, c) (rows, values of the columns kept ..., K), without P(c) where the class has no parents.

        Factors that are all known are added as logarithms, so that no product of many becomes zero by rounding.
        """
        silent = self.barren(unknown - set(keep))
        total = np.zeros((len(codes), self.n_classes))
        factors: list[Factor] = []
        for family in self.families:
            if isinstance(family, ColumnFamily) and family.node in silent:
                continue
            table, hidden = family.at(codes, unknown, left)
            if hidden:
                named = (ROW, *hidden, CLASS) if family.of_class else (ROW, *hidden)
                factors.append((table if family.of_class else table[..., 0], named))
            else:
                total += log(table)
        if factors:
            ones: Factor = (np.ones((len(codes), self.n_classes)), (ROW, CLASS))
            shaped = log(sum_out([ones, *factors], (ROW, *keep, CLASS)))
            total = total.reshape(len(codes), *[1] * len(keep), self.n_classes) + shaped
        return total

    def distribution(self, codes: Array, column: int) -> Array:
        """Return log P(x_i = v, the other columns, c) (rows, values of i, K) of a column, whatever rows say of it."""
        out = np.empty((len(codes), int(self.plain.domain.sizes[column]), self.n_classes))
        blind = codes.copy()
        blind[:, column] = MISSING
        for some, unknown in self.patterns(blind):
            out[some] = self.joint(blind[some], unknown, None, (column,))
        return out

    def class_shares(self) -> Array:
        """Return P(c) when nothing is known of any column."""
        d = len(self.columns)
        nothing = np.full((1, d), MISSING, dtype=np.int64)
        return shares(np.exp(self.joint(nothing, set(range(d)), None)[0]))

    @cached_property
    def order(self) -> list[int]:
        """The columns, parents before their children."""
        out: list[int] = []
        left = list(range(len(self.columns)))
        while left:  # ends: without a cycle, some column's parents are all there each time
            ready = [i for i in left if set(self.columns[i].columns[:-1]) <= set(out)]
            out += ready
            left = [i for i in left if i not in ready]
        return out

    def draw(self, rng: np.random.Generator) -> Factors:
        """Draw every table."""
        of_class = None if self.of_class is None else self.of_class.draw(rng)
        return replace(self, columns=tuple(family.draw(rng) for family in self.columns), of_class=of_class)
