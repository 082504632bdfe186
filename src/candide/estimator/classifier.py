"""Classifier: scikit-learn's contract, the algebra and the answers of every estimator that can make a plan."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import validation

from candide import table as tables
from candide.combination import Product, impossible, log_posterior
from candide.distributions.blocks import LeftOut
from candide.distributions.links import LOG
from candide.engines import Batched, Engine, Given
from candide.engines.sample import Sample
from candide.engines.waiting import kept_apart, may_wait
from candide.estimator import files
from candide.estimator.given import open_given, read_given
from candide.estimator.state import Made, State, count, declared, declaring, tuned_state
from candide.model.model import Model
from candide.model.plan import Plan
from candide.model.settled import Settled
from candide.rules import freeze
from candide.schema.alignment import align, known_kinds
from candide.schema.column import Kind
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring import sampling, scoring
from candide.scoring.decision import cost_matrix, decide, risk
from candide.scoring.explanation import Explanation, cells_of
from candide.scoring.parts import Attributes, spelt_out
from candide.statistics import Statistics
from candide.statistics.evidence import UnservedError
from candide.statistics.learnt import Learnt
from candide.table.labels import code_labels, column_labels
from candide.table.mappings import is_row
from candide.table.weights import read_weights

Array = np.ndarray[Any, Any]


class Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
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
        assert state.plan is not None
        state.make(self._planned(state.learnt.schema, state.plan))
        self._state = state
        return self

    def _first(self, X: Any, y: Any, sample_weight: Any) -> State:
        """Return the state of rows that are the first to be learnt: what is settled on rows is settled on them."""
        engine, source, plan = self._open(X, y, sample_weight, None)
        sample = Sample(plan.tunable) if plan.tunable else None
        if sample is not None and isinstance(source, Batched):
            source.sample = sample
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
        if not plan.tunable:
            raise ValueError(f"{type(self).__name__} has nothing to be settled on rows")
        sample = Sample(plan.tunable)
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
            state = State(declaring(state.learnt, classes), state.plan, tuned=state.tuned)
            state.check_groups()
            self._state = state
            return self
        counted, waiting = self._state.held
        engine, source, plan = self._open(X, y, sample_weight, counted.schema, self._state.plan)
        if isinstance(source, Given) and may_wait(source, plan.request, counted.schema, waiting):
            state = State(counted, plan, waiting=(*waiting, kept_apart(source)), tuned=self._state.tuned)
        else:
            before = self._state.learnt
            state = State(before + count(engine, source, plan, before.schema), plan, tuned=self._state.tuned)
        if classes is not None and not declared(counted.schema.labels, classes):
            state = State(declaring(state.learnt, classes), plan, tuned=self._state.tuned)
        state.check_groups()
        self._state = state
        return self

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Unlearn rows learnt before, exactly: the model is as if they had never been seen."""
        check_is_fitted(self)
        before = self._state.learnt
        engine, source, plan = self._open(X, y, sample_weight, before.schema)
        self._state = State(before - count(engine, source, plan, before.schema), plan, tuned=self._state.tuned)
        return self

    def _adopted(self) -> Schema | None:
        """Return the schema that was given, as what is learnt is kept under it."""
        return self.schema

    def _open(
        self, X: Any, y: Any, sample_weight: Any, known: Schema | None, plan: Plan | None = None
    ) -> tuple[Engine, Any, Plan]:
        """Return what was given as an engine's source, and the plan to learn it by: the one given, where it serves."""
        X, y = self._given(X, y, learning=True)
        engine, source, target = open_given(X, y, sample_weight, known, type(self).__name__)
        names, kinds = engine.columns(source)
        asked, kinds = self._asked(), tuple(known_kinds(kinds, known))
        if plan is None or not plan.continues(names, kinds, target, asked):
            plan = self._plan(names, kinds, known, target, asked)
        return engine, source, plan

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
        return len(self._fitted("n_features_in_").learnt.schema.columns)

    @property
    def feature_names_in_(self) -> Array:
        """The columns' names, where they have names."""
        names = self._fitted("feature_names_in_").learnt.schema.names
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

    # -- predicting ----------------------------------------------------------------------------------------------

    def _scored(self, X: Any) -> tuple[Rows, Model, Plan]:
        """Return rows, and the model and plan that score them."""
        check_is_fitted(self)
        check_option("unseen", self.unseen, ("ignore", "error"))
        state, made = self._modelled()
        schema = state.learnt.schema
        rows = Rows(align(tables.read(self._given(X)[0]), schema, type(self).__name__), schema, self.unseen)
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
        _, made = self._modelled()
        if self.unseen != "ignore" or not isinstance(made.plan.combination, Product):
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
        state, made = self._modelled()
        schema = state.learnt.schema
        table, labels, _ = read_given(*self._given(X, y), schema, type(self).__name__)
        weight = read_weights(sample_weight, table.n_rows)
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
        )

    # -- algebra -------------------------------------------------------------------------------------------------

    def _with(self, learnt: Learnt) -> Self:
        new: Self = clone(self)
        mine = self._state if self.__sklearn_is_fitted__() else None
        new._state = State(learnt) if mine is None else State(learnt, mine.plan, tuned=mine.tuned)
        return new

    def merge(self, other: Classifier) -> Self:
        """Return a model of both models' rows; the operands stay as they are. Same as `+`."""
        if not isinstance(other, Classifier):
            raise TypeError(f"only a model can be merged with a model, not {other!r}")
        check_is_fitted(self)
        check_is_fitted(other)
        return self._with(self._state.learnt + other._state.learnt)

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
        check_is_fitted(self)
        try:
            state, made = self._modelled()
            plan, settled = made.plan, made.model.settled
        except UnservedError:  # what was learnt is kept all the same
            state, settled = self._state, None
            plan = self._planned(state.learnt.schema, state.plan)
        files.save(path, self, plan, state.learnt, settled)

    @classmethod
    def _restore(cls, params: dict[str, Any], learnt: Learnt, settled: Settled | None) -> Self:
        """Return the estimator that was saved with these parameters."""
        new = cls(**params)
        plan = new._planned(learnt.schema, None)
        files.check_plan(plan, learnt.schema, settled)
        new._state = State(learnt) if settled is None else State(learnt, plan, settled)
        return new

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def check_is_fitted(estimator: Classifier) -> None:
    """Refuse an estimator that has learnt nothing, as scikit-learn does; at once where it has."""
    if "_state" not in estimator.__dict__:
        validation.check_is_fitted(estimator)


def check_option(name: str, value: Any, known: tuple[str, str]) -> None:
    """Refuse a word that is not one of the two known."""
    if value not in known:
        raise ValueError(f"{name}={value!r} is not known; use {known[0]!r} or {known[1]!r}")
