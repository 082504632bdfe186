"""Weighted documents: what words say by lift, by complement and by mistakes, weighed on documents that were left out.

A document is a vector of shares, log(1 + times) divided by its length. A word speaks for a class by its lift there,
and against all other classes by its lift in them; the words of the same document frequency weigh alike. How much each
view and each band weighs was settled on leave-one-out views of documents (`calibration`). What a first model of two
views gets wrong, summed over documents, is the third view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.distributions.bag import Bag
from candide.distributions.blocks import LeftOut
from candide.distributions.calibration import BANDS, USUAL_BETA, ViewWeights, calibrate, log_shares
from candide.distributions.event_models import ClassCounts
from candide.distributions.word_rows import Selection, WordRows
from candide.distributions.word_table import WordTable
from candide.rules import Rule
from candide.statistics.words import UNITS, Mistakes, Words
from candide.table import Bags

Array = np.ndarray[Any, Any]

LAMBDA, OTHERS = 0.9, 0.1
"""How strongly a lift is pulled to that of the collection: in the class, and in all other classes."""

RIDGE = 0.1
"""What is added to the curve of mistakes."""

MOST_VIEWS = 1 << 20
"""Numbers of the views that are calibrated on at a time."""

MOST_NUMBERS = 1 << 26
"""Numbers of the views that mistakes are found from at the most: seconds of work, for many classes as for few."""

FEWEST = 20
"""Documents without which nothing is settled."""

LARGEST = 1e6
"""The largest number that is settled: the evidence of a document is some thousands of nats at the most."""


class Weighted(Rule):
    """The numbers that were settled for documents.

    Parameters
    ----------
    beta : sequence of sequences of float
        The weight of each view and band.
    pace : sequence of three floats
        How strongly a document speaks: in general; how much less where it has many words; and how much less where
        these say much.
    bias : sequence of float
        By class.
    classes : sequence
        The class labels.
    length : float
        The mean of log L, L being how many words a document has.
    documents : float
        The weight of the documents that they were settled on.
    first : Weighted or None
        The first model, whose mistakes are the third view.
    """

    def __init__(
        self,
        beta: Sequence[Sequence[float]] = USUAL_BETA[:2],
        pace: Sequence[float] = (0.0, 0.0, 0.0),
        bias: Sequence[float] = (),
        classes: Sequence[Any] = (),
        length: float | None = None,
        documents: float = 0.0,
        first: Weighted | None = None,
    ) -> None:
        self.beta = beta
        self.pace = pace
        self.bias = bias
        self.classes = classes
        self.length = length
        self.documents = documents
        self.first = first

    def check(self) -> None:
        """Refuse numbers that no documents settle: a score would not be finite."""
        numbers = [*self.pace, *self.bias, *(number for view in self.beta for number in view)]
        if any(not abs(number) <= LARGEST for number in numbers):
            raise ValueError(f"Weighted has a pace, bias or weight beyond {LARGEST:g}")
        if len(self.pace) != 3 or len(self.bias) != len(self.classes):
            raise ValueError("Weighted has three numbers of pace, and a bias for each class")

    def weights(self, classes: Array) -> ViewWeights:
        """Return the numbers for classes; one that was not there has no bias."""
        bias = dict(zip(self.classes, self.bias, strict=True))
        return ViewWeights(np.asarray(self.beta, dtype=float), np.asarray(self.pace, dtype=float),
                       np.array([bias.get(label, 0.0) for label in classes.tolist()]))  # fmt: skip

    @classmethod
    def of(
        cls, weights: ViewWeights, classes: Array, length: float, documents: float, first: Weighted | None = None
    ) -> Weighted:
        """Return weights as a rule."""
        numbers = weights.beta.tolist(), weights.pace.tolist(), weights.bias.tolist()
        return cls(*numbers, classes.tolist(), length, documents, first)


@dataclass(frozen=True, eq=False)
class Shares:
    """The shares of words by class, as kernels read them.

    Parameters
    ----------
    counts : ClassCounts
        n are shares.
    documents : ndarray (V,)
        How many documents hold each word.
    """

    counts: ClassCounts
    documents: Array

    @classmethod
    def of(cls, words: Words, selection: Selection, counts: ClassCounts) -> Shares:
        """Return the shares of the words used; `counts` are of them."""
        _, entry = words.places
        df = np.bincount(entry, words.documents, len(selection.place))
        used = selection.place >= 0
        documents = np.zeros(len(selection.factor))
        documents[selection.place[used]] = df[used]
        return cls(counts, documents)

    @cached_property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays of the kernels."""
        c = self.counts
        return (c.starts, c.class_of.astype(np.int32), c.n, c.marginal, self.documents,
                np.ascontiguousarray(c.totals.of_class[0]))  # fmt: skip

    @property
    def n_classes(self) -> int:
        """K."""
        return int(self.counts.totals.of_class.shape[1])

    @property
    def bands(self) -> Array:
        """The band of each word."""
        with np.errstate(divide="ignore"):
            steps = np.ceil(np.log2(np.maximum(self.documents, 1.0)))
        return np.clip(steps, 0, BANDS - 1).astype(np.int64)


