"""Rows scored by tables of evidence, each left out of its own class's: the loss, and its derivative by every entry."""

from itertools import combinations, pairwise

import numpy as np

from candide.native.reference.rows import Array, Floats, Ints
from candide.native.reference.scoring import add_gather_left_out

__all__ = ["tuning_loss", "weight_loss", "fit_weights", "fit_temperature", "pair_gains", "mark_pairs", "join_pairs"]

TuningRows = tuple[Array, Ints, Floats, Floats | None]
"""Codes (N, A), where the rows of each class begin, weights, and what attributes without entries say (N, V · K)."""
TuningEntries = tuple[Ints, Floats, Floats, Floats, Ints, Ints, int]
"""Where each attribute's entries begin, others (M, K), own (M, K), z (M,), the line and the free place of each entry
(below zero where it has none), and how many attributes behind the prior have evidence."""


def tuning_loss(
    codes: Array,
    offsets: Ints,
    others: Floats,
    own: Floats,
    starts: Ints,
    w: Floats,
    base: Floats | None = None,
    residual: Floats | None = None,
    curved: bool = False,
) -> tuple[float, Floats, Floats, Floats | None]:
    """Return Σ −w log P(y) of rows, and its derivatives by the entries of two tables.

    Rows are sorted by class, those of class c being ``starts[c]`` to ``starts[c + 1] - 1``. A row's score adds the rows
    ``offsets[j] + codes[n, j]`` of ``others`` (M, K), and in its own class those of ``own``, to ``base`` (N, K).

    Returns
    -------
    loss : float
    sums : (M, K)
        The derivative by ``others``: Σ w P(c) over the rows of other classes.
    own_sums : (M, K)
        The derivative by ``own``: Σ w (P(c) − 1) over the rows of class c.
    curvature : (M, K) or None
        Σ w P(c) (1 − P(c)), where it is asked for. ``residual`` is filled with w (P(c) − [c = y]) where it is given.
    """
    n_classes = others.shape[1]
    y = np.repeat(np.arange(n_classes), np.diff(starts))
    scores = np.zeros((len(codes), n_classes)) if base is None else base.copy()
    add_gather_left_out(codes, offsets, others, own, y, scores)
    top = scores.max(axis=1, keepdims=True)
    p = np.exp(scores - top)
    total = p.sum(axis=1, keepdims=True)
    at = np.arange(len(y))
    loss = -float(w @ (scores[at, y] - top[:, 0] - np.log(total[:, 0])))
    p /= total
    left = p.copy()
    left[at, y] -= 1.0
    left *= w[:, None]
    if residual is not None:
        residual[:] = left
    mine = np.zeros_like(left)
    mine[at, y] = left[at, y]
    sums, own_sums = (gather(codes, offsets, part) for part in (left - mine, mine))
    return loss, sums, own_sums, gather(codes, offsets, w[:, None] * p * (1.0 - p)) if curved else None


def gather(codes: Array, offsets: Ints, values: Floats) -> Floats:
    """Return the sums of values (N, K) over the rows of every entry."""
    out = np.zeros((int(offsets[-1]), values.shape[1]))
    for j, (start, stop) in enumerate(pairwise(offsets.tolist())):
        column = codes[:, j].astype(np.int64)
        known = (column >= 0) & (column < stop - start)
        np.add.at(out, start + column[known], values[known])
    return out


