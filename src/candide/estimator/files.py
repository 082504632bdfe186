"""Model files: plain, versioned, checksummed JSON, written atomically. Nothing in a file is ever executed."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from candide.distributions.base import Choice
from candide.model.settled import Settled
from candide.rules import Rule
from candide.schema.axes import Classes
from candide.schema.cells import Levels
from candide.schema.column import Column
from candide.schema.combinations import Combinations
from candide.schema.lattice import Grid, Lattice
from candide.schema.order import object_array
from candide.schema.schema import Schema, axes_of
from candide.statistics.arrays import array_from_dict, array_to_dict
from candide.statistics.learnt import Learnt
from candide.writing import replacing

Array = np.ndarray[Any, Any]

FORMAT, VERSION = "candide.model", 2


class ModelFileError(ValueError):
    """A file that is not a whole, readable Candide model."""


def canonical(payload: Any) -> str:
    """Return the one JSON text of a payload that its checksum is taken of."""
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def checksum(payload: Any) -> str:
    """Return the SHA-256 of a payload's canonical text."""
    return hashlib.sha256(canonical(payload).encode()).hexdigest()


def write(path: str | os.PathLike[str], payload: dict[str, Any]) -> None:
    """Write a payload so that a crash in the middle leaves the old file whole."""
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, "sha256": checksum(payload), "model": payload}, allow_nan=False
    )
    with replacing(path) as file:
        file.write(text.encode() + b"\n")


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read and check a model file; say what is wrong with one that is damaged, foreign or newer."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{path} is not a Candide model: it is not JSON ({error})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ModelFileError(f"{path} is not a Candide model: it does not say format {FORMAT!r}")
    if content.get("version") != VERSION:
        raise ModelFileError(
            f"{path} is a Candide model of version {content.get('version')!r}; this release reads version {VERSION}"
        )
    payload = content.get("model")
    if not isinstance(payload, dict) or content.get("sha256") != seal(payload):
        raise ModelFileError(f"{path} is damaged: its checksum does not fit its content; restore it from a copy")
    return payload


def seal(payload: Any) -> str | None:
    """Return the checksum of a payload that was read, None where it holds what no model file holds (NaN)."""
    try:
        return checksum(payload)
    except ValueError:
        return None


def encode(value: Any) -> Any:  # noqa: PLR0911  # one line per kind of value
    """Return the JSON form of a parameter: rules by name, arrays and tuples as lists, mappings as pairs."""
    if isinstance(value, Rule):
        return {"rule": type(value).__name__, "params": {k: encode(v) for k, v in value.get_params(deep=False).items()}}
    if isinstance(value, dict):
        return {"pairs": [[encode(k), encode(v)] for k, v in value.items()]}
    if isinstance(value, np.ndarray):
        return [encode(v) for v in value.tolist()]
    if isinstance(value, tuple):
        return {"tuple": [encode(v) for v in value]}
    if isinstance(value, list):
        return [encode(v) for v in value]
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{value!r} of type {type(value).__name__} cannot be saved: use text, numbers, booleans or rules")


def decode(value: Any) -> Any:
    """Read a parameter back; a rule must be one this process knows."""
    if isinstance(value, list):
        return [decode(v) for v in value]
    if isinstance(value, dict):
        if "rule" in value:
            return rule_named(value["rule"])(**{k: decode(v) for k, v in value["params"].items()})
        if "pairs" in value:
            return {decode(k): decode(v) for k, v in value["pairs"]}
        if "tuple" in value:
            return tuple(decode(v) for v in value["tuple"])
        return float(value["float"])
    return value


def rule_named(name: str) -> type[Rule]:
    """Return the rule class of a name, among those that have been defined."""
    todo = list(Rule.__subclasses__())
    while todo:
        rule = todo.pop()
        if rule.__name__ == name:
            return rule
        todo += rule.__subclasses__()
    raise ModelFileError(f"the file uses the rule {name!r}, which is not defined here: import it before loading")


def save(path: str | os.PathLike[str], estimator: Any, learnt: Learnt, settled: Settled | None) -> None:
    """Write an estimator with what it has learnt and what was settled."""
    params = {name: value for name, value in estimator.get_params(deep=False).items() if name != "schema"}
    given = estimator.get_params(deep=False).get("schema")
    payload = {
        "estimator": type(estimator).__name__,
        "params": {name: encode(value) for name, value in params.items()},
        "given": None if given is None else schema_to_dict(given),
        "schema": schema_to_dict(replace(learnt.schema, settled=settled)),
        "statistics": learnt.statistics.to_dict(),
    }
    write(path, payload)


