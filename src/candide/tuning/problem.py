"""The convex problem: weights that make rows, each left out of the evidence, most probable, less a penalty.

score_c = θ log P(c) + b_c + Σ_i (τ + u_i) L_i[c] + β_ic z_i + δ_kc

is linear in all parameters, so that Σ −log P(y) plus squares has one least value. Everything a row's cell adds is an
entry of a table: the kernel sums what is left over of the rows by entry, and the derivatives follow from those sums.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.frozen import frozen
from candide.tuning.evidence import LeftOutEvidence
from candide.tuning.layout import Layout

Array = np.ndarray[Any, Any]

STEPS = 150
"""Steps of the descent at the most."""
TOLERANCE, PER_ROW = 3e-4, 1e-8
"""The descent ends when a step gains less than this share of the loss: of few rows, the second times their number."""
ROUGH = 3e-4
"""The same where weights are judged and not kept."""
SINGLE = 1e-5
"""Where the descent ends no later than this, scores are summed in single precision."""


@frozen
class Problem:
    """Rows, and the parameters that their scores depend on.

    Parameters
    ----------
    layout : Layout
    codes : ndarray (rows, attributes)
    dense : ndarray (rows, loose, K)
    starts : ndarray (K + 1,)
    weight : ndarray (rows,)
    """

    layout: Layout
    codes: Array
    dense: Array
    starts: Array
    weight: Array

    @classmethod
    def of(cls, evidence: LeftOutEvidence, ridge: bool = True, shifting: bool = True) -> Problem:
        """Return the problem of evidence."""
        layout = Layout.of(evidence, ridge, shifting)
        return cls(layout, evidence.codes, evidence.dense, evidence.starts, evidence.weight)

    def __len__(self) -> int:
        return len(self.codes)

    def only(self, rows: Array, weight: Array | None = None) -> Problem:
        """Return the problem of some rows, ascending, with their weights or others."""
        starts = np.searchsorted(rows, self.starts).astype(np.int64)
        weight = self.weight[rows] if weight is None else weight
        return Problem(self.layout, self.codes[rows], self.dense[rows], starts, weight)

    def joined(self, codes: Array, layout: Layout) -> Problem:
        """Return the problem with further attributes: codes (rows, attributes) of all of them."""
        return replace(self, layout=layout, codes=codes)

    def narrowed(self, layout: Layout) -> Problem:
        """Return the problem of a layout whose attributes are the first of this one's."""
        return replace(self, layout=layout, codes=self.codes[:, : len(layout.offsets) - 1])

    @cached_property
    def rows(self) -> tuple[Any, ...]:
        """What the kernels take."""
        dense = np.ascontiguousarray(self.dense).reshape(len(self), -1) if self.dense.shape[1] else None
        return (self.codes, self.starts, self.weight, dense)

    def loss(self, p: Array) -> tuple[float, Array]:
        """Return Σ −w log P(y) and its derivative."""
        return native.weight_loss(self.rows, self.layout.entries, self.layout.shifting, p)

    def log_proba(self, p: Array) -> Array:
        """Return log P(c | x) of every row, left out."""
        terms = self.layout.split(p)
        loose = terms.tau + terms.shifts[self.layout.n_weighed :]
        out = np.ascontiguousarray(np.einsum("v,nvk->nk", loose, self.dense))
        y = np.repeat(np.arange(out.shape[1]), np.diff(self.starts))
        native.add_gather_left_out(self.codes, self.layout.offsets, *self.layout.tables(terms), y, out)
        native.log_normalize(out)
        return out

    def solve(self, strength: float, start: Array | None = None) -> Array:
        """Return the parameters of the least loss and penalty, from where it starts: naive Bayes, or what is given."""
        return self._descend(strength, start, min(TOLERANCE, PER_ROW * len(self)), 1 << 30)

    def solve_roughly(self, strength: float, start: Array | None = None) -> Array:
        """Return about the same, on the calling thread alone: to be judged."""
        return self._descend(strength, start, ROUGH, 1)

    def _descend(self, strength: float, start: Array | None, tolerance: float, threads: int) -> Array:
        layout = self.layout
        begin, penalty = layout.start if start is None else start, layout.penalty(strength)
        limits = (STEPS, tolerance, threads, tolerance >= SINGLE)
        return native.fit_weights(self.rows, layout.entries, layout.shifting, layout.centre, penalty, begin, *limits)
