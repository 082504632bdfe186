"""Drawing: rows from a model, and models from the posterior of their parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.combination import Combination, Product, log_posterior
from candide.distributions.blocks import narrow
from candide.model.model import Model
from candide.reading.table_reading import Name
from candide.schema.rows import Rows
from candide.scoring.scoring import score
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]

DRAWN_CELLS = 1 << 24
"""Posterior probabilities kept at a time while intervals are made."""


FEW_ROWS = 16
"""Rows for which the terms are drawn that they ask for, and not whole models."""

NORMALS = 1000
"""Normal numbers that stand for the scores of a class, where there are more than two."""


def sample(model: Model, n: int, rng: np.random.Generator) -> tuple[dict[int, Array], Array]:
    """Draw n rows: a class by the prior, then every block's cells given the class."""
    codes = rng.choice(len(model.classes), size=n, p=model.prior.alpha)
    cells: dict[int, Array] = {}
    for block in model.blocks:
        cells.update(block.sample(rng, codes))
    return cells, codes


def as_given(cells: dict[int, Array], evidence: Evidence, model: Model) -> dict[Name, Array]:
    """Return drawn cells as the columns that a table has, by name: dates as dates, from whose parts was learnt."""
    schema = evidence.schema
    names = schema.names
    if not schema.reading.columns:
        return {name: cells[j] for j, name in enumerate(names)}
    rules = model.settled.distributions
    silent = [name for name, rule in zip(names, rules, strict=True) if rule.name == "nothing"] if rules else []
    ends = {name: seen for name in schema.reading.measures if (seen := ends_of(evidence, names.index(name)))}
    return schema.reading.unread({name: cells[j] for j, name in enumerate(names)}, silent, ends)


def ends_of(evidence: Evidence, j: int) -> tuple[float, float] | None:
    """Return the least and the largest number that were seen of a column; None where they were not kept."""
    seen = evidence.seen(j)
    return (float(seen[0]), float(seen[-1])) if len(seen) else None


def as_frame(columns: dict[Name, Array]) -> Any:
    """Return columns as a data frame where they have names, else as an array."""
    if not isinstance(next(iter(columns)), str):
        numbers = all(c.dtype.kind == "f" for c in columns.values())
        return np.column_stack([c if numbers else c.astype(object) for c in columns.values()])
    try:
        import pandas as pd
    except ImportError:
        import polars as pl

        return pl.DataFrame({name: column.tolist() for name, column in columns.items()})
    return pd.DataFrame(columns)


def intervals(model: Model, rule: Combination, rows: Rows, level: float, draws: int, rng: np.random.Generator) -> Array:
    """Return equal-tailed credible intervals (rows, classes, 2) of the posterior probabilities.

    The same models are drawn again for every batch of rows, since a thousand models of many columns fill the memory.
    """
    ends = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    if isinstance(rule, Product) and len(rows) <= FEW_ROWS:
        return np.moveaxis(np.quantile(np.exp(drawn_terms(model, rows, draws, rng)), ends, axis=0), 0, 2)
    seed = int(rng.integers(np.iinfo(np.int64).max))
    k = len(model.classes)
    out = np.empty((len(rows), k, 2))
    size = max(1, DRAWN_CELLS // max(1, draws * k))
    for part, batch in rows.batches(size):
        again = np.random.default_rng(seed)
        drawn = (model.draw(again) for _ in range(draws))
        posterior = np.stack([np.exp(log_posterior(score(m, rule, batch), m.log_prior)) for m in drawn])
        out[part] = np.moveaxis(np.quantile(posterior, ends, axis=0), 0, 2)
    return out


def row_interval(model: Model, rows: Rows, row: int, level: float = 0.95) -> Array:
    """Return credible intervals (classes, 2) of P(c | x) of one row under the product."""
    out: Array = closed_intervals(model, rows.slice(row, row + 1), level, np.random.default_rng(0))[0]
    return out


def drawn_terms(model: Model, rows: Rows, draws: int, rng: np.random.Generator) -> Array:
    """Return log P(c | x) (draws, rows, classes) under the product, drawing only what these rows ask for."""
    log_prior = np.repeat(model.prior.draw_log(rng, draws)[:, None], len(rows), axis=1)
    scores = log_prior.copy()
    for block in model.blocks:
        block.add_draws(rows, scores, rng)
    k = scores.shape[2]
    return log_posterior(scores.reshape(-1, k), log_prior.reshape(-1, k)).reshape(scores.shape)


def closed_intervals(model: Model, rows: Rows, level: float, rng: np.random.Generator) -> Array:
    """Return credible intervals (rows, classes, 2) of P(c | x) under the product, without drawing models.

    The log scores of classes are taken as normal and independent, with the variances of their terms added up. The
    log-odds of two classes are then normal as well; of more classes, scores are drawn.
    """
    from scipy.special import expit, ndtri, softmax

    scores = score(model, Product(), rows)
    variance = np.tile(model.prior.variance, (len(rows), 1))
    for part, batch in rows.batches(narrow(len(model.classes), len(model.attributes))):
        for block in model.blocks:
            block.add_variance(batch, variance[part], rng)
    log_p = log_posterior(scores, model.log_prior)
    ends = (1.0 - level) / 2.0, (1.0 + level) / 2.0
    if len(model.classes) == 2:
        odds, spread = log_p - log_p[:, ::-1], np.sqrt(variance.sum(axis=1, keepdims=True))
        return np.stack([expit(odds + float(ndtri(end)) * spread) for end in ends], axis=2)
    # evenly spread normal numbers, the same for every row, each class in an order of its own
    normal = rng.permuted(np.tile(ndtri((np.arange(NORMALS) + 0.5) / NORMALS), (len(model.classes), 1)), axis=1)
    out = np.empty((*log_p.shape, 2))
    size = max(1, DRAWN_CELLS // (NORMALS * len(model.classes)))
    for start in range(0, len(log_p), size):
        part = slice(start, start + size)
        drawn = log_p[part, :, None] + np.sqrt(variance[part, :, None]) * normal
        out[part] = np.moveaxis(np.quantile(softmax(drawn, axis=1), ends, axis=2), 0, 2)
    # the posterior itself lies inside, however few numbers stand for the normal
    out[..., 0], out[..., 1] = np.minimum(out[..., 0], np.exp(log_p)), np.maximum(out[..., 1], np.exp(log_p))
    return out
