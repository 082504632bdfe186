"""Settling: from rows that a model has learnt to the weights of its evidence.

Several kinds of weights, each under penalties of several strengths, are judged on folds of the rows and averaged, not
chosen, by how well they do. What is averaged are the parameters, so that the score stays one sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from candide.model.model import Model
from candide.model.weights import Weights
from candide.schema.rows import Rows
from candide.tuning.folds import MOST_ROWS, NEGLIGIBLE, Folds, Judged, judge
from candide.tuning.pairs import BEST_COLUMNS, CoarseRows, Together, cells_of_rows, fineness
from candide.tuning.problem import Problem
from candide.tuning.telling import told
from candide.tuning.views import LeftOutEvidence, evenly, evidence_of, tells

Array = np.ndarray[Any, Any]

STRENGTHS = (100.0, 30.0, 10.0, 3.0, 1.0, 0.3)
"""Strengths of the penalty that are averaged, strongest first."""
WITH_PAIRS = (10.0, 3.0, 1.0, 0.5)
"""The same with pairs, as multiples of the best without."""
ENOUGH = 300
"""Rows from which on pairs are looked for."""
WORK = 50_000_000
"""Rows times classes times columns at the most; of more rows, evenly spaced ones are used."""


@dataclass(frozen=True, eq=False)
class Tried:
    """A problem and a strength of its penalty, and how well the weights did that they gave.

    Parameters
    ----------
    problem : Problem
        Of all rows.
    strength : float or None
        None: naive Bayes, as it is.
    score : float
    start : ndarray
        Where to begin.
    """

    problem: Problem
    strength: float | None
    score: float
    start: Array

    def solve(self) -> Array:
        """Return the parameters, settled on all rows."""
        return self.start if self.strength is None else self.problem.solve(self.strength, self.start)


@dataclass(frozen=True, eq=False)
class Search:
    """What weights are settled on.

    Parameters
    ----------
    evidence : LeftOutEvidence
    folds : Folds
    pairs : int
        How many pairs of columns are looked for at the most.
    """

    evidence: LeftOutEvidence
    folds: Folds
    pairs: int

    @property
    def factor(self) -> float:
        """How much more all rows weigh than those that were judged."""
        return float(self.evidence.weight.sum() / self.evidence.weight[self.folds.judged].sum())

    def judged(self, problem: Problem, strengths: Sequence[float]) -> tuple[Judged, list[Tried]]:
        """Judge weights of a problem under penalties."""
        folds = [(problem.only(learning), problem.only(judging)) for learning, judging in self.folds.parts]
        judged = judge(folds, strengths)
        return judged, candidates(problem, strengths, judged, judged.starts)

    def naive(self, problem: Problem) -> Tried:
        """Judge naive Bayes as it is."""
        start = problem.layout.start
        return Tried(problem, None, -problem.only(self.folds.judged).loss(start)[0], start)

    def out_of_fold(self, problem: Problem, judged: Judged) -> Array:
        """Return P(c | x) of all rows by the best weights: of rows that were judged, by those settled without them."""
        best = int(np.argmax(judged.scores))
        out = problem.log_proba(np.mean([found[best] for found in judged.found], axis=0))
        np.exp(out, out=out)
        for (_, judging), found in zip(self.folds.parts, judged.found, strict=True):
            out[judging] = np.exp(problem.only(judging).log_proba(found[best]))
        return out

    def paired(self, problem: Problem, judged: Judged, cells: CoarseRows) -> tuple[Together, list[Tried]]:
        """Look for pairs in what is left over, and judge weights with them.

        Few rows are looked through again inside each fold, so that the choice of pairs is paid for.
        """
        evidence = self.evidence
        residual, curvature = mistakes(evidence, self.out_of_fold(problem, judged))
        pairs = cells.search(np.arange(len(problem)), residual, curvature, self.pairs)
        together = Together.found(cells, pairs)
        if not pairs:
            return together, []
        again = len(problem) <= MOST_ROWS
        if not again:
            del residual, curvature  # of many rows these are large
        folds = []
        for learning, judging in self.folds.parts:
            found = together
            if again:
                mine = cells.search(learning, residual[learning], curvature[learning], self.pairs)
                found = Together.found(cells, mine)
            folds.append((joined(problem, found, learning), joined(problem, found, judging)))
        whole = joined(problem, together)
        best = int(np.argmax(judged.scores))
        strengths = [STRENGTHS[best] * step for step in WITH_PAIRS]
        starts = [
            problem.layout.widened(found[best], learning.layout)
            for found, (learning, _) in zip(judged.found, folds, strict=True)
        ]
        with_pairs = judge(folds, strengths, starts)
        begin = [problem.layout.widened(judged.starts[best], whole.layout)] * len(strengths)
        return together, candidates(whole, strengths, with_pairs, begin if again else with_pairs.starts)


def joined(problem: Problem, pairs: Together, rows: Array | None = None) -> Problem:
    """Return the problem with pairs of columns, of some rows or of all."""
    some = problem if rows is None else problem.only(rows)
    codes = pairs.behind(problem.codes, slice(None) if rows is None else rows)
    return some.joined(codes, pairs.sizes, pairs.products)


def candidates(problem: Problem, strengths: Sequence[float], judged: Judged, starts: Sequence[Array]) -> list[Tried]:
    """Return a candidate for each strength that was tried, and where each begins."""
    scores = judged.scores.tolist()
    return [Tried(problem, *one) for one in zip(strengths[: len(scores)], scores, starts[: len(scores)], strict=True)]


def average(tried: Sequence[Tried], factor: float) -> Array:
    """Return the mean of the candidates' parameters, by shares ∝ exp(factor · score); the last has them all."""
    scores = np.array([candidate.score for candidate in tried])
    shares = np.exp((scores - scores.max()) * factor)
    shares = np.where(shares >= NEGLIGIBLE * shares.sum(), shares, 0.0)
    wide = tried[-1].problem.layout
    total = np.zeros(len(wide.start))
    for candidate, share in zip(tried, shares / shares.sum(), strict=True):
        if share:
            total += share * candidate.problem.layout.widened(candidate.solve(), wide)
    return total


