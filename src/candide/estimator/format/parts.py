"""The statistics as JSON: every part with the names of its axes, one line a column, checked as what rows can give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from math import prod
from typing import Any

import numpy as np

from candide.engines.support import LARGEST_X
from candide.estimator.format.entries import Entry
from candide.estimator.format.layout import Lines, Section
from candide.estimator.format.words import sums_from_json, sums_to_json
from candide.schema.axes import Columns
from candide.schema.cells import Cells
from candide.schema.schema import Schema
from candide.schema.tuples import TOGETHER, Tuples
from candide.statistics import Learnt, Moments, Part, Statistics, layout
from candide.statistics.arrays import array_to_json
from candide.statistics.counts import MANY, Counts
from candide.statistics.forgetting import first_of
from candide.statistics.words import Sparse

Array = np.ndarray[Any, Any]

NAMES = {"table": "counts"}
"""Arrays of a part that a file calls otherwise."""

WHOLE_OR_BROKEN, BROKEN = ("int64", "float64"), ("float64",)
"""Weights are whole until a row has a broken one; means and sums of squares never are."""

MOST_WEIGHT = {"i": 2.0**53, "f": LARGEST_X}
"""Weights that are exact as floats, in integers, and whose squares can be added up, in floats."""

MOST_SQUARES = 1e4 * LARGEST_X**2
"""Sums of squares that can be added up; those of one table are below the square of `LARGEST_X`."""


def arrays_of(part: type[Any]) -> dict[str, tuple[str, ...]]:
    """Return the names of a part's arrays, and the types that they may have."""
    return {f.name: BROKEN if f.name in {"mean", "m2"} else WHOLE_OR_BROKEN for f in fields(part)}


def columns_of(schema: Schema, part: Part) -> Iterator[tuple[str | int, int | slice]]:
    """Yield the columns that a part is kept of, with their entries on its second axis; none if it is not by column."""
    axis = schema.axes[part.axes[-1]] if len(part.axes) == 2 else None
    if isinstance(axis, Cells):
        yield from ((name, axis.slice(i)) for i, name in enumerate(axis.names))
    elif isinstance(axis, Columns):
        yield from ((name, i) for i, name in enumerate(axis.names))


# -- writing ---------------------------------------------------------------------------------------------------------


def statistics_to_json(learnt: Learnt) -> Section:
    """Return the JSON form of statistics; a part that is not there is zero."""
    out = Section()
    for name, part in layout(learnt.schema):
        if name in learnt.statistics:
            try:
                out[name] = part_to_json(part, learnt.statistics[name], learnt.schema)
            except ValueError as error:
                raise ValueError(f"the statistics cannot be saved: of {name!r}, {error}") from None
    return out


def part_to_json(part: Part, statistic: Any, schema: Schema) -> dict[str, Any]:
    """Return the axes and the arrays of a part, by column where it is kept of columns."""
    if issubclass(part.type, Sparse):
        return sums_to_json(statistic, part.axes)
    arrays = {NAMES.get(name, name): getattr(statistic, name) for name in arrays_of(part.type)}
    columns = list(columns_of(schema, part))
    if not columns:
        return {"axes": list(part.axes), **{name: array_to_json(array) for name, array in arrays.items()}}
    lines = (
        {"column": column, **{name: array_to_json(array[:, at]) for name, array in arrays.items()}}
        for column, at in columns
    )
    return Section(axes=list(part.axes), columns=Lines(lines))


# -- reading ---------------------------------------------------------------------------------------------------------


def statistics_from_json(entry: Entry, schema: Schema) -> Statistics:
    """Read the statistics of a schema back: their shapes, and signs and sums that rows can give."""
    wanted = dict(layout(schema))
    entry.check_keys(wanted)
    parts = {}
    for name, part in wanted.items():
        if name in entry.value or not part.optional:
            parts[name] = part_from_json(entry[name], part, schema)
            check_part(entry[name], parts[name], [schema.axes[axis] for axis in part.axes])
    statistics = Statistics(parts)
    check_sums(entry, statistics, schema)
    return statistics


