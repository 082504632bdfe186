"""Discretizers: from the distinct values of a column and their class weights to cut points."""

from candide.discretizers.base import Discretizer
from candide.discretizers.cuts import Cuts
from candide.discretizers.entropy import Entropy
from candide.discretizers.equal_frequency import EqualFrequency
from candide.discretizers.equal_width import EqualWidth
from candide.discretizers.proportional import Proportional
from candide.discretizers.two_way import TwoWay

#: The discretizers that go by a name.
REGISTRY: tuple[type[Discretizer], ...] = (EqualWidth, EqualFrequency, TwoWay, Entropy, Proportional)

__all__ = [
    "REGISTRY",
    "Cuts",
    "Discretizer",
    "Entropy",
    "EqualFrequency",
    "EqualWidth",
    "Proportional",
    "TwoWay",
]
