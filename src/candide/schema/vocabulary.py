"""The axes of columns of documents: the words that were seen, or the buckets that words are thrown into."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from candide.analysis.analyzer import Analyzer
from candide.analysis.word_list import WordList
from candide.frozen import frozen
from candide.schema.axes import ABSENT, Entries
from candide.schema.cells import CellAxis, UnlikeAxesError
from candide.schema.filled_buckets import FilledBuckets
from candide.schema.order import object_array

Array = np.ndarray[Any, Any]


@frozen
class Vocabulary(Entries):
    """The missing document, and the words of all others.

    Parameters
    ----------
    analyzer : Analyzer
        What a word is.
    words : WordList
        In order, each once.
    kept : ndarray of bool (words,) or None
        Words that stay though no document holds them, since a schema was given that has them.
    """

    analyzer: Analyzer
    words: WordList
    kept: Array | None = None

    @property
    def size(self) -> int:
        """The words, and the missing document."""
        return len(self.words) + 1

    @property
    def levels(self) -> Array:
        """The words as text."""
        return object_array(self.words.text)

    @property
    def stays(self) -> Array:
        """The missing document, and the words kept."""
        out = np.zeros(self.size, dtype=bool)
        out[0] = True
        if self.kept is not None:
            out[1:] = self.kept
        return out

    def places(self, words: WordList) -> Array:
        """Return the entry of each word of a list, ABSENT where it is not known."""
        return np.where((found := self.words.find(words)) < 0, ABSENT, found + 1)

    def union(self, other: CellAxis) -> Vocabulary:
        """Return the words of both."""
        if not isinstance(other, Vocabulary) or other.analyzer != self.analyzer:
            raise UnlikeAxesError
        words = self.words.union(other.words)
        if words is self.words and other.kept is None:
            return self
        kept = None
        if self.kept is not None or other.kept is not None:
            kept = np.zeros(len(words), dtype=bool)
            for axis in (self, other):
                if axis.kept is not None:
                    kept[words.find(axis.words)[axis.kept]] = True
        return Vocabulary(self.analyzer, words, kept)

    def index(self, other: CellAxis) -> Array | None:
        """Return the entry here of each entry of `other`."""
        assert isinstance(other, Vocabulary)
        if self.words is other.words:
            return None
        found = self.places(other.words)
        if len(found) == len(self.words) and (found == np.arange(1, self.size)).all():
            return None
        return np.concatenate([[0], found])

    def take(self, keep: Array) -> Vocabulary:
        """Keep some words, and the missing document."""
        if keep.all():
            return self
        chosen = keep[1:]
        return replace(
            self,
            words=self.words.take(np.flatnonzero(chosen)),
            kept=None if self.kept is None else self.kept[chosen],
        )

    def keep(self) -> Vocabulary:
        """Return the axis with every word kept."""
        return replace(self, kept=np.ones(len(self.words), dtype=bool))

    def count(self, used: Array) -> int:
        """Return how many words a mask over the entries holds."""
        return int(np.count_nonzero(used))

    def tell(self, entry: int) -> str:
        """Name the word."""
        return "a missing document" if entry == 0 else f"the word {self.words[entry - 1]!r}"


@frozen
class Buckets(Entries):
    """The missing document, and a fixed number of buckets, each of all words that share a hash."""

    analyzer: Analyzer

    @property
    def size(self) -> int:
        """The buckets, and the missing document."""
        return int(self.analyzer.hashing or 0) + 1

    @property
    def levels(self) -> Array:
        """The buckets by number."""
        return object_array([f"bucket {i}" for i in range(self.size - 1)])

    @property
    def stays(self) -> Array:
        """All of them."""
        return np.ones(self.size, dtype=bool)

    def left(self, used: Callable[[], Array], keep: Mapping[str, Array]) -> Array | None:
        """Return None: all are left, and nobody looks which are used."""
        return None

    def union(self, other: CellAxis) -> Buckets:
        """Return the same buckets: others do not unite with them."""
        if not isinstance(other, Buckets) or other.analyzer != self.analyzer:
            raise UnlikeAxesError
        return self

    def index(self, other: CellAxis) -> Array | None:
        """Return None: both are the same."""
        return None

    def take(self, keep: Array) -> Buckets:
        """Return the buckets: they all stay."""
        return self

    def keep(self) -> Buckets:
        """Return the buckets: they all stay."""
        return self

    def tell(self, entry: int) -> str:
        """Name the bucket."""
        return "a missing document" if entry == 0 else f"bucket {entry - 1}"


WordAxis = Vocabulary | Buckets
"""What words are counted by."""

ListedWords = Vocabulary | FilledBuckets
"""What a model has entries for."""
