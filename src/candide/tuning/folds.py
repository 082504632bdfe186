"""Folds: how well weights settled on some rows tell the class of others, for every strength of the penalty."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.tuning.problem import Problem

Array = np.ndarray[Any, Any]

FOLDS = 5
"""Folds that the strength of the penalty is judged by."""
MOST_ROWS = 5000
"""Rows that are dealt into folds at the most."""
ENOUGH_JUDGED = 2000
"""Folds are judged one after the other until so many rows have been."""
WEAKEST, WEAKER = 0.01, 0.3
"""Where the last strength that was to be tried does best, weaker ones are, each this multiple of the one before."""
NEGLIGIBLE = 0.01
"""Shares below this are left out of an average."""


@frozen
class Folds:
    """Rows dealt into folds, each class evenly.

    Parameters
    ----------
    rows : ndarray of int
        Ascending.
    fold : ndarray of int
        The fold of each.
    """

    rows: Array
    fold: Array

    @classmethod
    def deal(cls, starts: Array, most: int, rng: np.random.Generator) -> Folds:
        """Draw at most so many rows, of every class its share, and deal them."""
        share = min(1.0, most / max(int(starts[-1]), 1))
        rows, fold, dealt = [], [], 0
        for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            size = int(np.ceil(share * (b - a)))
            rows.append(np.sort(a + rng.permutation(b - a)[:size]))
            fold.append(rng.permutation((dealt + np.arange(size)) % FOLDS))
            dealt += size
        return cls(np.concatenate(rows), np.concatenate(fold))

    @cached_property
    def parts(self) -> list[tuple[Array, Array]]:
        """The rows to learn from and those to judge by, fold by fold; a fold without rows is left out."""
        sizes = np.bincount(self.fold, minlength=FOLDS)
        before = np.cumsum(sizes) - sizes
        used = np.flatnonzero((sizes > 0) & (before < ENOUGH_JUDGED))
        return [(self.rows[self.fold != f], self.rows[self.fold == f]) for f in used.tolist()]

    @property
    def judged(self) -> Array:
        """The rows that are judged by, ascending."""
        return np.sort(np.concatenate([judging for _, judging in self.parts]))


@frozen
class Judged:
    """Parameters of every fold and strength, and how well they did.

    Parameters
    ----------
    strengths : list of float
        Those that were tried.
    scores : ndarray (strengths,)
        Σ w log P(y) over the rows that were judged.
    found : list of list of ndarray
        The parameters, by fold and strength.
    """

    strengths: list[float]
    scores: Array
    found: list[list[Array]]

    @property
    def starts(self) -> list[Array]:
        """Where to begin with all rows, by strength: the mean of the folds, whose parameters are of one form."""
        return [np.mean(by_fold, axis=0) for by_fold in zip(*self.found, strict=True)]


def judge(
    problems: Sequence[tuple[Problem, Problem]], strengths: Sequence[float], starts: Sequence[Array] | None = None
) -> Judged:
    """Settle weights on the rows of each fold's first problem, from the strongest penalty down; judge on the second.

    Where a penalty does so much worse than the best one that it has no share in an average, weaker ones, which take
    longest, are not tried; where the last does best, the next weaker one is.

    Parameters
    ----------
    problems : sequence of (Problem, Problem)
    strengths : sequence of float
    starts : sequence of ndarray, or None
        Where each fold begins; None begins with naive Bayes.
    """
    found: list[list[Array]] = [[] for _ in problems]
    scores: list[float] = []

    def fold(f: int, strength: float) -> float:
        learning, judging = problems[f]
        begin = found[f][-1] if found[f] else None if starts is None else starts[f]
        found[f].append(learning.solve_roughly(strength, begin))
        return -judging.loss(found[f][-1])[0]

    # a fold has a thread of its own: the kernels let others work, and what they give does not depend on it
    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(problems))) as pool:
        to_try = list(strengths)
        while len(scores) < len(to_try):  # ends: each is tried once, and none below the weakest
            strength = to_try[len(scores)]
            scores.append(sum(pool.map(fold, range(len(problems)), repeat(strength))))
            if scores[-1] < max(scores) + np.log(NEGLIGIBLE):
                break
            if len(scores) == len(to_try) and scores[-1] == max(scores) and WEAKER * strength >= WEAKEST:
                to_try.append(WEAKER * strength)
    return Judged(to_try[: len(scores)], np.array(scores), found)
