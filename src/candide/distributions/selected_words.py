"""The words that a model uses, among those of an axis: words that are listed, or buckets that hold some."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.analysis.tokens import Tokens
from candide.analysis.word_list import WordList
from candide.distributions.word_rows import WordRows
from candide.frozen import frozen
from candide.schema.filled_buckets import FilledBuckets
from candide.schema.vocabulary import ListedWords, Vocabulary
from candide.statistics.words import UNITS
from candide.table import Bags

Array = np.ndarray[Any, Any]


@frozen
class Selection:
    """The words that a model uses.

    Parameters
    ----------
    axis : Vocabulary
        Or, of `SelectedBuckets`, FilledBuckets.
    place : ndarray of int32 (entries of the axis,)
        The position of each among the words used; negative where it is not.
    factor : ndarray (words used,)
        What the count of each is multiplied by.
    """

    axis: Vocabulary
    place: Array
    factor: Array

    @staticmethod
    def of(axis: ListedWords, used: Array, factor: Array | None = None) -> Selection:
        """Return the words of a mask over the entries of an axis; None: what is counted of them is as it is."""
        if factor is None and used[1:].all() and not used[0]:
            return Selection.of_all(axis)
        place = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
        if factor is not None:
            return selected(axis, place, factor)
        return selected(axis, place, np.ones(int(np.count_nonzero(used))))._as_it_is()

    @staticmethod
    def of_all(axis: ListedWords) -> Selection:
        """Return all words of an axis, whose first entry is none."""
        return selected(axis, np.arange(-1, axis.size - 1, dtype=np.int32), np.ones(axis.size - 1))._as_it_is()

    def _as_it_is(self) -> Selection:
        vars(self)["weighs"] = False  # which would be found by looking at all of them
        return self

    @property
    def looked_up(self) -> bool:
        """Whether words are found as they stand in documents, in the pass that reads these."""
        return self.axis.analyzer.direct

    @property
    def formed(self) -> bool:
        """Whether words are forms of those that stand in documents, each of one."""
        analyzer = self.axis.analyzer
        return analyzer.single and (analyzer.stem is not None or analyzer.lemmatize is not None)

    @property
    def found_by(self) -> WordList | Array:
        """What words are found by: the list of them, or the slots of buckets."""
        return self.axis.words

    def entries_of(self, tokens: Tokens) -> tuple[Array, Tokens]:
        """Return the entry of each different word of documents, and documents in these words."""
        return self.axis.places(tokens.words), tokens

    def slots(self, evidence: tuple[Array | None, ...], often: Array) -> Array:
        """Return where words that are `looked_up` are found with what they say, those that stand often soonest."""
        stand, words = np.append(often, 0.0)[self.place[1:]], self.axis.words  # the last: words that are not used
        return native.scored_slots(self.place[1:], evidence, stand, words.bytes, words.starts)

    @property
    def others(self) -> int:
        """How many words more the last of those used stands for."""
        return 0

    @property
    def counted_at(self) -> tuple[Array, int]:
        """The entry of each of the words used on the axis that words are counted by, and the size of that."""
        return self.used, self.axis.size

    def apart_in(self, bags: Bags) -> tuple[Selection, Array]:
        """Return the selection in which each word of some documents is one by itself, and which of the words here."""
        return self, np.arange(len(self.factor))

    def called(self, words: Array, bags: Bags | None = None) -> list[str]:
        """Return some of the words used as text; a bucket is called by the words of these documents that it holds."""
        return self.axis.analyzer.shown(self.axis.words.take(self.used[words] - 1).text)

    def listed(self, keep: Array) -> tuple[Sequence[str] | Sequence[int], Array]:
        """Return the words of a mask over the entries as a file lists them, and which of the words used each is."""
        return self.axis.words.take(np.flatnonzero(keep) - 1).text, self.place[keep]

    @property
    def spoken(self) -> list[str]:
        """The words used, as documents hold them: of a bucket one that it holds."""
        return self.axis.words.take(self.used - 1).text

    # -- documents ---------------------------------------------------------------------------------------------------

    def amounts(self, bags: Bags, units: float = 0.0) -> WordRows:
        """Return documents in the words used: how often each stands there, or its share of all words that are known."""
        noted = None if bags.notes is None else bags.notes.rows_of(self.found_by)
        if noted is not None:
            starts, words, times = noted
            x = native.word_shares(starts, times, units) if units else times.astype(float)
            x /= units or 1.0
            if len(self.factor) == self.axis.size - 1:  # all words are used, and keep their order
                return WordRows(starts, words, x)
            return WordRows(starts, self.place[1:].take(words), x).known()
        if self.looked_up:
            return WordRows(*self.axis.analyzer.look_up(bags, self.place[1:], units, self.found_by))
        entry, tokens = self.entries_of(self.axis.analyzer.read(bags))
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

    def score(self, bags: Bags, units: float, slots: Array, evidence: tuple[Array | None, ...], out: Array) -> Array:
        """Add what the `amounts` of words say, as `native.score_words` does."""
        return self.axis.analyzer.score(bags, units, slots, evidence, self.found_by, out)

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
    def used(self) -> Array:
        """The entry of each of the words used."""
        return np.flatnonzero(self.place >= 0)


@frozen
class SelectedBuckets(Selection):
    """The same of buckets: all others, in which nothing is counted, are the last of them."""

    axis: FilledBuckets  # type: ignore[assignment]  # what is asked of it here is not asked of words

    @property
    def looked_up(self) -> bool:
        return self.axis.analyzer.plain

    @property
    def formed(self) -> bool:
        return False

    @property
    def found_by(self) -> Array:
        return self.axis.slots

    def entries_of(self, tokens: Tokens) -> tuple[Array, Tokens]:
        """Return the same: words of one bucket are one word."""
        buckets, bucket = np.unique(self.axis.analyzer.buckets_of(tokens.words), return_inverse=True)
        return self.axis.find(buckets), tokens.renamed(bucket, tokens.words)

    def slots(self, evidence: tuple[Array | None, ...], often: Array) -> Array:
        return native.scored_slots(self.place[1:], evidence)

    @property
    def others(self) -> int:
        return self.axis.others - 1 if self.place[-1] >= 0 else 0

    @property
    def counted_at(self) -> tuple[Array, int]:
        return self.axis.entries[self.used], self.axis.n_buckets + 1

    def apart_in(self, bags: Bags) -> tuple[Selection, Array]:
        analyzer = self.axis.analyzer
        wide = self.axis.together_with(analyzer.buckets_of(analyzer.read(bags).words))
        here = self.place[np.concatenate([[0], self.axis.find(wide.filled), [-1]])]
        here[-1] = here[-1] if wide.others else -1
        return Selection.of(wide, here >= 0, self.factor[here[here >= 0]]), here[here >= 0]

    def called(self, words: Array, bags: Bags | None = None) -> list[str]:
        analyzer, held = self.axis.analyzer, dict[int, list[str]]()
        if bags is not None:
            found = analyzer.read(bags).words
            for word, entry in zip(analyzer.shown(found.text), self.axis.places(found).tolist(), strict=True):
                held.setdefault(entry, []).append(word)
        return [", ".join(held.get(entry, [self.axis.tell(entry)])) for entry in self.used[words].tolist()]

    def listed(self, keep: Array) -> tuple[Sequence[int], Array]:
        """Return the buckets, all others one by one."""
        if not keep[-1]:
            return self.axis.filled[keep[1:-1]].tolist(), self.place[keep]
        every = np.arange(self.axis.n_buckets)
        entry = self.axis.find(every)
        return every[keep[entry]].tolist(), self.place[entry[keep[entry]]]

    @property
    def spoken(self) -> list[str]:
        words = self.axis.spoken()
        return [words[entry] for entry in self.used.tolist()]


def selected(axis: ListedWords, place: Array, factor: Array) -> Selection:
    """Return the selection of an axis of its kind."""
    return Selection(axis, place, factor) if isinstance(axis, Vocabulary) else SelectedBuckets(axis, place, factor)
