"""Learning: from a table and its labels to statistics under a schema, and the algebra of what was learnt."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from candide.schema.schema import Schema
from candide.statistics import Moments, Statistics
from candide.table.labels import read_labels

Array = np.ndarray[Any, Any]


class PrecisionWarning(UserWarning):
    """A subtraction left few digits of a moment."""


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
        before = self.statistics.align(self.schema, schema)
        after = before - other.statistics.align(other.schema, schema)
        check_nonnegative(after, schema)
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
