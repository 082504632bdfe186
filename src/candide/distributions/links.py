"""Links: how a likelihood enters the sum over attributes, Σ_i g(P(x_i | c)).

A link is the function g, on probabilities and on their logarithms; a cell that says nothing is NaN and stays so. What a
cell looks like under no class in particular is its background b, which only a mixture asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from candide.arithmetic import log
from candide.frozen import frozen

Array = np.ndarray[Any, Any]
Background = Literal["marginal", "uniform"]


class Link:
    """g(p, b), elementwise."""

    @property
    def background(self) -> Background | None:
        """Which background the link mixes in; None: none."""
        return None

    def of(self, p: Array, b: Array | float = 0.0) -> Array:
        """Return g of probabilities."""
        raise NotImplementedError

    def of_log(self, log_p: Array, log_b: Callable[[], Array]) -> Array:
        """Return g of probabilities given as logarithms; the background is made when it is asked for."""
        raise NotImplementedError

    def at(self, part: slice) -> Link:
        """Return the link for some of the rows."""
        return self

    def mixture(self, log_p: Array) -> Array:
        """Return the mixture over classes (rows, 1, attributes) of log-likelihoods (rows, classes, attributes)."""
        raise NotImplementedError

    @property
    def outside(self) -> float:
        """What a number adds that no class allows: g(0, 0)."""
        return float(self.of(np.zeros(1))[0])


class Log(Link):
    """g = log p: the product."""

    def of(self, p: Array, b: Array | float = 0.0) -> Array:
        """Return log p."""
        return log(p)

    def of_log(self, log_p: Array, log_b: Callable[[], Array]) -> Array:
        """Return log p."""
        return log_p


class Probability(Link):
    """g = p: the sum."""

    def of(self, p: Array, b: Array | float = 0.0) -> Array:
        """Return p."""
        return p

    def of_log(self, log_p: Array, log_b: Callable[[], Array]) -> Array:
        """Return p."""
        return np.asarray(np.exp(log_p))


class Zero(Link):
    """g = [p = 0]: how many attributes exclude a class."""

    def of(self, p: Array, b: Array | float = 0.0) -> Array:
        """Return 1 where p = 0."""
        return np.asarray(p == 0, dtype=float)

    def of_log(self, log_p: Array, log_b: Callable[[], Array]) -> Array:
        """Return 1 where p = 0."""
        return np.where(np.isnan(log_p), np.nan, log_p == -np.inf)


LOG, PROBABILITY, ZERO = Log(), Probability(), Zero()


@frozen
class Mixed(Link):
    """g = log((1 − rate) p + rate b): every cell may be an outlier that looks like the background.

    Parameters
    ----------
    rate : float
    of_cells : "marginal" or "uniform"
        The background of discrete attributes; that of a density is its mixture over classes.
    log_prior : ndarray (K,) or (rows, K)
        log P(c), which that mixture weighs classes by.
    """

    rate: float
    of_cells: Background
    log_prior: Array

    @property
    def background(self) -> Background:
        """The background of discrete attributes."""
        return self.of_cells

    def at(self, part: slice) -> Link:
        """Return the link with the prior of some of the rows."""
        return self if self.log_prior.ndim == 1 else Mixed(self.rate, self.of_cells, self.log_prior[part])

    def mixture(self, log_p: Array) -> Array:
        """Return log Σ_c P(c) p."""
        from scipy.special import logsumexp

        return np.asarray(logsumexp(log_p + self.log_prior[..., None], axis=1, keepdims=True))

    def of(self, p: Array, b: Array | float = 0.0) -> Array:
        """Return log((1 − rate) p + rate b)."""
        return log((1.0 - self.rate) * p + self.rate * np.asarray(b))

    def of_log(self, log_p: Array, log_b: Callable[[], Array]) -> Array:
        """Return the same, from logarithms."""
        with np.errstate(divide="ignore", invalid="ignore"):  # a cell that says nothing stays NaN
            mine, rest = np.log1p(-self.rate), np.log(self.rate)
            out: Array = np.logaddexp(mine + log_p, rest + log_b())
        return out
