"""Tally: what a drop-in classifier has learnt, as statistics that add and subtract."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.frozen import frozen
from candide.statistics import Counts, Moments

Array = np.ndarray[Any, Any]


@frozen
class Tally:
    """Statistics of rows; the class axis comes first in each.

    Parameters
    ----------
    class_count : Counts (K,)
        Weight of the rows of each class.
    features : Counts (K, D), Counts (K, cells) or Moments (K, D)
        What the rows of each class say.
    rows : Moments (K, D) or None
        The same with every row counting once, where weights must be left aside.
    sizes : ndarray of int (D,) or None
        How many cells each column has, where `features` counts cells.
    precision : type
        In which the estimates are published.
    """

    class_count: Counts
    features: Counts | Moments
    rows: Moments | None = None
    sizes: Array | None = None
    precision: type[np.floating[Any]] = np.float64

    def __add__(self, other: Tally) -> Tally:
        return self._zip(other, operator.add)

    def __sub__(self, other: Tally) -> Tally:
        return self._zip(other, operator.sub)

    def _zip(self, other: Tally, function: Callable[[Any, Any], Any]) -> Tally:
        if self.sizes is None or other.sizes is None:
            a, b = self, other
        else:
            sizes = np.maximum(self.sizes, other.sizes)
            a, b = self.resize(sizes), other.resize(sizes)
        return replace(
            a,
            class_count=function(a.class_count, b.class_count),
            features=function(a.features, b.features),
            rows=None if a.rows is None else function(a.rows, b.rows),
        )

    def move_classes(self, index: Array, size: int) -> Tally:
        """Put class k at place index[k] of `size` classes."""
        return replace(
            self,
            class_count=self.class_count.move(0, index, size),
            features=self.features.move(0, index, size),
            rows=None if self.rows is None else self.rows.move(0, index, size),
        )

    def resize(self, sizes: Array) -> Tally:
        """Give the columns other numbers of cells; cells that fall off must be empty."""
        if self.sizes is None or np.array_equal(self.sizes, sizes):
            return self
        column, cell = positions(self.sizes)
        keep = cell < sizes[column]
        start = offsets(sizes.tolist())
        features = self.features.take(1, keep).move(1, (start[column] + cell)[keep], int(start[-1]))
        return replace(self, features=features, sizes=sizes)

    def used_sizes(self) -> Array:
        """How many cells each column needs: up to its last one that is not empty, and at least one."""
        assert isinstance(self.features, Counts)
        assert self.sizes is not None
        last = np.where(self.features.table.any(axis=0), positions(self.sizes)[1] + 1, 1)
        out: Array = np.maximum.reduceat(last, offsets(self.sizes.tolist())[:-1])
        return out

    @property
    def weight(self) -> Array:
        """The weights (K, ...) of what the rows say."""
        return self.features.weight

    def cannot_hold(self, other: Tally) -> Array:
        """Mark the classes (K,) of which `other` is no part: counts fall below zero, or no rows have such moments."""
        left = self - other
        out: Array = (left.class_count.table < 0) | (left.weight < 0).any(axis=1)
        if isinstance(self.features, Moments) and isinstance(other.features, Moments):
            out |= self.features.cannot_hold(other.features).any(axis=1)
        return out


def positions(sizes: Array) -> tuple[Array, Array]:
    """Return the column of each cell, and its place in the column."""
    column = np.repeat(np.arange(len(sizes)), sizes)
    return column, np.arange(len(column)) - offsets(sizes.tolist())[column]
