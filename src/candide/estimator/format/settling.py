"""What was settled as JSON: for each column what was chosen, how the candidates did, and what the model uses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from candide.distributions import Distribution
from candide.distributions.base import Choice
from candide.estimator.format.encoding import RuleBook, decode, encode, encode_scalar
from candide.estimator.format.entries import SHOWN, Entry
from candide.estimator.format.layout import Lines, Section
from candide.estimator.format.weights import weights_from_json, weights_to_json
from candide.model.settled import Settled
from candide.schema.column import Column
from candide.schema.schema import Schema
from candide.smoothing import Smoothing


def settled_to_json(settled: Settled, names: Sequence[str | int], rules: RuleBook) -> Section:
    """Return the JSON form of what was settled."""
    write = Once(id, lambda rule: encode(rule, rules))
    columns = zip(names, settled.choices, settled.distributions, strict=True)
    return Section(
        smoothing=encode(settled.smoothing, rules),
        **({} if settled.parents is None else {"parents": parents_to_json(settled.parents)}),
        columns=Lines(choice_to_json(name, choice, used, write) for name, choice, used in columns),
        **weights_of(settled, rules),
    )


def weights_of(settled: Settled, rules: RuleBook) -> dict[str, Any]:
    """Return the weights that were settled on rows; those that are given stand among the parameters."""
    if settled.weights is None or settled.weights.by is None:
        return {}
    return {"weights": weights_to_json(settled.weights, rules)}


def parents_to_json(parents: Mapping[Any, tuple[Any, ...]]) -> Lines:
    """Return what each column depends on."""
    return Lines({"column": name, "parents": list(found)} for name, found in parents.items())


def parents_from_json(entry: Entry | None, schema: Schema) -> dict[Any, tuple[Any, ...]] | None:
    """Read what each column depends on: columns of the schema, each column once, and no cycle."""
    if entry is None:
        return None
    out: dict[Any, tuple[Any, ...]] = {}
    for line in entry.items():
        line.check_keys(("column", "parents"))
        named = [line["column"], *line["parents"].items()]
        for one in named:
            if type(one.value) not in {str, int} or one.value not in (*schema.names, schema.class_name):
                raise one.wrong(f"is {SHOWN.repr(one.value)}, and there is no such column")
        if named[0].value in out:
            raise named[0].wrong("stands there twice")
        out[named[0].value] = tuple(one.value for one in named[1:])
    if not set(schema.names) <= set(out):
        raise entry.wrong("does not tell the parents of every column")
    try:
        TopologicalSorter(out).prepare()
    except CycleError:
        raise entry.wrong("has a cycle") from None
    return out


def choice_to_json(name: str | int, choice: Choice, used: Distribution, write: Once) -> dict[str, Any]:
    """Return what was settled for a column; what the model uses is told where it is not what was chosen."""
    out = {"column": name, "choice": choice.name, "chosen": write(choice.distribution)}
    if used is not choice.distribution and used != choice.distribution:
        out["used"] = write(used)
    if choice.scores:
        out["scores"] = {candidate: encode_scalar(score) for candidate, score in choice.scores.items()}
    return out


def settled_from_json(entry: Entry, schema: Schema, rules: RuleBook) -> Schema:
    """Return the schema with what was settled for its columns."""
    entry.check_keys(("smoothing", "parents", "columns", "weights"))
    smoothing = decode(entry["smoothing"], rules)
    if not isinstance(smoothing, Smoothing):
        raise entry["smoothing"].unlike("rule of smoothing")
    lines = entry["columns"].items()
    if len(lines) != len(schema.columns):
        raise entry["columns"].wrong(f"holds {len(lines)} columns, and the schema {len(schema.columns)}")
    read = Once(name_alone, lambda rule: decode(rule, rules))
    both = [choice_from_json(line, column, read) for line, column in zip(lines, schema.columns, strict=True)]
    choices, used = zip(*both, strict=True)
    parents = parents_from_json(entry.get("parents"), schema)
    weights = entry.get("weights")
    found = None if weights is None else weights_from_json(weights, rules)
    return replace(schema, settled=Settled(choices, used, smoothing, parents, found))


def choice_from_json(entry: Entry, column: Column, read: Once) -> tuple[Choice, Distribution]:
    """Read what was settled for a column: what was chosen, and what the model uses."""
    entry.check_keys(("column", "choice", "chosen", "used", "scores"))
    if entry["column"].value != column.name or type(entry["column"].value) is not type(column.name):
        raise entry["column"].wrong(f"is not {column.name!r}, the column of the schema")
    name, scores, used = entry["choice"].text(), entry.get("scores"), entry.get("used")
    told = {} if scores is None else {key: read(score) for key, score in scores.fields().items()}
    if not all(isinstance(score, float) for score in told.values()) or (told and not {name, "nothing"} <= set(told)):
        raise entry["scores"].wrong(f"does not hold the scores of {name!r} and of nothing, as numbers")
    chosen = distribution(entry["chosen"], column, read)
    return Choice(name, chosen, told), chosen if used is None else distribution(used, column, read)


def distribution(entry: Entry, column: Column, read: Once) -> Distribution:
    """Read a distribution that can be estimated from what is kept of a column."""
    rule = read(entry)
    if not isinstance(rule, Distribution) or type(rule).estimate is Distribution.estimate:
        raise entry.unlike("distribution")
    if not column.blank and not column.serves(rule.kind, rule.needs):
        raise entry.wrong(f"is {type(rule).__name__}, which {column.counted_as} of column {column.name!r} do not serve")
    return rule


class Once:
    """A function that is called once for all things of one key: columns of one rule share it.

    Parameters
    ----------
    key : function
        The key of a thing; None for a thing of its own.
    function : function
    """

    def __init__(self, key: Callable[[Any], Hashable], function: Callable[[Any], Any]) -> None:
        self.key = key
        self.function = function
        self.known: dict[Hashable, Any] = {}

    def __call__(self, thing: Any) -> Any:
        key = self.key(thing)
        if key is None:
            return self.function(thing)
        if key not in self.known:
            self.known[key] = self.function(thing)
        return self.known[key]


def name_alone(entry: Entry) -> str | None:
    """Return the name of a rule that has no parameters."""
    rule = entry.value
    alone = isinstance(rule, dict) and len(rule) == 2 and rule.get("params") == {} and isinstance(rule.get("rule"), str)
    return rule["rule"] if alone else None
