"""All statistics of a table under one schema, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from candide.schema.schema import Column, Schema
from candide.statistics.arrays import Array
from candide.statistics.counts import Counts
from candide.statistics.joint import Joint
from candide.statistics.moments import Moments


@dataclass(frozen=True, eq=False)
class Statistics:
    """Class counts, level counts, moments, totals and joint counts: zero, `+`, `-`, scaling, JSON.

    Parameters
    ----------
    classes : Counts (K,)
    cells : Counts (K, L)
        Level and value counts, flat over the counted columns.
    missing : Counts (K, D)
        Missing cells of the counted columns.
    moments : Moments (K, D)
    log_moments, log_x : Moments (K, D)
        Of x and of log x, for the columns that need both.
    totals : Counts (K, D)
        Sums of x.
    unknown : Counts (K, D) or (K, 1)
        Missing cells of the summed columns; one column of zeros while there are none.
    joints : tuple of Joint
        One per group of columns.
    """

    classes: Counts
    cells: Counts
    missing: Counts
    moments: Moments
    log_moments: Moments
    log_x: Moments
    totals: Counts
    unknown: Counts
    joints: tuple[Joint, ...] = ()

    @classmethod
    def zero(cls, schema: Schema) -> Statistics:
        """Return the statistics of no rows."""
        k, where = len(schema.classes), schema.stored
        logs = len(where["log_moments"])
        return cls(
            classes=Counts.zero(k),
            cells=Counts.zero(k, int(schema.offsets[-1])),
            missing=Counts.zero(k, len(where["cells"])),
            moments=Moments.zero(k, len(where["moments"])),
            log_moments=Moments.zero(k, logs),
            log_x=Moments.zero(k, logs),
            totals=Counts.zero(k, len(where["totals"])),
            unknown=Counts.zero(k, 1),
            joints=tuple(Joint.zero(k, *group_shape(schema, group)) for group in schema.groups),
        )

    def _zip(self, other: Statistics, function: Callable[[Any, Any], Any]) -> Statistics:
        pairs = {name: function(getattr(self, name), getattr(other, name)) for name in PARTS}
        return Statistics(**pairs, joints=tuple(function(a, b) for a, b in zip(self.joints, other.joints, strict=True)))

    def _map(self, function: Callable[[Any], Any]) -> Statistics:
        parts = {name: function(getattr(self, name)) for name in PARTS}
        return Statistics(**parts, joints=tuple(function(j) for j in self.joints))

    def __add__(self, other: Statistics) -> Statistics:
        return self._zip(other, lambda a, b: a + b)

    def __sub__(self, other: Statistics) -> Statistics:
        return self._zip(other, lambda a, b: a - b)

    def scale(self, factor: float) -> Statistics:
        """Multiply every weight by a number."""
        return self._map(lambda part: part.scale(factor))

    def align(self, old: Schema, new: Schema) -> Statistics:
        """Rewrite statistics made under `old` as statistics under `new`, which holds all of `old`."""
        if old is new:
            return self
        out = self._align_classes(old, new)
        moved = [j for j in new.stored["cells"] if not new.columns[j].same_domain(old.columns[j])]
        if not moved:
            return out
        index = np.empty(int(old.offsets[-1]), dtype=np.int64)
        changed = set(moved)
        for j in new.stored["cells"]:
            cells = old.cells(j)
            inside = new.columns[j].cells_of(old.columns[j]) if j in changed else np.arange(cells.stop - cells.start)
            index[cells] = new.cells(j).start + inside
        joints = tuple(align_joint(joint, group, old, new) for joint, group in zip(out.joints, new.groups, strict=True))
        return replace(out, cells=out.cells.move(1, index, int(new.offsets[-1])), joints=joints)

    def _align_classes(self, old: Schema, new: Schema) -> Statistics:
        if len(old.classes) == len(new.classes):
            return self
        index, size = new.class_index(old), len(new.classes)
        return self._map(
            lambda part: part.move_classes(index, size) if isinstance(part, Joint) else part.move(0, index, size)
        )

    def prune(self, schema: Schema) -> tuple[Schema, Statistics]:
        """Leave out undeclared levels and classes whose count returned to zero, so that forgetting is exact."""
        keep = schema.declared | (self.classes.table != 0)
        stats, classes, declared = self, schema.classes, schema.declared
        if not keep.all():
            stats = self._map(lambda p: p.take_classes(keep) if isinstance(p, Joint) else p.take(0, keep))
            classes, declared = classes[keep], declared[keep]
        used: Array = np.any(stats.cells.table, axis=0)
        columns = list(schema.columns)
        for j in schema.stored["cells"]:
            cells, column = schema.cells(j), schema.columns[j]
            if column.frozen:
                used[cells] = True
            elif column.levels is not None:
                used[cells.start : cells.start + column.declared] = True
                if not used[cells].all():
                    columns[j] = replace(column, levels=column.levels[used[cells]])
        new = replace(schema, columns=tuple(columns), classes=classes, declared=declared, choices=())
        return new, stats._drop_cells(schema, new, used)

    def _drop_cells(self, old: Schema, new: Schema, used: Array) -> Statistics:
        joints = [joint.pruned() for joint in self.joints]
        for g, group in enumerate(new.groups):
            for member, j in enumerate(discrete_members(new, group)):
                kept = used[old.cells(j)]
                if not kept.all():
                    joints[g] = joints[g].move_levels(member, np.cumsum(kept) - 1)
        return replace(self, cells=self.cells.take(1, used), joints=tuple(joints))

    def known(self) -> Array:
        """Weight of the rows of each class in which each counted column is known: N_c minus the missing."""
        known: Array = self.classes.table[:, None] - self.missing.table
        return known

    def check(self, schema: Schema) -> None:
        """Refuse statistics that are not of a schema's classes and columns."""
        zero = Statistics.zero(schema)
        for name in PARTS:
            mine, wanted = (
                np.shape(p.table if isinstance(p, Counts) else p.mean)
                for p in (getattr(self, name), getattr(zero, name))
            )
            if mine != wanted and not (name == "unknown" and mine == zero.totals.table.shape):
                raise ValueError(f"the statistics hold {name} of shape {mine}, and the schema says {wanted}")

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**{n: getattr(self, n).to_dict() for n in PARTS}, "joints": [j.to_dict() for j in self.joints]}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Statistics:
        """Read the JSON form."""
        parts = {name: type_.from_dict(data[name]) for name, type_ in PARTS.items()}
        return cls(**parts, joints=tuple(Joint.from_dict(j) for j in data["joints"]))


