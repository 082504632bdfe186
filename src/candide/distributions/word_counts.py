"""The counts of words by class, and what is left of them without a document."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


@frozen
class Totals:
    """What the counts of single words are measured against; arrays broadcast, classes last.

    Parameters
    ----------
    words : int
        V, how many words there are.
    of_class : ndarray (..., K)
        N_c, the counts of all words in each class.
    documents : ndarray (..., K)
        M_c, how many documents of each class are known.
    everything : ndarray (..., 1)
        N, the counts of all words.
    """

    words: int
    of_class: Array
    documents: Array
    everything: Array

    def without(self, own: Array, length: Array) -> Totals:
        """Return the totals less documents of some length (E,), each with its weight in its own class (E, K)."""
        return replace(
            self,
            of_class=self.of_class - own * length[:, None],
            documents=self.documents - own,
            everything=self.everything - (own.sum(axis=1) * length)[:, None],
        )


@frozen
class ClassCounts:
    """The counts n_wc that are not zero, word by word, and what they are measured against.

    Parameters
    ----------
    n : ndarray (M,)
    class_of : ndarray of int32 (M,)
    starts : ndarray of int64 (V + 1,)
        Where the entries of each word begin.
    marginal : ndarray (V,)
        n_w, the counts of each word in all classes.
    totals : Totals
        (1, K)
    """

    n: Array
    class_of: Array
    starts: Array
    marginal: Array
    totals: Totals

    @cached_property
    def word_of(self) -> Array:
        """The word of each entry (M,), ascending."""
        return np.repeat(np.arange(len(self.marginal)), np.diff(self.starts))

    def times(self, factor: Array) -> ClassCounts:
        """Return the counts of each word multiplied by a factor (V,)."""
        n, marginal = self.n * factor[self.word_of], self.marginal * factor
        of_class = np.bincount(self.class_of, n, self.totals.of_class.shape[1])[None]
        totals = replace(self.totals, of_class=of_class, everything=of_class.sum(axis=1, keepdims=True))
        return replace(self, n=n, marginal=marginal, totals=totals)

    def add_parts(self, values: Array, of_word: Array | None = None, of_class: Array | None = None) -> None:
        """Add what is said of the word (V,) and of the class (K,) of each entry to its value (M,)."""
        native.add_parts(values, self.word_of, self.class_of, of_word, of_class)


@frozen
class LeftOutEntries:
    """The words of documents that are left out of the counts, each an entry (E,), and what is left without them.

    Parameters
    ----------
    documents : int
    of_document : ndarray of int (E,)
    n, marginal : ndarray (E, K), (E, 1)
        The counts of all documents.
    n_left, marginal_left : ndarray (E, K), (E, 1)
        Those without the entry's document.
    counts : ClassCounts
        All counts, of all documents.
    left : Totals
        Without each document (documents, K).
    """

    documents: int
    of_document: Array
    n: Array
    marginal: Array
    n_left: Array
    marginal_left: Array
    counts: ClassCounts
    left: Totals

    def sum(self, terms: Array) -> Array:
        """Add up terms (E, K) by document."""
        out = np.zeros((self.documents, terms.shape[1]))
        np.add.at(out, self.of_document, terms)
        return out
