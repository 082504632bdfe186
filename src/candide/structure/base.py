"""What the structures share: columns as the schema counts them, cuts that are settled once, and the parents found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

from candide.combination import as_combination
from candide.engines import Batched, Engine
from candide.estimator.classifier import Classifier
from candide.estimator.learner import check_option
from candide.model.plan import Plan, check_weighed, make_plan
from candide.schema.column import Kind
from candide.schema.schema import Schema
from candide.smoothing import as_smoothing
from candide.statistics.evidence import Evidence, RefitError
from candide.structure.plan import StructurePlan, on_cuts
from candide.tuning import as_weighing


class Structure(Classifier):
    """A classifier whose attributes depend on each other. A subclass has parameters and `_structured`."""

    distributions: Any = "auto"
    smoothing: Any = "laplace"
    prior: Any = None
    combination: Any = "product"
    missing: str = "ignore"
    weights: Any = None

    def _structured(self, plan: Plan) -> StructurePlan:
        """Return the plan of a structure over the columns of a plan."""
        raise NotImplementedError

    def _plan(
        self, names: Sequence[str | int], kinds: Sequence[Kind], known: Schema | None, target: str | None, asked: Any
    ) -> StructurePlan:
        check_option("missing", self.missing, ("ignore", "level"))
        check_option("unseen", self.unseen, ("ignore", "error"))
        plan = make_plan(
            names,
            ["symbols" if kind == "bags" else kind for kind in kinds],  # free text has levels here, as any text
            distributions=self.distributions,
            groups=None,
            smoothing=as_smoothing(self.smoothing),
            combination=as_combination(self.combination),
            prior=self.prior,
            missing=self.missing,
            given=on_cuts(self.schema),
            known=known,
            target=target or (None if known is None else known.target),  # rows may come later with labels apart
            asked=asked,
        )
        weights = as_weighing(self.weights)
        check_weighed(weights, plan.combination)
        # columns are cut as the structure wants them, whether they are weighed or not
        return self._structured(replace(plan, weights=weights))

    def _adopted(self) -> Schema | None:
        return on_cuts(self.schema)

    def _open(self, X: Any, y: Any, sample_weight: Any, known: Schema | None, **how: Any) -> tuple[Engine, Any, Plan]:
        """Return a source and the plan to learn it by; columns of numbers without cuts are read for them first."""
        if known is not None:
            self._check_distributions()
        engine, source, found = super()._open(X, y, sample_weight, known, **how)
        assert isinstance(found, StructurePlan)
        if not found.uncut:
            return engine, source, found
        if isinstance(source, Batched) and not source.source.repeatable:
            name = found.names[found.uncut[0]]
            raise ValueError(
                f"column {name!r} holds numbers, which are cut by their values before they are counted together, and "
                f"{source.source.name} can be read only once: give the cuts, by distributions= or schema=, or a source "
                "that can be read again"
            )
        learnt = reduce(add, engine.learn(source, found.values_request, known))
        found = found.cut(Evidence(learnt.schema, learnt.statistics))
        if isinstance(source, Batched):
            engine, source, _ = super()._open(X, y, sample_weight, known, **{**how, "plan": found})
        return engine, source, found

    def _check_distributions(self) -> None:
        """Refuse other distributions than those by which the cuts were settled."""
        at = self.PLANNED.index("distributions")
        plan = self._state.plan
        if plan is not None and plan.asked[at] != self._asked()[at]:
            raise RefitError(
                "distributions changed since fit, and columns are counted together on cuts made then: refit"
            )

    def _planned(self, schema: Schema, plan: Plan | None) -> Plan:
        if self.__sklearn_is_fitted__() and plan is not None:
            self._check_distributions()
        return super()._planned(schema, plan)