def settle(
    model: Model,
    parts: Sequence[Rows],
    y: Array,
    weight: Array,
    *,
    ridge: bool = True,
    pairs: int = 30,
    seed: int = 0,
) -> Weights:
    """Settle the weights of a model's evidence on rows that it has learnt.

    Parameters
    ----------
    model : Model
    parts : sequence of Rows
    y, weight : ndarray (rows,)
        Class codes and weights; every weight is positive.
    ridge : bool
        Whether numbers and levels add something besides.
    pairs : int
        How many pairs of columns at the most do.
    seed : int
        Of the folds.
    """
    labels, learnt = model.classes, float(np.sum(model.prior.counts))
    if len(labels) < 2:
        return Weights.once(labels, len(y), learnt)
    parts, y, weight = evenly(parts, y, weight, WORK // (len(labels) * max(len(model.attributes), 1)))
    n = float(weight.sum())
    evidence = evidence_of(model, parts, y, weight, min(1.0, n / len(weight)))
    among = columns_for_pairs(evidence, model) if pairs and n >= ENOUGH else []
    cells = cells_of_rows(parts, among, evidence.order, evidence.weight, fineness(n))
    evidence, kept = evidence.gathered(cells.codes)
    cells = replace(cells, codes=cells.codes[kept])
    del kept, parts  # what is settled on is all in codes: the peak of memory is still to come
    problem = Problem.of(evidence, ridge)
    folds = Folds.deal(evidence.starts, MOST_ROWS, np.random.default_rng(seed))
    search = Search(evidence, folds, pairs)
    judged, tried = search.judged(problem, STRENGTHS)
    tried.append(search.naive(problem))
    found, more = search.paired(problem, judged, cells)
    if more:
        tried = [max(tried, key=lambda candidate: candidate.score), *more]
    layout = tried[-1].problem.layout
    return told(evidence, layout, average(tried, search.factor), labels, learnt, len(y), found)


def mistakes(evidence: LeftOutEvidence, p: Array) -> tuple[Array, Array]:
    """Return w ([c = y] − P(c)) and w P(c) (1 − P(c)); the second is written over P(c)."""
    y, w = evidence.y, evidence.weight[:, None]
    left = -p
    left[np.arange(len(y)), y] += 1.0
    p -= p * p
    p *= w
    left *= w
    return left, p


def columns_for_pairs(evidence: LeftOutEvidence, model: Model) -> list[int]:
    """Return the columns that may be in pairs: the best of those that stand alone."""
    alone = {
        block.names[i]: at[0] for (block, i), at in zip(model.attributes, model.columns, strict=True) if len(at) == 1
    }
    views = [view for view in evidence.views[1:] if view.name in alone]
    if len(views) > BEST_COLUMNS:
        views = sorted(views, key=lambda view: -tells(view, model.log_prior))[:BEST_COLUMNS]
    return sorted({int(alone[view.name]) for view in views})
