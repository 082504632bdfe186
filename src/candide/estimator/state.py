"""State: what a fitted estimator is, and how one is made from rows."""

from __future__ import annotations

import warnings
from collections.abc import Sized
from dataclasses import dataclass, fields
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np

from candide.engines import Engine, Given, Memory
from candide.engines.retained import Retained
from candide.engines.waiting import together
from candide.model.model import Model
from candide.model.plan import Plan
from candide.model.settled import OnRows, Settled
from candide.model.weighing import weighted
from candide.model.weights import Weights
from candide.reading.kinds import one_kind_of_labels
from candide.schema.schema import Schema
from candide.scoring.answers import AnswerCells, answers
from candide.scoring.look_up import FEW, LookUp
from candide.statistics.evidence import Evidence, RefitError
from candide.statistics.learnt import Learnt
from candide.table.encode import library
from candide.table.few import few_rows

GROWN = 1.5
"""Rows that were learnt, as a multiple of those when something was settled, from which on they speak otherwise."""
SELDOM = 2
"""So many frames of a few rows are read as tables, before tables are made to look them up in."""


@dataclass(eq=False)
class Made:
    """What was made of what was learnt by a plan.

    Parameters
    ----------
    plan : Plan
    model : Model
    schema : Schema
    frames : int
        How many frames of a few rows were asked about.
    """

    plan: Plan
    model: Model
    schema: Schema
    frames: int = 0

    def __getstate__(self) -> dict[str, Any]:
        # what is made when it is asked for is made again: tables to look up in hold functions, which are not sent
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @cached_property
    def answers(self) -> dict[int, AnswerCells]:
        """What each column may turn out to hold, where it is not known."""
        return answers(self.model, self.schema)

    @cached_property
    def look_up(self) -> LookUp:
        """The model's tables, for a row at a time."""
        return LookUp(self.model, self.schema.reading)

    def few_rows(self, X: Any) -> list[dict[Any, Any]] | None:
        """Return the rows of a frame that is worth looking up cell by cell; None where another way is quicker."""
        if len(getattr(X, "shape", ())) != 2:  # a column, such as one of documents
            return None
        if self.frames < SELDOM:
            self.frames += library(X) is not None and getattr(X, "shape", (FEW + 1,))[0] <= FEW
            return None
        return few_rows(X, self.schema.given_names, FEW) if self.look_up.tells else None


class State:
    """What a fitted estimator is: swapped as a whole, so that a prediction sees it before or after a change.

    Parameters
    ----------
    counted : Learnt
    plan : Plan or None
        The plan by which it was learnt, or by which `settled` was chosen.
    settled : Settled or None
        What was chosen under that plan, where no model is made yet.
    waiting : tuple of Given
        Rows that were learnt and are counted when somebody asks; the plan says how.
    on_rows : OnRows or None
        What was settled on rows, which later rows leave as it is.
    retained : Retained or None
        Some of the documents that batches have taught, to settle numbers on when they are enough: in memory alone.

    Attributes
    ----------
    made : Made or None
        The model, once it was asked for. It belongs to this state: learning more makes another state.
    plain : Made or None
        The same before its evidence was weighed, where it was made for that.
    """

    def __init__(
        self,
        counted: Learnt,
        plan: Plan | None = None,
        settled: Settled | None = None,
        waiting: tuple[Given, ...] = (),
        on_rows: OnRows | None = None,
        retained: Retained | None = None,
    ) -> None:
        self.held = (counted, waiting)  # one attribute, so that no thread sees rows both counted and waiting
        self.plan = plan
        self.settled = settled
        if waiting or counted.weight:
            self.on_rows = on_rows if on_rows is not None else OnRows() if settled is None else settled.on_rows
        else:
            self.on_rows = OnRows()  # what was settled on rows goes with the last of them
        self.retained = retained
        self.plain: Made | None = None
        self.made: Made | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "held": (self.learnt, ()), "retained": None}

    @property
    def learnt(self) -> Learnt:
        """All that was learnt, counted."""
        counted, waiting = self.held
        if waiting:
            assert self.plan is not None
            counted = counted + count(Memory(), together(waiting), self.plan, counted.schema)
            self.held = (counted, ())
        return counted

    @property
    def evidence(self) -> Evidence:
        """The statistics read through their schema."""
        return Evidence(self.learnt.schema, self.learnt.statistics)

    def declaring(self, given: Any) -> State:
        """Return the state with classes declared, where some are given that are not just those declared before."""
        if given is None:
            return self
        if isinstance(given, str) or not isinstance(given, Sized):
            raise TypeError(f"classes={given!r:.60}: a list of all labels that may come")
        classes, labels = one_kind_of_labels(given, len(given)).classes, self.held[0].schema.labels
        if labels.stays.all() and np.array_equal(classes, labels.labels):
            return self
        return State(self.learnt.with_classes(classes), self.plan, on_rows=self.on_rows, retained=self.retained)

    def check_groups(self) -> None:
        """Refuse groups that have grown too large for a model."""
        if self.plan is not None and self.plan.groups:  # rows of groups do not wait
            self.plan.check_group_sizes(self.evidence)

    def make(self, plan: Plan) -> Made:
        """Make the model of a plan and keep it; what was settled under an equal one stays."""
        plain = self.plain.model if self.plain is not None and self.plain.plan == plan else self.estimate(plan)
        model = plain if plan.weights is None else weighted(plain, self.weights(plan, plain))
        self.made = made = Made(plan, model, self.learnt.schema)
        return made

    def estimate(self, plan: Plan) -> Model:
        """Return the model of a plan, every column's evidence counting once."""
        settled = self.settled if self.plan == plan else None
        return plan.adopting(self.on_rows.rules).estimate(self.evidence, settled)

    def weights(self, plan: Plan, model: Model) -> Weights:
        """Return the weights of a model's evidence: as they were given, or as they were settled on rows."""
        assert plan.weights is not None
        if not plan.weights.on_rows:
            return plan.weights.weigh(model)
        found = self.on_rows.weights
        if found is None or found.by != plan.weights:
            raise RefitError(
                f"weights={plan.weights!r} are settled on rows, which this model has not kept: call tune(X, y) with "
                "rows that it has learnt, or refit; weights=None needs none"
            )
        learnt = float(np.sum(model.prior.counts))
        if learnt > GROWN * found.learnt:
            warnings.warn(
                f"the weights were settled when {found.learnt:,.10g} rows were learnt, and now it is {learnt:,.10g}: "
                "tune(X, y) settles them again",
                UserWarning,
                stacklevel=2,
            )
        return found


def count(engine: Engine, source: Any, plan: Plan, known: Schema | None) -> Learnt:
    """Return what a source teaches under a plan."""
    return reduce(add, engine.learn(source, plan.request, known))
