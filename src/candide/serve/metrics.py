"""Metrics: what went by, as counts, in the text that Prometheus reads.

Besides requests and decisions they tell how far the rows that come in have moved from those that were learnt: of every
counted column the share of rows that would have to change their cell for the two to look alike, ½ Σ_v |n_v / n − N_v /
N|, and beside it what chance alone would move.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from math import isfinite, pi
from threading import Lock
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.frozen import frozen
from candide.native.reference.mappings import CountedColumn
from candide.schema.cells import Levels
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]

SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Where the histogram of how long requests took is cut."""
CELLS = 10
"""Into so many cells of about equal weight a column of numbers is cut."""
MISSING, UNSEEN, FIRST = 0, 1, 2
"""Positions among the counts of a column: its missing cells, those that were never learnt, and the first cell."""


@frozen
class Incoming:
    """What comes in of one column, beside what was learnt.

    Parameters
    ----------
    name : str
    levels : mapping or None
        The position of each level among the counts, where the column has levels.
    cuts : list of float
        Where a column of numbers is cut into cells.
    learnt : ndarray or None
        The weight learnt in each position; None where the column is not counted.
    """

    name: str
    levels: dict[Any, int] | None
    cuts: list[float]
    learnt: Array | None

    @property
    def size(self) -> int:
        """How many positions there are."""
        return FIRST + (len(self.cuts) + 1 if self.levels is None else len(self.levels))

    def counted(self, start: int) -> CountedColumn:
        """Return the column as it is counted, where its counts begin at some place among those of all columns."""
        levels = None if self.levels is None else {level: start + place for level, place in self.levels.items()}
        return self.name, start, levels, self.cuts

    def is_unseen(self, cell: Any) -> bool:
        """Whether a cell is a level that was never learnt."""
        return cell is not None and self.levels is not None and cell not in self.levels

    def moved(self, come: Array) -> tuple[float, float] | None:
        """Return the share of rows that moved, and the share that chance alone moves; None before any row came."""
        n, learnt = come.sum(), self.learnt
        if learnt is None or not n or not learnt.sum():
            return None
        total = learnt.sum()
        share = (come + learnt) / (n + total)
        # a difference of two shares is about normal, and the mean of its size √(2/π) times its deviation
        chance = np.sqrt(2 / pi * share * (1 - share) * (1 / n + 1 / total)).sum() / 2
        return float(np.abs(come / n - learnt / total).sum() / 2), float(chance)


def incoming(evidence: Evidence, position: int) -> Incoming:
    """Return an empty count of what comes in of a column."""
    column = evidence.schema.columns[position]
    name = str(column.name)
    if not column.counted or column.axis is None:
        return Incoming(name, None, [], None)
    by_cell = evidence.counts(position).sum(axis=0).astype(float)
    if isinstance(column.axis, Levels):
        place = {level: v for v, level in enumerate(column.axis.levels.tolist(), start=FIRST)}
        learnt = np.concatenate([by_cell[:1], [0.0], by_cell[1:]])
        return Incoming(name, place, [], learnt)
    values, weights = column.axis.levels, by_cell[1:]
    cuts = equal_masses(values, weights)
    binned = np.bincount(np.searchsorted(cuts, values), weights, len(cuts) + 1) if len(values) else np.zeros(1)
    learnt = np.concatenate([by_cell[:1], [0.0], binned])
    return Incoming(name, None, cuts.tolist(), learnt)


def equal_masses(values: Array, weights: Array) -> Array:
    """Return cuts (a, b] between ascending values, so that about equal weights lie between them."""
    if len(values) <= 1 or not weights.sum():
        return np.zeros(0)
    below = np.cumsum(weights) / weights.sum()
    return np.unique(values[np.searchsorted(below, np.arange(1, CELLS) / CELLS)])[: len(values) - 1]


