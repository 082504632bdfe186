"""In pairs: what attributes say alone, and two of them beyond that, of blocks that no sum of tables tells exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.distributions.forms import Form, Lookup
from candide.frozen import frozen

Array = np.ndarray[Any, Any]

MOST_BELOW = 8.0
"""Nats below zero that two attributes say at the most: what one model of a mean excludes, others still allow."""


@frozen
class Beyond:
    """log P(x_i | x_j, c) − log P(x_i | c), and how much of it counts.

    Parameters
    ----------
    attributes : (int, int)
    form : Lookup
        By what both may be.
    chances : Lookup
        log P(x_i, x_j | c) of the same, from which the other is made where chances are told.
    pseudo : int
        Cells of pseudo-counts in P(x_i | c), where one cell of both has one.
    weight : float
        About how much of it counts: of a mean of models, the share of those in which one depends on the other.
    """

    attributes: tuple[int, int]
    form: Lookup
    chances: Lookup
    pseudo: int
    weight: float


@frozen
class InPairs:
    """A block by what its attributes say: log P(x | c) is about Σ_i log P(x_i | c) + Σ_ij w_ij · what i, j say beyond.

    Parameters
    ----------
    alone : tuple of Form
        Of each attribute.
    beyond : tuple of Beyond
    """

    alone: tuple[Form, ...]
    beyond: tuple[Beyond, ...]

    def scaled(self, weights: Array) -> InPairs:
        """Return the pairs of a block whose attributes are weighted; of two it counts what both weigh in the mean."""
        w = weights.tolist()
        alone = tuple(form.scaled(by) for form, by in zip(self.alone, w, strict=True))
        both = (replace(of, weight=of.weight * (w[of.attributes[0]] + w[of.attributes[1]]) / 2) for of in self.beyond)
        return InPairs(alone, tuple(both))
