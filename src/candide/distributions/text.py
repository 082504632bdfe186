"""Text: columns of documents, of which each is a bag of words."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, MutableSet, Sequence
from copy import copy
from typing import Any, ClassVar

import numpy as np

from candide.analysis.analyzer import Analyzer, is_positive
from candide.distributions.bag import Bag
from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.blocks import LeftOut
from candide.distributions.event_models import EVENT_MODELS, EventModel
from candide.distributions.idf_bag import IdfBag, inverse_frequency
from candide.distributions.selected_words import Selection
from candide.distributions.weighted import Weighted, WeightedBag
from candide.distributions.word_counts import ClassCounts, Entered
from candide.distributions.word_views import Shares
from candide.distributions.word_weights import EACH, FEW, OUTGROWN, settle_weights
from candide.messages import not_known, warn
from candide.rules import freeze
from candide.schema.vocabulary import Buckets, ListedWords, Vocabulary
from candide.smoothing.constant import Frequencies
from candide.statistics.evidence import Evidence, RefitError
from candide.statistics.words import UNITS, Words
from candide.table import Bags

Array = np.ndarray[Any, Any]


AUTOMATIC = "auto"


class SilentDocuments(UserWarning):  # a warning, as scikit-learn's names of them go
    """Documents that say nothing: their words are not used, or they have none."""


class Text(Distribution):
    """P(document | c) by its words.

    What is stored does not depend on the event model, nor on which words are used: these are chosen when the model is
    estimated, so that models of different documents add.

    Parameters
    ----------
    event_model : "auto", "multinomial", "bernoulli", "complement" or "normalized-complement"
        What a word says. "auto" weighs shares of words by their lift, settled on the documents that are learnt; a
        `Weighted` has such weights.
    ngrams, analyzer, numbers, fold, stop_words, stem, lemmatize, hashing, tokenizer, characters
        What the words are, as in `Analyzer`.
    min_df, max_df : int or float
        Words in fewer, or more, documents are left out; a float is a share of all documents.
    max_features : int or None
        How many words are used at the most, those that stand most often.
    tf_idf : bool
        Whether counts are multiplied by log((1 + documents) / (1 + documents with the word)) + 1.
    binary : bool
        Whether a word counts once in a document, however often it stands there.
    """

    name = "text"
    kind = "bags"
    needs: ClassVar[tuple[str, ...]] = ("words",)

    def __init__(
        self,
        event_model: str | Weighted = "auto",
        ngrams: Sequence[int] = (1, 1),
        analyzer: str = "word",
        numbers: str = "keep",
        fold: str | None = None,
        stop_words: str | Sequence[str] | None = None,
        stem: str | None = None,
        lemmatize: str | None = None,
        min_df: int | float = 1,
        max_df: int | float = 1.0,
        max_features: int | None = None,
        hashing: int | None = None,
        tf_idf: bool = False,
        binary: bool = False,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        characters: Sequence[int] | None = None,
    ) -> None:
        self.event_model = event_model
        self.ngrams = ngrams
        self.analyzer = analyzer
        self.numbers = numbers
        self.fold = fold
        self.stop_words = stop_words
        self.stem = stem
        self.lemmatize = lemmatize
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.hashing = hashing
        self.tf_idf = tf_idf
        self.binary = binary
        self.tokenizer = tokenizer
        self.characters = characters

    @property
    def analysis(self) -> Analyzer:
        """What the words are, with lists of its own: documents were not read by what one is changed to later."""
        return Analyzer(**{name: own(getattr(self, name)) for name in Analyzer._parameters()})

    def key(self, apart_from: Sequence[str] = ()) -> tuple[Any, ...]:
        """Return the parameters, and which limits are shares: 1 is a document, and 1.0 all of them."""
        return (*super().key(apart_from), *shares_of(self))

    def check(self) -> None:
        """Refuse parameters that are not known, or do not go together."""
        if not isinstance(self.event_model, Weighted) and self.event_model not in (AUTOMATIC, *EVENT_MODELS):
            raise ValueError(not_known("event_model", self.event_model, (AUTOMATIC, *EVENT_MODELS)))
        for name in ("min_df", "max_df"):
            if not is_limit(getattr(self, name)):
                raise ValueError(
                    f"{name}={getattr(self, name)!r}: a number of documents, or a share of them from 0.0 to 1.0"
                )
        if is_share(self.min_df) == is_share(self.max_df) and self.min_df > self.max_df:
            raise ValueError(f"min_df={self.min_df!r} is above max_df={self.max_df!r}: no word would be left")
        if self.max_features is not None and not is_positive(self.max_features):
            raise ValueError(f"max_features={self.max_features!r}: a number of words, or None")
        for name in ("tf_idf", "binary"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise ValueError(f"{name}={getattr(self, name)!r}: True or False")
        if self.tf_idf and self.event_model == "bernoulli":
            raise ValueError("event_model='bernoulli' tells words that are there from those that are not: tf_idf does "
                             "not go with it")  # fmt: skip
        if self.weighted and (self.tf_idf or self.binary):
            raise ValueError("event_model='auto' weighs words in its own way: tf_idf and binary do not go with it")
        self.analysis.check()

    @property
    def weighted(self) -> bool:
        """Whether words are weighed by numbers that are settled."""
        return isinstance(self.event_model, Weighted) or self.event_model == AUTOMATIC

    def family(self) -> Any:
        """Return None: every column of documents is a block."""
        return None

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Soften the counts of the words of the one column."""
        (position,) = positions.tolist()
        column = evidence.schema.columns[position]
        axis = column.axis
        assert isinstance(axis, (Vocabulary, Buckets))
        if axis.analyzer != self.analysis:
            raise RefitError(
                f"column {column.name!r} was read with {axis.analyzer!r}, not with {self.analysis!r}: refit"
            )
        block = self._weighted_bag(evidence, position) if self.weighted else self._bag(evidence, position, rules)
        if not len(block.selection.factor) and block.counts.totals.documents.any():
            self._warn_silent(bool(evidence.words(position).count.any()))
        return block

    def _warn_silent(self, words: bool) -> None:
        """Say that documents tell nothing: their words are not used, or they have none."""
        limits = f"min_df={self.min_df!r} and max_df={self.max_df!r} leave none of their words"
        warn(
            f"the documents say nothing: {limits if words else 'none of them holds a word that is kept'}",
            SilentDocuments,
        )

    def _bag(self, evidence: Evidence, position: int, rules: Rules) -> Bag:
        """Return the block of words that speak by their counts."""
        column = evidence.schema.columns[position]
        words, axis = evidence.listed(position)
        model = EVENT_MODELS[str(self.event_model)](rules.smoothing, evidence.classes)
        presence = self.binary or model.presence
        selection = self.select(words, axis, evidence.class_counts)
        counts = class_counts(words, selection, words.documents if presence else words.count, evidence.class_counts)
        model.check(counts)
        made = (
            position, column.name, selection, model, counts, None, model.const(counts), model.scale(counts), presence,
        )  # fmt: skip
        if not self.tf_idf:
            return Bag(*made)
        df = words.by_entry("documents")
        return IdfBag(*made, n=float(counts.totals.documents.sum()), df=df[selection.used])

    def _weighted_bag(self, evidence: Evidence, position: int) -> WeightedBag:
        """Return the block of weighed shares, by weights that were settled, or by usual ones."""
        rule = self.event_model if isinstance(self.event_model, Weighted) else Weighted()
        shares = self._shares(evidence, position)
        counts = shares.counts
        n = float(counts.totals.documents.sum())
        few = max(FEW, EACH * len(evidence.classes))
        if 0 < rule.documents < few <= n and n >= OUTGROWN * rule.documents:
            rule = Weighted()
        weights = rule.weights(evidence.classes).of_runs(shares.n_runs)
        usual = np.log(max(shares.documents.sum() / n, 1.0)) if n else 0.0
        found = evidence.mistakes(position) if len(weights.beta) > 2 * shares.n_runs else None
        mistakes = None if found is None else shares.gathered(found)
        model = EventModel(Frequencies(), evidence.classes)
        return WeightedBag(
            position, evidence.schema.names[position], shares.selection, model, counts, None, weights.bias,
            np.ones(len(evidence.classes)), rule=rule, weights=weights, shares=shares, mistakes=mistakes,
            length=usual if rule.length is None else rule.length, own=rule.documents == n,
        )  # fmt: skip

    def _shares(self, evidence: Evidence, position: int) -> Shares:
        """Return the shares of the words used, which are remembered: what they settle is estimated with them."""
        words, axis = evidence.listed(position)
        used_by = self.min_df, self.max_df, self.max_features, shares_of(self), evidence.class_counts.tolist()
        before = words.remembered.get("shares")
        if before is not None and before[0] is axis and before[1] == used_by:
            known: Shares = before[2]
            return known
        selection = self.select(words, axis, evidence.class_counts)
        counts = class_counts(words, selection, words.share / UNITS, evidence.class_counts)
        shares = Shares.of(words, selection, counts)
        words.remembered["shares"] = axis, used_by, shares
        return shares

    @property
    def tunable(self) -> bool:
        """Whether there are numbers to be settled on the documents."""
        return self.weighted

    @property
    def settled_on(self) -> tuple[float, float]:
        """The weight of the documents that the numbers were settled on, and of all that were learnt then."""
        rule = self.event_model
        return (rule.documents, max(rule.documents, rule.learnt)) if isinstance(rule, Weighted) else (0.0, 0.0)

    @property
    def settled_rank(self) -> tuple[Any, ...]:
        """The same, and the numbers themselves: of sums of equal weight the same ones are kept, in whatever order."""
        return (*self.settled_on, repr(freeze(self.event_model)))

    def adopt(self, tuned: Distribution) -> Distribution:
        """Return the rule with the weights that another has, where it asks for some."""
        if self.event_model == AUTOMATIC and isinstance(tuned, Text) and isinstance(tuned.event_model, Weighted):
            return self._with(tuned.event_model)
        return self

    def tune(
        self, evidence: Evidence, position: int, bags: Sequence[Bags], without: LeftOut
    ) -> tuple[Text, dict[str, Any]]:
        """Settle the weights on documents that were learnt; returns the rule with them, and the sums of mistakes."""
        shares = self._shares(evidence, position)
        if not len(without.y) or len(evidence.classes) < 2 or not len(shares.counts.n):
            return self, {}
        rule, mistakes = settle_weights(shares, evidence.classes, bags, without)
        rule.learnt = float(shares.counts.totals.documents.sum())
        return self._with(rule), {f"mistakes {position}": mistakes}

    def _with(self, event_model: str | Weighted) -> Text:
        return Text(**{**self.get_params(deep=False), "event_model": event_model})

    def select(self, words: Words, axis: ListedWords, class_counts: Array) -> Selection:
        """Return the words to be used, and what their counts are multiplied by."""
        if self.uses_all and words.each_occurs:
            return Selection.of_all(axis)
        # a word that stays in the vocabulary though no document holds it has its softened probability
        used = axis.stays | words.used(1)
        used[0] = False
        if self.uses_all:
            return Selection.of(axis, used)
        df = words.by_entry("documents")
        n = float(np.sum(class_counts)) - df[0]
        least, most = (float(limit) * n if is_share(limit) else limit for limit in (self.min_df, self.max_df))
        if most == n:
            most = np.inf  # whatever rounding of broken weights says
        used &= (df <= most) & ((df >= least) | (least <= 1))
        if self.max_features is not None and axis.count(used) > self.max_features:
            used &= words.used(1) | isinstance(axis, Vocabulary)  # buckets that hold nothing do not stand there often
            often = df if self.binary else words.by_entry("count")
            chosen = np.flatnonzero(used)[np.argsort(-often[used], kind="stable")[: self.max_features]]
            used = np.zeros(len(used), dtype=bool)
            used[chosen] = True
        return Selection.of(axis, used, inverse_frequency(n, df[used]) if self.tf_idf else None)

    @property
    def uses_all(self) -> bool:
        """Whether every word is used, each as it is counted."""
        least = 0 if is_share(self.min_df) else 1
        everywhere = is_share(self.max_df) and self.max_df == 1.0
        return self.min_df <= least and everywhere and self.max_features is None and not self.tf_idf


def own(value: Any) -> Any:
    """Return a copy of what may be changed in place; all else, a tokenizer too, as it is."""
    return copy(value) if isinstance(value, (MutableSequence, MutableSet, np.ndarray)) else value


def is_share(value: Any) -> bool:
    """Whether a value is a share of documents, and not a number of them."""
    return isinstance(value, (float, np.floating))


def shares_of(rule: Any) -> tuple[bool, bool]:
    """Return which limits of a rule are shares of documents."""
    return is_share(rule.min_df), is_share(rule.max_df)


def is_limit(value: Any) -> bool:
    """Whether a value is a number of documents, or a share of them."""
    if is_share(value):
        return 0.0 <= float(value) <= 1.0
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= 0


def class_counts(words: Words, selection: Selection, counted: Array, rows: Array) -> ClassCounts:
    """Return counts, or shares, of the words used."""
    k, v = len(rows), len(selection.factor)
    factor = selection.factor if selection.weighs else None
    given = Entered(words.at, counted, selection.place, factor, v, k, selection.others)
    return ClassCounts(given, (rows - words.missing).astype(float))
