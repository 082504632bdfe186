"""All spanning trees of weighted edges: their sum, and draws of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.arithmetic import log

Array = np.ndarray[Any, Any]


def log_sum_of_trees(log_w: Array) -> Array:
    """Return log Σ_T Π_{ij in T} w_ij over all spanning trees T, of weights (..., D, D) given as logarithms.

    The sum is a determinant of the Laplacian (the matrix-tree theorem). It is found by eliminating one node after the
    other: without node k, w_ij becomes w_ij + w_ik w_kj / Σ_l w_kl, and the sum is the product of all Σ_l w_kl. Nothing
    is subtracted, so that logarithms of any size keep their digits.

    Examples
    --------
    >>> float(np.exp(log_sum_of_trees(np.zeros((4, 4)))).round(6))  # Cayley: 4 nodes have 4² trees
    16.0
    """
    w = np.array(log_w, dtype=float)
    out = np.zeros(w.shape[:-2])
    for k in range(w.shape[-1] - 1, 0, -1):
        edge = w[..., k, :k]
        pivot = np.logaddexp.reduce(edge, axis=-1)
        out += pivot
        w = np.logaddexp(w[..., :k, :k], edge[..., :, None] + edge[..., None, :] - pivot[..., None, None])
    return out


def draw_edges(rng: np.random.Generator, log_w: Array) -> list[tuple[int, int]]:
    """Draw a spanning tree of probability in proportion to the product of its weights.

    Edge by edge, heaviest first: an edge is taken with the share that the trees which have it have of all that are
    still possible. An edge taken makes its two nodes one.
    """
    d = len(log_w)
    node = np.arange(d)
    w = np.where(np.eye(d, dtype=bool), -np.inf, log_w)
    first, second = np.triu_indices(d, 1)
    taken: list[tuple[int, int]] = []
    for e in np.argsort(-log_w[first, second], kind="stable"):
        i, j = int(first[e]), int(second[e])
        a, b = int(node[i]), int(node[j])
        if a == b:
            continue
        joined = contracted(w, a, b)
        share = np.exp(log_w[i, j] + log_sum_of_trees(joined) - log_sum_of_trees(w))
        if rng.random() < share:
            taken.append((i, j))
            w = joined
            node = np.where(node == b, a, node)
            node = node - (node > b)
        else:
            rest = np.expm1(log_w[i, j] - w[a, b])  # parallel edges between the same nodes stay
            w[a, b] = w[b, a] = w[a, b] + log(np.array(-rest)) if rest < 0 else -np.inf
    return taken


def contracted(log_w: Array, a: int, b: int) -> Array:
    """Return the weights of a graph in which node b is one with node a."""
    w = log_w.copy()
    w[a] = w[:, a] = np.logaddexp(w[a], w[b])
    w[a, a] = -np.inf
    return np.delete(np.delete(w, b, axis=0), b, axis=1)
