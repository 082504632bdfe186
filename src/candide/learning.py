"""Learning: from a table and its labels to statistics under a schema, and the algebra of what was learnt."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from candide.distributions import Distribution
from candide.engines import summarize
from candide.inference import infer_columns
from candide.labels import Labels, read_labels
from candide.rows import Rows
from candide.schema import SERVES, Schema
from candide.statistics import Moments, Statistics
from candide.tables import Table

Array = np.ndarray[Any, Any]


class PrecisionWarning(UserWarning):
    """Few digits of a moment are left: by a subtraction, or since squares of small numbers vanish."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """Statistics and the schema that says what they are of: a value with `+`, `-` and scaling."""

    schema: Schema
    statistics: Statistics

    def __add__(self, other: Learnt) -> Learnt:
        schema = self.schema.union(other.schema)
        return Learnt(
            schema,
            self.statistics.align(self.schema, schema) + other.statistics.align(other.schema, schema),
        ).pruned()

    def __sub__(self, other: Learnt) -> Learnt:
        schema = self.schema.union(other.schema)
        check_known(self.schema, other.schema, schema)
        before, gone = self.statistics.align(self.schema, schema), other.statistics.align(other.schema, schema)
        after = before - gone
        check_nonnegative(after, schema)
        check_held(before, gone, schema)
        warn_lost(before, after, schema)
        return Learnt(schema, after).pruned()

    def scale(self, factor: float) -> Learnt:
        """Multiply every weight."""
        if not np.isfinite(factor) or factor < 0:
            raise ValueError(f"statistics are scaled by a number that is not negative, not by {factor!r}")
        return Learnt(self.schema, self.statistics.scale(factor)).pruned()

    def pruned(self) -> Learnt:
        """Leave out undeclared levels and classes without weight."""
        schema, statistics = self.statistics.prune(self.schema)
        return Learnt(schema, statistics)


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
    warn_vanishing(statistics, schema)
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


SMALLEST = 1e-150
"""Numbers whose squares have all their digits."""


def warn_vanishing(statistics: Statistics, schema: Schema) -> None:
    """Warn of columns kept as moments whose numbers are all so small that their squares vanish: they say nothing."""
    for name, m in (("moments", statistics.moments), ("log_moments", statistics.log_moments)):
        whole = m.pooled()
        differ = (whole.m2 > 0) | ((m.n > 0) & (m.mean != whole.mean)).any(axis=0)
        small = differ & (np.abs(whole.mean) < SMALLEST) & (whole.var < SMALLEST**2)
        if small.any():
            names = ", ".join(repr(schema.columns[j].name) for j in schema.stored[name][small])
            warnings.warn(
                f"column {names} holds numbers below {SMALLEST:g}, whose variance vanishes, so that they tell little "
                "or nothing: measure it in a smaller unit, or use 'bins'",
                PrecisionWarning,
                stacklevel=4,
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


def check_known(old: Schema, batch: Schema, both: Schema) -> None:
    """Refuse to forget labels, levels or values that were never learnt."""
    new = [c for c in batch.classes.tolist() if c not in old.classes.tolist()]
    if new:
        raise ValueError(f"cannot forget rows of class {new[0]!r}: no such row was learnt")
    for a, b, c in zip(old.columns, batch.columns, both.columns, strict=True):
        if a.n_cells < c.n_cells and not c.frozen and b.levels is not None:
            new = [level for level in b.levels.tolist() if level not in a.index]
            raise ValueError(f"cannot forget {new[0]!r} in column {c.name!r}: no such row was learnt")


def check_nonnegative(stats: Statistics, schema: Schema) -> None:
    """Refuse counts below zero: rows are forgotten that were never learnt."""
    if (stats.classes.table < 0).any():
        c = int(np.flatnonzero(stats.classes.table < 0)[0])
        raise ValueError(f"cannot forget more rows of class {schema.classes.tolist()[c]!r} than were learnt")
    if (stats.cells.table < 0).any():
        c, cell = (int(v[0]) for v in np.nonzero(stats.cells.table < 0))
        j = next(j for j in schema.stored["cells"] if schema.cells(j).start <= cell < schema.cells(j).stop)
        level = schema.columns[j].cell_values.tolist()[cell - schema.cells(j).start]
        raise ValueError(
            f"cannot forget {level!r} in column {schema.columns[j].name!r} for class {schema.classes.tolist()[c]!r} "
            f"more often than it "
            "was learnt"
        )
    for name, table in (("moments", stats.moments.n), ("log_moments", stats.log_moments.n)):
        if (table < 0).any():
            j = schema.stored[name][int(np.nonzero(table < 0)[1][0])]
            raise ValueError(f"cannot forget more cells of column {schema.columns[j].name!r} than were learnt")
    if (stats.missing.table < 0).any() or (stats.unknown.table < 0).any():
        raise ValueError("cannot forget more missing cells than were learnt")
    if (stats.totals.table < 0).any():
        j = schema.stored["totals"][int(np.nonzero(stats.totals.table < 0)[1][0])]
        raise ValueError(f"cannot forget more of column {schema.columns[j].name!r} than was learnt")
    for joint, group in zip(stats.joints, schema.groups, strict=True):
        if (joint.counts.table < 0).any():
            names = [schema.columns[j].name for j in group]
            raise ValueError(f"cannot forget a combination of {names} more often than it was learnt")


def check_held(before: Statistics, gone: Statistics, schema: Schema) -> None:
    """Refuse to forget numbers that the moments cannot hold."""
    for name, storage in (("moments", "moments"), ("log_moments", "log_moments"), ("log_x", "log_moments")):
        strange = getattr(before, name).cannot_hold(getattr(gone, name))
        if strange.any():
            c, slot = (int(v[0]) for v in np.nonzero(strange))
            column, label = schema.columns[schema.stored[storage][slot]], schema.classes.tolist()[c]
            raise ValueError(
                f"cannot forget these numbers in column {column.name!r} for class {label!r}: they were never learnt, "
                "or their digits were lost when far larger ones were forgotten; forget rows as they were learnt, or "
                "refit"
            )


def warn_lost(before: Statistics, after: Statistics, schema: Schema) -> None:
    """Warn of columns whose moments lost their digits in a subtraction."""
    pairs: list[tuple[str, Moments, Moments]] = [
        ("moments", before.moments, after.moments),
        ("log_moments", before.log_moments, after.log_moments),
    ]
    for name, a, b in pairs:
        lost = b.lost(a).any(axis=0)
        if lost.any():
            names = ", ".join(repr(schema.columns[j].name) for j in schema.stored[name][lost])
            warnings.warn(
                f"forgetting left few digits of the variance of column {names}: the rows forgotten were far "
                f"larger than those "
                "that remain; refit on them to regain precision",
                PrecisionWarning,
                stacklevel=4,
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


def adopt(schema: Schema, learnt: Learnt) -> Learnt:
    """Return what was learnt under a given schema: its levels are there, declared, even where none occurred."""
    columns = tuple(
        c if c.levels is None or c.storage == "values" else replace(c, declared=len(c.levels)) for c in schema.columns
    )
    base = Schema(columns, schema.classes, np.ones(len(schema.classes), dtype=bool), schema.target, schema.groups)
    return Learnt(base, Statistics.zero(base)) + learnt


def with_classes(learnt: Learnt, classes: Any) -> Learnt:
    """Declare classes: they are there even if no row shows them."""
    given = read_labels(classes, len(classes)).classes
    s = learnt.schema
    if len(s.classes) and s.declared.any():
        strange = [c for c in given.tolist() if c not in s.classes.tolist()]
        if strange:
            raise ValueError(
                f"`classes={list(classes)!r}` is not the same as on last call to partial_fit, was: "
                f"{s.classes.tolist()!r}"
            )
    base = Schema(s.columns, given, np.ones(len(given), dtype=bool), s.target, s.groups)
    return Learnt(base, Statistics.zero(base)) + learnt
