"""Blocks of the plainest CSV, whose cells the kernels read: PyArrow gives the same, and reads every other kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide import native
from candide.native.agreed import CellKind
from candide.sources.faults import NEWLINE
from candide.sources.guesses import Guess
from candide.sources.kernel_cells import arrow_cells
from candide.sources.memory import room

Array = np.ndarray[Any, Any]

KINDS: dict[Guess, tuple[CellKind, Any]] = {
    "numbers": ("double", np.float64), "codes": ("codes", np.int32), "text": ("string", np.int32)
}  # fmt: skip
"""What is read of a column by what it is guessed to be, and the type of its places."""


def plain_batch(records: Array, n_lines: int, separator: str, kinds: Mapping[str, Guess | None]) -> Any:
    """Return the cells of a block as a PyArrow record batch; None where it is not of the plainest kind.

    Parameters
    ----------
    records : ndarray (bytes,)
        Whole records.
    n_lines : int
        Line ends among them.
    separator : str
    kinds : mapping of names to Guess or None
        What every column is guessed to be, None for one that is not wanted.
    """
    import pyarrow as pa

    if native.kernels() != "native" or not len(records):  # the kernels' twin is slower than PyArrow
        return None
    n = n_lines + (records[-1] != NEWLINE)
    outs = [None if kind is None else room(n + (kind == "text"), KINDS[kind][1]) for kind in kinds.values()]
    present = np.zeros((len(kinds), (n + 7) // 8), dtype=np.uint8)
    told = native.csv_cells(records, separator.encode(), n, outs, present)
    if told is None:
        return None
    try:
        arrays = {
            name: arrow_cells(KINDS[kind][0], n, out, valid, *found)
            for (name, kind), out, valid, found in zip(kinds.items(), outs, present, told, strict=True)
            if kind is not None and out is not None
        }
    except pa.ArrowInvalid:  # bytes that are no UTF-8
        return None
    return pa.RecordBatch.from_pydict(arrays)
