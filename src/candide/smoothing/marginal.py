"""Rules that add in proportion to how the column is spread over all classes."""

from __future__ import annotations

from typing import Any, Literal

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
    """Add the column's relative frequency p_iv = N_iv. / N_i.. to the count, or to the relative frequency; a = 0.

    Added to counts, s_ivc = p_iv: the weight of one row. Added to relative frequencies, theta_ivc is
    (N_ivc / N_i.c + p_iv) / 2, where the half makes it add up to one, so that s_ivc = N_i.c p_iv: however many rows a
    class has, the column as a whole weighs as much as they do.

    Parameters
    ----------
    to : "counts" or "frequencies"

    Examples
    --------
    >>> from candide.schema.domain import Domain
    >>> domain = Domain(("wind",), (np.array(["strong", "weak"]),), np.array(["no", "yes"]))
    >>> of = (domain, np.arange(2), np.array([6, 8]), np.array([14, 14]), np.array([[5, 9], [5, 9]]))
    >>> Marginal("frequencies").pseudo_counts(*of)[0].round(3)
    array([[2.143, 3.857],
           [2.857, 5.143]])
    """

    name = "marginal"

    def __init__(self, to: Literal["counts", "frequencies"] = "counts") -> None:
        self.to = to

    def scale(self, known: Array) -> Array | float:
        """Return N_i.c where p_iv is added to relative frequencies; 1 where the class never knew the attribute."""
        if self.to not in ("counts", "frequencies"):
            raise ValueError(f"Marginal(to={self.to!r}): p is added to 'counts' or to 'frequencies'")
        return np.where(known > 0, known, 1.0) if self.to == "frequencies" else 1.0

    def class_pseudo(self, domain: Domain) -> Array:
        """Return 0."""
        return np.zeros(len(domain.classes))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return p_iv; 0 where the attribute was never known."""
        return np.divide(marginal, total, out=np.zeros(len(cells)), where=total > 0)[:, None]

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return 1; 0 where the attribute was never known."""
        return (total > 0).astype(float)[:, None]
