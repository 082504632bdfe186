"""Evidence: what the statistics of a table say about columns, whichever statistic was kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.schema.schema import Schema
from candide.statistics import Joint, Moments, Statistics

Array = np.ndarray[Any, Any]


class RefitError(ValueError):
    """The statistics do not hold what a rule needs: the data must be read again."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Statistics read through their schema. Counted values serve every numeric distribution.

    `kept` is a schema given by the user: what belongs to its domains stays even where the statistics show none of it.
    """

    schema: Schema
    statistics: Statistics
    kept: Schema | None = None

    @property
    def classes(self) -> Array:
        """The class labels."""
        return self.schema.classes

    def _refit(self, position: int, what: str) -> RefitError:
        column = self.schema.columns[position]
        return RefitError(f"column {column.name!r} was kept as {column.storage}, which does not hold {what}: refit")

    def moments(self, positions: Array) -> Moments:
        """Return the moments of x per class and column."""
        return self._stack([self._moments(int(j), log=False) for j in positions], positions)

    def log_moments(self, positions: Array) -> Moments:
        """Return the moments of log x per class and column."""
        return self._stack([self._moments(int(j), log=True) for j in positions], positions)

    def _stack(self, parts: list[Moments], positions: Array) -> Moments:
        k = len(self.classes)
        if not parts:
            return Moments.zero(k, 0)
        return Moments(*(np.stack([getattr(p, a) for p in parts], axis=1) for a in ("n", "mean", "m2")))

    def _moments(self, j: int, log: bool) -> Moments:
        column, slot = self.schema.columns[j], self.schema.slot[j]
        stats = self.statistics
        if column.storage == "values":
            values, counts = self.values(j)
            if log and (values <= 0).any():
                raise self._refit(j, "logarithms: it has values that are not positive")
            x = np.log(values) if log else values
            return Moments.of(np.repeat(x[:, None], len(counts), axis=1), counts.T)
        if column.storage == "log_moments":
            return (stats.log_x if log else stats.log_moments).map(lambda a: a[:, slot])
        if column.storage == "moments" and not log:
            return stats.moments.map(lambda a: a[:, slot])
        raise self._refit(j, "moments of log x" if log else "moments")

    def values(self, position: int) -> tuple[Array, Array]:
        """Return a numeric column's ascending values (V,) and their counts (K, V)."""
        column = self.schema.columns[position]
        if column.storage != "values":
            raise self._refit(position, "its values")
        return column.cell_values, self.statistics.cells.table[:, self.schema.cells(position)]

    def levels(self, position: int) -> tuple[Array, Array]:
        """Return a column's levels (L,) and their counts (K, L)."""
        column = self.schema.columns[position]
        if column.storage not in ("levels", "values") or column.frozen:
            raise self._refit(position, "its levels")
        assert column.levels is not None
        return column.levels, self.statistics.cells.table[:, self.schema.cells(position)]

    def missing(self, position: int) -> Array:
        """Return the weight of the rows of each class whose cell is missing."""
        column, slot = self.schema.columns[position], self.schema.slot[position]
        stats = self.statistics
        if column.storage in ("levels", "values"):
            return np.asarray(stats.missing.table[:, slot])
        if column.storage == "totals":
            return np.asarray(stats.unknown.table[:, slot if stats.unknown.table.shape[1] > 1 else 0])
        missing = stats.classes.table - self._moments(position, log=False).n
        rounding = 64 * np.finfo(float).eps * stats.classes.table
        return np.where(np.abs(missing) <= rounding, 0, missing)

    def missing_occurs(self, position: int) -> bool:
        """Whether a missing cell is in the column's domain: it was seen, here or under the schema kept."""
        kept = self.kept is not None and len(self.kept.absent) > 0 and self.kept.absent[position]
        return kept or bool(self.missing(position).any())

    def combinations(self, group: int) -> tuple[Any, ...]:
        """Return the values of a group's attribute under the schema kept; empty where there is none."""
        kept = self.kept
        if kept is None or kept.groups != self.schema.groups or not kept.combinations:
            return ()
        return kept.combinations[group]

    def totals(self, positions: Array) -> tuple[Array, Array]:
        """Return Σ x (K, D) and the weight of the rows where x is known (K, D)."""
        stats, columns = self.statistics, self.schema.columns
        if all(columns[j].storage == "totals" for j in positions):
            slots = self.schema.slot[positions]
            unknown = stats.unknown.table
            absent = unknown if unknown.shape[1] == 1 else unknown[:, slots]
            return stats.totals.table[:, slots], stats.classes.table[:, None] - absent
        m = self.moments(positions)
        return m.n * m.mean, m.n

    def joint(self, group: int) -> Joint:
        """Return the joint counts of a group of columns."""
        return self.statistics.joints[group]
