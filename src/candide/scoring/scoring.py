"""Scoring: rows through a model and a combination, a bounded number of rows at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from candide.combination import Combination, likeliest, log_posterior, look_again
from candide.distributions.blocks import LeftOut, narrow
from candide.distributions.links import Link
from candide.frozen import frozen
from candide.model.model import Model
from candide.overlap import overlapped, workers
from candide.schema.rows import BATCH, Rows

Array = np.ndarray[Any, Any]


SCORES = 1 << 20
"""Scores that are held at a time where only the classes are asked for."""
NEAR, NEAR_CELLS, FEWEST = 1 << 15, 1 << 19, 1 << 8
"""Rows that are scored at a time, fewer of many columns: what is made of more leaves the near memory and costs."""
REPAYS = 1 << 19
"""Cells of a table from which on batches are scored by several threads at once."""


def score(model: Model, rule: Combination, rows: Rows) -> Array:
    """Return the scores (rows, classes)."""
    out = np.zeros((len(rows), len(model.classes)))

    def work(part: slice, batch: Rows) -> None:
        score_batch(model, rule, batch, out[part])

    each_batch(work, rows, near(model, rows))
    return out


def decide(model: Model, rule: Combination, rows: Rows) -> Array:
    """Return the class of the largest posterior of each row; no more scores are held than fit in a near memory."""
    size = max(1, min(near(model, rows), SCORES // len(model.classes)))
    out = np.empty(len(rows), dtype=np.int64)
    idle: list[Array] = []  # scores that no thread holds just now

    def work(part: slice, batch: Rows) -> None:
        scores = idle.pop() if idle else np.empty((min(size, len(rows)), len(model.classes)))
        held = scores[: len(batch)]
        held[:] = 0.0
        score_batch(model, rule, batch, held)
        out[part] = likeliest(held, model.log_prior)
        idle.append(scores)

    each_batch(work, rows, size)
    return out


def each_batch(work: Callable[[slice, Rows], None], rows: Rows, size: int) -> None:
    """Do some work on every batch of rows, on all cores where the cells of a matrix repay it.

    Coding the cells of a frame holds the interpreter, and threads would wait for each other.
    """
    batches = rows.batches(size)
    few = rows.table.matrix is None or len(rows) * rows.table.n_columns < REPAYS
    if few or len(rows) <= size or workers() == 1:
        for part, batch in batches:
            work(part, batch)
    else:
        for _ in overlapped(lambda item: work(*item), batches, workers()):
            pass


def near(model: Model, rows: Rows) -> int:
    """Return how many rows stay in the near memory when they are scored."""
    if rows.table.matrix is None or not all(block.by_rows for block in model.blocks):
        return at_once(model, rows)  # the columns of a frame are coded, which is done better with more rows
    return min(at_once(model, rows), NEAR, max(FEWEST, NEAR_CELLS // rows.table.n_columns))


def at_once(model: Model, rows: Rows) -> int:
    """Return how many rows are scored at a time."""
    return BATCH if all(block.reads_sparse for block in model.blocks) else rows.spelt_out


def score_batch(model: Model, rule: Combination, rows: Rows, out: Array, without: LeftOut | None = None) -> Array:
    """Write the scores of rows that fit in memory over zeros, and return log P(c).

    Each row is scored by the model without it where asked.
    """
    log_prior = model.log_prior if without is None else model.prior.without(without)
    model.add(rows, rule.link(log_prior), out, without)
    scores = rule.finish(out, log_prior)

    def sums(link: Link) -> Array:
        total = np.zeros_like(scores)
        model.add(rows, link, total, without)
        return total

    look_again(rule, scores, sums, log_prior)
    if scores is not out:
        out[:] = scores
    return log_prior


def leave_one_out(model: Model, rule: Combination, rows: Rows, without: LeftOut) -> Array:
    """Return log P(c | x) (rows, classes), each row by the model without it."""
    out = np.zeros((len(rows), len(model.classes)))
    for part, batch in rows.batches(rows.spelt_out):
        log_posterior(out[part], score_batch(model, rule, batch, out[part], without[part]))
    return out


@frozen
class Contributions:
    """The terms of scores before they were added.

    Parameters
    ----------
    prior : ndarray (classes,)
    terms : ndarray (rows, classes, attributes)
        0 where a cell says nothing.
    scores : ndarray (rows, classes)
    zeros : ndarray (rows, classes) or None
        How many attributes exclude each class, in rows that a rule looked at again; NaN in others.
    """

    prior: Array
    terms: Array
    scores: Array
    zeros: Array | None = None


def contributions(model: Model, rule: Combination, rows: Rows) -> Contributions:
    """Return what the prior and each attribute add, and the scores that they add up to."""
    log_prior = model.log_prior
    parts = [
        contributions_batch(model, rule, batch, log_prior)
        for _, batch in rows.batches(narrow(len(model.classes), len(model.attributes)))
    ]
    terms, scores, zeros = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    prior, contributed = rule.contributions(terms, log_prior)
    return Contributions(prior, contributed, scores, None if np.isnan(zeros).all() else zeros)


def contributions_batch(model: Model, rule: Combination, rows: Rows, log_prior: Array) -> tuple[Array, Array, Array]:
    """Return terms, scores and zeros of rows that fit in memory with every attribute apart."""
    terms = model.terms(rows, rule.link(log_prior))
    terms = np.where(np.isnan(terms), 0.0, terms)
    scores = rule.finish(terms.sum(axis=2), log_prior)
    zeros = look_again(rule, scores, lambda link: np.nansum(model.terms(rows, link), axis=2), log_prior)
    return terms, scores, np.full(scores.shape, np.nan) if zeros is None else zeros
