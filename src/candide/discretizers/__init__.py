"""Discretizers: from the distinct values of a column and their class weights to cut points."""

from typing import Any

from candide.discretizers.base import Discretizer
from candide.discretizers.cuts import Cuts
from candide.discretizers.entropy import Entropy
from candide.discretizers.equal_frequency import EqualFrequency
from candide.discretizers.equal_width import EqualWidth
from candide.discretizers.proportional import Proportional
from candide.discretizers.two_way import TwoWay
from candide.rules import resolve

#: The discretizers that go by a name.
REGISTRY: tuple[type[Discretizer], ...] = (EqualWidth, EqualFrequency, TwoWay, Entropy, Proportional)


def as_discretizer(value: Any) -> Discretizer:
    """Return the discretizer that a name or an object stands for."""
    return resolve(value, REGISTRY, "discretizer", Discretizer)  # type: ignore[type-abstract]


__all__ = [
    "REGISTRY",
    "Cuts",
    "Discretizer",
    "Entropy",
    "EqualFrequency",
    "EqualWidth",
    "Proportional",
    "TwoWay",
    "as_discretizer",
]
