"""Elimination: what is unknown is summed out of products of tables, in a good order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Factor = tuple[Array, tuple[Any, ...]]
"""A table, and the variable that each of its axes is of."""


def sum_out(factors: Sequence[Factor], kept: Sequence[Any]) -> Array:
    """Return the sum, over all variables but some, of the product of tables: an array with an axis for each of these.

    Examples
    --------
    >>> p_a, p_b_given_a = np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> sum_out([(p_a, ("a",)), (p_b_given_a, ("a", "b"))], ["b"])
    array([0.55, 0.45])
    """
    try:
        import opt_einsum
    except ImportError:
        raise ImportError(
            "summing out what is unknown in a network needs opt_einsum: pip install 'candide[structure]'"
        ) from None
    number = {name: n for n, name in enumerate(dict.fromkeys(name for _, names in factors for name in names))}
    operands: list[Any] = []
    for table, names in factors:
        operands += [table, [number[name] for name in names]]
    out: Array = np.asarray(opt_einsum.contract(*operands, [number[name] for name in kept]))
    return out
