"""Settling: what is no sum of rows is found on the first that are learnt, and again on later ones that tell more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.distributions import Distribution
from candide.distributions.blocks import LeftOut
from candide.engines import Given
from candide.engines.retained import MOST_RETAINED, Retained
from candide.engines.sample import MOST, Sample
from candide.estimator.state import GROWN, Made, State
from candide.model.plan import Plan
from candide.model.settled import OnRows
from candide.schema.rows import Rows
from candide.statistics import Statistics
from candide.statistics.evidence import Evidence
from candide.statistics.learnt import Learnt

ENOUGH = 100
"""Documents that settle numbers again at the least: those of fewer lie far off as often as near."""
ALIKE = 0.97
"""Σ_c √(p_c q_c) at the least, of the classes' shares among these and among all: a batch sorted by class tells none."""
THINNED = 0.5
"""Retained documents may be so many of those before: when they are too many, every second one is given up."""


def sample_for(plan: Plan) -> Sample | None:
    """Return what keeps the rows that something is settled on; None where nothing is."""
    return Sample(plan.tunable, plan.weighs_rows) if plan.tunable or plan.weighs_rows else None


def later_sample(plan: Plan, before: OnRows, learnt: Learnt, source: Any) -> Sample | None:
    """Return what keeps some of later rows; None where it is seen at once that they settle nothing again."""
    if not learnt.weight:  # all that was learnt was forgotten: these are the first
        return sample_for(plan)
    if not plan.tunable:
        return None
    if isinstance(source, Given):
        more = source.table.n_rows if source.weight is None else float(source.weight.sum(dtype=float))
        if not all(tells_more(before, j, more, learnt.weight + more) for j in plan.tunable):
            return None
    return sample_for(plan)


def sampled(source: Any, sample: Sample | None) -> Any:
    """Return a source whose rows are kept by a sample as they are counted."""
    if sample is None:
        return source
    if isinstance(source, Given):
        return sample.take(source)
    source.sample = sample
    sample.expect(source.n_rows)
    return source


def tells_more(before: OnRows, column: int, documents: float, learnt: float, share: float = 1.0) -> bool:
    """Whether documents of this weight, among all that are learnt with them, settle the numbers of a column better.

    They do where they are as many as those before, or this share of them, and half as many again are learnt as then.
    """
    on, then = before.rules[column].settled_on if column in before.rules else (0.0, 0.0)
    return documents >= max(ENOUGH, min(share * on, MOST)) and learnt >= GROWN * then


def outgrown(before: OnRows, learnt: Learnt, sample: Sample, share: float = 1.0) -> bool:
    """Whether documents that were learnt settle numbers better than those before: enough, of all classes alike."""
    counts = learnt.statistics["classes"].table
    for j in sample.columns:
        _, codes, weight = sample.documents(j, learnt.schema.classes)
        n = weight.sum()
        if len(codes) < ENOUGH or not tells_more(before, j, n, learnt.weight, share):
            return False
        shares = np.bincount(codes, weight, len(counts)) / n
        if np.sqrt(shares * counts / counts.sum()).sum() < ALIKE:
            return False
    return True


def retaining(
    plan: Plan, before: OnRows, retained: Retained | None, source: Any, sample: Sample | None
) -> Retained | None:
    """Return the documents that are retained with some of a batch; None where such numbers are settled on none of them.

    That is where nothing is, where rows are weighed that are not retained, and where more documents settled them.
    """
    if not plan.tunable or plan.weighs_rows:
        return None
    if any(rule.settled_on[0] > MOST_RETAINED for rule in before.rules.values()):
        return None
    if retained is None or retained.columns != tuple(plan.tunable):
        retained = Retained(tuple(plan.tunable))
    if isinstance(source, Given):
        return retained.taking(source)
    return retained if sample is None else retained.taking_sample(sample)


def later_state(learnt: Learnt, plan: Plan, before: OnRows, sample: Sample | None, retained: Retained | None) -> State:
    """Return the state of what was learnt, with numbers settled again where documents tell more than those before.

    These are the documents just learnt or, where they are as many, those that are retained of all batches.
    """
    share = 1.0
    if retained is not None and (sample is None or len(retained.rows) >= sample.seen):
        due = len(retained.rows) >= ENOUGH and learnt.weight >= GROWN * retained.tried
        sample = retained.sample(learnt.schema.classes) if due else None
        share = 1.0 if retained.stride == 1 else THINNED
    if sample is None:
        return State(learnt, plan, on_rows=before, retained=retained)
    again = outgrown(before, learnt, sample, share)
    state = tuned_state(learnt, plan, sample) if again else State(learnt, plan, on_rows=before)
    state.retained = None if retained is None else replace(retained, tried=learnt.weight)
    return state


def tuned_state(learnt: Learnt, plan: Plan, sample: Sample) -> State:
    """Return the state of what was learnt, with what is settled on a sample of its rows."""
    schema, statistics = learnt.schema, learnt.statistics
    rules: dict[int, Distribution] = {}
    for j in plan.tunable:
        bags, codes, weight = sample.documents(j, schema.classes)
        rules[j], more = plan.distributions[j].tune(Evidence(schema, statistics), j, bags, LeftOut(codes, weight))
        statistics = Statistics({**statistics.parts, **more})
    state = State(replace(learnt, statistics=statistics).with_exact_rows(), plan, on_rows=OnRows(rules))
    if plan.weighs_rows:
        assert plan.weights is not None
        model = state.estimate(plan)
        parts = sample.rows(schema.classes)
        y = np.concatenate([part.coded(schema.classes) for part in parts])
        rows = [Rows(part.table, schema) for part in parts if part.table is not None]
        weight = parts[0].weight if len(parts) == 1 else np.concatenate([part.weight for part in parts])
        weights = plan.weights.settle(model, rows, y, weight)
        weights = replace(weights, by=plan.weights)
        state = State(state.learnt, plan, model.settled, on_rows=OnRows(rules, weights))
        state.plain = Made(plan, model, state.learnt.schema)
    return state
