"""Trees: the mutual information of pairs of columns given the class, and the tree of most of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from candide.schema.tuples import Tuples
from candide.structure.attributes import values_of

Array = np.ndarray[Any, Any]

TABLES = 1 << 20
"""Counts of pairs that are worked on at a time."""
LOOKED_UP = 1 << 17
"""Counts below this are looked up in a table, which is quicker than a logarithm."""
EQUAL_INFORMATION = 12
"""Decimal digits to which the information of two pairs is equal: sums in another order differ by rounding."""


def pair_tables(axis: Tuples, counts: Array, cells: list[Array]) -> Iterator[tuple[Array, Array]]:
    """Yield pairs of columns (T, 2) of the same sizes, and their counts (T, K, values, values), some at a time."""
    alike: dict[Any, list[int]] = {}
    values = [(axis.cells.axes[i].size, cell.tobytes()) for i, cell in enumerate(cells)]
    for t, (i, j) in enumerate(axis.columns):
        alike.setdefault((axis.shape((i, j)), values[i], values[j]), []).append(t)
    columns = np.array(axis.columns, dtype=np.int64).reshape(-1, 2)
    for (shape, *_), numbers in alike.items():
        size = shape[0] * shape[1]
        many = max(1, TABLES // (size * len(counts)))
        for start in range(0, len(numbers), many):
            some = np.array(numbers[start : start + many])
            entries = axis.offsets[some][:, None] + np.arange(size)
            tables = counts[:, entries].transpose(1, 0, 2).reshape(len(some), len(counts), *shape)
            i, j = columns[some[0]]
            flat = values_of(tables.reshape(-1, *shape), [cells[i], cells[j]])
            yield columns[some], flat.reshape(len(some), len(counts), len(cells[i]), len(cells[j]))


def information(axis: Tuples, counts: Array, cells: list[Array]) -> Array:
    """Return the mutual information (D, D) of pairs of columns given the class, in nats, of the rows that know both.

    I(X_i; X_j | C) = Σ N_uvc / N log (N_uvc N_c / (N_u.c N_.vc)).
    """
    d = len(cells)
    out = np.zeros((d, d))
    for columns, tables in pair_tables(axis, counts, cells):
        first, second = tables.sum(axis=3), tables.sum(axis=2)
        of_class = first.sum(axis=2)
        parts = (tables, first, second, of_class)
        both, one, other, classes = (n_log_n(n).reshape(len(n), -1).sum(axis=1) for n in parts)
        total = np.maximum(of_class.sum(axis=1), np.finfo(float).tiny)
        out[columns[:, 0], columns[:, 1]] = (both - one - other + classes) / total
    return out + out.T


def n_log_n(n: Array) -> Array:
    """Return N log N; of whole numbers it is looked up.

    Examples
    --------
    >>> n_log_n(np.array([0, 1, 2])).round(3).tolist()
    [0.0, 0.0, 1.386]
    """
    most = int(n.max(initial=0)) if n.dtype.kind == "i" else LOOKED_UP
    if most >= LOOKED_UP:
        return np.asarray(xlogy(n, n))
    whole = np.arange(most + 1.0)
    return np.asarray(xlogy(whole, whole).take(n))


def log_evidence(axis: Tuples, counts: Array, cells: list[Array], weight: float) -> Array:
    """Return log W (D, D): how much more probable the rows are where two columns depend on each other given the class.

    W_ij is the ratio of marginal likelihoods under the decomposable prior of a weight λ: with N' = λ / (#C #A_i #A_j),
    P(x_i, x_j | c) of the rows that know both, over P(x_i | c) P(x_j | c) of the same rows.
    """
    d = len(cells)
    out = np.zeros((d, d))

    def likelihood(n: Array, prior: float) -> Array:
        """Return Σ log Γ(N + N') / Γ(N'), by table."""
        return np.asarray((gammaln(n + prior) - gammaln(prior)).reshape(len(n), -1).sum(axis=1))

    for columns, tables in pair_tables(axis, counts, cells):
        n = tables.astype(float)
        k, a, b = (max(size, 1) for size in n.shape[1:])
        ratio = likelihood(n, weight / (k * a * b)) + likelihood(n.sum(axis=(2, 3)), weight / k)
        ratio -= likelihood(n.sum(axis=3), weight / (k * a)) + likelihood(n.sum(axis=2), weight / (k * b))
        out[columns[:, 0], columns[:, 1]] = ratio
    return out + out.T


def spanning_tree(gain: Array) -> list[int | None]:
    """Return the parent of each column in the tree of the largest sum of gains, its root being the first column.

    Of pairs of equal gain, the one that comes first in the order of columns is taken first.

    Examples
    --------
    >>> spanning_tree(np.array([[0.0, 0.1, 0.3], [0.1, 0.0, 0.2], [0.3, 0.2, 0.0]]))
    [None, 2, 0]
    """
    d = len(gain)
    scale = np.abs(gain).max(initial=0.0) or 1.0
    first, second = np.triu_indices(d, 1)
    best = np.argsort(-np.round(gain[first, second] / scale, EQUAL_INFORMATION), kind="stable")
    joined = list(range(d))

    def root(i: int) -> int:
        while joined[i] != i:  # ends: every step goes to another node of a tree
            joined[i] = joined[joined[i]]
            i = joined[i]
        return i

    neighbours: list[list[int]] = [[] for _ in range(d)]
    for i, j in zip(first[best].tolist(), second[best].tolist(), strict=True):
        a, b = root(i), root(j)
        if a != b:
            joined[a] = b
            neighbours[i].append(j)
            neighbours[j].append(i)
    return away_from_first(neighbours)


def away_from_first(neighbours: list[list[int]]) -> list[int | None]:
    """Return the parent of each node of a tree when every edge points away from the first."""
    parents: list[int | None] = [None] * len(neighbours)
    seen, todo = {0}, [0]
    while todo:  # ends: every node is put there once
        i = todo.pop()
        for j in neighbours[i]:
            if j not in seen:
                seen.add(j)
                parents[j] = i
                todo.append(j)
    return parents
