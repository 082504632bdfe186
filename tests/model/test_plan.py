"""The plan: what the user's words mean for the columns, decided once and compared by what was asked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.combination import Outlier
from candide.discretizers import EqualWidth
from candide.distributions import Bins, Categorical, Normal
from candide.estimator import naive_bayes
from candide.model.plan import Plan, assign_distributions
from candide.smoothing import Lidstone

RNG = np.random.default_rng(0)
Y = np.arange(40) % 2
X = pd.DataFrame(
    {
        "k": RNG.choice(["u", "v"], 40),
        "n": RNG.normal(size=40) + Y,
        "w": RNG.integers(0, 2, 40),
        "z": RNG.choice([2, 4, 6], 40),
        "g": RNG.gamma(2.0, size=40),
        "void": [None] * 40,
    }
)
RULES: dict[str, Any] = {"n": "normal", "w": "bernoulli", "z": "categorical", "g": "gamma"}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count what is called to make a plan."""
    counter: Counter[str] = Counter()

    def counted(name: str) -> None:
        original = getattr(naive_bayes, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            counter[name] += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(naive_bayes, name, call)

    for name in ("make_plan", "as_smoothing", "as_combination"):
        counted(name)
    return counter


ONCE = {"make_plan": 1, "as_smoothing": 1, "as_combination": 1}


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"distributions": RULES},
        {"distributions": "bins", "smoothing": "auto", "combination": "outlier"},
        {"distributions": {"w": "categorical"}, "groups": [["k", "w"]], "missing": "level"},
    ],
    ids=str,
)
def test_a_plan_is_made_once_per_fit_and_serves_every_answer(params: dict[str, Any], calls: Counter[str]) -> None:
    nb = NaiveBayes(**params).fit(X, Y)
    assert calls == ONCE
    nb.predict(X)
    nb.explain(X[:2])
    nb.leave_one_out(X, Y)
    assert nb.schema_.choices == nb.model_.settled.distributions
    assert calls == ONCE


def test_a_rule_changed_after_fit_makes_one_plan_more_and_an_equal_one_none(calls: Counter[str]) -> None:
    nb = NaiveBayes(RULES, smoothing=Lidstone(0.5)).fit(X, Y)
    nb.set_params(smoothing=Lidstone(0.5), distributions=dict(RULES)).predict(X)
    assert calls["make_plan"] == 1
    nb.set_params(smoothing=Lidstone(0.7)).predict(X)
    nb.predict(X)
    assert calls["make_plan"] == 2
    nb.smoothing.alpha = 0.9
    nb.predict(X)
    assert calls["make_plan"] == 3
    nb.set_params(costs=[[0, 1], [2, 0]], unseen="error").predict(X)  # neither is part of a plan
    assert calls["make_plan"] == 3


def plan(**params: Any) -> Plan:
    nb = NaiveBayes(**params).fit(X, Y)
    made = nb._state.plan
    assert made is not None
    return made


def test_plans_are_equal_when_the_same_is_asked_for_the_same_columns() -> None:
    same = plan(distributions=RULES, smoothing=Lidstone(0.5), prior=[0.5, 0.5])
    again = plan(distributions=dict(RULES), smoothing=Lidstone(0.5), prior=np.array([0.5, 0.5]))
    assert same == again
    assert hash(same) == hash(again)
    for other in (
        plan(distributions=RULES, smoothing=Lidstone(0.6), prior=[0.5, 0.5]),
        plan(distributions=RULES, smoothing=Lidstone(0.5)),
        plan(distributions=RULES, smoothing=Lidstone(0.5), prior=[0.5, 0.5], missing="level"),
        plan(distributions=RULES, smoothing=Lidstone(0.5), prior=[0.5, 0.5], combination=Outlier()),
        "a plan",
    ):
        assert same != other


