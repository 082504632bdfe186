"""Event models: what a word of a document says for each class.

Under each of them the score of a document with words w, x_w times each, is

    score_c = const_c + scale_c · Σ_w x_w f_wc

and f_wc, the evidence of a word, is a formula of the counts of the word and of the class. It is written once, for any
counts: for those of all documents, and for those that leave one document out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, NoReturn

import numpy as np

from candide.arithmetic import log, ratio
from candide.distributions.word_counts import ClassCounts, LeftOutEntries, Totals
from candide.schema.domain import Domain
from candide.smoothing.base import Smoothing

Array = np.ndarray[Any, Any]


class EventModel:
    """Base of the event models.

    Attributes
    ----------
    presence : bool
        Whether a word counts once in a document, however often it stands there.
    """

    presence: ClassVar[bool] = False
    _words: Domain | None = None

    def __init__(self, smoothing: Smoothing, classes: Array) -> None:
        self.smoothing = smoothing
        self.classes = classes

    def _domain(self, size: int) -> Domain:
        """Return so many words as the values of one attribute; the last ones are remembered."""
        if self._words is None or len(self._words.levels[0]) != size:
            self._words = Domain(("word",), (np.broadcast_to(0, size),), self.classes)  # nobody names them
        return self._words

    def pseudo(self, size: int, marginal: Array, total: Array) -> tuple[Array, Array]:
        """Return s_w of words (M,) with these counts in all classes, and Σ_w s_w (M, 1), or one for all."""
        domain, none = self._domain(size), np.zeros(len(marginal), dtype=np.int64)
        of_word = total if total.shape == marginal.shape else np.broadcast_to(total, marginal.shape)
        s = self.smoothing.value_pseudo(domain, none, marginal, of_word)
        if s.shape[1] > 1:
            raise ValueError(
                f"smoothing={self.smoothing!r} differs by class, and words are softened alike in all of them"
            )
        return s, self.smoothing.value_mass(domain, np.zeros(len(total), dtype=np.int64), total)

    def evidence(self, n: Array, marginal: Array, totals: Totals) -> Array:
        """Return f_wc (M, K) of words with n (M, K) in each class and `marginal` (M, 1) in all of them."""
        raise NotImplementedError

    def entries(self, counts: ClassCounts) -> Array:
        """Return f_wc (M,) of the words and classes that are counted."""
        totals, at = counts.totals, counts.class_of
        of_entry = replace(totals, of_class=totals.of_class[0].take(at)[:, None],
                           documents=totals.documents[0].take(at)[:, None])  # fmt: skip
        return self.evidence(counts.n[:, None], counts.marginal.take(counts.word_of)[:, None], of_entry)[:, 0]

    def unseen(self, marginal: Array, totals: Totals) -> tuple[Array, Array]:
        """Return f_wc of words that a class does not have, as a part of the word (M,) and a part of the class (K,)."""
        raise NotImplementedError

    def check(self, counts: ClassCounts) -> None:
        """Refuse a smoothing rule that does not go with the event model, before any document is scored."""
        if len(counts.marginal):
            self.unseen(counts.marginal[:1] if self.smoothing.alike else counts.marginal, counts.totals)

    def more(self, counts: ClassCounts, of_word: Array, of_class: Array) -> Array:
        """Return how much more than these two parts the words and classes say that are counted (M,)."""
        values = self.entries(counts)
        counts.add_parts(values, -of_word, -of_class)
        return values

    def const(self, counts: ClassCounts) -> Array:
        """Return const_c (K,)."""
        return np.zeros(len(self.classes))

    def scale(self, counts: ClassCounts) -> Array:
        """Return scale_c (K,)."""
        return np.ones(len(self.classes))

    def left_out(self, entries: LeftOutEntries, const: Array, scale: Array) -> tuple[Array, Array]:
        """Return const_c and scale_c (documents, K) of documents that are left out, from those of all."""
        shape = (entries.documents, len(self.classes))
        return np.broadcast_to(const, shape), np.broadcast_to(scale, shape)


class MultinomialEvents(EventModel):
    """f = log (n_wc + s_w) / (N_c + Σ s): every word of a document is drawn from the class's urn."""

    def evidence(self, n: Array, marginal: Array, totals: Totals) -> Array:
        """Return log theta."""
        s, mass = self.pseudo(totals.words, marginal[:, 0], totals.everything[:, 0])
        scale = self.smoothing.scale(totals.of_class)
        drawn = n + s * scale
        with np.errstate(invalid="ignore"):
            f = log(drawn) - log(totals.of_class + mass * scale)
        return np.where(drawn > 0, f, -np.inf)  # 0/0 is 0: a class without words holds none of them

    def check(self, counts: ClassCounts) -> None:
        """Refuse a rule that differs by class: one that adds the same everywhere does not."""
        if not self.smoothing.alike:
            super().check(counts)

    def more(self, counts: ClassCounts, of_word: Array, of_class: Array) -> Array:
        """Return log(n_wc + s_w) − log s_w: the denominator of a class is that of the words that it does not have."""
        totals = counts.totals
        if not np.isscalar(self.smoothing.scale(totals.of_class)):
            return super().more(counts, of_word, of_class)
        f: Array
        if self.smoothing.alike:  # no word is looked up
            s, _ = self.pseudo(totals.words, counts.marginal[:1], totals.everything[:, 0])
            f = counts.n + s[0, 0]
            log(f, f)
            f -= of_word[0]
            return f
        s, _ = self.pseudo(totals.words, counts.marginal, totals.everything[:, 0])
        f = counts.n.copy()
        counts.add_parts(f, s[:, 0])
        log(f, f)
        counts.add_parts(f, -of_word)
        return f

    def unseen(self, marginal: Array, totals: Totals) -> tuple[Array, Array]:
        """Return log s_w, and −log(N_c + Σ s)."""
        alike = self.smoothing.alike
        s, mass = self.pseudo(totals.words, marginal[:1] if alike else marginal, totals.everything[:, 0])
        scale = self.smoothing.scale(totals.of_class)
        mass = mass[:1] if len(mass) else np.zeros((1, 1))
        of_word = log(s[:, 0])
        of_class = (log(np.asarray(scale)) - log(totals.of_class + mass * scale))[0]
        return np.full(len(marginal), of_word[0]) if alike else of_word, of_class


