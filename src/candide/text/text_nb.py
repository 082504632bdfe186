"""TextNB: raw documents in, labels and reasons out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any

import numpy as np

from candide.analysis.analyzer import is_positive
from candide.combination import Product
from candide.distributions import Text
from candide.distributions.bag import Bag
from candide.distributions.text import shares_of
from candide.distributions.weighted import WeightedBag
from candide.engines import Engine
from candide.estimator.classifier import Classifier
from candide.estimator.learner import check_is_fitted
from candide.estimator.state import Made
from candide.model.model import Model
from candide.model.plan import Plan, make_plan
from candide.rules import parameters_of
from candide.schema.column import Kind
from candide.schema.labels import place_of
from candide.schema.one_column import as_table
from candide.schema.schema import Schema
from candide.scoring.look_up import FEW
from candide.smoothing import as_smoothing
from candide.sources.base import are_paths, is_path
from candide.statistics.learnt import Learnt
from candide.table import Bags
from candide.text.documents import LABEL, in_batches, opened
from candide.tuning import Temperature, as_weighing

Array = np.ndarray[Any, Any]


class TextNB(Classifier):
    """Naive Bayes on documents: log P(c) and what every word says for each class, from counts that add up.

    Documents are a list, an array, a pandas or Polars series, an Arrow array, an iterator, or the one column beside the
    labels of a frame or of files. They are read by a compiled tokenizer: no other vectorizer is needed.

    Parameters
    ----------
    event_model : "auto", "multinomial", "bernoulli", "complement" or "normalized-complement"
        What a word says. "auto" weighs words by their lift, settled on the documents that are learnt, and calibrated.
        The others are scikit-learn's CountVectorizer with MultinomialNB, BernoulliNB and ComplementNB, to 1e-10.
    smoothing : str or Smoothing
        Pseudo-counts of words and classes; "auto" softens words in its own way.
    ngrams : (least, most)
        How many words, or characters, follow each other in one.
    analyzer : "word" or "char"
    numbers : "keep" or "drop"
        Whether words without a letter, such as the 55 of 55.3, are kept.
    fold : None or "accents"
        Whether accents are taken away.
    stop_words : None, a language, or a list of words
        Words that are dropped.
    stem, lemmatize : None or a language
        Words are cut to their stems, or brought to the form of a dictionary.
    min_df, max_df : int or float
        Words in fewer, or more, documents are left out; a float is a share of all documents.
    max_features : int or None
        How many words are used at the most, those that stand most often.
    hashing : int or None
        How many buckets words are thrown into, for vocabularies without bound.
    tf_idf : bool
        Whether counts are multiplied by the inverse document frequency.
    binary : bool
        Whether a word counts once in a document.
    tokenizer : callable or None
        A function that returns the words of a text.
    characters : None or (least, most)
        Runs of so many characters beside the words, such as (2, 5): short messages are told best by both.
    prior : None, "uniform", sequence or {label: probability}
        None takes the class counts; the complement leaves it out, as scikit-learn does.
    costs : None, array (classes, classes), {decided: {true: cost}} or Costs
    schema : None or Schema
        Another model's `schema_`: the same words.
    weights : None or "temperature"
        Whether one number, settled on the documents that are learnt, each left out, says how much words count: what
        scikit-learn's event models say is far too sure of long documents.

    Examples
    --------
    >>> from candide.text import TextNB
    >>> nb = TextNB(event_model="multinomial").fit(["my car broke down", "insure my motorbike"], ["car", "bike"])
    >>> nb.predict(["the car is broken"])
    array(['car'], dtype='<U4')
    """

    reading = "plain"  # its one column is a column of documents

    PLANNED = (*parameters_of(Text), "smoothing", "prior", "schema", "weights")
    SETTLING = "event_model='auto' and weights='temperature' have"

    def __init__(
        self,
        event_model: Any = "auto",
        smoothing: Any = "lidstone",
        ngrams: Any = (1, 1),
        analyzer: str = "word",
        numbers: str = "keep",
        fold: str | None = None,
        stop_words: Any = None,
        stem: str | None = None,
        lemmatize: str | None = None,
        min_df: float = 1,
        max_df: float = 1.0,
        max_features: int | None = None,
        hashing: int | None = None,
        tf_idf: bool = False,
        binary: bool = False,
        tokenizer: Any = None,
        characters: Any = None,
        prior: Any = None,
        costs: Any = None,
        schema: Schema | None = None,
        weights: Any = None,
    ) -> None:
        self.event_model = event_model
        self.smoothing = smoothing
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
        self.prior = prior
        self.costs = costs
        self.schema = schema
        self.weights = weights

    def _plan(
        self, names: Sequence[str | int], kinds: Sequence[Kind], known: Schema | None, target: str | None, asked: Any
    ) -> Plan:
        if len(names) != 1:
            raise ValueError(
                f"TextNB reads one column of documents, and there are {list(names)[:8]}; choose one of them, or use "
                "NaiveBayes(distributions={column: 'text'}) for documents beside other columns"
            )
        weights = as_weighing(self.weights)
        if not isinstance(weights, (Temperature, NoneType)):
            raise ValueError(
                f"weights={self.weights!r}: documents are one column, whose evidence has one weight; TextNB takes "
                "'temperature', which settles it, or None"
            )
        rule = Text(**{name: getattr(self, name) for name in parameters_of(Text)})
        prior = self.prior
        if prior is None and isinstance(self.event_model, str) and self.event_model.endswith("complement"):
            prior = "uniform"
        return make_plan(
            names,
            kinds,
            distributions=rule,
            groups=None,
            smoothing=as_smoothing(self.smoothing),
            combination=Product(),
            prior=prior,
            missing="ignore",
            given=self.schema,
            known=known,
            target=None if target == LABEL else target,
            asked=asked,
            weights=weights,
        )

    def _asked(self) -> Any:
        return super()._asked(), shares_of(self)

    def _given(self, X: Any, y: Any = None, learning: bool = False) -> tuple[Any, Any]:
        """Return documents as a table of one column, called as the one that was learnt."""
        if (learning and is_path(X)) or (isinstance(y, str) and (is_path(X) or are_paths(X))):
            return X, y  # labels are a column of such tables
        return as_table(X, self._column), list(y) if isinstance(y, Iterator) else y

    def _open(self, X: Any, y: Any, sample_weight: Any, known: Schema | None, **how: Any) -> tuple[Engine, Any, Plan]:
        """Return what was given as an engine's source: documents, labels and weights that come one by one as well."""
        return super()._open(*opened(X, y, sample_weight, self._column), known, **how)

    @property
    def _column(self) -> str | int:
        """What the column of documents is called, or where it stands."""
        return self._state.held[0].schema.names[0] if self.__sklearn_is_fitted__() else 0

    def _learnt_by(self, other: Classifier, forgetting: bool = False) -> Learnt:
        """Return what another model has learnt of its documents, whatever their column is called there."""
        learnt = super()._learnt_by(other, forgetting)
        columns = learnt.schema.columns
        if len(columns) != 1 or columns[0].kind != "bags" or columns[0].name == self._column:
            return learnt
        return replace(learnt, schema=replace(learnt.schema, columns=(replace(columns[0], name=self._column),)))

    def _look_up(self, X: Any) -> tuple[Made, Array | None]:
        """Return the scores of a message, or of a few of them, as they are."""
        texts = [X] if type(X) is str else X
        if type(texts) is not list or not 0 < len(texts) <= FEW or any(type(text) is not str for text in texts):
            return super()._look_up(X)
        check_is_fitted(self)
        _, made = self._modelled()
        bag, weight = self._weighed(made.model)
        return made, made.model.log_prior + weight * bag.scores_of(Bags(texts), None)

    def predict_batches(self, source: Any, proba: bool = False) -> Any:
        """Predict documents batch by batch, in constant memory.

        Parameters
        ----------
        source : an iterator of documents, a column of them, or what other classifiers take: a path, frames ...
            Documents that come one by one are answered some thousands at a time.
        proba : bool
            Also the probability of every class, as columns P(class).

        Returns
        -------
        iterator of pyarrow.RecordBatch
            With a column "prediction", in the order of the documents.
        """
        return super().predict_batches(in_batches(source, self._column), proba)

    def _weighed(self, model: Model) -> tuple[Bag, float]:
        """Return the one block of the model, and how much it counts."""
        (block,) = model.blocks
        bag, weights = block.bare, model.settled.weights
        assert isinstance(bag, Bag)
        return bag, 1.0 if weights is None else weights.weight(bag.names[0])

    @property
    def tuned_on_(self) -> int:
        """On how many documents, by weight, the numbers of "auto" were settled, or the temperature; 0 where usual."""
        bag, _ = self._weighed(self.model_)
        return super().tuned_on_ or (round(bag.rule.documents) if isinstance(bag, WeightedBag) else 0)

    def top_words(self, label: Any, n: int = 10) -> list[tuple[str, float]]:
        """Return the words that speak most for a class, and how much more than for the other classes on average.

        That is what a word says where it stands alone: the longer a document is, the less each of its words says under
        `event_model="auto"`.

        Parameters
        ----------
        label : class label
        n : int
        """
        check_is_fitted(self)
        if n != 0 and not is_positive(n):
            raise ValueError(f"n={n!r}: how many words, a whole number that is not negative")
        model = self.model_
        c = place_of(label, model.classes)
        bag, weight = self._weighed(model)
        return [(word, weight * speaks) for word, speaks in bag.strongest(c, n)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.input_tags.sparse = False
        tags.input_tags.categorical = False
        return tags
