"""Settling: from rows that a model has learnt to the weights of its evidence.

Several kinds of weights, each under penalties of several strengths, are judged on folds of the rows and averaged, not
chosen, by how well they do. What is averaged are the parameters, so that the score stays one sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide import native
from candide.model.model import Model
from candide.model.weights import Weights
from candide.schema.rows import Rows
from candide.tuning.evidence import LeftOutEvidence, evenly, evidence_of
from candide.tuning.folds import MOST_ROWS, NEGLIGIBLE, Folds
from candide.tuning.layout import STIFF
from candide.tuning.pairs import BEST_COLUMNS, cells_of_rows, fineness
from candide.tuning.problem import Problem
from candide.tuning.rounds import Search, Tried
from candide.tuning.telling import weights_of
from candide.tuning.views import tells

Array = np.ndarray[Any, Any]

STRENGTHS = (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1)
"""Strengths of the penalty that are averaged, strongest first."""
ROUNDS: tuple[tuple[float, Sequence[float]], ...] = ((1.0, (3.0, 1.0, 0.3)), (0.5, (1.0, 0.3)))
"""Rounds of looking for pairs, each in what the one before left over: the share of the pairs asked for that each may
find, and its penalties as multiples of the best of the round before."""
PULL = 0.05
"""τ is drawn by what all weights may seem to gain, but not by more than this for each row."""
PER_COLUMN = 0.5
"""τ is drawn to n / (n + so much for each column): what few rows err in adds up over columns."""
CROWDED = 4.0
"""Of m columns and fewer than 4 m rows, τ is held to that 4 m / n times as strongly: so few rows cannot tell it."""
ENOUGH = 300
"""Rows from which on pairs are looked for."""
LARGE = 1 << 20
"""Codes from which on memory that was freed is given back before those of pairs are made."""
WORK = 50_000_000
"""Rows times classes times columns at the most; of more rows, evenly spaced ones are used."""


def average(tried: Sequence[Tried], factor: float, rows: Problem) -> Array:
    """Return the mean of the candidates' parameters, by shares ∝ exp(factor · score), each settled on all rows."""
    scores = np.array([candidate.score for candidate in tried])
    shares = np.exp((scores - scores.max()) * factor)
    shares = np.where(shares >= NEGLIGIBLE * shares.sum(), shares, 0.0)
    total = np.zeros(len(rows.layout.start))
    ended: dict[int, Array] = {}
    for candidate, share in zip(tried, shares / shares.sum(), strict=True):
        if share:
            found = candidate.solve(rows, ended.get(id(candidate.layout)))
            total += share * candidate.layout.widened(found, rows.layout)
            ended[id(candidate.layout)] = found
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
    equal = evidence.equal(cells.codes)
    cells = replace(cells, codes=cells.codes[equal.rows])
    evidence = evidence.gathered(equal)
    del equal, parts  # what is settled on is all in codes: the peak of memory is still to come
    problem = Problem.of(evidence, ridge)
    folds = Folds.deal(evidence.starts, evidence.weight, MOST_ROWS, np.random.default_rng(seed))
    problem = drawn(problem, folds)
    search = Search(evidence, problem, cells, folds)
    last = search.first(STRENGTHS)
    tried = [*last.tried, *search.untuned(STRENGTHS[0])]
    for share, steps in ROUNDS:
        more = search.next(last, int(np.ceil(share * pairs)), steps)
        if more is None:
            break
        last, tried = more, [max(tried, key=lambda candidate: candidate.score), *more.tried]
    if evidence.codes.size > LARGE:
        native.give_back()  # else the largest array comes on top of what was freed before it
    whole, factor = problem.joined(last.pairs.behind(evidence.codes), last.layout), search.factor
    evidence = replace(evidence, codes=whole.codes)
    del problem, search  # the codes without pairs, which are large
    found = average(tried, factor, whole)
    return weights_of(evidence, whole.layout, found, labels, learnt, len(y), last.pairs)


def drawn(problem: Problem, folds: Folds) -> Problem:
    """Return the problem with τ drawn below one where rows are few, and to what it is under the strongest penalty.

    There numbers and levels add next to nothing. Under weaker ones these could tell all that the evidence tells, and a
    τ below zero would gain, on the rows at hand alone, what every weight may seem to by their having been left out.
    """
    n = float(problem.weight.sum())
    pull = min(float(problem.layout.leaks.sum()), PULL * n)
    columns = len(problem.layout.leaks)
    believed, held = n / (n + PER_COLUMN * columns), STIFF * max(1.0, CROWDED * columns / n)
    layout = replace(problem.layout, believed=believed, held=held, pull=pull)
    tau = float(replace(problem, layout=layout).only(folds.rows).solve_roughly(STRENGTHS[0])[1])
    return replace(problem, layout=replace(layout, towards=tau))


def columns_for_pairs(evidence: LeftOutEvidence, model: Model) -> list[int]:
    """Return the columns that may be in pairs: the best of those that stand alone."""
    alone = {
        block.names[i]: at[0] for (block, i), at in zip(model.attributes, model.columns, strict=True) if len(at) == 1
    }
    views = [view for view in evidence.views[1:] if view.name in alone]
    if len(views) > BEST_COLUMNS:
        views = sorted(views, key=lambda view: -tells(view, model.log_prior))[:BEST_COLUMNS]
    return sorted({int(alone[view.name]) for view in views})
