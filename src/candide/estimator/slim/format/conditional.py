"""Conditional chances in a slim file: told by the chances of several columns together, from which they are made anew.

Counts of two columns and many classes are zero for the most part. The chances of both together say so in one number,
and how well each is known; chances of one given the other would take digits where nobody was counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from candide.arithmetic import log, ratio
from candide.distributions.forms import Lookup
from candide.distributions.in_pairs import MOST_BELOW
from candide.estimator.slim.format.grids import JoinedGrid
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


@frozen(kw_only=True)
class Conditional(Lookup):
    """w log P(x_i | others, c), of the first column i; or what that says beyond P(x_i | c).

    The table holds log P(x_i, others | c), up to a factor of each class, for all that the columns may be together.
    Others that are not known are summed out.

    Parameters
    ----------
    weight : float
        w.
    pseudo : int
        Cells of pseudo-counts that P(x_i | c) has, where it is taken off; 0 where it is not. A pseudo-count is what the
        least cell of a class has.
    """

    weight: float = 1.0
    pseudo: int = 0

    @classmethod
    def of(cls, chances: Lookup, weight: float = 1.0, pseudo: int = 0) -> Conditional | None:
        """Return the conditional chances of a look-up of chances; None where that is no grid."""
        shared = {key: getattr(chances, key) for key in ("columns", "missing", "levels", "table", "cuts", "domains")}
        return None if JoinedGrid.of(chances, 1.0) is None else cls(**shared, weight=weight, pseudo=pseudo)

    @cached_property
    def entries(self) -> tuple[list[Any], Array]:
        """All that the columns may be, known in part or not, and what that adds (K, levels)."""
        grid = JoinedGrid.of(self, 1.0)
        if grid is None:  # all of its levels were left out
            return [], np.zeros((len(self.table), 0))
        largest = grid.table.max(axis=1, keepdims=True, initial=-np.inf)
        chances = np.exp(grid.table - np.where(np.isfinite(largest), largest, 0.0))
        chances = chances.reshape(-1, *(len(part) for part in reversed(grid.parts)))  # the first column comes last
        parts = self._beyond(chances, grid.parts) if self.pseudo else self._given(chances, grid.parts)
        levels, terms = zip(*parts, strict=True)
        return list(chain.from_iterable(levels)), self.weight * np.concatenate(terms, axis=1)

    def _given(self, chances: Array, parts: list[list[Any]]) -> Iterator[tuple[list[Any], Array]]:
        """Yield what is known of a row, some of the others or all, and log P(x_i | those, c)."""
        n = len(parts)
        may = [at for at in range(1, n) if None not in parts[at]]  # a missing cell that is a value is known
        for unknown in chain.from_iterable(combinations(may, m) for m in range(len(may) + 1)):
            known = chances.sum(axis=tuple(n - at for at in unknown), keepdims=True)
            told = [[None] if at in unknown else part for at, part in enumerate(parts)]
            whole = known.sum(axis=-1, keepdims=True)
            terms = np.where(whole > 0, log(ratio(known, whole)), 0.0)
            yield levels_of(told), terms.reshape(len(terms), -1)

    def _beyond(self, chances: Array, parts: list[list[Any]]) -> Iterator[tuple[list[Any], Array]]:
        """Yield all that is known of a row, and log P(x_i | others, c) / P(x_i | c)."""
        others = tuple(range(1, chances.ndim - 1))
        softened = chances.min(axis=tuple(range(1, chances.ndim)), keepdims=True)
        alone = (chances - softened).sum(axis=others, keepdims=True) + self.pseudo * softened
        given = ratio(chances, chances.sum(axis=-1, keepdims=True))
        with np.errstate(invalid="ignore"):
            terms = np.nan_to_num(log(given) - log(ratio(alone, alone.sum(axis=-1, keepdims=True))), neginf=-np.inf)
        yield levels_of(parts), np.maximum(terms, -MOST_BELOW).reshape(len(terms), -1)


def levels_of(parts: list[list[Any]]) -> list[Any]:
    """Return all that columns may be together; the first changes fastest.

    Examples
    --------
    >>> levels_of([["a", "b"], [0, 1]])
    [('a', 0), ('b', 0), ('a', 1), ('b', 1)]
    """
    return [tuple(reversed(level)) for level in product(*reversed(parts))]
