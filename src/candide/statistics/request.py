"""The request: what a plan asks of an engine, column by column, in words that are not those of distributions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from candide.analysis.analyzer import Analyzer
from candide.frozen import frozen
from candide.schema.column import Kind
from candide.schema.lattice import Grid
from candide.statistics.moments import PROOF, Moments

Array = np.ndarray[Any, Any]


def negative_mean(x: Moments) -> Array:
    """Mark moments that prove negative numbers."""
    return np.asarray(x.mean < 0)


@frozen(eq=True)
class Support:
    """Where a distribution lives: what it is called, which numbers lie outside, which moments prove that some do."""

    says: str
    outside: Callable[[Array], Array]
    disproved: Callable[[Moments], Array] = negative_mean


def nothing(x: Array) -> Array:
    """Mark no number."""
    return np.zeros(np.shape(x), dtype=bool)


def nothing_of_moments(x: Moments) -> Array:
    """Mark no moments."""
    return np.zeros(x.shape, dtype=bool)


def negative(x: Array) -> Array:
    """Mark negative numbers."""
    return np.asarray(x < 0)


def not_positive(x: Array) -> Array:
    """Mark numbers that are not positive."""
    return np.asarray(x <= 0)


def not_whole(x: Array) -> Array:
    """Mark numbers that are negative or not whole."""
    return np.asarray((x < 0) | ((x != np.floor(x)) & ~np.isnan(x)))


def not_whole_moments(x: Moments) -> Array:
    """Mark moments that prove negative numbers, or fractions."""
    return np.asarray((x.mean < 0) | x.not_whole())


def not_binary(x: Array) -> Array:
    """Mark numbers that are neither 0 nor 1."""
    return np.asarray(~np.isnan(x) & (x != 0) & (x != 1))


def not_binary_moments(x: Moments) -> Array:
    """Mark moments that zeros and ones do not have: theirs are m2 = n mean (1 − mean)."""
    with np.errstate(over="ignore"):
        apart = np.abs(x.m2 - x.n * x.mean * (1 - x.mean)) > PROOF * x.n
    return np.asarray((x.mean < -PROOF) | (x.mean > 1 + PROOF) | apart)


REAL = Support("any number", nothing, nothing_of_moments)
NONNEGATIVE = Support("numbers that are not negative", negative)
POSITIVE = Support("positive numbers", not_positive)
WHOLE = Support("whole numbers that are not negative", not_whole, not_whole_moments)
BINARY = Support("0 and 1", not_binary, not_binary_moments)


@frozen(eq=True)
class Wanted:
    """What is wanted of one column.

    Parameters
    ----------
    kind : "symbols", "numbers" or "bags"
        How its cells are read.
    keeps : tuple of str
        The parts of the statistics to be kept of it.
    support : Support
        The numbers that it may hold.
    asks : str
        Who asks, for a message: the name of the distribution.
    levels : tuple or None
        Declared levels.
    grid : Grid or None
        Edges to be counted on, where they are given.
    analyzer : Analyzer or None
        What the words of documents are.
    """

    kind: Kind
    keeps: tuple[str, ...]
    support: Support = REAL
    asks: str = ""
    levels: tuple[Any, ...] | None = None
    grid: Grid | None = None
    analyzer: Analyzer | None = None


@frozen(eq=True)
class Request:
    """What is wanted of every column, which groups are counted together, and of how many columns all tuples are."""

    columns: tuple[Wanted, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    target: str | None = None
    together: int = 1

    @cached_property
    def forms(self) -> tuple[tuple[Wanted, Array], ...]:
        """The different supports and parts that are asked for, each by the first that asks, with their columns."""
        found: dict[Any, list[int]] = {}
        for j, want in enumerate(self.columns):
            found.setdefault((want.kind, want.keeps, want.support), []).append(j)
        return tuple((self.columns[at[0]], np.array(at)) for at in found.values())
