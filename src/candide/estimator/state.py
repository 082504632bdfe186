"""State: what a fitted estimator is, and how one is made from rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np

from candide.distributions import Distribution
from candide.distributions.blocks import LeftOut
from candide.engines import Engine, Given, Memory
from candide.engines.sample import Sample
from candide.engines.waiting import together
from candide.model.model import Model
from candide.model.plan import Plan
from candide.model.settled import Settled
from candide.schema.axes import Classes
from candide.schema.schema import Schema
from candide.scoring.look_up import FEW, LookUp
from candide.statistics import Statistics
from candide.statistics.evidence import Evidence
from candide.statistics.learnt import Learnt
from candide.table.encode import library
from candide.table.few import few_rows
from candide.table.labels import code_labels, read_labels

SELDOM = 2
"""So many frames of a few rows are read as tables, before tables are made to look them up in."""


@dataclass(eq=False)
class Made:
    """What was made of what was learnt by a plan.

    Parameters
    ----------
    plan : Plan
    model : Model
    frames : int
        How many frames of a few rows were asked about.
    """

    plan: Plan
    model: Model
    frames: int = 0

    @cached_property
    def look_up(self) -> LookUp:
        """The model's tables, for a row at a time."""
        return LookUp(self.model)

    def few_rows(self, X: Any) -> list[dict[Any, Any]] | None:
        """Return the rows of a frame that is worth looking up cell by cell; None where another way is quicker."""
        if len(getattr(X, "shape", ())) != 2:  # a column, such as one of documents
            return None
        if self.frames < SELDOM:
            self.frames += library(X) is not None and X.shape[0] <= FEW
            return None
        return few_rows(X, self.model.names, FEW) if self.look_up.tells else None


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
    tuned : mapping of positions to Distribution, or None
        Rules whose numbers were settled on rows, which later rows leave as they are.

    Attributes
    ----------
    made : Made or None
        The model, once it was asked for. It belongs to this state: learning more makes another state.
    """

    def __init__(
        self,
        counted: Learnt,
        plan: Plan | None = None,
        settled: Settled | None = None,
        waiting: tuple[Given, ...] = (),
        tuned: Mapping[int, Distribution] | None = None,
    ) -> None:
        self.held = (counted, waiting)  # one attribute, so that no thread sees rows both counted and waiting
        self.plan = plan
        self.settled = settled
        self.tuned = tuned if tuned is not None else {} if settled is None else settled.tuned
        self.made: Made | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "held": (self.learnt, ())}

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

    def check_groups(self) -> None:
        """Refuse groups that have grown too large for a model."""
        if self.plan is not None and self.plan.groups:  # rows of groups do not wait
            self.plan.check_group_sizes(self.evidence)

    def make(self, plan: Plan) -> Made:
        """Make the model of a plan and keep it; what was settled under an equal one stays."""
        settled = self.settled if self.plan == plan else None
        self.made = made = Made(plan, plan.adopting(self.tuned).estimate(self.evidence, settled))
        return made


def tuned_state(learnt: Learnt, plan: Plan, sample: Sample) -> State:
    """Return the state of what was learnt, with what is settled on a sample of its rows."""
    schema, statistics = learnt.schema, learnt.statistics
    tuned: dict[int, Distribution] = {}
    for j in plan.tunable:
        bags, labels, weight = sample.documents(j)
        codes = code_labels(labels, schema.classes)
        tuned[j], more = plan.distributions[j].tune(Evidence(schema, statistics), j, bags, LeftOut(codes, weight))
        statistics = Statistics({**statistics.parts, **more})
    return State(Learnt(schema, statistics), plan, tuned=tuned)


def count(engine: Engine, source: Any, plan: Plan, known: Schema | None) -> Learnt:
    """Return what a source teaches under a plan."""
    return reduce(add, engine.learn(source, plan.request, known))


def declaring(learnt: Learnt, classes: Any) -> Learnt:
    """Return what was learnt with classes declared, where some are given."""
    return learnt if classes is None else learnt.with_classes(read_labels(classes, len(classes)).classes)


def declared(labels: Classes, classes: Any) -> bool:
    """Whether these are just the classes that were declared before."""
    return bool(labels.stays.all()) and np.array_equal(read_labels(classes, len(classes)).classes, labels.labels)
