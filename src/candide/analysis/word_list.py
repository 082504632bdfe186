"""Lists of words: their bytes in one row, without an object for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


@frozen
class WordList:
    """Words one behind the other, in UTF-8.

    Parameters
    ----------
    bytes : ndarray of uint8
    starts : ndarray of int64 (words + 1,)
        Where each word begins, and the end of the last.

    Examples
    --------
    >>> words = WordList.of(["home", "été", "car"])
    >>> words.sorted().text, words.find(WordList.of(["car", "truck"])).tolist()
    (['car', 'home', 'été'], [2, -1])
    """

    bytes: Array
    starts: Array

    @classmethod
    def of(cls, words: Sequence[str]) -> WordList:
        """Return the list of some words, in their order."""
        data = np.frombuffer("".join(words).encode("utf-8", "surrogatepass"), dtype=np.uint8)
        starts = offsets(map(len, words))
        if starts[-1] < len(data):  # characters of several bytes
            starts = np.append(np.flatnonzero(first_bytes(data)), len(data))[starts]
        return cls(data, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def text(self) -> list[str]:
        """The words as text."""
        return native.word_texts(self.bytes, self.starts)

    def __getitem__(self, i: int) -> str:
        return self.bytes[self.starts[i] : self.starts[i + 1]].tobytes().decode("utf-8", "surrogatepass")

    @cached_property
    def slots(self) -> Array:
        """Where words are found."""
        return native.word_slots(self.bytes, self.starts)

    def find(self, other: WordList) -> Array:
        """Return the place of each word of another list in this one, -1 where it is not there."""
        return native.find_words(self.slots, self.bytes, self.starts, other.bytes, other.starts)

    def outside(self, other: WordList) -> Array:
        """Return which words of this list are not in another, both in order: the fewer are sought among the more."""
        if len(self) < len(other):
            return np.asarray(other.find(self) < 0)
        at = native.seek_words(self.bytes, self.starts, other.bytes, other.starts)
        out = np.ones(len(self), dtype=bool)
        out[at[at >= 0]] = False
        return out

    @property
    def spaces(self) -> Array:
        """How many spaces each word has: one less than there are words in a run of them.

        Examples
        --------
        >>> WordList.of(["new", "new york", ""]).spaces
        array([0, 1, 0])
        """
        return np.diff(offsets(self.bytes == ord(" "))[self.starts])

    def take(self, chosen: Array) -> WordList:
        """Return the words at some places, in that order."""
        return WordList(*native.take_words(self.bytes, self.starts, np.asarray(chosen, dtype=np.int64)))

    def sorted(self) -> WordList:
        """Return the words in the order of their code points."""
        return self.take(self.order)

    @property
    def order(self) -> Array:
        """The places of the words in the order of their code points."""
        return native.sort_words(self.bytes, self.starts)

    def unique(self) -> tuple[WordList, Array]:
        """Return the words in order, each once, and the place of each of these words among them."""
        data, starts, place = native.unique_words(self.bytes, self.starts)
        return WordList(data, starts), place

    def union(self, other: WordList) -> WordList:
        """Return the words of both, each once, in order; those of each list are distinct."""
        new = self.find(other) < 0
        if not new.any():
            return self
        return self.followed_by(other.take(np.flatnonzero(new))).sorted()

    def behind(self, mark: str) -> WordList:
        """Return each word behind a character of ASCII.

        Examples
        --------
        >>> WordList.of(["ab", "", "é"]).behind("~").text
        ['~ab', '~', '~é']
        """
        return WordList(np.insert(self.bytes, self.starts[:-1], ord(mark)), self.starts + np.arange(len(self) + 1))

    def followed_by(self, other: WordList) -> WordList:
        """Return the words of both, one list behind the other."""
        starts = np.concatenate([self.starts, other.starts[1:] + self.starts[-1]])
        return WordList(np.concatenate([self.bytes, other.bytes]), starts)


def first_bytes(data: Array) -> Array:
    """Return which bytes of UTF-8 a character begins with."""
    return np.asarray((data & 0xC0) != 0x80)
