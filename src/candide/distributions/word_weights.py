"""The weights of views of documents, settled on the documents that were learnt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.distributions.blocks import LeftOut
from candide.distributions.calibration import BANDS, FIRST_TOLERANCE, calibrate, log_lengths
from candide.distributions.weighted import MOST_VIEWS, Weighted
from candide.distributions.word_rows import Spans, WordRows
from candide.distributions.word_views import (
    Shares,
    known_without,
    left_out,
    lift_views,
    mistake_views,
    prior_without,
)
from candide.statistics.words import Mistakes
from candide.table import Bags

Array = np.ndarray[Any, Any]

MOST_NUMBERS = 1 << 26
"""Numbers of the views that mistakes are found from at the most: seconds of work, for many classes as for few."""

MOST_FIRST = 1 << 21
"""Numbers of the views that the first calibration is on: the second, on more, puts right what it is short of."""

LATER = 0.03
"""How much less documents to come say than those that are left out, which others answer, quote and repeat: about what
fifths of news ask for that are left out at once, by subject or as they follow each other."""

FEW, EACH = 20, 3
"""Documents, in all and of each class, from which on usual numbers say more than those that were settled on fewer, and
learnt to be unsure."""
OUTGROWN = 4.0
"""So many times the documents that they were settled on: until then, what they learnt is still about true."""


def settle_weights(shares: Shares, classes: Array, bags: Sequence[Bags], without: LeftOut) -> tuple[Weighted, Mistakes]:
    """Settle the weights on documents that were learnt: those of two views, the mistakes, and those of three.

    Parameters
    ----------
    shares : Shares
        Of the words used; they hold the documents.
    classes : ndarray (K,)
    bags : sequence of Bags
        The documents, in parts.
    without : LeftOut
        Their classes and weights.
    """
    rows = joined([shares.selection.shares(part) for part in bags])
    k, bands = shares.n_classes, BANDS * shares.n_runs
    known, grown = known_without(rows.spans(), shares, without)
    length = float(np.log(np.maximum(known, 1)).mean())
    log_l = log_lengths(known, length)
    # the mistakes of all documents, or of as many as there is time for; the weights of these, or of some
    seen = evenly(len(rows), max(1, MOST_NUMBERS // (2 * bands * k)))
    log_l, grown, without, seen_rows = log_l[seen], grown[seen], without[seen], rows.spans(seen)
    log_prior = prior_without(shares, without)
    some = evenly(len(log_l), max(1, MOST_VIEWS // (3 * bands * k)))
    left, chosen = without[some], taken(seen_rows, some)
    of_some, prior, (y, w) = log_l[some], log_prior[some], left_out(left)
    each = alike(without.weight)
    w = each * w
    both = lift_views(chosen, shares, left, grown[some], apart=True)
    few = evenly(len(both), max(1, MOST_FIRST // (3 * bands * k)))
    first = calibrate((both[few],), of_some[few], prior[few], y[few], w[few], tolerance=FIRST_TOLERANCE)
    said = np.zeros((len(log_l), k))
    said[some, 1:] = first.evidence_apart((both,))
    others = np.delete(np.arange(len(log_l)), some)
    if len(others):
        gone, rest = (*left_out(without[others]), grown[others]), taken(seen_rows, others)
        said[others] = native.lift_evidence(rest, shares.filled, *first.softening[:2], first.beta.ravel(), *gone)
    wrong = first.residuals(said, log_l, log_prior, *left_out(without))
    elsewhere = 0.0
    if len(others):
        asked, here = (
            first.pace_elsewhere(
                said[part], log_l[part], each * wrong[0][part], without.y[part], each * without.weight[part]
            )
            for part in (others, some)
        )
        elsewhere = asked - here
    mistakes = native.mistake_sums(seen_rows, shares.filled, *wrong, left_out(without)[1])
    third = mistake_views(chosen, shares, mistakes, [r[some] for r in wrong], left, grown[some], apart=True)
    second = calibrate((both, third), of_some, prior, y, w, first)
    apart = np.zeros((len(both), k))
    apart[:, 1:] = second.evidence_apart((both, third))
    second = second.hearing_lengths(apart, of_some, prior, y, w).raised(elsewhere - LATER)
    documents = float(without.weight.sum())
    rule = Weighted.of(second, classes, length, documents, Weighted.of(first, classes, length, 0.0))
    return rule, shares.spread(Mistakes, mistakes)


def alike(weight: Array) -> float:
    """Return what weights are multiplied by so that they add up to as many documents of one weight as tell as much.

    That many are (Σ w)² / Σ w²: whoever weighs all documents by a million has not seen more of them, and one that
    weighs more than all others is one.

    Examples
    --------
    >>> alike(np.ones(3)), alike(np.array([5e8, 5e8, 0.0]))
    (1.0, 2e-09)
    """
    total, squares = float(weight.sum()), float(np.square(weight).sum())
    return total / squares if squares > 0 else 1.0


def evenly(n: int, most: int) -> slice | Array:
    """Return which of n rows are taken, so many at the most and evenly spaced."""
    return slice(None) if n <= most else np.linspace(0, n - 1, most).round().astype(np.int64)


def taken(spans: Spans, rows: slice | Array) -> Spans:
    """Return some of the documents that lie in these spans."""
    begins, ends, words, x = spans
    return begins[rows], ends[rows], words, x


def joined(parts: Sequence[WordRows]) -> WordRows:
    """Return documents one behind the other."""
    if len(parts) == 1:
        return parts[0]
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    words, x = (np.concatenate([getattr(part, name) for part in parts]) for name in ("words", "x"))
    return WordRows(offsets(lengths), words, x)
