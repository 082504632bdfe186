"""The weights of views of documents, settled on the documents that were learnt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.distributions.blocks import LeftOut
from candide.distributions.calibration import BANDS, FIRST_TOLERANCE, calibrate
from candide.distributions.weighted import MOST_VIEWS, Weighted
from candide.distributions.word_rows import WordRows
from candide.distributions.word_views import (
    LAMBDA,
    OTHERS,
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

FEWEST = 20
"""Documents without which nothing is settled."""


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
    k = shares.n_classes
    some = evenly(np.arange(len(rows)), max(1, MOST_VIEWS // (3 * BANDS * k)))
    known, grown = known_without(rows.spans(), shares, without)
    log_l = np.log(np.maximum(known, 1))
    length = float(log_l.mean())
    log_l -= length
    log_prior = prior_without(shares, without)
    here = slice(None) if len(some) == len(rows) else some
    chosen, left = rows.spans(here), without[here]
    given = log_l[here], log_prior[here], *left_out(left)
    both = lift_views(chosen, shares, left, grown[here], apart=True)
    first = calibrate((both,), *given, tolerance=FIRST_TOLERANCE)
    said = np.zeros((len(rows), k))
    said[here, 1:] = first.evidence((both,))
    # the mistakes of all documents, or of as many as there is time for
    others = evenly(np.delete(np.arange(len(rows)), here), max(0, MOST_NUMBERS // (2 * BANDS * k) - len(some)))
    if len(others):
        gone = left_out(without[others])
        said[others] = native.lift_evidence(
            rows.spans(others), shares.filled, LAMBDA, OTHERS, first.beta.ravel(), *gone
        )
        said[others] *= grown[others, None]
    seen = slice(None) if len(some) + len(others) == len(rows) else np.sort(np.concatenate([some, others]))
    wrong = first.residuals(said[seen], log_l[seen], log_prior[seen], *left_out(without[seen]))
    mistakes = native.mistake_sums(rows.spans(seen), shares.filled, *wrong)
    own = here if isinstance(seen, slice) else np.searchsorted(seen, some)
    third = mistake_views(chosen, shares, mistakes, [r[own] for r in wrong], left, grown[here], apart=True)
    second = calibrate((both, third), *given, first)
    documents = float(left.weight.sum() + without.weight[others].sum())
    rule = Weighted.of(second, classes, length, documents, Weighted.of(first, classes, length, 0.0))
    return rule, shares.spread(Mistakes, [shares.entries.gathered(sums) for sums in mistakes])


def evenly(rows: Array, most: int) -> Array:
    """Return so many rows at the most, evenly spaced."""
    return rows if len(rows) <= most else rows[np.linspace(0, len(rows) - 1, most).round().astype(np.int64)]


def joined(parts: Sequence[WordRows]) -> WordRows:
    """Return documents one behind the other."""
    if len(parts) == 1:
        return parts[0]
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    words, x = (np.concatenate([getattr(part, name) for part in parts]) for name in ("words", "x"))
    return WordRows(offsets(lengths), words, x)
