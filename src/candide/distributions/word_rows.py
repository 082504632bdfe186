"""Documents as rows of words, and how much of each there is."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.frozen import frozen

Array = np.ndarray[Any, Any]
Spans = tuple[Array, Array, Array, Array]


@frozen
class WordRows:
    """Documents as rows of words: word `words[i]`, with the amount x, of the document i lies in.

    Parameters
    ----------
    starts : ndarray of int64 (documents + 1,)
    words : ndarray of int32
        Positions among the words of the model; words that it does not use are not there.
    x : ndarray
    """

    starts: Array
    words: Array
    x: Array

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Array:
        """How many words each document has."""
        return np.diff(self.starts)

    @property
    def of_document(self) -> Array:
        """The document of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def sums(self, values: Array) -> Array:
        """Add up values of entries by document."""
        if len(self) == 1:
            return np.asarray(values.sum(keepdims=True))
        return np.bincount(self.of_document, values, len(self))

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """The arrays of the kernels."""
        return self.starts, self.words, self.x

    def spans(self, documents: Array | slice = slice(None)) -> Spans:
        """Return documents, all or some, as the kernels of views take them: where each begins and ends, words and x."""
        return self.starts[:-1][documents], self.starts[1:][documents], self.words, self.x

    def known(self) -> WordRows:
        """Return the same without the entries whose word is negative."""
        there = self.words >= 0
        if there.all():
            return self
        lengths = self.sums(there.astype(float)).astype(np.int64)
        return WordRows(offsets(lengths), self.words[there], self.x[there])

    def slice(self, start: int, stop: int) -> WordRows:
        """Return a range of documents."""
        a, b = self.starts[start], self.starts[stop]
        return WordRows(self.starts[start : stop + 1] - a, self.words[a:b], self.x[a:b])
