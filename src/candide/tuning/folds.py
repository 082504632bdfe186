"""Folds: how well weights settled on some rows tell the class of others, for every strength of the penalty."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.tuning.problem import Problem

Array = np.ndarray[Any, Any]

FOLDS = 5
"""Folds that the strength of the penalty is judged by."""
MOST_ROWS = 5000
"""Rows that are dealt into folds at the most."""


@dataclass(frozen=True, eq=False)
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

    @property
    def parts(self) -> list[tuple[Array, Array]]:
        """The rows to learn from and those to judge by, fold by fold; a fold without rows is left out."""
        return [(self.rows[self.fold != f], self.rows[self.fold == f]) for f in range(FOLDS) if (self.fold == f).any()]


@dataclass(frozen=True, eq=False)
class Judged:
    """Parameters of every fold and strength, and how well they did.

    Parameters
    ----------
    scores : ndarray (strengths,)
        Σ w log P(y) over all rows that were dealt.
    found : list of list of ndarray
        The parameters, by fold and strength.
    """

    scores: Array
    found: list[list[Array]]


def judge(
    problems: Sequence[tuple[Problem, Problem]], strengths: Sequence[float], starts: Sequence[Array] | None = None
) -> Judged:
    """Settle weights on the rows of each fold's first problem, from the strongest penalty down; judge on the second.

    Parameters
    ----------
    problems : sequence of (Problem, Problem)
    strengths : sequence of float
    starts : sequence of ndarray, or None
        Where each fold begins: the first parameters, the others being zero. None begins with naive Bayes.
    """

    def fold(both: tuple[Problem, Problem], start: Array | None) -> tuple[list[float], list[Array]]:
        learning, judging = both
        scores: list[float] = []
        found: list[Array] = []
        begin = None if start is None else np.pad(start, (0, len(learning.layout.start) - len(start)))
        for strength in strengths:
            found.append(learning.solve(strength, found[-1] if found else begin, threads=1))
            scores.append(-judging.loss(found[-1])[0])
        return scores, found

    # a fold has a thread of its own: the kernels let others work, and what they give does not depend on it
    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(problems))) as pool:
        done = list(pool.map(fold, problems, [None] * len(problems) if starts is None else starts))
    return Judged(np.sum([scores for scores, _ in done], axis=0), [found for _, found in done])