def part_from_json(entry: Entry, part: Part, schema: Schema) -> Any:
    """Read a part back."""
    if issubclass(part.type, Sparse):
        return sums_from_json(entry, part.type, part.shape(schema), part.axes)
    arrays, columns = arrays_of(part.type), list(columns_of(schema, part))
    names = {NAMES.get(name, name): dtypes for name, dtypes in arrays.items()}
    entry.check_keys(("axes", "columns") if columns else ("axes", *names))
    if entry["axes"].value != list(part.axes):
        raise entry["axes"].wrong(f"is not {list(part.axes)}")
    shape = part.shape(schema)
    many = issubclass(part.type, Counts) and prod(shape) > MANY  # which are kept in the narrowest type
    if not columns:
        return part.type(*(entry[name].array(shape, dtypes) for name, dtypes in names.items()))
    lines = entry["columns"].items()
    if len(lines) != len(columns):
        raise entry["columns"].wrong(f"holds {len(lines)} columns, and the schema {len(columns)}")
    for line, (column, _) in zip(lines, columns, strict=True):
        line.check_keys(("column", *names))
        if line["column"].value != column:
            raise line["column"].wrong(f"is not {column!r}, the column of the schema")
    sizes = [(at.stop - at.start,) if isinstance(at, slice) else () for _, at in columns]
    return part.type(
        *(
            joined(
                entry, [line[name].array((shape[0], *n), dtypes, many) for line, n in zip(lines, sizes, strict=True)]
            )
            for name, dtypes in names.items()
        )
    )


def joined(entry: Entry, arrays: list[Array]) -> Array:
    """Return the arrays of columns side by side; all are of whole numbers, or none is."""
    if len({array.dtype.kind for array in arrays if array.size}) > 1:
        raise entry.wrong("has whole numbers in some columns and broken ones in others")
    alone = len(arrays) == 1 and arrays[0].ndim == 2  # a large one is not copied
    return arrays[0] if alone else np.column_stack(arrays)


# -- what rows can give ----------------------------------------------------------------------------------------------


def check_part(entry: Entry, part: Any, axes: list[Any]) -> None:
    """Refuse weights below zero or too large to add up, and moments that no rows have."""
    if isinstance(part, Sparse):
        return  # looked at when it was read

    def refuse(where: Array, why: str) -> None:
        if where.any():
            raise entry.wrong(f"holds, for {first_of(axes, where)}, {why}")

    weight = part.weight
    refuse(weight < 0, "a weight below zero")
    with np.errstate(over="ignore"):
        total = weight.sum(dtype=np.float64)
    if total >= MOST_WEIGHT[weight.dtype.kind]:
        refuse(weight == weight.max(initial=0), "too large a weight")
    if isinstance(part, Moments):
        refuse(part.m2 < 0, "a sum of squares below zero")
        refuse((part.n == 0) & (part.m2 > 0), "a sum of squares of no rows")
        refuse((np.abs(part.mean) > LARGEST_X) | (part.m2 > MOST_SQUARES), "squares that overflow")


def check_sums(entry: Entry, statistics: Statistics, schema: Schema) -> None:
    """Refuse whole counts that do not add up: every row is in one cell of a column and in one combination of a group.

    Broken weights are not compared: what is left of them after rows were forgotten adds up to rounding of what was.
    """
    rows = statistics["classes"].table
    for name, part in layout(schema):
        if name not in statistics or rows.dtype.kind == "f" or statistics[name].weight.dtype.kind == "f":
            continue
        weight = statistics[name].weight
        if name.startswith("words"):
            c, _ = statistics[name].places
            check_total(entry[name], schema, np.bincount(c[weight > rows[c]], minlength=len(rows)) > 0)
        elif name.startswith("joint"):
            check_total(entry[name], schema, weight.sum(axis=1) != rows)
        elif name == "cells":
            for column, at in columns_of(schema, part):
                check_total(entry[name], schema, weight[:, at].sum(axis=1) != rows, f" of column {column!r}")
        elif name in TOGETHER.values():
            axis = schema.axes[name]
            assert isinstance(axis, Tuples)
            sums = np.add.reduceat(weight, axis.offsets[:-1], axis=1) if axis.columns else rows[:, None]
            check_total(entry[name], schema, (sums != rows[:, None]).any(axis=1))
        elif "within" in name:
            joint = statistics[f"joint {name.split()[-1]}"].table
            check_total(entry[name], schema, (weight > joint).any(axis=1))
        elif name in {"moments", "log_x", "unknown"}:
            check_total(entry[name], schema, (weight > rows[:, None]).any(axis=1))


def check_total(entry: Entry, schema: Schema, wrong: Array, of: str = "") -> None:
    """Refuse a part that counts other rows of a class than there are."""
    if wrong.any():
        label = schema.labels.tell(int(wrong.argmax()))
        raise entry.wrong(f"counts other rows{of} of {label} than there are")