def test_a_request_says_for_every_column_what_is_kept_and_who_asks() -> None:
    request = plan(distributions={**RULES, "z": Categorical(levels=[2, 4, 6, 8])}, groups=[["k", "n"]]).request
    wanted = dict(zip(X, request.columns, strict=True))
    assert {name: (want.kind, want.keeps, want.asks) for name, want in wanted.items()} == {
        "k": ("symbols", ("cells",), "categorical"),
        "n": ("numbers", ("moments",), "normal"),
        "w": ("numbers", ("totals",), "bernoulli"),
        "z": ("symbols", ("cells",), "categorical"),
        "g": ("numbers", ("moments", "log_x"), "gamma"),
        "void": ("numbers", ("cells",), "auto"),
    }
    assert wanted["g"].support.says == "positive numbers"
    assert wanted["z"].levels == (2, 4, 6, 8)
    assert request.groups == ((0, 1),)


def test_what_was_kept_so_far_is_kept_on_while_it_serves() -> None:
    nb = NaiveBayes("bins").fit(X[["n"]], Y).set_params(distributions="normal").partial_fit(X[["n"]], Y)
    assert nb.schema_.columns[0].keeps == ("cells",)
    with pytest.raises(ValueError, match=r"column 'n' was kept as moments, and Bins\(\) needs cells: refit"):
        NaiveBayes("normal").fit(X[["n"]], Y).set_params(distributions="bins").partial_fit(X[["n"]], Y)


# -- refusals: each names the column that it is about, and the rule that column has ------------------------------------


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        # the columns of a group before the one in question have other rules, and so have those behind it
        ([["k", "w", "z"]], r"column 'w' joins a group as 'categorical' or 'bins', not as Bernoulli\(\)"),
        ([["w", "k"]], r"column 'w' joins a group as 'categorical' or 'bins', not as Bernoulli\(\)"),
        ([["k", "z"], ["w", "n"]], r"column 'w' joins a group as 'categorical' or 'bins', not as Bernoulli\(\)"),
        ([["g", "k"]], r"the density column 'g' of a group is estimated from moments.*: KDE\(\) is not"),
        ([["k", "z", "g"]], r"the density column 'g' of a group.*KDE\(\) is not; use 'normal'"),
        ([["k", "n", "g"]], r"the group \['k', 'n', 'g'\] has more than one density column: \['n', 'g'\]"),
        ([["k", "z"], ["n", "g"]], r"the group \['n', 'g'\] has more than one density column"),
        ([["k", "q"]], "groups: there is no column 'q'; there are 'k', 'n'"),
        ([["k", "z"], ["z", "n"]], "column 'z' stands twice in groups"),
        (["k", "z"], r"groups=\['k', 'z'\]: a list of lists of columns"),
        ([5], r"groups=\[5\]: a list of lists of columns"),
        (5, "groups=5: a list of lists of columns"),
    ],
)
def test_a_group_that_does_not_fit_names_the_right_column_and_rule(groups: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NaiveBayes({**RULES, "g": "kde"}, groups=groups).fit(X, Y)


def test_densities_under_a_rule_of_discrete_attributes_are_named() -> None:
    with pytest.raises(ValueError, match=r"combination='sum' .* column 'n' cannot have the distribution Normal\(\)"):
        NaiveBayes({"n": "normal"}, combination="sum").fit(X, Y)


def test_a_numeric_rule_for_all_leaves_symbols_alone_and_a_given_schema_gives_its_cuts() -> None:
    made = plan(distributions=Bins(EqualWidth(3)))
    kinds = {name: rule.name for name, rule in zip(X, made.distributions, strict=True)}
    assert kinds["k"] == "categorical"
    assert kinds["n"] == kinds["g"] == "bins"
    first = NaiveBayes("equal-width(3)").fit(X, Y)
    taken = plan(schema=first.schema_)
    assert taken.distributions[1] == first.schema_.choice("n")


def test_a_model_that_has_forgotten_every_row_says_so() -> None:
    nb = NaiveBayes(RULES).fit(X, Y).forget(X, Y)
    with pytest.raises(ValueError, match="has forgotten every row: teach it again with partial_fit"):
        nb.predict(X)


def test_a_mapping_of_many_columns_looks_each_up_once() -> None:
    compared = []

    class Name(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            compared.append(self)
            return str.__eq__(self, other)

    names = [f"x{j}" for j in range(300)]
    rules = assign_distributions({Name(name): "normal" for name in names}, names, ["numbers"] * 300, None)
    assert rules == [Normal()] * 300
    assert len(compared) <= 3 * len(names)
