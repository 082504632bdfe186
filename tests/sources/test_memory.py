"""Memory that is used again: never while somebody holds it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from candide.sources.memory import Reused  # noqa: E402  # after the check


def test_memory_is_taken_again_once_nobody_holds_its_buffer():
    memory = Reused()
    cells, buffer = memory.take(100, np.float64)
    address = cells.ctypes.data
    cells[:] = 7.0
    assert buffer.address == address
    other, held = memory.take(100, np.float64)
    assert other.ctypes.data != address
    array = pa.Array.from_buffers(pa.float64(), 100, [None, buffer])
    view = array.slice(10, 20).to_numpy()[5:]
    del buffer, array, cells
    third, _third = memory.take(100, np.float64)
    third[:] = 0.0
    assert view.tolist() == [7.0] * 15
    del view
    again, _again = memory.take(100, np.float64)
    assert again.ctypes.data == address
    assert held.address == other.ctypes.data


def test_every_thread_takes_its_own():
    memory = Reused()
    cells, buffer = memory.take(8, np.uint8)
    address = cells.ctypes.data
    del buffer
    with ThreadPoolExecutor(1) as pool:
        there = pool.submit(lambda: memory.take(8, np.uint8)[0].ctypes.data).result()
    assert there != address
    assert memory.take(8, np.uint8)[0].ctypes.data == address
