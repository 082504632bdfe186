"""Learner: an estimator that counts rows, settles what is no sum of them, and makes a model of what it has learnt."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from candide.distributions.pair_tables import PairTables
from candide.engines import Batched, Engine, Given
from candide.engines.waiting import kept_apart, may_wait
from candide.estimator import contract
from candide.estimator.given import declared_reading, open_given
from candide.estimator.learnt_from import names_in, naming, told_tables
from candide.estimator.settling import (
    later_sample,
    later_state,
    retaining,
    sample_for,
    sampled,
    tuned_state,
)
from candide.estimator.state import Made, State, count
from candide.messages import few_of, not_known
from candide.model.model import Model
from candide.model.plan import Plan
from candide.model.weights import Weights
from candide.rules import PLAIN, freeze
from candide.schema.alignment import known_kinds, own_kinds
from candide.schema.column import Kind
from candide.schema.schema import Schema
from candide.scoring.decision import cost_matrix
from candide.sources.base import files_of
from candide.statistics import Statistics
from candide.statistics.constants import told_reading
from candide.statistics.learnt import Learnt
from candide.writing import check_apart

Array = np.ndarray[Any, Any]


class Learner:
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
    privacy_ : dict or None
        What is promised to the rows of a model that `privatize` made.
    """

    PLANNED: ClassVar[tuple[str, ...]] = ()
    """The parameters that a plan is made from."""
    SETTLING: ClassVar[str] = "weights='tuned' has"
    """Which parameter has something to be settled on rows, as a message says it."""

    costs: Any = None
    unseen: str = "ignore"
    schema: Schema | None = None
    reading: Any = "auto"
    strict: bool = True
    told_: Mapping[str, Any] = MappingProxyType({})
    """What a model file says of its making besides the library, the day and the rows: its tables, an evaluation."""
    _files: frozenset[str] = frozenset()
    """The files that rows were read from, which nothing that is made of the model is written over."""

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

        Where something is settled on rows, some of them are kept until it is; of a frame of Spark, up to 100,000 are
        drawn of its partitions and sent to the driver.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of dicts (rows, columns), or a source: a path, an Arrow reader ...
        y : labels (rows,), or the name of X's target column
        sample_weight : weights (rows,) or None
        """
        state = self._first(X, y, sample_weight)
        if self.costs is not None:
            cost_matrix(self.costs, state.learnt.schema.classes)  # wrong ones are refused before they decide
        assert state.plan is not None
        state.make(self._planned(state.learnt.schema, state.plan))
        self._state, self.told_ = state, naming(names_in(X))
        return self

    def _first(self, X: Any, y: Any, sample_weight: Any, retain: bool = False) -> State:
        """Return the state of rows that are the first to be learnt: what is settled on rows is settled on them."""
        engine, source, plan = self._open(X, y, sample_weight, None)
        sample = sample_for(plan)
        learnt = count(engine, sampled(source, sample), plan, None)
        adopted = self._adopted()
        if adopted is not None:
            learnt = learnt.adopting(adopted)
        if sample is None:
            return State(learnt, plan)
        state = tuned_state(learnt, plan, sample)
        state.retained = retaining(plan, state.on_rows, None, source, sample) if retain else None
        return state

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
            raise ValueError(f"{type(self).__name__} has nothing to be settled on rows; {self.SETTLING}")
        source = sampled(source, sample)
        for _ in () if isinstance(source, Given) else source:  # the sample takes its share as they go by
            pass
        classes = before.schema.classes
        if not any(part.settling(classes).any() for part in sample.parts):
            raise ValueError(
                f"there are no rows to settle on of the classes that were learnt: {few_of(classes.tolist())}"
            )
        for j in plan.tunable:
            if not any((part.settling(classes) & ~part.bags[j].missing).any() for part in sample.parts):
                raise ValueError(f"column {before.schema.names[j]!r} has no documents to settle on: all are missing")
        self._state = tuned_state(before, plan, sample)
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows; new classes and levels may appear in any batch. A failure changes nothing.

        Numbers that were settled on documents are settled again on those of a batch, or of all batches, that tell more:
        a hundred documents, and as many as they were settled on, with the classes in about the shares of all, once half
        as many again are learnt. For that up to 8,000 short documents are retained in memory; no file has them. Weights
        of columns stay until `tune`.

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
            state, names = self._first(X, y, sample_weight, retain=True), names_in(X)
        else:
            state, names = self._later(X, y, sample_weight)
        state = state.declaring(classes)
        state.check_groups()
        self._state = state
        if names or "evaluation" in self.told_:
            self.told_ = naming([*told_tables(self.told_), *names])
        return self

    def _later(self, X: Any, y: Any, sample_weight: Any) -> tuple[State, list[str]]:
        """Return the state with rows that are learnt after others, and the tables that X names as their source."""
        (counted, waiting), settled = self._state.held, self._state.on_rows
        engine, source, plan = self._open(X, y, sample_weight, counted.schema, plan=self._state.plan)
        names = names_in(X) if isinstance(source, Batched) else []
        empty = not waiting and not counted.weight  # all was forgotten: these rows are the first
        if not empty and isinstance(source, Given) and may_wait(source, plan.request, counted.schema, waiting):
            return State(counted, plan, waiting=(*waiting, kept_apart(source)), on_rows=settled), names
        before = self._state.learnt
        sample = later_sample(plan, settled, before, source)
        learnt = before + count(engine, sampled(source, sample), plan, before.schema)
        retained = retaining(plan, settled, self._state.retained, source, sample)
        if sample is None or not empty:
            return later_state(learnt, plan, settled, sample, retained), names
        state = tuned_state(learnt, plan, sample)
        state.retained = retained
        return state, names

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Unlearn rows learnt before, exactly: counts and sums are as if they had never been seen.

        What was settled on rows (`weights="tuned"`, the numbers of documents) is no sum: it stays until `tune` settles
        it on rows that are left, and goes when no row is left.
        """
        check_is_fitted(self)
        before = self._state.learnt
        engine, source, plan = self._open(X, y, sample_weight, before.schema, forgetting=True)
        learnt, retained = before - count(engine, source, plan, before.schema), self._state.retained
        if retained is not None:
            retained = retained.without(source) if isinstance(source, Given) else None
        self._state = State(learnt, plan, on_rows=self._state.on_rows, retained=retained)
        self.told_ = naming(told_tables(self.told_))
        return self

    @property
    def _inputs(self) -> tuple[str, ...]:
        """The tables that the model was learnt from, as far as it knows them."""
        from candide.sources.paths import named_files

        return (*self._files, *(file for name in told_tables(self.told_) for file in named_files(name)))

    def _check_apart(self, path: str | os.PathLike[str]) -> None:
        """Refuse to write over a table that the model was learnt from."""
        check_apart(path, self._inputs, "the model")

    def _adopted(self) -> Schema | None:
        """Return the schema that was given, as what is learnt is kept under it."""
        return self.schema

    def _open(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        known: Schema | None,
        *,
        plan: Plan | None = None,
        forgetting: bool = False,
    ) -> tuple[Engine, Any, Plan]:
        """Return what was given as an engine's source, and the plan to learn it by: the one given, where it serves."""
        X, y = self._given(X, y, learning=True)
        engine, source, target = open_given(X, y, sample_weight, known, type(self).__name__, self._reads(), forgetting)
        if isinstance(source, Batched):
            self._files |= frozenset(files_of(X))
        names, kinds = engine.columns(source)
        asked, kinds = self._asked(), tuple(known_kinds(kinds, known))
        if plan is None or not plan.continues(names, kinds, target, asked):
            plan = self._plan(names, own_kinds(kinds, known), known, target, asked)
        return engine, source, plan

    def _reads(self) -> Any:
        """Return how columns are read where nothing was learnt before: those declared to be categories are not."""
        if isinstance(self.schema, Schema) and self.schema.reading.columns:
            return replace(self.schema.reading, constants={})
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
    def privacy_(self) -> dict[str, Any] | None:
        """What is promised to the rows of a private model, and what it has cost; None where counts are exact."""
        guarantee = self.learnt_.guarantee
        return None if guarantee is None else guarantee.told()

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
        reading = told_reading(state.learnt, self.reading)
        return replace(evidence.schema, columns=columns, settled=made.model.settled, reading=reading)

    def _asked(self) -> Any:
        values = [getattr(self, name) for name in self.PLANNED]
        return tuple([value if value is None or type(value) in PLAIN else freeze(value) for value in values])

    def _planned(self, schema: Schema, plan: Plan | None) -> Plan:
        """Return the plan of the present parameters for what was learnt: the one given, where it is that."""
        asked = self._asked()
        kinds = tuple(column.kind for column in schema.columns)
        if plan is not None and plan.asked == asked and plan.kinds == kinds:
            return plan
        return self._plan(schema.names, own_kinds(kinds, schema), None, schema.target, asked)

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


def check_is_fitted(estimator: Learner) -> None:
    """Refuse an estimator that has learnt nothing, as scikit-learn does; at once where it has."""
    if "_state" not in estimator.__dict__:
        contract.check_is_fitted(estimator)


def check_option(name: str, value: Any, known: tuple[str, str]) -> None:
    """Refuse a word that is not one of the two known."""
    if value not in known:
        raise ValueError(not_known(name, value, known))
