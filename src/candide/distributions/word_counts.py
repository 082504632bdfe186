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
        V, how many words there are; the last that counts are told of may stand for several without any.
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

    def over_words(self, of_word: Array) -> float:
        """Add up what is said of each word (V,), of which the last may stand for several."""
        return float(of_word.sum() + (self.words - len(of_word)) * of_word[-1])

    def without(self, own: Array, length: Array) -> Totals:
        """Return the totals less documents of some length (E,), each with its weight in its own class (E, K)."""
        return replace(
            self,
            of_class=self.of_class - own * length[:, None],
            documents=self.documents - own,
            everything=self.everything - (own.sum(axis=1) * length)[:, None],
        )


@frozen
class ByWord:
    """The counts n_wc that are not zero, word by word.

    Parameters
    ----------
    n : ndarray (M,)
    class_of : ndarray of int32 (M,)
    starts : ndarray of int64 (V + 1,)
        Where the entries of each word begin.
    marginal : ndarray (V,)
        n_w, the counts of each word in all classes.
    """

    n: Array
    class_of: Array
    starts: Array
    marginal: Array

    def sorted(self) -> ByWord:
        """Return them."""
        return self


@frozen
class Entered:
    """Counts as they were summed, class by class: at entries class · words + word, which ascend.

    Parameters
    ----------
    at : ndarray of int64 (E,)
    counted : ndarray (E,)
    place : ndarray of int32 (words,)
        Where each word stands among those used, negative where it does not.
    factor : ndarray (V,) or None
        What the counts of each of the words used are multiplied by.
    words, classes : int
        V and K.
    others : int
        How many words more the last stands for, of which none is counted.
    """

    at: Array
    counted: Array
    place: Array
    factor: Array | None
    words: int
    classes: int
    others: int = 0

    def against(self, documents: Array) -> Totals:
        """Return what they are measured against, of so many documents of each class (K,)."""
        of = native.sum_by_class(self.at, self.counted, self.place, self.words, self.classes, self.factor)
        return Totals(self.words + self.others, of[None], documents[None], np.array([[of.sum()]]))

    def sorted(self) -> ByWord:
        """Return them word by word."""
        starts, class_of, n, marginal = native.by_word(
            self.at, self.counted, self.place, self.words, self.classes, self.factor
        )
        return ByWord(n, class_of, starts, marginal)


@frozen
class ClassCounts:
    """The counts n_wc of words by class, and what they are measured against.

    They are summed, and sorted by word, when that is first asked for: what is taught row by row is seldom asked in
    between.

    Parameters
    ----------
    given : Entered or ByWord
    measured : Totals (1, K), or ndarray (K,)
        What they are measured against, or, where they are entered, how many documents of each class are known.
    """

    given: Entered | ByWord
    measured: Totals | Array

    @cached_property
    def totals(self) -> Totals:
        """What they are measured against (1, K)."""
        if isinstance(self.measured, Totals):
            return self.measured
        assert isinstance(self.given, Entered)
        return self.given.against(self.measured)

    @cached_property
    def by_word(self) -> ByWord:
        """The counts word by word."""
        return self.given.sorted()

    @property
    def n(self) -> Array:
        """The counts that are not zero (M,), word by word."""
        return self.by_word.n

    @property
    def class_of(self) -> Array:
        """The class of each (M,)."""
        return self.by_word.class_of

    @property
    def starts(self) -> Array:
        """Where those of each word begin (V + 1,)."""
        return self.by_word.starts

    @property
    def marginal(self) -> Array:
        """n_w (V,), the counts of each word in all classes."""
        return self.by_word.marginal

    @cached_property
    def word_of(self) -> Array:
        """The word of each entry (M,), ascending."""
        return np.repeat(np.arange(len(self.marginal)), np.diff(self.starts))

    def against(self, totals: Totals) -> ClassCounts:
        """Return the same counts, measured against others."""
        return ClassCounts(self.by_word, totals)

    def times(self, factor: Array) -> ClassCounts:
        """Return the counts of each word multiplied by a factor (V,)."""
        n, marginal = self.n * factor[self.word_of], self.marginal * factor
        of_class = np.bincount(self.class_of, n, self.totals.of_class.shape[1])[None]
        totals = replace(self.totals, of_class=of_class, everything=of_class.sum(axis=1, keepdims=True))
        return ClassCounts(ByWord(n, self.class_of, self.starts, marginal), totals)

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
