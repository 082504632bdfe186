"""Joined look-ups of structures: what columns may be together, and what that says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from candide.distributions.discrete import Discrete
from candide.distributions.forms import Lookup
from candide.distributions.in_pairs import Beyond
from candide.schema.domain import MissingLevel
from candide.schema.order import object_array

Array = np.ndarray[Any, Any]

MOST_BELOW = 8.0
"""Nats below zero that two attributes say at the most: what one model of a mean excludes, others still allow."""


def told_values(plain: Discrete, attribute: int) -> list[Any]:
    """Return the values of an attribute as a joined look-up has them: the number of an interval; None: missing."""
    levels = plain.domain.levels[attribute].tolist()
    if cuts_of(plain)[attribute] is not None:
        return [None if isinstance(level, MissingLevel) else v for v, level in enumerate(levels)]
    return [None if isinstance(level, MissingLevel) else level for level in levels]


def joined_lookup(
    plain: Discrete, attributes: Sequence[int], levels: Sequence[tuple[Any, ...]], table: Array
) -> Lookup:
    """Return the look-up of terms (K, levels); a level that a column does not know counts as missing."""
    cuts = cuts_of(plain)
    return Lookup(
        columns=tuple(int(plain.places[i]) for i in attributes),
        missing=np.zeros(len(table)),
        levels=object_array(levels),
        table=table,
        cuts=tuple(cuts[i] for i in attributes),
        domains=tuple(None if cuts[i] is not None or plain.absent[i] else plain.domain.levels[i] for i in attributes),
    )


def beyond(plain: Discrete, attributes: tuple[int, int], terms: Array, weight: float) -> Beyond:
    """Return what two attributes say beyond each alone, of terms (K, values, values)."""
    levels = list(product(*(told_values(plain, i) for i in attributes)))
    told = np.maximum(np.nan_to_num(terms, nan=0.0, neginf=-np.inf), -MOST_BELOW)
    return Beyond(attributes, joined_lookup(plain, attributes, levels, told.reshape(len(told), -1)), weight)


def cuts_of(plain: Discrete) -> list[Array | None]:
    """Return the cuts of each column; None for one of symbols."""
    cuts: list[Array | None] = plain.coder.cuts  # type: ignore[attr-defined]  # a `ColumnCoder`
    return cuts
