"""A kind of axis that is new: statistics over it add, forget and are saved by the loops there are."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.schema import test_axes
from tests.schema.strategies import AXES, masks

from candide.estimator.format import axes
from candide.estimator.format.encoding import known_rules
from candide.estimator.format.entries import Entry, ModelFileError
from candide.estimator.format.schemas import schema_from_json, schema_to_json
from candide.schema.axes import ABSENT, Classes
from candide.schema.cells import CellAxis, not_alike
from candide.schema.column import Column
from candide.schema.schema import Schema
from candide.statistics import Counts, Learnt, Statistics

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Decades:
    """The missing cell, and the decades that years were seen of."""

    levels: Array
    kept: Array

    @property
    def size(self) -> int:
        return len(self.levels) + 1

    @property
    def stays(self) -> Array:
        return np.r_[True, np.isin(self.levels, self.kept)]

    def union(self, other: CellAxis) -> CellAxis:
        if not isinstance(other, Decades):
            return not_alike(self, other)
        return Decades(np.union1d(self.levels, other.levels), np.union1d(self.kept, other.kept))

    def index(self, other: CellAxis) -> Array | None:
        if np.array_equal(self.levels, other.levels):
            return None
        place = {level: v for v, level in enumerate(self.levels.tolist(), 1)}
        return np.array([0, *(place.get(level, ABSENT) for level in other.levels.tolist())])

    def take(self, keep: Array) -> CellAxis:
        return Decades(self.levels[keep[1:]], self.kept)

    def keep(self) -> CellAxis:
        return Decades(self.levels, self.levels)

    def tell(self, entry: int) -> str:
        return "a missing cell" if entry == 0 else f"the {self.levels[entry - 1]}s"


@st.composite
def decades(draw: st.DrawFn) -> Decades:
    levels = np.array(sorted(draw(st.sets(st.sampled_from(range(1950, 2030, 10))))), dtype=int)
    return Decades(levels, levels[draw(masks(len(levels)))])


FORM = axes.AxisForm(
    (Decades,),
    "numbers",
    ("decades",),
    lambda axis, *_: {"decades": axis.levels.tolist()},
    lambda entry, *_: Decades(np.array([e.whole(9999) for e in entry["decades"].items()]), np.zeros(0, dtype=int)),
)


def counted(years: list[int | None], y: list[str]) -> Learnt:
    """Count years by decade and class."""
    seen = np.unique([year // 10 * 10 for year in years if year is not None])
    axis = Decades(seen, np.zeros(0, dtype=int))
    labels, codes = np.unique(y, return_inverse=True)
    cells = [0 if year is None else 1 + int(np.searchsorted(seen, year // 10 * 10)) for year in years]
    table = np.zeros((len(labels), axis.size), dtype=np.int64)
    np.add.at(table, (codes, cells), 1)
    schema = Schema((Column("year", "numbers", ("cells",), axis),), Classes(labels, np.zeros(len(labels), dtype=bool)))
    return Learnt(schema, Statistics({"classes": Counts(table.sum(axis=1)), "cells": Counts(table)}))


def told(learnt: Learnt) -> dict[tuple[str, str], int]:
    """Return what is counted, by class and cell."""
    schema, table = learnt.schema, learnt.statistics["cells"].table
    return {
        (schema.labels.tell(c), schema.cells.tell(v)): int(table[c, v])
        for c, v in np.ndindex(*table.shape)
        if table[c, v]
    }


def axis_laws() -> list[Any]:
    """Return the laws of axes, each a function of a kind of axis."""
    tests = [law for name, law in vars(test_axes).items() if name.startswith("test_")]
    return [law for law in tests if "kind" in inspect.signature(law).parameters]


def test_a_kind_of_axis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AXES, "decades", decades())
    assert len(axis_laws()) > 5
    for law in axis_laws():
        law(kind="decades")
    a, b = counted([1987, 1992, None], ["p", "p", "q"]), counted([1995, 2004], ["q", "p"])
    both = a + b
    assert told(both) == {
        ("class 'p'", "the 1980s in column 'year'"): 1,
        ("class 'p'", "the 1990s in column 'year'"): 1,
        ("class 'p'", "the 2000s in column 'year'"): 1,
        ("class 'q'", "a missing cell in column 'year'"): 1,
        ("class 'q'", "the 1990s in column 'year'"): 1,
    }
    assert told(both) == told(b + a)
    assert told((both - b).pruned()) == told(a)
    assert (both - b).pruned().schema.columns[0].axis.size == a.schema.columns[0].axis.size
    with pytest.raises(ValueError, match="cannot forget the 2000s in column 'year': no such row was learnt"):
        a - b
    with pytest.raises(TypeError, match="column 'year': Decades cannot be saved"):
        schema_to_json(both.schema, known_rules())
    monkeypatch.setattr(axes, "AXES", [*axes.AXES, FORM])
    line = schema_to_json(both.schema, known_rules())
    again = schema_from_json(Entry(line), known_rules())
    assert told(Learnt(again, both.statistics)) == told(both)
    line["columns"][0]["decades"][0] = -1
    with pytest.raises(ModelFileError, match=r"columns\[0\].decades\[0\] is -1, which is no whole number"):
        schema_from_json(Entry(line), known_rules())
