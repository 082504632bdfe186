"""The mean of models of averaged dependence: scores, what each attribute adds to them, and their variance."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.arithmetic import log
from candide.distributions.blocks import LeftOut
from candide.structure.dependence import Dependence

Array = np.ndarray[Any, Any]


def terms_of_mean(models: Dependence, codes: Array, alone: Array, without: LeftOut | None) -> Array:
    """Return what each attribute adds to log P(x | c) (rows, K, attributes): the mean of its terms, by shares.

    With w_J the share of model J in the sum, log of the mean of exp(s_J) is Σ_J w_J s_J − Σ_J w_J log(n w_J); the
    second sum is shared out to the super-parents.
    """
    scores, used = scores_of(models, codes, alone, without)
    n = used.sum(axis=1)
    out = alone.copy()
    some = np.flatnonzero(n > 0)
    none = np.flatnonzero(n == 0)
    if models.fewer is not None and len(none):
        left = None if without is None else without[none]
        out[none] = terms_of_mean(models.fewer, codes[none], alone[none], left)
    share = shares(scores[some])
    total = np.where(np.isnan(alone[some]), np.nan, 0.0)
    left = None if without is None else without[some]
    for choice, J in enumerate(models.choices()):
        here = np.flatnonzero(used[some, choice])
        w = share[here, choice]
        terms = models.model(codes[some[here]], alone[some[here]], J, None if left is None else left[here])
        total[here] += w[:, :, None] * np.where(w[:, :, None] > 0, terms, 0.0)
        added = -w * log(np.where(w > 0, w * n[some[here], None], 1.0)) / models.n
        for j in J:
            total[here, :, j] += added
    out[some] = total
    return out


def scores_of(models: Dependence, codes: Array, alone: Array, without: LeftOut | None) -> tuple[Array, Array]:
    """Return log P(x | c) (rows, choices, K) of every model, and which of them (rows, choices) a row has."""
    choices = list(models.choices())
    scores = np.full((len(codes), len(choices), models.n_classes), -np.inf)
    used = np.zeros((len(codes), len(choices)), dtype=bool)
    for choice, J in enumerate(choices):
        here = np.flatnonzero(models.frequent(codes, J, without))
        left = None if without is None else without[here]
        scores[here, choice] = np.nansum(models.model(codes[here], alone[here], J, left), axis=2)
        used[here, choice] = True
    return scores, used


def mean_of(models: Dependence, codes: Array, alone: Array, without: LeftOut | None) -> Array:
    """Return log P(x | c) (rows, K)."""
    scores, used = scores_of(models, codes, alone, without)
    n = used.sum(axis=1)
    out = np.logaddexp.reduce(scores, axis=1, initial=-np.inf) - log(np.maximum(n, 1))[:, None]
    none = np.flatnonzero(n == 0)
    if len(none):
        left = None if without is None else without[none]
        rest = models.fewer
        out[none] = np.nansum(alone[none], axis=2) if rest is None else mean_of(rest, codes[none], alone[none], left)
    return np.asarray(out)


def variance_of_mean(models: Dependence, codes: Array, alone: Array) -> Array:
    """Return the posterior variance of log P(x | c) (rows, K): of models with shares w_J, Σ_J w_J² that of each.

    The tables of different super-parents are taken as independent; d log Σ exp(s_J) = Σ w_J d s_J.
    """
    scores, used = scores_of(models, codes, alone, None)
    share = shares(scores)
    out = np.zeros(alone.shape[:2])
    for choice, J in enumerate(models.choices()):
        here = np.flatnonzero(used[:, choice])
        total = np.zeros((len(here), models.n_classes))
        for i in range(models.width):
            block, given = (models, J) if i not in J else (models.fewer, J[:-1])
            known = np.flatnonzero(codes[here, i] >= 0)
            v = codes[here[known], i]
            if i == J[0] or block is None:
                total[known] += models.plain.variances[models.domain.offsets[i] + v]
            else:
                table = block.variances(given, i)
                total[known] += table[:, block.at(codes[here[known]], given), v].T
        out[here] += share[here, choice] ** 2 * total
    none = np.flatnonzero(~used.any(axis=1))
    if len(none) and models.fewer is not None:
        out[none] = variance_of_mean(models.fewer, codes[none], alone[none])
    elif len(none):
        heard = codes[none] >= 0
        found = np.zeros((*heard.shape, models.n_classes))
        found[heard] = models.plain.variances[(models.domain.offsets[:-1] + codes[none])[heard]]
        out[none] = found.sum(axis=1)
    return out


def shares(scores: Array) -> Array:
    """Return exp(s_J) / Σ exp(s_J) (rows, choices, K); even where all are zero, among all of them."""
    top = scores.max(axis=1, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(np.where(np.isfinite(top), scores - top, 0.0))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
