"""Cells that the kernels read, as arrays of PyArrow in the memory that they were read into."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.native.agreed import CellKind

Array = np.ndarray[Any, Any]


def arrow_cells(kind: CellKind, n: int, out: Array, present: Array, missing: int, texts: bytes, ends: bytes) -> Any:
    """Return the cells of a column; pyarrow.ArrowInvalid where text is no UTF-8.

    Parameters
    ----------
    kind : CellKind
    n : int
        How many cells there are.
    out : ndarray
        What a kernel wrote, which may have room for more.
    present : ndarray of uint8
        Bits that say which cells are there.
    missing : int
        How many are not.
    texts, ends : bytes
        Texts, one behind the other, and for codes where each of those that differ ends (int32).
    """
    import pyarrow as pa

    valid = pa.py_buffer(present) if missing else None
    if kind == "null":
        return pa.nulls(n)
    if kind == "string":
        return _strings(n, valid, pa.py_buffer(out), texts, missing)
    if kind == "bool":
        out = np.packbits(out.view(np.uint8)[:n], bitorder="little")
    type_ = pa.int32() if kind == "codes" else pa.type_for_alias(kind)
    cells = pa.Array.from_buffers(type_, n, [valid, pa.py_buffer(out)], missing)
    if kind != "codes":
        return cells
    levels = _strings(len(ends) // 4, None, pa.py_buffer(bytes(4) + ends), texts, 0)
    return pa.DictionaryArray.from_arrays(cells, levels, safe=False)


def _strings(n: int, valid: Any, ends: Any, texts: bytes, missing: int) -> Any:
    """Return texts as a PyArrow array, once they are seen to be UTF-8."""
    import pyarrow as pa

    found = pa.Array.from_buffers(pa.string(), n, [valid, ends, pa.py_buffer(texts)], missing)
    found.validate(full=True)
    return found
