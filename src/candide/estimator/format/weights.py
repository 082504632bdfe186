"""Weights as JSON: by the names of classes, columns and levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.distributions.pair_tables import Coarse
from candide.estimator.format.encoding import RuleBook, decode, decode_key, encode
from candide.estimator.format.entries import Entry
from candide.estimator.format.labels import is_label, values_from_json, values_to_json
from candide.estimator.format.layout import Lines, Section
from candide.model.weights import ColumnWeight, PairWeight, Slope, Weighing, Weights
from candide.schema.order import object_array
from candide.statistics.arrays import array_to_json

Array = np.ndarray[Any, Any]

MOST_ROWS = 1 << 62


def weights_to_json(weights: Weights, rules: RuleBook) -> Section:
    """Return the JSON form of weights that were settled on rows."""
    coarse = {id(c): c for pair in weights.pairs for c in (pair.one, pair.other)}
    place = {key: i for i, key in enumerate(coarse)}
    return Section(
        rule=encode(weights.by, rules),
        rows=weights.rows,
        learnt=weights.learnt,
        labels=values_to_json(weights.labels.tolist(), rules, "the class label"),
        prior=weights.prior,
        bias=array_to_json(weights.bias),
        temperature=weights.temperature,
        columns=Lines(column_to_json(name, column, rules) for name, column in weights.columns.items()),
        cells=Lines(coarse_to_json(c, rules) for c in coarse.values()),
        pairs=Lines(
            {"cells": [place[id(pair.one)], place[id(pair.other)]], "adds": array_to_json(flat(pair.entries))}
            for pair in weights.pairs
        ),
    )


def flat(entries: Array) -> Array:
    """Return entries (..., K) as (cells, K)."""
    return entries.reshape(-1, entries.shape[-1])


def column_to_json(name: Any, column: ColumnWeight, rules: RuleBook) -> dict[str, Any]:
    """Return what was found for a column."""
    out = {"column": encode(name, rules), "shift": column.shift}
    if column.slope is not None:
        slope = column.slope
        out["slope"] = {
            "mean": slope.mean,
            "spread": slope.spread,
            "ends": [slope.low, slope.high],
            "adds": array_to_json(slope.by_class),
        }
    if column.levels:
        out |= {"levels": encode(list(column.levels), rules), "adds": array_to_json(column.by_level)}
    return out


def coarse_to_json(coarse: Coarse, rules: RuleBook) -> dict[str, Any]:
    """Return the coarse cells of a column."""
    if coarse.cuts is not None:
        return {"column": coarse.column, "cuts": array_to_json(coarse.cuts)}
    assert coarse.levels is not None
    levels = values_to_json(list(coarse.levels), rules, "the level")
    return {
        "column": coarse.column,
        "levels": levels,
        "cells": array_to_json(np.array(list(coarse.levels.values()), dtype=np.int64)),
    }


def weights_from_json(entry: Entry, rules: RuleBook) -> Weights:
    """Read weights back; every array must be of as many classes as there are labels."""
    known = ("rule", "rows", "learnt", "labels", "prior", "bias", "temperature", "columns", "cells", "pairs")
    entry.check_keys(known)
    rule = decode(entry["rule"], rules)
    if not isinstance(rule, Weighing):
        raise entry["rule"].unlike("rule of weights")
    labels = values_from_json(entry["labels"], rules)
    if len(set(labels)) < len(labels):
        raise entry["labels"].wrong("holds a label twice")
    k = len(labels)
    columns: dict[Any, ColumnWeight] = {}
    for line in entry["columns"].items():
        name = decode_key(line["column"], rules)
        if name in columns:
            raise line["column"].wrong("stands there twice")
        columns[name] = column_from_json(line, k, rules)
    coarse = [coarse_from_json(line, rules) for line in entry["cells"].items()]
    return Weights(
        object_array(labels),
        entry["prior"].number(),
        floats(entry["bias"], (k,)),
        entry["temperature"].number(),
        columns,
        tuple(pair_from_json(line, coarse, k) for line in entry["pairs"].items()),
        entry["rows"].whole(MOST_ROWS),
        entry["learnt"].number(),
        rule,
    )


def floats(entry: Entry, shape: tuple[int | None, ...]) -> Array:
    """Read finite numbers."""
    out = entry.array(shape).astype(float)
    if not np.isfinite(out).all():
        raise entry.wrong("holds a number that is not finite")
    return out


def column_from_json(entry: Entry, k: int, rules: RuleBook) -> ColumnWeight:
    """Read what was found for a column."""
    entry.check_keys(("column", "shift", "slope", "levels", "adds"))
    slope, levels = entry.get("slope"), entry.get("levels")
    line = None
    if slope is not None:
        slope.check_keys(("mean", "spread", "ends", "adds"))
        low, high = floats(slope["ends"], (2,)).tolist()
        line = Slope(slope["mean"].number(), slope["spread"].number(), low, high, floats(slope["adds"], (k,)))
    if levels is None:
        return ColumnWeight(entry["shift"].number(), line)
    found = [decode_key(item, rules) for item in levels.items()]
    for item, level in zip(levels.items(), found, strict=True):
        if level is not None and not is_label(level):
            raise item.unlike("level")
    return ColumnWeight(entry["shift"].number(), line, tuple(found), floats(entry["adds"], (len(found), k)))


def coarse_from_json(entry: Entry, rules: RuleBook) -> Coarse:
    """Read the coarse cells of a column."""
    entry.check_keys(("column", "cuts", "levels", "cells"))
    name = entry["column"].value
    if type(name) not in {str, int}:
        raise entry["column"].unlike("column")
    cuts = entry.get("cuts")
    if cuts is not None:
        found = floats(cuts, (None,))
        if (np.diff(found) <= 0).any():
            raise cuts.wrong("does not hold ascending cuts")
        return Coarse(name, cuts=found)
    levels = values_from_json(entry["levels"], rules)
    cells = entry["cells"].array((len(levels),), ("int64",)).tolist()
    if len(set(levels)) < len(levels) or any(not 0 <= cell < 256 for cell in cells):
        raise entry.wrong("does not tell the cell of each level")
    return Coarse(name, levels=dict(zip(levels, cells, strict=True)))


def pair_from_json(entry: Entry, coarse: list[Coarse], k: int) -> PairWeight:
    """Read what two columns add together."""
    entry.check_keys(("cells", "adds"))
    both = entry["cells"].array((2,), ("int64",)).tolist()
    if any(not 0 <= i < len(coarse) for i in both):
        raise entry["cells"].wrong("does not name two columns")
    one, other = (coarse[i] for i in both)
    return PairWeight(one, other, floats(entry["adds"], (one.size * other.size, k)).reshape(one.size, other.size, k))
