"""Model files: plain, versioned, checksummed JSON, written atomically. Nothing in a file is ever executed."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from candide.rules import Rule
from candide.schema.schema import Column, Schema, object_array
from candide.statistics.arrays import array_from_dict, array_to_dict
from candide.writing import replacing

Array = np.ndarray[Any, Any]

FORMAT, VERSION = "candide.model", 1


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


def schema_to_dict(schema: Schema) -> dict[str, Any]:
    """Return the JSON form of a schema."""
    return {
        "columns": [column_to_dict(c) for c in schema.columns],
        "classes": labels_to_dict(schema.classes),
        "declared": schema.declared.tolist(),
        "target": schema.target,
        "groups": [list(g) for g in schema.groups],
        "choices": [encode(c) for c in schema.choices],
        "absent": list(schema.absent),
        "combinations": encode(list(schema.combinations)),
    }


def schema_from_dict(data: dict[str, Any]) -> Schema:
    """Read a schema back."""
    return Schema(
        columns=tuple(column_from_dict(c) for c in data["columns"]),
        classes=labels_from_dict(data["classes"]),
        declared=np.array(data["declared"], dtype=bool),
        target=data["target"],
        groups=tuple(tuple(g) for g in data["groups"]),
        choices=tuple(decode(c) for c in data["choices"]),
        absent=tuple(data.get("absent", ())),
        combinations=tuple(decode(data.get("combinations", []))),
    )


def column_to_dict(column: Column) -> dict[str, Any]:
    """Return the JSON form of a column."""
    levels: Any = None
    if column.levels is not None:
        levels = (
            array_to_dict(column.levels) if column.storage == "values" else [encode(v) for v in column.levels.tolist()]
        )
    return {
        "name": column.name,
        "kind": column.kind,
        "storage": column.storage,
        "levels": levels,
        "declared": column.declared,
        "frozen": column.frozen,
    }


def column_from_dict(data: dict[str, Any]) -> Column:
    """Read a column back."""
    levels = data["levels"]
    if levels is not None:
        levels = array_from_dict(levels) if data["storage"] == "values" else object_array([decode(v) for v in levels])
    return Column(data["name"], data["kind"], data["storage"], levels, data["declared"], data["frozen"])


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
