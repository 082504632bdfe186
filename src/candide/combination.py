"""Combination: from the links of likelihoods, added up over attributes, to one score per class.

score_c = finish(log P(c), Σ_i g(P(x_i | c))), where g is the link of the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np

from candide import native
from candide.arithmetic import log
from candide.distributions.links import LOG, PROBABILITY, ZERO, Background, Link, Mixed
from candide.rules import Rule, resolve

Array = np.ndarray[Any, Any]

TIE = 64 * np.finfo(float).eps
"""Scores apart by no more than this share of their size are equal: sums in another order differ as much by rounding."""

FEW_CLASSES = 8
"""Classes up to which the prior is added class by class: NumPy spreads a short row over many in a slow loop."""


class Combination(Rule):
    """How the evidence of the attributes becomes a score (rows, classes), as a logarithm.

    A rule says by which link a likelihood enters the sum, and how the sum and the prior become a score.
    """

    discrete: ClassVar[bool] = False
    """Whether the rule speaks of discrete attributes only."""

    additive: ClassVar[Literal["log", "probability"]] = "log"
    """What the contributions of attributes are, and so what they add up to."""

    def link(self, log_prior: Array) -> Link:
        """Return g; log P(c) is (classes,), or (rows, classes) where rows are left out."""
        return LOG

    def finish(self, total: Array, log_prior: Array) -> Array:
        """Return the scores from Σ_i g (rows, classes), which may be written over."""
        if log_prior.ndim == 1 and len(log_prior) <= FEW_CLASSES:
            for c, log_p in enumerate(log_prior):
                total[:, c] += log_p
        else:
            total += log_prior
        return total

    def contributions(self, terms: Array, log_prior: Array) -> tuple[Array, Array]:
        """Return what the prior adds (classes,) and what each attribute adds (rows, classes, attributes)."""
        return log_prior, terms

    second: ClassVar[Link | None] = None
    """The link by which rows that are impossible under every class are looked at again."""

    def rescue(self, total: Array, log_prior: Array) -> Array:
        """Return the scores of rows impossible under every class, from Σ_i g of the second link."""
        raise NotImplementedError


class Product(Combination):
    """log P(c) + Σ_i log P(x_i | c): naive Bayes."""

    name = "product"


class Sum(Combination):
    """P(c) · Σ_i P(x_i | c): the summation hack, which one impossible attribute cannot bring to zero."""

    name = "sum"
    discrete = True
    additive = "probability"

    def link(self, log_prior: Array) -> Link:
        """Add probabilities; a cell that says nothing adds nothing."""
        return PROBABILITY

    def finish(self, total: Array, log_prior: Array) -> Array:
        """Return log P(c) + log Σ_i P(x_i | c)."""
        return log_prior + log(total)

    def contributions(self, terms: Array, log_prior: Array) -> tuple[Array, Array]:
        """Return P(c) · P(x_i | c), which add up to the score."""
        return np.zeros_like(log_prior), np.exp(log_prior)[None, :, None] * terms


class Robust(Combination):
    """Product; where every class is impossible, the class with the fewest zeros for its size, zeros_c / P(c), wins."""

    name = "robust"
    discrete = True
    second = ZERO

    def rescue(self, total: Array, log_prior: Array) -> Array:
        """Return log P(c) for the class of the fewest zeros, minus infinity for the others."""
        return fewest_zeros(total, log_prior)


def impossible(scores: Array) -> Array:
    """Return which rows have probability zero under every class."""
    out: Array = (scores == -np.inf).all(axis=1)
    return out


def look_again(rule: Combination, scores: Array, sums: Callable[[Link], Array], log_prior: Array) -> Array | None:
    """Write over the scores of rows that are impossible under every class, where a rule looks at them again.

    Parameters
    ----------
    sums : function of a link
        Returns Σ_i g (rows, classes), asked for where there are such rows.

    Returns
    -------
    ndarray (rows, classes) or None
        These sums, NaN in all other rows; None where there are no such rows.
    """
    if rule.second is None or not (lost := impossible(scores)).any():
        return None
    totals = np.where(lost[:, None], sums(rule.second), np.nan)
    scores[lost] = rule.rescue(totals[lost], np.broadcast_to(log_prior, scores.shape)[lost])
    return totals


def fewest_zeros(zeros: Array, log_prior: Array) -> Array:
    """Return log P(c) for the first class with the least zeros_c / P(c), minus infinity for the others."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        cost = np.where(log_prior > -np.inf, zeros / np.exp(log_prior), np.inf)
    winner = (cost <= cost.min(axis=1, keepdims=True) * (1.0 + TIE)).argmax(axis=1)
    out = np.full(zeros.shape, -np.inf)
    at = np.arange(len(zeros))
    out[at, winner] = np.broadcast_to(log_prior, zeros.shape)[at, winner]
    return out


class Outlier(Combination):
    """log P(c) + Σ_i log((1 − rate) P(x_i | c) + rate b_i): every cell may be an outlier.

    Parameters
    ----------
    rate : float
        Probability that a cell is an outlier; 0 is the product, and the way to 1 leads to the sum.
    background : "marginal" or "uniform"
        What an outlier looks like: b_iv = (N_iv. + 1) / (N_i.. + #A_i), or 1 / #A_i; for densities the mixture over
        classes.
    """

    name = "outlier"

    def __init__(self, rate: float = 0.01, background: Background = "marginal") -> None:
        self.rate = rate
        self.background = background

    def check(self) -> None:
        """Refuse a rate that is no probability, and an unknown background."""
        number = type(self.rate) is not bool and isinstance(self.rate, (int, float, np.integer, np.floating))
        if not number or not 0 <= self.rate <= 1:
            raise ValueError(f"Outlier(rate={self.rate!r}): the rate is a probability")
        if self.background not in ("marginal", "uniform"):
            raise ValueError(f"Outlier(background={self.background!r}): use 'marginal' or 'uniform'")

    def link(self, log_prior: Array) -> Link:
        """Mix every likelihood with its background."""
        return Mixed(self.rate, self.background, log_prior)


RULES: list[type[Combination]] = [Product, Sum, Robust, Outlier]


def as_combination(value: Any) -> Combination:
    """Return the combination that a name or an object stands for, checked."""
    rule = resolve(value, RULES, "combination", Combination)
    rule.check()
    return rule


def likeliest(scores: Array, log_prior: Array) -> Array:
    """Return the first class of the largest posterior of each row: the one that `log_posterior` would show as such."""
    return native.argmax(scores, TIE, int(log_prior.argmax()))


def log_posterior(scores: Array, log_prior: Array) -> Array:
    """Normalise scores over classes; a row impossible under every class gets the prior. Works in place.

    Scores that tie up to rounding are made equal here, where posteriors come from: so the labels, the largest of the
    probabilities shown and the explanations all name the first class of a tie.
    """
    lost = native.log_normalize(scores, TIE)
    if lost is not None:
        scores[lost] = np.broadcast_to(log_prior, scores.shape)[lost]
    return scores
