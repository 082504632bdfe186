"""Spellings: words as they stand in documents, found together with what their forms say."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from candide import native
from candide.analysis.word_list import WordList
from candide.distributions.selected_words import Selection
from candide.table import Bags

Array = np.ndarray[Any, Any]

WORTH = 8
"""Characters of documents for each spelling that is known, below which a table with theirs takes longer than to do
without one."""

MOST = 1 << 20
"""Spellings that are known at the most, as of forms that are remembered."""


class KnownSpellings(NamedTuple):
    """Spellings, the place of each one's form among the words used, how often it stands, and where they are found."""

    words: WordList
    place: Array
    often: Array
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
        known, said = self.known, np.zeros_like(out)  # others may learn spellings meanwhile
        held, new = self._add(known, bags, said)
        if len(new):
            if bags.total < WORTH * len(known.words):
                return None
            if len(known.words) + len(new) > MOST:
                known = self._nothing()
                _, new = self._add(known, bags, said)
            self.known = known = self._with(known, new)
            said[:] = 0.0
            held, _ = self._add(known, bags, said)
        out += said
        return held

    def _add(self, known: KnownSpellings, bags: Bags, said: Array) -> tuple[Array, WordList]:
        """Add what spellings that are known say; returns how many each document has, and those that are not known."""
        return self.selection.axis.analyzer.score_noting(bags, known.slots, self.evidence, known.words, said)

    def _with(self, known: KnownSpellings, new: WordList) -> KnownSpellings:
        """Return spellings that are known, and others."""
        meaning, forms = self.selection.axis.analyzer.forms(new)
        entry = self.selection.axis.places(forms)
        of_form = np.append(np.where(entry >= 0, self.selection.place[entry], -1), -1)  # the last: dropped words
        place = of_form[meaning].astype(np.int32)
        often = np.append(self.often, 0.0)[place]
        often[meaning < 0] = np.inf  # dropped since they stand everywhere: they are met most, and found soonest
        return self._found(known.words.followed_by(new), np.append(known.place, place), np.append(known.often, often))

    def _nothing(self) -> KnownSpellings:
        return self._found(WordList.of([]), np.zeros(0, dtype=np.int32), np.zeros(0))

    def _found(self, words: WordList, place: Array, often: Array) -> KnownSpellings:
        slots = native.scored_slots(place, self.evidence, often, words.bytes, words.starts)
        return KnownSpellings(words, place, often, slots)
