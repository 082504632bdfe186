"""What other processes took of the machine while we measured."""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

QUIET = 0.1
"""Cores that others may use before times are not to be believed."""

PROC = Path("/proc")


class Others:
    """The cores that processes other than this one and its children used, lap by lap.

    Children count with what they and their own children used; so a lap is to end when no task is at work.

    Parameters
    ----------
    children : callable
        Returns the ids of children that still run.
    """

    def __init__(self, children: Callable[[], Iterable[int]]) -> None:
        self.children = children
        self.laps: list[tuple[float, float]] = []
        self.averages: list[float] = []
        self.reading = self._read()

    def lap(self) -> float | None:
        """Return the cores that others used since the last lap; None where the system does not tell."""
        now, last = self._read(), self.reading
        self.reading = now
        self.averages.append(os.getloadavg()[0])
        if now is None or last is None:
            return None
        seconds, used = now[0] - last[0], now[1] - last[1]
        self.laps.append((seconds, used))
        return max(used / seconds, 0.0)

    def mean(self) -> float | None:
        """Return the cores that others used over all laps."""
        seconds = sum(seconds for seconds, _ in self.laps)
        return max(sum(used for _, used in self.laps) / seconds, 0.0) if seconds else None

    def _read(self) -> tuple[float, float] | None:
        """Return the time, and the seconds of all cores that went to others."""
        try:
            busy = busy_ticks((PROC / "stat").read_text())
            own = sum(own_ticks((PROC / str(pid) / "stat").read_text()) for pid in [os.getpid(), *self.children()])
        except OSError:
            return None
        return time.monotonic(), (busy - own) / os.sysconf("SC_CLK_TCK")


def busy_ticks(stat: str) -> int:
    """Return how long all cores worked, from /proc/stat: all but idling and waiting for disks.

    What a virtual machine's host took away is in it. Time of guests is not added; it is in that of their user.
    """
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, stat.split("\n", 1)[0].split()[1:9])
    return user + nice + system + irq + softirq + steal


def own_ticks(stat: str) -> int:
    """Return how long a process and those of its children that it has waited for worked, from /proc/<id>/stat."""
    fields = stat.rpartition(")")[2].split()  # the name before may hold spaces and brackets
    return sum(map(int, fields[11:15]))


def warning(cores: float | None) -> str:
    """Say loudly that the machine was not ours."""
    if cores is None:
        return "NOT KNOWN whether other processes were at work: this system does not tell."
    if cores <= QUIET:
        return ""
    return f"DISTURBED: other processes used {cores:.2f} cores during this run. Do not trust its times."
