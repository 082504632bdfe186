"""Cells: what columns with tables are worth alone, from the counts of their cells.

A row that is left out changes the table of its own class, and those of the others alike, whichever class it is of. So
two tables tell all that is left of a cell: g_k of the classes that the row is not in, and h_c of its own,

    log P(c | x_i) = s_c − log(exp s_c + Σ_{k≠c} P_c(k) exp g_k),   s_c = log P_c(c) + h_c,

where P_c is the prior without the row; the sums of all cells and classes are one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from candide.combination import log_posterior
from candide.distributions.blocks import KEPT_APART, LeftOut
from candide.distributions.discrete import Discrete
from candide.distributions.links import LOG
from candide.distributions.scaled import ScaledTable
from candide.report.columns import ByColumn
from candide.report.means import LEAST, Mean

Array = np.ndarray[Any, Any]


def by_cells(attributes: ByColumn) -> dict[int, Mean]:
    """Return what each column with one table is worth alone, where logarithms are added."""
    model = attributes.model
    if attributes.link is not LOG:
        return {}
    every = np.arange(len(model.classes))
    log_prior = model.prior.without(LeftOut(every, np.ones(len(every))))
    rows = float(attributes.evidence.class_counts.sum())
    out: dict[int, Mean] = {}
    for block, columns in tabled(attributes):
        inner = block.inner if isinstance(block, ScaledTable) else block
        sums = [np.zeros(len(inner.domain.sizes)) for _ in range(2)]
        others, own, _ = block.tables_without(LOG, np.ones(1))
        for part in parts(len(own), len(every)):
            counts = inner.counts.T[part]
            gain = np.where(counts > 0, gains(others[part], own[part], log_prior), 0.0)
            for total, power in zip(sums, (1, 2), strict=True):
                np.add.at(total, inner.domain.attribute[part], (counts * gain**power).sum(axis=1))
        out |= {j: Mean(rows, float(sums[0][i]), float(sums[1][i])) for i, j in columns.items()}
    return out


def tabled(attributes: ByColumn) -> Iterator[tuple[Any, dict[int, int]]]:
    """Yield the blocks with tables, and the columns that nothing but one of their attributes is read from."""
    found: dict[int, tuple[Any, dict[int, int]]] = {}
    for j, mine in enumerate(attributes.own):
        block, i = attributes.model.attributes[mine[0]] if len(mine) == 1 else (None, 0)
        if isinstance(block, Discrete | ScaledTable):
            found.setdefault(id(block), (block, {}))[1][i] = j
    yield from found.values()


def parts(cells: int, classes: int) -> Iterator[slice]:
    """Yield cells that are few enough to be looked at together."""
    together = max(1, KEPT_APART // max(classes, 1))
    yield from (slice(start, start + together) for start in range(0, cells, together))


def gains(others: Array, own: Array, log_prior: Array) -> Array:
    """Return log P(c | x_i) − log P(c) (cells, K), each row left out, neither below the least.

    Parameters
    ----------
    others, own : ndarray (cells, K)
        Terms of the classes that a row is not in, and of the class that it is in.
    log_prior : ndarray (K, K)
        log P(k) without a row of class c, at [c, k].
    """
    most = np.maximum(others, own).max(axis=1, keepdims=True)
    most = np.where(np.isfinite(most), most, 0.0)
    rivals = np.exp(log_prior.T)
    np.fill_diagonal(rivals, 0.0)
    before = np.diagonal(log_posterior(log_prior.copy(), log_prior))
    with np.errstate(divide="ignore", invalid="ignore"):
        mine = np.diagonal(log_prior) + own - most
        said = mine - np.log(np.exp(mine) + np.exp(others - most) @ rivals)
    said = np.where(np.isnan(said), before, said)  # impossible under every class: the prior
    return np.asarray(np.maximum(said, np.log(LEAST)) - np.maximum(before, np.log(LEAST)))
