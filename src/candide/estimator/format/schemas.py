"""The schema as JSON: one line a column, and the checks that make every schema that is read a possible one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from candide.estimator.format.axes import axis_from_json, axis_to_json
from candide.estimator.format.encoding import RuleBook
from candide.estimator.format.entries import SHOWN, Entry
from candide.estimator.format.labels import (
    classes_from_json,
    classes_to_json,
    positions_to_json,
)
from candide.estimator.format.layout import Lines, Section
from candide.estimator.format.reading import reading_from_json, reading_to_json
from candide.estimator.format.settling import settled_from_json, settled_to_json
from candide.schema.column import Column
from candide.schema.combinations import Combinations
from candide.schema.schema import Schema, axes_of
from candide.schema.tuples import TOGETHER, check_memory
from candide.statistics.arrays import array_to_json
from candide.statistics.base import COLUMN_PARTS

Array = np.ndarray[Any, Any]

KINDS = ("symbols", "numbers", "bags")


# -- writing ---------------------------------------------------------------------------------------------------------


def schema_to_json(schema: Schema, rules: RuleBook) -> Section:
    """Return the JSON form of a schema, with what was settled."""
    return Section(
        classes=classes_to_json(schema.labels, rules),
        target=schema.target,
        columns=Lines(column_to_json(column, rules) for column in schema.columns),
        groups=Lines(
            {"columns": [schema.names[j] for j in group], **combinations_to_json(combinations)}
            for group, combinations in zip(schema.groups, schema.combinations, strict=True)
        ),
        **({} if schema.together == 1 else {"together": schema.together}),
        **({"reading": reading_to_json(schema.reading, rules)} if schema.reading else {}),
        settled=None if schema.settled is None else settled_to_json(schema.settled, schema.names, rules),
    )


def column_to_json(column: Column, rules: RuleBook) -> dict[str, Any]:
    """Return the JSON form of a column."""
    out: dict[str, Any] = {"name": column.name, "kind": column.kind, "keeps": list(column.keeps)}
    if column.missing:
        out["missing"] = True
    return out if column.axis is None else {**out, **axis_to_json(column.axis, column.name, rules)}


def combinations_to_json(combinations: Combinations) -> dict[str, Any]:
    """Return the combinations of a group, and which of them are declared."""
    return {"combinations": array_to_json(combinations.cells), **positions_to_json("declared", combinations.stays)}


# -- reading ---------------------------------------------------------------------------------------------------------


def schema_from_json(entry: Entry, rules: RuleBook) -> Schema:
    """Read a schema back."""
    entry.check_keys(("classes", "target", "columns", "groups", "together", "reading", "settled"))
    columns = tuple(column_from_json(line, rules) for line in entry["columns"].items())
    check_names(entry["columns"], [column.name for column in columns])
    target = entry["target"]
    schema = Schema(
        columns, classes_from_json(entry["classes"], rules), None if target.value is None else target.text()
    )
    place = {name: j for j, name in enumerate(schema.names)}
    groups = tuple(group_from_json(line, schema, place) for line in entry["groups"].items())
    joined, combinations = zip(*groups, strict=True) if groups else ((), ())
    together = together_from_json(entry, schema)
    schema = replace(schema, groups=joined, combinations=combinations, together=together)
    told = entry.get("reading")
    schema = schema if told is None else replace(schema, reading=reading_from_json(told, schema, rules))
    settled = entry["settled"]
    return schema if settled.value is None else settled_from_json(settled, schema, rules)


def together_from_json(entry: Entry, schema: Schema) -> int:
    """Read how many columns are counted together: 1 where nothing is said."""
    told = entry.get("together")
    if told is None:
        return 1
    order = told.whole(max(TOGETHER))
    if order not in TOGETHER:
        raise told.wrong(f"is {order}, and columns are counted in {' or '.join(TOGETHER.values())}")
    try:
        check_memory([axis.size for axis in schema.cells.axes], len(schema.classes), order)
    except ValueError as error:
        raise told.wrong(str(error)) from None
    return order


def check_names(entry: Entry, names: list[Any]) -> None:
    """Refuse names that are not distinct texts, or the positions."""
    if not names:
        raise entry.wrong("holds no column")
    if names != list(range(len(names))) and not all(isinstance(name, str) for name in names):
        raise entry.wrong("has names that are neither all text nor the positions of the columns")
    if len(set(names)) < len(names):
        raise entry.wrong("has two columns of one name")


def uncounted() -> tuple[str, ...]:
    """Return the parts of the statistics that may be kept of a column which is not counted."""
    return tuple(name for name, part in COLUMN_PARTS.items() if name != "cells" and not part.optional)


def column_from_json(entry: Entry, rules: RuleBook) -> Column:
    """Read a column back."""
    name, missing = entry["name"].value, entry.get("missing")
    if type(name) not in {str, int}:
        raise entry["name"].unlike("text or position")
    kind = entry["kind"].word(KINDS)
    axis, counts = axis_from_json(entry, rules)
    parts = entry["keeps"].items()
    kept = ("words",) if kind == "bags" else ("cells",)
    keeps = tuple(part.word(uncounted() if axis is None else kept) for part in parts)
    if not keeps or len(set(keeps)) < len(keeps):
        raise entry["keeps"].wrong("does not hold distinct parts of the statistics")
    blank = axis is not None and axis.size == 1 and "bags" not in (kind, counts)  # which tells no kind
    if kind != counts and not blank:
        raise entry["kind"].wrong(f"is {kind!r}, which what is kept of the column does not fit")
    return Column(name, kind, keeps, axis, missing is not None and missing.flag())  # type: ignore[arg-type]  # a known word


def group_from_json(
    entry: Entry, schema: Schema, place: Mapping[str | int, int]
) -> tuple[tuple[int, ...], Combinations]:
    """Read a group back: the positions of its columns, and their combinations in lexicographic order."""
    entry.check_keys(("columns", "combinations", "declared"))
    group = tuple(position(name, place) for name in entry["columns"].items())
    members = schema.members(group)
    rest = [schema.columns[j].keeps for j in schema.densities(group)]
    if len(group) < 2 or not members or rest not in ([], [("moments",)], [("moments", "log_x")]):
        raise entry["columns"].wrong("joins no counted columns, with one at most that is kept as moments")
    if len(set(group)) < len(group):
        raise entry["columns"].wrong("joins a column twice")
    cells, declared = entry["combinations"].array((None, len(members)), ("int64",)), entry.get("declared")
    axes = axes_of(schema.columns, members)
    if (cells < 0).any() or (cells >= [axis.size for axis in axes]).any() or not is_lexicographic(cells):
        raise entry["combinations"].wrong("does not hold ascending, distinct combinations of the columns' cells")
    stays = np.zeros(len(cells), dtype=bool) if declared is None else declared.mask(len(cells))
    return group, Combinations(tuple(schema.names[j] for j in members), axes, cells, stays)


def position(entry: Entry, place: Mapping[str | int, int]) -> int:
    """Return the position of a column that is named."""
    if type(entry.value) not in {str, int} or entry.value not in place:
        raise entry.wrong(f"is {SHOWN.repr(entry.value)}, and there is no such column")
    return place[entry.value]


def is_lexicographic(rows: Array) -> bool:
    """Tell whether rows are ascending and distinct, compared from the first entry on."""
    steps = np.diff(rows, axis=0)
    first = (steps != 0).argmax(axis=1)
    return bool((steps[np.arange(len(steps)), first] > 0).all())
