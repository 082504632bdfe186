"""The entries of words, of which most have some for few classes only."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide import native
from candide.frozen import frozen

Array = np.ndarray[Any, Any]

FILLED, MOST_FILLED = 4, 64
"""A word with entries for one in so many classes is read fastest with one for each, row by row; of more classes than
the latter, words stay sparse."""


@frozen
class WordEntries:
    """Which classes words have entries for.

    Parameters
    ----------
    starts : ndarray of int64 (V + 1,)
        Where the entries of each word begin.
    classes : ndarray of int32 (M,)
    places : ndarray of int64 (M,) or None
        Where those stand that were there before others were filled in; None: none were.
    """

    starts: Array
    classes: Array
    places: Array | None = None

    @classmethod
    def filled(cls, starts: Array, classes: Array, k: int) -> WordEntries:
        """Return the entries of words among k classes, in which words that have many have one for each class.

        Examples
        --------
        >>> some = WordEntries.filled(np.array([0, 1, 3]), np.array([4, 0, 2]), 5)
        >>> some.starts, some.classes, some.places
        (array([0, 1, 6]), array([4, 0, 1, 2, 3, 4], dtype=int32), array([0, 1, 3]))
        """
        if k > MOST_FILLED:
            return cls(starts, classes)
        ends, of, places = native.fill_entries(starts, classes.astype(np.int32, copy=False), k, FILLED)
        return cls(ends, of, places) if len(of) > len(classes) else cls(starts, classes)

    def spread(self, values: Array) -> Array:
        """Return values of the entries that were there before, with nothing said in the others."""
        if self.places is None:
            return values
        out = np.zeros(len(self.classes))
        out[self.places] = values
        return out


def entries_of(starts: Array, words: Array) -> tuple[Array, Array]:
    """Return the entries of some words: which of the words, and which entry."""
    lengths = np.diff(starts)[words]
    place = np.repeat(np.arange(len(words)), lengths)
    ends = np.cumsum(lengths)
    return place, np.arange(len(place)) + np.repeat(starts[words] - (ends - lengths), lengths)
