"""Telling: parameters by the names of columns, levels and classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.model.weights import ColumnWeight, PairWeight, Weights
from candide.tuning.pairs import CoarseRows
from candide.tuning.problem import Layout
from candide.tuning.views import LeftOutEvidence

Array = np.ndarray[Any, Any]


def told(
    evidence: LeftOutEvidence,
    layout: Layout,
    p: Array,
    labels: Array,
    learnt: float,
    rows: int,
    cells: CoarseRows | None = None,
    pairs: Sequence[tuple[int, int]] = (),
) -> Weights:
    """Return parameters as weights.

    Parameters
    ----------
    evidence : LeftOutEvidence
    layout : Layout
    p : ndarray
    labels : ndarray (K,)
    learnt : float
        The weight of all rows that were learnt.
    rows : int
        How many rows the weights were settled on.
    cells, pairs
        The pairs that the last free entries are of.
    """
    terms = layout.split(p)
    added = np.zeros((len(layout.others), len(labels)))
    added[layout.free] = terms.entries
    columns: dict[Any, ColumnWeight] = {}
    for i, view in enumerate(evidence.views[1:]):
        start, stop = layout.offsets[i + 1 : i + 3].tolist()
        known = 0 if view.z is None else len(view.z)
        line = int(layout.line[start])
        slope = None if line < 0 or view.slope is None else replace(view.slope, by_class=terms.slopes[line])
        some = bool(np.isin(np.arange(start + known, stop), layout.free).any())
        levels = tuple(view.cells[known:]) if some else ()
        by_level = added[start + known : stop] if some else added[:0]
        columns[view.name] = ColumnWeight(float(terms.shifts[i]), slope, levels, by_level)
    for i, name in enumerate(evidence.loose):
        columns[name] = ColumnWeight(float(terms.shifts[layout.n_weighed + i]))
    columns |= {name: ColumnWeight(-terms.tau) for name in evidence.silent}
    found = []
    for i, (a, b) in enumerate(pairs):
        assert cells is not None
        one, other = cells.coarse[a], cells.coarse[b]
        start, stop = layout.offsets[len(evidence.views) + i : len(evidence.views) + i + 2].tolist()
        table, line = added[start:stop], int(layout.line[start])
        if line >= 0:
            table = table + np.outer(layout.z[start:stop], terms.slopes[line])
        found.append(PairWeight(one, other, table.reshape(one.size, other.size, -1)))
    return Weights(labels, terms.theta, terms.bias, terms.tau, columns, tuple(found), rows, learnt)