PARTS: dict[str, Any] = {
    "classes": Counts,
    "cells": Counts,
    "missing": Counts,
    "moments": Moments,
    "log_moments": Moments,
    "log_x": Moments,
    "totals": Counts,
    "unknown": Counts,
}


def discrete_members(schema: Schema, group: tuple[int, ...]) -> list[int]:
    """Return the members of a group whose levels or values are counted."""
    return [j for j in group if schema.columns[j].storage in ("levels", "values")]


def density_member(schema: Schema, group: tuple[int, ...]) -> Column | None:
    """Return the density column of a group, if it has one."""
    rest = [schema.columns[j] for j in group if schema.columns[j].storage == "moments"]
    return rest[0] if rest else None


def group_shape(schema: Schema, group: tuple[int, ...]) -> tuple[int, bool]:
    """Return how many members of a group are counted, and whether it holds a density column."""
    return len(discrete_members(schema, group)), density_member(schema, group) is not None


def align_joint(joint: Joint, group: tuple[int, ...], old: Schema, new: Schema) -> Joint:
    """Rename the levels of a group's members."""
    for member, j in enumerate(discrete_members(new, group)):
        if not new.columns[j].same_domain(old.columns[j]):
            joint = joint.move_levels(member, new.columns[j].cells_of(old.columns[j]))
    return joint
