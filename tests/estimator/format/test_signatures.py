"""Signatures: a rule in a file has the parameters that its constructor takes, and no bomb among them."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from candide.combination import Outlier
from candide.discretizers import Cuts, EqualFrequency, EqualWidth
from candide.distributions import KDE, Bins, Categorical, Mixture, Normal, Smooth
from candide.distributions.clamped import Clamped
from candide.estimator.format.encoding import OWN_RULES
from candide.estimator.format.signatures import LARGEST_PARAMETERS, check_rule, fits, hints_of
from candide.rules import Rule, parameters_of
from candide.smoothing import Laplace, Lidstone

GOOD: list[Rule] = [
    *(Lidstone(0.5), Lidstone(1, class_alpha=0), Laplace(), Outlier(0.1, "uniform"), Normal()),
    *(KDE(), KDE(2), KDE([0.5, 1.0]), Mixture(), Mixture(3), Mixture([1, 2], starts=5, seed=2**40)),
    *(Smooth(), Smooth(32, 0.1, 3.0, [1.0], [2.0, 3.0]), Clamped(Normal(), 0.0, 1.0)),
    *(Bins(), Bins("entropy"), Bins(EqualWidth(3), ordinal=True), Cuts([1, 2.5]), Cuts([]), EqualFrequency(100_000)),
    *(Categorical(), Categorical(["a", 1, True])),
]

WRONG: list[tuple[type[Rule], dict[str, Any]]] = [
    (Lidstone, {"alpha": "1"}),
    (Lidstone, {"alpha": None}),
    (Lidstone, {"alpha": True}),
    (Outlier, {"background": "grey"}),
    (KDE, {"bandwidth": ["a"]}),
    (KDE, {"bandwidth": None}),
    (Mixture, {"k": 2.5}),
    (Mixture, {"k": [2.5]}),
    (Mixture, {"starts": None}),
    (Mixture, {"seed": -1}),
    (Mixture, {"seed": 1.5}),
    (Clamped, {"distribution": "normal", "low": 0.0, "high": 1.0}),
    (Clamped, {"distribution": Laplace(), "low": 0.0, "high": 1.0}),
    (Smooth, {"cells": 1 << 20}),
    (Smooth, {"cuts": ["a"]}),
    (Bins, {"discretizer": Normal()}),
    (Bins, {"ordinal": 1}),
    (Cuts, {"points": 3}),
    (Cuts, {"points": ["a"]}),
    (Categorical, {"levels": 3}),
    (EqualWidth, {"k": 10**9}),
    (EqualWidth, {"k": -1}),
    (EqualFrequency, {"k": 10**9}),
    (Mixture, {"starts": 10**9}),
    (Mixture, {"k": 10**9}),
    (Mixture, {"k": (1, 10**9)}),
]


@pytest.mark.parametrize("rule", GOOD, ids=repr)
def test_what_a_rule_takes_fits(rule: Rule) -> None:
    check_rule(type(rule), rule.get_params(deep=False))


@pytest.mark.parametrize(("rule", "params"), WRONG, ids=str)
def test_what_a_rule_does_not_take_is_refused(rule: type[Rule], params: dict[str, Any]) -> None:
    name = next(iter(params))
    with pytest.raises(ValueError, match=f"^has the {name} .*, and .*{rule.__name__}"):
        check_rule(rule, params)


@pytest.mark.parametrize("rule", OWN_RULES, ids=lambda rule: rule.__name__)
def test_every_parameter_of_the_library_has_a_type_and_every_whole_number_a_limit(rule: type[Rule]) -> None:
    for name in parameters_of(rule):
        hint = hints_of(rule)[name]
        parts = {hint, *get_args(hint)}
        if int in parts:
            assert (rule, name) in LARGEST_PARAMETERS


def test_types_are_told_apart() -> None:
    assert fits(None, None)
    assert not fits(0, None)
    assert fits((1, 2), tuple[int, ...])
    assert not fits((1, "2"), tuple[int, ...])
    assert fits(["a"], list)
