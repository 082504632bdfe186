"""Estimating: from evidence and a plan to what is settled, and from both to a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.distributions import Block, Distribution, Rules
from candide.distributions.base import REAL, Choice
from candide.distributions.joining import estimate_group
from candide.model.model import Model
from candide.model.prior import make_prior
from candide.model.settled import Settled
from candide.schema.column import Column
from candide.schema.domain import Union
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence, UnservedError

Array = np.ndarray[Any, Any]


def estimate(
    evidence: Evidence,
    distributions: Sequence[Distribution],
    rules: Rules,
    prior: Any = None,
    discrete: bool = False,
    settled: Settled | None = None,
) -> Model:
    """Estimate a model from statistics and rules.

    Parameters
    ----------
    evidence : Evidence
    distributions : sequence of Distribution
        One per column.
    rules : Rules
        Smoothing and the meaning of a missing cell.
    prior : None, "uniform", sequence or mapping
    discrete : bool
        Whether an automatic choice must be discrete.
    settled : Settled or None
        What was settled from this very evidence before; None settles it now.
    """
    schema = evidence.schema
    grouped = {j for group in schema.groups for j in group}
    if settled is None:
        choices = settle(evidence, distributions, grouped, discrete)
        chosen = [choice.distribution for choice in choices]
    else:
        choices, chosen = settled.choices, [rule.taken() for rule in settled.distributions]
        rules = Rules(settled.smoothing, rules.missing)
    blocks, fixed = make_blocks(evidence, chosen, grouped, rules)
    smoothing = settle_smoothing(rules.smoothing, blocks, evidence)
    if smoothing is not rules.smoothing:
        blocks, fixed = make_blocks(evidence, chosen, grouped, Rules(smoothing, rules.missing))
    domain = Union([table.domain for block in blocks for table in block.tables], schema.classes)
    made = make_prior(prior, schema.classes, evidence.class_counts, smoothing.class_pseudo(domain))
    settled = settled or Settled(choices, tuple(fixed), smoothing)
    return Model(schema.classes, made, tuple(blocks), tuple(schema.names), settled)


def settle(
    evidence: Evidence, distributions: Sequence[Distribution], grouped: set[int], discrete: bool
) -> tuple[Choice, ...]:
    """Return what is chosen for each column, columns of one rule together."""
    choices: list[Choice | None] = [None] * len(distributions)
    same = len({id(rule) for rule in distributions}) == 1  # most often one rule serves all
    keys = {id(rule): None if same else rule.key() for rule in distributions}
    together: dict[Any, list[int]] = {}
    for j, rule in enumerate(distributions):
        together.setdefault((keys[id(rule)], discrete or j in grouped), []).append(j)
    for (_, must), positions in together.items():
        found = distributions[positions[0]].settle(evidence, np.array(positions), must)
        for j, choice in zip(positions, found, strict=True):
            choices[j] = choice
    return tuple(choice for choice in choices if choice is not None)


def make_blocks(
    evidence: Evidence, chosen: Sequence[Distribution], grouped: set[int], rules: Rules
) -> tuple[list[Block], list[Distribution]]:
    """Estimate every block of columns; return the blocks and each column's distribution with its cut points."""
    blocks: list[Block] = []
    fixed = list(chosen)
    for rule, positions in alike(chosen, grouped):
        for j in positions:
            check_values(evidence, chosen[j], int(j))
        check_sums(evidence, rule, positions)
        block = rule.joined([chosen[j] for j in positions]).estimate(evidence, positions, rules)
        blocks.append(block)
        for j in positions:
            fixed[j] = chosen[j].fixed(block.bare, int(j))
    for g in range(len(evidence.schema.groups)):
        joined = estimate_group(evidence, g, chosen, rules)
        blocks.append(joined)
        for member in joined.coder.members:
            fixed[member.position] = chosen[member.position].fixed(member.block, member.position)
    return blocks, fixed


def settle_smoothing(rule: Smoothing, blocks: Sequence[Block], evidence: Evidence) -> Smoothing:
    """Return the smoothing rule, chosen from the tables of all discrete attributes where it is automatic."""
    tables = [table for block in blocks for table in block.tables]
    counts = [np.zeros((len(evidence.classes), 0)), *(table.counts for table in tables)]
    domain = Union([table.domain for table in tables], evidence.classes)
    return rule.settle(domain, np.concatenate(counts, axis=1), evidence.class_counts).settle_strength(tables)


def check_values(evidence: Evidence, rule: Distribution, j: int) -> None:
    """Refuse a distribution chosen after the data were read that cannot give the values of a column."""
    column = evidence.schema.columns[j]
    if rule.kind != "numbers" or rule.support == REAL or column.axis is None:
        return
    values, counts = evidence.values(j)
    outside = values[rule.support.outside(values) & counts.any(axis=0)]
    if len(outside):
        raise unserved(column, f"{outside[0]:g}", rule)


def check_sums(evidence: Evidence, rule: Distribution, positions: Array) -> None:
    """Refuse a distribution chosen after the data were read, where sums prove that it cannot give what was added."""
    if rule.kind != "numbers" or rule.support == REAL:
        return
    columns = evidence.schema.columns
    for part, moments in (("moments", evidence.moments), ("totals", evidence.means)):
        kept = np.array([j for j in positions.tolist() if part in columns[j].keeps], dtype=np.int64)
        x = moments(kept)
        for k, c in np.argwhere(rule.support.disproved(x).T):
            raise unserved(columns[kept[k]], f"{x.mean[c, k]:g} on average", rule)


def unserved(column: Column, found: str, rule: Distribution) -> UnservedError:
    """Return the error of a column that holds numbers which a distribution cannot give."""
    return UnservedError(
        f"column {column.name!r} has learnt {found}, from numbers outside the support of {rule.name!r}: it takes "
        f"{rule.support.says}; use another distribution"
    )


def alike(rules: Sequence[Distribution], grouped: set[int]) -> list[tuple[Distribution, Array]]:
    """Gather the columns of one family of rules into blocks, leaving out those that are in a group."""
    blocks: dict[Any, list[int]] = {}
    first: dict[Any, Distribution] = {}
    keys: dict[int, Any] = {}
    for j, rule in enumerate(rules):
        if j not in grouped:
            family = keys.setdefault(id(rule), rule.family())
            key = (j,) if family is None else family
            blocks.setdefault(key, []).append(j)
            first.setdefault(key, rule)
    return [(first[key], np.array(positions)) for key, positions in blocks.items()]
