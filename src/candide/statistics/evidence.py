"""Evidence: what the statistics of a table say about columns, whichever statistic was kept."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import ratio
from candide.frozen import frozen
from candide.schema.filled_buckets import FilledBuckets
from candide.schema.schema import Schema
from candide.schema.tuples import TOGETHER, Tuples
from candide.schema.vocabulary import Buckets, ListedWords, Vocabulary
from candide.statistics.counts import Counts
from candide.statistics.moments import Moments
from candide.statistics.statistics import Statistics
from candide.statistics.words import Mistakes, Words

Array = np.ndarray[Any, Any]


class UnservedError(ValueError):
    """Nothing can be estimated from what was learnt under the present rules, though nothing is wrong with either."""


class RefitError(UnservedError):
    """The statistics do not hold what a rule needs: the data must be read again."""


@frozen
class Evidence:
    """Statistics read through their schema. Counted numbers serve every numeric distribution."""

    schema: Schema
    statistics: Statistics

    @cached_property
    def remembered(self) -> dict[Any, Any]:
        """What rules worked out of these statistics once and need again, by whatever names they give it."""
        return {}

    @property
    def classes(self) -> Array:
        """The class labels."""
        return self.schema.classes

    @property
    def class_counts(self) -> Array:
        """N_c, the weight of the rows of each class."""
        out: Array = self.statistics["classes"].table
        return out

    def refit(self, position: int, what: str) -> RefitError:
        """Return the error of a column of which something else was kept."""
        column = self.schema.columns[position]
        return RefitError(f"column {column.name!r} was kept as {column.counted_as}, which does not hold {what}: refit")

    def moments(self, positions: Array) -> Moments:
        """Return the moments of x per class and column."""
        return self._moments(positions, "moments")

    def log_moments(self, positions: Array) -> Moments:
        """Return the moments of log x per class and column."""
        return self._moments(positions, "log_x")

    def _moments(self, positions: Array, part: str) -> Moments:
        if not len(positions):
            return Moments.zero(len(self.classes), 0)
        slots = self.schema.slots.get(part, np.full(len(self.schema.columns), -1))[positions]
        if (slots >= 0).all():
            kept: Moments = self.statistics[part]
            return kept.map(lambda a: np.take(a, slots, axis=1))
        if any(part in self.schema.columns[j].keeps for j in positions):
            columns = [self._moments(np.array([j]), part) for j in positions]
            return Moments(*(np.concatenate([getattr(m, a) for m in columns], axis=1) for a in ("n", "mean", "m2")))
        values = [self._values_of(int(j), part) for j in positions]
        n, mean, m2 = native.value_moments(values, len(self.classes))
        whole = all(counts.dtype.kind == "i" for _, counts in values)
        return Moments(n.astype(np.int64) if whole else n, mean, m2)

    def _values_of(self, j: int, part: str) -> tuple[Array, Array]:
        """Return the values of a column, or their logarithms, and their counts (K, V)."""
        column = self.schema.columns[j]
        if column.axis is None or column.kind != "numbers":
            raise self.refit(j, "moments of log x" if part == "log_x" else "moments")
        values, counts = self.kept_values(j)
        if part == "log_x":
            used = counts.any(axis=0)
            values, counts = values[used], counts[:, used]
            if (values <= 0).any():
                raise self.refit(j, "logarithms: it has values that are not positive")
            values = np.log(values)
        return values, counts

    def counts(self, position: int) -> Array:
        """Return the counts (K, cells) of a counted column, those of its missing cell first."""
        out: Array = self.statistics["cells"].table[:, self.schema.cells_of(position)]
        return out.astype(np.int64, copy=False) if out.dtype.kind == "i" else out

    def all_counts(self) -> list[Array]:
        """Return the same of every counted column."""
        table: Array = self.statistics["cells"].wide
        return [table[:, start:end] for start, end in pairwise(self.schema.cells.offsets.tolist())]

    def values(self, position: int) -> tuple[Array, Array]:
        """Return a numeric column's ascending values (V,) and their counts (K, V)."""
        values, counts = self.kept_values(position)
        return values, counts.astype(np.int64, copy=False) if counts.dtype.kind == "i" else counts

    def seen(self, position: int) -> Array:
        """Return the ascending numbers that were seen of a column; none where they were not kept."""
        column = self.schema.columns[position]
        if column.kind != "numbers" or column.axis is None:
            return np.zeros(0)
        values, counts = self.kept_values(position)
        return values[counts.any(axis=0)]

    def kept_values(self, position: int) -> tuple[Array, Array]:
        """Return the same for kernels: the counts as they are kept, in whatever type holds them."""
        column = self.schema.columns[position]
        if column.axis is None or column.kind != "numbers":
            raise self.refit(position, "its values")
        counts: Array = self.statistics["cells"].table[:, self.schema.cells_of(position)]
        return column.axis.levels, counts[:, 1:]

    def levels(self, position: int) -> tuple[Array, Array]:
        """Return a column's levels (L,) and their counts (K, L)."""
        return self.level_names(position), self.counts(position)[:, 1:]

    def level_names(self, position: int) -> Array:
        """Return a column's levels (L,)."""
        axis = self.schema.columns[position].axis
        if axis is None or not getattr(axis, "exact", True):
            raise self.refit(position, "its levels")
        return axis.levels

    def missing(self, position: int) -> Array:
        """Return the weight of the rows of each class whose cell is missing; none where what is kept does not tell."""
        column, n = self.schema.columns[position], self.class_counts
        if column.kind == "bags":
            return self.words(position).missing
        if column.axis is not None:
            at = self.schema.cells_of(position).start  # of this cell alone: a column may have many others
            first: Array = self.statistics["cells"].table[:, at]
            return first.astype(np.int64, copy=False) if first.dtype.kind == "i" else first
        if "totals" in column.keeps:
            if "unknown" not in self.statistics:
                return np.zeros_like(n)
            return np.asarray(self.statistics["unknown"].table[:, self.schema.slots["totals"][position]])
        if "moments" not in column.keeps:
            return np.zeros_like(n)
        missing = n - self.moments(np.array([position])).n[:, 0]
        return np.where(np.abs(missing) <= 64 * np.finfo(float).eps * n, 0, missing)

    def missing_occurs(self, position: int) -> bool:
        """Whether a missing cell is in the column's domain: it was seen, or is declared."""
        return self.schema.columns[position].missing or bool(self.missing(position).any())

    def totals(self, positions: Array) -> tuple[Array, Array]:
        """Return Σ x (K, D) and the weight of the rows where x is known (K, D)."""
        kept = np.array(["totals" in self.schema.columns[j].keeps for j in positions], dtype=bool)
        if kept.any() and not kept.all():
            order = np.argsort(np.r_[np.flatnonzero(kept), np.flatnonzero(~kept)])
            parts = zip(self.totals(positions[kept]), self.totals(positions[~kept]), strict=True)
            totals, known = (np.concatenate(part, axis=1)[:, order] for part in parts)
            return totals, known
        if kept.any():
            slots = self.schema.slots["totals"][positions]
            known = np.broadcast_to(self.class_counts[:, None], (len(self.classes), len(positions)))
            if "unknown" in self.statistics:
                known = known - self.statistics["unknown"].table[:, slots]
            return self.statistics["totals"].table[:, slots], known
        m = self.moments(positions)
        return m.n * m.mean, m.n

    def means(self, positions: Array) -> Moments:
        """Return the moments that totals tell: m2 is not known."""
        totals, n = self.totals(positions)
        return Moments(n, ratio(totals, n), np.full(n.shape, np.nan))

    def words(self, position: int) -> Words:
        """Return the sums of a column's words."""
        out: Words = self.statistics[f"words {position}"]
        return out

    def listed(self, position: int) -> tuple[Words, ListedWords]:
        """Return the same sums by what a model has entries for, which are remembered, and what that is."""
        words, axis = self.words(position), self.schema.columns[position].axis
        if isinstance(axis, Vocabulary):
            return words, axis
        assert isinstance(axis, Buckets)
        before = words.remembered.get("listed")
        if before is None or before[1].analyzer != axis.analyzer:
            entries = np.sort(words.places[1])  # which takes a tenth of the time of np.unique
            filled = FilledBuckets(axis.analyzer, (entries[np.diff(entries, prepend=0) > 0] - 1).astype(np.int32))
            before = words.remembered["listed"] = words.of_entries(filled.entries), filled
        return before

    def mistakes(self, position: int) -> Mistakes | None:
        """Return the sums of mistakes of a column's words, where a model was settled on documents."""
        return self.statistics.parts.get(f"mistakes {position}")

    def together(self, order: int) -> tuple[Tuples, Array]:
        """Return the tuples of columns that are counted together, and their counts (K, entries)."""
        axis = self.schema.axes[TOGETHER[order]]
        assert isinstance(axis, Tuples)
        return axis, self.statistics[TOGETHER[order]].table

    def joint(self, group: int) -> tuple[Counts, Moments | None, Moments | None]:
        """Return the counts of a group's combinations, and the moments of its density column and of its logarithm."""
        parts = self.statistics.parts
        return parts[f"joint {group}"], parts.get(f"within {group}"), parts.get(f"log within {group}")
