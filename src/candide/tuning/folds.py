"""Folds: how well weights settled on some rows tell the class of others, for every strength of the penalty."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import repeat
from typing import Any, NamedTuple

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


class Portion(NamedTuple):
    """Rows, ascending, and how much each of them weighs.

    Parameters
    ----------
    rows : ndarray of int
    weight : ndarray (rows,)
    """

    rows: Array
    weight: Array

    @classmethod
    def of(cls, rows: Array, weight: Array) -> Portion:
        """Leave rows without weight out."""
        some = weight > 0
        return cls(rows[some], weight[some])

    def within(self, rows: Array) -> tuple[Array, Array]:
        """Return where among other rows, ascending, these are, and what they weigh."""
        return np.flatnonzero(np.isin(rows, self.rows)), self.weight[np.isin(self.rows, rows)]


@frozen
class Folds:
    """Rows dealt into folds, each class evenly.

    A row of weight three is three rows that are equal, each in a fold of its own. Were all in one, a table of few
    different rows would be judged by rows whose like is not learnt, or is of the other classes alone.

    Parameters
    ----------
    rows : ndarray of int
        Ascending.
    dealt : ndarray (rows, FOLDS)
        How much of the weight of each row is in each fold.
    """

    rows: Array
    dealt: Array

    @classmethod
    def deal(cls, starts: Array, weight: Array, most: int, rng: np.random.Generator) -> Folds:
        """Draw at most so many rows, of every class its share, and deal them."""
        share = min(1.0, most / max(int(starts[-1]), 1))
        drawn, first, begun = [], [], 0
        for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            size = int(np.ceil(share * (b - a)))
            drawn.append(np.sort(a + rng.permutation(b - a)[:size]))
            first.append(rng.permutation((begun + np.arange(size)) % FOLDS))
            begun += size
        rows = np.concatenate(drawn)
        turn = (np.arange(FOLDS) - np.concatenate(first)[:, None]) % FOLDS
        rounds, rest = np.divmod(weight[rows, None], FOLDS)
        return cls(rows, rounds + np.clip(rest - turn, 0.0, 1.0))

    @cached_property
    def parts(self) -> list[tuple[Portion, Portion]]:
        """What to learn from and what to judge by, fold by fold; a fold without rows is left out."""
        whole = self.dealt.sum(axis=1)
        return [
            (Portion.of(self.rows, np.where(mine == whole, 0.0, whole - mine)), Portion.of(self.rows, mine))
            for mine in self.dealt[:, self.used].T
        ]

    @cached_property
    def used(self) -> Array:
        """The folds that are judged."""
        sizes = (self.dealt > 0).sum(axis=0)
        before = np.cumsum(sizes) - sizes
        return np.flatnonzero((sizes > 0) & (before < ENOUGH_JUDGED))

    @property
    def judged(self) -> Portion:
        """What is judged by in all."""
        return Portion.of(self.rows, self.dealt[:, self.used].sum(axis=1))


@frozen
class Judged:
    """Parameters of every fold and strength, and how well they did.

    Parameters
    ----------
    strengths : list of float
        Those that were tried.
    scores : ndarray (strengths,)
        Σ w log P(y) over the rows that were judged, and what strong penalties are favoured by.
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
    problems: Sequence[tuple[Problem, Problem]],
    strengths: Sequence[float],
    favour: float = 0.0,
    starts: Sequence[Array] | None = None,
) -> Judged:
    """Settle weights on the rows of each fold's first problem, from the strongest penalty down; judge on the second.

    Where a penalty does so much worse than the best one that it has no share in an average, weaker ones, which take
    longest, are not tried; where the last does best, the next weaker one is.

    Parameters
    ----------
    problems : sequence of (Problem, Problem)
    strengths : sequence of float
    favour : float
        What is added to the score of a penalty e times as strong.
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
            scores.append(sum(pool.map(fold, range(len(problems)), repeat(strength))) + favour * np.log(strength))
            if scores[-1] < max(scores) + np.log(NEGLIGIBLE):
                break
            if len(scores) == len(to_try) and scores[-1] == max(scores) and WEAKER * strength >= WEAKEST:
                to_try.append(WEAKER * strength)
    return Judged(to_try[: len(scores)], np.array(scores), found)
