"""Parameters as JSON: text, numbers, booleans, nothing and lists as they are, everything else as an object.

- {"tuple": [...]} is a tuple, {"pairs": [[key, value], ...]} a mapping;
- {"float": "inf"} is a number that JSON does not have;
- {"rule": "candide.smoothing.Lidstone", "params": {"alpha": 0.5, "class_alpha": 0.0}} is a rule, by its address.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from candide import combination, discretizers, distributions, smoothing, tuning
from candide.analysis.analyzer import Analyzer
from candide.distributions.automatic import Automatic
from candide.distributions.clamped import Clamped
from candide.distributions.nothing import Nothing
from candide.distributions.softened import Softened
from candide.distributions.weighted import Weighted
from candide.estimator.format.addresses import AddressBook
from candide.estimator.format.entries import SHOWN, Entry, ModelFileError, finite
from candide.estimator.format.signatures import check_rule
from candide.reading import READERS
from candide.rules import Rule, parameters_of
from candide.smoothing.automatic import AutomaticSmoothing

RuleBook = AddressBook[Rule]

OWN_RULES: tuple[type[Rule], ...] = (
    *distributions.RULES,
    *smoothing.RULES,
    *combination.RULES,
    *discretizers.REGISTRY,
    *(Analyzer, Weighted, Automatic, AutomaticSmoothing, smoothing.Decomposable, Nothing, Clamped, Softened),
    discretizers.Cuts,
    *READERS,
    *tuning.RULES,
)
"""The rules of the library that a file may hold: those with a name, and those without."""

DEEPEST = 32
"""Lists, tuples, mappings and rules that may hold one another."""

NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def known_rules() -> RuleBook:
    """Return the rules that files may name now."""
    return AddressBook(Rule, OWN_RULES, "rule")


def is_json(values: list[Any]) -> bool:
    """Tell whether JSON holds the items of a list as they are: long lists of one type are told at once."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return finite(min(values)) and finite(max(values))
    return all(map(math.isfinite, values)) if kinds == {float} else kinds <= {str, bool, type(None)}


def check_rules(used: Iterable[Rule], rules: RuleBook) -> None:
    """Refuse rules that a file does not hold; a name, such as "equal-width(10)", may stand for one."""
    for rule in set(used):
        encode_rule(rule, rules)


# -- writing ---------------------------------------------------------------------------------------------------------


def encode(value: Any, rules: RuleBook) -> Any:
    """Return the JSON form of a parameter; what cannot be saved is a TypeError."""
    if isinstance(value, np.generic):
        return encode_scalar(value.item())
    if isinstance(value, (np.ndarray, set, frozenset)):  # a set, of words say, is read back as a list that means it
        return encode(value.tolist() if isinstance(value, np.ndarray) else sorted(value, key=repr), rules)
    if isinstance(value, list):
        return list(value) if is_json(value) else [encode(v, rules) for v in value]
    if isinstance(value, tuple):
        return {"tuple": encode(list(value), rules)}
    if isinstance(value, Mapping):
        return {"pairs": [[encode(k, rules), encode(v, rules)] for k, v in value.items()]}
    return encode_rule(value, rules) if isinstance(value, Rule) else encode_scalar(value)


def encode_scalar(value: Any) -> Any:
    """Return the JSON form of text, a number, a boolean or nothing."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if value is None or isinstance(value, (str, bool)) or (isinstance(value, int) and finite(value)):
        return value
    use = "a model file holds no code; pickle the model" if callable(value) else "use text, numbers, booleans or rules"
    raise TypeError(f"{SHOWN.repr(value)} of type {type(value).__name__} cannot be saved: {use}")


def encode_rule(rule: Rule, rules: RuleBook) -> Any:
    """Return the JSON form of a rule; it is read back at once, so that what is written can be read."""
    name = rules.address(type(rule))
    out = {"rule": name, "params": {k: encode(v, rules) for k, v in rule.get_params(deep=False).items()}}
    try:
        decode(Entry(out, "it"), rules)
    except ModelFileError as error:
        raise ValueError(f"{SHOWN.repr(rule)} cannot be saved: {error}") from None
    return out


# -- reading ---------------------------------------------------------------------------------------------------------


def decode(entry: Entry, rules: RuleBook, depth: int = 0) -> Any:
    """Read a parameter back; a rule must be one that is known, with the parameters that it takes."""
    value = entry.value
    if depth > DEEPEST:
        raise entry.wrong(f"is nested in more than {DEEPEST} others")
    if isinstance(value, list):
        return list(value) if is_json(value) else [decode(e, rules, depth + 1) for e in entry.items()]
    if isinstance(value, dict):
        return decode_object(entry, rules, depth + 1)
    if isinstance(value, (int, float)) and not finite(value):
        raise entry.unlike("finite number")
    return value


def decode_object(entry: Entry, rules: RuleBook, depth: int) -> Any:
    """Read what JSON does not have of its own."""
    if "rule" in entry.value:
        return decode_rule(entry, rules, depth)
    if "pairs" in entry.value:
        return decode_mapping(entry, rules, depth)
    if "tuple" in entry.value:
        entry.check_keys(("tuple",))
        return tuple(decode(item, rules, depth) for item in entry["tuple"].items())
    entry.check_keys(("float",))
    return NOT_FINITE[entry["float"].word(NOT_FINITE)]


def decode_mapping(entry: Entry, rules: RuleBook, depth: int) -> dict[Any, Any]:
    """Read a mapping; its keys are distinct."""
    entry.check_keys(("pairs",))
    out: dict[Any, Any] = {}
    for pair in entry["pairs"].items():
        both = pair.items()
        if len(both) != 2:
            raise pair.unlike("pair of a key and its value")
        key = decode_key(both[0], rules, depth)
        if key in out:
            raise both[0].wrong(f"is {SHOWN.repr(key)}, which stands there twice")
        out[key] = decode(both[1], rules, depth)
    return out


def decode_key(entry: Entry, rules: RuleBook, depth: int = 0) -> Any:
    """Read a value that has a hash and is equal to itself."""
    value = decode(entry, rules, depth)
    try:
        hash(value)
    except TypeError:
        raise entry.unlike("key: it has no hash") from None
    if value != value:  # noqa: PLR0124  # NaN is not
        raise entry.unlike("key: it is not equal to itself")
    return value


def decode_rule(entry: Entry, rules: RuleBook, depth: int) -> Rule:
    """Read a rule."""
    entry.check_keys(("rule", "params"))
    try:
        cls = rules.named(entry["rule"].text())
    except ValueError as error:
        raise entry["rule"].wrong(str(error)) from None
    entry["params"].check_keys(parameters_of(cls))
    params = {name: decode(e, rules, depth) for name, e in entry["params"].fields().items()}
    try:
        if cls in OWN_RULES:
            check_rule(cls, params)
        rule = cls(**params)
        rule.check()
        return rule
    except Exception as error:  # a user's rule may raise anything
        raise entry.wrong(str(error)) from error
