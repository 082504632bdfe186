"""Calibration: how much the views of documents weigh, so that the documents' own classes are likely.

``views`` are in parts (documents, (classes − 1) · size): those of all classes but the first, less those of the first.
"""

import numpy as np

from candide.native.reference.rows import Floats, Ints, Singles

__all__ = ["calibration_curvature", "calibration_loss", "fit_views", "paces", "residuals", "weigh_views"]

Views = tuple[Singles, ...]

LEAST_VARIANCE = 1e-6

UNLIKELY = 2.0**-16
"""The posterior of a class up to which a curvature does without its slopes."""


def _side_by_side(views: Views, k: int) -> Floats:
    """Views of classes less those of the first, in parts, as one array (documents, classes, size)."""
    n = len(views[0])
    together = np.concatenate([part.reshape(n, k - 1, part.shape[1] // (k - 1)) for part in views], axis=2)
    return np.concatenate([np.zeros((n, 1, together.shape[2])), together], axis=1)


def paces(evidence: Floats, log_length: Floats, level: float, b: float, g: float) -> Floats:
    """Return exp(level − b log_length − g log σ), σ being the spread of evidence (documents, K) over the classes."""
    apart = evidence - evidence.mean(axis=1, keepdims=True)
    variance = (apart**2).mean(axis=1) + LEAST_VARIANCE
    return np.asarray(np.exp(level - b * log_length - 0.5 * g * np.log(variance)))


def residuals(
    evidence: Floats,
    log_length: Floats,
    log_prior: Floats,
    y: Ints,
    w: Floats,
    level: float,
    b: float,
    g: float,
    bias: Floats,
) -> tuple[Floats, Floats]:
    """Return w (1[y = c] − P) and w P (1 − P) of scores `paces` · evidence + log_prior + bias, (documents, K) each; a
    negative y weighs nothing.
    """
    scores = paces(evidence, log_length, level, b, g)[:, None] * evidence + log_prior + bias
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    weight = np.where(y < 0, 0.0, w)[:, None]
    own = y[:, None] == np.arange(scores.shape[1])
    return weight * (own - p), weight * p * (1 - p)


def weigh_views(views: Views, beta: Floats, documents: int, n_classes: int) -> Floats:
    """Return Σ_v views_v beta_v (documents, classes) of views in parts (documents, classes · size)."""
    shaped = [part.reshape(documents, n_classes, part.shape[1] // n_classes) for part in views]
    together = np.concatenate(shaped, axis=2)
    return np.asarray(together @ beta[: together.shape[2]])


def calibration_loss(
    views: Views, log_length: Floats, log_prior: Floats, y: Ints, w: Floats, beta: Floats, pace: Floats, bias: Floats
) -> tuple[float, Floats, Floats, Floats]:
    """Return −Σ w log P(y) of scores exp(level − b log_length − g log σ) E + log_prior + bias, and its gradient by
    beta, pace and bias. E_c = Σ_v views_cv beta_v, σ is its spread over the classes, and pace is (level, b, g); views
    are in parts (documents, (classes − 1) · size), all but those of the first class, less these.
    """
    n, k = log_prior.shape
    shaped = _side_by_side(views, k)
    evidence = np.einsum("nkv,v->nk", shaped, beta)
    apart = evidence - evidence.mean(axis=1, keepdims=True)
    variance = (apart**2).mean(axis=1) + LEAST_VARIANCE
    speed = paces(evidence, log_length, *pace)
    scores = speed[:, None] * evidence + log_prior + bias
    top = scores.max(axis=1, keepdims=True)
    log_p = scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
    rows = np.arange(n)
    residual = np.exp(log_p)
    residual[rows, y] -= 1.0
    residual *= w[:, None]
    along = (residual * evidence).sum(axis=1)
    turn = (pace[2] * along / (k * variance))[:, None]
    of_beta: Floats = np.einsum("nkv,nk->v", shaped, speed[:, None] * (residual - turn * apart))
    by = speed * along
    of_pace = np.array([by.sum(), -(by * log_length).sum(), -(by * 0.5 * np.log(variance)).sum()])
    return -float((w * log_p[rows, y]).sum()), of_beta, of_pace, residual.sum(axis=0)


def calibration_curvature(
    views: Views,
    log_length: Floats,
    log_prior: Floats,
    y: Ints,  # noqa: ARG001  # all that the loss takes
    w: Floats,
    beta: Floats,
    pace: Floats,
    bias: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Return Σ w Σ_c P_c s_c s_cᵀ of `calibration_loss`, s_c being the slopes of scores less their mean by P: by beta
    and pace; of these across the biases (K, beta and pace); and of each bias by itself. `UNLIKELY` classes are left out
    of the first two, and so are documents of which no two are left.
    """
    n, k = log_prior.shape
    shaped = _side_by_side(views, k)
    evidence = shaped @ beta
    apart = evidence - evidence.mean(axis=1, keepdims=True)
    variance = (apart**2).mean(axis=1) + LEAST_VARIANCE
    speed = paces(evidence, log_length, *pace)
    scores = speed[:, None] * evidence + log_prior + bias
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    lean = pace[2] * np.einsum("nk,nkv->nv", apart, shaped) / (k * variance)[:, None]
    of_beta = shaped - evidence[:, :, None] * lean[:, None]
    by_pace = np.stack([np.ones(n), -log_length, -0.5 * np.log(variance)], axis=1)
    slopes = np.concatenate([of_beta, evidence[:, :, None] * by_pace[:, None]], axis=2) * speed[:, None, None]
    likely = np.where(p > UNLIKELY, p, 0.0)
    likely[np.count_nonzero(likely, axis=1) < 2] = 0.0  # slopes of one class, less their mean, are nothing
    slopes -= np.einsum("nk,nki->ni", likely, slopes)[:, None]
    weight = w[:, None] * likely
    inner: Floats = np.einsum("nk,nki,nkj->ij", weight, slopes, slopes)
    return inner, np.einsum("nk,nki->ki", weight, slopes), np.asarray((w[:, None] * p * (1 - p)).sum(axis=0))


def fit_views(
    views: Views,
    log_length: Floats,
    log_prior: Floats,
    y: Ints,
    w: Floats,
    usual: Floats,
    penalties: tuple[float, float, float, float, float],
    pace: tuple[float, float, float],
    begin: Floats,
    steps: int,
    tolerance: float,
) -> Floats:
    """Return the numbers a (views), u (views, bands), pace (3) and bias (K), one behind the other, of the least
    `calibration_loss` and penalty per document, from where they begin. Steps end when one gains less than the share
    ``tolerance`` of what as many numbers gain by chance, half a nat each over all documents.

    β = usual exp(a_v + u_vh). Penalties are of a and u, of neighbouring u that differ, of biases, and of exponents
    and a level of the pace that are not the usual ones.
    """
    from scipy.optimize import minimize

    small, smooth, flat, unusual, level = penalties
    ends = np.cumsum([len(usual), usual.size, 3])

    def objective(p: Floats) -> tuple[float, Floats]:
        a, u, at, bias = np.split(p, ends)
        u = u.reshape(usual.shape)
        beta = usual * np.exp(a[:, None] + u)
        loss, by_beta, by_pace, by_bias = calibration_loss(views, log_length, log_prior, y, w, beta.ravel(), at, bias)
        steps_of_u, away, strength = np.diff(u, axis=1), at - pace, np.array([level, unusual, unusual])
        penalty = small * ((a**2).sum() + (u**2).sum()) + smooth * (steps_of_u**2).sum() + flat * (bias**2).sum()
        of_beta = beta * by_beta.reshape(usual.shape)
        of_u = of_beta + small * u
        of_u[:, 1:] += smooth * steps_of_u
        of_u[:, :-1] -= smooth * steps_of_u
        of_a = of_beta.sum(axis=1) + small * a
        gradient = np.concatenate([of_a, of_u.ravel(), by_pace + strength * away, by_bias + flat * bias])
        return (loss + 0.5 * (penalty + strength @ away**2)) / len(y), gradient / len(y)

    little = tolerance * 0.5 * len(begin) / len(y)
    options = {"maxcor": 8, "maxiter": steps, "ftol": little, "gtol": 1e-9}
    return np.asarray(minimize(objective, begin, jac=True, method="L-BFGS-B", options=options).x)
