"""Spoken: documents told in a table of words, for those who score and do nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.analysis.analyzer import Analyzer
from candide.analysis.word_list import WordList
from candide.distributions.bag import Bag
from candide.distributions.calibration import ViewWeights
from candide.distributions.event_models import EventModel
from candide.distributions.forms import Form, times
from candide.distributions.selected_words import Selection
from candide.distributions.weighted import Weighted, WeightedBag
from candide.distributions.word_counts import ByWord, ClassCounts, Totals
from candide.distributions.word_table import WordTable
from candide.frozen import frozen
from candide.schema.filled_buckets import FilledBuckets
from candide.schema.vocabulary import ListedWords, Vocabulary
from candide.smoothing.constant import Frequencies
from candide.table import Bags

Array = np.ndarray[Any, Any]

MOST = 1 << 26
"""Terms of words and classes that a table may have."""


@frozen(kw_only=True)
class Spoken(Form):
    """const_c + Σ_w x_w f_wc of documents; with a pace, const_c + d_c log(L / L̄) + pace · Σ_w x_w f_wc of shares x_w.

    Parameters
    ----------
    levels : ndarray of str, or of int (V,)
        The words, in order; or the buckets of words.
    table : ndarray (K, V)
        f_wc, less what is the same for all classes of a word.
    analyzer : Analyzer
        What a word is.
    const, by_length : ndarray (K,)
        What every document says, and d_c.
    pace : ndarray (3,) or (0,)
        How strongly a document speaks, as `ViewWeights` has it; none where words speak by how often they stand there.
    length : float
        The mean of log L, L being how many words a document has.
    presence : bool
        Whether a word counts once in a document.
    weight : float
        How much all of that counts.
    silent : tuple of str
        Words that are known and say nothing, such as those of too few documents: with a pace, others have smaller
        shares beside them.
    """

    levels: Array
    table: Array
    analyzer: Analyzer
    const: Array
    by_length: Array
    pace: Array
    length: float = 0.0
    presence: bool = False
    weight: float = 1.0
    silent: tuple[str, ...] = ()

    @cached_property
    def bag(self) -> Bag:
        """The block that scores documents so."""
        k, v = self.table.shape
        if self.analyzer.hashing is None:
            words = WordList.of(self.levels.tolist())
            known = words.union(WordList.of(self.silent))
            axis: ListedWords = Vocabulary(self.analyzer, known)
            used = np.append(False, words.find(known) >= 0)
        else:
            axis = FilledBuckets(self.analyzer, self.levels.astype(np.int32))
            used = np.append(np.append(False, np.ones(v, dtype=bool)), False)
        selection = Selection.of(axis, used)
        starts, classes = k * np.arange(v + 1), np.tile(np.arange(k, dtype=np.int32), v)
        values = np.ascontiguousarray(self.table.T).ravel()
        table = WordTable(np.zeros(v), np.zeros(k), starts, classes, values)
        none = np.zeros((1, k))
        counts = ClassCounts(ByWord(values, classes, starts, np.zeros(v)), Totals(v, none, none, np.zeros((1, 1))))
        model = EventModel(Frequencies(), np.arange(k))
        made = (self.columns[0], 0, selection, model, counts, table, self.const, np.ones(k), self.presence)
        if not len(self.pace):
            return Bag(*made)
        weights = ViewWeights(np.zeros((0, 0)), self.pace, self.const, self.by_length)
        return WeightedBag(*made, rule=Weighted(), weights=weights, length=self.length, shares=None)  # type: ignore[arg-type]  # none is left out

    def of(self, bags: Bags) -> Array:
        """Return the terms (documents, K), missing documents among them."""
        out = np.tile(np.asarray(self.missing, dtype=float), (len(bags), 1))
        known = ~bags.missing
        if known.any():
            out[known] = times(self.bag.scores_of(bags, None), self.weight)[known]
        return out

    def at(self, cells: Array) -> Array:
        """Return the terms of texts."""
        return self.of(Bags([str(cell) for cell in cells.tolist()]))

    def lifted(self, by: Array) -> Form:
        """Add to every document."""
        return replace(self, const=self.const + by / self.weight)

    def scaled(self, by: float) -> Form:
        """Let all of it count more, or less."""
        return replace(self, missing=times(self.missing, by), weight=self.weight * by)

    def without(self, keep: Array) -> Spoken:
        """Return the same of some of the words."""
        return replace(self, levels=self.levels[keep], table=self.table[:, keep])

    def check(self) -> None:
        """Refuse what no documents give."""
        if not isinstance(self.analyzer, Analyzer):
            raise TypeError("it does not say what a word is")
        self.analyzer.check()
        words, k = self.levels.tolist(), len(self.missing)
        n = self.analyzer.hashing
        if not all(isinstance(word, str) if n is None else type(word) is int and 0 <= word < n for word in words):
            raise ValueError("its words are no texts, or not the buckets of texts")
        if words != sorted(set(words)):
            raise ValueError("its words are not in order, each once")
        silent: Any = self.silent
        if not isinstance(silent, tuple) or not all(isinstance(word, str) for word in silent):
            raise TypeError("its silent words are no texts")
        if list(silent) != sorted({*silent}.difference(words)) or (silent and n is not None):
            raise ValueError("its silent words are not in order, each once, or are buckets, or say something")
        if self.table.shape != (k, len(words)) or {len(self.const), len(self.by_length)} != {k}:
            raise ValueError("its numbers are not those of its words and classes")
        if len(self.pace) not in (0, 3):
            raise ValueError("its pace has three numbers, or none")


def spoken(bag: Bag, known: Array) -> Spoken:
    """Return documents as a block scores them, by words that a mask over the entries says; others are not known."""
    selection = bag.selection
    axis, keep = selection.axis, known & (selection.place >= 0)
    if axis.analyzer.tokenizer is not None:
        raise ValueError(
            f"column {bag.name!r} holds documents whose words a function finds, which no file holds: fit it without "
            "tokenizer=, with words joined by spaces"
        )
    k, n_words = bag.n_classes, axis.count(keep)
    if n_words * k > MOST:
        raise ValueError(
            f"column {bag.name!r} has {n_words:,} words of {k:,} classes, too many for one table: leave out more of "
            "them as rare"
        )
    words, used = selection.listed(keep)
    f = bag.scale * bag.table.dense(used) * selection.factor[used][:, None]
    weights = bag.weights if isinstance(bag, WeightedBag) else None
    silent: Sequence[str] = ()
    if weights is not None and isinstance(axis, Vocabulary):
        silent = axis.words.take(np.flatnonzero(known[1:] & (selection.place[1:] < 0))).text
    # words that all say little are told in larger numbers, of which each counts as much less: so no digits are lost
    largest = float(np.abs(f[np.isfinite(f)]).max(initial=0.0)) if weights is None else 1.0
    unit = largest if 0 < largest < 1 else 1.0
    return Spoken(
        columns=(bag.position,),
        missing=np.zeros(k),
        levels=np.array(words, dtype=object),
        table=np.ascontiguousarray(f.T) / unit,
        analyzer=axis.analyzer,
        const=bag.const / unit,
        by_length=np.zeros(k) if weights is None else weights.by_length,
        pace=np.zeros(0) if weights is None else weights.pace,
        length=bag.length if isinstance(bag, WeightedBag) else 0.0,
        presence=bag.presence,
        weight=unit,
        silent=tuple(silent),
    )
