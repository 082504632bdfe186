"""Tokens: documents as rows of the words that they hold, in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from candide.analysis.word_list import WordList
from candide.arithmetic import offsets
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


@frozen
class Tokens:
    """Documents as rows of word numbers.

    Parameters
    ----------
    ids : ndarray of int32
        The words of all documents, one behind the other; negative ones were dropped.
    starts : ndarray of int64 (documents + 1,)
    words : WordList
        In order, each once.
    """

    ids: Array
    starts: Array
    words: WordList

    @classmethod
    def of(cls, documents: Iterable[Sequence[str]]) -> Tokens:
        """Return documents that are given as lists of words.

        Examples
        --------
        >>> tokens = Tokens.of([["my", "car"], [], ["car"]])
        >>> tokens.ids.tolist(), tokens.starts.tolist(), tokens.words.text
        ([1, 0, 0], [0, 2, 2, 3], ['car', 'my'])
        """
        place: dict[str, int] = {}
        rows = [[place.setdefault(word, len(place)) for word in document] for document in documents]
        ids = np.fromiter((i for row in rows for i in row), dtype=np.int32)
        words = WordList.of(list(place))
        return cls(ids, offsets(map(len, rows)), words)._in_order()

    def _in_order(self) -> Tokens:
        """Return the same documents with their words in order."""
        place, order = np.empty(len(self.words), dtype=np.int32), self.words.order
        place[order] = np.arange(len(self.words))
        return self.renamed(place, self.words.take(order))

    def renamed(self, meaning: Array, words: WordList) -> Tokens:
        """Return the same documents in other words: what each means among them, negative where it is dropped."""
        return Tokens(np.append(meaning, -1).astype(np.int32).take(self.ids, mode="wrap"), self.starts, words)

    def beside(self, other: Tokens) -> Tokens:
        """Return the same documents as rows of the words of both, of which no two are alike."""
        both = np.stack([np.diff(self.starts), np.diff(other.starts)], axis=1)
        mine = np.repeat(np.tile([True, False], len(both)), both.ravel())
        ids = np.empty(len(mine), dtype=np.int32)
        ids[mine], ids[~mine] = self.ids, other.ids + len(self.words)
        return Tokens(ids, self.starts + other.starts, self.words.followed_by(other.words))._in_order()
