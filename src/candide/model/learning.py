"""Learning: from a table and its labels to statistics under a schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.distributions import Distribution
from candide.engines import summarize
from candide.schema.infer import infer_columns
from candide.schema.rows import Rows
from candide.schema.schema import SERVES, Schema
from candide.statistics import Statistics
from candide.statistics.learnt import Learnt
from candide.table import Table
from candide.table.labels import Labels

Array = np.ndarray[Any, Any]


def learn(
    table: Table,
    labels: Labels,
    weight: Array | None,
    plans: Sequence[Distribution],
    groups: tuple[tuple[int, ...], ...],
    known: Schema | None = None,
    target: str | None = None,
) -> Learnt:
    """Summarize a table: infer its schema, check the supports, count.

    Parameters
    ----------
    table : Table
    labels : Labels
    weight : ndarray (rows,) or None
    plans : sequence of Distribution
        One per column.
    groups : tuple of tuple of int
    known : Schema or None
        What was learnt before: a grid that it froze is used again.
    target : str or None
    """
    names: Sequence[str | int] = table.names if table.names is not None else range(table.n_columns)
    columns = infer_columns(table, plans, list(names), known)
    declared = np.zeros(len(labels.classes), dtype=bool)
    schema = Schema(columns, labels.classes, declared, target, groups)
    rows = Rows(table, schema)
    check_support(rows, plans)
    statistics = summarize(rows, labels.codes, weight)
    check_overflow(statistics, schema)
    return Learnt(schema, statistics).pruned()


LARGEST = 1e150
"""Numbers whose squares can still be added up."""


def check_overflow(statistics: Statistics, schema: Schema) -> None:
    """Refuse numbers whose squares overflow in columns that are kept as moments."""
    for name, m in (("moments", statistics.moments), ("log_moments", statistics.log_moments)):
        large = ((np.abs(m.mean) > LARGEST) | ~(m.m2 < LARGEST**2)).any(axis=0)
        if large.any():
            column = schema.columns[schema.stored[name][int(large.argmax())]]
            raise ValueError(
                f"column {column.name!r} holds numbers beyond {LARGEST:g}, whose variance overflows: measure it in a "
                "larger unit, or use 'bins'"
            )


def check_support(rows: Rows, plans: Sequence[Distribution]) -> None:
    """Refuse numbers that a column's distribution cannot give, naming the first."""
    for support in {plan.support.says: plan.support for plan in plans if plan.kind == "numbers"}.values():
        positions = np.array([j for j, plan in enumerate(plans) if plan.support is support and plan.kind == "numbers"])
        if support.says == "any number":
            continue
        sparse = rows.table.sparse
        if sparse is not None and not support.outside(np.zeros(1))[0] and len(positions) == sparse.shape[1]:
            outside = support.outside(sparse.data)
            if outside.any():
                k = int(np.flatnonzero(outside)[0])
                row = int(np.searchsorted(sparse.indptr, k, side="right")) - 1
                refuse(rows, plans, int(sparse.indices[k]), row, sparse.data[k])
            continue
        for part, batch in rows.batches(rows.spelt_out):
            x = batch.numbers(positions).astype(float, copy=False)
            outside = support.outside(x)
            if outside.any():
                row, i = (int(v[0]) for v in np.nonzero(outside))
                refuse(rows, plans, int(positions[i]), part.start + row, x[row, i])


def refuse(rows: Rows, plans: Sequence[Distribution], j: int, row: int, value: Any) -> None:
    """Raise the error of a number outside its column's support."""
    rule, name = plans[j], rows.schema.columns[j].name
    hint = "Negative values in data passed to it: " if value < 0 else ""
    raise ValueError(
        f"{hint}column {name!r}, row {row}: {float(value):g} is outside the support of {rule.name!r}, which takes "
        f"{rule.support.says}; use another distribution, such as 'bins' or 'normal'"
    )


def match_storage(plans: list[Distribution], known: Schema | None) -> list[Distribution]:
    """Refuse a distribution that the statistic kept of a column so far does not serve."""
    if known is None:
        return plans
    for rule, column in zip(plans, known.columns, strict=True):
        if column.blank and rule.storage in ("levels", "values"):
            continue
        if rule.storage != column.storage and rule.storage not in SERVES.get(column.storage, ()):
            raise ValueError(
                f"column {column.name!r} was kept as {column.storage}, and {rule!r} needs {rule.storage}: "
                f"refit, or keep the "
                "distributions of the first batch"
            )
    return plans
