"""The block of words whose counts are multiplied by their inverse document frequency.

It is an estimate from counts, and so it is taken without a document that is left out. That document is one of n, so
that the idf of every word changes by the same; and one of those that hold its own words, which changes them besides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.arithmetic import difference
from candide.distributions.bag import Bag
from candide.distributions.blocks import LeftOut
from candide.distributions.word_counts import LeftOutEntries
from candide.distributions.word_rows import WordRows
from candide.frozen import frozen
from candide.table import Bags

Array = np.ndarray[Any, Any]


def inverse_frequency(n: float, df: Array) -> Array:
    """Return idf_w = log((1 + n) / (1 + df_w)) + 1 of words that df of n documents hold."""
    return np.asarray(np.log((1 + n) / (1 + df)) + 1)


@frozen(kw_only=True)
class IdfBag(Bag):
    """score_c = const_c + scale_c · Σ_w t_w idf_w f_wc, t_w being how often a word stands in a document.

    Parameters
    ----------
    n : float
        The weight of all documents.
    df : ndarray (V,)
        The weight of those that hold each word.
    """

    n: float
    df: Array

    def scores_of(self, bags: Bags, without: LeftOut | None) -> Array:
        """Return the scores of documents, each by the counts and the frequencies without it where asked."""
        if without is None:
            return super().scores_of(bags, None)
        out = np.empty((len(bags), self.n_classes))
        weight = without.own(self.n_classes).sum(axis=1)
        for w in np.unique(weight).tolist():
            at = np.flatnonzero(weight == w)
            rest = self.fewer(w)
            out[at] = rest.scores_without(rest.read(bags.take(at)), without[at])
        return out

    def fewer(self, weight: float) -> RestBag:
        """Return the block of one document less, of that weight, which holds none of the words."""
        n = max(self.n - weight, 0.0)
        fewer = np.maximum(difference(self.df, np.asarray(weight)), 0.0)
        # words that it does not hold are held by others alone; those that it does may stand at anything above zero
        idf, own = inverse_frequency(n, np.minimum(self.df, n)), inverse_frequency(n, fewer)
        counts = self.counts.times(idf / self.selection.factor)
        return RestBag(
            self.position, self.name, replace(self.selection, factor=own), self.model, counts, None,
            self.model.const(counts), self.model.scale(counts), self.presence, grown=own / idf,
        )  # fmt: skip


@frozen(kw_only=True)
class RestBag(Bag):
    """The block of all documents but one, by the frequencies of the others: its own words are yet to be left out.

    Parameters
    ----------
    grown : ndarray (V,)
        What the idf of a word of that document is, as a multiple of the idf of words that it does not hold.
    """

    grown: Array

    def left_out(self, words: WordRows, without: LeftOut) -> LeftOutEntries:
        """Return the words of documents, whose counts grow with their idf, and the counts without them."""
        entries = super().left_out(words, without)
        grown = self.grown[words.words][:, None]
        gone = without.own(self.n_classes)[entries.of_document] * words.x[:, None]
        more = entries.n * (grown - 1)
        by_class = entries.sum(more)
        left = replace(
            entries.left,
            of_class=entries.left.of_class + by_class,
            everything=entries.left.everything + by_class.sum(axis=1, keepdims=True),
        )
        return replace(
            entries,
            n_left=np.maximum(difference(entries.n * grown, gone), 0.0),
            marginal_left=np.maximum(difference(entries.marginal * grown, gone.sum(axis=1, keepdims=True)), 0.0),
            left=left,
        )
