"""How far memory rises during a call, and how large its input and its result are."""

import ctypes
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tasks.task import arrays

STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")
RESET_PEAK = "5"
"""What makes Linux begin the high-water mark of resident memory again."""


def watch() -> Callable[[], int | None]:
    """Begin to watch memory; the function returned says by how many bytes its peak lies above where it began.

    Linux counts resident memory, also what Python did not allocate; where the system does not count it, the answer is
    None. What was freed before is given back to the system first: otherwise a call would fill it again unseen.
    """
    give_back()
    before = resident("VmRSS")
    try:
        CLEAR.write_text(RESET_PEAK)
    except OSError:
        before = None

    def risen() -> int | None:
        peak = resident("VmHWM")
        return None if before is None or peak is None else max(peak - before, 0)

    return risen


def give_back() -> None:
    """Return freed memory to the system: Python's, the C library's and Arrow's."""
    gc.collect()
    if hasattr(ctypes.CDLL(None), "malloc_trim"):
        ctypes.CDLL(None).malloc_trim(0)
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()


def resident(field: str) -> int | None:
    """Return a size from Linux's account of this process, in bytes."""
    try:
        lines = STATUS.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), None)


def size_of(thing: Any) -> int:
    """Return the bytes of the arrays that a thing is or holds, each counted once."""
    found = {id(part): part for part in parts_of(thing, set())}
    return sum(part.nbytes for part in found.values())


def parts_of(thing: Any, seen: set[int]) -> list[np.ndarray]:
    """Return the arrays of an array, a sparse matrix, a list of them, or an object."""
    if id(thing) in seen:
        return []
    seen.add(id(thing))
    if isinstance(thing, np.ndarray) or hasattr(thing, "indptr"):
        return arrays(thing)
    inside = thing if isinstance(thing, (list, tuple)) else list(getattr(thing, "__dict__", {}).values())
    return [part for item in inside for part in parts_of(item, seen)]
