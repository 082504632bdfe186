"""Joining: how the columns of a group become one attribute, and which cannot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.distributions.base import Distribution, Rules
from candide.distributions.density import MomentDistribution
from candide.distributions.discrete import Discrete
from candide.distributions.group import GroupBlock
from candide.distributions.joint_table import JointTable
from candide.distributions.members import LARGEST_DOMAIN, LARGEST_KEY, GroupCoder, Member, member
from candide.distributions.within import Within
from candide.schema.column import Column
from candide.schema.domain import Domain
from candide.schema.order import object_array
from candide.schema.schema import Schema
from candide.smoothing.backoff import Backoff
from candide.statistics.evidence import Evidence, RefitError

Array = np.ndarray[Any, Any]


def estimate_group(evidence: Evidence, g: int, plans: Sequence[Distribution], rules: Rules) -> GroupBlock:
    """Return P(x_a, x_b, ... | c) of a group: softened joint counts, and a density within each combination.

    Parameters
    ----------
    evidence : Evidence
    g : int
        Which group of the schema.
    plans : sequence of Distribution
        One per column of the table.
    rules : Rules
    """
    schema, group = evidence.schema, evidence.schema.groups[g]
    members = tuple(member(evidence, j, plans[j], rules) for j in group if plans[j].discrete)
    name = group_name(schema, g)
    counts, *moments = evidence.joint(g)
    if [m.position for m in members] != schema.members(group):
        raise RefitError(f"a density joined or left the group {name!r} since fit, and joint counts need data: refit")
    combinations, place = join(schema.combinations[g].cells, members, name)
    coder = GroupCoder(members, combinations)
    inside = np.arange(len(combinations) + 1) < len(combinations)

    def joined(part: Any) -> Any:
        return part.move(1, place, len(inside)).take(1, inside)

    table = joined(counts).table
    domain = Joined(name, coder, evidence.classes)
    joint = Discrete.estimate(coder, domain, table, rules.smoothing, np.zeros(1, dtype=bool))
    if isinstance(rules.smoothing, Backoff):
        joint = JointTable.of(joint, tuple(m.block for m in members), coder.combinations, rules.smoothing.strength)
    within = None
    for rest in schema.densities(group):
        rule = plans[rest]
        assert isinstance(rule, MomentDistribution)
        # the moments of x, and those of log x where the density reads them
        x, log_x = (joined(m) if m is not None else None for m in moments)
        assert x is not None
        if rule.logs and log_x is None:
            raise evidence.refit(rest, "moments of log x")
        within = Within.estimate(rule, rest, x, log_x if rule.logs else None)
    return GroupBlock(joint, coder, within, group)


class Joined(Domain):
    """The domain of a group: its combinations, which are named when somebody asks.

    Parameters
    ----------
    name : str
    coder : GroupCoder
    classes : ndarray
    """

    coder: GroupCoder

    def __init__(self, name: str, coder: GroupCoder, classes: Array) -> None:
        self.__dict__.update(names=(name,), coder=coder, classes=classes)

    @cached_property
    def levels(self) -> tuple[Array, ...]:  # made once, and never set
        """The members' values of each combination."""
        values = self.coder.combinations
        named = [m.levels[values[:, i]].tolist() for i, m in enumerate(self.coder.members)]
        return (object_array([*zip(*named, strict=True)]),)

    @cached_property
    def sizes(self) -> Array:
        """The number of combinations."""
        return np.array([len(self.coder.combinations)], dtype=np.int64)


def join(cells: Array, members: Sequence[Member], name: str) -> tuple[Array, Array]:
    """Return the values (P, members) of the joined attribute, and the place among them of combinations of cells (M,).

    They are all combinations of declared domains and bins, or those seen together; a combination of cells of which one
    has no value stands behind the last.
    """
    sizes = [len(m.levels) for m in members]
    exhaustive = all(m.exhaustive for m in members)
    if exhaustive:
        check_product(sizes, name)
    of_cells = [m.value_of_cell for m in members]
    if prod(sizes) >= LARGEST_KEY:  # too many to be numbered
        values = np.column_stack([value[cells[:, i]] for i, value in enumerate(of_cells)])
        complete = (values >= 0).all(axis=1)
        place = np.full(len(cells), int(complete.sum()), dtype=np.int64)
        found, place[complete] = np.unique(values[complete], axis=0, return_inverse=True)
        return found, np.minimum(place, len(found))
    place = native.joint_places(
        np.ascontiguousarray(cells),
        np.concatenate(of_cells),
        offsets(map(len, of_cells)),
        np.array(sizes),
    )
    if exhaustive:
        numbers = np.arange(prod(sizes))
    else:
        numbers, place = ranked(place, prod(sizes))
    return np.stack(np.unravel_index(numbers, sizes), axis=-1), place


def ranked(places: Array, beyond: int) -> tuple[Array, Array]:
    """Return the different places below a number, ascending, and which of them each is: behind the last where none.

    Examples
    --------
    >>> ranked(np.array([0, 9, 4, 2]), 9)
    (array([0, 2, 4]), array([0, 3, 2, 1]))
    """
    inside = places < beyond
    found = places[inside]
    which = np.arange(len(found))
    if not (found[1:] > found[:-1]).all():  # combinations are in order, and so are their values, but for odd ones
        found, which = np.unique(found, return_inverse=True)
    out = np.full(len(places), len(found))
    out[inside] = which
    return found, out


def check_group_size(evidence: Evidence, g: int, plans: Sequence[Distribution], rules: Rules) -> None:
    """Refuse a group whose domains, all of them declared or of bins, have too many combinations."""
    schema = evidence.schema
    positions = schema.members(schema.groups[g])
    if not all(multiplied(schema.columns[j], plans[j]) for j in positions):
        return  # the values are the combinations seen
    chosen = [plans[j].settle(evidence, np.array([j]), discrete=True)[0].distribution for j in positions]
    members = [member(evidence, j, rule, rules) for j, rule in zip(positions, chosen, strict=True)]
    check_product([len(m.levels) for m in members], group_name(schema, g))


def multiplied(column: Column, rule: Distribution) -> bool:
    """Whether all values of a column are joined, and not only those seen: it is binned, or its domain is declared."""
    return rule.discrete and not column.blank and (column.closed or column.kind == rule.kind == "numbers")


def group_name(schema: Schema, g: int) -> str:
    """Return what the attribute of a group is called."""
    return " & ".join(str(schema.columns[j].name) for j in schema.groups[g])


def check_product(sizes: Sequence[int], name: str) -> None:
    """Refuse domains whose product is too large."""
    if prod(sizes) > LARGEST_DOMAIN:
        raise ValueError(
            f"the group {name!r} joins declared domains of {' × '.join(map(str, sizes))} = {prod(sizes):,} "
            f"combinations, more than {LARGEST_DOMAIN:,}: declare fewer levels (a categorical dtype declares all of "
            "its categories; text takes the levels seen), or join fewer columns"
        )
