"""Rounds: weights of the columns alone, then with pairs found in what a round left over, each judged on folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.tuning.evidence import LeftOutEvidence
from candide.tuning.folds import MOST_ROWS, Folds, Judged, judge
from candide.tuning.layout import Layout
from candide.tuning.pairs import CoarseRows, Together
from candide.tuning.problem import Problem

Array = np.ndarray[Any, Any]

FEW = 13.0
"""Of a handful of rows weak penalties do best by luck: one that is e times as strong is favoured by (13 / n)² nats."""
BATCH = 10_000
"""Rows whose probabilities are found at a time: with pairs, their codes are larger than those of columns alone."""


@frozen
class Tried:
    """A layout of parameters and a strength of their penalty, and how well the weights did that they gave.

    Parameters
    ----------
    layout : Layout
    strength : float or None
        None: the parameters are where they start, whatever the rows.
    score : float
    start : ndarray
        Where to begin.
    """

    layout: Layout
    strength: float | None
    score: float
    start: Array

    def solve(self, rows: Problem, begin: Array | None = None) -> Array:
        """Return the parameters, settled on all rows, from where another strength ended if that is given."""
        if self.strength is None:
            return self.start
        return rows.narrowed(self.layout).solve(self.strength, self.start if begin is None else begin)


@frozen
class Round:
    """What was judged: columns alone, or with the pairs that were found.

    Parameters
    ----------
    layout : Layout
        Of all rows.
    pairs : Together
    by_fold : list of (Together, Layout)
        The pairs of every fold: the same, or those found without the rows that it is judged by.
    judged : Judged
    starts : list of ndarray
        Where to begin with all rows, by strength.
    """

    layout: Layout
    pairs: Together
    by_fold: list[tuple[Together, Layout]]
    judged: Judged
    starts: list[Array]

    @property
    def best(self) -> int:
        """Which strength did best."""
        return int(np.argmax(self.judged.scores))

    @property
    def tried(self) -> list[Tried]:
        """A candidate for each strength that was tried."""
        of_strengths = zip(self.judged.strengths, self.judged.scores.tolist(), self.starts, strict=True)
        return [Tried(self.layout, *one) for one in of_strengths]


@frozen
class Search:
    """What weights are settled on.

    Parameters
    ----------
    evidence : LeftOutEvidence
    alone : Problem
        Of the columns without pairs.
    cells : CoarseRows
    folds : Folds
    """

    evidence: LeftOutEvidence
    alone: Problem
    cells: CoarseRows
    folds: Folds

    @property
    def factor(self) -> float:
        """How much more all rows weigh than those that were judged."""
        return float(self.evidence.weight.sum() / self.folds.judged.weight.sum())

    @property
    def favour(self) -> float:
        """Nats that a penalty e times as strong is favoured by before it is judged."""
        return float((FEW / self.evidence.weight.sum()) ** 2)

    def untuned(self, strongest: float) -> list[Tried]:
        """Judge naive Bayes as it is, and the prior alone, favoured as the strongest penalty is."""
        layout, judged = self.alone.layout, self.alone.only(*self.folds.judged)
        both = (layout.start, 0.0), (layout.silent, self.favour * float(np.log(strongest)))
        return [Tried(layout, None, favour - judged.loss(p)[0], p) for p, favour in both]

    def first(self, strengths: Sequence[float]) -> Round:
        """Judge weights of the columns without pairs."""
        none = Together.found(self.cells, [])
        folds = [(self.alone.only(*learning), self.alone.only(*judging)) for learning, judging in self.folds.parts]
        judged = judge(folds, strengths, self.favour)
        layout = self.alone.layout
        return Round(layout, none, [(none, layout)] * len(folds), judged, judged.starts)

    def next(self, last: Round, most: int, steps: Sequence[float]) -> Round | None:
        """Look for pairs in what a round left over, and judge weights with them; None where there are none.

        Few rows are looked through again inside each fold, so that the choice of pairs is paid for.

        Parameters
        ----------
        last : Round
        most : int
            How many pairs it may find.
        steps : sequence of float
            Strengths of the penalty, as multiples of the best of the last round.
        """
        looked = self.cells.enough(np.arange(len(self.alone)), self.evidence.n_classes)
        residual, curvature = mistakes(self.evidence, looked, self.out_of_fold(last, looked))
        found = self.cells.search(looked, residual, curvature, most, last.pairs.pairs)
        if not found:
            return None
        pairs = last.pairs.more(found)
        whole = self.layout(pairs)
        by_fold = [(pairs, whole)] * len(last.by_fold)
        again = len(self.alone) <= MOST_ROWS
        if again:
            by_fold = []
            for (before, _), (learning, _) in zip(last.by_fold, self.folds.parts, strict=True):
                at, weight = learning.within(looked)
                share = (weight / self.evidence.weight[looked[at]])[:, None]
                left = share * residual[at], share * curvature[at]
                mine = before.more(self.cells.search(looked[at], *left, most, before.pairs))
                by_fold.append((mine, self.layout(mine)))
        del residual, curvature  # of many rows these are large
        folds = [
            (joined(self.alone, *mine, *learning), joined(self.alone, *mine, *judging))
            for mine, (learning, judging) in zip(by_fold, self.folds.parts, strict=True)
        ]
        best = last.best
        strengths = [last.judged.strengths[best] * step for step in steps]
        starts = [
            narrow.widened(of_fold[best], wide)
            for (_, narrow), of_fold, (_, wide) in zip(last.by_fold, last.judged.found, by_fold, strict=True)
        ]
        judged = judge(folds, strengths, self.favour, starts)
        begin = [last.layout.widened(last.starts[best], whole)] * len(judged.strengths)
        return Round(whole, pairs, by_fold, judged, begin if again else judged.starts)

    def layout(self, pairs: Together) -> Layout:
        """Return the layout of the columns with pairs of them."""
        return self.alone.layout.joined(pairs.sizes, pairs.products)

    def out_of_fold(self, last: Round, rows: Array) -> Array:
        """Return P(c | x) of rows, ascending, by a round's best weights: of those judged, by weights of the others."""
        found = [of_fold[last.best] for of_fold in last.judged.found]
        shared = all(mine is last.pairs for mine, _ in last.by_fold)
        out, total = np.zeros((len(rows), self.evidence.n_classes)), np.zeros(len(rows))
        for mine, p, (_, judging) in zip(last.by_fold, found, self.folds.parts, strict=True):
            at, weight = judging.within(rows)
            out[at] += weight[:, None] * np.exp(joined(self.alone, *mine, rows[at]).log_proba(p))
            total[at] += weight
        others, p = np.flatnonzero(total == 0), np.mean(found, axis=0) if shared else found[0]
        for first in range(0, len(others), BATCH):
            at = others[first : first + BATCH]
            out[at] = np.exp(joined(self.alone, *last.by_fold[0], rows[at]).log_proba(p))
        total[others] = 1.0
        out /= total[:, None]
        return out


def joined(problem: Problem, pairs: Together, layout: Layout, rows: Array, weight: Array | None = None) -> Problem:
    """Return the problem with pairs of columns, of some rows."""
    return problem.only(rows, weight).joined(pairs.behind(problem.codes, rows), layout)


def mistakes(evidence: LeftOutEvidence, rows: Array, p: Array) -> tuple[Array, Array]:
    """Return w ([c = y] − P(c)) and w P(c) (1 − P(c)) of rows; the second is written over P(c)."""
    y, w = evidence.y[rows], evidence.weight[rows, None]
    left = 1.0 - p
    p *= left
    p *= w
    left -= 1.0
    left[np.arange(len(y)), y] += 1.0
    left *= w
    return left, p
