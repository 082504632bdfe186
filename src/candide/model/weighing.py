"""Weighing: from a model and weights to a model whose evidence counts as much as they say."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.distributions.blocks import Block, LeftOut
from candide.distributions.forms import times
from candide.distributions.pair_tables import Coarse, PairTables
from candide.distributions.scaled import scale, unscaled
from candide.frozen import frozen
from candide.model.model import Model
from candide.model.prior import Prior
from candide.model.weights import ColumnWeight, Weights, by_class

Array = np.ndarray[Any, Any]


@frozen
class WeightedPrior(Prior):
    """θ log P(c) + b_c, normalised.

    Parameters
    ----------
    theta : float
    bias : ndarray (K,)
    """

    theta: float = 1.0
    bias: Array | float = 0.0

    @cached_property
    def log(self) -> Array:
        """The prior's part of the score."""
        return self._weighted(super().log)

    def without(self, left: LeftOut) -> Array:
        """Return the prior's part (rows, classes), each row left out of its own class."""
        return self._weighted(super().without(left))

    @property
    def variance(self) -> Array:
        """θ² times the variance of log P(c)."""
        return self.theta**2 * super().variance

    def _weighted(self, log_alpha: Array) -> Array:
        scores = times(log_alpha, self.theta) + self.bias
        return np.asarray(scores - log_sum_exp(scores)[..., None])


def weighted(model: Model, weights: Weights) -> Model:
    """Return the model whose evidence counts as much as weights say: an ordinary one, a sum over attributes."""
    at = weights.at(model.classes)
    prior = model.prior
    bias = by_class(weights.bias, at)
    made = WeightedPrior(prior.counts, prior.pseudo, prior.given, weights.prior, bias)
    blocks = tuple(weighted_block(block, weights, at) for block in model.blocks)
    pairs = pair_block(model, weights, at)
    settled = replace(model.settled, weights=weights)
    return replace(model, prior=made, blocks=(*blocks, *([] if pairs is None else [pairs])), settled=settled)


def unweighted(model: Model) -> Model:
    """Return the model whose evidence weights weigh: what cells occur with, whatever they count."""
    if model.settled.weights is None:
        return model
    prior = Prior(model.prior.counts, model.prior.pseudo, model.prior.given)
    blocks = tuple(unscaled(block) for block in model.blocks if not block.adds_pairs)
    return replace(model, prior=prior, blocks=blocks, settled=replace(model.settled, weights=None))


def weighted_block(block: Block, weights: Weights, at: Array) -> Block:
    """Return a block with the weights of its attributes, and what their cells add besides."""
    found = [weights.columns.get(name) for name in block.names]
    added = [None if w is None else added_by(block, i, w, at) for i, w in enumerate(found)]
    return scale(block, np.array([weights.weight(name) for name in block.names], dtype=float), added)


def added_by(block: Block, i: int, weight: ColumnWeight, at: Array) -> Array | None:
    """Return what the cells of an attribute add (cells, K), a missing one at last where it is a value."""
    if weight.slope is None and not weight.levels:  # of very many columns most: their cells need no names
        return None
    cells = block.cells_of(i)
    if cells is None:
        return None
    out = np.zeros((len(cells), len(at)))
    cuts = block.cuts_of(i)
    if weight.slope is not None and cuts is not None:
        z = weight.slope.at(cuts)
        out[: len(z)] += np.outer(z, by_class(weight.slope.by_class, at))
    if weight.levels:
        place = {level: v for v, level in enumerate(weight.levels)}
        terms = by_class(weight.by_level, at)
        for v, level in enumerate(cells):
            if level in place:
                out[v] += terms[place[level]]
    return out


def pair_block(model: Model, weights: Weights, at: Array) -> PairTables | None:
    """Return what pairs of columns add that are both there still."""
    place = {name: j for j, name in enumerate(model.names)}
    pairs = [pair for pair in weights.pairs if all(name in place for name in pair.columns)]
    if not pairs:
        return None
    coarse: dict[int, Coarse] = {}
    both = [(coarse.setdefault(id(p.one), p.one), coarse.setdefault(id(p.other), p.other)) for p in pairs]
    order = {id(c): i for i, c in enumerate(coarse.values())}
    return PairTables(
        tuple(coarse.values()),
        np.array([place[c.column] for c in coarse.values()], dtype=np.int64),
        np.array([[order[id(a)], order[id(b)]] for a, b in both], dtype=np.int64),
        tuple(by_class(pair.entries, at) for pair in pairs),
        len(at),
        len(model.names),
    )
