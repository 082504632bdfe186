"""Joined look-ups of structures: what columns may be together, and what that says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from candide.arithmetic import log, ratio
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Lookup
from candide.distributions.in_pairs import MOST_BELOW, Beyond
from candide.schema.domain import MissingLevel
from candide.schema.order import object_array

Array = np.ndarray[Any, Any]


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


def beyond(
    plain: Discrete, attributes: tuple[int, int], terms: Array, chances: Array, more: tuple[int, float]
) -> Beyond:
    """Return what two attributes say beyond each alone.

    Parameters
    ----------
    terms : ndarray (K, values of the first, values of the second)
        log P(x_i | x_j, c) / P(x_i | c).
    chances : ndarray (K, values of the second, values of the first)
        P(x_i, x_j | c), up to a factor of each class.
    more : (int, float)
        Cells of pseudo-counts in P(x_i | c), and the weight.
    """
    levels = list(product(*(told_values(plain, i) for i in attributes)))
    told = np.maximum(np.nan_to_num(terms, nan=0.0, neginf=-np.inf), -MOST_BELOW)
    form = joined_lookup(plain, attributes, levels, told.reshape(len(told), -1))
    return Beyond(attributes, form, chances_together(plain, attributes, chances), *more)


def chances_together(plain: Discrete, attributes: Sequence[int], chances: Array) -> Lookup:
    """Return the look-up of log P(x_i, parents | c), i being the first of the attributes.

    Parameters
    ----------
    chances : ndarray (K, values of the parents ..., values of i)
        Up to a factor of each class.
    """
    first, *others = (told_values(plain, i) for i in attributes)
    levels = [(level, *given) for given in product(*others) for level in first]
    flat = chances.reshape(len(chances), -1)
    return joined_lookup(plain, attributes, levels, log(ratio(flat, flat.sum(axis=1, keepdims=True))))


def cuts_of(plain: Discrete) -> list[Array | None]:
    """Return the cuts of each column; None for one of symbols."""
    cuts: list[Array | None] = plain.coder.cuts  # type: ignore[attr-defined]  # a `ColumnCoder`
    return cuts
