"""Documents as rows of words: those that a model uses, and how much of each there is."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.analysis.word_list import WordList
from candide.arithmetic import offsets
from candide.frozen import frozen
from candide.schema.filled_buckets import FilledBuckets
from candide.schema.vocabulary import ListedWords, Vocabulary
from candide.statistics.words import UNITS
from candide.table import Bags

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


@frozen
class Selection:
    """The words that a model uses.

    Parameters
    ----------
    axis : Vocabulary or FilledBuckets
    place : ndarray of int32 (entries of the axis,)
        The position of each among the words used; negative where it is not.
    factor : ndarray (words used,)
        What the count of each is multiplied by.
    """

    axis: ListedWords
    place: Array
    factor: Array

    @classmethod
    def of(cls, axis: ListedWords, used: Array, factor: Array | None = None) -> Selection:
        """Return the words of a mask over the entries of an axis; None: what is counted of them is as it is."""
        if factor is None and used[1:].all() and not used[0]:
            return cls.of_all(axis)
        place = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
        if factor is not None:
            return cls(axis, place, factor)
        return cls(axis, place, np.ones(int(np.count_nonzero(used))))._as_it_is()

    @classmethod
    def of_all(cls, axis: ListedWords) -> Selection:
        """Return all words of an axis, whose first entry is none."""
        return cls(axis, np.arange(-1, axis.size - 1, dtype=np.int32), np.ones(axis.size - 1))._as_it_is()

    def _as_it_is(self) -> Selection:
        vars(self)["weighs"] = False  # which would be found by looking at all of them
        return self

    @property
    def looked_up(self) -> bool:
        """Whether words are found as they stand in documents, in the pass that reads these."""
        analyzer = self.axis.analyzer
        return analyzer.plain if isinstance(self.axis, FilledBuckets) else analyzer.direct

    @property
    def formed(self) -> bool:
        """Whether words are forms of those that stand in documents, each of one."""
        analyzer = self.axis.analyzer
        changed = analyzer.stem is not None or analyzer.lemmatize is not None
        return changed and analyzer.single and not isinstance(self.axis, FilledBuckets)

    def amounts(self, bags: Bags, units: float = 0.0) -> WordRows:
        """Return documents in the words used: how often each stands there, or its share of all words that are known."""
        noted = None if bags.notes is None else bags.notes.rows_of(self._found_by)
        if noted is not None:
            starts, words, times = noted
            x = native.word_shares(starts, times, units) if units else times.astype(float)
            x /= units or 1.0
            if len(self.factor) == self.axis.size - 1:  # all words are used, and keep their order
                return WordRows(starts, words, x)
            return WordRows(starts, self.place[1:].take(words), x).known()
        if self.looked_up:
            return WordRows(*self.axis.analyzer.look_up(bags, self.place[1:], units, self._found_by))
        tokens = self.axis.analyzer.read(bags)
        if isinstance(self.axis, FilledBuckets):  # words of one bucket are one word
            buckets, bucket = np.unique(self.axis.analyzer.buckets_of(tokens.words), return_inverse=True)
            entry, tokens = self.axis.find(buckets), tokens.renamed(bucket, tokens.words)
        else:
            entry = self.axis.places(tokens.words)
        starts, words, times = native.bags(tokens.ids, tokens.starts, len(entry))
        rows = WordRows(starts, entry.astype(np.int32)[words], times).known()
        x = native.word_shares(rows.starts, rows.x, units) / units if units else rows.x.astype(float)
        return WordRows(rows.starts, self.place[rows.words], x).known()

    def spelt_out(self, bags: Bags) -> WordRows:
        """Return documents in the words used as they follow each other, negative where one is not; each counts once."""
        tokens = self.axis.analyzer.read(bags)
        entry = self.axis.places(tokens.words)
        place = np.append(np.where(entry >= 0, self.place[entry], -1), -1).astype(np.int32)  # the last: dropped words
        return WordRows(tokens.starts, place[tokens.ids], np.ones(len(tokens.ids)))

    @property
    def _found_by(self) -> WordList | Array:
        """What words are found by: the list of them, or the slots of buckets."""
        return self.axis.slots if isinstance(self.axis, FilledBuckets) else self.axis.words

    def slots(self, evidence: tuple[Array | None, ...], often: Array) -> Array:
        """Return where words that are `looked_up` are found with what they say, those that stand often soonest."""
        if isinstance(self.axis, FilledBuckets):
            return native.scored_slots(self.place[1:], evidence)
        stand, words = np.append(often, 0.0)[self.place[1:]], self.axis.words  # the last: words that are not used
        return native.scored_slots(self.place[1:], evidence, stand, words.bytes, words.starts)

    def score(self, bags: Bags, units: float, slots: Array, evidence: tuple[Array | None, ...], out: Array) -> Array:
        """Add what the `amounts` of words say, as `native.score_words` does."""
        return self.axis.analyzer.score(bags, units, slots, evidence, self._found_by, out)

    def read(self, bags: Bags, presence: bool) -> WordRows:
        """Return documents in the words used, missing ones without any, each multiplied by its factor."""
        rows = self.amounts(bags)
        if presence:
            return WordRows(rows.starts, rows.words, self.factor[rows.words])
        return WordRows(rows.starts, rows.words, rows.x * self.factor[rows.words]) if self.weighs else rows

    @cached_property
    def weighs(self) -> bool:
        """Whether a count is multiplied by anything but one."""
        return bool((self.factor != 1.0).any())

    def shares(self, bags: Bags) -> WordRows:
        """Return documents as shares of the words used."""
        return self.amounts(bags, UNITS)

    @property
    def others(self) -> int:
        """How many words more the last of those used stands for: all buckets that nothing is counted in are one."""
        axis = self.axis
        return axis.others - 1 if isinstance(axis, FilledBuckets) and self.place[-1] >= 0 else 0

    @property
    def used(self) -> Array:
        """The entry of each of the words used."""
        return np.flatnonzero(self.place >= 0)

    @property
    def counted_at(self) -> tuple[Array, int]:
        """The entry of each of them on the axis that words are counted by, and the size of that."""
        if isinstance(self.axis, FilledBuckets):
            return self.axis.entries[self.used], self.axis.n_buckets + 1
        return self.used, self.axis.size

    def apart(self, buckets: Array) -> tuple[Selection, Array]:
        """Return the selection in which each of some buckets is a word by itself, and which of the words here it is."""
        assert isinstance(self.axis, FilledBuckets)
        wide = self.axis.together_with(buckets)
        here = self.place[np.concatenate([[0], self.axis.find(wide.filled), [-1]])]
        here[-1] = here[-1] if wide.others else -1
        return Selection.of(wide, here >= 0, self.factor[here[here >= 0]]), here[here >= 0]

    def apart_in(self, bags: Bags) -> tuple[Selection, Array]:
        """Return the selection in which each word of some documents is one by itself, and which of the words here."""
        if isinstance(self.axis, Vocabulary):
            return self, np.arange(len(self.factor))
        analyzer = self.axis.analyzer
        return self.apart(analyzer.buckets_of(analyzer.read(bags).words))

    def called(self, words: Array, bags: Bags | None = None) -> list[str]:
        """Return some of the words used as text; a bucket is called by the words of these documents that it holds."""
        entries, shown = self.used[words], self.axis.analyzer.shown
        if isinstance(self.axis, Vocabulary):
            return shown(self.axis.words.take(entries - 1).text)
        held: dict[int, list[str]] = {}
        if bags is not None:
            found = self.axis.analyzer.read(bags).words
            for word, entry in zip(shown(found.text), self.axis.places(found).tolist(), strict=True):
                held.setdefault(entry, []).append(word)
        return [", ".join(held.get(entry, [self.axis.tell(entry)])) for entry in entries.tolist()]

    @property
    def words(self) -> list[str]:
        """The words used, as text."""
        if isinstance(self.axis, Vocabulary):
            return self.axis.words.take(self.used - 1).text
        return self.called(np.arange(len(self.factor)))

    @property
    def spoken(self) -> list[str]:
        """The words used, as documents hold them: of a bucket one that it holds."""
        if isinstance(self.axis, Vocabulary):
            return self.words
        words = self.axis.spoken()
        return [words[entry] for entry in self.used.tolist()]
