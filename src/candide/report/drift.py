"""Drift: what a model means now and what it meant before, both on one schema, column by column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from candide.combination import log_posterior
from candide.distributions.bins import add_up
from candide.estimator.classifier import Classifier
from candide.evaluate.performance import performance
from candide.report.columns import SEED, ByColumn, level_counts, variances
from candide.report.inputs import Input, whole_numbers
from candide.report.numbers import interval_names
from candide.report.plain import rounded
from candide.report.rows import JudgedRows
from candide.schema.probes import probe
from candide.scoring.scoring import score

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

INTERVALS = 10
"""Intervals of about equally many rows in which a density is compared."""


def on_one_schema(model: Classifier, older: Classifier) -> tuple[Classifier, Classifier]:
    """Return both models with the levels of both, and the cut points of the first."""
    if type(older) is not type(model):
        raise ValueError(
            f"a {type(model).__name__} and a {type(older).__name__} cannot be compared: fit both with one estimator"
        )
    try:
        both = model + older
    except ValueError as error:
        raise ValueError(f"the older model cannot be compared with this one: {error}") from None
    schema = replace(both.learnt_.schema, settled=model.schema_.settled)
    same = clone(model)
    same.schema = schema
    adopted = same._adopted()
    assert adopted is not None
    now, before = (same._with(each.learnt_.adopting(adopted), each._state.on_rows) for each in (model, older))
    return now, before


def tell_drift(
    model: Classifier, older: Classifier, judged: JudgedRows | None = None, log_proba: Array | None = None
) -> Facts:
    """Return how the prior, the columns and, where there are rows, the answers have moved.

    `log_proba` (rows, classes) is what the newer model says of the rows.
    """
    now, before = on_one_schema(model, older)
    (_, made), (_, made_before) = now._modelled(), before._modelled()
    evidence = now._state.evidence
    link = made.plan.combination.link(made.model.log_prior)
    attributes = ByColumn.of(made.model, evidence, link)
    attributes = replace(attributes, inputs=[coarse(attributes, j) for j in range(len(attributes.inputs))])
    earlier = ByColumn.of(made_before.model, before._state.evidence, link)
    earlier = replace(earlier, inputs=attributes.inputs)
    classes = [str(label) for label in made.model.classes.tolist()]
    out: Facts = {
        "classes": classes,
        "rows": {"before": float(before.class_counts_.sum()), "after": float(now.class_counts_.sum())},
        "prior": {"before": made_before.model.prior.alpha, "after": made.model.prior.alpha},
        "columns": both(earlier, attributes),
    }
    if judged is not None and log_proba is not None:
        out["answers"] = answers(model, older, judged, log_proba)
    return out


def coarse(attributes: ByColumn, j: int) -> Input:
    """Return how a column is asked for when it is compared: numbers in intervals of about equally many rows."""
    asked, evidence = attributes.inputs[j], attributes.evidence
    if asked.kind != "density":
        return asked
    if evidence.schema.columns[j].axis is None:
        return Input("untold", [])
    values, counts = evidence.values(j)
    used = counts.any(axis=0)
    if not used.any():
        return Input("bins", [0.0], interval_names(np.zeros(0), False, asked.measure), np.zeros(0))
    values, share = values[used], np.cumsum(counts.sum(axis=0)[used]) / float(counts.sum())
    at = np.searchsorted(share, np.arange(1, INTERVALS) / INTERVALS)
    cuts = np.unique(values[at.clip(max=len(values) - 1)])
    cuts = cuts[cuts < values[-1]]  # where most rows have one value, it is an interval of its own
    ends = np.concatenate([[0.0], share[np.searchsorted(values, cuts)], [1.0]])
    middle = values[np.searchsorted(share, (ends[:-1] + ends[1:]) / 2).clip(max=len(values) - 1)]  # of its rows
    names = interval_names(cuts, whole_numbers(evidence, j), asked.measure)
    return Input("bins", middle.tolist(), names, cuts)


def both(before: ByColumn, after: ByColumn) -> list[Facts]:
    """Return what every column said before and says now, with how often each of its levels occurred."""
    cells = {j: asked.cells for j, asked in enumerate(after.inputs) if asked.cells}
    told = [tables(attributes, cells) for attributes in (before, after)]
    return [
        {
            "name": str(after.model.names[j]),
            "position": j,
            "levels": after.inputs[j].levels,
            "before": told[0][j],
            "after": told[1][j],
        }
        for j in cells
        if after.own[j]
    ]


def tables(attributes: ByColumn, cells: dict[int, list[Any]]) -> dict[int, Facts]:
    """Return what each column says at cells: logarithms and their deviations (K, cells), and how often they occur."""
    rows = probe(attributes.evidence.schema, cells)
    terms = np.nan_to_num(attributes.model.terms(rows, attributes.link), nan=0.0, neginf=-np.inf)
    spread = variances(attributes.model, rows, np.random.default_rng(SEED))
    out = {}
    for j, asked in cells.items():
        mine, n = attributes.own[j], len(asked)
        out[j] = {
            "log": rounded(terms[:n][:, :, mine].sum(axis=2).T),
            "sd": rounded(np.sqrt(spread[:n][:, :, mine].sum(axis=2)).T, 4),
            "counts": counted(attributes, j).sum(axis=0),
        }
    return out


def counted(attributes: ByColumn, j: int) -> Array:
    """Return how many rows of each class have each level or interval."""
    asked = attributes.inputs[j]
    if asked.cuts is not None and not asked.forms:
        return add_up(*attributes.evidence.values(j), asked.cuts)
    return level_counts(attributes, j)


def answers(model: Classifier, older: Classifier, judged: JudgedRows, mine: Array) -> Facts:
    """Return how both models do on the newer rows, and on how many of them they disagree."""
    theirs = reordered(log_probabilities(older, judged), older.classes_, model.classes_)
    known = judged.y >= 0
    truth, weight = judged.y[known], judged.weight[known]
    prior = model.model_.prior.alpha
    apart = mine[known].argmax(axis=1) != theirs[known].argmax(axis=1)

    def told(log_proba: Array) -> Facts:
        found = performance(truth, log_proba[known], prior, weight=weight)
        return {name: found[name] for name in ("accuracy", "log_loss")}

    return {
        "rows": float(weight.sum()),
        "disagree": float(weight @ apart) / float(weight.sum()),
        "older": told(theirs),
        "newer": told(mine),
        "left_out": judged.learnt,  # of the newer model alone: the older cannot tell which of them it has learnt
    }


def log_probabilities(model: Classifier, judged: JudgedRows) -> Array:
    """Return log P(c | x) of rows that are taken as new."""
    _, made = model._modelled()
    rows = type(judged.rows)(judged.rows.table, model.learnt_.schema, "ignore")
    return log_posterior(score(made.model, made.plan.combination, rows), made.model.log_prior)


def reordered(log_proba: Array, classes: Array, wanted: Array) -> Array:
    """Return log-probabilities in the order of other classes; minus infinity for one that was not known."""
    place = {label: c for c, label in enumerate(classes.tolist())}
    out = np.full((len(log_proba), len(wanted)), -np.inf)
    for c, label in enumerate(wanted.tolist()):
        if label in place:
            out[:, c] = log_proba[:, place[label]]
    return out
