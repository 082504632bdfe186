"""Words: what documents add up to, class by class and word by word; only what occurs is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from candide.arithmetic import difference
from candide.statistics.arrays import Array, array_from_dict, array_to_dict

UNITS = 2.0**24
"""Units of a share: whole numbers of them add up exactly, in any order."""


@dataclass(frozen=True, eq=False)
class Words:
    """Sums over the documents of each class, of every word that occurs in one of them.

    Parameters
    ----------
    sizes : (K, V)
        How many classes and entries there are.
    at : ndarray of int64 (M,)
        Where something is counted: c · V + v, ascending.
    count : ndarray (M,)
        How often the word stands in the documents of the class.
    documents : ndarray (M,)
        How many documents of the class hold it.
    share : ndarray (M,)
        Its shares of these documents, in `UNITS`: log(1 + times), divided by the length of the document's vector.

    Examples
    --------
    >>> import numpy as np
    >>> one = Words((2, 3), np.array([1, 5]), np.array([2, 1]), np.array([1, 1]), np.array([9, 9]))
    >>> (one + one).dense("count")
    array([[0, 4, 0],
           [0, 0, 2]])
    """

    sizes: tuple[int, int]
    at: Array
    count: Array
    documents: Array
    share: Array

    @classmethod
    def zero(cls, *shape: int) -> Words:
        """Return the neutral element of a shape."""
        none = np.zeros(0, dtype=np.int64)
        return cls((shape[0], shape[1]), none, none, none, none)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many entries each axis has."""
        return self.sizes

    @property
    def places(self) -> tuple[Array, Array]:
        """The class and the word of each entry."""
        c, v = np.divmod(self.at, max(self.sizes[1], 1))
        return c, v

    @property
    def weight(self) -> Array:
        """In how many documents each entry is counted; of entries, not of a whole table."""
        return self.documents

    @property
    def sums(self) -> tuple[Array, Array, Array]:
        """The three sums of every entry."""
        return self.count, self.documents, self.share

    @property
    def missing(self) -> Array:
        """How many documents of each class are missing."""
        c, v = self.places
        first = v == 0
        out = np.zeros(self.sizes[0], dtype=self.documents.dtype)
        out[c[first]] = self.documents[first]
        return out

    def dense(self, name: str) -> Array:
        """Return one of the sums as a whole table (K, V)."""
        values = getattr(self, name)
        out = np.zeros(self.sizes, dtype=values.dtype)
        out.ravel()[self.at] = values
        return out

    def __add__(self, other: Words) -> Words:
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
        return Words(self.sizes, np.insert(large.at, place[new], small.at[new]), *sums)

    def __sub__(self, other: Words) -> Words:
        zero = Words(self.sizes, other.at, *(np.zeros_like(s) for s in other.sums))
        mine = self + zero
        theirs = other + Words(self.sizes, mine.at, *(np.zeros_like(s) for s in mine.sums))
        count, documents, share = (difference(a, b) for a, b in zip(mine.sums, theirs.sums, strict=True))
        # a word that no document holds any more has no share, whatever rounding of broken weights left of it
        gone = documents == 0
        left = Words(self.sizes, mine.at, np.where(gone & (count > 0), 0, count), documents, np.where(gone, 0, share))
        return left.chosen((left.documents != 0) | (left.count != 0))

    def chosen(self, keep: Array) -> Words:
        """Return some of the entries."""
        return self if keep.all() else Words(self.sizes, self.at[keep], *(s[keep] for s in self.sums))

    def scale(self, factor: float) -> Words:
        """Multiply every weight, as time decay does."""
        scaled = Words(self.sizes, self.at, *(s * factor for s in self.sums))
        return scaled.chosen(scaled.documents != 0)

    def whole(self) -> Words:
        """Return the sums of whole weights as integers."""
        return replace(self, **{n: np.rint(getattr(self, n)).astype(np.int64) for n in ("count", "documents", "share")})

    def used(self, axis: int) -> Array:
        """Return which entries of an axis something is counted in."""
        out = np.zeros(self.sizes[axis], dtype=bool)
        out[self.places[axis][self.documents != 0]] = True
        return out

    def first_below(self) -> tuple[int, ...] | None:
        """Return the first entry whose weight is below zero."""
        short = np.flatnonzero((self.documents < 0) | (self.count < 0) | (self.share < 0))
        return None if not len(short) else tuple(int(place[short[0]]) for place in self.places)

    def move(self, axis: int, index: Array, size: int) -> Words:
        """Rename the entries along an axis; entries that meet are added."""
        places = list(self.places)
        places[axis] = np.asarray(index, dtype=np.int64)[places[axis]]
        if len(places[axis]) and places[axis].min() < 0:
            raise IndexError("an entry has no place among those it is moved to")
        sizes = (size, self.sizes[1]) if axis == 0 else (self.sizes[0], size)
        at = places[0] * sizes[1] + places[1]
        if (np.diff(at) > 0).all():  # as where words and classes only make room for others
            return Words(sizes, at, *self.sums)
        at, inverse = np.unique(at, return_inverse=True)
        sums = (np.bincount(inverse, s, len(at)).astype(s.dtype) for s in self.sums)
        return Words(sizes, at, *sums)

    def take(self, axis: int, keep: Array) -> Words:
        """Keep the entries of a mask along an axis."""
        left = self.chosen(keep[self.places[axis]])
        return left.move(axis, np.cumsum(keep) - 1, int(keep.sum()))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        arrays = {n: array_to_dict(getattr(self, n)) for n in ("at", "count", "documents", "share")}
        return {"sizes": list(self.sizes), **arrays}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Words:
        """Read the JSON form."""
        arrays = (array_from_dict(data[n]) for n in ("at", "count", "documents", "share"))
        return cls((int(data["sizes"][0]), int(data["sizes"][1])), *arrays)
