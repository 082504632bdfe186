"""Calibration: how much the views of documents weigh, so that leave-one-out posteriors are likely.

    score_c = (L / L̄)^(−b) Σ_v Σ_g β[v, g] S[v, g, c] + log P(c) + bias_c

S[v, g, c] is what the words of band g (in so many documents) say for class c under view v; L is how many words a
document has. β = usual · exp(a_v + u_vg) is positive, u is smooth over neighbouring bands, and both are penalised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import log_sum_exp
from candide.distributions.descent import descend

Array = np.ndarray[Any, Any]

BANDS = 10
"""Words in 1, 2, 3 to 4, 5 to 8, ... and more than 256 documents."""

SMALL, SMOOTH, FLAT, USUAL = 1.0, 3.0, 1.0, 5.0
"""Penalties: of a band's own weight, of neighbours that differ, of biases, and of an unusual exponent."""

EXPONENT = 0.3
"""The usual exponent b."""

USUAL_BETA = (
    (2.0, 2.5, 3.5, 3.5, 3.5, 5.0, 6.0, 7.0, 8.0, 9.0),
    (3.0, 3.5, 3.5, 3.0, 3.0, 3.0, 3.5, 4.0, 5.5, 8.0),
    (0.1, 0.1, 0.1, 0.1, 0.1, 0.15, 0.2, 0.3, 0.3, 0.2),
)
"""Weights of the views lift, complement and mistakes by band, about those that news and messages give."""

STEPS = 60
"""Steps of the descent at the most; most end after 20 to 40."""

TOLERANCE = 1e-4
"""Steps that gain less than this share of the loss end it."""


@dataclass(frozen=True, eq=False)
class ViewWeights:
    """The numbers that were settled.

    Parameters
    ----------
    beta : ndarray (views, BANDS)
    exponent : float
        b
    bias : ndarray (K,)
    """

    beta: Array
    exponent: float
    bias: Array

    def pace(self, log_length: Array) -> Array:
        """Return (L / L̄)^(−b) of documents with log L − log L̄ (documents,)."""
        return np.asarray(np.exp(-self.exponent * log_length))

    def scores(self, views: Array, log_length: Array) -> Array:
        """Return the scores (documents, K) without the prior; views are (documents, views · BANDS, K)."""
        mixed = np.tensordot(self.beta.ravel(), views, axes=([0], [1]))
        return np.asarray(self.pace(log_length)[:, None] * mixed + self.bias)


def log_shares(scores: Array) -> Array:
    """Return log posteriors of scores (documents, K)."""
    return scores - log_sum_exp(scores)[:, None]


def calibrate(
    views: Array, log_length: Array, log_prior: Array, y: Array, w: Array, start: ViewWeights | None = None
) -> ViewWeights:
    """Return the weights under which the documents' own classes are most likely.

    Parameters
    ----------
    views : ndarray (documents, views · BANDS, K)
        Each document left out of what speaks of it.
    log_length : ndarray (documents,)
    log_prior : ndarray (documents, K)
    y : ndarray of int (documents,)
    w : ndarray (documents,)
    start : ViewWeights or None
        Weights of the first views, found before.
    """
    n, size, k = views.shape
    shape = (size // BANDS, BANDS)
    usual = np.log(USUAL_BETA[: shape[0]])
    flat, log_l, prior, weight = (
        np.ascontiguousarray(a, dtype=float) for a in (views.reshape(n, size * k), log_length, log_prior, w)
    )
    codes = np.ascontiguousarray(y, dtype=np.int64)

    def unpack(p: Array) -> tuple[Array, Array, float, Array]:
        a, u = p[: shape[0]], p[shape[0] : shape[0] + size].reshape(shape)
        return a, u, float(p[shape[0] + size]), p[shape[0] + size + 1 :]

    def loss(p: Array) -> tuple[float, Array]:
        a, u, b, bias = unpack(p)
        beta = np.exp(usual + a[:, None] + u).ravel()
        unlikely, by_beta, by_b, by_bias = native.calibration_loss(
            flat, log_l, prior, codes, weight, beta, b, np.ascontiguousarray(bias)
        )
        steps = np.diff(u, axis=1)
        penalty = (
            SMALL * (u**2).sum() + SMOOTH * (steps**2).sum() + FLAT * (bias**2).sum() + USUAL * (b - EXPONENT) ** 2
        )
        value = unlikely + 0.5 * penalty
        of_beta = (beta * by_beta).reshape(shape)
        of_u = of_beta + SMALL * u
        of_u[:, 1:] += SMOOTH * steps
        of_u[:, :-1] -= SMOOTH * steps
        of_b = by_b + USUAL * (b - EXPONENT)
        gradient = np.concatenate([of_beta.sum(axis=1), of_u.ravel(), [of_b], by_bias + FLAT * bias])
        return value / n, gradient / n

    first = np.zeros(shape[0] + size + 1 + k)
    first[shape[0] + size] = EXPONENT
    if start is not None:
        known = len(start.beta)
        more = np.log(start.beta) - usual[:known]
        first[:known] = more.mean(axis=1)
        first[shape[0] : shape[0] + known * BANDS] = (more - first[:known, None]).ravel()
        first[shape[0] + size :] = [start.exponent, *start.bias]
    a, u, b, bias = unpack(descend(loss, first, STEPS, TOLERANCE))
    return ViewWeights(np.exp(usual + a[:, None] + u), b, bias)