def table(weights: ViewWeights, shares: Shares, mistakes: Array | None) -> WordTable:
    """Return the evidence of every word: its views, weighed by band."""
    lift, against, unseen = native.lift_entries(shares.arrays, LAMBDA, OTHERS)
    band = shares.bands
    of_entry = band[shares.counts.word_of]
    values = weights.beta[0][of_entry] * lift + weights.beta[1][of_entry] * against
    if mistakes is not None and len(weights.beta) > 2:
        values = values + weights.beta[2][of_entry] * mistakes[0] / (mistakes[1] + RIDGE)
    nothing = np.zeros(len(band))
    return WordTable(nothing, unseen, shares.counts.starts, shares.counts.class_of.astype(np.int32), values,
                 spread=weights.beta[1][band])  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightedBag(Bag):
    """score_c = bias_c + pace · Σ_w x_w f_wc, x_w being shares, and the pace that of the document.

    Parameters
    ----------
    rule : Weighted
    shares : Shares
    mistakes : ndarray (2, M) or None
        Gain and curve of the entries.
    own : bool
        Whether every document that was learnt is part of the mistakes.
    """

    rule: Weighted
    weights: ViewWeights
    length: float
    shares: Shares
    mistakes: Array | None = None
    own: bool = False

    def read(self, bags: Bags) -> WordRows:
        """Return documents as shares of their words, each by the pace of its document."""
        rows = self.selection.shares(bags)
        pace = self.weights.pace_of(self.evidence(rows), self.log_length(rows.lengths))
        return WordRows(rows.starts, rows.words, rows.x * np.repeat(pace, np.diff(rows.starts)))

    def evidence(self, rows: WordRows) -> Array:
        """Return E (documents, K): what the words say, added up."""
        out = np.zeros((len(rows), self.n_classes))
        self.table.add(rows, out)
        return out

    def log_length(self, held: Array) -> Array:
        """Return log L − log L̄ of documents that hold so many of the words."""
        return np.asarray(np.log(np.maximum(held, 1)) - self.length)

    def scores_of(self, bags: Bags, without: LeftOut | None) -> Array:
        """Return the scores of documents, each by the sums without it where asked."""
        if without is None:
            evidence = np.zeros((len(bags), self.n_classes))
            held = self.add_documents(bags, evidence, UNITS)
            return np.asarray(self.const + self.weights.pace_of(evidence, self.log_length(held))[:, None] * evidence)
        rows = self.selection.shares(bags)
        out = np.empty((len(rows), self.n_classes))
        size = max(1, MOST_VIEWS // (len(self.weights.beta) * BANDS * self.n_classes))
        log_prior = prior_without(self.shares, without)
        for start in range(0, len(rows), size):
            part = slice(start, min(start + size, len(rows)))
            some = rows.slice(part.start, part.stop)
            views = self.views(some, without[part], log_prior[part])
            out[part] = self.weights.scores(views, self.log_length(some.lengths))
        return out

    def views(self, rows: WordRows, without: LeftOut, log_prior: Array) -> Array:
        """Return the views (documents, K, views · BANDS), each by the sums without the document."""
        both = lift_views(rows, self.shares, without)
        if self.mistakes is None or self.rule.first is None:
            return both
        first = self.rule.first.weights(self.model.classes)
        scores = first.scores(both, self.log_length(rows.lengths))
        residuals = residuals_of(scores, log_prior, without) if self.own else ()
        return with_mistakes(both, rows, self.shares, self.mistakes, residuals, without)


def lift_views(rows: WordRows, shares: Shares, without: LeftOut) -> Array:
    """Return the two views (documents, K, 2 · BANDS) of documents that are left out."""
    flat = native.lift_views(rows.arrays, shares.arrays, LAMBDA, OTHERS, *left_out(without))
    return flat.reshape(len(rows), shares.n_classes, -1)


def prior_without(shares: Shares, without: LeftOut) -> Array:
    """Return log P(c) by which the first model was made, less each document: shares of the documents themselves."""
    left = np.maximum(shares.counts.totals.documents - without.own(shares.n_classes), 0.5)
    return np.asarray(np.log(left / left.sum(axis=1, keepdims=True)))


def left_out(without: LeftOut) -> tuple[Array, Array]:
    """Return the classes and weights of documents that are left out, as the kernels take them."""
    return without.y.astype(np.int64), without.weight.astype(float)


def residuals_of(scores: Array, log_prior: Array, without: LeftOut) -> tuple[Array, Array]:
    """Return w (1[y = c] − P) and w P (1 − P) of documents with scores under a first model."""
    p = np.exp(log_shares(scores + log_prior))
    own = without.own(p.shape[1])
    weight = own.sum(axis=1, keepdims=True)
    return own - weight * p, weight * p * (1 - p)


def with_mistakes(
    both: Array, rows: WordRows, shares: Shares, mistakes: Array, residuals: Any, without: LeftOut
) -> Array:
    """Return two views and that of mistakes (documents, K, 3 · BANDS), a document's own part taken out where given."""
    own = (*residuals, without.weight.astype(float)) if residuals else ()
    before = both.reshape(len(rows), -1)
    flat = native.mistake_views(rows.arrays, shares.arrays, mistakes[0], mistakes[1], RIDGE, before, *own)
    return flat.reshape(len(rows), shares.n_classes, -1)


def settle_weights(
    selection: Selection, shares: Shares, classes: Array, bags: Sequence[Bags], without: LeftOut
) -> tuple[Weighted, Mistakes]:
    """Settle the weights on documents that were learnt: those of two views, the mistakes, and those of three.

    Parameters
    ----------
    selection : Selection
        The words used.
    shares : Shares
        Of these words; they hold the documents.
    classes : ndarray (K,)
    bags : sequence of Bags
        The documents, in parts.
    without : LeftOut
        Their classes and weights.
    """
    rows = joined([selection.shares(part) for part in bags])
    k = shares.n_classes
    size = max(1, MOST_VIEWS // (3 * BANDS * k))
    some = evenly(np.arange(len(rows)), size)
    log_l = np.log(np.maximum(np.diff(rows.starts), 1))
    length = float(log_l.mean())
    log_l = log_l - length
    log_prior = prior_without(shares, without)
    chosen, left = rows.take(some), without[some]
    both = lift_views(chosen, shares, left)
    first = calibrate(both, log_l[some], log_prior[some], left.y, left.weight)
    # the mistakes of all documents, or of as many as there is time for
    others = np.ones(len(rows), dtype=bool)
    others[some] = False
    others = evenly(np.flatnonzero(others), max(0, MOST_NUMBERS // (2 * BANDS * k) - len(some)))
    scores = np.zeros((len(rows), k))
    scores[some] = first.scores(both, log_l[some])
    if len(others):
        here, gone = rows.take(others), left_out(without[others])
        said = native.lift_evidence(here.arrays, shares.arrays, LAMBDA, OTHERS, first.beta.ravel(), *gone)
        scores[others] = first.scores_of(said, log_l[others])
    seen = np.sort(np.concatenate([some, others]))
    wrong = residuals_of(scores[seen], log_prior[seen], without[seen])
    mistakes = np.stack(native.mistake_sums(rows.take(seen).arrays, shares.arrays, *wrong))
    residuals = tuple(r[np.searchsorted(seen, some)] for r in wrong)
    three = with_mistakes(both, chosen, shares, mistakes, residuals, left)
    second = calibrate(three, log_l[some], log_prior[some], left.y, left.weight, first)
    documents = float(left.weight.sum() + without.weight[others].sum())
    rule = Weighted.of(second, classes, length, documents, Weighted.of(first, classes, length, 0.0))
    return rule, selection.spread(Mistakes, shares.counts, (mistakes[0], mistakes[1]), k)


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
