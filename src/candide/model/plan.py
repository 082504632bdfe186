"""The plan: what the user's words mean for these columns, decided once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from candide.combination import Combination, Product
from candide.distributions import Categorical, Distribution, Rules, Text, as_distribution
from candide.distributions.automatic import Automatic
from candide.distributions.joining import check_group_size
from candide.frozen import frozen
from candide.messages import unknown
from candide.model.estimate import estimate
from candide.model.grouping import check_groups, group_positions
from candide.model.model import Model
from candide.model.settled import Settled
from candide.model.weights import Weighing
from candide.schema.column import Column, Kind
from candide.schema.lattice import Grid
from candide.schema.schema import Schema
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence, RefitError, UnservedError
from candide.statistics.request import Request, Wanted

AUTOMATIC = "auto"

AUTOMATIC_RULES: dict[Kind, type[Distribution]] = {"symbols": Categorical, "numbers": Automatic, "bags": Text}
"""What a column gets when nothing is said of it."""


@frozen
class Plan:
    """What is to be learnt of each column, and how a model is estimated from it.

    Two plans are equal when the same was asked for the same columns; equality is what a model is kept by.

    Parameters
    ----------
    names : tuple
        The columns.
    kinds : tuple of "symbols" or "numbers"
        How the cells of each column are read: as its distribution reads them, whatever they were given as.
    distributions : tuple of Distribution
        One per column.
    groups : tuple of tuple of int
    smoothing : Smoothing
    combination : Combination
    prior : None, "uniform", sequence or mapping
    missing : "ignore" or "level"
    known : Schema or None
        What was learnt before, or is given: its forms of columns are kept on while they serve.
    target : str or None
    asked : hashable
        The parameters that the plan was made from.
    weights : Weighing or None
        How much the evidence of each column counts; None: once.
    """

    names: tuple[str | int, ...]
    kinds: tuple[Kind, ...]
    distributions: tuple[Distribution, ...]
    groups: tuple[tuple[int, ...], ...]
    smoothing: Smoothing
    combination: Combination
    prior: Any
    missing: Any
    known: Schema | None
    target: str | None
    asked: Any
    weights: Weighing | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and (self.asked, self.names, self.kinds) == (
            other.asked,
            other.names,
            other.kinds,
        )

    def __hash__(self) -> int:
        return hash((self.asked, self.names))

    def continues(self, names: Sequence[str | int], kinds: Sequence[Kind], target: str | None, asked: Any) -> bool:
        """Whether more rows of these columns are learnt as this plan says, since all their forms are known."""
        if self.known is None or self.known.has_blank or (self.asked, self.target) != (asked, target):
            return False
        return self.names == tuple(names) and self.kinds == tuple(kinds)

    @cached_property
    def request(self) -> Request:
        """What an engine is asked for."""
        columns = [None] * len(self.names) if self.known is None else list(self.known.columns)
        wanted = tuple(want(rule, column) for rule, column in zip(self.distributions, columns, strict=True))
        return Request(wanted, self.groups, self.target)

    @property
    def tunable(self) -> list[int]:
        """The columns that have numbers to be settled on rows."""
        return [j for j, rule in enumerate(self.distributions) if rule.tunable]

    @property
    def weighs_rows(self) -> bool:
        """Whether the weights of columns are settled on rows."""
        return self.weights is not None and self.weights.on_rows

    def adopting(self, tuned: Mapping[int, Distribution]) -> Plan:
        """Return the plan with numbers that were settled on rows before, by column, where its rules ask for some."""
        if not tuned:
            return self
        rules = (rule.adopt(tuned[j]) if j in tuned else rule for j, rule in enumerate(self.distributions))
        return replace(self, distributions=tuple(rules))

    def check_settled(self, settled: Settled) -> None:
        """Refuse what cannot have been settled under this plan."""

    def estimate(self, evidence: Evidence, settled: Settled | None = None) -> Model:
        """Return the model of this plan: what was settled from the same evidence before is taken as it is."""
        if not len(evidence.classes):
            raise UnservedError("the model has forgotten every row: teach it again with partial_fit or candide update")
        if self.groups != evidence.schema.groups:
            raise RefitError("groups changed since fit, and joint counts are made from data: refit")
        rules = Rules(self.smoothing, self.missing)
        return estimate(evidence, self.distributions, rules, self.prior, self.combination.discrete, settled)

    def check_group_sizes(self, evidence: Evidence) -> None:
        """Refuse groups whose values are more than are kept, before rows are learnt that no model can be made of."""
        rules = Rules(self.smoothing, self.missing)
        for g in range(len(evidence.schema.groups)) if len(evidence.classes) else ():
            check_group_size(evidence, g, self.distributions, rules)


def make_plan(
    names: Sequence[str | int],
    kinds: Sequence[Kind],
    *,
    distributions: Any,
    groups: Any,
    smoothing: Smoothing,
    combination: Combination,
    prior: Any,
    missing: Any,
    given: Schema | None,
    known: Schema | None,
    target: str | None,
    asked: Any,
    weights: Weighing | None = None,
) -> Plan:
    """Decide what the parameters mean for columns of these names and kinds, and refuse what does not fit.

    Parameters
    ----------
    names, kinds : sequences
        The columns.
    distributions, groups, smoothing, combination, prior, missing
        The user's rules.
    given : Schema or None
        Another model's schema, whose choices columns take over.
    known : Schema or None
        What was learnt before.
    target : str or None
    asked : hashable
        The parameters as they were.
    weights : Weighing or None
    """
    check_weighed(weights, combination)
    chosen = AUTOMATIC_RULES if weights is None else {**AUTOMATIC_RULES, **weights.automatic}
    if given is not None and not isinstance(given, Schema):
        raise TypeError(f"schema takes another model's schema_, not {given!r:.60}")
    rules = assign_distributions(distributions, names, kinds, given, chosen)
    if known is not None:
        check_served(rules, known)
    if combination.discrete:
        check_discrete(rules, names, combination.name)
    positions = group_positions(groups, names)
    check_groups(positions, names, rules)
    kept = known if known is not None else given
    return Plan(
        tuple(names),
        tuple(rule.kind for rule in rules),
        tuple(rules),
        positions,
        smoothing,
        combination,
        prior,
        missing,
        kept,
        target,
        asked,
        weights,
    )


def check_weighed(weights: Weighing | None, combination: Combination) -> None:
    """Refuse weights of evidence that is not multiplied."""
    if weights is not None and not isinstance(combination, Product):
        raise ValueError(f"weights are of a product of evidence: combination={combination.name!r} takes weights=None")


def want(rule: Distribution, known: Column | None) -> Wanted:
    """Return what is wanted of a column; a form that it has so far is kept on while it serves."""
    levels = None if rule.levels is None else tuple(rule.levels)
    if known is not None and not known.blank and known.serves(rule.kind, rule.needs):
        grid = known.axis if isinstance(known.axis, Grid) else None
        return Wanted(known.kind, known.keeps, rule.support, rule.name, levels, grid, rule.analysis)
    return Wanted(rule.kind, rule.needs, rule.support, rule.name, levels, analyzer=rule.analysis)


def assign_distributions(
    distributions: Any,
    names: Sequence[str | int],
    kinds: Sequence[Kind],
    given: Schema | None,
    automatic: Mapping[Kind, type[Distribution]] | None = None,
) -> list[Distribution]:
    """Return the distribution of each column.

    Parameters
    ----------
    distributions : "auto", a name, a Distribution, or {column: name or Distribution}
        Columns not named stay automatic. A numeric distribution given for all applies to the numeric columns.
    names, kinds : sequences
    given : Schema or None
        A schema whose choices (cut points) numeric columns take over, unless another distribution is asked for.
    automatic : mapping of kind to class of Distribution, or None
        What a column gets when nothing is said of it.
    """
    chosen = {kind: rule() for kind, rule in (AUTOMATIC_RULES if automatic is None else automatic).items()}
    if isinstance(distributions, Mapping):
        place = {name: j for j, name in enumerate(names)}
        asked = {
            column_named(key, place, "distributions"): as_distribution(value)
            for key, value in distributions.items()
            if not (isinstance(value, str) and value == AUTOMATIC)
        }
        rules = [asked.get(j) or chosen[kind] for j, kind in enumerate(kinds)]
    elif distributions is None or (isinstance(distributions, str) and distributions == AUTOMATIC):
        rules = [chosen[kind] for kind in kinds]
    else:
        rule = as_distribution(distributions)
        rules = [chosen[kind] if kind != "numbers" and rule.kind == "numbers" else rule for kind in kinds]
    if given is not None and given.choices:
        given.check_names(names)
        rules = [
            choice
            if rule is chosen["numbers"]
            or isinstance(rule, Automatic)
            or (type(rule) is type(choice) and rule.kind == "numbers")
            else rule
            for rule, choice in zip(rules, given.choices, strict=True)
        ]
    return rules


def column_named(key: Any, place: Mapping[str | int, int], parameter: str) -> int:
    """Return the position of a column the user named, from those of all columns."""
    if key in place:
        return place[key]
    raise ValueError(f"{parameter}: {unknown('column', key, list(place))}")


def check_served(rules: Sequence[Distribution], known: Schema) -> None:
    """Refuse a distribution that what is kept of a column so far does not serve."""
    for rule, column in zip(rules, known.columns, strict=True):
        if not column.blank and not column.serves(rule.kind, rule.needs):
            raise ValueError(
                f"column {column.name!r} was kept as {column.counted_as}, and {rule!r} needs {'+'.join(rule.needs)}: "
                "refit, or keep the distributions of the first batch"
            )


def check_discrete(rules: Sequence[Distribution], names: Sequence[str | int], combination: str) -> None:
    """Refuse densities under a combination that speaks of discrete attributes only."""
    for rule, name in zip(rules, names, strict=True):
        if not rule.discrete:
            instead = (
                "leave it out, or take each text for a level ('categorical')" if rule.kind == "bags" else "use bins"
            )
            raise ValueError(
                f"combination={combination!r} speaks of discrete attributes: column {name!r} cannot have the "
                f"distribution {rule!r}; {instead}"
            )
