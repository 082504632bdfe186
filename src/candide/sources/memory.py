"""Memory for cells as they are read: what the system gives is cleared first, so that what was used is used again."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class Lease:
    """Memory that is free again when nobody holds this any more.

    Parameters
    ----------
    memory : ndarray of uint8
    free : list of ndarray
        Where it goes then.
    """

    def __init__(self, memory: Array, free: list[Array]) -> None:
        self.memory, self._free = memory, free

    def __del__(self) -> None:
        self._free.append(self.memory)


class Reused(threading.local):
    """Memory that a thread took before and nobody holds: it goes with the thread."""

    def __init__(self) -> None:
        self._free: dict[int, list[Array]] = {}

    def take(self, n: int, dtype: Any) -> tuple[Array, Any]:
        """Return an array of anything, and a PyArrow buffer of its bytes: these are taken again once that is gone."""
        import pyarrow as pa

        size = n * np.dtype(dtype).itemsize
        free = self._free.setdefault(size, [])
        try:
            memory = free.pop()
        except IndexError:
            memory = np.empty(size, dtype=np.uint8)
        return memory.view(dtype), pa.foreign_buffer(memory.ctypes.data, size, Lease(memory, free))


def room(n: int, dtype: Any) -> Array:
    """Return an array of anything in memory of PyArrow's pool, which keeps some of what is freed."""
    import pyarrow as pa

    cells: Array = np.frombuffer(pa.allocate_buffer(n * np.dtype(dtype).itemsize), dtype)
    return cells


reused = Reused()
