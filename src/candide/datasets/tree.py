"""ID3, written small: multiway splits on discrete attributes by information gain.

A value that no training row brought to a split has no branch: rows that carry it there are unclassifiable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.frozen import frozen

UNCLASSIFIABLE = -1


@frozen(eq=True)
class Leaf:
    """The end of a path: its class."""

    label: int


@frozen(eq=True)
class Split:
    """A question: one branch per value the attribute showed here."""

    attribute: int
    values: np.ndarray  # ascending
    branches: tuple[Tree, ...]


Tree = Leaf | Split


def id3(X: Any, y: Any) -> Tree:
    """Grow a decision tree: split on the attribute with the greatest information gain, each once on a path.

    gain(i) = H(y) − Σ_v N_v/N · H(y | x_i = v). A pure node, or one with no attribute left, becomes a leaf
    with its most frequent class. Ties go to the first attribute and the first class.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Discrete values of any sortable type.
    y : array of shape (n_samples,)
        Class codes 0, 1, 2, ...

    Examples
    --------
    >>> X = np.array([["sunny", "weak"], ["sunny", "strong"], ["rainy", "weak"]])
    >>> tree = id3(X, [1, 0, 1])
    >>> tree.attribute
    1
    >>> classify(tree, np.array([["rainy", "strong"], ["rainy", "calm"]]))
    array([ 0, -1])
    """
    X, y = np.asarray(X), np.asarray(y)
    if not len(y) or len(X) != len(y):
        raise ValueError(f"id3 needs as many labels as rows, and at least one: got {len(X)} rows, {len(y)} labels")
    return _grow(X, y, tuple(range(X.shape[1])), int(y.max()) + 1)


def classify(tree: Tree, X: Any) -> np.ndarray:
    """Class code of each row, −1 where the tree has no branch for it."""
    X = np.asarray(X)
    labels = np.full(len(X), UNCLASSIFIABLE)
    _descend(tree, X, np.arange(len(X)), labels)
    return labels


def _grow(X: np.ndarray, y: np.ndarray, attributes: tuple[int, ...], n_classes: int) -> Tree:
    counts = np.bincount(y, minlength=n_classes)
    if not attributes or np.count_nonzero(counts) == 1:
        return Leaf(int(counts.argmax()))
    # H(y) is the same for all attributes here: the greatest gain is the least remaining entropy
    remaining = [_remaining_entropy(X[:, i], y, n_classes) for i in attributes]
    attribute = attributes[int(np.argmin(remaining))]
    values, codes = np.unique(X[:, attribute], return_inverse=True)
    rest = tuple(i for i in attributes if i != attribute)
    parts = _groups(codes, len(values))
    return Split(attribute, values, tuple(_grow(X[rows], y[rows], rest, n_classes) for rows in parts))


def _remaining_entropy(column: np.ndarray, y: np.ndarray, n_classes: int) -> float:
    values, codes = np.unique(column, return_inverse=True)
    table = np.bincount(codes * n_classes + y, minlength=len(values) * n_classes).reshape(-1, n_classes)
    # Σ_v N_v/N · H_v = Σ_v (N_v log N_v − Σ_c N_vc log N_vc) / N; rounded, so that equal gains tie
    return round(float(_x_log_x(table.sum(axis=1)).sum() - _x_log_x(table).sum()) / len(y), 12)


def _x_log_x(counts: np.ndarray) -> np.ndarray:
    return np.asarray(counts * np.log(np.maximum(counts, 1)))


def _groups(codes: np.ndarray, n_groups: int) -> list[np.ndarray]:
    """Positions of each code 0 .. n_groups − 1, in order."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.cumsum(np.bincount(codes, minlength=n_groups))[:-1])


def _descend(tree: Tree, X: np.ndarray, rows: np.ndarray, labels: np.ndarray) -> None:
    if isinstance(tree, Leaf):
        labels[rows] = tree.label
        return
    column = X[rows, tree.attribute]
    position = np.minimum(np.searchsorted(tree.values, column), len(tree.values) - 1)
    known = tree.values[position] == column
    rows, position = rows[known], position[known]
    for branch, members in zip(tree.branches, _groups(position, len(tree.branches)), strict=True):
        if len(members):
            _descend(branch, X, rows[members], labels)
