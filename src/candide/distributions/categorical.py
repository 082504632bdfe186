"""Categorical: a probability for every level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.coders import LevelCoder
from candide.distributions.discrete import Discrete
from candide.schema.column import Kind
from candide.schema.domain import MISSING_LEVEL, Domain
from candide.schema.order import object_array
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class Categorical(Distribution):
    """P(x = v | c) = theta_vc, one parameter per level.

    Parameters
    ----------
    levels : sequence or None
        The declared domain; None takes the categories of a categorical dtype, or else the levels seen.
    """

    name = "categorical"
    kind: ClassVar[Kind] = "symbols"
    needs = ("cells",)
    discrete = True

    def __init__(self, levels: Sequence[Any] | None = None) -> None:
        self.levels = levels

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Soften the level counts of all columns of the block at once."""
        tables = [evidence.levels(int(j)) for j in positions]
        domain, counts, absent = with_missing(evidence, positions, tables, rules)
        coder = LevelCoder(positions, tuple(levels for levels, _ in tables))
        return Discrete.estimate(coder, domain, counts, rules.smoothing, absent)


def with_missing(
    evidence: Evidence, positions: Array, tables: Sequence[tuple[Array, Array]], rules: Rules
) -> tuple[Domain, Array, Array]:
    """Lay tables of (levels, counts) out flat; where missing is a level and occurs, it is the last one."""
    absent = np.zeros(len(tables), dtype=bool)
    levels, counts = [list_ for list_, _ in tables], [c for _, c in tables]
    if rules.missing == "level":
        for i, j in enumerate(positions):
            if evidence.missing_occurs(int(j)):
                absent[i] = True
                levels[i] = object_array([*levels[i].tolist(), MISSING_LEVEL])
                counts[i] = np.column_stack([counts[i], evidence.missing(int(j))])
    names = tuple(evidence.schema.columns[j].name for j in positions)
    flat = np.concatenate(counts, axis=1) if counts else np.zeros((len(evidence.classes), 0))
    return Domain(names, tuple(levels), evidence.classes), flat, absent
