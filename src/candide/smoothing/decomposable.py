"""The decomposable prior: a tree of attributes gives the same answer whatever the direction of its edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.schema.domain import Domain
from candide.smoothing.base import Smoothing, nonnegative

Array = np.ndarray[Any, Any]


class Decomposable(Smoothing):
    """N'_ijc = λ / (#C #A_i #A_j) pseudo-counts for two values and a class, and their sums for one value and for none.

    So a_c = λ / #C and s_ivc = λ / (#C #A_i), and within a parent's value λ / (#C #A_i #A_p): the joint P(x_i, x_p | c)
    is the same whichever of the two is the parent.

    Parameters
    ----------
    weight : float
        λ, how many rows the prior is worth.
    """

    def __init__(self, weight: float = 10.0) -> None:
        self.weight = weight

    def class_pseudo(self, domain: Domain) -> Array:
        """Return λ / #C."""
        k = len(domain.classes)
        return np.full(k, nonnegative(self.weight, "weight") / k)

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return λ / (#C #A_i)."""
        size = domain.sizes[domain.attribute[cells]]
        return np.asarray(nonnegative(self.weight, "weight") / (len(domain.classes) * size))[:, None]

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return λ / #C."""
        return np.full((len(attributes), 1), float(self.weight) / len(domain.classes))

    def within(self, pseudo: Array, mass: Array, theta: Array, contexts: int) -> tuple[Array, Array]:
        """Share the pseudo-counts out among the parents' values."""
        return pseudo / contexts, mass / contexts
