"""Class labels: their kind, and the union of two sorted arrays of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.messages import unknown
from candide.schema.order import object_array

Array = np.ndarray[Any, Any]


def label_kind(labels: Array) -> str:
    """Name the type of labels: numbers, booleans, text or other."""
    if labels.dtype == object:
        kind = type(labels[0])
        return "number" if kind in (int, float) else kind.__name__
    return {"i": "number", "u": "number", "f": "number", "b": "bool", "U": "str"}.get(labels.dtype.kind, "other")


def place_of(label: Any, classes: Array) -> int:
    """Return the place of a label among the classes.

    Examples
    --------
    >>> place_of("yes", np.array(["no", "yes"]))
    1
    """
    labels = classes.tolist()  # an array would be compared with a tuple entry by entry
    if label not in labels:
        raise ValueError(unknown("class", label, labels))
    return int(labels.index(label))


def unite_labels(a: Array, b: Array) -> Array:
    """Return the labels of both, sorted, in a type that changes none of them."""
    labels = sorted({*a.tolist(), *b.tolist()})
    if object in (a.dtype, b.dtype):
        return object_array(labels)
    united = np.array(labels, dtype=np.result_type(a, b))
    # uint64 and int64 have float64 in common, which does not hold every integer
    return united if united.tolist() == labels and united.dtype.kind in (a.dtype.kind, b.dtype.kind) else exact(labels)


def exact(labels: list[Any]) -> Array:
    """Return labels in NumPy's own type for them, or as objects where it would change one."""
    array = np.array(labels)
    return array if array.dtype.kind != "f" and array.tolist() == labels else object_array(labels)
