"""Evidence: what a column is worth, on its own and beyond the others, each row scored by the model without it.

alone  = mean over rows of log P(c | x_i) − log P(c)
beyond = mean over rows of log P(c | x) − log P(c | x without column i)

A score is a sum, so what is left without a column is the sum less one term: one pass over the rows serves all columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.combination import Combination, log_posterior
from candide.distributions.bins import add_up
from candide.distributions.blocks import KEPT_APART, LeftOut, narrow
from candide.frozen import frozen
from candide.report.cells import by_cells
from candide.report.columns import ByColumn
from candide.report.means import LEAST, Mean
from candide.schema.probes import probe
from candide.schema.rows import Rows
from candide.scoring.scoring import score_batch

Array = np.ndarray[Any, Any]

MOST_VALUES = 2048
"""Values of a column and class that are asked; of more, evenly spaced ones."""


TOGETHER = 1 << 18
"""Scores of items, rows and classes that are worked on at a time."""


@frozen
class Worth:
    """What an item is worth: alone, beyond the others, and how the model does without it."""

    alone: Mean
    beyond: Mean
    right: Mean
    """How often the class is right without it, less how often it is right."""

    def facts(self, accuracy: float, log_loss: float) -> dict[str, Any]:
        """Return all of it, beside how the model does with it."""
        return {
            "alone": self.alone.facts(),
            "beyond": self.beyond.facts(),
            "without": {"accuracy": accuracy + self.right.mean, "log_loss": log_loss + self.beyond.mean,
                        "gained": self.right.facts()},
        }  # fmt: skip


def by_rows(
    attributes: ByColumn, rule: Combination, rows: Rows, y: Array, weight: Array, learnt: bool
) -> tuple[Array, list[Worth]]:
    """Score rows, and weigh every item of `attributes.items`.

    Parameters
    ----------
    attributes : ByColumn
    rule : Combination
    rows : Rows
    y : ndarray of int (rows,)
        Classes, all known.
    weight : ndarray (rows,)
    learnt : bool
        Whether the rows were learnt: each is then scored by the model without it.

    Returns
    -------
    log_proba : ndarray (rows, classes)
    worths : list of Worth
    """
    model, items = attributes.model, attributes.items
    sums = np.zeros((len(items), len(SUMS)))
    out = np.zeros((len(rows), len(model.classes)))
    for part, batch in rows.batches(narrow(len(model.classes), max(len(model.attributes), 1))):
        left = LeftOut(y[part], weight[part]) if learnt else None
        log_prior = score_batch(model, rule, batch, out[part], left)
        log_posterior(out[part], log_prior)
        if items:
            terms = model.terms(batch, rule.link(log_prior), left)
            weigh(sums, items, rule, Weighed(terms, log_prior, out[part], y[part], weight[part]))
    n = float(weight.sum())
    return out, [Worth(Mean(n, a, aa), Mean(n, b, bb), Mean(n, r, rr)) for a, aa, b, bb, r, rr in sums.tolist()]


SUMS = ("alone", "alone²", "beyond", "beyond²", "right", "right²")
"""What is summed over rows, by item."""


@frozen
class Weighed:
    """Rows that are weighed together: terms (rows, K, attributes), log P(c), log P(c | x), classes and weights."""

    terms: Array
    log_prior: Array
    log_proba: Array
    y: Array
    weight: Array

    def of_truth(self, log_proba: Array) -> Array:
        """Return log-probabilities (..., rows, K) of the true classes, not below the least."""
        return of_truth(log_proba, self.y)


def of_truth(log_proba: Array, y: Array) -> Array:
    """Return log-probabilities (..., rows, K) of the classes of rows, not below the least."""
    return np.asarray(np.maximum(log_proba[..., np.arange(len(y)), y], np.log(LEAST)))


def weigh(sums: Array, items: list[tuple[tuple[int, ...], list[int]]], rule: Combination, rows: Weighed) -> None:
    """Add a batch of rows to the sums (items, 6) of what items are worth."""
    prior = np.broadcast_to(rows.log_prior, rows.log_proba.shape)
    before = rows.of_truth(log_posterior(prior.copy(), prior))
    after = rows.of_truth(rows.log_proba)
    right = rows.log_proba.argmax(axis=1) == rows.y
    impossible = np.isneginf(rows.terms)
    finite = np.where(np.isfinite(rows.terms), rows.terms, 0.0)
    total, excluded = finite.sum(axis=2), impossible.sum(axis=2)
    together = max(1, TOGETHER // max(1, prior.size))
    for start in range(0, len(items), together):
        mine = [own for _, own in items[start : start + together]]
        own, out = by_item(finite, mine), by_item(impossible, mine)
        alone = posteriors(np.where(out > 0, -np.inf, own), prior, rule)
        rest = posteriors(np.where(excluded > out, -np.inf, total - own), prior, rule)
        gained = (rest.argmax(axis=2) == rows.y).astype(float) - right
        gains = (rows.of_truth(alone) - before, after - rows.of_truth(rest), gained)
        added = [power @ rows.weight for gain in gains for power in (gain, gain**2)]
        sums[start : start + together] += np.stack(added, axis=1)


def by_item(terms: Array, items: list[list[int]]) -> Array:
    """Return the sums (items, rows, K) of terms (rows, K, attributes) over the attributes of each item."""
    starts = np.cumsum([0, *map(len, items[:-1])])
    own = terms[:, :, np.concatenate(items)].astype(float)
    return np.moveaxis(np.add.reduceat(own, starts, axis=2), 2, 0)


def posteriors(sums: Array, prior: Array, rule: Combination) -> Array:
    """Return log P(c | what is summed) of sums (items, rows, K)."""
    k = prior.shape[1]
    priors = np.broadcast_to(prior, sums.shape).reshape(-1, k)
    return log_posterior(rule.finish(np.ascontiguousarray(sums).reshape(-1, k), priors), priors).reshape(sums.shape)


def by_counts(attributes: ByColumn, rule: Combination) -> dict[int, Mean]:
    """Return what each counted column is worth alone, from the counts: what a row says depends on its cell and class.

    A column of which only moments are kept is not told here.
    """
    evidence, model = attributes.evidence, attributes.model
    told = by_cells(attributes)
    others = [j for (j, *more), _ in attributes.items if not more and j not in told]
    asked = {j: cells_and_counts(attributes, j) for j in others}
    known = {j: found for j, found in asked.items() if found is not None}
    if not known:
        return told
    out = {j: Mean() for j in known}
    for c in range(len(model.classes)):
        some = {j: pairs(cells, counts[c]) for j, (cells, counts) in known.items()}
        rows = probe(evidence.schema, {j: cells for j, (cells, _) in some.items()})
        without = LeftOut(np.full(len(rows), c), np.ones(len(rows)))
        log_prior = model.prior.without(without)
        terms = model.terms(rows, rule.link(log_prior), without)
        together = max(1, KEPT_APART // max(1, terms[:, :, 0].size))
        positions = list(some)
        for start in range(0, len(positions), together):
            part = positions[start : start + together]
            own = np.stack([np.nansum(terms[:, :, attributes.own[j]], axis=2) for j in part])
            for j, gain in zip(part, gains(own, log_prior, rule, c), strict=True):
                cells, counts = some[j]
                silent = float(evidence.class_counts[c]) - counts.sum()  # rows without the cell gain nothing
                out[j].add(np.append(gain[: len(cells)], 0.0), np.append(counts, max(silent, 0.0)))
    return told | out


def gains(terms: Array, log_prior: Array, rule: Combination, c: int) -> Array:
    """Return log P(c | x_i) − log P(c) (columns, rows) from terms (columns, rows, K), not below the least."""
    said = posteriors(terms, np.broadcast_to(log_prior, terms.shape[1:]), rule)[:, :, c]
    before = log_posterior(log_prior.copy(), log_prior)[:, c]
    return np.asarray(np.maximum(said, np.log(LEAST)) - np.maximum(before, np.log(LEAST)))


def cells_and_counts(attributes: ByColumn, j: int) -> tuple[list[Any], Array] | None:
    """Return the cells of a column and their counts (K, cells); None where they are not kept."""
    evidence, asked = attributes.evidence, attributes.inputs[j]
    column = evidence.schema.columns[j]
    if column.axis is None or asked.kind in ("words", "untold"):
        return None
    if column.kind != "numbers":
        counts = evidence.counts(j)
        return ([*column.axis.levels.tolist(), None], np.roll(counts, -1, axis=1)) if asked.missing else (
            column.axis.levels.tolist(), counts[:, 1:])  # fmt: skip
    values, counts = evidence.values(j)
    if asked.cuts is None:
        return values.tolist(), counts
    ends = np.append(asked.cuts, np.nextafter(asked.cuts[-1], np.inf)) if len(asked.cuts) else np.zeros(1)
    counts = add_up(values, counts, asked.cuts)
    if not asked.missing:
        return ends.tolist(), counts
    return [*ends.tolist(), None], np.column_stack([counts, evidence.missing(j)])


def pairs(cells: list[Any], counts: Array) -> tuple[list[Any], Array]:
    """Return the cells that occur in a class and their weights; of many, evenly spaced ones that stand for all."""
    at = np.flatnonzero(counts > 0)
    if len(at) > MOST_VALUES:
        some = at[np.linspace(0, len(at) - 1, MOST_VALUES).round().astype(np.int64)]
        weight = counts[some] * (counts[at].sum() / counts[some].sum())
        return [cells[i] for i in some.tolist()], weight
    return [cells[i] for i in at.tolist()], counts[at].astype(float)
