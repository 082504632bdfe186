"""Forms: what words become, their stems or the forms of a dictionary, found once for each and remembered."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from candide.analysis.languages import Step, lemmas
from candide.analysis.snowball import stems
from candide.analysis.word_list import WordList

Array = np.ndarray[Any, Any]

MOST = 1 << 20
"""Words that are remembered: twice those of a large dictionary, some 60 MB."""

SHARE = 8
"""New words are remembered where they are one in so many of those that are: each then moves a few times at the most."""


class Remembered(NamedTuple):
    """Words, the distinct forms of all of them, and which of these each becomes."""

    words: WordList
    forms: WordList
    form: Array


NOTHING = Remembered(WordList.of([]), WordList.of([]), np.zeros(0, dtype=np.int32))


class Forms:
    """What words become by some steps.

    Parameters
    ----------
    steps : sequence of Step
        What words become, one after the other: each form depends on its word alone.

    Examples
    --------
    >>> singular = lambda words: WordList.of([word.rstrip("s") for word in words.text]).unique()
    >>> forms, place = Forms([singular]).of(WordList.of(["car", "cars", "bike"]))
    >>> forms.text, place.tolist()
    (['bike', 'car'], [1, 1, 0])
    """

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.remembered = NOTHING

    def of(self, words: WordList) -> tuple[WordList, Array]:
        """Return the distinct forms of words, in order, and the place of each word's form among them."""
        if not len(words):
            return words, NOTHING.form
        before = self.remembered
        if not len(before.words) and len(words) <= MOST:
            now = self.remembered = Remembered(words, *self._become(words))
            return now.forms, now.form
        at = before.words.find(words)
        new = np.flatnonzero(at < 0)
        if SHARE * len(new) >= max(len(before.words), 1):
            if len(before.words) + len(new) > MOST:
                before, new = NOTHING, np.arange(len(words))
            at[new] = len(before.words) + np.arange(len(new))
            before = self.remembered = self._with(before, words.take(new))
            new = new[:0]
        used = np.zeros(len(before.forms), dtype=bool)
        used[before.form[at[at >= 0]]] = True
        old = before.forms.take(np.flatnonzero(used))
        rank = np.empty(len(used), dtype=np.int32)
        place = np.empty(len(words), dtype=np.int32)
        if len(new):
            more, of_new = self._become(words.take(new))
            forms = old.sorted().union(more)
            rank[used], place[new] = forms.find(old), forms.find(more)[of_new]
        else:
            order = old.order
            forms = old.take(order)
            rank[np.flatnonzero(used)[order]] = np.arange(len(order))
        place[at >= 0] = rank[before.form[at[at >= 0]]]
        return forms, place

    def _become(self, words: WordList) -> tuple[WordList, Array]:
        """Return the distinct forms of words, in order, and the place of each word's form among them."""
        first, *others = self.steps
        forms, place = first(words)
        for step in others:
            forms, at = step(forms)
            place = at[place]
        return forms, place

    def _with(self, before: Remembered, new: WordList) -> Remembered:
        """Return what was remembered with other words."""
        more, place = self._become(new)
        at = before.forms.find(more)
        fresh = np.flatnonzero(at < 0)
        at[fresh] = len(before.forms) + np.arange(len(fresh))
        forms = before.forms.followed_by(more.take(fresh))
        return Remembered(before.words.followed_by(new), forms, np.concatenate([before.form, at[place]]))


@cache
def forms_of(lemmatize: str | None, stem: str | None) -> Forms:
    """Return the forms of languages: those of a dictionary, and the stems of these; one memory for all who ask."""
    steps = [] if lemmatize is None else [lemmas(lemmatize)]
    return Forms(steps if stem is None else [*steps, stems(stem)])
