"""Parameters survive JSON, and what is no parameter is an error that says where."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import numpy as np
import pytest

from candide.discretizers import Cuts, EqualWidth
from candide.distributions import Bins, Smooth
from candide.distributions.clamped import Clamped
from candide.distributions.normal import Normal
from candide.estimator.format.encoding import DEEPEST, check_rules, decode, encode, known_rules
from candide.estimator.format.entries import Entry, ModelFileError
from candide.smoothing import Lidstone, Smoothing


def round_trip(value: Any) -> Any:
    text = json.dumps(encode(value, known_rules()), allow_nan=False)
    return decode(Entry(json.loads(text)), known_rules())


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        2**70,
        2.5,
        -0.0,
        "x",
        float("inf"),
        float("-inf"),
        [],
        [1, [2, "a"]],
        [1, True, 2.0, None],
        [0.5, float("inf")],
        (1, (2,)),
        {"a": {1: 2.0}},
        {True: [None]},
        {(1, "x"): 2},
        {"float": 1},
        {"rule": "x", "params": 1},
        Lidstone(0.1),
        Clamped(Normal(), -1.5, 2.0),
        Smooth(width=0.05, strength=3.0, cuts=[1.0, 2.5], masses=[3.0, 2.0, 1.0]),
        Bins(Cuts([1.5, 2.5]), ordinal=True),
    ],
    ids=str,
)
def test_parameters_survive_json(value: object) -> None:
    again = round_trip(value)
    assert again == value
    assert type(again) is type(value)
    assert repr(again) == repr(value)  # -0.0, and 1 and True


def test_not_a_number_survives_json() -> None:
    assert np.isnan(round_trip(float("nan")))


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.float64(0.1), 0.1),
        (np.int8(3), 3),
        (np.str_("x"), "x"),
        (np.bool_(True), True),
        (Lidstone(np.float64(0.5)), Lidstone(0.5)),
        ({"the", "a"}, ["a", "the"]),
        (frozenset({"the", "a"}), ["a", "the"]),
    ],
    ids=lambda value: type(value).__name__,  # sets have no order
)
def test_numpy_and_sets_become_plain(value: Any, plain: Any) -> None:
    assert round_trip(value) == plain


@pytest.mark.parametrize(
    "value",
    [object(), b"bytes", dt.date(2020, 1, 1), 1j, np.datetime64("2020-01-01"), np.longdouble(1), 10**400],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_saved_is_an_error_that_says_type_and_what_to_do(value: Any) -> None:
    kind = type(value.item() if isinstance(value, np.generic) else value).__name__
    with pytest.raises(TypeError, match=rf"of type {kind} cannot be saved: use text, numbers, booleans or rules"):
        encode([1, {"a": value}], known_rules())


def test_a_rule_that_could_not_be_read_is_not_saved() -> None:
    with pytest.raises(ValueError, match=r"EqualWidth\(k=10{9}\).* cannot be saved"):
        encode(EqualWidth(10**9), known_rules())
    with pytest.raises(ValueError, match="cannot be saved"):
        check_rules([Bins(EqualWidth(10**9))], known_rules())


def nested(depth: int, by: str | None) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value] if by is None else {by: [value]}
    return value


WRONG: dict[str, Any] = {
    "a list too deep": nested(500, None),
    "a tuple too deep": nested(500, "tuple"),
    "an object of no form": {"set": [1]},
    "an empty object": {},
    "a tuple of nothing": {"tuple": None},
    "a tuple with more": {"tuple": [], "x": 1},
    "a float that JSON has": {"float": "1.5"},
    "a float of no word": {"float": ["inf"]},
    "no pairs": {"pairs": {"a": 1}},
    "a pair of three": {"pairs": [[1, 2, 3]]},
    "a key without a hash": {"pairs": [[[1], 2]]},
    "a key not equal to itself": {"pairs": [[{"float": "nan"}, 2]]},
    "a key twice": {"pairs": [["a", 1], ["a", 2]]},
    "a key twice of two types": {"pairs": [[1, 1], [True, 2]]},
    "an integer beyond all floats": 10**400,
    "a float beyond all floats": float("inf"),
    "one of them in a list": [1.5, float("inf")],
    "a rule of no name": {"rule": ["candide.smoothing.Laplace"], "params": {}},
    "a rule without parameters": {"rule": "candide.smoothing.Lidstone"},
    "a rule of unknown parameters": {"rule": "candide.smoothing.Lidstone", "params": {"beta": 1}},
    "a rule of parameters in a list": {"rule": "candide.smoothing.Lidstone", "params": [1]},
    "a rule that lacks one": {"rule": "candide.discretizers.Cuts", "params": {}},
    "a rule that is a base": {"rule": "candide.distributions.Distribution", "params": {}},
    "a rule of a bare name": {"rule": "Laplace", "params": {}},
    "a rule of wrong parameters": {"rule": "candide.smoothing.Lidstone", "params": {"alpha": "1"}},
    "a bomb": {"rule": "candide.distributions.Mixture", "params": {"starts": 10**9}},
    "a bomb inside": {
        "rule": "candide.distributions.Bins",
        "params": {"discretizer": {"rule": "candide.discretizers.EqualWidth", "params": {"k": 10**9}}},
    },
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_parameter_is_an_error_that_says_where(name: str) -> None:
    with pytest.raises(ModelFileError, match=r"^model\.prior"):
        decode(Entry({"prior": WRONG[name]})["prior"], known_rules())


class Picky(Smoothing):
    """A rule of a user whose constructor refuses in its own way."""

    def __init__(self, strength: float = 1.0) -> None:
        self.strength = {1.0: strength}[strength]


def test_a_rule_that_refuses_in_its_own_way_is_an_error_that_says_where() -> None:
    with pytest.raises(ModelFileError, match=r"^model\.prior 2"):
        decode(Entry({"prior": {"rule": f"{__name__}.Picky", "params": {"strength": 2}}})["prior"], known_rules())


def test_nesting_has_a_limit_that_is_far() -> None:
    assert decode(Entry(nested(DEEPEST, None)), known_rules()) == nested(DEEPEST, None)


def test_a_parameter_that_a_file_lacks_has_its_default() -> None:
    rule = {"rule": "candide.smoothing.Lidstone", "params": {"alpha": 0.5}}
    assert decode(Entry(rule), known_rules()) == Lidstone(0.5)
