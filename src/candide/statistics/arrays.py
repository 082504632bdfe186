"""Arrays as JSON, exactly: as plain numbers that a person can read, or deflated where they are many."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from candide import native

Array = np.ndarray[Any, Any]
Shape = tuple[int | range | None, ...]

PLAIN = 256
"""Entries up to which an array is written as plain numbers."""

TYPES: dict[str, type] = {"int64": int, "float64": float}
"""The types that arrays in JSON have, and the Python type of their plain numbers."""

PACKED = {"int8": "int64", "int16": "int64", "int32": "int64", "int64": "int64", "float64": "float64"}
"""The types that deflated entries have, and the one that they are read as: most counts are small."""

DEFLATION = 1032
"""Bytes that a deflated byte stands for at the most: an array that claims to be larger is refused before it is made."""


def array_to_json(array: Array) -> Any:
    """Return nested lists of numbers, or {"dtype", "shape", "deflated"} of an array of more than `PLAIN` entries.

    Deflated are the little-endian bytes in C order, whole numbers in the narrowest type that holds them, the first
    bytes of all entries before the second bytes of all, and so on: neighbours are alike in their high bytes, and that
    deflates to half the size.

    Examples
    --------
    >>> array_to_json(np.array([[1, 2], [3, 4]]))
    [[1, 2], [3, 4]]
    """
    dtype = "float64" if array.dtype.kind == "f" else "int64"
    narrow = array.dtype.kind == "i" and array.size > PLAIN  # many small counts are not made large to be packed again
    exact = array if narrow else array.astype(dtype)
    if dtype == "float64" and not np.isfinite(exact).all():
        raise ValueError(f"an array holds {exact[~np.isfinite(exact)][0]}, which JSON does not")
    if exact.size <= PLAIN:
        return exact.tolist()
    packed_as = np.dtype(dtype) if dtype == "float64" else narrowest(exact)
    little = np.ascontiguousarray(exact, dtype=packed_as.newbyteorder("<"))
    planes = little.view(np.uint8).reshape(-1, packed_as.itemsize).T
    packed = zlib.compress(planes.tobytes(), 1)
    return {"dtype": packed_as.name, "shape": list(array.shape), "deflated": base64.b64encode(packed).decode()}


def narrowest(whole: Array) -> np.dtype[Any]:
    """Return the narrowest integer type that holds some whole numbers."""
    least, most = int(whole.min()), int(whole.max())
    fits = (t for t in (np.int8, np.int16, np.int32) if np.iinfo(t).min <= least and most <= np.iinfo(t).max)
    return np.dtype(next(fits, np.int64))


def array_from_json(data: Any, shape: Shape, dtypes: tuple[str, ...] = tuple(TYPES), packed: bool = False) -> Array:
    """Read an array back; a ValueError says what is wrong with it.

    Parameters
    ----------
    data : JSON value
    shape : tuple of int, range or None
        How many entries each axis must have, or may have; None takes any number.
    dtypes : tuple of str
        The types that it may have.
    packed : bool
        Whole numbers may stay in the narrow type that deflated ones have.

    Examples
    --------
    >>> array_from_json([[1, 2], [3, 4]], (2, None))
    array([[1, 2],
           [3, 4]])
    """
    array = inflate(data, shape, dtypes, packed) if isinstance(data, dict) else from_numbers(data, shape, dtypes)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("holds a number that is not finite")
    return array


def from_numbers(data: Any, shape: Shape, dtypes: tuple[str, ...]) -> Array:
    """Return the array of nested lists of numbers, all whole or all with a point."""
    numbers: Any = [data]
    found: list[int] = []
    for wanted in shape:
        if not all(isinstance(part, list) for part in numbers):
            raise ValueError(f"is not a list of {len(shape)} axes")
        sizes = {len(part) for part in numbers} or {wanted if isinstance(wanted, int) else 0}
        if len(sizes) > 1 or not may_be(next(iter(sizes)), wanted):
            length = "one length" if wanted is None else wanted
            raise ValueError(f"has lists of {sorted(sizes)[:5]} entries, not of {length}")
        found += sizes
        numbers = [number for part in numbers for number in part]
    dtype = next((t for t in dtypes if set(map(type, numbers)) <= {TYPES[t]}), None)
    if dtype is None:
        raise ValueError(f"does not hold numbers of the type {' or '.join(dtypes)} alone")
    try:
        return np.array(numbers, dtype=dtype).reshape(found)
    except OverflowError:
        raise ValueError("holds a whole number beyond 64 bits") from None


def may_be(size: int, wanted: int | range | None) -> bool:
    """Tell whether an axis may have so many entries."""
    return wanted is None or (size in wanted if isinstance(wanted, range) else size == wanted)


def inflate(data: dict[str, Any], shape: Shape, dtypes: tuple[str, ...], packed: bool = False) -> Array:
    """Return the array of deflated bytes; nothing is made room for that the bytes do not hold."""
    if set(data) != {"dtype", "shape", "deflated"} or not isinstance(data["deflated"], str):
        raise ValueError("is no deflated array: it has dtype, shape and deflated")
    dtype, found = data["dtype"], data["shape"]
    if not isinstance(dtype, str) or PACKED.get(dtype) not in dtypes:
        raise ValueError(f"does not have the type {' or '.join(dtypes)}")
    if not isinstance(found, list) or len(found) != len(shape) or not all(type(n) is int and n >= 0 for n in found):
        raise ValueError(f"has a shape that is no list of {len(shape)} whole numbers")
    if not all(map(may_be, found, shape)):
        raise ValueError(f"has the shape {found}, not {['any' if n is None else n for n in shape]}")
    width = np.dtype(dtype).itemsize
    size = width * prod(found)
    if size > DEFLATION * len(data["deflated"]):
        raise ValueError(f"has the shape {found}, which its bytes cannot fill")
    raw = inflate_bytes(data["deflated"], size)
    entries = np.ascontiguousarray(np.frombuffer(raw, dtype=np.uint8).reshape(width, -1).T)
    stored = entries.view(np.dtype(dtype).newbyteorder("<")).reshape(found)
    return stored.astype(dtype if packed else PACKED[dtype], copy=False)


def inflate_bytes(text: str, size: int) -> bytes:
    """Return as many bytes as are wanted, and as the text holds."""
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(base64.b64decode(text, validate=True), size + 1)
    except (ValueError, zlib.error):
        raise ValueError("does not hold deflated bytes in base64") from None
    if len(raw) != size or not stream.eof or stream.unused_data:
        raise ValueError(f"does not hold the {size} bytes that its shape wants")
    return raw


COUNTS = (np.int8, np.int16, np.int32, np.int64, np.float64)
"""The types that tables of counts have."""


def used_along(weight: Array, axis: int) -> Array:
    """Return which entries of an axis have a weight that is not zero."""
    return np.asarray(np.any(weight, axis=tuple(n for n in range(weight.ndim) if n != axis)))


def first_below(weight: Array) -> tuple[int, ...] | None:
    """Return the place of the first weight below zero."""
    short = np.argwhere(weight < 0)
    return tuple(int(i) for i in short[0]) if len(short) else None


MOST_WHOLE = 2.0**53
"""Whole weights below this are exact as floats."""


def impossible_weights(weight: Array, largest: float) -> Iterator[tuple[Array, str]]:
    """Yield marks of weights that no rows have, and what is wrong with them; broken ones are below the largest."""
    yield weight < 0, "a weight below zero"
    with np.errstate(over="ignore"):
        total = weight.sum(dtype=np.float64)
    if total >= (MOST_WHOLE if weight.dtype.kind == "i" else largest):
        yield weight == weight.max(initial=0), "too large a weight"


def scatter(array: Array, axis: int, index: Array, size: int) -> Array:
    """Add the slices of `array` along `axis` into a zero array of length `size` at `index`.

    Slices that meet in one place are added, whole numbers in int64: this is how levels are renamed, joined and
    coarsened.
    """
    if len(index) and np.min(index) < 0:
        raise IndexError("an entry has no place among those it is moved to")
    if array.ndim == 2 and axis == 1 and array.dtype in COUNTS:
        places = index if index.dtype == np.int32 else np.asarray(index, dtype=np.int64)
        return native.move_columns(np.ascontiguousarray(array), np.ascontiguousarray(places), size)
    array = array.astype(np.int64, copy=False) if array.dtype.kind == "i" else array
    shape = (*array.shape[:axis], size, *array.shape[axis + 1 :])
    out = np.zeros(shape, dtype=array.dtype)
    at: tuple[Any, ...] = (slice(None),) * axis
    steps = np.diff(index)
    if (steps > 0).all():  # every slice has a place of its own
        out[(*at, index)] = array
    elif (steps >= 0).all():  # those that meet are neighbours
        begin = np.flatnonzero(np.concatenate([[True], steps > 0]))
        out[(*at, np.asarray(index)[begin])] = np.add.reduceat(array, begin, axis=axis)
    else:
        np.add.at(out, (*at, index), array)
    return out
