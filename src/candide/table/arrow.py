"""Columns of PyArrow: its own codes and numbers serve where it holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide import native
from candide.table.arrays import encode_array, text_symbols, unreadable
from candide.table.columns import Array, Numbers, Symbols, booleans, holed_integers, level_array
from candide.table.objects import SMALL, is_missing, plain_levels

STORED = {b"candide": b"stored as codes"}
"""The metadata of a field of text whose dictionary is how it is stored: it declares nothing."""


def marked(table: Any, stored: frozenset[str]) -> Any:
    """Return a PyArrow table that says of some columns that their dictionaries are how they are stored."""
    import pyarrow as pa

    fields = [
        field.with_metadata(STORED) if field.name in stored and pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    return pa.Table.from_arrays(table.columns, schema=pa.schema(fields))


def stored_columns(schema: Any) -> set[int]:
    """Return the positions of the columns that are marked so."""
    return {i for i, field in enumerate(schema) if field.metadata == STORED}


def encode_arrow(values: Any, where: str, declared: bool = True) -> Numbers | Symbols:
    """Return the column of a PyArrow array or chunked array, whose dictionary declares levels or only stores them."""
    import pyarrow as pa

    values = single(values)
    is_, kind = pa.types, values.type
    if is_.is_dictionary(kind):
        return from_dictionary(values, where, declared)
    if is_.is_boolean(kind):
        return booleans(holed(unpacked(values.buffers()[1], values.offset, len(values)), values))
    if is_.is_integer(kind) and values.null_count:
        present = values.is_valid().to_numpy(zero_copy_only=False)
        return holed_integers(values.fill_null(0).to_numpy(zero_copy_only=False), present)
    if not _is_text(kind):
        return encode_array(_arrow_numbers(values, where), where)
    if len(values) <= SMALL:
        return text_symbols(values.to_pylist(), where)
    return arrow_text(values, where)


def arrow_text(values: Any, where: str) -> Symbols:
    """Return the column of a PyArrow array of text or bytes: its cells are numbered as they come."""
    width = WIDTHS.get(str(values.type))
    if width is None:
        return from_dictionary(values.dictionary_encode(), where, declared=False)
    codes, levels = native.arrow_codes(values.buffers(), values.offset, len(values), width)
    return Symbols(codes, level_array(levels))


WIDTHS = {"string": 4, "large_string": 8, "string_view": 16}
"""Types of text, and the bytes that say where a cell is."""


def _arrow_numbers(values: Any, where: str) -> Array:
    import pyarrow as pa

    is_, kind = pa.types, values.type
    if is_.is_null(kind):
        return np.full(len(values), np.nan)
    if is_.is_decimal(kind):
        values = values.cast(pa.float64(), safe=False)
    elif is_.is_time(kind):  # the time of day is how long after midnight it is
        values = values.view(f"int{kind.bit_width}").cast(pa.int64()).cast(pa.duration(kind.unit))
    elif not is_.is_primitive(kind):
        raise unreadable(kind, where)
    if is_.is_floating(kind) and not is_.is_float16(kind):
        return arrow_floats(values)
    if is_.is_integer(kind) and len(values) and not values.null_count:  # as `arrow_floats` does
        whole = np.dtype(kind.to_pandas_dtype())
        return np.frombuffer(values.buffers()[1], whole, len(values), values.offset * whole.itemsize)
    cells: Array = values.to_numpy(zero_copy_only=False)
    return cells


def arrow_floats(values: Any) -> Array:
    """Return an Arrow array of floats, NaN where it is null; in its own memory where it never is.

    PyArrow's own conversion imports pandas where it is installed.
    """
    kind = np.dtype(f"f{values.type.bit_width // 8}")
    cells = np.frombuffer(values.buffers()[1], kind, len(values), values.offset * kind.itemsize)
    return holed(cells, values)


def unpacked(bits: Any, offset: int, n: int) -> Array:
    """Return the bits of an Arrow buffer as 0 and 1."""
    begin = offset // 8
    held = np.frombuffer(bits, np.uint8, count=(offset + n + 7) // 8 - begin, offset=begin)
    return np.unpackbits(held, bitorder="little")[offset % 8 : offset % 8 + n].view(np.int8)


def holed(cells: Array, values: Any) -> Array:
    """Return the cells of an Arrow array with NaN or -1 where it is null; themselves where it never is."""
    if not values.null_count:
        return cells
    return native.filled(cells, np.frombuffer(values.buffers()[0], np.uint8), values.offset)


def as_arrow(values: Any) -> Any:
    """Return a NumPy array of numbers as an Arrow array in the same memory; anything else as it is.

    PyArrow's own conversion imports pandas where it is installed.
    """
    import pyarrow as pa

    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf":
        return values
    memory = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, memory])


def arrow_strings(cells: list[str | None]) -> Any:
    """Return a list of text as an Arrow array, None as null.

    PyArrow's own conversion imports pandas where it is installed.
    """
    import pyarrow as pa

    builder = pa.lib.StringBuilder()
    builder.append_values(cells)
    return builder.finish()


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    names = "string large_string string_view binary large_binary binary_view fixed_size_binary"
    return any(getattr(pa.types, f"is_{name}")(kind) for name in names.split())


def single(values: Any) -> Any:
    """Return a PyArrow array in one piece, as plain storage; a piece that is alone is not copied."""
    import pyarrow as pa

    if isinstance(values, pa.ChunkedArray):
        values = values.chunk(0) if values.num_chunks == 1 else values.unify_dictionaries().combine_chunks()
    if isinstance(values, pa.ExtensionArray):
        values = values.storage
    if isinstance(values, pa.RunEndEncodedArray):
        from pyarrow import compute

        values = compute.run_end_decode(values)
    return values


def from_dictionary(values: Any, where: str, declared: bool) -> Symbols:
    """Return the column of an Arrow dictionary array: its indices are the codes."""
    cells = values.dictionary.to_pylist()
    codes = signed_codes(values.indices, len(cells))
    levels = [cell for cell in dict.fromkeys(cells) if not is_missing(cell)]
    if len(levels) < len(cells):  # a dictionary may hold null or repeat a level
        code = {level: i for i, level in enumerate(levels)}
        codes = np.array([*(code.get(cell, -1) for cell in cells), -1], np.int32)[codes]
    return Symbols(codes, plain_levels(levels, where), declared)


def signed_codes(indices: Any, n_levels: int) -> Array:
    """Return Arrow indices as signed codes, null as -1; a view where no null has to be filled."""
    kind = np.dtype(indices.type.to_pandas_dtype())
    signed = np.dtype(f"i{kind.itemsize}")
    if n_levels > np.iinfo(signed).max:
        import pyarrow as pa

        indices, kind = indices.cast(pa.int64()), np.dtype(np.int64)
        signed = kind
    codes: Array = np.frombuffer(indices.buffers()[1], signed, len(indices), indices.offset * signed.itemsize)
    return holed(codes, indices)
