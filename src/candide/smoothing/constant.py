"""Rules that add the same to every count."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.schema.domain import Domain
from candide.smoothing.base import Smoothing, nonnegative

Array = np.ndarray[Any, Any]


class Lidstone(Smoothing):
    """Add alpha to every count of a value, and class_alpha to every count of a class.

    Parameters
    ----------
    alpha : float
    class_alpha : float
    """

    name = "lidstone"
    alike = True

    def __init__(self, alpha: float = 1.0, class_alpha: float = 0.0) -> None:
        self.alpha = alpha
        self.class_alpha = class_alpha

    def class_pseudo(self, domain: Domain) -> Array:
        """Return class_alpha."""
        return np.full(len(domain.classes), nonnegative(self.class_alpha, "class_alpha"))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return alpha."""
        return np.full((len(cells), 1), nonnegative(self.alpha, "alpha"))

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return alpha · #A_i."""
        return (self.alpha * domain.sizes[attributes])[:, None]


class Constant(Lidstone):
    """A Lidstone rule whose strengths are fixed."""

    alpha: float = 0.0
    class_alpha: float = 0.0

    def __init__(self) -> None:  # the strengths are the class's own
        pass


class Frequencies(Constant):
    """No softening: relative frequencies (maximum likelihood)."""

    name = "none"


class Laplace(Constant):
    """Add one to every count, of values and of classes: uniform Dirichlet priors."""

    name = "laplace"
    alpha = 1.0
    class_alpha = 1.0


class Indifferent(Constant):
    """Every naive Bayes model is equally probable beforehand: a_c = 1 + Σ_i (#A_i − 1), s = 1."""

    name = "indifferent"
    alpha = 1.0

    def class_pseudo(self, domain: Domain) -> Array:
        """Return 1 + Σ_i (#A_i − 1)."""
        return np.full(len(domain.classes), 1.0 + domain.freedom)
