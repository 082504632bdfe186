"""The plan of a structure: every column is discrete, numbers by cuts that are settled once and frozen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.discretizers import Cuts
from candide.distributions import Bins, Block, Categorical, Distribution, Rules
from candide.distributions.automatic import Automatic
from candide.distributions.base import Choice
from candide.distributions.discrete import Discrete
from candide.frozen import frozen
from candide.model.model import Model
from candide.model.plan import Plan
from candide.model.prior import make_prior
from candide.model.settled import Settled
from candide.schema.lattice import Grid, Lattice
from candide.schema.schema import Schema
from candide.smoothing import Laplace
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence, RefitError
from candide.statistics.request import Request, Wanted
from candide.structure.attributes import plain_tables
from candide.structure.graph import Parents

Array = np.ndarray[Any, Any]


@frozen
class StructurePlan(Plan):
    """A plan whose columns are counted together.

    Parameters
    ----------
    together : int
        How many columns are counted together in all tuples of so many.
    taken : mapping or None
        The parents of each column as a given schema has them; None where they are sought.
    """

    together: int = 1
    taken: Parents | None = None

    @classmethod
    def of(cls, plan: Plan, **more: Any) -> StructurePlan:
        """Return a plan of columns as that of a structure; a column that cannot be counted in cells is refused."""
        for name, rule in zip(plan.names, plan.distributions, strict=True):
            if not (isinstance(rule, (Categorical, Automatic)) or (isinstance(rule, Bins) and not rule.ordinal)):
                raise ValueError(
                    f"columns are counted together in cells: column {name!r} cannot have the distribution {rule!r}; "
                    "use 'categorical', or bins such as 'equal-frequency(5)'"
                )
        settled = None if plan.known is None else plan.known.settled
        own = {field.name: getattr(plan, field.name) for field in fields(Plan)}
        return cls(**{**own, "taken": None if settled is None else settled.parents, **more})

    # -- learning ----------------------------------------------------------------------------------------------------

    @cached_property
    def request(self) -> Request:
        """What an engine is asked for: numbers on the intervals of their cuts, and columns together."""
        columns = tuple(map(on_grid, super().request.columns, self.distributions))
        return Request(columns, self.groups, self.target, self.together)

    @property
    def uncut(self) -> list[int]:
        """The columns of numbers whose cuts are not settled yet."""
        return [j for j, want in enumerate(self.request.columns) if want.kind == "numbers" and want.grid is None]

    @property
    def values_request(self) -> Request:
        """What an engine is asked for so that the cuts can be settled: the values of columns, each alone."""
        return Request(self.request.columns, (), self.target)

    def cut(self, evidence: Evidence) -> StructurePlan:
        """Return the plan with cuts settled from the values of columns; one of which nothing is known stays uncut."""
        rules = list(self.distributions)
        for j in self.uncut:
            if evidence.values(j)[1].any():
                chosen = rules[j].settle(evidence, np.array([j]), discrete=True)[0].distribution
                block = chosen.estimate(evidence, np.array([j]), Rules(Laplace()))
                rules[j] = chosen.fixed(block.bare, j)
        return replace(self, distributions=tuple(rules))

    # -- estimating --------------------------------------------------------------------------------------------------

    def estimate(self, evidence: Evidence, settled: Settled | None = None) -> Model:
        """Return the model of this plan: what was settled from the same evidence before is taken as it is."""
        schema = evidence.schema
        if not len(evidence.classes):
            raise ValueError("the model has forgotten every row: teach it again with partial_fit or candide update")
        if self.groups != schema.groups or self.together != schema.together:
            raise RefitError("other columns are counted together than since fit, which needs data: refit")
        smoothing = self.rule if settled is None else self.used(settled.smoothing)
        plain = plain_tables(evidence, Rules(smoothing, self.missing))
        if settled is None:
            smoothing = smoothing.settle(plain.domain, plain.counts, evidence.class_counts)
            smoothing, parents = self.choose(evidence, replace(plain, smoothing=smoothing))
            settled = Settled(*columns_settled(schema), self.named(smoothing), parents)
            if smoothing != self.rule:
                plain = plain_tables(evidence, Rules(smoothing, self.missing))
        block = self.block(evidence, plain, settled)
        prior = make_prior(self.prior, schema.classes, evidence.class_counts, smoothing.class_pseudo(plain.domain))
        return Model(schema.classes, prior, (block,), tuple(schema.names), settled)

    @property
    def rule(self) -> Smoothing:
        """The smoothing rule as this structure uses it."""
        return self.used(self.smoothing)

    def used(self, smoothing: Smoothing) -> Smoothing:
        """Return the rule that this structure uses where another is asked for."""
        return smoothing

    def named(self, smoothing: Smoothing) -> Smoothing:
        """Return the rule that was asked for, with what was chosen of it."""
        return self.smoothing if smoothing == self.rule else smoothing

    def choose(self, evidence: Evidence, plain: Discrete) -> tuple[Smoothing, Parents | None]:
        """Return the smoothing rule and the parents of the columns, chosen from the counts."""
        raise NotImplementedError

    def block(self, evidence: Evidence, plain: Discrete, settled: Settled) -> Block:
        """Return the parameters, from P(x_i | c) and what was chosen."""
        raise NotImplementedError


def on_grid(want: Wanted, rule: Distribution) -> Wanted:
    """Return what is wanted of a column, on the grid of its cuts where these are given."""
    given = want.kind == "numbers" and want.grid is None and isinstance(rule, Bins)
    return replace(want, grid=Grid(rule.given)) if given and rule.given is not None else want  # type: ignore[attr-defined]


def on_cuts(schema: Schema | None) -> Schema | None:
    """Return a schema whose columns of numbers are counted on the intervals of the cuts that were settled for them."""
    if schema is None or not schema.choices:
        return schema
    columns = tuple(
        replace(column, axis=Grid(rule.given))
        if isinstance(column.axis, Lattice) and isinstance(rule, Bins) and rule.given is not None
        else column
        for column, rule in zip(schema.columns, schema.choices, strict=True)
    )
    return replace(schema, columns=columns)


def columns_settled(schema: Schema) -> tuple[tuple[Choice, ...], tuple[Distribution, ...]]:
    """Return the distribution of each column as the schema counts it: the levels, or bins between the edges."""
    rules: list[Distribution] = []
    for column in schema.columns:
        if isinstance(column.axis, Grid):
            rules.append(Bins(Cuts(column.axis.edges.tolist())))
        elif column.kind == "symbols":
            rules.append(Categorical())
        else:
            rules.append(Bins(Cuts([])))
    return tuple(Choice(rule.name, rule, {}) for rule in rules), tuple(rules)


def named_parents(parents: Sequence[int | None], names: Sequence[Any]) -> Parents:
    """Return the parents of each column by name."""
    return {name: () if p is None else (names[p],) for name, p in zip(names, parents, strict=True)}