class Metrics:
    """Counts of requests, rows, decisions and cells.

    Parameters
    ----------
    columns : sequence of Incoming
    """

    def __init__(self, columns: Sequence[Incoming]) -> None:
        self.columns = columns
        self.starts = offsets(column.size for column in columns)
        self.counted = [column.counted(start) for column, start in zip(columns, self.starts.tolist(), strict=False)]
        self.cells = np.zeros(self.starts[-1], dtype=np.int64)
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds: dict[str, list[int]] = {}
        self.spent: dict[str, float] = {}
        self.rows = 0
        self.decisions: Counter[Any] = Counter()
        self._lock = Lock()

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self.requests[route, status] += 1
        if route not in self.seconds:
            self.seconds[route], self.spent[route] = [0] * (len(SECONDS) + 1), 0.0
        self.seconds[route][bisect_left(SECONDS, seconds)] += 1
        self.spent[route] += seconds

    def decide(self, label: Any) -> None:
        """Count what was decided of a row whose cells are counted."""
        with self._lock:
            self.rows += 1
            self.decisions[label] += 1

    def decided(self, rows: list[dict[str, Any]], labels: list[Any]) -> None:
        """Count rows and what was decided of them."""
        with self._lock:
            self.rows += len(rows)
            self.decisions.update(labels)
            native.count_cells(rows, self.counted, self.cells)

    def unseen(self, row: dict[str, Any]) -> list[str]:
        """Return the columns of a row whose level was never learnt."""
        return [column.name for column in self.columns if column.is_unseen(row.get(column.name))]

    def text(self) -> str:
        """Return everything as Prometheus reads it."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        starts = self.starts[:-1].tolist()
        yield from head("candide_requests_total", "counter", "Requests answered.")
        for (route, status), n in sorted(self.requests.items()):
            yield f"candide_requests_total{labels(route=route, status=status)} {n}"
        yield from head("candide_request_seconds", "histogram", "How long requests took.")
        for route, counts in sorted(self.seconds.items()):
            for edge, n in zip((*SECONDS, "+Inf"), np.cumsum(counts).tolist(), strict=True):
                yield f"candide_request_seconds_bucket{labels(route=route, le=edge)} {n}"
            yield f"candide_request_seconds_sum{labels(route=route)} {self.spent[route]}"
            yield f"candide_request_seconds_count{labels(route=route)} {sum(counts)}"
        yield from head("candide_rows_total", "counter", "Rows predicted.")
        yield f"candide_rows_total {self.rows}"
        yield from head("candide_decisions_total", "counter", "Rows decided for a class.")
        for label, n in self.decisions.items():
            yield f"candide_decisions_total{labels(**{'class': label})} {n}"
        yield from head("candide_missing_cells_total", "counter", "Cells that were not given.")
        for column, start in zip(self.columns, starts, strict=True):
            yield f"candide_missing_cells_total{labels(column=column.name)} {self.cells[start + MISSING]}"
        yield from head("candide_unseen_cells_total", "counter", "Levels that were never learnt.")
        for column, start in zip(self.columns, starts, strict=True):
            yield f"candide_unseen_cells_total{labels(column=column.name)} {self.cells[start + UNSEEN]}"
        come = np.split(self.cells, starts[1:])
        both = [(c.name, c.moved(n)) for c, n in zip(self.columns, come, strict=True)]
        moved = [(name, found) for name, found in both if found is not None]
        yield from head("candide_moved_share", "gauge", "Share of rows that moved to other cells since learning.")
        for name, (share, _) in moved:
            yield f"candide_moved_share{labels(column=name)} {share:.6g}"
        yield from head("candide_moved_by_chance", "gauge", "Share of rows that chance alone would move.")
        for name, (_, chance) in moved:
            yield f"candide_moved_by_chance{labels(column=name)} {chance:.6g}"


def head(name: str, kind: str, says: str) -> list[str]:
    """Return the two lines that introduce a metric."""
    return [f"# HELP {name} {says}", f"# TYPE {name} {kind}"]


def labels(**given: Any) -> str:
    r"""Return labels as Prometheus writes them.

    Examples
    --------
    >>> labels(column='a "b"\n', status=200)
    '{column="a \\"b\\"\\n",status="200"}'
    """
    return "{" + ",".join(f'{name}="{escaped(str(value))}"' for name, value in given.items()) + "}"


def escaped(text: str) -> str:
    """Return text within the quotes of a label."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def number(value: float) -> float | None:
    """Return a number that JSON has; None for infinity."""
    return value if isfinite(value) else None
