"""Telling: parameters by the names of columns, levels and classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.model.weights import ColumnWeight, PairWeight, Weights
from candide.tuning.evidence import LeftOutEvidence
from candide.tuning.layout import Layout
from candide.tuning.pairs import Together, product_of

Array = np.ndarray[Any, Any]


def weights_of(
    evidence: LeftOutEvidence,
    layout: Layout,
    p: Array,
    labels: Array,
    learnt: float,
    rows: int,
    pairs: Together,
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
    pairs : Together
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
        levels = tuple(view.levels) if some else ()
        by_level = added[start + known : stop] if some else added[:0]
        columns[view.name] = ColumnWeight(float(terms.shifts[i]), slope, levels, by_level)
    for i, name in enumerate(evidence.loose):
        columns[name] = ColumnWeight(float(terms.shifts[layout.n_weighed + i]))
    columns |= {name: ColumnWeight(-terms.tau) for name in evidence.silent}
    found = []
    for i, ((a, b), cells) in enumerate(zip(pairs.pairs, pairs.occurring, strict=True)):
        one, other = pairs.of.coarse[a], pairs.of.coarse[b]
        start, stop = layout.offsets[len(evidence.views) + i : len(evidence.views) + i + 2].tolist()
        product, line = product_of(one, other), int(layout.line[start])
        table = np.zeros((one.size * other.size, len(labels)))
        if product is not None:
            table += np.outer(product, terms.slopes[line])
        table[cells] += added[start:stop]
        found.append(PairWeight(one, other, table.reshape(one.size, other.size, -1)))
    return Weights(labels, terms.theta, terms.bias, terms.tau, columns, tuple(found), rows, learnt)
