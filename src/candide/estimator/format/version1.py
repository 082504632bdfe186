"""Files of release 0.1: their payload rewritten as one of today, which is then read and checked as any other.

(a) Missing cells were counted apart; now they are the first cell of their column.
(b) Moments of x were in one part, or in another where those of log x were kept as well; now all are in one.
(c) A group's combinations stood in the statistics, -1 for a missing cell; now they are in the schema, 0 for it.
(d) Columns of more than 10,000 values were counted on a grid of their own: they still are.
(e) A rule and an estimator went by the bare name of the class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.estimator.format.addresses import AddressBook, address
from candide.estimator.format.encoding import DEEPEST, RuleBook, is_json
from candide.estimator.format.entries import Entry
from candide.estimator.format.version1_given import combinations_of, settled_of
from candide.statistics.base import COLUMN_PARTS

Array = np.ndarray[Any, Any]

KEEPS = {
    "levels": ["cells"],
    "values": ["cells"],
    "moments": ["moments"],
    "log_moments": ["moments", "log_x"],
    "totals": ["totals"],
}
"""What a column was kept as, and what it keeps now."""

STORED = {"i": "int", "u": "uint", "f": "float"}

MOST_ENTRIES = 1 << 31
"""Entries that an axis may have, even of an array that is empty along another."""


def upgraded(entry: Entry, rules: RuleBook, estimators: AddressBook[Any]) -> dict[str, Any]:
    """Return the payload of a file of release 0.1 as one of today."""
    params = entry["params"].fields()
    given = params.pop("schema", None)
    joints = entry["statistics"]["joints"].items()
    seen = [(stored_numbers(joint["codes"], 2) + 1).tolist() for joint in joints]
    schema = schema_of(entry["schema"], rules)
    return {
        "estimator": address_of(entry["estimator"], estimators),
        "parameters": {name: value(param, rules) for name, param in params.items()},
        "given": None if given is None or given.value is None else given_of(given, rules),
        "schema": {**schema, "groups": groups_of(entry["schema"], schema["columns"], seen), "settled": None},
        "statistics": statistics_of(entry["statistics"], schema["columns"], joints),
    }


# -- rules -----------------------------------------------------------------------------------------------------------


def address_of(entry: Entry, known: AddressBook[Any]) -> str:
    """Return the address of a class that goes by its bare name."""
    try:
        return address(known.bare(entry.text()))
    except ValueError as error:
        raise entry.wrong(str(error)) from None


def value(entry: Entry, rules: RuleBook, depth: int = 0) -> Any:
    """Return a parameter with the addresses of its rules."""
    if depth > DEEPEST:
        raise entry.wrong(f"is nested in more than {DEEPEST} others")
    if isinstance(entry.value, list):
        return entry.value if is_json(entry.value) else [value(item, rules, depth + 1) for item in entry.items()]
    if not isinstance(entry.value, dict):
        return entry.value
    if "rule" not in entry.value:
        return {key: value(inner, rules, depth + 1) for key, inner in entry.fields().items()}
    params = {key: value(inner, rules, depth + 1) for key, inner in entry["params"].fields().items()}
    return {"rule": address_of(entry["rule"], rules), "params": params}


# -- the schema ------------------------------------------------------------------------------------------------------


def schema_of(entry: Entry, rules: RuleBook) -> dict[str, Any]:
    """Return the classes, the target and the columns of a schema."""
    columns = [column_of(line, rules) for line in entry["columns"].items()]
    return {"classes": classes_of(entry), "target": entry["target"].value, "columns": columns}


def given_of(entry: Entry, rules: RuleBook) -> dict[str, Any]:
    """Return a schema that was given: it tells what was chosen, which columns were missing, and the combinations."""
    schema = schema_of(entry, rules)
    columns, absent, choices = schema["columns"], entry.get("absent"), entry["choices"].items()
    for column, missing in zip(columns, [] if absent is None else absent.items(), strict=False):
        column["missing"] = missing.flag()
    chosen = [value(choice, rules) for choice in choices]
    if chosen and len(chosen) != len(columns):
        raise entry["choices"].wrong(f"holds {len(chosen)} distributions, and there are {len(columns)} columns")
    groups = [indices(group, columns) for group in entry["groups"].items()]
    kept = combinations_of(entry.get("combinations"), groups, columns, chosen)
    return {**schema, "groups": groups_of(entry, columns, kept), "settled": settled_of(columns, chosen)}


def groups_of(entry: Entry, columns: list[dict[str, Any]], combinations: list[Any]) -> list[dict[str, Any]]:
    """Return the groups, by the names of their columns, with their combinations."""
    groups = entry["groups"].items()
    if len(groups) != len(combinations):
        raise entry["groups"].wrong(f"holds {len(groups)} groups, and the statistics {len(combinations)}")
    names = ([columns[j]["name"] for j in indices(group, columns)] for group in groups)
    return [{"columns": name, "combinations": cells} for name, cells in zip(names, combinations, strict=True)]


def indices(group: Entry, columns: list[Any]) -> list[int]:
    """Return the positions of a group's columns."""
    return [at.whole(len(columns) - 1) for at in group.items()]


def classes_of(entry: Entry) -> dict[str, Any]:
    """Return the class labels; their NumPy type is told by its name."""
    labels, dtype = entry["classes"]["labels"], entry["classes"]["dtype"]
    spelt = re.fullmatch(r"[<>|=]([biufU])(\d{1,9})|object", dtype.text())
    if spelt is None:
        raise dtype.unlike("type of labels")
    kind = {None: "object", "U": "text", "b": "bool"}.get(spelt[1])
    declared = [k for k, stays in enumerate(entry["declared"].items()) if stays.flag()]
    return {
        "type": kind or f"{STORED[spelt[1]]}{8 * int(spelt[2])}",
        "labels": labels.value,
        "declared": declared,
    }


