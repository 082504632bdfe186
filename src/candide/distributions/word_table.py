"""What words say for each class, of which most words say something for few classes only."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.distributions.event_models import EventModel
from candide.distributions.word_counts import ClassCounts
from candide.distributions.word_entries import WordEntries, entries_of
from candide.distributions.word_rows import WordRows
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


@frozen
class WordTable:
    """Evidence f_wc by word and class: a part of the word, a part of the class, and the rest where it is not zero.

    Parameters
    ----------
    of_word : ndarray (V,)
    of_class : ndarray (K,)
    starts : ndarray of int64 (V + 1,)
        Where the entries of each word begin.
    classes : ndarray of int32 (M,)
    values : ndarray (M,)
    strict : bool
        Whether a word excludes the classes that it has no entry for.
    spread : ndarray (V,) or None
        What the part of the class is multiplied by; None: 1.
    """

    of_word: Array
    of_class: Array
    starts: Array
    classes: Array
    values: Array
    strict: bool = False
    spread: Array | None = None

    @classmethod
    def of(cls, model: EventModel, counts: ClassCounts) -> WordTable:
        """Return the evidence of an event model."""
        if not len(counts.marginal):
            none = np.zeros(0)
            return cls(none, np.zeros(len(model.classes)), counts.starts, counts.class_of, none)
        of_word, of_class = model.unseen(counts.marginal, counts.totals)
        if np.isfinite(of_word).all():
            return cls(of_word, of_class, counts.starts, counts.class_of, model.more(counts, of_word, of_class))
        nothing = np.zeros_like(of_word), np.zeros_like(of_class)
        return cls(*nothing, counts.starts, counts.class_of, model.entries(counts), strict=True)

    @property
    def arrays(self) -> tuple[Array | None, ...]:
        """The arrays of the kernels."""
        return self.starts, self.classes, self.values, self.of_word, self.of_class, self.spread

    @cached_property
    def filled(self) -> tuple[Array | None, ...]:
        """The same arrays; words that have entries for many classes have one for each, of which the new say nothing."""
        entries = WordEntries.filled(self.starts, self.classes, len(self.of_class))
        values = entries.spread(self.values)
        return entries.starts, entries.classes, values, self.of_word, self.of_class, self.spread

    def add(self, rows: WordRows, out: Array) -> None:
        """Add Σ_w x_w f_wc to `out` (documents, K)."""
        native.add_words(*rows.arrays, self.arrays, out)
        if self.strict:
            there = np.zeros_like(out)
            entries = (self.starts, self.classes, np.ones(len(self.values)), None, None, None)
            native.add_words(rows.starts, rows.words, np.ones(len(rows.words)), entries, there)
            out[there < np.diff(rows.starts)[:, None]] = -np.inf

    def spread_at_most(self, scale: Array) -> Array:
        """Return bounds (V,) of max_c − min_c of scale_c f_wc, from the entries and the ends of the parts alone."""
        value, ends = scale[self.classes] * self.values, self.starts[:-1]
        some = np.diff(self.starts) > 0
        high, low = np.zeros(len(some)), np.zeros(len(some))
        if len(value):
            high[some] = np.maximum.reduceat(value, ends[some])
            low[some] = np.minimum.reduceat(value, ends[some])
        if self.strict:
            return high - low
        of_class, of_word = scale * self.of_class, np.abs(self.of_word) * np.ptp(scale)
        spread = 1.0 if self.spread is None else np.abs(self.spread)
        bound: Array = np.maximum(high, 0.0) - np.minimum(low, 0.0) + of_word + spread * np.ptp(of_class)
        return bound

    def dense(self, words: Array) -> Array:
        """Return f_wc (words, K) of some words."""
        out = np.full((len(words), len(self.of_class)), -np.inf if self.strict else 0.0)
        place, entry = entries_of(self.starts, words)
        at = self.classes[entry]
        out[place, at] = self.values[entry]
        if self.strict:
            return out
        spread = 1.0 if self.spread is None else self.spread[words][:, None]
        return np.asarray(out + self.of_word[words][:, None] + spread * self.of_class[None])
