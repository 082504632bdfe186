"""Settling: from rows that a model has learnt to the weights of its evidence.

Strengths of the penalty are averaged, not chosen, by how well they do on folds of the rows; what is averaged are the
parameters, so that the score stays one sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.model.model import Model
from candide.model.weights import ColumnWeight, PairWeight, Slope, Weights
from candide.schema.rows import Rows
from candide.tuning.folds import MOST_ROWS, Folds, Judged, judge
from candide.tuning.pairs import BEST_COLUMNS, Cells, cells_of_rows, fineness
from candide.tuning.problem import Problem, Terms
from candide.tuning.views import Evidence, View, evidence_of, tells

Array = np.ndarray[Any, Any]

STRENGTHS = (100.0, 30.0, 10.0, 3.0, 1.0)
"""Strengths of the penalty that are averaged, strongest first."""
WITH_PAIRS = (10.0, 3.0, 1.0, 0.5)
"""The same with pairs, as multiples of the best without."""
ENOUGH = 300
"""Rows from which on pairs are looked for."""
NEGLIGIBLE = 0.01
"""Shares below this are left out of an average."""


@dataclass(frozen=True, eq=False)
class Average:
    """Parameters of several strengths, and their shares."""

    problem: Problem
    strengths: Array
    shares: Array

    def solve(self) -> Array:
        """Return the mean of the parameters, each settled on all rows."""
        kept = self.shares >= NEGLIGIBLE
        total, p = np.zeros(len(self.problem.layout.start)), None
        for strength, share in zip(self.strengths[kept], self.shares[kept] / self.shares[kept].sum(), strict=True):
            p = self.problem.solve(float(strength), p)
            total += share * p
        return total


def shares_of(scores: Array, factor: float) -> Array:
    """Return shares ∝ exp(factor · score)."""
    weight = np.exp((scores - scores.max()) * factor)
    return np.asarray(weight / weight.sum())


def settle(
    model: Model,
    parts: Sequence[Rows],
    y: Array,
    weight: Array,
    *,
    columns: bool = True,
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
    columns : bool
        Whether columns have weights of their own, and not one for all.
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
    n = float(weight.sum())
    unit = min(1.0, n / len(weight))
    evidence = evidence_of(model, parts, y, weight, unit)
    problem = Problem.of(evidence, ridge, columns)
    if not columns:
        terms = problem.layout.split(problem.solve(STRENGTHS[-1]))
        return told(evidence, problem, terms, [], None, labels, len(y), learnt)
    rng = np.random.default_rng(seed)
    folds = Folds.deal(evidence.starts, MOST_ROWS, rng)
    factor = n / float(evidence.weight[folds.rows].sum())
    judged = judge([(problem.only(a), problem.only(b)) for a, b in folds.parts()], STRENGTHS)
    plain = Average(problem, np.array(STRENGTHS), shares_of(judged.scores, factor))
    terms = problem.layout.split(plain.solve())
    if not pairs or n < ENOUGH:
        return told(evidence, problem, terms, [], None, labels, len(y), learnt)
    return with_pairs(evidence, problem, judged, folds, factor, parts, terms, pairs, labels, learnt, model)


def with_pairs(
    evidence: Evidence, problem: Problem, judged: Judged, folds: Folds, factor: float, parts: Sequence[Rows],
    terms: Terms, pairs: int, labels: Array, learnt: float, model: Model,
) -> Weights:  # fmt: skip
    """Look for pairs, and settle all weights again with them."""
    n = float(evidence.weight.sum())
    cells = cells_of_rows(parts, columns_for_pairs(evidence, model), evidence.order, fineness(n))
    best = int(np.argmax(judged.scores))
    plain_p = join_terms(problem, terms)
    out_of_fold = np.exp(problem.log_proba(plain_p))
    for (_, judging), found in zip(folds.parts(), judged.found, strict=True):
        out_of_fold[judging] = np.exp(problem.only(judging).log_proba(found[best]))
    found_pairs = cells.search(np.arange(len(problem)), *mistakes(evidence, out_of_fold), pairs)
    if not found_pairs:
        return told(evidence, problem, terms, [], cells, labels, len(problem), learnt)
    strengths = np.array(WITH_PAIRS) * STRENGTHS[best]
    problems = []
    for (learning, judging), found in zip(folds.parts(), judged.found, strict=True):
        chosen = found_pairs
        if len(problem) <= MOST_ROWS:
            inside = problem.only(learning)
            p = out_of_fold[learning]
            left, curve = mistakes_of(evidence.y[learning], evidence.weight[learning], p)
            chosen = cells.search(learning, left, curve, pairs)
        more = [problem.only(rows).joined(*cells.together(chosen, rows)) for rows in (learning, judging)]
        problems.append((more[0], more[1]))
    again = judge(problems, strengths)
    whole = problem.joined(*cells.together(found_pairs))
    share = shares_of(np.array([*again.scores, judged.scores[best]]), factor)
    share_of_pairs = 1.0 - share[-1]
    padded = np.concatenate([plain_p, np.zeros(len(whole.layout.start) - len(plain_p))])
    if share_of_pairs < NEGLIGIBLE:
        return told(evidence, problem, terms, [], cells, labels, len(problem), learnt)
    mean = Average(whole, strengths, share[:-1] / share_of_pairs).solve()
    mixed = whole.layout.split(share_of_pairs * mean + share[-1] * padded)
    return told(evidence, whole, mixed, found_pairs, cells, labels, len(problem), learnt)


def join_terms(problem: Problem, terms: Terms) -> Array:
    """Return parameters in one array."""
    shifts = terms.shifts if problem.layout.shifting else terms.shifts[:0]
    return np.concatenate([[terms.theta], [terms.tau], shifts, terms.bias, terms.slopes.ravel(), terms.entries.ravel()])


def mistakes(evidence: Evidence, p: Array) -> tuple[Array, Array]:
    """Return residuals and curvatures of probabilities."""
    return mistakes_of(evidence.y, evidence.weight, p)


def mistakes_of(y: Array, weight: Array, p: Array) -> tuple[Array, Array]:
    """Return w ([c = y] − P(c)) and w P(c) (1 − P(c))."""
    left = -p
    left[np.arange(len(y)), y] += 1.0
    return left * weight[:, None], p * (1.0 - p) * weight[:, None]


def columns_for_pairs(evidence: Evidence, model: Model) -> list[int]:
    """Return the columns that may be in pairs: the best of those that stand alone."""
    alone = {block.names[i]: at[0] for (block, i), at in zip(model.attributes, model.columns, strict=True) if len(at) == 1}
    views = [view for view in evidence.views[1:] if view.name in alone]
    if len(views) > BEST_COLUMNS:
        views = sorted(views, key=lambda view: -tells(view, model.log_prior))[:BEST_COLUMNS]
    return sorted({int(alone[view.name]) for view in views})


def told(
    evidence: Evidence, problem: Problem, terms: Terms, pairs: Sequence[tuple[int, int]], cells: Cells | None,
    labels: Array, rows: int, learnt: float,
) -> Weights:  # fmt: skip
    """Return parameters by name."""
    layout = problem.layout
    columns: dict[Any, ColumnWeight] = {}
    line, entry = 0, 0
    for i, view in enumerate(evidence.views[1:]):
        numbers = view.z is not None and layout.n_lines > 0
        start = layout.offsets[i + 1]
        known = len(view.z) if view.z is not None else 0
        free = int(((layout.free >= start + known) & (layout.free < layout.offsets[i + 2])).sum())
        slope = Slope(view.mean, view.spread, terms.slopes[line]) if numbers else None
        by_level = terms.entries[entry : entry + free]
        columns[view.name] = ColumnWeight(
            float(terms.shifts[i]), slope, tuple(view.cells[known:]) if free else (), by_level
        )
        line, entry = line + numbers, entry + free
    for i, name in enumerate(evidence.loose):
        columns[name] = ColumnWeight(float(terms.shifts[len(evidence.views) - 1 + i]))
    found = []
    for a, b in pairs:
        assert cells is not None
        one, other = cells.coarse[a], cells.coarse[b]
        size = one.size * other.size
        table = terms.entries[entry : entry + size].reshape(one.size, other.size, -1)
        found.append(PairWeight(one, other, table))
        entry += size
    return Weights(labels, terms.theta, terms.bias, terms.tau, columns, tuple(found), rows, learnt)
