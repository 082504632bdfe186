"""Who learns and who is tested: folds, and parts of a learning fold, drawn once for all models."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def folds(
    codes: np.ndarray, n_folds: int, stratified: bool, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (learning rows, test rows), each ascending.

    Rows are shuffled, sorted by class if stratified, and dealt like cards: sizes of the folds differ by at
    most one, in total and within each class, however few rows a class has.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Class codes.
    n_folds : int
    stratified : bool
    rng : numpy.random.Generator
    """
    n = len(codes)
    if not 2 <= n_folds <= n:
        raise ValueError(f"folds must be between 2 and the number of rows ({n}), got {n_folds}")
    fold = np.empty(n, dtype=np.int64)
    fold[_order(codes, stratified, rng)] = np.arange(n) % n_folds
    for k in range(n_folds):
        yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)


def part(rows: np.ndarray, codes: np.ndarray, size: float, stratified: bool, rng: np.random.Generator) -> np.ndarray:
    """Choose `size` of the rows (a share up to 1.0, or a whole number of rows), ascending.

    Every class keeps its share to within one row when stratified: the rows, sorted by class, are taken at
    even steps. At least one row is taken.
    """
    wanted = _wanted(len(rows), size)
    if wanted == len(rows):
        return rows
    order = rows[_order(codes[rows], stratified, rng)]
    # position p is taken when ⌊(p + 1) wanted / n + u⌋ passes ⌊p wanted / n + u⌋: `wanted` times in all
    marks = np.floor(np.arange(len(rows) + 1) * wanted / len(rows) + rng.random())
    return np.sort(order[np.diff(marks) > 0])


def _wanted(n: int, size: float | int) -> int:
    if isinstance(size, float):  # NumPy's double is one
        if not 0 < size <= 1:
            raise ValueError(f"a share of the learning fold must be in (0, 1], got {size}")
        return max(1, round(size * n))
    if not 1 <= size <= n:
        raise ValueError(f"cannot learn from {size} rows: the learning fold has {n}")
    return int(size)


def _order(codes: np.ndarray, stratified: bool, rng: np.random.Generator) -> np.ndarray:
    order = rng.permutation(len(codes))
    return order[np.argsort(codes[order], kind="stable")] if stratified else order
