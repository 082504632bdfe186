"""The axes of counted columns as JSON, in the line of the column: levels, values, edges or words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from candide import native
from candide.estimator.format.encoding import RuleBook
from candide.estimator.format.entries import Entry
from candide.estimator.format.labels import check_levels, positions_to_json, values_from_json, values_to_json
from candide.estimator.format.words import words_from_json, words_to_json
from candide.frozen import frozen
from candide.native.agreed import MANTISSA
from candide.schema.cells import CellAxis, Levels
from candide.schema.lattice import Grid, Lattice
from candide.schema.order import object_array
from candide.schema.vocabulary import Buckets, Vocabulary
from candide.statistics.arrays import array_to_json

COLUMN = ("name", "kind", "keeps", "missing")
"""What every column tells; a counted one tells its axis besides."""

MOST_EDGES = 100_000
"""Edges that a grid has at the most."""


@frozen(eq=True)
class AxisForm:
    """How a kind of axis stands in a column's line.

    Parameters
    ----------
    types : tuple of type
    kind : "symbols", "numbers" or "bags"
        What the cells of such a column are.
    keys : tuple of str
        What the line has of it; only such an axis has the first, and always.
    write, read : functions
    """

    types: tuple[type[Any], ...]
    kind: str
    keys: tuple[str, ...]
    write: Callable[[Any, str | int, RuleBook], dict[str, Any]]
    read: Callable[[Entry, RuleBook], CellAxis]


def axis_to_json(axis: CellAxis, name: str | int, rules: RuleBook) -> dict[str, Any]:
    """Return the levels, the values or the edges of a counted column, and which of them are declared or kept."""
    form = next((form for form in AXES if isinstance(axis, form.types)), None)
    if form is None:
        raise TypeError(f"column {name!r}: {type(axis).__name__} cannot be saved")
    return form.write(axis, name, rules)


def axis_from_json(entry: Entry, rules: RuleBook) -> tuple[CellAxis | None, str]:
    """Read the axis of a column, and the kind that the column then is of; without one it is not counted."""
    for form in AXES:
        if entry.get(form.keys[0]) is not None:
            entry.check_keys((*COLUMN, *form.keys))
            return form.read(entry, rules), form.kind
    entry.check_keys(COLUMN)
    return None, "numbers"


# -- each of them ----------------------------------------------------------------------------------------------------


def levels_to_json(axis: Levels, name: str | int, rules: RuleBook) -> dict[str, Any]:
    """Return the levels of a column of symbols."""
    levels = axis.levels.tolist()
    out = {"levels": values_to_json(levels, rules, f"column {name!r}: the level")}
    declared = {"declared": axis.declared} if axis.declared else {}
    kept = np.array([level in axis.kept for level in levels] if axis.kept else [], dtype=bool)
    return {**out, **declared, **positions_to_json("kept", kept)}


def levels_from_json(entry: Entry, rules: RuleBook) -> Levels:
    """Read levels back: distinct, and in order behind the declared ones."""
    levels, declared, kept = values_from_json(entry["levels"], rules), entry.get("declared"), entry.get("kept")
    n = 0 if declared is None else declared.whole(len(levels))
    check_levels(entry["levels"], levels, n)
    array = object_array(levels)
    return Levels(array, n, frozenset() if kept is None else frozenset(array[kept.mask(len(levels))].tolist()))


def lattice_to_json(axis: Lattice, *_: Any) -> dict[str, Any]:
    """Return the values or the cells of a column of numbers."""
    out = {"values": array_to_json(axis.values)}
    if not axis.exact:
        out["dropped"] = array_to_json(axis.dropped)
    return out if axis.kept is None else {**out, **positions_to_json("kept", axis.kept)}


def lattice_from_json(entry: Entry, _: RuleBook) -> Lattice:
    """Read the values or cells of a lattice back: as a lattice of all that is counted would have them."""
    values = entry["values"].array((range(native.EXACT + 1),), ("float64",))
    dropped, kept = entry.get("dropped"), entry.get("kept")
    bits = np.zeros(len(values), dtype=np.int64) if dropped is None else dropped.array((len(values),), ("int64",))
    if len(bits) and (bits.min() < 0 or bits.max() > MANTISSA):
        raise entry["dropped"].wrong(f"does not hold whole numbers from 0 to {MANTISSA}")
    cells, coarse = native.lattice(values, bits.astype(np.int8))[:2]
    if not (np.array_equal(cells, values) and np.array_equal(coarse, bits)):
        raise entry["values"].wrong("does not hold the ascending cells of a lattice")
    return Lattice(values, bits.astype(np.int8), None if kept is None else kept.mask(len(values)))


def grid_from_json(entry: Entry, _: RuleBook) -> Grid:
    """Read the edges of a grid back: ascending."""
    edges = entry["edges"].array((range(MOST_EDGES + 1),), ("float64",))
    if (edges[1:] <= edges[:-1]).any() or (edges == np.finfo(float).max).any():
        raise entry["edges"].wrong("does not hold ascending edges, with room for a number above the last")
    return Grid(edges)


AXES = [
    AxisForm((Levels,), "symbols", ("levels", "declared", "kept"), levels_to_json, levels_from_json),
    AxisForm((Lattice,), "numbers", ("values", "dropped", "kept"), lattice_to_json, lattice_from_json),
    AxisForm((Grid,), "numbers", ("edges",), lambda axis, *_: {"edges": array_to_json(axis.edges)}, grid_from_json),
    AxisForm(
        (Vocabulary, Buckets),
        "bags",
        ("analyzer", "words", "kept"),
        lambda axis, _, rules: words_to_json(axis, rules),
        words_from_json,
    ),
]
"""The axes that a column may have."""
