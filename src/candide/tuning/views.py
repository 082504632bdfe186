"""Views: what each attribute of a model says of rows that are left out of it, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from candide.distributions.blocks import Block, LeftOut
from candide.distributions.coders import CutCoder
from candide.distributions.discrete import Discrete
from candide.distributions.known import Known
from candide.distributions.links import LOG
from candide.distributions.scaled import middles
from candide.frozen import frozen
from candide.model.model import Model
from candide.model.weights import Slope

Array = np.ndarray[Any, Any]

LEAST = -30.0
"""Log-likelihoods below this are as good as impossible, and no weight is learnt from how much so."""
WIDE, WEIGHED = 200, 1000
"""Of more attributes than the first, those are weighed that alone tell more than nothing: the best, so many."""


@frozen
class View:
    """What an attribute says: entries by cell.

    Parameters
    ----------
    name : column or group
    block, at : Block, int
        Where it is.
    others, own : ndarray (cells, K)
        log P(x | c) of classes that a row is not in, and of its own without the row; centred over classes.
    counts : ndarray (cells, K)
    z : ndarray (cells,) or None
        How far each cell of a number lies from the mean; the others, if there are any, are of missing cells.
    slope : Slope or None
        The place of a number's cells; what it adds is not known yet.
    """

    name: Any
    block: Block
    at: int
    others: Array
    own: Array
    counts: Array
    z: Array | None
    slope: Slope | None = None

    @property
    def leak(self) -> float:
        """How much a weight below zero would seem to gain by telling rows of one cell apart.

        A row that is left out of its own class makes it less probable than rows of other classes in the same cell do,
        by about 1 / n. So the evidence left out tells the classes within a cell, the wrong way round. Over a cell of
        several classes that adds up to about one, whatever its rows; cells of one class tell nothing by it.
        """
        share = self.counts / np.maximum(self.counts.sum(axis=1, keepdims=True), 1e-300)
        return float((self.counts * (1.0 - share) * (self.others - self.own)).sum())

    def alone(self) -> View:
        """Return the view with entries of its own, so that those of other attributes need not stay."""
        return replace(self, others=self.others.copy(), own=self.own.copy())

    @property
    def levels(self) -> list[Any]:
        """The levels of the cells, None for a missing one; the cells of a number, which lie on its line, have none."""
        if self.z is not None:
            return [None] * (len(self.others) - len(self.z))
        found = self.block.cells_of(self.at)
        assert found is not None
        return found


def views_of(block: Block, unit: float) -> list[View] | None:
    """Return what the attributes of a block say, a weight of `unit` left out; None where they have no cells."""
    if isinstance(block, Known):
        inner = views_of(block.inner, unit)
        missing = views_of(block.presence, unit)
        if inner is None or missing is None:
            return None
        both = zip(inner, missing, block.heard, strict=True)
        return [with_missing(replace(a, block=block), b) if h else replace(a, block=block) for a, b, h in both]
    if not isinstance(block, Discrete) or not block.domain.sizes.all():
        return None
    others, own, _ = block.tables_without(LOG, np.array([unit]))
    for table in (others, own):
        np.maximum(table, LEAST, out=table)
    middle = others.mean(axis=1, keepdims=True)
    others -= middle
    own -= middle
    out = []
    for i, (a, b) in enumerate(pairwise(block.domain.offsets.tolist())):
        counts = np.asarray(block.counts.T[a:b], dtype=float)
        view = View(block.names[i], block, i, others[a:b], own[a:b], counts, None)
        out.append(on_a_line(view, block.coder) if isinstance(block.coder, CutCoder) else view)
    return out


def on_a_line(view: View, coder: CutCoder) -> View:
    """Return the view of a number with the place of its cells."""
    low, high = coder.ends[view.at]
    x = middles(coder.cuts[view.at], low, high)
    mass = view.counts[: len(x)].sum(axis=1)
    total = max(float(mass.sum()), 1e-300)
    mean = float(mass @ x) / total
    spread = float(np.sqrt(mass @ (x - mean) ** 2 / total))
    ends = np.nan_to_num([low, high]).tolist()
    slope = Slope(mean, spread, ends[0], ends[1], np.zeros(0))
    return replace(view, z=slope.at(coder.cuts[view.at]), slope=slope)


def with_missing(view: View, presence: View) -> View:
    """Return a view with a missing cell at last: what a number says, and what its being there says."""
    others = np.concatenate([view.others + presence.others[0], presence.others[1:]])
    own = np.concatenate([view.own + presence.own[0], presence.own[1:]])
    return replace(view, others=others, own=own, counts=np.concatenate([view.counts, presence.counts[1:]]))


def tells(view: View, log_prior: Array) -> float:
    """Return Σ log P(c | x) of the attribute alone, each row left out, less that of saying nothing."""
    top = np.exp(log_prior + view.others)
    mine = np.exp(log_prior + view.own)
    log_p = np.log(mine) - np.log(top.sum(axis=1, keepdims=True) - top + mine)
    nothing = log_prior - np.logaddexp.reduce(log_prior)
    return float((view.counts * (log_p - nothing)).sum())


def telling(views: Sequence[View], log_prior: Array) -> set[Any]:
    """Return the names of the attributes that are weighed: all, or of very many those that alone tell most."""
    some = [view for view in views if len(view.others) > 1]
    if len(views) <= WIDE:
        return {view.name for view in some}
    told = [(tells(view, log_prior), view.name) for view in some]
    best = sorted((pair for pair in told if pair[0] > 0), key=lambda pair: -pair[0])
    return {name for _, name in best[:WEIGHED]}


def prior_view(model: Model, unit: float) -> View:
    """Return the prior as an attribute of one cell."""
    k = len(model.classes)
    log_prior = np.maximum(model.log_prior, LEAST)
    own = np.diag(np.maximum(model.prior.without(LeftOut(np.arange(k), np.full(k, unit))), LEAST))
    middle = log_prior.mean()
    counts = np.asarray(model.prior.counts, dtype=float)[None]
    return View(None, model.blocks[0], 0, log_prior[None] - middle, own[None] - middle, counts, None)
