"""Drawing: rows from a model, and models from the posterior of their parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.combination import Combination, log_posterior
from candide.model.model import Model
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring.scoring import score

Array = np.ndarray[Any, Any]

DRAWN_CELLS = 1 << 24
"""Posterior probabilities kept at a time while intervals are made."""


def sample(model: Model, n: int, rng: np.random.Generator) -> tuple[dict[int, Array], Array]:
    """Draw n rows: a class by the prior, then every block's cells given the class."""
    codes = rng.choice(len(model.classes), size=n, p=model.prior.alpha)
    cells: dict[int, Array] = {}
    for block in model.blocks:
        cells.update(block.sample(rng, codes))
    return cells, codes


def as_frame(cells: dict[int, Array], schema: Schema) -> Any:
    """Return drawn cells as a data frame where the columns have names, else as an array."""
    columns = [cells[j] for j in range(len(schema.columns))]
    if not isinstance(schema.columns[0].name, str):
        numbers = all(c.dtype.kind == "f" for c in columns)
        return np.column_stack(columns if numbers else [c.astype(object) for c in columns])
    frame = dict(zip(schema.names, columns, strict=True))
    try:
        import pandas as pd
    except ImportError:
        import polars as pl

        return pl.DataFrame({name: column.tolist() for name, column in frame.items()})
    return pd.DataFrame(frame)


def intervals(model: Model, rule: Combination, rows: Rows, level: float, draws: int, rng: np.random.Generator) -> Array:
    """Return equal-tailed credible intervals (rows, classes, 2) of the posterior probabilities.

    The same models are drawn again for every batch of rows, since a thousand models of many columns fill the memory.
    """
    seed = int(rng.integers(np.iinfo(np.int64).max))
    k = len(model.classes)
    out = np.empty((len(rows), k, 2))
    ends = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    size = max(1, DRAWN_CELLS // max(1, draws * k))
    for part, batch in rows.batches(size):
        again = np.random.default_rng(seed)
        drawn = (model.draw(again) for _ in range(draws))
        posterior = np.stack([np.exp(log_posterior(score(m, rule, batch), m.log_prior)) for m in drawn])
        out[part] = np.moveaxis(np.quantile(posterior, ends, axis=0), 0, 2)
    return out
