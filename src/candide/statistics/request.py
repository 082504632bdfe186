"""The request: what a plan asks of an engine, column by column, in words that are not those of distributions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.schema.column import Kind
from candide.schema.lattice import Grid

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Support:
    """Where a distribution lives: what it is called, and which numbers lie outside."""

    says: str
    outside: Callable[[Array], Array]


REAL = Support("any number", lambda x: np.zeros(np.shape(x), dtype=bool))
NONNEGATIVE = Support("numbers that are not negative", lambda x: x < 0)
POSITIVE = Support("positive numbers", lambda x: x <= 0)
WHOLE = Support("whole numbers that are not negative", lambda x: (x < 0) | ((x != np.floor(x)) & ~np.isnan(x)))
BINARY = Support("0 and 1", lambda x: ~np.isnan(x) & (x != 0) & (x != 1))


@dataclass(frozen=True)
class Wanted:
    """What is wanted of one column.

    Parameters
    ----------
    kind : "symbols" or "numbers"
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
    """

    kind: Kind
    keeps: tuple[str, ...]
    support: Support = REAL
    asks: str = ""
    levels: tuple[Any, ...] | None = None
    grid: Grid | None = None


@dataclass(frozen=True)
class Request:
    """What is wanted of every column, which groups are counted together, and of how many columns all tuples are."""

    columns: tuple[Wanted, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    target: str | None = None
    together: int = 1
