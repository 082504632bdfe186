"""Columns in cells of equal mass, whose counts are spread over their neighbours by rank.

Cells k of one column have shares m_k that add up to 1, and stand at u_k, the share of all that lies before the middle
of the cell. A row in cell k' is spread over the cells by the kernel

    G[k, k'] = m_k exp(−((u_k − u_k') / h)² / 2) / Σ_j m_j exp(−((u_j − u_k') / h)² / 2),

whose columns add up to 1; h = 0 spreads nothing. S = G n are the smoothed counts, and d_k = G[k, k] is what stays.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from candide.native.reference.rows import Array, Floats, Ints

__all__ = ["partition", "smooth", "smooth_scores", "value_moments"]


def partition(
    columns: Sequence[tuple[Floats, Array]], n_classes: int, most: int, cuts: Sequence[Floats | None] | None = None
) -> tuple[Floats, Ints, Floats, Floats, Floats]:
    """Cut columns of ascending values (V,) with counts (K, V) into cells, and add the counts up by cell.

    A column whose cuts are not given is cut into at most so many cells of about equal weight. Where values of some
    weight are no more than that, each has a cell. Otherwise values of at least twice the equal share of the others have
    one of their own, and among the others a cell ends at the value up to which the weight is nearest to a multiple of
    that share, the lower of two equally near. A cut is a number, short in decimals, from the cell's last value on and
    below the next one.

    Returns the cuts of all columns, one column behind the other; where each column's begin; the counts (K, cells); the
    mean of each cell's values, 0 where there are none; and the least and the greatest value of each column, flat.
    """
    if most < 1:
        raise ValueError("most must be at least 1")
    every_cut: list[Floats] = []
    tables, means, ends = [np.zeros((n_classes, 0))], [np.zeros(0)], [np.zeros(0)]
    for j, (values, counts) in enumerate(columns):
        if len(counts) != n_classes:
            raise ValueError("counts must have a row for each class")
        weights = counts.sum(axis=0, dtype=np.float64)
        given = None if cuts is None else cuts[j]
        cut = _equal_mass(values, weights, most) if given is None else given
        cell = np.searchsorted(cut, values, side="left")
        spread = np.eye(len(cut) + 1)[cell] if len(values) else np.zeros((0, len(cut) + 1))
        tables.append(counts @ spread)
        share = np.divide(weights, (weights @ spread)[cell], out=np.zeros(len(values)), where=weights > 0)
        means.append((share * values) @ spread)
        used = values[weights > 0] if weights.any() else np.array([np.nan])
        ends.append(used[[0, -1]])
        every_cut.append(cut)
    at = np.cumsum([0, *map(len, every_cut)])
    flat = np.concatenate([np.zeros(0), *every_cut])
    return flat, at.astype(np.int64), np.concatenate(tables, axis=1), np.concatenate(means), np.concatenate(ends)


def value_moments(columns: Sequence[tuple[Floats, Array]], n_classes: int) -> tuple[Floats, Floats, Floats]:
    """The weight, mean and sum of squared deviations (K, D) of columns of values (V,) with counts (K, V).

    All are 0 where nothing has weight.
    """
    n, mean, m2 = np.zeros((3, n_classes, len(columns)))
    for j, (values, counts) in enumerate(columns):
        if len(counts) != n_classes:
            raise ValueError("counts must have a row for each class")
        for c, w in enumerate(np.asarray(counts, dtype=np.float64)):
            x, weight = values[w > 0], w[w > 0]
            if len(x):
                n[c, j] = weight.sum()
                mean[c, j] = x[0] + weight @ (x - x[0]) / n[c, j]
                m2[c, j] = weight @ (x - mean[c, j]) ** 2
    return n, mean, m2


def _equal_mass(values: Floats, weights: Floats, most: int) -> Floats:
    used = np.flatnonzero(weights > 0)
    heavy, share = _heavy(weights[used], most) if len(used) > most else (np.ones(len(used), dtype=bool), 0.0)
    cuts: list[float] = []
    so_far, cell = 0.0, 1
    for i, v in enumerate(used):
        nearest = so_far + weights[v] / 2
        full = not heavy[i] and cell * share <= nearest
        if i and (heavy[i] or heavy[i - 1] or full):
            cuts.append(_short_between(values[used[i - 1]], values[v]))
        # ends: a share is above 0 where a value is not heavy, and the weight that of `most` cells
        while not heavy[i] and cell * share <= nearest:
            cell += 1
        so_far += 0.0 if heavy[i] else weights[v]
    return np.array(cuts, dtype=np.float64)


def _heavy(weights: Floats, most: int) -> tuple[Array, float]:
    """Which values weigh at least twice the share of a cell of the others, and that share."""
    heavy = np.zeros(len(weights), dtype=bool)
    while True:  # ends: one more is heavy each time
        runs = int(np.sum(~heavy & np.concatenate([[True], heavy[:-1]])))
        share = float(weights[~heavy].sum() / max(most + 1 - int(heavy.sum()) - runs, 1))
        more = ~heavy & (weights >= 2 * share)
        if not more.any():
            return heavy, share
        heavy |= more


def smooth(counts: Floats, offsets: Ints, shares: Floats, widths: Floats) -> tuple[Floats, Floats, Floats]:
    """The smoothed counts (K, M), what stays (M,), and Σ G² n (K, M), of each column by the kernel of its width."""
    smoothed, stays, variance = np.zeros(counts.shape), np.zeros(len(shares)), np.zeros(counts.shape)
    for (a, b), h in zip(pairwise(offsets.tolist()), widths, strict=True):
        kernel = _kernel(shares[a:b], float(h))
        smoothed[:, a:b] = counts[:, a:b] @ kernel.T
        variance[:, a:b] = counts[:, a:b] @ (kernel**2).T
        stays[a:b] = np.diag(kernel)
    return smoothed, stays, variance


def smooth_scores(
    counts: Floats,
    offsets: Ints,
    shares: Floats,
    class_counts: Floats,
    widest: Floats,
    halvings: int,
    strengths: Floats,
) -> tuple[Floats, Floats]:
    """Σ log P(y | x) over the rows of each column, each row left out of its own class, by width and strength.

    The likelihood is (S + s) / (N_c + Σ_k s) with s_kc = a r P(c) + m_k, P(c) = (N_c + 1) / (N + K) and r the harmonic
    mean of d; the widths are 0, the widest, and its halves. Returns (D, widths × strengths), and (D,) by the prior
    alone.
    """
    scores = np.zeros((len(widest), (halvings + 2) * len(strengths)))
    nothing = np.zeros(len(widest))
    prior = class_counts + 1.0
    for j, (a, b) in enumerate(pairwise(offsets.tolist())):
        if a == b:
            continue
        n, m = counts[:, a:b], shares[a:b]
        left = np.minimum(n, 1.0)
        own_prior = prior[:, None] - left
        nothing[j] = _weighted(n, own_prior / (prior.sum() - left))
        widths = [0.0, *(widest[j] / 2**i for i in range(halvings + 1))]
        for w, h in enumerate(widths):
            kernel = _kernel(m, float(h))
            smoothed, d = n @ kernel.T, np.diag(kernel)
            for i, strength in enumerate(strengths):
                pull = strength * len(d) / (1.0 / d).sum() * prior[:, None] / prior.sum()
                mass = n.sum(axis=1, keepdims=True) + len(d) * pull + 1.0
                joint = prior[:, None] * (smoothed + pull + m) / mass
                mine = own_prior * (np.maximum(smoothed - left * d, 0.0) + pull + m) / (mass - left)
                rest = np.maximum(joint.sum(axis=0) - joint, 0.0)
                scores[j, w * len(strengths) + i] = _weighted(n, mine / (rest + mine))
    return scores, nothing


def _weighted(n: Array, p: Array) -> float:
    return float((n[n > 0] * np.log(p[n > 0])).sum())


def _kernel(shares: Floats, h: float) -> Floats:
    if h == 0:
        return np.eye(len(shares))
    u = np.cumsum(shares) - shares / 2
    heights = shares[:, None] * np.exp(-0.5 * ((u[:, None] - u) / h) ** 2)
    return np.asarray(heights / heights.sum(axis=0))


def _short_between(a: float, b: float) -> float:
    """A number from a on and below b that is short in decimals: their middle, rounded to the first place that is."""
    middle = a / 2 + b / 2
    for q in range(-22, 23):
        unit = 10.0**-q if q < 0 else 1 / 10.0**q
        if unit / 2 > b - a:
            continue
        places = middle / 10.0**-q if q < 0 else middle * 10.0**q
        if not abs(places) < 2.0**52:
            break
        rounded = np.rint(places) * 10.0**-q if q < 0 else np.rint(places) / 10.0**q
        if a <= rounded < b:
            return float(rounded) + 0.0
    return float(middle if a <= middle < b else a)
