"""The statistics as JSON: every part with the names of its axes, one line a column, checked as what rows can give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from math import prod
from typing import Any

import numpy as np

from candide.engines.support import LARGEST_X
from candide.estimator.format.entries import Entry
from candide.estimator.format.layout import Lines, Section
from candide.estimator.format.words import sums_from_json, sums_to_json
from candide.frozen import frozen
from candide.schema.axes import Axis
from candide.schema.schema import Schema
from candide.statistics import Learnt, Part, Statistics, layout
from candide.statistics.arrays import array_to_json
from candide.statistics.counts import MANY
from candide.statistics.forgetting import first_of
from candide.statistics.same_rows import of_other_rows
from candide.statistics.words import Mistakes, Words

Array = np.ndarray[Any, Any]

NAMES = {"table": "counts"}
"""Arrays of a part that a file calls otherwise."""

WHOLE_OR_BROKEN, BROKEN = ("int64", "float64"), ("float64",)
"""Weights are whole until a row has a broken one; means and sums of squares never are."""

NARROW = {"table"}
"""Arrays that stay in the narrowest type where they are many."""


def arrays_of(part: type[Any]) -> dict[str, tuple[str, ...]]:
    """Return the names of a part's arrays, and the types that they may have."""
    return {f.name: BROKEN if f.name in {"mean", "m2"} else WHOLE_OR_BROKEN for f in fields(part)}


def last_axis(schema: Schema, part: Part) -> Axis:
    """Return the axis of a part that is not the classes', where it has another."""
    return schema.axes[part.axes[-1]]


# -- writing ---------------------------------------------------------------------------------------------------------


def statistics_to_json(learnt: Learnt) -> Section:
    """Return the JSON form of statistics; a part that is not there is zero."""
    out = Section()
    for name, part in layout(learnt.schema):
        if name in learnt.statistics:
            try:
                out[name] = form_of(part).write(part, learnt.statistics[name], learnt.schema)
            except ValueError as error:
                raise ValueError(f"the statistics cannot be saved: of {name!r}, {error}") from None
    return out


def arrays_to_json(part: Part, statistic: Any, schema: Schema) -> dict[str, Any]:
    """Return the axes and the arrays of a part, by column where it is kept of columns."""
    arrays = {NAMES.get(name, name): getattr(statistic, name) for name in arrays_of(part.type)}
    columns = last_axis(schema, part).by_column
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
            parts[name] = form_of(part).read(entry[name], part, schema)
            check_part(entry[name], parts[name], [schema.axes[axis] for axis in part.axes])
    statistics = Statistics(parts)
    check_sums(entry, statistics, schema)
    return statistics


def arrays_from_json(entry: Entry, part: Part, schema: Schema) -> Any:
    """Read the arrays of a part back."""
    arrays, columns = arrays_of(part.type), last_axis(schema, part).by_column
    names = {NAMES.get(name, name): dtypes for name, dtypes in arrays.items()}
    entry.check_keys(("axes", "columns") if columns else ("axes", *names))
    if entry["axes"].value != list(part.axes):
        raise entry["axes"].wrong(f"is not {list(part.axes)}")
    shape = part.shape(schema)
    many = set(arrays) <= NARROW and prod(shape) > MANY
    if not columns:
        return part.type(*(entry[name].array(shape, dtypes, many) for name, dtypes in names.items()))
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


@frozen
class PartForm:
    """How parts of some types are written and read.

    Parameters
    ----------
    write : callable
        From a part, its statistic and the schema to JSON.
    read : callable
        From an entry of a file, a part and the schema to a statistic.
    """

    write: Callable[[Part, Any, Schema], dict[str, Any]]
    read: Callable[[Entry, Part, Schema], Any]


ARRAYS = PartForm(arrays_to_json, arrays_from_json)
SUMS = PartForm(
    lambda part, statistic, _: sums_to_json(statistic, part.axes),
    lambda entry, part, schema: sums_from_json(entry, part.type, part.shape(schema), part.axes),
)

FORMS: dict[type[Any], PartForm] = {Words: SUMS, Mistakes: SUMS}
"""The forms of types that are not told array by array, as all others are."""


def form_of(part: Part) -> PartForm:
    """Return how a part is written and read."""
    return FORMS.get(part.type, ARRAYS)


# -- what rows can give ----------------------------------------------------------------------------------------------


def check_part(entry: Entry, part: Any, axes: list[Axis]) -> None:
    """Refuse what no rows give: weights below zero or too large to add up, and moments that no rows have."""
    for where, why in part.impossible(LARGEST_X):
        if where.any():
            raise entry.wrong(f"holds, for {first_of(axes, where)}, {why}")


def check_sums(entry: Entry, statistics: Statistics, schema: Schema) -> None:
    """Refuse whole counts that do not add up.

    Broken weights are not compared: what is left of them after rows were forgotten adds up to rounding of what was.
    """
    for name, of, wrong in of_other_rows(statistics, schema):
        if wrong.any():
            label = schema.labels.tell(int(wrong.argmax()))
            raise entry[name].wrong(f"counts other rows{of} of {label} than there are")
