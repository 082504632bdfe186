"""Combination: from log-likelihoods per attribute to one score per class."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp

from candide import native
from candide.distributions import Block
from candide.distributions.discrete import Discrete, log
from candide.distributions.group import GroupBlock
from candide.model import Model
from candide.rows import BATCH, Rows
from candide.rules import Rule, resolve

Array = np.ndarray[Any, Any]

TIE = 16 * np.finfo(float).eps
"""Scores apart by no more than this share of their size are equal: sums in another order differ as much by rounding."""


class Combination(Rule):
    """How the evidence of the attributes becomes a score (rows, classes), as a logarithm.

    A rule writes `combine`, the formula on log P(c) (rows, classes) and log P(x_i | c) (rows, classes, attributes), and
    `score`, the same without building that array.
    """

    discrete = False
    """Whether the rule speaks of discrete attributes only."""

    apart = True
    """Whether leaving one row out keeps every attribute apart, in an array (rows, classes, attributes)."""

    def score(self, model: Model, rows: Rows) -> Array:
        """Return the scores of rows."""
        raise NotImplementedError

    def combine(self, log_prior: Array, log_likelihood: Array) -> Array:
        """Return the scores from the parts; a log-likelihood is NaN where the cell says nothing."""
        raise NotImplementedError

    def leave_one_out(self, model: Model, rows: Rows, y: Array, weight: Array) -> tuple[Array, Array]:
        """Return the scores of rows, each by the model without it, and log P(c) without it."""
        log_prior = model.prior.leave_one_out(y, weight)
        return self.combine(log_prior, model.leave_one_out(rows, y, weight)), log_prior

    def contributions(self, model: Model, rows: Rows) -> tuple[Array, Array]:
        """Return what the prior adds (classes,) and what each attribute adds (rows, classes, attributes)."""
        return model.log_prior, model.log_likelihood(rows)


class Product(Combination):
    """log P(c) + Σ_i log P(x_i | c): naive Bayes."""

    name = "product"
    apart = False

    def score(self, model: Model, rows: Rows) -> Array:
        """Add block by block."""
        out = np.repeat(model.log_prior[None], len(rows), axis=0)
        for block in model.blocks:
            block.add(rows, out)
        return out

    def leave_one_out(self, model: Model, rows: Rows, y: Array, weight: Array) -> tuple[Array, Array]:
        """Add block by block."""
        log_prior = model.prior.leave_one_out(y, weight)
        out = log_prior.copy()
        for block in model.blocks:
            block.add_left_out(rows, y, weight, out)
        return out, log_prior

    def combine(self, log_prior: Array, log_likelihood: Array) -> Array:
        """Add the attributes up."""
        out: Array = log_prior + np.nansum(log_likelihood, axis=2)
        return out


class Sum(Combination):
    """P(c) · Σ_i P(x_i | c): the summation hack, which one impossible attribute cannot bring to zero."""

    name = "sum"
    discrete = True

    def score(self, model: Model, rows: Rows) -> Array:
        """Gather probabilities instead of their logarithms; a cell that says nothing adds nothing."""
        out = np.zeros((len(rows), len(model.classes)))
        for block in model.blocks:
            if isinstance(block, Discrete):
                block.add_table(rows, np.ascontiguousarray(block.theta.T), out)
            else:
                out += np.nansum(np.exp(block.log_likelihood(rows)), axis=2)
        return model.log_prior + log(out)

    def combine(self, log_prior: Array, log_likelihood: Array) -> Array:
        """Add probabilities; a cell that says nothing adds nothing."""
        return log_prior + log(np.nansum(np.exp(log_likelihood), axis=2))

    def contributions(self, model: Model, rows: Rows) -> tuple[Array, Array]:
        """Return P(c) · P(x_i | c), which add up to the score."""
        alpha = model.prior.alpha
        return np.zeros(len(alpha)), alpha[None, :, None] * np.exp(model.log_likelihood(rows))


class Robust(Product):
    """Product; where every class is impossible, the class with the fewest zeros for its size, zeros_c / P(c), wins."""

    name = "robust"
    discrete = True
    apart = True

    def score(self, model: Model, rows: Rows) -> Array:
        """Count the zeros where rows need it."""
        out = super().score(model, rows)
        lost = impossible(out)
        if lost.any():
            zeros = np.zeros_like(out)
            for block in model.blocks:
                if isinstance(block, Discrete):
                    block.add_table(rows, np.ascontiguousarray(block.theta.T == 0, dtype=float), zeros, outside=1.0)
                else:
                    zeros += (block.log_likelihood(rows) == -np.inf).sum(axis=2)
            out[lost] = fewest_zeros(zeros[lost], model.log_prior[None])
        return out

    def leave_one_out(self, model: Model, rows: Rows, y: Array, weight: Array) -> tuple[Array, Array]:
        """Keep the attributes apart: their zeros may have to be counted."""
        return Combination.leave_one_out(self, model, rows, y, weight)

    def combine(self, log_prior: Array, log_likelihood: Array) -> Array:
        """Return the product, or the class of the fewest zeros."""
        out = super().combine(log_prior, log_likelihood)
        lost = impossible(out)
        if lost.any():
            zeros = (log_likelihood[lost] == -np.inf).sum(axis=2)
            out[lost] = fewest_zeros(zeros, np.broadcast_to(log_prior, out.shape)[lost])
        return out


def impossible(scores: Array) -> Array:
    """Return which rows have probability zero under every class."""
    out: Array = (scores == -np.inf).all(axis=1)
    return out


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

    def __init__(self, rate: float = 0.01, background: str = "marginal") -> None:
        self.rate = rate
        self.background = background

    def _check(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ValueError(f"Outlier(rate={self.rate!r}): the rate is a probability")
        if self.background not in ("marginal", "uniform"):
            raise ValueError(f"Outlier(background={self.background!r}): use 'marginal' or 'uniform'")

    def mix(self, likelihood: Array, background: Array) -> Array:
        """Return log((1 − rate) p + rate b)."""
        return log(np.ascontiguousarray((1.0 - self.rate) * likelihood + self.rate * background))

    def score(self, model: Model, rows: Rows) -> Array:
        """Mix the tables once, then add block by block."""
        self._check()
        out = np.repeat(model.log_prior[None], len(rows), axis=0)
        for block in model.blocks:
            if isinstance(block, Discrete):
                block.add_table(rows, self.mix(block.theta.T, self._cells(block)[:, None]), out, outside=-np.inf)
            else:
                out += np.nansum(self._mixed(block, rows, model.log_prior), axis=2)
        return out

    def _cells(self, block: Discrete) -> Array:
        if self.background == "uniform":
            return (1.0 / np.maximum(block.domain.sizes, 1))[block.domain.attribute]
        return block.background_table

    def _mixed(self, block: Block, rows: Rows, log_prior: Array) -> Array:
        log_likelihood = block.log_likelihood(rows)
        if isinstance(block, GroupBlock) and block.within is None:
            return self._blend(log_likelihood, block.log_background(self._cells(block.table), rows))
        mixture = logsumexp(log_likelihood + log_prior[None, :, None], axis=1, keepdims=True)
        return self._blend(log_likelihood, mixture)

    def _blend(self, log_likelihood: Array, log_background: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):  # a cell that says nothing stays NaN
            a, b = np.log1p(-self.rate), np.log(self.rate)
            out: Array = np.logaddexp(a + log_likelihood, b + log_background)
        return out

    def leave_one_out(self, model: Model, rows: Rows, y: Array, weight: Array) -> tuple[Array, Array]:
        """Blend every attribute with its background, the row left out of both."""
        self._check()
        log_prior = model.prior.leave_one_out(y, weight)
        log_likelihood = model.leave_one_out(rows, y, weight)
        parts = [self._background_without(block, rows, weight) for block in model.blocks]
        background = model._stack(parts, len(rows))[:, 0]
        mixture = logsumexp(log_likelihood + log_prior[:, :, None], axis=1)
        known = np.where(np.isnan(background), mixture, log(np.where(np.isnan(background), 1.0, background)))
        blended = self._blend(log_likelihood, known[:, None, :])
        return log_prior + np.nansum(blended, axis=2), log_prior

    def _background_without(self, block: Block, rows: Rows, weight: Array) -> Array:
        if isinstance(block, GroupBlock) and block.within is None:
            # a partly known row was never counted: the background of what is known of it stays whole
            left = self._background_without(block.table, rows, weight)
            return np.where(np.isnan(left), np.exp(block.log_background(self._cells(block.table), rows)), left)
        if not isinstance(block, Discrete):
            return np.full((len(rows), 1, len(block.names)), np.nan)
        if self.background == "uniform":
            return block.read(self._cells(block)[:, None], rows)
        return block.leave_one_out_background(rows, weight)[:, None]

    def contributions(self, model: Model, rows: Rows) -> tuple[Array, Array]:
        """Return log P(c) and the blended log-likelihoods."""
        self._check()
        parts = []
        for block in model.blocks:
            if isinstance(block, Discrete):
                parts.append(block.read(self.mix(block.theta.T, self._cells(block)[:, None]), rows, outside=-np.inf))
            else:
                parts.append(self._mixed(block, rows, model.log_prior))
        return model.log_prior, model._stack(parts, len(rows))


RULES: list[type[Combination]] = [Product, Sum, Robust, Outlier]


def as_combination(value: Any) -> Combination:
    """Return the combination that a name or an object stands for."""
    return resolve(value, RULES, "combination", Combination)


def log_posterior(scores: Array, log_prior: Array) -> Array:
    """Normalise scores over classes; a row impossible under every class gets the prior. Works in place.

    Scores that tie up to rounding are made equal here, where posteriors come from: so the labels, the largest of the
    probabilities shown and the explanations all name the first class of a tie.
    """
    level_ties(scores)
    lost = native.log_normalize(scores)
    if lost is not None:
        scores[lost] = np.broadcast_to(log_prior, scores.shape)[lost]
    return scores


def level_ties(scores: Array) -> None:
    """Raise the scores (rows, classes) that equal their row's largest up to rounding to it, in place."""
    for start in range(0, len(scores), BATCH):
        part = scores[start : start + BATCH]
        top = np.take_along_axis(part, native.argmax(part)[:, None].astype(np.int64), axis=1)
        equal = part >= top - TIE * np.maximum(np.abs(top), 1.0)
        if np.count_nonzero(equal) > len(part):
            np.copyto(part, top, where=equal)
