"""Domains: the values that discrete attributes can take, laid out flat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


class MissingLevel:
    """The missing cell as a value of an attribute; equal to nothing but itself, whatever a level is called."""

    def __repr__(self) -> str:
        return "(missing)"

    def __reduce__(self) -> str:
        return "MISSING_LEVEL"


MISSING_LEVEL = MissingLevel()


@frozen
class Domain:
    """Attributes A_i with their values; cell `offsets[i] + v` is value v of attribute i.

    Parameters
    ----------
    names : tuple
        One name per attribute.
    levels : tuple of ndarray
        The values of each attribute, as a person would name them.
    classes : ndarray
        The class labels.
    """

    names: tuple[Any, ...]
    levels: tuple[Array, ...]
    classes: Array

    @cached_property
    def sizes(self) -> Array:
        """#A_i, the number of values of each attribute."""
        return np.array([len(levels) for levels in self.levels], dtype=np.int64)

    @cached_property
    def offsets(self) -> Array:
        """Where each attribute's cells begin, and the end of the last."""
        return offsets(self.sizes.tolist())

    @cached_property
    def attribute(self) -> Array:
        """The attribute that each cell belongs to."""
        if len(self.names) == 1:  # of many cells all are alike
            return np.broadcast_to(0, int(self.sizes[0]))
        return np.repeat(np.arange(len(self.names)), self.sizes)

    def levels_of(self, attribute: int) -> Array:
        """Return the values of one attribute."""
        return self.levels[attribute]

    @property
    def freedom(self) -> int:
        """Return Σ_i (#A_i − 1)."""
        return int((self.sizes - 1).clip(0).sum())

    def spread(self, totals: Array) -> Array:
        """Return what attributes have (..., attributes) at each of their cells: (..., cells)."""
        if len(self.names) == 1:  # of many cells all are alike
            return np.broadcast_to(totals, (*totals.shape[:-1], int(self.sizes[0])))
        return totals[..., self.attribute]

    def total(self, cells: Array) -> Array:
        """Sum a flat array (..., cells) over the values of each attribute: (..., attributes)."""
        if not len(self.names):
            return np.zeros((*cells.shape[:-1], 0), dtype=cells.dtype)
        if self.sizes.all():
            return np.add.reduceat(cells, self.offsets[:-1], axis=-1)
        out = np.zeros((*cells.shape[:-1], len(self.names)), dtype=cells.dtype)
        filled = self.sizes > 0
        out[..., filled] = np.add.reduceat(cells, self.offsets[:-1][filled], axis=-1)
        return out


class Union(Domain):
    """The attributes of several domains; their values are named when somebody asks.

    Parameters
    ----------
    domains : sequence of Domain
    classes : ndarray
    """

    domains: Sequence[Domain]

    def __init__(self, domains: Sequence[Domain], classes: Array) -> None:
        names = tuple(name for domain in domains for name in domain.names)
        self.__dict__.update(names=names, domains=domains, classes=classes)

    @cached_property
    def levels(self) -> tuple[Array, ...]:  # made once, and never set
        """The values of each attribute."""
        return tuple(levels for domain in self.domains for levels in domain.levels)

    @cached_property
    def sizes(self) -> Array:
        """The number of values of each attribute."""
        return np.concatenate([np.zeros(0, dtype=np.int64), *(domain.sizes for domain in self.domains)])
