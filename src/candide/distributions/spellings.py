"""Spellings: words as they stand in documents, found together with what their forms say."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from candide import native
from candide.analysis.word_list import WordList
from candide.distributions.word_rows import Selection
from candide.table import Bags

Array = np.ndarray[Any, Any]

WORTH = 8
"""Characters of documents for each spelling that is known, below which a table with theirs takes longer than to do
without one."""

MOST = 1 << 20
"""Spellings that are known at the most, as of forms that are remembered."""


class KnownSpellings(NamedTuple):
    """Spellings, the place of each one's form among the words used, and where they are found with what it says."""

    words: WordList
    place: Array
    slots: Array


class Spellings:
    """What the spellings of words say, of a model whose words are stems or dictionary forms.

    Those that documents hold are kept, each with its form, so that whoever comes again is found as it stands.

    Parameters
    ----------
    selection : Selection
        The words used.
    evidence : tuple of ndarray
        What they say, as `native.add_words` takes it.
    often : ndarray (V,)
        How often each stands somewhere.
    """

    def __init__(self, selection: Selection, evidence: tuple[Array | None, ...], often: Array) -> None:
        self.selection, self.evidence, self.often = selection, evidence, often
        self.known = self._nothing()

    def score(self, bags: Bags, out: Array) -> Array | None:
        """Add what the words of documents say, as often as they stand there; returns how many each document has.

        None, and nothing is added, where few documents hold spellings that are not known.
        """
        known = self._holding(bags)
        if known is None:
            return None
        return self.selection.axis.analyzer.score(bags, 0.0, known.slots, self.evidence, known.words, out)

    def _holding(self, bags: Bags) -> KnownSpellings | None:
        """Return spellings that are known, all those of the documents among them; or None, of few documents."""
        analyzer, axis, known = self.selection.axis.analyzer, self.selection.axis, self.known
        new = analyzer.unknown(bags, known.slots, known.words)
        if not len(new):
            return known
        if bags.total < WORTH * len(known.words):
            return None
        if len(known.words) + len(new) > MOST:
            known = self._nothing()
            new = analyzer.unknown(bags, known.slots, known.words)
        meaning, forms = analyzer.forms(new)
        entry = axis.places(forms)
        of_form = np.append(np.where(entry >= 0, self.selection.place[entry], -1), -1)  # the last: dropped words
        words, place = known.words.followed_by(new), np.concatenate([known.place, of_form[meaning].astype(np.int32)])
        self.known = self._found(words, place)
        return self.known

    def _nothing(self) -> KnownSpellings:
        return self._found(WordList.of([]), np.zeros(0, dtype=np.int32))

    def _found(self, words: WordList, place: Array) -> KnownSpellings:
        slots = native.scored_slots(place, self.evidence, self.often, words.bytes, words.starts)
        return KnownSpellings(words, place, slots)
