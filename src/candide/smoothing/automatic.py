"""The automatic choice of a smoothing rule and its strength, from counts alone.

A rule is scored as a numeric column's distribution is: by the mean of log P(c | x_i) over rows and discrete attributes,
each row left out of the counts that score it. The simplest rule within one standard error of the best is taken,
Laplace's being the simplest; the error goes by the number of rows, since the attributes of a row are no independent
observations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.arithmetic import log, log_sum_exp
from candide.frozen import frozen
from candide.schema.domain import Domain
from candide.selection import simplest
from candide.smoothing.base import Smoothing, softened
from candide.smoothing.constant import Laplace, Lidstone
from candide.smoothing.marginal import MEstimate

Array = np.ndarray[Any, Any]

PAIRS = 1 << 16
"""Pairs of a value and a class that are scored; of more, evenly spaced ones."""

CANDIDATES: tuple[Smoothing, ...] = (
    Laplace(),
    *(MEstimate(m) for m in (2.0, 1.0, 5.0, 20.0)),
    *(Lidstone(alpha, class_alpha=1.0) for alpha in (0.5, 0.1, 0.01, 2.0, 5.0)),
)
"""Rules that come into question, simplest first. None gives a value seen the probability zero."""


class AutomaticSmoothing(Laplace):
    """The rule and its strength are chosen from the counts; until then, Laplace's."""

    name = "auto"

    def settle(self, domain: Domain, counts: Array, class_counts: Array) -> Smoothing:
        """Return the rule chosen."""
        return choose_smoothing(domain, counts, class_counts).rule


@frozen(eq=True)
class SmoothingChoice:
    """The rule chosen, and the mean leave-one-out log P(c | x_i) of every candidate, in nats."""

    rule: Smoothing
    scores: Mapping[str, float]


def choose_smoothing(domain: Domain, counts: Array, class_counts: Array) -> SmoothingChoice:
    """Choose the smoothing rule for discrete attributes.

    Parameters
    ----------
    domain : Domain
        The attributes and their values.
    counts : (K, cells)
        Weight of each value in each class, flat over the domain.
    class_counts : (K,)
        Weight of each class.

    Examples
    --------
    >>> classes = np.array(["a", "b"])
    >>> domain = Domain(("x",), (np.arange(40),), classes)
    >>> counts = np.zeros((2, 40))
    >>> counts[0, :20], counts[1, 20:] = 3, 3
    >>> choose_smoothing(domain, counts, counts.sum(axis=1)).rule
    Lidstone(alpha=0.01, class_alpha=1.0)
    """
    cell, c = np.nonzero(counts.T > 0)
    if not len(cell) or (class_counts > 0).sum() < 2:
        return SmoothingChoice(CANDIDATES[0], {})
    part = np.linspace(0, len(cell) - 1, min(len(cell), PAIRS)).round().astype(np.int64)
    pairs = cell[part], c[part]
    scores = {repr(rule): score(rule, domain, counts, class_counts, *pairs) for rule in CANDIDATES}
    best, means = simplest(scores, counts[pairs[1], pairs[0]].astype(float), float(class_counts.sum()))
    return SmoothingChoice(next(rule for rule in CANDIDATES if repr(rule) == best), means)


def score(rule: Smoothing, domain: Domain, counts: Array, class_counts: Array, cell: Array, c: Array) -> Array:
    """Return log P(c | x_i = v) for pairs of a cell and a class, one unit of the pair's weight left out."""
    pairs = np.arange(len(cell))
    left = np.zeros((len(cell), len(counts)))
    left[pairs, c] = np.minimum(counts[c, cell], 1.0)
    everything, out = counts.sum(axis=0), left.sum(axis=1)
    attribute = domain.attribute[cell]
    total = domain.total(everything)[attribute] - out
    known = domain.total(counts).T[attribute] - left
    pseudo, mass = rule.pseudo_counts(domain, cell, everything[cell] - out, total, known)
    prior = class_counts + rule.class_pseudo(domain) - left
    joint = log(softened(counts.T[cell] - left, known, pseudo, mass)) + log(prior)
    return np.asarray(joint[pairs, c] - log_sum_exp(joint))
