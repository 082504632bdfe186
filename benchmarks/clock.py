"""How long a call takes."""

import gc
import math
import time
from typing import NamedTuple

from benchmarks.tasks.task import Call

SHORT = 1e-3
"""Calls shorter than this (seconds) are timed many at once."""


class Timing(NamedTuple):
    """The shortest time of a call (seconds), how many calls were made, and how long all took."""

    best: float
    calls: int
    spent: float


def turn(call: Call, seconds: float) -> Timing:
    """Make a call again and again for about so many seconds, at least once."""
    gc.collect()
    best, calls, spent, number = math.inf, 0, 0.0, 1
    while calls == 0 or spent < seconds:
        time_each = once(call, number)
        best = min(best, time_each)
        calls += number
        spent += time_each * number
        number = max(1, int(SHORT / time_each))
    return Timing(best, calls, spent)


def once(call: Call, number: int = 1) -> float:
    """Return the seconds that each of some calls in a row took."""
    start = time.perf_counter()
    for _ in range(number):
        call()
    return (time.perf_counter() - start) / number
