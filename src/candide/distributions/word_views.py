"""Views of documents: what their words say by lift, by complement and by mistakes, each document left out.

A document is a vector of shares, log(1 + times) divided by its length. A word speaks for a class by its lift there, and
against all other classes by its lift in them; words of the same document frequency weigh alike, and so do pairs of
words, which repeat what their words say and weigh less. What a first model of
these two views gets wrong, summed over documents, is the third view: for classes without the word, too, where it stands
in many others, since what is mistaken for a class speaks against it though none of its documents has it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from candide import native
from candide.distributions.blocks import LeftOut
from candide.distributions.calibration import BANDS, SOFTENING, Softening
from candide.distributions.selected_words import Selection
from candide.distributions.word_counts import ClassCounts
from candide.distributions.word_entries import WordEntries
from candide.distributions.word_rows import Spans
from candide.frozen import frozen
from candide.schema.vocabulary import Vocabulary
from candide.statistics.words import Sparse, Words

Array = np.ndarray[Any, Any]
S = TypeVar("S", bound=Sparse)


@frozen
class Shares:
    """The shares of words by class, as kernels read them.

    Parameters
    ----------
    selection : Selection
        The words used.
    counts : ClassCounts
        n are their shares.
    documents : ndarray (V,)
        How many documents hold each word.
    """

    selection: Selection
    counts: ClassCounts
    documents: Array

    @classmethod
    def of(cls, words: Words, selection: Selection, counts: ClassCounts) -> Shares:
        """Return the shares of the words used; `counts` are of them."""
        df = words.by_entry("documents")
        used = selection.place >= 0
        documents = np.zeros(len(selection.factor))
        documents[selection.place[used]] = df[used]
        return cls(selection, counts, documents)

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays of the kernels."""
        c = self.counts
        sums = (c.starts, c.class_of.astype(np.int32, copy=False), c.n, c.marginal, self.documents,
                np.ascontiguousarray(c.totals.of_class[0]))  # fmt: skip
        return sums if self.n_runs == 1 else (*sums, self._first_bands, self.n_runs * BANDS)

    @cached_property
    def entries(self) -> WordEntries:
        """Those of words that have many, with one for each class."""
        return WordEntries.filled(self.arrays[0], self.arrays[1], self.n_classes)

    @cached_property
    def filled(self) -> tuple[Any, ...]:
        """The same arrays with these entries: a share of nothing, which says what a class without the word says."""
        return (self.entries.starts, self.entries.classes, self.entries.spread(self.counts.n), *self.arrays[3:])

    @property
    def n_runs(self) -> int:
        """How many lengths the runs of words have that weigh apart."""
        return self.selection.axis.analyzer.n_runs

    @cached_property
    def _first_bands(self) -> Array:
        """The first band of each word: runs of more words have bands of their own."""
        axis = self.selection.axis
        assert isinstance(axis, Vocabulary)
        longer = axis.words.spaces[np.flatnonzero(self.selection.place[1:] >= 0)] - (axis.analyzer.ngrams[0] - 1)
        first: Array = BANDS * np.clip(longer, 0, self.n_runs - 1).astype(np.int32)
        return first

    @property
    def n_classes(self) -> int:
        """K."""
        return int(self.counts.totals.of_class.shape[1])

    @cached_property
    def known(self) -> Array:
        """How many documents hold each word, without end where it is known though none does."""
        place = self.selection.place
        out = self.documents.copy()
        out[place[self.selection.axis.stays & (place >= 0)]] = np.inf
        return out

    @cached_property
    def _by_class(self) -> tuple[Array, Array]:
        """Where the filled entries stand among all of the axis, ascending, and the order of that."""
        starts, classes, *_ = self.filled
        return native.turn_entries(starts, classes, self.n_classes, *self.selection.counted_at)

    def spread(self, kind: type[S], sums: Array) -> S:
        """Return sums (sums, M) of the filled entries as a statistic over all entries of the axis."""
        at, order = self._by_class
        _, size = self.selection.counted_at
        out = kind((self.n_classes, size), at, tuple(s.take(order) for s in sums))
        out.remembered["gathered"] = at, sums
        return out

    def gathered(self, sparse: Sparse) -> Array:
        """Return sums over all entries of the axis at the filled ones: (sums, M)."""
        at, order = self._by_class
        spread, sums = sparse.remembered.get("gathered", (None, None))
        if spread is at:
            return np.asarray(sums)
        out = np.zeros((len(sparse.sums), len(at)))
        if np.array_equal(at, sparse.at):  # as they were spread
            for row, sums in zip(out, sparse.sums, strict=True):
                row[order] = sums
        elif len(sparse.at):
            where = np.minimum(np.searchsorted(sparse.at, at), len(sparse.at) - 1)
            found = sparse.at[where] == at
            out[:, order[found]] = [s[where[found]] for s in sparse.sums]
        return out


def known_without(spans: Spans, shares: Shares, without: LeftOut) -> tuple[Array, Array]:
    """Return how many words of documents are known without them, and what their shares are multiplied by.

    A new document is a vector of the words that are known; so is one that is left out, and words that it alone holds
    are not known then.
    """
    starts, classes, n, of_word, _, of_class, *_ = shares.filled
    gone = np.where(without.y < 0, 0.0, without.weight)
    return native.known_without(spans, (starts, classes, n, of_word, shares.known, of_class), gone)


def lift_views(
    spans: Spans,
    shares: Shares,
    without: LeftOut,
    grown: Array,
    apart: bool = False,
    softening: Softening = SOFTENING,
) -> Array:
    """Return the two views (documents, K · 2 bands) of documents that are left out, whose shares have grown.

    Views are in single precision. Apart: of all classes but the first, less those of the first; of two classes without
    the complement, which says nothing more.
    """
    lift, others, _ = softening
    return native.lift_views(spans, shares.filled, lift, others, *left_out(without), grown, apart)


def prior_without(shares: Shares, without: LeftOut) -> Array:
    """Return log P(c) by which the first model was made, less each document: shares of the documents themselves."""
    k, y, w = shares.n_classes, without.y, without.weight
    alike = len(y) > k and y.min() >= 0 and (w == w[0]).all()  # documents of one class have one
    some = LeftOut(np.arange(k), w[:k]) if alike else without
    left = np.maximum(shares.counts.totals.documents - some.own(k), 0.5)
    log_prior = np.log(left / left.sum(axis=1, keepdims=True))
    return log_prior.take(y, axis=0) if alike else np.asarray(log_prior)


def left_out(without: LeftOut) -> tuple[Array, Array]:
    """Return the classes and weights of documents that are left out, as the kernels take them."""
    return without.y.astype(np.int64, copy=False), without.weight.astype(float, copy=False)


def mistake_views(
    spans: Spans,
    shares: Shares,
    mistakes: Array,
    residuals: Any,
    without: LeftOut,
    grown: Array,
    apart: bool = False,
    softening: Softening = SOFTENING,
) -> Array:
    """Return the view of mistakes (documents, K · bands), a document's own part taken out where given.

    Mistakes are gain and curve (2, M) of the filled entries. Apart: of all classes but the first, less
    that of the first.
    """
    r, h, w = (*residuals, left_out(without)[1]) if residuals else (None, None, None)
    gain, curve = mistakes
    return native.mistake_views(spans, shares.filled, gain, curve, softening.ridge, r, h, w, grown, apart)
