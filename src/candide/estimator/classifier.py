"""Classifier: scikit-learn's contract, the algebra and the answers of every estimator that can make a plan."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from candide import table as tables
from candide.combination import Product, impossible, log_posterior
from candide.distributions.blocks import LeftOut
from candide.distributions.links import LOG
from candide.distributions.pair_tables import PairTables
from candide.engines import Batched, Engine, Given, is_spark
from candide.engines.sample import Sample
from candide.engines.waiting import kept_apart, may_wait
from candide.estimator import contract, files
from candide.estimator.answers import answered, answered_by_spark
from candide.estimator.contract import BaseEstimator, ClassifierMixin, clone
from candide.estimator.format.layout import Section
from candide.estimator.given import declared_reading, open_batched, open_given, read_given
from candide.estimator.showing import Shown
from candide.estimator.slim import Slim, slim
from candide.estimator.state import Made, State, count, declared, declaring, tuned_state
from candide.export.dialects import dialect_of
from candide.export.scorer import TableScorer, scorer_of
from candide.export.sql import to_sql
from candide.model.model import Model
from candide.model.plan import Plan
from candide.model.settled import OnRows, Settled
from candide.model.weights import Weights
from candide.rules import freeze
from candide.schema.alignment import align, known_kinds
from candide.schema.column import Kind
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring import sampling, scoring
from candide.scoring.decision import cost_matrix, decide, risk
from candide.scoring.explanation import Explanation, cells_of
from candide.scoring.parts import Attributes, spelt_out
from candide.scoring.questions import Questions, ask, known, unknown_row
from candide.sources.base import is_path, is_source
from candide.statistics import Statistics
from candide.statistics.evidence import UnservedError
from candide.statistics.learnt import Learnt
from candide.table.labels import Labels, code_labels, column_labels
from candide.table.mappings import is_row
from candide.table.weights import read_weights
from candide.writing import replacing

Array = np.ndarray[Any, Any]


class Classifier(Shown, ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """An estimator over what was learnt and what was settled. A subclass has parameters and `_plan`.

    Attributes
    ----------
    classes_ : ndarray (n_classes,)
        Sorted labels.
    class_counts_ : ndarray (n_classes,)
        Weight of the rows of each class.
    schema_ : Schema
        Columns, levels, and the distribution of each column with its cut points.
    statistics_ : Statistics
        What is stored, sent and merged.
    learnt_ : Learnt
        The schema and the statistics as they were learnt; unlike `schema_`, it needs no model.
    model_ : Model
        What is estimated from it under the present rules.
    """

    PLANNED: ClassVar[tuple[str, ...]] = ()
    """The parameters that a plan is made from."""

    costs: Any = None
    unseen: str = "ignore"
    schema: Schema | None = None
    reading: Any = "auto"
    strict: bool = True
    told_: Mapping[str, Any] = MappingProxyType({})
    """What a model file says of its making besides the library, the day and the rows: its source, an evaluation."""

    def _plan(
        self, names: Sequence[str | int], kinds: Sequence[Kind], known: Schema | None, target: str | None, asked: Any
    ) -> Plan:
        """Decide what the parameters mean for these columns."""
        raise NotImplementedError

    def _given(self, X: Any, y: Any = None, learning: bool = False) -> tuple[Any, Any]:
        """Return what the user gave as what `candide.table.read` or a source takes."""
        return X, y

    # -- learning ------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a table, forgetting everything learnt before.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of dicts (rows, columns), or a source: a path, an Arrow reader ...
        y : labels (rows,), or the name of X's target column
        sample_weight : weights (rows,) or None
        """
        state = self._first(X, y, sample_weight)
        self.told_ = {"source": os.fspath(X)} if is_path(X) else {}
        assert state.plan is not None
        state.make(self._planned(state.learnt.schema, state.plan))
        self._state = state
        return self

    def _first(self, X: Any, y: Any, sample_weight: Any) -> State:
        """Return the state of rows that are the first to be learnt: what is settled on rows is settled on them."""
        engine, source, plan = self._open(X, y, sample_weight, None)
        sample = sample_for(plan)
        if sample is not None and isinstance(source, Batched):
            source.sample = sample
        elif sample is not None and not isinstance(source, Given):
            raise ValueError(
                "what is settled on rows is not settled on those of a Spark frame: fit without it (weights=None), then "
                "tune on some in memory, as in nb.set_params(weights='tuned').tune(frame.sample(0.01).toArrow(), y)"
            )
        elif sample is not None:
            sample.take(source)
        learnt = count(engine, source, plan, None)
        adopted = self._adopted()
        if adopted is not None:
            learnt = learnt.adopting(adopted)
        return State(learnt, plan) if sample is None else tuned_state(learnt, plan, sample)

    def tune(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Settle on rows that were learnt what is no sum of them, again; what was learnt stays as it is.

        Parameters
        ----------
        X, y, sample_weight
            As they were learnt: all of them, or some.
        """
        check_is_fitted(self)
        before = self._state.learnt
        _, source, plan = self._open(X, y, sample_weight, before.schema)
        sample = sample_for(plan)
        if sample is None:
            raise ValueError(f"{type(self).__name__} has nothing to be settled on rows; weights='tuned' has")
        for given in source if isinstance(source, Batched) else [source]:
            sample.take(given)
        self._state = tuned_state(before, plan, sample)
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows; new classes and levels may appear in any batch. A failure changes nothing.

        Predictions of other threads see the model before or after; but one thread learns at a time: of two that teach
        one object at once, one may be lost. Teach two, and add them.

        Parameters
        ----------
        X : array, sparse matrix, data frame or source
        y : labels (rows,), or the name of X's target column
        classes : labels or None
            Classes that are there even if no row shows them.
        sample_weight : weights (rows,) or None
        """
        if not self.__sklearn_is_fitted__():
            state = self._first(X, y, sample_weight)
            state = State(declaring(state.learnt, classes), state.plan, on_rows=state.on_rows)
            state.check_groups()
            self._state = state
            return self
        counted, waiting = self._state.held
        engine, source, plan = self._open(X, y, sample_weight, counted.schema, self._state.plan)
        if isinstance(source, Given) and may_wait(source, plan.request, counted.schema, waiting):
            state = State(counted, plan, waiting=(*waiting, kept_apart(source)), on_rows=self._state.on_rows)
        else:
            before = self._state.learnt
            state = State(before + count(engine, source, plan, before.schema), plan, on_rows=self._state.on_rows)
        if classes is not None and not declared(counted.schema.labels, classes):
            state = State(declaring(state.learnt, classes), plan, on_rows=self._state.on_rows)
        state.check_groups()
        self._state = state
        return self

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Unlearn rows learnt before, exactly: the model is as if they had never been seen."""
        check_is_fitted(self)
        before = self._state.learnt
        engine, source, plan = self._open(X, y, sample_weight, before.schema)
        self._state = State(before - count(engine, source, plan, before.schema), plan, on_rows=self._state.on_rows)
        return self

    def _adopted(self) -> Schema | None:
        """Return the schema that was given, as what is learnt is kept under it."""
        return self.schema

    def _open(
        self, X: Any, y: Any, sample_weight: Any, known: Schema | None, plan: Plan | None = None
    ) -> tuple[Engine, Any, Plan]:
        """Return what was given as an engine's source, and the plan to learn it by: the one given, where it serves."""
        X, y = self._given(X, y, learning=True)
        engine, source, target = open_given(X, y, sample_weight, known, type(self).__name__, self._reads())
        names, kinds = engine.columns(source)
        asked, kinds = self._asked(), tuple(known_kinds(kinds, known))
        if plan is None or not plan.continues(names, kinds, target, asked):
            plan = self._plan(names, kinds, known, target, asked)
        return engine, source, plan

    def _reads(self) -> Any:
        """Return how columns are read where nothing was learnt before: those declared to be categories are not."""
        if isinstance(self.schema, Schema) and self.schema.reading:
            return self.schema.reading
        return declared_reading(self.reading, getattr(self, "distributions", None), getattr(self, "groups", None))

    # -- what was learnt -----------------------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return "_state" in self.__dict__

    def _fitted(self, name: str) -> State:
        """Return the state, or say what Python says of an attribute that is not there."""
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"this {type(self).__name__} is not fitted, and has no {name}")
        state: State = self._state
        return state

    @property
    def classes_(self) -> Array:
        """The class labels, sorted."""
        return self._fitted("classes_").learnt.schema.classes

    @property
    def n_features_in_(self) -> int:
        """How many columns were learnt."""
        return len(self._fitted("n_features_in_").learnt.schema.given_names)

    @property
    def feature_names_in_(self) -> Array:
        """The columns' names, where they have names."""
        names = self._fitted("feature_names_in_").learnt.schema.given_names
        if not isinstance(names[0], str):
            raise AttributeError(f"this {type(self).__name__} was fitted without feature names")
        return np.array(names, dtype=object)

    @property
    def class_counts_(self) -> Array:
        """Weight of the rows of each class."""
        check_is_fitted(self)
        out: Array = self._state.learnt.statistics["classes"].table
        return out

    @property
    def learnt_(self) -> Learnt:
        """What was learnt, before anything is chosen or estimated from it: the schema and the statistics."""
        check_is_fitted(self)
        learnt: Learnt = self._state.learnt
        return learnt

    @property
    def statistics_(self) -> Statistics:
        """The statistics: what is stored, sent and merged."""
        return self.learnt_.statistics

    @property
    def model_(self) -> Model:
        """The model under the present rules."""
        check_is_fitted(self)
        return self._modelled()[1].model

    @property
    def schema_(self) -> Schema:
        """Columns, levels and class labels, with the distribution and cut points that the model uses."""
        check_is_fitted(self)
        state, made = self._modelled()
        evidence = state.evidence
        columns = tuple(
            replace(column, missing=evidence.missing_occurs(j)) for j, column in enumerate(evidence.schema.columns)
        )
        return replace(evidence.schema, columns=columns, settled=made.model.settled)

    def _asked(self) -> Any:
        return tuple(freeze(getattr(self, name)) for name in self.PLANNED)

    def _planned(self, schema: Schema, plan: Plan | None) -> Plan:
        """Return the plan of the present parameters for what was learnt: the one given, where it is that."""
        asked = self._asked()
        kinds = tuple(column.kind for column in schema.columns)
        if plan is not None and plan.asked == asked and plan.kinds == kinds:
            return plan
        return self._plan(schema.names, kinds, None, schema.target, asked)

    def _modelled(self) -> tuple[State, Made]:
        """Return the state and what was made of it under the present rules; made anew only when a rule has changed."""
        state: State = self._state
        made = state.made
        if made is None or made.plan.asked != self._asked():
            made = state.make(self._planned(state.learnt.schema, state.plan if made is None else made.plan))
        return state, made

    @property
    def weights_(self) -> dict[Any, float]:
        """How much the evidence of each column counts, τ + u: 1 in naive Bayes, below 0 where it speaks against."""
        model = self.model_
        weights = model.settled.weights or Weights(model.classes)
        alone = (block for block in model.blocks if not isinstance(block, PairTables))
        return {name: weights.weight(name) for block in alone for name in block.names}

    @property
    def temperature_(self) -> float:
        """τ, how much all evidence counts."""
        weights = self.model_.settled.weights
        return 1.0 if weights is None else weights.temperature

    @property
    def pairs_(self) -> list[tuple[Any, Any]]:
        """The pairs of columns that add something together, strongest first."""
        weights = self.model_.settled.weights
        return [] if weights is None else [pair.columns for pair in weights.pairs]

    @property
    def tuned_on_(self) -> int:
        """On how many rows the weights were settled; 0 where they were not."""
        weights = self.model_.settled.weights
        return 0 if weights is None else weights.rows

    # -- predicting ----------------------------------------------------------------------------------------------

    def _scored(self, X: Any) -> tuple[Rows, Model, Plan]:
        """Return rows, and the model and plan that score them."""
        check_is_fitted(self)
        check_option("unseen", self.unseen, ("ignore", "error"))
        state, made = self._modelled()
        schema = state.learnt.schema
        table = align(tables.read(self._given(X)[0]), schema, type(self).__name__, self.strict)
        rows = Rows(table, schema, self.unseen)
        return rows, made.model, made.plan

    def predict_joint_log_proba(self, X: Any) -> Array:
        """Return the scores (rows, classes): log P(c) + Σ_i log P(x_i | c) under the product."""
        rows, model, plan = self._scored(X)
        return scoring.score(model, plan.combination, rows)

    def predict_log_proba(self, X: Any) -> Array:
        """Return log P(c | x); a row impossible under every class gets the prior."""
        return self._log_proba(X)[0]

    def _log_proba(self, X: Any) -> tuple[Array, Model]:
        made, scores = self._look_up(X)
        if scores is not None:
            return log_posterior(scores, made.model.log_prior), made.model
        rows, model, plan = self._scored(X)
        return log_posterior(scoring.score(model, plan.combination, rows), model.log_prior), model

    def _look_up(self, X: Any) -> tuple[Made, Array | None]:
        """Return the scores of a few rows with names, cell by cell; None where the usual way has to be gone."""
        check_is_fitted(self)
        state, made = self._modelled()
        reading = state.learnt.schema.reading
        as_it_is = len(reading) == len(reading.left_out)
        if self.unseen != "ignore" or not as_it_is or not isinstance(made.plan.combination, Product):
            return made, None
        if is_row(X):
            return made, made.look_up([X])
        if isinstance(X, list) and X and isinstance(X[0], Mapping):
            return made, made.look_up(X)
        rows = made.few_rows(X)
        return made, None if rows is None else made.look_up(rows)

    def predict_proba(self, X: Any) -> Array:
        """Return P(c | x)."""
        out: Array = np.exp(self.predict_log_proba(X))
        return out

    def predict(self, X: Any) -> Array:
        """Return the labels of the largest posterior, or of the least risk where there are costs."""
        log_proba, model = self._log_proba(X)
        return self._decide(log_proba, model.classes)

    def predict_batches(self, source: Any, proba: bool = False) -> Any:
        """Predict a source batch by batch, in constant memory.

        Parameters
        ----------
        source : a path, a pattern, a stream, a lazy frame, an iterator of frames ..., or a table
        proba : bool
            Also the probability of every class, as columns P(class).

        Returns
        -------
        iterator of pyarrow.RecordBatch
            With a column "prediction", in the order of the rows. A frame of Spark gives a frame of Spark: its own
            columns and, behind them, these.
        """
        check_is_fitted(self)
        wanted = ("P",) if proba else ()
        return (answered_by_spark if is_spark(source) else answered)(self, source, wanted)

    def risk(self, X: Any) -> Array:
        """Return R(d | x) = Σ_c costs[d][c] P(c | x), what each decision d costs on average: (rows, classes).

        Without `costs` a wrong decision costs one: R(d | x) = Σ_{c ≠ d} P(c | x). `predict` takes the least.
        """
        log_proba, model = self._log_proba(X)
        return risk(log_proba, self._costs(model.classes))

    def _costs(self, classes: Array) -> Array | None:
        return None if self.costs is None else cost_matrix(self.costs, classes)

    def _decide(self, log_proba: Array, classes: Array) -> Array:
        labels: Array = classes[decide(log_proba, self._costs(classes))]
        return labels

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the accuracy; y may be the name of X's target column."""
        if isinstance(y, str):
            table = tables.read(X)
            labels = column_labels(table.column(table.index(y)))
            y = labels.classes[labels.codes]
        return float(super().score(X, y, sample_weight))

    def impossible(self, X: Any) -> Array:
        """Return which rows have probability zero under every class (product)."""
        rows, model, _ = self._scored(X)
        return impossible(scoring.score(model, Product(), rows))

    def leave_one_out(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Return log P(c | x) of rows learnt before, each scored by the model without it, under the same schema.

        Parameters
        ----------
        X, y, sample_weight
            As they were learnt.
        """
        check_is_fitted(self)
        check_option("unseen", self.unseen, ("ignore", "error"))
        X, y = self._given(X, y)
        schema = self._state.learnt.schema
        if is_source(X) and isinstance(y, str):
            batched = open_batched(X, y, sample_weight, schema, type(self).__name__, every=True)
            return np.concatenate([self._left_out(g.table, g.labels, g.weight) for g in batched])
        table, labels, _ = read_given(X, y, schema, type(self).__name__)
        return self._left_out(table, labels, read_weights(sample_weight, table.n_rows))

    def _left_out(self, table: tables.Table, labels: Labels, weight: Array | None) -> Array:
        """Score rows that were learnt, each by the model without it."""
        state, made = self._modelled()
        schema = state.learnt.schema
        w = np.ones(table.n_rows) if weight is None else weight.astype(float)
        codes = code_labels(labels.classes, schema.classes)[labels.codes]
        strange = np.flatnonzero((codes < 0) & (w > 0))
        if len(strange):
            label = labels.classes.tolist()[labels.codes[strange[0]]]
            raise ValueError(f"row {strange[0]}: the class {label!r} was never learnt")
        rows = Rows(table, schema, self.unseen)
        return scoring.leave_one_out(made.model, made.plan.combination, rows, LeftOut(codes, w))

    def predict_interval(
        self, X: Any, level: float = 0.95, method: str = "counts", draws: int = 1000, random_state: Any = 0
    ) -> Array:
        """Return equal-tailed credible intervals of P(c | x): (rows, classes, 2).

        Parameters
        ----------
        X : array, sparse matrix or data frame
        level : float
            Probability that the interval holds.
        method : "counts" or "draws"
            "counts" adds up the posterior variance of every log-likelihood, ψ₁(n + s) − ψ₁(N + S), under the product;
            "draws" draws models from the posterior, as is done under any other combination.
        draws : int
            Models drawn.
        random_state : int, Generator or None
        """
        check_option("method", method, ("counts", "draws"))
        if not 0 < level < 1:
            raise ValueError(f"level={level!r}: a probability between 0 and 1")
        if draws < 1:
            raise ValueError(f"draws={draws!r}: at least one model must be drawn")
        rows, model, plan = self._scored(X)
        rng = np.random.default_rng(random_state)
        if method == "counts" and isinstance(plan.combination, Product):
            return sampling.closed_intervals(model, rows, level, rng)
        return sampling.intervals(model, plan.combination, rows, level, draws, rng)

    def sample(self, n: int, random_state: Any = None) -> tuple[Any, Array]:
        """Draw n rows and their labels from the model.

        Returns
        -------
        X : data frame, or ndarray if the model was fitted on an array
        y : ndarray (n,)
        """
        check_is_fitted(self)
        if n < 0:
            raise ValueError(f"n={n!r}: the number of rows is not negative")
        state, made = self._modelled()
        cells, codes = sampling.sample(made.model, n, np.random.default_rng(random_state))
        return sampling.as_frame(cells, state.learnt.schema), made.model.classes[codes]

    def explain(self, X: Any) -> Explanation:
        """Return what the prior and each column add to the score of each class."""
        rows, model, plan = self._scored(X)
        parts = scoring.contributions(model, plan.combination, rows)
        posterior = log_posterior(parts.scores.copy(), model.log_prior)
        told = Attributes(model.attribute_names, parts.terms, cells_of(rows, model.columns), model.chosen_by_attribute)
        if plan.combination.link(model.log_prior) is LOG:
            told = spelt_out(told, model, rows)
        return Explanation(
            classes=model.classes,
            names=told.names,
            prior=parts.prior,
            contributions=told.terms,
            cells=told.cells,
            posterior=np.exp(posterior),
            decisions=self._decide(posterior, model.classes),
            additive=plan.combination.additive,
            chosen=told.chosen,
            rescued=parts.scores if parts.zeros is not None else None,
            zeros=parts.zeros,
            log_prior=model.log_prior,
            credible=partial(sampling.row_interval, model, rows) if isinstance(plan.combination, Product) else None,
        )

    def questions(self, row: Any = None) -> Questions:
        """Return what asking for each unknown column of a row is worth, the best question first.

        Parameters
        ----------
        row : a mapping of columns to cells, or a table of one row, or None
            What is known so far; columns that are not there, or missing, are unknown.

        Examples
        --------
        >>> import pandas as pd
        >>> from candide import NaiveBayes
        >>> frame = pd.DataFrame({"wheels": ["2", "4", "4", "6"] * 5, "energy": ["oil", "oil", "gas", "gas"] * 5})
        >>> nb = NaiveBayes().fit(frame, ["bike", "car", "car", "truck"] * 5)
        >>> print(nb.questions({"energy": "oil"})[0])
        wheels settles 40% and turns the answer in 53% of cases
        """
        check_is_fitted(self)
        _, made = self._modelled()
        if isinstance(row, Mapping) and known(row):  # what is not named is what may be asked
            for name in row:
                if name not in made.schema.given_names:
                    raise ValueError(f"{type(self).__name__} has learnt no column {name!r}")
            row = {**dict.fromkeys(made.schema.given_names), **row}
        rows, model, plan = self._scored(row if known(row) else unknown_row(made.schema))
        if len(rows) != 1:
            raise ValueError(f"questions are asked of one row, and there are {len(rows)}: give one of them")
        return ask(model, plan.combination, rows, made.answers, self._costs(model.classes))

    # -- algebra -------------------------------------------------------------------------------------------------

    def _with(self, learnt: Learnt, on_rows: OnRows | None = None) -> Self:
        new: Self = clone(self)
        mine = self._state if self.__sklearn_is_fitted__() else None
        if mine is None:
            new._state = State(learnt)
        else:
            new._state = State(learnt, mine.plan, on_rows=mine.on_rows if on_rows is None else on_rows)
        return new

    def merge(self, other: Classifier) -> Self:
        """Return a model of both models' rows; the operands stay as they are. Same as `+`."""
        if not isinstance(other, Classifier):
            raise TypeError(f"only a model can be merged with a model, not a {type(other).__name__}")
        check_is_fitted(self)
        check_is_fitted(other)
        mine, theirs = self._state, other._state
        larger = theirs if theirs.learnt.weight > mine.learnt.weight else mine
        weights = next((s.on_rows.weights for s in (larger, mine, theirs) if s.on_rows.weights is not None), None)
        return self._with(mine.learnt + theirs.learnt, replace(mine.on_rows, weights=weights))

    def __add__(self, other: Any) -> Self:
        return self.merge(other) if isinstance(other, Classifier) else NotImplemented

    def __radd__(self, other: Any) -> Self:
        if not (isinstance(other, int) and other == 0):  # so that sum(models) works
            return NotImplemented
        check_is_fitted(self)
        return self._with(self._state.learnt)

    def __sub__(self, other: Any) -> Self:
        if not isinstance(other, Classifier):
            return NotImplemented
        check_is_fitted(self)
        check_is_fitted(other)
        return self._with(self._state.learnt - other._state.learnt)

    def __mul__(self, factor: Any) -> Self:
        if not isinstance(factor, (int, float, np.integer, np.floating)):
            return NotImplemented
        check_is_fitted(self)
        return self._with(self._state.learnt.scale(float(factor)))

    __rmul__ = __mul__

    # -- files and contracts -------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as versioned, checksummed JSON, atomically; it keeps learning after `candide.load`."""
        files.write(path, self._payload())

    def _payload(self) -> Section:
        """Return what a file holds of the model."""
        check_is_fitted(self)
        try:
            state, made = self._modelled()
            plan, settled = made.plan, made.model.settled
        except UnservedError:  # what was learnt is kept all the same
            state, settled = self._state, None
            plan = self._planned(state.learnt.schema, state.plan)
        return files.payload_of(self, plan, state.learnt, settled)

    def slim(self, rare: float = 5) -> Slim:
        """Return a model that scores and does nothing else: without counts, raw values, identifiers and rare levels.

        What it leaves out is told by its `left_out`. It predicts from what this model reads, is saved and loaded as
        this one is, and has a fraction of its size.

        Parameters
        ----------
        rare : float
            Weight of rows without which a level is left out; its cells then say nothing.
        """
        check_is_fitted(self)
        return slim(self, rare)

    @classmethod
    def _restore(cls, params: dict[str, Any], learnt: Learnt, settled: Settled | None) -> Self:
        """Return the estimator that was saved with these parameters."""
        new = cls(**params)
        plan = new._planned(learnt.schema, None)
        files.check_plan(plan, learnt.schema, settled)
        new._state = State(learnt) if settled is None else State(learnt, plan, settled)
        return new

    def _scorer(self, target: str, sampled: bool) -> TableScorer:
        """Return what another system needs to score rows as this model does."""
        check_is_fitted(self)
        _, made = self._modelled()
        if self.costs is not None:
            raise ValueError(f"{target} decides by the largest probability: set costs=None, and weigh risks there")
        missing = getattr(self, "missing", "ignore")
        return scorer_of(made.model, made.plan.combination, target, missing, self.unseen, sampled)

    def to_sql(
        self,
        table: str | Sequence[str],
        dialect: str = "duckdb",
        keep: Sequence[str] | None = None,
        sampled: bool = False,
    ) -> str:
        """Return a query that adds `prediction` and the columns `log_p_...`, log P(c | x), to the rows of a table.

        Parameters
        ----------
        table : str or sequence of str
            "table", "schema.table", or the parts of a name that holds dots.
        dialect : "duckdb", "postgres", "sqlite", "spark", "bigquery" or "snowflake"
        keep : names of columns or None
            Which columns of the table to pass on; None: all.
        sampled : bool
            Whether densities that have no formula there are told by straight lines between sampled points.
        """
        return to_sql(self._scorer("SQL", sampled), table, dialect_of(dialect), keep)

    def to_onnx(self, path: str | os.PathLike[str], sampled: bool = False) -> None:
        """Write the model as an ONNX graph of 64-bit floats: outputs `label`, `log_probabilities`, `probabilities`.

        Every column is an input (rows, 1) of its name: text where it has levels of text, in which "" is a missing cell
        unless it is a level; float64 otherwise, in which NaN is.

        Parameters
        ----------
        path : path
        sampled : bool
            Whether densities that have no formula there are told by straight lines between sampled points.
        """
        from candide.export.onnx import to_onnx

        scorer = self._scorer("ONNX", sampled)
        with replacing(path) as file:
            file.write(to_onnx(scorer))

    def to_pmml(self, path: str | os.PathLike[str]) -> None:
        """Write the model as PMML 4.4, for evaluators of many languages.

        Parameters
        ----------
        path : path
        """
        from candide.export.pmml import to_pmml

        scorer = self._scorer("PMML", sampled=False)
        with replacing(path) as file:
            file.write(to_pmml(scorer))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def sample_for(plan: Plan) -> Sample | None:
    """Return what keeps the rows that something is settled on; None where nothing is."""
    return Sample(plan.tunable, plan.weighs_rows) if plan.tunable or plan.weighs_rows else None


def check_is_fitted(estimator: Classifier) -> None:
    """Refuse an estimator that has learnt nothing, as scikit-learn does; at once where it has."""
    if "_state" not in estimator.__dict__:
        contract.check_is_fitted(estimator)


def check_option(name: str, value: Any, known: tuple[str, str]) -> None:
    """Refuse a word that is not one of the two known."""
    if value not in known:
        raise ValueError(f"{name}={value!r} is not known; use {known[0]!r} or {known[1]!r}")
