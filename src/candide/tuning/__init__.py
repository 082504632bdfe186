"""Tuning: how much the evidence of each column counts, settled on rows that were learnt."""

from typing import Any

from candide.model.weights import Weighing
from candide.rules import resolve
from candide.tuning.tuned import Fixed, Temperature, Tuned

__all__ = ["Temperature", "Tuned"]

RULES: list[type[Weighing]] = [Tuned, Temperature]


def as_weighing(value: Any) -> Weighing | None:
    """Return the rule that a name, a mapping or an object stands for, checked; None counts every column once."""
    from collections.abc import Mapping

    if value is None:
        return None
    rule = Fixed(value) if isinstance(value, Mapping) else resolve(value, RULES, "weights", Weighing)
    rule.check()
    return rule
