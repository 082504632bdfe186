"""Words: what documents add up to, class by class and word by word; only what occurs is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from candide.arithmetic import difference
from candide.frozen import frozen
from candide.statistics.arrays import Array

UNITS = 2.0**24
"""Units of a share: whole numbers of them add up exactly, in any order."""

LARGEST_SUM = 2.0**63
"""What whole sums are below."""

MOST_DOCUMENTS = LARGEST_SUM / UNITS
"""What the whole weight of the documents of a word is below: none of them has a share of more than one."""


@frozen
class Sparse:
    """Sums of which most are zero, and only the others are kept.

    Parameters
    ----------
    sizes : (K, V)
        How many classes and entries there are.
    at : ndarray of int64 (M,)
        Where something is counted: c · V + v, ascending.
    sums : tuple of ndarray (M,)
        What is summed there, by the names of `NAMES`.
    """

    NAMES: ClassVar[tuple[str, ...]] = ()

    sizes: tuple[int, int]
    at: Array
    sums: tuple[Array, ...]

    @classmethod
    def zero(cls, *shape: int) -> Self:
        """Return the neutral element of a shape."""
        none = np.zeros(0, dtype=np.int64)
        return cls((shape[0], shape[1]), none, (none,) * len(cls.NAMES))

    @property
    def shape(self) -> tuple[int, ...]:
        """How many entries each axis has."""
        return self.sizes

    @cached_property
    def remembered(self) -> dict[str, Any]:
        """What rules worked out of these sums once and need again, by whatever names they give it."""
        return {}

    @cached_property
    def starts(self) -> Array:
        """Where the entries of each class begin, and the end of the last (K + 1,)."""
        return np.searchsorted(self.at, np.arange(self.sizes[0] + 1) * self.sizes[1])

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """The class and the word of each entry."""
        c = np.repeat(np.arange(self.sizes[0]), np.diff(self.starts))
        return c, self.at - c * self.sizes[1]

    def _of_classes(self) -> Iterator[tuple[slice, Array]]:
        """Yield the entries of each class, and their words: none comes twice."""
        for c, (start, stop) in enumerate(pairwise(self.starts.tolist())):
            yield slice(start, stop), self.at[start:stop] - c * self.sizes[1]

    def by_entry(self, name: str) -> Array:
        """Return one of the sums over all classes, by word (V,)."""
        out, values = np.zeros(self.sizes[1]), self.sum_of(name)
        for mine, words in self._of_classes():
            out[words] += values[mine]
        return out

    def of_entries(self, entries: Array) -> Self:
        """Return the same by some entries of the second axis alone, which ascend (K, entries)."""
        c, v = self.places
        place = np.searchsorted(entries, v)
        held = np.append(entries, -1)[place] == v
        there = self.chosen(held)
        return replace(there, sizes=(self.sizes[0], len(entries)), at=(c * len(entries) + place)[held])

    @cached_property
    def _occur(self) -> Array:
        """Which words something is counted of, where something is counted in each entry that is kept."""
        out = np.zeros(self.sizes[1], dtype=bool)
        for _, words in self._of_classes():
            out[words] = True
        return out

    def sum_of(self, name: str) -> Array:
        """Return one of the sums by name."""
        return self.sums[self.NAMES.index(name)]

    def dense(self, name: str) -> Array:
        """Return one of the sums as a whole table (K, V)."""
        values = self.sum_of(name)
        out = np.zeros(self.sizes, dtype=values.dtype)
        out.ravel()[self.at] = values
        return out

    @property
    def weight(self) -> Array:
        """What is counted in each entry that is kept."""
        return self.sums[0]

    def __add__(self, other: Self) -> Self:
        large, small = (self, other) if len(self.at) >= len(other.at) else (other, self)
        place = np.searchsorted(large.at, small.at)
        shared = np.zeros(len(place), dtype=bool)
        inside = place < len(large.at)
        shared[inside] = large.at[place[inside]] == small.at[inside]
        new = ~shared
        sums = []
        for mine, theirs in zip(large.sums, small.sums, strict=True):
            total = mine.astype(np.result_type(mine, theirs))
            total[place[shared]] += theirs[shared]
            sums.append(np.insert(total, place[new], theirs[new]))
        return type(self)(self.sizes, np.insert(large.at, place[new], small.at[new]), tuple(sums))

    def over(self, other: Self) -> Self:
        """Return the same sums with an entry, be it zero, wherever another has one."""
        return self + replace(other, sums=tuple(np.zeros_like(s) for s in other.sums))

    def __sub__(self, other: Self) -> Self:
        mine, theirs = self.over(other), other.over(self)
        left = (difference(a, b, mine._largest(a)) for a, b in zip(mine.sums, theirs.sums, strict=True))
        return replace(mine, sums=tuple(left))

    def _largest(self, values: Array) -> Array | None:
        """Return the largest broken sum in the class of each entry: what is left of one that was as large has its
        rounding, however little that is.
        """
        if values.dtype.kind == "i":
            return None
        tops = [np.abs(values[mine]).max(initial=0.0) for mine, _ in self._of_classes()]
        return np.repeat(np.array(tops), np.diff(self.starts))

    def chosen(self, keep: Array) -> Self:
        """Return some of the entries."""
        return self if keep.all() else replace(self, at=self.at[keep], sums=tuple(s[keep] for s in self.sums))

    def scale(self, factor: float) -> Self:
        """Multiply every weight, as time decay does."""
        scaled = replace(self, sums=tuple(s * factor for s in self.sums))
        return scaled.chosen(np.full(len(self.at), factor != 0))

    def whole(self) -> Self:
        """Return the sums of whole weights as integers."""
        if all(s.dtype.kind == "i" for s in self.sums):
            return self
        if any(s.max(initial=0) >= LARGEST_SUM for s in self.sums):
            raise ValueError(
                f"sample_weight gives a word a weight of {self.sums[0].max():g} documents, more than can be counted: "
                "scale it down, or give broken weights"
            )
        return replace(self, sums=tuple(s if s.dtype.kind == "i" else np.rint(s).astype(np.int64) for s in self.sums))

    @cached_property
    def _each_weighs(self) -> bool:
        """Whether something is counted in each entry that is kept."""
        return bool(np.count_nonzero(self.weight) == len(self.weight))

    def used(self, axis: int) -> Array:
        """Return which entries of an axis something is counted in."""
        if not self._each_weighs:
            return self.chosen(self.weight != 0).used(axis)
        return np.diff(self.starts) > 0 if axis == 0 else self._occur.copy()

    def first_below(self) -> tuple[int, ...] | None:
        """Return the first entry with a sum below zero."""
        short = np.flatnonzero(np.any([s < 0 for s in self.sums], axis=0))
        return None if not len(short) else tuple(int(place[short[0]]) for place in self.places)

    def cannot_hold(self, other: Self) -> None:
        """Return None: what is no part of it leaves something below zero."""

    def lost(self, before: Self) -> None:
        """Return None: no digit of a sum is lost."""

    def impossible(self, largest: float) -> Iterator[tuple[Array, str]]:
        """Yield nothing: sums of words are looked at where they are read."""
        return iter(())

    def move(self, axis: int, index: Array, size: int) -> Self:
        """Rename the entries along an axis; entries that meet are added."""
        places = list(self.places)
        places[axis] = np.asarray(index, dtype=np.int64)[places[axis]]
        if len(places[axis]) and places[axis].min() < 0:
            raise IndexError("an entry has no place among those it is moved to")
        sizes = (size, self.sizes[1]) if axis == 0 else (self.sizes[0], size)
        at = places[0] * sizes[1] + places[1]
        if (np.diff(at) > 0).all():  # as where words and classes only make room for others
            return type(self)(sizes, at, self.sums)
        at, inverse = np.unique(at, return_inverse=True)
        return type(self)(sizes, at, tuple(np.bincount(inverse, s, len(at)).astype(s.dtype) for s in self.sums))

    def take(self, axis: int, keep: Array) -> Self:
        """Keep the entries of a mask along an axis."""
        left = self.chosen(keep[self.places[axis]])
        return left.move(axis, np.cumsum(keep) - 1, int(keep.sum()))


class Words(Sparse):
    """Sums over the documents of each class, of every word that occurs in one of them.

    `documents` is how many of them hold it, `count` how often it stands there, and `share` its shares of them, in
    `UNITS`: log(1 + times), divided by the length of the document's vector of these. The first entry of the axis counts
    missing documents.

    Examples
    --------
    >>> import numpy as np
    >>> one = Words((2, 3), np.array([1, 5]), (np.array([1, 1]), np.array([2, 1]), np.array([9, 9])))
    >>> (one + one).dense("count")
    array([[0, 4, 0],
           [0, 0, 2]])
    """

    NAMES = ("documents", "count", "share")

    @classmethod
    def counted(cls, sizes: tuple[int, int], at: Array, sums: tuple[Array, ...]) -> Self:
        """Return the sums of documents of which none is missing, by the words that they hold: each of these occurs."""
        made = cls(sizes, at, sums)
        occur = np.ones(sizes[1], dtype=bool)
        occur[0] = False
        # what would be found by going through all entries
        vars(made).update(_occur=occur, each_occurs=True, missing=np.zeros(sizes[0], dtype=sums[0].dtype))
        return made

    @cached_property
    def each_occurs(self) -> bool:
        """Whether a document holds each of the words."""
        return bool(self.used(1)[1:].all())

    @property
    def documents(self) -> Array:
        """How many documents of the class hold the word."""
        return self.sums[0]

    @property
    def count(self) -> Array:
        """How often the word stands in the documents of the class."""
        return self.sums[1]

    @property
    def share(self) -> Array:
        """The word's shares of these documents, in `UNITS`."""
        return self.sums[2]

    @cached_property
    def missing(self) -> Array:
        """How many documents of each class are missing."""
        out = np.zeros(self.sizes[0], dtype=self.documents.dtype)
        c = np.flatnonzero(np.diff(self.starts))
        first = self.starts[c]
        there = self.at[first] == c * self.sizes[1]
        out[c[there]] = self.documents[first[there]]
        return out

    def __add__(self, other: Self) -> Self:
        if self.documents.dtype.kind == other.documents.dtype.kind == "i":
            mine, theirs = (int(words.documents.max(initial=0)) for words in (self, other))
            if mine + theirs >= MOST_DOCUMENTS:
                raise ValueError(
                    f"words in documents that weigh {mine:g} and {theirs:g} are together more than can be counted: "
                    "scale them down first, as in 0.5 * model"
                )
        return super().__add__(other)

    def __sub__(self, other: Self) -> Self:
        left = super().__sub__(other)
        if left.documents.dtype.kind == "f":
            # a word that no document holds has no share, whatever rounding of broken weights left of it
            left = replace(left, sums=tuple(np.where(left.documents == 0, 0.0, s) for s in left.sums))
        return left.chosen(np.any([s != 0 for s in left.sums], axis=0))

    def first_below(self) -> tuple[int, ...] | None:
        """Return the first entry with a sum below zero, or with words of no document."""
        rest = (self.documents == 0) & ((self.count != 0) | (self.share != 0))
        short = np.flatnonzero(rest | np.any([s < 0 for s in self.sums], axis=0))
        return None if not len(short) else tuple(int(place[short[0]]) for place in self.places)


class Mistakes(Sparse):
    """Sums over documents of what a first model got wrong: `gain` of residuals times shares, and their `curve`.

    Residuals are of the model that was settled when they were summed: sums of two such models are of both.
    """

    NAMES = ("gain", "curve")

    def used(self, axis: int) -> Array:
        """Return that no entry is kept for its mistakes."""
        return np.zeros(self.sizes[axis], dtype=bool)

    def first_below(self) -> tuple[int, ...] | None:
        """Return None: residuals have both signs."""
        return None

    def whole(self) -> Self:
        """Return the same: residuals are broken numbers."""
        return self
