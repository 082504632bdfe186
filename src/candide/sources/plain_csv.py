"""Blocks of the plainest CSV, whose cells the kernels read: PyArrow gives the same, and reads every other kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide import native
from candide.sources.faults import NEWLINE
from candide.sources.guesses import Guess
from candide.sources.memory import room

Array = np.ndarray[Any, Any]


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
    outs = [None if kind is None else room(n + (kind == "text"), DTYPES[kind]) for kind in kinds.values()]
    present = np.zeros((len(kinds), (n + 7) // 8), dtype=np.uint8)
    told = native.csv_cells(records, separator.encode(), n, outs, present)
    if told is None:
        return None
    try:
        arrays = {
            name: _array(out, valid if missing else None, missing, kind, texts, ends)
            for (name, kind), out, valid, (missing, texts, ends) in zip(kinds.items(), outs, present, told, strict=True)
            if kind is not None and out is not None
        }
    except pa.ArrowInvalid:  # bytes that are no UTF-8
        return None
    return pa.RecordBatch.from_pydict(arrays)


DTYPES: dict[Guess, Any] = {"numbers": np.float64, "codes": np.int32, "text": np.int32}


def _array(out: Array, valid: Array | None, missing: int, kind: Guess, texts: bytes, ends: bytes) -> Any:
    import pyarrow as pa

    bits = None if valid is None else pa.py_buffer(valid)
    if kind == "text":
        return _strings(len(out) - 1, bits, pa.py_buffer(out), texts, missing)
    type_ = pa.float64() if kind == "numbers" else pa.int32()
    cells = pa.Array.from_buffers(type_, len(out), [bits, pa.py_buffer(out)], missing)
    if kind == "numbers":
        return cells
    levels = _strings(len(ends) // 4, None, pa.py_buffer(bytes(4) + ends), texts, 0)
    return pa.DictionaryArray.from_arrays(cells, levels, safe=False)


def _strings(n: int, valid: Any, ends: Any, texts: bytes, missing: int) -> Any:
    """Return texts as a PyArrow array, once they are seen to be UTF-8."""
    import pyarrow as pa

    found = pa.Array.from_buffers(pa.string(), n, [valid, ends, pa.py_buffer(texts)], missing)
    found.validate(full=True)
    return found
