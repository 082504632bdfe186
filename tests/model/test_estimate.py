"""Estimating: columns that share a rule are one block, and columns that do not stay apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.discretizers import Cuts, EqualWidth
from candide.distributions import KDE, Bins, Categorical, Mixture, Normal
from candide.distributions.base import Distribution
from candide.model.estimate import alike

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
X = pd.DataFrame({"a": RNG.normal(size=60) + Y, "b": RNG.normal(size=60) + Y, "c": RNG.choice(["u", "v"], 60)})


class Half(Categorical):
    """A column of symbols of which k levels are told apart."""

    name = ""

    def __init__(self, k: int = 1, levels: Any = None) -> None:
        self.k = k
        self.levels = levels


PAIRS: list[tuple[Distribution, Distribution]] = [
    (Bins(EqualWidth(3)), Bins(EqualWidth(5))),
    (Bins(Cuts([0.0])), Bins(Cuts([1.0]))),
    (Bins(EqualWidth(3)), Bins(EqualWidth(3), ordinal=True)),
    (KDE("scott"), KDE(0.5)),
    (Mixture(1), Mixture(2)),
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=str)
def test_two_rules_of_one_class_with_other_parameters_stay_two(one: Distribution, other: Distribution) -> None:
    both = NaiveBayes({"a": one, "b": other}).fit(X, Y)
    alone = {
        name: NaiveBayes({name: rule}).fit(X[[name]], Y).explain(X[[name]]).contributions
        for name, rule in (("a", one), ("b", other))
    }
    told = both.explain(X)
    for name, wanted in alone.items():
        mine = [i for i, attribute in enumerate(told.names) if str(attribute).split(" > ")[0] == name]
        np.testing.assert_allclose(told.contributions[:, :, mine], wanted, rtol=1e-12)
        assert type(both.schema_.choice(name)) is type(one)
    assert both.schema_.choice("a") != both.schema_.choice("b")


def test_rules_that_count_levels_keep_their_own_parameters_and_declared_levels() -> None:
    frame = pd.DataFrame({"a": ["x", "y"], "b": ["x", "y"]})
    rules = {"a": Half(1, ["x", "y", "z"]), "b": Half(2, ["x", "y"])}
    nb = NaiveBayes(rules).fit(frame, [0, 1])
    assert [nb.schema_.choice(name) for name in "ab"] == [rules["a"], rules["b"]]
    assert [block.names for block in nb.model_.blocks] == [("a",), ("b",)]
    assert list(nb.model_.describe("a")) == ["x", "y", "z"]
    assert list(nb.model_.describe("b")) == ["x", "y"]


def test_columns_of_one_rule_are_one_block_whatever_levels_they_declare() -> None:
    rules = [Normal(), Categorical(["u"]), Normal(), Categorical(["v", "w"]), Bins(EqualWidth(3)), Bins(EqualWidth(3))]
    found = [(rule.name, positions.tolist()) for rule, positions in alike(rules, grouped=set())]
    assert found == [("normal", [0, 2]), ("categorical", [1, 3]), ("bins", [4, 5])]
    assert [positions.tolist() for _, positions in alike(rules, grouped={0, 1})] == [[2], [3], [4, 5]]


def test_attributes_come_in_the_order_of_the_columns_whatever_their_blocks() -> None:
    nb = NaiveBayes({"a": "normal", "b": Bins(Cuts([0.0, 1.0]), ordinal=True)}).fit(X, Y)
    assert nb.model_.attribute_names == ["a", "b > 0", "b > 1", "c"]
    assert nb.model_.columns == [(0,), (1,), (1,), (2,)]
    grouped = NaiveBayes({"a": "normal", "b": "equal-width(2)"}, groups=[["c", "a"]]).fit(X, Y)
    assert grouped.model_.attribute_names == ["b", "c & a"]
    assert grouped.model_.columns == [(1,), (2, 0)]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("bins", "gamma", r"column 'a' has learnt -1.*outside the support of 'gamma': it takes positive numbers"),
        ("bins", "poisson", "column 'a' has learnt -1.*whole numbers"),
        ("normal", "exponential", "column 'a' has learnt -1.*numbers that are not negative"),
    ],
)
def test_a_distribution_chosen_after_the_data_were_read_is_refused_where_they_lie_outside(
    first: str, second: str, message: str
) -> None:
    frame = pd.DataFrame({"a": [-1.0, -1.0, 2.5, 3.0]})
    nb = NaiveBayes(first).fit(frame, [0, 0, 1, 1]).set_params(distributions=second)
    with pytest.raises(ValueError, match=message):
        nb.predict(frame)


def test_automatic_columns_of_a_group_and_of_a_discrete_rule_are_discrete() -> None:
    grouped = NaiveBayes(groups=[["a", "c"]]).fit(X, Y)
    assert grouped.schema_.choice("a").discrete
    assert all(choice.discrete for choice in NaiveBayes(combination="sum").fit(X, Y).schema_.choices)


@pytest.mark.parametrize("first", ["normal", "exponential"])
@pytest.mark.parametrize(
    "x",
    [
        pytest.param([0.5, 1.0, 2.0, 3.0], id="one fraction"),
        pytest.param([0.5, 1.5, 2.5, 3.5], id="sums that are whole"),
        pytest.param([2.4, 2.6, 2.4, 2.6], id="closer than whole numbers are"),
        pytest.param([0.25, 0.75, 1.25, 1.75], id="quarters"),
    ],
)
def test_fractions_are_refused_by_a_rule_of_whole_numbers_that_is_chosen_afterwards(first: str, x: list[float]) -> None:
    frame = pd.DataFrame({"a": x * 2})
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    nb = NaiveBayes(first).fit(frame, y)
    with pytest.raises(ValueError, match=r"column 'a' has learnt .*'poisson': it takes whole numbers"):
        nb.set_params(distributions="poisson").predict(frame)
    nb.set_params(distributions=first).predict(frame)
    whole = frame.round()
    nb = NaiveBayes(first).fit(whole, y).set_params(distributions="poisson")
    wanted = NaiveBayes("poisson").fit(whole, y).predict_log_proba(whole)
    np.testing.assert_allclose(nb.predict_log_proba(whole), wanted, rtol=1e-12)