def schema_to_dict(schema: Schema) -> dict[str, Any]:
    """Return the JSON form of a schema, with what was settled."""
    return {
        "columns": [column_to_dict(c) for c in schema.columns],
        "classes": labels_to_dict(schema.classes),
        "declared": schema.labels.stays.tolist(),
        "target": schema.target,
        "groups": [
            {"columns": list(group), "cells": c.cells.tolist(), "stays": c.stays.tolist()}
            for group, c in zip(schema.groups, schema.combinations, strict=True)
        ],
        "settled": None if schema.settled is None else settled_to_dict(schema.settled),
    }


def schema_from_dict(data: dict[str, Any]) -> Schema:
    """Read a schema back."""
    columns = tuple(column_from_dict(c) for c in data["columns"])
    labels = Classes(labels_from_dict(data["classes"]), np.array(data["declared"], dtype=bool))
    groups = tuple(tuple(g["columns"]) for g in data["groups"])
    schema = Schema(columns, labels, data["target"])
    combinations = tuple(
        Combinations(
            tuple(columns[j].name for j in schema.members(group)),
            axes_of(columns, schema.members(group)),
            np.array(g["cells"], dtype=np.int64).reshape(-1, len(schema.members(group))),
            np.array(g["stays"], dtype=bool),
        )
        for group, g in zip(groups, data["groups"], strict=True)
    )
    settled = None if data["settled"] is None else settled_from_dict(data["settled"])
    return replace(schema, groups=groups, combinations=combinations, settled=settled)


def settled_to_dict(settled: Settled) -> dict[str, Any]:
    """Return the JSON form of what was settled."""
    return {
        "choices": [
            {"name": c.name, "distribution": encode(c.distribution), "scores": encode(dict(c.scores))}
            for c in settled.choices
        ],
        "distributions": [encode(d) for d in settled.distributions],
        "smoothing": encode(settled.smoothing),
    }


def settled_from_dict(data: dict[str, Any]) -> Settled:
    """Read what was settled."""
    choices = tuple(Choice(c["name"], decode(c["distribution"]), decode(c["scores"])) for c in data["choices"])
    return Settled(choices, tuple(decode(d) for d in data["distributions"]), decode(data["smoothing"]))


def column_to_dict(column: Column) -> dict[str, Any]:
    """Return the JSON form of a column."""
    return {
        "name": column.name,
        "kind": column.kind,
        "keeps": list(column.keeps),
        "missing": column.missing,
        "axis": None if column.axis is None else axis_to_dict(column.axis),
    }


def axis_to_dict(axis: Any) -> dict[str, Any]:
    """Return the JSON form of a column's axis."""
    if isinstance(axis, Levels):
        levels = [encode(v) for v in axis.levels.tolist()]
        kept = [level in axis.kept for level in axis.levels.tolist()]
        return {"levels": levels, "declared": axis.declared, "kept": kept}
    if isinstance(axis, Lattice):
        stays = None if axis.kept is None else axis.kept.tolist()
        return {"values": array_to_dict(axis.values), "dropped": array_to_dict(axis.dropped), "kept": stays}
    return {"edges": array_to_dict(axis.edges)}


def axis_from_dict(data: dict[str, Any]) -> Any:
    """Read a column's axis back."""
    if "levels" in data:
        levels = object_array([decode(v) for v in data["levels"]])
        kept = frozenset(level for level, k in zip(levels.tolist(), data["kept"], strict=True) if k)
        return Levels(levels, data["declared"], kept)
    if "values" in data:
        stays = None if data["kept"] is None else np.array(data["kept"], dtype=bool)
        return Lattice(array_from_dict(data["values"]), array_from_dict(data["dropped"]), stays)
    return Grid(array_from_dict(data["edges"]))


def column_from_dict(data: dict[str, Any]) -> Column:
    """Read a column back."""
    axis = None if data["axis"] is None else axis_from_dict(data["axis"])
    return Column(data["name"], data["kind"], tuple(data["keeps"]), axis, data["missing"])


def labels_to_dict(labels: Array) -> dict[str, Any]:
    """Return the JSON form of class labels, with their type."""
    dtype = "object" if labels.dtype == object else labels.dtype.str
    return {"dtype": dtype, "labels": [encode(v) for v in labels.tolist()]}


def labels_from_dict(data: dict[str, Any]) -> Array:
    """Read class labels back."""
    labels = [decode(v) for v in data["labels"]]
    if data["dtype"] == "object":
        return object_array(labels)
    dtype = np.dtype(data["dtype"])
    if dtype.kind not in "biufUS":
        raise ModelFileError(f"labels of type {dtype} are not read")
    return np.array(labels, dtype=dtype)
