"""Rows scored by tables of evidence, each left out of its own class's: the loss, and its derivative by every entry."""

from itertools import combinations, pairwise

import numpy as np

from candide.native.reference.rows import Array, Floats, Ints
from candide.native.reference.scoring import add_gather_left_out

__all__ = ["tuning_loss", "pair_gains"]


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


def pair_gains(
    codes: Array, sizes: Ints, residual: Floats, curvature: Floats, ridge: float
) -> tuple[Floats, Floats]:
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