class BernoulliEvents(EventModel):
    """f = log p / (1 − p), p = (n_wc + s) / (M_c + 2 s): every word is there or not; const = Σ_w log(1 − p)."""

    presence = True

    def strength(self, totals: Totals) -> tuple[float, float]:
        """Return s and its sum over the two values."""
        s, mass = self.pseudo(2, np.array([0.0, 1.0]), np.array([1.0, 1.0]))
        if s[0] != s[1] or np.any(self.smoothing.scale(totals.documents) != 1.0) or not s[0] > 0:
            raise ValueError(
                f"smoothing={self.smoothing!r}: event_model='bernoulli' takes a rule that adds the same to every "
                "count, and more than nothing, such as 'lidstone'"
            )
        return float(s[0, 0]), float(mass[0, 0])

    def evidence(self, n: Array, marginal: Array, totals: Totals) -> Array:
        """Return log p − log(1 − p)."""
        s, mass = self.strength(totals)
        return log(n + s) - log(totals.documents - n + mass - s)

    def unseen(self, marginal: Array, totals: Totals) -> tuple[Array, Array]:
        """Return log s, and −log(M_c + s)."""
        s, mass = self.strength(totals)
        return np.full(len(marginal), np.log(s)), -log(totals.documents + mass - s)[0]

    def absent(self, n: Array, totals: Totals) -> Array:
        """Return log(1 − p) of counts n, of which none is above that of documents: a word that all of them hold, where
        one document less is known than holds it, is put right by that document's own words.
        """
        s, mass = self.strength(totals)
        return log(np.maximum(totals.documents - n, 0.0) + mass - s) - log(totals.documents + mass)

    def const(self, counts: ClassCounts) -> Array:
        """Return Σ_w log(1 − p): of all words as if no class had them, and the difference that they make."""
        totals, at = counts.totals, counts.class_of
        never = self.absent(np.zeros(1), totals)[0]
        there = self.absent(counts.n, replace(totals, documents=totals.documents[0, at])) - never[at]
        return np.asarray(totals.words * never + np.bincount(at, there, len(self.classes)))

    def left_out(self, entries: LeftOutEntries, const: Array, scale: Array) -> tuple[Array, Array]:
        """Return const without each document: its class has one document less, and less of its words."""
        k = len(self.classes)
        # a class without documents of one weight is summed once, whichever of them is left out
        lighter, inverse = np.unique(entries.left.documents, axis=0, return_inverse=True)
        counts = entries.counts
        sums = [self.const(counts.against(replace(counts.totals, documents=m[None]))) for m in lighter]
        base = np.array(sums).reshape(-1, k)[inverse.ravel()]
        left = replace(counts.totals, documents=entries.left.documents[entries.of_document])
        more = entries.sum(self.absent(entries.n_left, left) - self.absent(entries.n, left))
        return base + more, np.ones_like(base)


