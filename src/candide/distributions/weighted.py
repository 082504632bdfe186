"""Weighted documents: views of what words say, weighed by numbers that were settled on documents that were left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide import native
from candide.distributions.bag import LENGTH, MOST_TERMS, Bag
from candide.distributions.blocks import LeftOut
from candide.distributions.calibration import (
    BANDS,
    SOFTENING,
    USUAL_BETA,
    USUAL_LEVEL,
    Softening,
    ViewParts,
    ViewWeights,
    counted,
    log_lengths,
)
from candide.distributions.word_rows import WordRows
from candide.distributions.word_table import WordTable
from candide.distributions.word_views import (
    Shares,
    known_without,
    left_out,
    lift_views,
    mistake_views,
    prior_without,
)
from candide.frozen import frozen
from candide.rules import Rule
from candide.statistics.words import UNITS
from candide.table import Bags

Array = np.ndarray[Any, Any]

MOST_VIEWS = 3 << 20
"""Numbers of the views that are calibrated on at a time."""

LARGEST = 1e6
"""The largest number that is settled: the evidence of a document is some thousands of nats at the most."""


class Weighted(Rule):
    """The numbers that were settled for documents.

    Parameters
    ----------
    beta : sequence of sequences of float
        The weight of each view and band; of runs of words, those of each length one behind the other.
    pace : sequence of three floats
        How strongly a document speaks: in general; how much less where it has many words; and how much less where
        these say much.
    bias, by_length : sequence of float
        By class: what every document says for it, and how much more one that is e times as long; none: nothing.
    classes : sequence
        The class labels.
    length : float
        The mean of log L, L being how many words a document has.
    documents : float
        The weight of the documents that they were settled on.
    first : Weighted or None
        The first model, whose mistakes are the third view.
    learnt : float
        The weight of all documents that were learnt then; 0 where nobody has noted it.
    softening : sequence of three floats
        How strongly lifts are pulled to those of the collection, in the class and in all others, and what is added to
        the curve of mistakes: weights mean nothing without them, and a file has both.
    """

    def __init__(
        self,
        beta: Sequence[Sequence[float]] = USUAL_BETA[:2],
        pace: Sequence[float] = (USUAL_LEVEL, 0.0, 0.0),
        bias: Sequence[float] = (),
        by_length: Sequence[float] = (),
        classes: Sequence[Any] = (),
        length: float | None = None,
        documents: float = 0.0,
        first: Weighted | None = None,
        learnt: float = 0.0,
        softening: Sequence[float] = SOFTENING,
    ) -> None:
        self.beta = beta
        self.pace = pace
        self.bias = bias
        self.by_length = by_length
        self.classes = classes
        self.length = length
        self.documents = documents
        self.first = first
        self.learnt = learnt
        self.softening = softening

    def check(self) -> None:
        """Refuse numbers that no documents settle: a score would not be finite."""
        numbers = [*self.pace, *self.bias, *self.by_length, *(number for view in self.beta for number in view)]
        numbers += [] if self.length is None else [self.length]
        if any(not abs(number) <= LARGEST for number in numbers):
            raise ValueError(f"Weighted has a pace, bias, weight or length beyond {LARGEST:g}")
        if len(set(map(len, self.beta))) != 1:
            raise ValueError("Weighted has views, each of as many weights as the others")
        k = len(set(self.classes))
        if k < len(self.classes):
            raise ValueError("Weighted has a class twice")
        if len(self.pace) != 3 or len(self.bias) != k or len(self.by_length) not in (0, k):
            raise ValueError("Weighted has three numbers of pace, and a bias for each class, by length or not")
        if len(self.softening) != 3 or not all(0.0 < number <= 1.0 for number in self.softening):
            raise ValueError("Weighted has three numbers of softening, above 0 and up to 1: two pulls and a ridge")

    def weights(self, classes: Array) -> ViewWeights:
        """Return the numbers for classes; one that was not there has no bias."""
        by_class = (dict(zip(self.classes, numbers, strict=False)) for numbers in (self.bias, self.by_length))
        told = ([known.get(label, 0.0) for label in classes.tolist()] for known in by_class)
        beta, pace, bias, by_length = (np.array(numbers, dtype=float) for numbers in (self.beta, self.pace, *told))
        return ViewWeights(beta, pace, bias, by_length, Softening(*self.softening))

    @classmethod
    def of(
        cls, weights: ViewWeights, classes: Array, length: float, documents: float, first: Weighted | None = None
    ) -> Weighted:
        """Return weights as a rule."""
        w, labels = weights, classes.tolist()
        numbers = w.beta.tolist(), w.pace.tolist(), w.bias.tolist(), w.by_length.tolist()
        return cls(*numbers, labels, length, documents, first, softening=w.softening)


def table(weights: ViewWeights, shares: Shares, mistakes: Array | None) -> WordTable:
    """Return the evidence of every word: its views, weighed by band; one that no document holds says nothing."""
    beta = weights.beta.reshape(-1, BANDS * shares.n_runs)
    told = None if len(beta) < 3 else mistakes
    gain, curve, sums = (None, None, shares.arrays) if told is None else (*told, shares.filled)
    lift, others, ridge = weights.softening
    values, unseen, spread = native.weigh_entries(sums, lift, others, beta, gain, curve, ridge)
    spread[shares.documents <= 0] = 0.0
    starts, classes, *_ = sums
    return WordTable(np.zeros(len(spread)), unseen, starts, classes, values, spread=spread)


@frozen(kw_only=True)
class WeightedBag(Bag):
    """score_c = bias_c + d_c log(L / L̄) + pace · Σ_w x_w f_wc, x_w being shares, and the pace that of the document.

    Parameters
    ----------
    rule : Weighted
    shares : Shares
    mistakes : ndarray (2, M) or None
        Gain and curve of the filled entries.
    own : bool
        Whether every document that was learnt is part of the mistakes.
    """

    rule: Weighted
    weights: ViewWeights
    length: float
    shares: Shares
    mistakes: Array | None = None
    own: bool = False

    def make_table(self) -> WordTable:
        """Return the evidence of every word, weighed."""
        return table(self.weights, self.shares, self.mistakes)

    def read(self, bags: Bags) -> WordRows:
        """Return documents as shares of their words, each by the pace of its document."""
        rows = self.selection.shares(bags)
        pace = self.weights.pace_of(self.evidence(rows), self.log_length(rows.lengths))
        return WordRows(rows.starts, rows.words, rows.x * np.repeat(pace, np.diff(rows.starts)))

    def words_in_one(self, used: Array) -> float:
        """Return how many different words have shares that add up to one, on average."""
        return float(self.shares.documents[used].sum() / max(float(self.counts.marginal[used].sum()), 1e-300))

    def evidence(self, rows: WordRows) -> Array:
        """Return E (documents, K): what the words say, added up."""
        out = np.zeros((len(rows), self.n_classes))
        self.table.add(rows, out)
        return out

    def log_length(self, held: Array) -> Array:
        """Return log L − log L̄ of documents that hold so many of the words."""
        return log_lengths(held, self.length)

    def speaks(self, held: Array) -> Array:
        """Return zero where a document holds no word: it says nothing, not as much as the biases."""
        return np.minimum(held, 1)

    def beside(self, held: Array) -> dict[str, tuple[Array, Array, Array]]:
        """Return what documents that hold so many words say beside these, their length among it."""
        told = super().beside(held)
        if self.weights.by_length.any():
            told[LENGTH] = counted(self.log_length(held)), self.weights.by_length, held
        return told

    def alone(self, words: Array, weight: Array) -> Array:
        """Return the same by the pace of such documents, some words at a time."""
        out, size = np.empty(len(words)), max(1, MOST_TERMS // self.n_classes)
        for start in range(0, len(words), size):
            part = slice(start, start + size)
            evidence = self.table.dense(words[part])
            out[part] = weight[part] * self.weights.pace_of(evidence, self.log_length(np.ones(len(evidence))))
        return out

    def scores_of(self, bags: Bags, without: LeftOut | None) -> Array:
        """Return the scores of documents, each by the sums without it where asked."""
        if without is None:
            evidence = np.zeros((len(bags), self.n_classes))
            held = self.add_documents(bags, evidence, UNITS)
            log_l = self.log_length(held)
            evidence *= self.weights.pace_of(evidence, log_l)[:, None]
            evidence += self.speaks(held)[:, None] * self.const
            evidence += self.weights.of_length(log_l)
            return evidence
        rows = self.selection.shares(bags)
        out = np.empty((len(rows), self.n_classes))
        size = max(1, MOST_VIEWS // (len(self.weights.beta) * BANDS * self.n_classes))
        log_prior = prior_without(self.shares, without)
        for start in range(0, len(rows), size):
            part = slice(start, min(start + size, len(rows)))
            some = rows.slice(part.start, part.stop)
            known, grown = known_without(some.spans(), self.shares, without[part])
            log_l = self.log_length(known)
            out[part] = self.weights.scores(self.views(some, without[part], log_prior[part], log_l, grown), log_l)
            out[part][known <= 0] -= self.weights.bias
        return out

    def views(self, rows: WordRows, without: LeftOut, log_prior: Array, log_l: Array, grown: Array) -> ViewParts:
        """Return the views of documents, each by the sums without it."""
        softening = self.weights.softening
        both = lift_views(rows.spans(), self.shares, without, grown, softening=softening)
        if self.mistakes is None or self.rule.first is None:
            return (both,)
        first = self.rule.first.weights(self.model.classes).of_runs(self.shares.n_runs)
        residuals: tuple[Array, ...] = ()
        if self.own:
            residuals = first.residuals(first.evidence((both,)), log_l, log_prior, *left_out(without))
        third = mistake_views(rows.spans(), self.shares, self.mistakes, residuals, without, grown, softening=softening)
        return both, third
