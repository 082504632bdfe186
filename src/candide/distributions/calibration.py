"""Calibration: how much the views of documents weigh, so that leave-one-out posteriors are likely.

    score_c = (L / L̄)^(−b) Σ_v Σ_g β[v, g] S[v, g, c] + log P(c) + bias_c

S[v, g, c] is what the words of band g (in so many documents) say for class c under view v; L is how many words a document
has. β = exp(a_v + u_vg) is positive, and smooth over neighbouring bands; the likelihood is penalised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from candide import native
from candide.arithmetic import log_sum_exp

Array = np.ndarray[Any, Any]

BANDS = 10
"""Words in 1, 2, 3 to 4, 5 to 8, ... and more than 256 documents."""

SMALL, SMOOTH, FLAT, USUAL = 1.0, 3.0, 1.0, 5.0
"""Penalties: of a band's own weight, of neighbours that differ, of biases, and of an unusual exponent."""

EXPONENT = 0.3
"""The usual exponent b."""

START = (5.0, 5.0, 1.0)
"""The weight that each view begins with: lift, complement, mistakes."""

STEPS = 60
"""Steps of the ascent at the most; most end after 20 to 40."""


@dataclass(frozen=True, eq=False)
class Weights:
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
        return self.pace(log_length)[:, None] * mixed + self.bias


def log_shares(scores: Array) -> Array:
    """Return log posteriors of scores (documents, K)."""
    return scores - log_sum_exp(scores)[:, None]


def calibrate(views: Array, log_length: Array, log_prior: Array, y: Array, w: Array, start: Weights | None = None) -> Weights:
    """Return the weights under which the documents' own classes are most likely.

    Parameters
    ----------
    views : ndarray (documents, views · BANDS, K)
        Each document left out of what speaks of it.
    log_length : ndarray (documents,)
    log_prior : ndarray (documents, K)
    y : ndarray of int (documents,)
    w : ndarray (documents,)
    start : Weights or None
        Weights of the first views, found before.
    """
    n, size, k = views.shape
    shape = (size // BANDS, BANDS)
    given = [np.ascontiguousarray(a, dtype=float) for a in (views.reshape(n, size * k), log_length, log_prior)]
    given += [np.ascontiguousarray(y, dtype=np.int64), np.ascontiguousarray(w, dtype=float)]

    def unpack(p: Array) -> tuple[Array, Array, float, Array]:
        a, u = p[: shape[0]], p[shape[0] : shape[0] + size].reshape(shape)
        return a, u, float(p[shape[0] + size]), p[shape[0] + size + 1 :]

    def loss(p: Array) -> tuple[float, Array]:
        a, u, b, bias = unpack(p)
        beta = np.exp(a[:, None] + u).ravel()
        unlikely, by_beta, by_b, by_bias = native.calibration_loss(*given, beta, b, np.ascontiguousarray(bias))
        steps = np.diff(u, axis=1)
        penalty = SMALL * (u**2).sum() + SMOOTH * (steps**2).sum() + FLAT * (bias**2).sum() + USUAL * (b - EXPONENT) ** 2
        value = unlikely + 0.5 * penalty
        of_beta = (beta * by_beta).reshape(shape)
        of_u = of_beta + SMALL * u
        of_u[:, 1:] += SMOOTH * steps
        of_u[:, :-1] -= SMOOTH * steps
        of_b = by_b + USUAL * (b - EXPONENT)
        gradient = np.concatenate([of_beta.sum(axis=1), of_u.ravel(), [of_b], by_bias + FLAT * bias])
        return value / n, gradient / n

    first = np.zeros(shape[0] + size + 1 + k)
    first[: shape[0]] = np.log(START[: shape[0]])
    first[shape[0] + size] = EXPONENT
    if start is not None:
        known = len(start.beta)
        first[:known] = np.log(start.beta).mean(axis=1)
        first[shape[0] : shape[0] + known * BANDS] = (np.log(start.beta) - first[:known, None]).ravel()
        first[shape[0] + size :] = [start.exponent, *start.bias]
    found = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "ftol": 1e-6})
    a, u, b, bias = unpack(found.x)
    return Weights(np.exp(a[:, None] + u), b, bias)