def weight_loss(rows: TuningRows, entries: TuningEntries, shifting: bool, p: Floats) -> tuple[float, Floats]:
    """Return Σ −w log P(y) and its derivative by the parameters p: θ, τ, u, b, β, δ.

    score_c = θ L_0[c] + b_c + Σ_i (τ + u_i) L_i[c] + β_ic z_i + δ_kc, where L_i are the entries of attribute i, the
    prior being the first; u is left out unless there is `shifting`.
    """
    codes, starts, w, dense = rows
    offsets, others, own, z, line, free, weighed = entries
    k = others.shape[1]
    said = np.zeros((len(codes), 0, k)) if dense is None else dense.reshape(len(codes), -1, k)
    n_shifts = (weighed + said.shape[1]) * shifting
    sizes = (1, 1, n_shifts, k, k * (int(line.max(initial=-1)) + 1), k * (int(free.max(initial=-1)) + 1))
    theta, tau, u, b, beta, delta = np.split(p, np.cumsum(sizes)[:-1])
    beta, delta = beta.reshape(-1, k), delta.reshape(-1, k)
    weight = np.zeros(len(offsets) - 1)
    weight[0] = theta[0]
    each = tau + (u if shifting else np.zeros(weighed + said.shape[1]))
    weight[1 : 1 + weighed] = each[:weighed]
    on_line, at_will = line >= 0, free >= 0
    added = np.zeros_like(others)
    added[0] = b
    added[on_line] += z[on_line, None] * beta[line[on_line]]
    added[at_will] += delta[free[at_will]]
    attribute = np.repeat(np.arange(len(weight)), np.diff(offsets))
    scale = weight[attribute][:, None]
    residual = np.zeros((len(codes), k))
    base = np.einsum("v,nvk->nk", each[weighed:], said)
    value, sums, own_sums, _ = tuning_loss(
        codes, offsets, scale * others + added, scale * own + added, starts, w, base, residual
    )
    by_weight = np.zeros(len(weight))
    np.add.at(by_weight, attribute, (sums * others + own_sums * own).sum(axis=1))
    of_each = np.concatenate([by_weight[1 : 1 + weighed], np.einsum("nvk,nk->v", said, residual)])
    both = sums + own_sums
    of_beta, of_delta = np.zeros_like(beta), np.zeros_like(delta)
    np.add.at(of_beta, line[on_line], z[on_line, None] * both[on_line])
    np.add.at(of_delta, free[at_will], both[at_will])
    parts = (by_weight[:1], [of_each.sum()], of_each[: len(u)], both[0], of_beta.ravel(), of_delta.ravel())
    return value, np.concatenate(parts)


def fit_weights(
    rows: TuningRows,
    entries: TuningEntries,
    shifting: bool,
    centre: Floats,
    penalty: Floats,
    begin: Floats,
    steps: int,
    tolerance: float,
    threads: int = 1 << 30,  # noqa: ARG001  # NumPy has its own
    single: bool = False,  # noqa: ARG001  # it is not faster in NumPy
) -> Floats:
    """Return the parameters of the least `weight_loss` + ½ Σ penalty (p − centre)², as far as so many steps lead.

    `single` sums scores in single precision, which is enough where the end need not be told to more than six digits.
    """
    from scipy.optimize import minimize

    def objective(p: Floats) -> tuple[float, Floats]:
        value, gradient = weight_loss(rows, entries, shifting, p)
        away = p - centre
        return value + 0.5 * float(penalty @ away**2), gradient + penalty * away

    options = {"maxcor": 20, "maxiter": steps, "ftol": tolerance, "gtol": 1e-6}
    return np.asarray(minimize(objective, begin, jac=True, method="L-BFGS-B", options=options).x)


