"""Arrays as JSON: shape, type and the numbers, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def array_to_dict(array: Array) -> dict[str, Any]:
    """Return the JSON form of an array; integers stay integers and floats round-trip exactly."""
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": array.ravel().tolist()}


def array_from_dict(data: dict[str, Any]) -> Array:
    """Read an array back from its JSON form."""
    dtype = np.dtype(data["dtype"])
    if dtype.kind not in "biuf":
        raise ValueError(f"arrays of type {dtype} are not read")
    return np.array(data["data"], dtype=dtype).reshape(data["shape"])


def scatter(array: Array, axis: int, index: Array, size: int) -> Array:
    """Add the slices of `array` along `axis` into a zero array of length `size` at `index`.

    Slices that meet in one place are added: this is how levels are renamed, joined and coarsened.
    """
    moved = np.moveaxis(array, axis, 0)
    out = np.zeros((size, *moved.shape[1:]), dtype=array.dtype)
    np.add.at(out, index, moved)
    return np.moveaxis(out, 0, axis)
