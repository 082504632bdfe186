"""The prior: P(c) from softened class counts, or as given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import difference, log, ratio, shares
from candide.distributions.blocks import LeftOut
from candide.frozen import frozen
from candide.messages import did_you_mean, unknown
from candide.smoothing.base import per_class

Array = np.ndarray[Any, Any]


@frozen
class Prior:
    """P(c) = (N_c + a_c) / Σ (N_c + a_c), or as given."""

    counts: Array
    pseudo: Array
    given: Array | None = None

    @cached_property
    def alpha(self) -> Array:
        """The probabilities of the classes."""
        if self.given is not None:
            return self.given
        return shares(self.counts + self.pseudo)

    @cached_property
    def log(self) -> Array:
        """Log P(c)."""
        return log(self.alpha)

    def without(self, left: LeftOut) -> Array:
        """Return log P(c) (rows, classes), each row left out of its own class."""
        if self.given is not None:
            return np.broadcast_to(log(self.given), (len(left.y), len(self.given)))
        k = len(self.counts)
        y = np.maximum(left.y, 0)  # a row of a class that was never learnt weighs nothing
        weights = native.distinct(left.weight, len(y) // k)
        if weights is None:
            return self._without(y, left.weight)
        # rows of one class and one weight leave the same counts
        table = self._without(np.tile(np.arange(k), len(weights)), np.repeat(weights, k))
        return np.take(table, np.searchsorted(weights, left.weight) * k + y, axis=0)

    def _without(self, y: Array, weight: Array) -> Array:
        """Return log P(c) (M, classes), a weight (M,) less in class y (M,)."""
        counts = np.tile(self.counts.astype(float), (len(y), 1))
        at = np.arange(len(y))
        counts[at, y] = np.maximum(difference(counts[at, y], weight), 0.0)
        return log(shares(counts + self.pseudo))

    @property
    def variance(self) -> Array:
        """The posterior variance of log P(c), up to what all classes share: ψ₁(N_c + a_c); 0 where it is given.

        As gammas before they are divided by their sum, which cancels in the odds of two classes.
        """
        from scipy.special import polygamma

        weight = self.counts + self.pseudo
        return np.where((weight > 0) & (self.given is None), polygamma(1, np.where(weight > 0, weight, 1.0)), 0.0)

    def draw_log(self, rng: np.random.Generator, draws: int) -> Array:
        """Return log P(c) (draws, classes) of as many draws."""
        if self.given is not None:
            return np.broadcast_to(self.log, (draws, len(self.log)))
        gamma = rng.standard_gamma(self.counts + self.pseudo, (draws, len(self.counts)))
        return log(ratio(gamma, gamma.sum(axis=1, keepdims=True)))

    def draw(self, rng: np.random.Generator) -> Prior:
        """Draw alpha ~ Dirichlet(N + a); a given prior is fixed."""
        if self.given is not None:
            return self
        gamma = rng.standard_gamma(self.counts + self.pseudo)
        return replace(self, given=ratio(gamma, gamma.sum()))


def is_probability(p: Any) -> bool:
    """Whether something is a number from 0 to 1."""
    return isinstance(p, Real) and 0.0 <= float(p) <= 1.0


def make_prior(given: Any, classes: Array, counts: Array, pseudo: Array) -> Prior:
    """Return the prior the user asked for: None as smoothed, "uniform", a sequence in class order, or {label: p}."""
    if given is None:
        return Prior(counts, pseudo)
    if isinstance(given, str):
        if given != "uniform":
            hint = did_you_mean(given, ["uniform"])
            known = "use None, 'uniform', a sequence or {label: probability}"
            raise ValueError(f"prior={given!r} is not known; {known}{hint}")
        return Prior(counts, pseudo, np.full(len(classes), 1.0 / len(classes)))
    if isinstance(given, Mapping):
        odd = [label for label in given if label not in classes.tolist()]
        if odd:
            raise ValueError(f"prior: {unknown('class', str(odd[0]), list(map(str, classes.tolist())))}")
    elif np.ndim(np.asarray(given, dtype=object)) != 1:
        raise TypeError(f"prior={given!r}: use None, 'uniform', a sequence or {{label: probability}}")
    wrong = [p for p in (given.values() if isinstance(given, Mapping) else given) if not is_probability(p)]
    if wrong:
        raise ValueError(f"prior: {wrong[0]!r} is not a probability")
    p = per_class(given, classes, "prior")
    if not np.isclose(p.sum(), 1.0):
        raise ValueError(f"the probabilities of prior add up to {p.sum():g}, not to 1")
    return Prior(counts, pseudo, p / p.sum())