def fit_temperature(prior: Floats, said: Floats, starts: Ints, w: Floats, steps: int, tolerance: float) -> Floats:
    """Return θ, τ and b of the least Σ −w log P(y) + ½ [4 (θ − 1)² + 4 (τ − 1)² + Σ b²].

    score_c = θ prior[y, c] + τ said[n, c] + b_c; rows are sorted by class. Newton's method, at the most so many steps,
    until one promises less than this share of the value.
    """
    n, k = said.shape
    y = np.repeat(np.arange(k), np.diff(starts))
    at, told = np.arange(n), (prior[y], said)
    start, penalty = np.append([1.0, 1.0], np.zeros(k)), np.append([4.0, 4.0], np.ones(k))

    def objective(p: Floats) -> tuple[float, Floats]:
        scores = p[0] * told[0] + p[1] * told[1] + p[2:]
        scores -= scores.max(axis=1, keepdims=True)
        own = scores[at, y]
        chances = np.exp(scores)
        total = chances.sum(axis=1)
        return float(w @ (np.log(total) - own) + 0.5 * penalty @ (p - start) ** 2), chances / total[:, None]

    p = start
    value, chances = objective(p)
    for _ in range(steps):
        weighed = w[:, None] * chances
        left = weighed.copy()
        left[at, y] -= w
        gradient = np.concatenate([[(left * x).sum() for x in told], left.sum(axis=0)]) + penalty * (p - start)
        curvature = np.diag(penalty)
        curvature[2:, 2:] += np.diag(weighed.sum(axis=0)) - weighed.T @ chances
        for i, x in enumerate(told):
            spread = weighed * (x - (chances * x).sum(axis=1, keepdims=True))
            curvature[i, 2:] = curvature[2:, i] = spread.sum(axis=0)
            for j in range(2):
                curvature[i, j] += (spread * told[j]).sum()
        step = np.linalg.solve(curvature, gradient)
        promised, size = float(gradient @ step), 1.0
        if not promised >= tolerance * value:
            break
        # ends: twenty halvings are below a millionth
        while (found := objective(p - size * step))[0] > value - 1e-4 * size * promised and size >= 1e-6:
            size /= 2.0
        if not found[0] < value:
            break
        p = p - size * step
        value, chances = found
    return p


def pair_gains(codes: Array, sizes: Ints, residual: Floats, curvature: Floats, ridge: float) -> tuple[Floats, Floats]:
    """Return what each pair i < j of columns tells of residuals (N, K) that its columns alone do not tell.

    With g and h the sums of residuals and curvatures by cell and class: the gain ½ Σ (g² − h) / (h + ridge), and the
    sum in standard deviations of its chance, √(K / (K − 1) Σ 2 h² / (h + ridge)²).
    """
    pairs = list(combinations(range(codes.shape[1]), 2))
    gain, score = np.zeros(len(pairs)), np.zeros(len(pairs))
    k = residual.shape[1]
    for p, (i, j) in enumerate(pairs):
        cell = codes[:, i].astype(np.int64) * sizes[j] + codes[:, j]
        g, h = (np.zeros((int(sizes[i] * sizes[j]), k)) for _ in range(2))
        np.add.at(g, cell, residual)
        np.add.at(h, cell, curvature)
        total = ((g * g - h) / (h + ridge)).sum()
        variance = (2.0 * h * h / (h + ridge) ** 2).sum() * k / max(k - 1, 1)
        gain[p], score[p] = total / 2.0, total / np.sqrt(variance) if variance > 0 and k > 1 else 0.0
    return gain, score


def mark_pairs(codes: Array, sizes: Ints, pairs: Ints) -> Array:
    """Return which cells of pairs (P, 2) of columns rows are in: 1 or 0, the cells of each pair behind the last's."""
    of_pairs = [(codes[:, i].astype(np.int64) * sizes[j] + codes[:, j], sizes[i] * sizes[j]) for i, j in pairs]
    marks = [np.bincount(cell, minlength=size) > 0 for cell, size in of_pairs]
    return np.concatenate([np.zeros(0, dtype=bool), *marks]).astype(np.uint8)


def join_pairs(codes: Array, sizes: Ints, pairs: Ints, places: Array, rows: Ints | None, out: Array) -> None:
    """Write the place of each row's cell in every pair into `out` (rows, P), of some rows where they are told."""
    some, begin = codes if rows is None else codes[rows], 0
    for p, (i, j) in enumerate(pairs):
        out[:, p] = places[begin + some[:, i].astype(np.int64) * sizes[j] + some[:, j]]
        begin += int(sizes[i] * sizes[j])
