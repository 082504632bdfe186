"""Averages of all rows at once: what the kernel of averaged dependence is given."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import log
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.structure.attributes import table_within
from candide.structure.dependence import Dependence

Array = np.ndarray[Any, Any]


@frozen
class AtOnce:
    """The models of all super-parents, on the schema's cells."""

    models: Dependence

    @property
    def n_classes(self) -> int:
        """K."""
        return self.models.n_classes

    @cached_property
    def fixed(self) -> tuple[Array, Array] | None:
        """The pseudo-counts s (cells, K) and Σ_v s (attributes, K); None where more than the value decides them."""
        rule, domain = self.models.plain.smoothing, self.models.domain
        if not isinstance(rule.scale(np.ones((1, 1))), float):
            return None
        values = np.arange(self.models.plain.counts.shape[1])
        marginal, total = self.models.plain.marginals_without(values, np.zeros(len(values)))
        known = domain.total(self.models.plain.counts)[:, domain.attribute].T
        pseudo, mass = rule.pseudo_counts(domain, values, marginal, total, known)
        one, two = (rule.within(pseudo, mass, self.models.plain.theta.T, contexts) for contexts in (1, 2))
        if (one[1] != two[1]).any():
            return None
        pseudo, mass = one
        s = np.zeros((self.models.axis.cells.size, self.n_classes))
        s[self._flat_cells] = pseudo
        sums = np.zeros((len(domain.sizes), self.n_classes))
        sums[domain.attribute] = mass  # that of every value of an attribute is the same
        return s, sums

    @cached_property
    def _flat_cells(self) -> Array:
        """The flat cell of the schema of every value."""
        starts = self.models.axis.cells.offsets.tolist()
        return np.concatenate(
            [np.zeros(0, dtype=np.int64), *(a + c for a, c in zip(starts, self.models.cells, strict=False))]
        )

    @cached_property
    def _of_parents(self) -> Array:
        """Log P(x_J | c) (cells of J, K), NaN where fewer rows than `min_frequency` have them."""
        if self.models.fewer is None:
            out = np.full((self.models.axis.cells.size, self.n_classes), np.nan)
            out[self._flat_cells] = log(self.models.plain.theta.T)
            rare = self.models.plain.counts.sum(axis=0) < self.models.min_frequency
            out[self._flat_cells[rare]] = np.nan
            return out
        axis = self.models.fewer.axis
        parts = [np.zeros((0, self.n_classes))]
        for j, k in axis.columns:
            counts = self.models.fewer.table((j,), k)
            joint = log(self.models.plain.theta_of(j))[:, :, None] + log(table_within(self.models.plain, k, counts))
            joint = np.where(counts.sum(axis=0) < self.models.min_frequency, np.nan, joint)
            table = np.full((*axis.shape((j, k)), self.n_classes), np.nan)
            table[np.ix_(self.models.cells[j], self.models.cells[k])] = joint.transpose(1, 2, 0)
            parts.append(table.reshape(-1, self.n_classes))
        return np.concatenate(parts)

    def add(self, rows: Rows, out: Array, fixed: tuple[Array, Array]) -> Array:
        """Add log P(x | c) of all rows that have super-parents, and return the others."""
        codes = self.models.plain.codes(rows)
        last = self.models.plain.absent & (codes == self.models.domain.sizes - 1)
        cells = np.where(codes < 0, -1, np.where(last, 0, codes + 1)).astype(np.int32)
        sizes = np.array([axis.size - 1 for axis in self.models.axis.cells.axes], dtype=np.int64)
        first = np.where(self.models.plain.absent, 0, 1).astype(np.int64)
        counts = self.models.counts
        counts = np.ascontiguousarray(counts.T, dtype=np.promote_types(counts.dtype, np.int16))
        n = native.add_averaged(cells, sizes, self.models.n + 1, counts, *fixed, first, self._of_parents, out)
        return np.flatnonzero(n == 0)


def runs(rows: Array) -> Iterator[tuple[int, int]]:
    """Yield ranges of ascending rows that follow each other.

    Examples
    --------
    >>> list(runs(np.array([0, 1, 2, 5, 7, 8])))
    [(0, 3), (5, 6), (7, 9)]
    """
    cuts = np.flatnonzero(np.diff(rows) > 1) + 1
    for part in np.split(rows, cuts) if len(rows) else ():
        yield int(part[0]), int(part[-1]) + 1
