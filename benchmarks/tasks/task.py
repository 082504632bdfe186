"""A task: the same thing done in several ways, and what was promised of ours."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Call = Callable[[], Any]
Prepare = Callable[[int], Call]
"""Makes everything ready for a number of rows, and returns the call that is measured."""

OURS, THEIRS, APART, FLOOR = "ours", "scikit-learn", "apart", "floor"


@dataclass(frozen=True)
class Targets:
    """What was promised; None where nothing was.

    Parameters
    ----------
    faster : float, optional
        Times as fast as scikit-learn, at least.
    floors : float, optional
        Floors, at most.
    memory : float, optional
        Share of scikit-learn's extra memory, at most.
    allowance : bool
        Extra memory is a tenth of the input besides the output, at most.
    apart : float, optional
        Times what the same columns take apart, at most.
    milliseconds : float, optional
        At most.
    megabytes : float, optional
        Of extra memory, at most.
    """

    faster: float | None = None
    floors: float | None = None
    memory: float | None = None
    allowance: bool = False
    apart: float | None = None
    milliseconds: float | None = None
    megabytes: float | None = None


@dataclass(frozen=True)
class Task:
    """One task.

    Parameters
    ----------
    name : str
    ours : Prepare
        Candide's way, with names that every release has.
    theirs : Prepare, optional
        Scikit-learn's way.
    apart : Prepare, optional
        Candide's way with columns that are not joined.
    cells : callable, optional
        Returns the table of a number of rows whose bytes must be read: one pass over them is the floor.
    targets : Targets
    section : str
        Heading of the report; tasks without stand under their number of rows.
    rows : int, optional
        The number of rows that the task speaks of; by default it is measured for every number asked for.
    largest : int
        No more rows than this.
    """

    name: str
    ours: Prepare
    theirs: Prepare | None = None
    apart: Prepare | None = None
    cells: Callable[[int], Any] | None = None
    targets: Targets = field(default_factory=Targets)
    section: str = ""
    rows: int | None = None
    largest: int = 10**6

    def prepares(self) -> dict[str, Prepare]:
        """Return how each way is made ready."""
        floor = None if self.cells is None else one_pass(self.cells)
        ways = {OURS: self.ours, APART: self.apart, THEIRS: self.theirs, FLOOR: floor}
        return {way: prepare for way, prepare in ways.items() if prepare is not None}

    def sizes(self, asked: list[int]) -> list[int]:
        """Return the numbers of rows to measure; a number of the task's own is not above all that were asked for."""
        if self.rows is not None:
            return [min(self.rows, max(asked))]
        return [n for n in sorted(asked) if n <= self.largest]


def one_pass(cells: Callable[[int], Any]) -> Prepare:
    """Return the floor: `numpy.sum` over the arrays of a table."""

    def prepare(n: int) -> Call:
        parts = arrays(cells(n))
        return lambda: [np.sum(part) for part in parts]

    return prepare


def arrays(table: Any) -> list[np.ndarray]:
    """Return the arrays that hold a table: itself, or the three of a sparse one."""
    return [table] if isinstance(table, np.ndarray) else [table.data, table.indices, table.indptr]
