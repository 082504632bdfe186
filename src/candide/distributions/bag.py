"""The block of a column of documents: a score that is a sum over words."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from candide.arithmetic import difference
from candide.distributions.blocks import Block, LeftOut
from candide.distributions.event_models import EventModel
from candide.distributions.forms import Form
from candide.distributions.links import LOG, Link
from candide.distributions.selected_words import Selection
from candide.distributions.spellings import Spellings
from candide.distributions.summands import Summands
from candide.distributions.word_counts import ClassCounts, LeftOutEntries
from candide.distributions.word_entries import entries_of
from candide.distributions.word_rows import WordRows
from candide.distributions.word_table import WordTable
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.table import Bags

Array = np.ndarray[Any, Any]

MOST_TEXT = 1 << 25
"""Characters of documents whose words are held at a time."""

MOST_TERMS = 1 << 22
"""Terms of words and classes that are held at a time."""


@frozen
class Bag(Block):
    """score_c = const_c + scale_c · Σ_w x_w f_wc.

    Parameters
    ----------
    position : int
    name : str or int
    selection : Selection
    model : EventModel
    counts : ClassCounts
        Of the words used.
    told : WordTable or None
        f_wc, where it is told; None: it is made of the model and the counts when a document is first scored.
    const, scale : ndarray (K,)
    presence : bool
        Whether a word counts once in a document, however often it stands there.
    """

    position: int
    name: str | int
    selection: Selection
    model: EventModel
    counts: ClassCounts
    told: WordTable | None
    const: Array
    scale: Array
    presence: bool = False

    adds: ClassVar[str] = "what each word and cell adds"
    doubted: ClassVar[bool] = False

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # read only
        """The column."""
        return (self.name,)

    @property
    def places(self) -> Array:
        """The column."""
        return np.array([self.position])

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.const)

    def read(self, bags: Bags) -> WordRows:
        """Return documents in the words of the model."""
        return self.selection.read(bags, self.presence)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add the scores, some documents at a time."""
        bags = rows.table.bags(self.position)
        for part in bags.parts(MOST_TEXT // self.selection.axis.analyzer.abundance):
            documents = bags[part]
            scores = self.scores_of(documents, None if without is None else without[part])
            added = linked(link.at(part), scores)
            if documents.missing.any():
                added = np.where(documents.missing[:, None], 0.0, added)
            out[part] += added

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return the scores as one attribute; NaN where the document is missing."""
        out = np.zeros((len(rows), self.n_classes))
        self.add(rows, LOG, out, without)
        out[rows.table.bags(self.position).missing] = np.nan
        return out[:, :, None]

    def scores_of(self, bags: Bags, without: LeftOut | None) -> Array:
        """Return the scores of documents, each by the counts without it where asked."""
        if without is not None:
            return self.scores_without(self.read(bags), without)
        out = np.zeros((len(bags), self.n_classes))
        if self.presence or self.selection.weighs:
            self.table.add(self.read(bags), out)
        else:
            self.add_documents(bags, out)
        out *= self.scale
        out += self.const
        return out

    @cached_property
    def table(self) -> WordTable:
        """f_wc."""
        return self.make_table() if self.told is None else self.told

    def make_table(self) -> WordTable:
        """Return f_wc of the model and the counts."""
        return WordTable.of(self.model, self.counts)

    @cached_property
    def slots(self) -> Array:
        """Where words are found with what they say."""
        return self.selection.slots(self.table.filled, self.counts.marginal)

    @cached_property
    def spellings(self) -> Spellings:
        """What the spellings of words say, where these are forms."""
        return Spellings(self.selection, self.table.filled, self.counts.marginal)

    def add_documents(self, bags: Bags, out: Array, units: float = 0.0) -> Array:
        """Add Σ_w x_w f_wc of documents as they are read; x_w are shares where there are units, and else counts.

        Returns how many words each document holds: different ones, where shares are added.
        """
        if self.selection.looked_up and not self.table.strict:
            return self.selection.score(bags, units, self.slots, self.table.filled, out)
        if self.selection.formed and not units and not self.table.strict:
            held = self.spellings.score(bags, out)
            if held is not None:
                return held
        several = units or self.table.strict  # of a word that stands several times something is asked once
        rows = self.selection.amounts(bags, units) if several else self.selection.spelt_out(bags)
        self.table.add(rows, out)
        return rows.lengths

    def scores_without(self, words: WordRows, without: LeftOut) -> Array:
        """Return the scores, each by the counts without the document."""
        out = np.empty((len(words), self.n_classes))
        size = max(1, MOST_TERMS // max(1, self.n_classes * int(np.diff(words.starts).max(initial=1))))
        for start in range(0, len(words), size):
            stop = min(start + size, len(words))
            part = slice(start, stop)
            rows = words.slice(start, stop)
            entries = self.left_out(rows, without[part])
            left = replace(
                entries.left,
                of_class=entries.left.of_class[entries.of_document],
                documents=entries.left.documents[entries.of_document],
                everything=entries.left.everything[entries.of_document],
            )
            f = self.model.evidence(entries.n_left, entries.marginal_left, left)
            const, scale = self.model.left_out(entries, self.const, self.scale)
            out[part] = const + scale * entries.sum(rows.x[:, None] * f)
        return out

    def left_out(self, words: WordRows, without: LeftOut) -> LeftOutEntries:
        """Return the words of documents, and the counts without them."""
        own = without.own(self.n_classes)
        of = words.of_document
        n = self.count_table(words.words)
        marginal = self.counts.marginal[words.words][:, None]
        gone = own[of] * words.x[:, None]
        return LeftOutEntries(
            len(words), of, n, marginal,
            np.maximum(difference(n, gone), 0.0),
            np.maximum(difference(marginal, gone.sum(axis=1, keepdims=True)), 0.0),
            self.counts,
            self.counts.totals.without(own, words.sums(words.x)),
        )  # fmt: skip

    def count_table(self, words: Array) -> Array:
        """Return the counts (words, K) of some words."""
        out = np.zeros((len(words), self.n_classes))
        place, entry = entries_of(self.table.starts, words)
        out[place, self.counts.class_of[entry]] = self.counts.n[entry]
        return out

    def spelt_out(self, rows: Rows) -> Summands:
        """Return what the column is when it is told word by word, and how often each word stands in a document."""
        bags = rows.table.bags(self.position)
        apart, here = self.selection.apart_in(bags)
        words, amounts = self.read(bags), apart.amounts(bags)  # the same, entry by entry
        used, place = np.unique(amounts.words, return_inverse=True)
        told = Summands(
            apart.called(used, bags),
            self.scale * self.table.dense(here[used]),
            WordRows(words.starts, place, words.x),
            amounts.x.astype(np.int64).astype(object),
        )
        beside = self.beside(words.lengths)
        if not beside:
            return told
        x, f, cells = zip(*beside.values(), strict=True)
        return told.after(
            list(beside), np.stack(f), np.stack(x, axis=1), np.stack(cells, axis=1, dtype=object), ~bags.missing
        )

    def beside(self, held: Array) -> dict[str, tuple[Array, Array, Array]]:
        """Return what documents that hold so many words say beside these, by name.

        x (documents,), f (K,) and the cells (documents,), "" where there is nothing to be read.
        """
        return {EVERY: (self.speaks(held), self.const, np.full(len(held), ""))} if self.const.any() else {}

    def speaks(self, held: Array) -> Array:
        """Return how much of the constant counts (documents,) in documents that hold so many words."""
        return np.ones(len(held))

    def strongest(self, c: int, n: int) -> list[tuple[str, float]]:
        """Return the words of a class that speak most for it, against the mean of the other classes."""
        words, weights = self.speaking_most(c, n)
        return list(zip(self.selection.called(words), weights.tolist(), strict=True))

    def speaking_most(self, c: int, n: int) -> tuple[Array, Array]:
        """Return which words these are, and how much they speak."""
        k, table = self.n_classes, self.table
        mine = np.flatnonzero(table.classes == c)
        words = np.searchsorted(table.starts, mine, side="right") - 1
        place, entry = entries_of(table.starts, words)  # of these words alone: every class may be asked in turn
        value = self.scale[c] * table.values[mine]
        said = np.bincount(place, self.scale[table.classes[entry]] * table.values[entry], len(words))
        others = said - value
        # a word has f = scale (of_word + of_class + value), and no value in classes that it has no entry for
        rest = np.arange(k) != c
        base = self.scale[c] * table.of_class[c] - (self.scale * table.of_class)[rest].sum() / max(k - 1, 1)
        base = base * (1.0 if table.spread is None else table.spread[words])
        slope = self.scale[c] - self.scale[rest].sum() / max(k - 1, 1)
        weight = self.alone(words, value - others / max(k - 1, 1) + base + slope * table.of_word[words])
        if table.strict:  # a class that does not have the word is excluded by it
            weight[np.diff(table.starts)[words] < k] = np.inf
        first = np.lexsort((-value, -weight))[:n] if table.strict else np.argsort(-weight, kind="stable")[:n]
        return words[first], weight[first]

    def alone(self, words: Array, weight: Array) -> Array:
        """Return how much words speak in a document that says nothing else, of how much their evidence does."""
        return weight

    def draw(self, rng: np.random.Generator) -> Block:
        """Return the block itself: what words say is held fixed, as are numbers that were settled."""
        return self

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return zeros: what words say is held fixed."""
        return np.zeros((len(rows), self.n_classes, 1))

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw documents of about as many words as those of a class have, by how often each word stands in them."""
        out = np.empty(len(y), dtype=object)
        texts = np.array(self.selection.spoken, dtype=object)
        written = np.array(self.selection.axis.analyzer.written(texts), dtype=bool)
        totals, words = self.counts.totals, self.words_in_one(written)
        for c in np.unique(y).tolist():
            mine = (self.counts.class_of == c) & written[self.counts.word_of]
            weight = self.counts.n[mine].astype(float)
            mean = words * weight.sum() / max(float(totals.documents[0, c]), 1e-300)
            for d in np.flatnonzero(y == c).tolist():
                n = int(rng.poisson(mean)) if len(weight) else 0
                drawn = (
                    rng.choice(self.counts.word_of[mine], size=n, p=weight / weight.sum()) if n else np.zeros(0, int)
                )
                out[d] = " ".join(texts[drawn])
        return {self.position: out}

    def words_in_one(self, used: Array) -> float:
        """Return how many words it takes to amount to one: of a mask over those used, on average."""
        return 1.0

    def describe(self, attribute: int) -> dict[str, Array]:
        """Return f_wc by word, of the words that tell the classes apart most."""
        size = max(TOLD, MOST_TERMS // self.n_classes)
        at_most = self.table.spread_at_most(self.scale)
        order = np.argsort(-at_most, kind="stable")
        first, told = np.zeros(0, dtype=np.int64), np.zeros(0)
        for start in range(0, len(order), size):
            if len(told) == TOLD and told[-1] > at_most[order[start]] * (1.0 + ROUNDED):
                break  # no word that is left tells as much
            words = np.append(first, order[start : start + size])
            f = self.scale * self.table.dense(words)
            f[np.isneginf(f)] = np.nan
            spread = np.nanmax(f, axis=1, initial=-np.inf) - np.nanmin(f, axis=1, initial=np.inf)
            best = np.lexsort((words, -spread))[:TOLD]
            first, told = words[best], spread[best]
        return dict(zip(self.selection.called(first), self.scale * self.table.dense(first), strict=True))

    def form(self, attribute: int) -> Form:
        """Refuse: a document is told in no table."""
        raise ValueError(
            f"column {self.name!r} holds documents, which no table tells: leave it out for SQL, ONNX and PMML"
        )


def linked(link: Link, scores: Array) -> Array:
    """Return g of scores (documents, K) as those of one attribute."""
    terms = scores[:, :, None]
    return link.of_log(terms, lambda: link.mixture(terms))[:, :, 0]


EVERY = "(any document)"
"""What every document adds, whatever its words."""

LENGTH = "(number of words)"
"""What a document adds by how many words it holds."""

TOLD = 20
"""Words that are described."""

ROUNDED = 1e-9
"""By how much, as a share, a bound may be rounded."""
