"""Buckets that hold something, and all others as one: what a model of buckets has entries for."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.analysis.analyzer import Analyzer
from candide.analysis.word_list import WordList
from candide.frozen import frozen

Array = np.ndarray[Any, Any]

TRIED_WORDS, MOST_TRIED, TRIED_TOGETHER = 8, 1 << 22, 1 << 16
"""Made-up words that are tried for each bucket, in all, and at a time: of 8 one in 3,000 buckets has none."""
CONSONANTS, MADE_LETTERS = b"bcdfghjklmnpqrtvwxz", 6
"""Letters of made-up words, which no stemmer shortens, and how many they have."""


@frozen
class FilledBuckets:
    """The missing document, the buckets that hold something, and one entry for all others.

    Nothing is counted in the others, so that they say the same: whatever is told of one of them is told once, and there
    may be as many as anybody likes.

    Parameters
    ----------
    analyzer : Analyzer
    filled : ndarray of int32
        The buckets that hold something, in order.

    Examples
    --------
    >>> buckets = FilledBuckets(Analyzer(hashing=2**20), np.array([3, 700], dtype=np.int32))
    >>> buckets.size, buckets.others, buckets.find(np.array([700, 701])), buckets.tell(2)
    (4, 1048574, array([2, 3]), 'bucket 700')
    """

    analyzer: Analyzer
    filled: Array

    @property
    def n_buckets(self) -> int:
        """How many there are, be they empty or not."""
        return int(self.analyzer.hashing or 0)

    @property
    def others(self) -> int:
        """How many the last entry stands for."""
        return self.n_buckets - len(self.filled)

    @property
    def size(self) -> int:
        """The buckets that hold something, the missing document, and the others."""
        return len(self.filled) + 2

    @cached_property
    def stays(self) -> Array:
        """All of them, and the others where there are any."""
        out = np.ones(self.size, dtype=bool)
        out[-1] = self.others > 0
        return out

    @cached_property
    def entries(self) -> Array:
        """The entry of each among all buckets; of the others, in which nothing is counted, one behind these."""
        return np.concatenate([[0], self.filled.astype(np.int64) + 1, [self.n_buckets + 1]])

    @cached_property
    def slots(self) -> Array:
        """Where kernels find the buckets that hold something."""
        return native.bucket_slots(self.filled)

    def find(self, buckets: Array) -> Array:
        """Return the entry of each of some buckets."""
        place = np.searchsorted(self.filled, buckets)
        held = np.append(self.filled, -1)[place] == buckets
        return np.where(held, place, len(self.filled)) + 1

    def places(self, words: WordList) -> Array:
        """Return the entry of each word of a list."""
        return self.find(self.analyzer.buckets_of(words))

    def count(self, used: Array) -> int:
        """Return how many buckets a mask over the entries stands for."""
        return int(np.count_nonzero(used)) + (self.others - 1 if used[-1] else 0)

    def together_with(self, buckets: Array) -> FilledBuckets:
        """Return the same with entries for other buckets, each by itself."""
        return FilledBuckets(self.analyzer, np.union1d(self.filled, buckets).astype(np.int32))

    def tell(self, entry: int) -> str:
        """Name the bucket."""
        if entry == self.size - 1:
            return "any other bucket"
        return "a missing document" if entry == 0 else f"bucket {self.filled[entry - 1]}"

    def spoken(self) -> list[str]:
        """Return a made-up word of each entry, to draw documents of; none, "", where none is found."""
        n = min(TRIED_WORDS * self.n_buckets, MOST_TRIED)
        found = np.full(self.size, -1)
        for start in range(0, n, TRIED_TOGETHER):
            tried = np.arange(start, min(start + TRIED_TOGETHER, n))
            words = WordList(made_up(tried).ravel(), MADE_LETTERS * np.arange(len(tried) + 1))
            found[self.places(words)] = tried
        found[[0, -1]] = -1
        spelt = made_up(found)
        return [word.tobytes().decode() if k >= 0 else "" for word, k in zip(spelt, found.tolist(), strict=True)]


def made_up(numbers: Array) -> Array:
    """Return the letters (words, letters) of made-up words by their numbers."""
    digits = numbers[:, None] // len(CONSONANTS) ** np.arange(MADE_LETTERS) % len(CONSONANTS)
    return np.ascontiguousarray(np.frombuffer(CONSONANTS, np.uint8)[digits])
