"""One task at one size, as it was measured, and whether what was promised is met."""

from dataclasses import dataclass
from typing import Any

from benchmarks.checkouts import BEFORE, NOW
from benchmarks.others import QUIET
from benchmarks.participants import Measured
from benchmarks.tasks.task import APART, FLOOR, OURS, THEIRS, Targets, Task

PROMISED = 10**6
"""Rows that the targets of tasks without a number of rows of their own speak of."""

TENTH = 0.1
"""Share of its input that a drop-in may use besides its output."""

NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Result:
    """What was measured of a task.

    Parameters
    ----------
    name : str
    rows : int, optional
    section : str
        Heading of the report; without one the number of rows is.
    targets : Targets
    seen : dict of (checkout, way) to Measured
    promised : bool
        Whether the targets speak of this number of rows.
    others : float, optional
        Cores that other processes used meanwhile.
    """

    name: str
    rows: int | None
    section: str
    targets: Targets
    seen: dict[tuple[str, str], Measured]
    promised: bool
    others: float | None = None

    def seconds(self, checkout: str, way: str) -> float | None:
        """Return the shortest time of a way."""
        measured = self.seen.get((checkout, way))
        return None if measured is None else measured.best

    def extra(self, checkout: str, way: str) -> int | None:
        """Return the extra memory of a way."""
        measured = self.seen.get((checkout, way))
        return None if measured is None else measured.extra

    @property
    def gain(self) -> float | None:
        """How many times as fast as before."""
        return ratio(self.seconds(BEFORE, OURS), self.seconds(NOW, OURS))

    @property
    def faster(self) -> float | None:
        """How many times as fast as scikit-learn."""
        return ratio(self.seconds(NOW, THEIRS), self.seconds(NOW, OURS))

    @property
    def floors(self) -> float | None:
        """How many passes over the input."""
        return ratio(self.seconds(NOW, OURS), self.seconds(NOW, FLOOR))

    def apart(self, checkout: str) -> float | None:
        """Return how many times as long as the same columns apart."""
        return ratio(self.seconds(checkout, OURS), self.seconds(checkout, APART))

    @property
    def allowed(self) -> float | None:
        """Bytes of extra memory that a drop-in may use."""
        measured = self.seen.get((NOW, OURS))
        if not self.targets.allowance or measured is None or measured.input is None or measured.output is None:
            return None
        return TENTH * measured.input + measured.output

    @property
    def disturbed(self) -> bool:
        """Whether other processes took part."""
        return self.others is not None and self.others > QUIET

    def failures(self) -> dict[tuple[str, str], str]:
        """Return what went wrong, by checkout and way."""
        return {key: measured.error for key, measured in self.seen.items() if measured.error is not None}

    def checks(self) -> list[bool | None]:
        """Return for each target whether it is met, None where something that it speaks of was not measured."""
        targets, extra = self.targets, self.extra(NOW, OURS)
        found = []
        if targets.faster is not None:
            found.append(at_most(targets.faster, self.faster))
        if targets.floors is not None:
            found.append(at_most(self.floors, targets.floors))
        if targets.allowance:
            found.append(at_most(extra, self.allowed))
        if targets.memory is not None:
            theirs = self.extra(NOW, THEIRS)
            found.append(at_most(extra, None if theirs is None else targets.memory * theirs))
        if targets.apart is not None:
            found.append(at_most(self.apart(NOW), targets.apart))
        if targets.milliseconds is not None:
            found.append(at_most(self.seconds(NOW, OURS), targets.milliseconds / 1000))
        if targets.megabytes is not None:
            found.append(at_most(extra, targets.megabytes * 1e6))
        return found

    def verdict(self) -> str:
        """Say whether the targets are met; a target counts as met only when it was measured."""
        checks = self.checks()
        if not self.promised or not checks:
            return ""
        if False in checks:
            return "no"
        return NOT_MEASURED if None in checks else "yes"

    def record(self) -> dict[str, Any]:
        """Return all of it in plain values."""
        seen = {f"{checkout}, {way}": vars(measured) for (checkout, way), measured in self.seen.items()}
        targets = {key: value for key, value in vars(self.targets).items() if value}
        return {
            "task": self.name,
            "rows": self.rows,
            "seen": seen,
            "targets": targets,
            "met": self.verdict(),
            "others": self.others,
        }


def result_of(task: Task, rows: int, seen: dict[tuple[str, str], Measured], others: float | None) -> Result:
    """Return the result of a task at one size."""
    promised = rows == (PROMISED if task.rows is None else task.rows)
    return Result(task.name, rows, task.section, task.targets, seen, promised, others)


def ratio(above: float | None, below: float | None) -> float | None:
    """Return a quotient, None where one side was not measured."""
    return None if above is None or below is None else above / below


def at_most(value: float | None, bound: float | None) -> bool | None:
    """Whether a value keeps its bound, None where one of them was not measured."""
    return None if value is None or bound is None else value <= bound
