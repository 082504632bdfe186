"""The order of levels, and arrays of Python objects."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def sort_key(level: Any) -> tuple[str, Any]:
    """Order levels of mixed kinds: numbers first, then text, then everything else by its text."""
    if isinstance(level, (bool, int, float)):
        return ("", level)
    return ("t", level) if isinstance(level, str) else ("x" + type(level).__name__, repr(level))


def in_order(levels: Collection[Any]) -> list[Any]:
    """Return levels in their order; text, or numbers, by themselves need no key, and are most often all there is."""
    types = set(map(type, levels))
    return sorted(levels, key=None if types <= {str} or types <= {int, float} else sort_key)


def object_array(items: Sequence[Any]) -> Array:
    """Return a one-dimensional array of Python objects, tuples included."""
    return np.fromiter(items, dtype=object, count=len(items))
