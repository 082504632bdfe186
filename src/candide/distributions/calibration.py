"""Calibration: how much the views of documents weigh, so that leave-one-out posteriors are likely.

    score_c = pace · E_c + log P(c) + bias_c + d_c log(L / L̄),   E_c = Σ_v Σ_h β[v, h] S[v, h, c]
    pace = e^a (L / L̄)^(−b) σ^(−g)

S[v, h, c] is what the words of band h (in so many documents) say for class c under view v; L is how many words a
document has, and σ the spread of its evidence E over the classes: documents that say much are wrong more often than
their words add up to, and those that say little less often. How long a document is tells classes apart, too: by d,
as if log L were normal in each class, with one variance. β = usual · exp(a_v + u_vh) is positive, u is smooth over
neighbouring bands, and both are penalised.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from candide import native
from candide.frozen import frozen

Array = np.ndarray[Any, Any]
ViewParts = tuple[Array, ...]


class Softening(NamedTuple):
    """How softly words speak before they are weighed: what weights were settled beside, and mean nothing without.

    Parameters
    ----------
    lift, others : float
        How strongly a lift is pulled to that of the collection: in the class, and in all other classes.
    ridge : float
        What is added to the curve of mistakes.
    """

    lift: float = 0.99
    others: float = 0.05
    ridge: float = 0.05


SOFTENING = Softening()

BANDS = 10
"""Words in 1, 2, 3 to 4, 5 to 8, ... and more than 256 documents; as many for each length that runs of words have."""

PENALTIES = 1.0, 3.0, 1.0, 20.0, 4.0
"""Of a view's or a band's own weight, of neighbours that differ, of biases, of unusual exponents and an unusual level
of the pace: without the last, documents that words tell apart without a mistake would raise it without end."""

EXPONENT, DAMPING = 0.0, 0.8
"""The usual exponents b and g; g is that of many classes. Of two, the spread is the evidence itself, and g is 0."""

USUAL_BETA = (
    (6.0, 8.0, 10.0, 10.0, 10.0, 15.0, 18.0, 20.0, 24.0, 28.0),
    (0.75, 0.875, 0.875, 0.75, 0.75, 0.75, 0.875, 1.0, 1.375, 2.0),
    (0.1, 0.1, 0.1, 0.1, 0.1, 0.15, 0.2, 0.3, 0.3, 0.2),
)
"""Weights of the views lift, complement and mistakes by band, about those that news and messages give."""

USUAL_LEVEL = 0.8
"""The level of the pace of weights that were settled on no documents."""

COMPLEMENT = 1
"""The view that says nothing of two classes: what speaks against the one is the lift in the other."""

SPREADS = 500
"""Documents that tell how far classes usually lie apart: a level is thought of beforehand to no more digits."""

STEPS = 30
"""Newton's steps at the most; most calibrations end after 5 to 12."""

TOLERANCE = 0.01
"""Steps end when one promises or gains less than this share of what as many numbers gain by chance: half a nat each."""

FIRST_TOLERANCE = 0.5
"""The same of a calibration that another one follows: what it leaves is found there, and mistakes are told as well."""

NEW_VIEW = -1.0
"""Where the logarithm of the weight of a view begins beside others that are settled, above the usual one: where these
leave few mistakes, as of long documents, it has little to say."""

FARTHEST = 2.0
"""How far log L counts from the usual one: a document e² times as long says by its length what a longer one does."""

ELSEWHERE = 0.05
"""How far the logarithm of the pace usually is from what other documents ask for than those it was settled on."""