def column_of(entry: Entry, rules: RuleBook) -> dict[str, Any]:
    """Return a column."""
    storage = entry["storage"].word(KEEPS)
    out = {"name": entry["name"].value, "kind": entry["kind"].value, "keeps": KEEPS[storage]}
    if storage == "values":
        key = "edges" if entry["frozen"].flag() else "values"
        return {**out, key: stored_numbers(entry["levels"], 1).astype(np.float64).tolist()}
    if storage == "levels":
        levels = entry["levels"]
        return {**out, "levels": value(levels, rules), "declared": entry["declared"].whole(len(levels.items()))}
    return out


# -- statistics ------------------------------------------------------------------------------------------------------


def stored_numbers(entry: Entry, axes: int) -> Array:
    """Return an array that was told by its type, its shape and its numbers."""
    sizes = entry["shape"].array((axes,), ("int64",)).tolist()
    whole = re.fullmatch(r"u?int\d+", entry["dtype"].text())
    flat = entry["data"].array((None,), ("int64",) if whole else ("float64",))
    if min(sizes) < 0 or max(sizes) > MOST_ENTRIES or prod(sizes) != len(flat):
        raise entry.wrong(f"has the shape {sizes} and {len(flat)} numbers")
    return flat.reshape(sizes)


def moments_of(entry: Entry) -> dict[str, Array]:
    """Return the three arrays of moments."""
    return {name: stored_numbers(entry[name], 2) for name in ("n", "mean", "m2")}


def of_columns(entry: Entry, tables: dict[str, Array], positions: list[int]) -> dict[int, dict[str, Any]]:
    """Return what tables (K, columns) hold of each column, by its position."""
    for name, table in tables.items():
        if table.shape[1] != len(positions):
            raise entry.wrong(f"holds {name} of {table.shape[1]} columns, and the schema {len(positions)}")
    return {j: {name: table[:, i].tolist() for name, table in tables.items()} for i, j in enumerate(positions)}


def statistics_of(entry: Entry, columns: list[dict[str, Any]], joints: list[Entry]) -> dict[str, Any]:
    """Return the statistics, part by part."""
    at = {part: [j for j, c in enumerate(columns) if part in c["keeps"]] for part in COLUMN_PARTS}
    log, totals, unknown = at["log_x"], entry["totals"], stored_numbers(entry["unknown"], 2)
    plain = [j for j in at["moments"] if j not in set(log)]
    kept = {
        "moments": {
            **of_columns(entry["moments"], moments_of(entry["moments"]), plain),
            **of_columns(entry["log_moments"], moments_of(entry["log_moments"]), log),
        },
        "log_x": of_columns(entry["log_x"], moments_of(entry["log_x"]), log),
        "totals": of_columns(totals, {"counts": stored_numbers(totals, 2)}, at["totals"]),
        "unknown": of_columns(entry["unknown"], {"counts": unknown}, at["totals"]) if unknown.any() else {},
    }
    lines = {part: [{"column": columns[j]["name"], **found[j]} for j in sorted(found)] for part, found in kept.items()}
    return {
        "classes": {"axes": ["classes"], "counts": stored_numbers(entry["classes"], 1).tolist()},
        "cells": counts_of_cells(entry, columns, at["cells"]),
        **{part: {"axes": list(COLUMN_PARTS[part].axes), "columns": found} for part, found in lines.items() if found},
        **{name: part for g, joint in enumerate(joints) for name, part in joint_of(g, joint)},
    }


def counts_of_cells(entry: Entry, columns: list[dict[str, Any]], positions: list[int]) -> dict[str, Any]:
    """Return the counts of the counted columns, those of the missing cell first."""
    cells, missing = stored_numbers(entry["cells"], 2), stored_numbers(entry["missing"], 2)
    ends = offsets(n_cells(columns[j]) for j in positions)
    if missing.shape[1] != len(positions) or cells.shape != (len(missing), ends[-1]):
        raise entry.wrong(f"holds {cells.shape[1]} cells of {missing.shape[1]} columns, and the schema {ends[-1]}")
    axes = list(COLUMN_PARTS["cells"].axes)
    if not positions:
        return {"axes": axes, "counts": cells.tolist()}
    lines = [
        {"column": columns[j]["name"], "counts": np.column_stack([missing[:, i], cells[:, start:stop]]).tolist()}
        for i, (j, start, stop) in enumerate(zip(positions, ends, ends[1:], strict=False))
    ]
    return {"axes": axes, "columns": lines}


def n_cells(column: dict[str, Any]) -> int:
    """Return how many cells a column had: one lies above the last edge of a grid."""
    return len(column["edges"]) + 1 if "edges" in column else len(column.get("levels", column.get("values", ())))


def joint_of(g: int, joint: Entry) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the parts of a group: the counts of its combinations, and the moments of its density within each."""
    axes = ["classes", f"combinations {g}"]
    yield f"joint {g}", {"axes": axes, "counts": stored_numbers(joint["counts"], 2).tolist()}
    if joint["density"].value is not None:
        within = moments_of(joint["density"])
        yield f"within {g}", {"axes": axes, **{name: table.tolist() for name, table in within.items()}}
