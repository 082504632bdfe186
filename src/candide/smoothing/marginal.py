"""Rules that add in proportion to how the column is spread over all classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.schema.domain import Domain
from candide.smoothing.base import Smoothing, nonnegative

Array = np.ndarray[Any, Any]


class MEstimate(Smoothing):
    """Spread m observations as the column is spread over all classes: s = m · (N_iv. + 1) / (N_i.. + #A_i), a = 1.

    Parameters
    ----------
    m : float
    """

    name = "m-estimate"

    def __init__(self, m: float = 2.0) -> None:
        self.m = m

    def class_pseudo(self, domain: Domain) -> Array:
        """Return 1."""
        return np.ones(len(domain.classes))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return m · p_iv."""
        size = domain.sizes[domain.attribute[cells]]
        p: Array = (marginal + 1.0) / (total + size)
        return nonnegative(self.m, "m") * p[:, None]

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return m."""
        return np.full((len(attributes), 1), float(self.m))


class Marginal(Smoothing):
    """Add the column's relative frequency to the count: s = N_iv. / N_i.., a = 0."""

    name = "marginal"

    def class_pseudo(self, domain: Domain) -> Array:
        """Return 0."""
        return np.zeros(len(domain.classes))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return p_iv; 0 where the attribute was never known."""
        return np.divide(marginal, total, out=np.zeros(len(cells)), where=total > 0)[:, None]

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return 1; 0 where the attribute was never known."""
        return (total > 0).astype(float)[:, None]