@frozen
class ViewWeights:
    """The numbers that were settled.

    Parameters
    ----------
    beta : ndarray (views · lengths of runs, BANDS)
    pace : ndarray (3,)
        a, b and g.
    bias : ndarray (K,)
    by_length : ndarray (K,)
        d.
    softening : Softening
        By which the views were made.
    """

    beta: Array
    pace: Array
    bias: Array
    by_length: Array
    softening: Softening = SOFTENING

    def pace_of(self, evidence: Array, log_length: Array) -> Array:
        """Return e^a (L / L̄)^(−b) σ^(−g) of documents with evidence (documents, K) and log L − log L̄ (documents,)."""
        return native.paces(evidence, log_length, *self.pace.tolist())

    def evidence(self, views: ViewParts) -> Array:
        """Return E (documents, K) of views in parts (documents, K · size), of all of them or of the first."""
        return native.weigh_views(views, self.beta.ravel(), len(views[0]), len(self.bias))

    def evidence_apart(self, views: ViewParts) -> Array:
        """Return E (documents, K − 1) of views as `calibrate` takes them."""
        k = len(self.bias)
        beta = self.beta[weights_of_views(len(views), k, len(self.beta) // (1 + len(views)))]
        return native.weigh_views(views, np.ascontiguousarray(beta).ravel(), len(views[0]), k - 1)

    def scores(self, views: ViewParts, log_length: Array) -> Array:
        """Return the scores (documents, K) without the prior."""
        evidence = self.evidence(views)
        of_words = self.pace_of(evidence, log_length)[:, None] * evidence
        return np.asarray(of_words + self.bias + self.of_length(log_length))

    def of_length(self, log_length: Array) -> Array:
        """Return what the length of documents says (documents, K)."""
        out: Array = counted(log_length)[:, None] * self.by_length
        return out

    def residuals(
        self, evidence: Array, log_length: Array, log_prior: Array, y: Array, w: Array
    ) -> tuple[Array, Array]:
        """Return w (1[y = c] − P) and w P (1 − P) of documents with evidence (documents, K); a negative y: none."""
        level, b, g = self.pace.tolist()
        prior = log_prior + self.of_length(log_length) if self.by_length.any() else log_prior
        return native.residuals(evidence, log_length, prior, y, w, level, b, g, self.bias)

    def pace_elsewhere(self, evidence: Array, log_length: Array, wrong: Array, y: Array, w: Array) -> float:
        """Return how much log pace rises on other documents than the numbers were settled on, which these fit best.

        One step of Newton's, drawn to none. With scores s and r = w (1[y = c] − P) the slope is Σ r s, and the
        curvature Σ w Var_P(s) = Σ [2 s_y Σ_c r s − Σ_c r s² − (Σ_c r s)² / w].
        """
        s = self.pace_of(evidence, log_length)[:, None] * evidence
        slope, square = np.einsum("nc,nc->n", wrong, s), np.einsum("nc,nc,nc->n", wrong, s, s)
        own = np.take_along_axis(s, np.maximum(y, 0)[:, None], axis=1)[:, 0]
        curvature = 2.0 * own * slope - square - slope**2 / np.where(w > 0, w, 1.0)
        return float(slope.sum() / (curvature.sum() + ELSEWHERE**-2))

    def hearing_lengths(self, evidence: Array, log_length: Array, log_prior: Array, y: Array, w: Array) -> ViewWeights:
        """Return the same weights with what the length of documents says beside their words.

        One step of Newton's from d, penalised as biases are. Curvatures of two classes are left out, and those of one
        doubled: the step goes nowhere too far, and to the end of two classes.
        """
        wrong, curvature = self.residuals(evidence, log_length, log_prior, y, w)
        log_l, penalty = counted(log_length), PENALTIES[2]
        step = (log_l @ wrong - penalty * self.by_length) / (2.0 * (log_l**2 @ curvature) + penalty)
        return replace(self, by_length=self.by_length + step)

    def of_runs(self, n_runs: int) -> ViewWeights:
        """Return the same weights for runs of words of so many lengths; those of one length serve all."""
        if len(self.beta) in (2 * n_runs, 3 * n_runs):
            return self
        if len(self.beta) not in (2, 3):
            raise ValueError(f"Weighted has {len(self.beta)} rows of weights: none for runs of {n_runs} lengths")
        return replace(self, beta=np.repeat(self.beta, n_runs, axis=0))

    def raised(self, log_pace: float) -> ViewWeights:
        """Return the same weights with another level of the pace."""
        return replace(self, pace=self.pace + np.array([log_pace, 0.0, 0.0]))


def calibrate(
    views: ViewParts,
    log_length: Array,
    log_prior: Array,
    y: Array,
    w: Array,
    start: ViewWeights | None = None,
    tolerance: float = TOLERANCE,
) -> ViewWeights:
    """Return the weights under which the documents' own classes are most likely.

    Parameters
    ----------
    views : one or two of ndarray (documents, (K − 1) · 2 bands) and (documents, (K − 1) · bands)
        Of all classes but the first, less those of the first; each document left out of what speaks of it. Of two
        classes, the first part is without the complement.
    log_length : ndarray (documents,)
    log_prior : ndarray (documents, K)
    y : ndarray of int (documents,)
    w : ndarray (documents,)
    start : ViewWeights or None
        Weights of the first views, found before.
    tolerance : float
        Steps end when one gains less than this share of what as many numbers gain by chance.
    """
    k = log_prior.shape[1]
    n_runs = views[0].shape[1] // ((k - 1) * BANDS * len(weights_of_views(1, k)))
    rows = weights_of_views(len(views), k, n_runs)
    usual = np.repeat(USUAL_BETA, n_runs, axis=0)[rows]
    size = usual.size
    log_l, prior, weight = (np.ascontiguousarray(a, dtype=float) for a in (log_length, log_prior, w))
    codes = np.ascontiguousarray(y, dtype=np.int64)
    of_views = len(usual)
    of_pace = of_views + size
    of_bias = of_pace + 3
    damping = DAMPING * max(0.0, 1.0 - 2.0 / k)
    begin = np.zeros(of_bias + k)
    pace = damping * usual_log_spread(views, usual) if damping else 0.0, EXPONENT, damping
    if start is None:
        begin[of_pace:of_bias] = pace
    else:
        before = start.beta[rows[rows < len(start.beta)]]
        known = len(before)
        more = np.log(before / usual[:known])
        begin[:known], begin[known:of_views] = more.mean(axis=1), NEW_VIEW
        begin[of_views : of_views + known * BANDS] = (more - begin[:known, None]).ravel()
        begin[of_pace:of_bias], begin[of_bias:] = start.pace, start.bias
    found = native.fit_views(
        views, log_l, prior, codes, weight, usual, PENALTIES, pace, begin, STEPS, tolerance,
    )  # fmt: skip
    a, u = found[:of_views, None], found[of_views:of_pace].reshape(usual.shape)
    beta = np.zeros(((1 + len(views)) * n_runs, BANDS))
    beta[rows] = usual * np.exp(a + u)
    return ViewWeights(beta, found[of_pace:of_bias], found[of_bias:], np.zeros(k))


def log_lengths(held: Array, usual: float) -> Array:
    """Return log L − log L̄ of documents that hold so many words; one that holds none is taken to be as long as any."""
    out: Array = np.log(np.maximum(held, 1))
    out -= usual
    if np.count_nonzero(held) < len(held):
        out[held == 0] = 0.0
    return out


def counted(log_length: Array) -> Array:
    """Return log L − log L̄ as far as it says anything."""
    out: Array = np.maximum(log_length, -FARTHEST)
    return np.minimum(out, FARTHEST, out=out)


@lru_cache(maxsize=64)
def weights_of_views(parts: int, k: int, n_runs: int = 1) -> Array:
    """Return which weights so many parts of views have, where there are k classes: a row for each length of runs."""
    of_views = np.repeat(np.arange(1 + parts), n_runs)
    out = np.flatnonzero(of_views != COMPLEMENT) if k == 2 else np.arange(len(of_views))
    out.flags.writeable = False
    return out


def usual_log_spread(views: ViewParts, usual: Array) -> float:
    """Return the mean of log σ of documents by the usual weights, of some that tell it."""
    every = max(1, len(views[0]) // SPREADS)
    views = tuple(np.ascontiguousarray(part[::every]) for part in views)
    n, others = len(views[0]), sum(part.shape[1] for part in views) // usual.size
    evidence = np.zeros((n, others + 1))  # nothing of the first class, from which the others are told apart
    evidence[:, 1:] = native.weigh_views(views, usual.ravel(), n, others)
    return -float(np.log(native.paces(evidence, np.zeros(n), 0.0, 0.0, 1.0)).mean())