class ComplementEvents(EventModel):
    """f = −log (n_w − n_wc + s_w) / (N − N_c + Σ s): how little a word belongs to all other classes."""

    def rest(self, n: Array, marginal: Array, totals: Totals) -> Array:
        """Return n_w − n_wc + s_w."""
        s, _ = self.pseudo(totals.words, marginal[:, 0], totals.everything[:, 0])
        if np.any(self.smoothing.scale(totals.of_class) != 1.0) or not ((s > 0) | (marginal <= 0)).all():
            self._refuse()
        return np.asarray(marginal - n + s)

    def _refuse(self) -> NoReturn:
        raise ValueError(
            f"smoothing={self.smoothing!r}: event_model='complement' takes a rule that adds to counts, and more than "
            "nothing, such as 'lidstone'"
        )

    def whole(self, totals: Totals) -> Array:
        """Return N − N_c + Σ s."""
        _, mass = self.pseudo(totals.words, np.zeros(1), np.ones(1))
        return np.asarray(totals.everything - totals.of_class + mass)

    def evidence(self, n: Array, marginal: Array, totals: Totals) -> Array:
        """Return −log of the word's share of all other classes; a word without any count says nothing."""
        rest = self.rest(n, marginal, totals)
        return np.where(rest > 0, log(self.whole(totals)) - log(rest), 0.0)

    def unseen(self, marginal: Array, totals: Totals) -> tuple[Array, Array]:
        """Return −log(n_w + s_w), and log(N − N_c + Σ s)."""
        column = marginal[:, None]
        rest = self.rest(np.zeros_like(column), column, totals)
        if not (rest > 0).all():
            self._refuse()
        return -log(rest)[:, 0], log(self.whole(totals))[0]


class NormalizedComplementEvents(ComplementEvents):
    """The complement's evidence, in each class divided by its sum over all words."""

    def pseudo(self, size: int, marginal: Array, total: Array) -> tuple[Array, Array]:
        """Return s, the same for every word: were it to change with every document, so would the sum over all words."""
        s, mass = super().pseudo(size, marginal, total)
        one, other = super().pseudo(2, np.array([0.0, 1.0]), np.ones(2))[0]
        if one != other:
            raise ValueError(
                f"smoothing={self.smoothing!r}: event_model='normalized-complement' takes a rule that adds the same to "
                "every count, such as 'lidstone'"
            )
        return s, mass

    def scale(self, counts: ClassCounts) -> Array:
        """Return 1 / Σ_w f_wc: of all words as if no class had them, and the difference that they make."""
        totals = counts.totals
        if not totals.words:
            return np.ones(len(self.classes))
        of_word, of_class = self.unseen(counts.marginal, totals)
        rest = self.rest(counts.n[:, None], counts.marginal[counts.word_of, None], totals)[:, 0]
        there = -log(rest) - of_word[counts.word_of]
        more = np.bincount(counts.class_of, there, len(self.classes))
        sums = totals.over_words(of_word) + totals.words * of_class + more
        return ratio(np.ones(len(sums)), sums)  # without words there is nothing to be divided

    def left_out(self, entries: LeftOutEntries, const: Array, scale: Array) -> tuple[Array, Array]:
        """Return scale without each document, whose words are fewer in the complement of every other class."""
        totals = entries.counts.totals
        if not totals.words:
            return super().left_out(entries, const, scale)
        left = replace(totals, everything=entries.left.everything[entries.of_document])
        after = log(self.rest(entries.n_left, entries.marginal_left, left))
        before = log(self.rest(entries.n, entries.marginal, totals))
        wider = totals.words * (log(self.whole(entries.left)) - log(self.whole(totals)))
        sums = ratio(np.ones(len(scale)), scale) + wider - entries.sum(after - before)
        return np.broadcast_to(const, sums.shape), ratio(np.ones_like(sums), sums)


EVENT_MODELS: dict[str, type[EventModel]] = {
    "multinomial": MultinomialEvents,
    "bernoulli": BernoulliEvents,
    "complement": ComplementEvents,
    "normalized-complement": NormalizedComplementEvents,
}
