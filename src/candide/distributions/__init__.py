"""Distributions: the form of P(x | c), one file each."""

from __future__ import annotations

import re
from typing import Any

from candide.discretizers import REGISTRY as DISCRETIZERS
from candide.distributions.base import Block, Distribution, Rules, Support
from candide.distributions.bernoulli import Bernoulli
from candide.distributions.bins import Bins
from candide.distributions.categorical import Categorical
from candide.distributions.density import MomentDistribution
from candide.distributions.gamma import Exponential, Gamma, Poisson
from candide.distributions.kde import KDE
from candide.distributions.mixture import Mixture
from candide.distributions.multinomial import Multinomial
from candide.distributions.normal import LogNormal, Normal
from candide.distributions.smooth import Smooth
from candide.distributions.student import Student
from candide.distributions.text import Text
from candide.distributions.values import ValuesDistribution
from candide.rules import resolve

RULES: list[type[Distribution]] = [
    Categorical,
    Bernoulli,
    Multinomial,
    Normal,
    LogNormal,
    Gamma,
    Exponential,
    Poisson,
    Student,
    KDE,
    Mixture,
    Bins,
    Smooth,
    Text,
]


SPELT = r"([a-z-]+)(?:\((\d+)?(?:(?(2), *)(ordinal))?\))?"
"""Names of bins: which, how many, and whether every cut is an attribute."""


def as_distribution(value: Any) -> Distribution:
    """Return the distribution that a name or an object stands for, checked.

    The name of a discretizer, with the number of bins where it takes one, stands for bins: "equal-width(10)"; with
    "ordinal" for an attribute "x > cut" for every cut: "equal-width(10, ordinal)", "bins(ordinal)".

    Examples
    --------
    >>> as_distribution("equal-frequency(5)")
    Bins(discretizer=EqualFrequency())
    >>> as_distribution("two-way(ordinal)")
    Bins(discretizer=TwoWay(), ordinal=True)
    """
    if isinstance(value, str) and (spelt := re.fullmatch(SPELT, value)):
        named = {rule.name: rule for rule in DISCRETIZERS}
        if spelt[1] in named:
            return Bins(named[spelt[1]](*([int(spelt[2])] if spelt[2] else [])), ordinal=bool(spelt[3]))
        if spelt[1] == Bins.name and not spelt[2]:
            return Bins(ordinal=bool(spelt[3]))
    rule = resolve(value, RULES, "distributions", Distribution)
    rule.check()
    return rule


__all__ = [
    "KDE",
    "Bernoulli",
    "Bins",
    "Block",
    "Categorical",
    "Distribution",
    "Exponential",
    "Gamma",
    "LogNormal",
    "Mixture",
    "MomentDistribution",
    "Multinomial",
    "Normal",
    "Poisson",
    "Rules",
    "Smooth",
    "Student",
    "Support",
    "Text",
    "ValuesDistribution",
    "as_distribution",
]
