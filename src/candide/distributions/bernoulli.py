"""Bernoulli: columns of zeros and ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.arithmetic import difference
from candide.distributions.base import BINARY, Block, Distribution, Rules
from candide.distributions.categorical import with_missing
from candide.distributions.coders import SwitchCoder
from candide.distributions.discrete import SwitchBlock
from candide.schema.order import object_array
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class Bernoulli(Distribution):
    """P(x = 1 | c) = p_c, P(x = 0 | c) = 1 − p_c; an attribute with two values."""

    name = "bernoulli"
    needs = ("totals",)
    discrete = True
    support = BINARY

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Soften the counts of zeros and ones."""
        ones, known = evidence.totals(positions)
        zeros = np.maximum(difference(known, ones), 0)
        levels = object_array([0, 1])
        tables = [(levels, np.column_stack([zeros[:, i], ones[:, i]])) for i in range(len(positions))]
        domain, counts, absent = with_missing(evidence, positions, tables, rules)
        return SwitchBlock.estimate(SwitchCoder(positions), domain, counts, rules.smoothing, absent)
