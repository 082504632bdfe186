"""Bernoulli: columns of zeros and ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from candide import native
from candide.arithmetic import difference
from candide.distributions.base import BINARY, Block, Distribution, Rules
from candide.distributions.categorical import with_missing
from candide.distributions.discrete import Discrete
from candide.schema.rows import MISSING, UNSEEN, Rows
from candide.schema.schema import Storage, object_array
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class Bernoulli(Distribution):
    """P(x = 1 | c) = p_c, P(x = 0 | c) = 1 − p_c; an attribute with two values."""

    name = "bernoulli"
    storage: ClassVar[Storage] = "totals"
    discrete = True
    support = BINARY

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Soften the counts of zeros and ones."""
        ones, known = evidence.totals(positions)
        zeros = np.maximum(difference(known, ones), 0)
        levels = object_array([0, 1])
        tables = [(levels, np.column_stack([zeros[:, i], ones[:, i]])) for i in range(len(positions))]
        domain, counts, absent = with_missing(evidence, positions, tables, rules)
        return SwitchBlock.estimate(SwitchCoder(positions), domain, counts, rules.smoothing, absent)


@dataclass(frozen=True, eq=False)
class SwitchCoder:
    """Zeros and ones as codes; any other number is outside the domain."""

    places: Array

    def codes(self, rows: Rows) -> Array:
        """Return x itself, -1 where missing."""
        x = rows.numbers(self.places)
        codes = np.full(x.shape, UNSEEN, dtype=np.int32)
        codes[x == 0] = 0
        codes[x == 1] = 1
        codes[np.isnan(x.astype(float, copy=False))] = MISSING
        return codes

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return the codes as numbers."""
        cells = np.where(codes < 0, np.nan, codes.astype(float))
        return {int(j): cells[:, i] for i, j in enumerate(self.places)}


@dataclass(frozen=True, eq=False)
class SwitchBlock(Discrete):
    """Bernoulli attributes, with a path that reads only the ones of a sparse table."""

    reads_sparse: ClassVar[bool] = True

    def add_table(self, rows: Rows, table: Array, out: Array, outside: float = 0.0) -> None:
        """Add Σ_i t_i0 + Σ_{i: x_i = 1} (t_i1 − t_i0) where the rows are sparse and the table is finite."""
        x = self._ones(rows)
        if x is not None and not self.absent.any() and np.isfinite(table).all():
            zeros, ones = table[0::2], table[1::2]
            out += zeros.sum(axis=0)
            native.add_csr(x.data, x.indices, x.indptr, np.ascontiguousarray(ones - zeros), out)
            return
        codes = self.codes(rows)
        native.add_gather(codes, self.domain.offsets, table, out)
        strange = (codes == UNSEEN).sum(axis=1)
        if outside and strange.any():
            out[strange > 0] += outside * strange[strange > 0, None]

    def _ones(self, rows: Rows) -> Any:
        """Return the block's columns of a sparse table; None where the rows are dense, or hold more than 0 and 1."""
        x = rows.entries(self.coder.places)
        return x if x is not None and np.isin(x.data, (0, 1)).all() else None

    def read(self, table: Array, rows: Rows, outside: float = np.nan) -> Array:
        """Return the table at the rows' values, and `outside` where a number is neither 0 nor 1."""
        out = super().read(table, rows)
        return np.where((self.codes(rows) == UNSEEN)[:, None, :], outside, out)
