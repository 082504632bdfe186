"""The schema in a file: every wrong one is an error that says where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.estimator.format.sealed import X, Y, rewrite

import candide
from candide import NaiveBayes
from candide.estimator.files import ModelFileError
from candide.estimator.format.encoding import known_rules
from candide.estimator.format.entries import Entry
from candide.estimator.format.schemas import axis_to_json, column_from_json, is_lexicographic
from candide.schema.cells import Levels
from candide.schema.lattice import Grid, Lattice
from candide.schema.order import object_array
from candide.statistics.arrays import array_to_json

Schema = dict[str, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    rules = {"weight": "normal", "wheels": "bins"}
    NaiveBayes(rules, groups=[["energy", "colour", "weight"]]).fit(X, Y).save(path)
    return path


def column(j: int, **change: Any) -> Callable[[Schema], object]:
    return lambda schema: schema["columns"][j].update(change)


def without(j: int, key: str) -> Callable[[Schema], object]:
    return lambda schema: schema["columns"][j].pop(key)


def group(**change: Any) -> Callable[[Schema], object]:
    return lambda schema: schema["groups"][0].update(change)


# columns: 0 wheels (values 2, 4, 6), 1 energy (levels), 2 colour (declared levels), 3 weight (moments)
WRONG: dict[str, tuple[Callable[[Schema], object], str]] = {
    "no columns": (lambda s: s.update(columns=[]), "columns holds no column"),
    "columns in an object": (lambda s: s.update(columns={}), "columns is {}, which is no list"),
    "no classes": (lambda s: s.pop("classes"), "has no 'classes'"),
    "more than is known": (lambda s: s.update(version=1), "has a 'version', which is not known"),
    "a target of no text": (lambda s: s.update(target=3), "target is 3, which is no text"),
    "a name that is nothing": (column(0, name=None), r"columns\[0\].name is None"),
    "a name that is true": (column(0, name=True), r"columns\[0\].name is True"),
    "a name among positions": (column(0, name=0), "neither all text nor the positions"),
    "two of one name": (column(0, name="energy"), "two columns of one name"),
    "a kind of its own": (column(0, kind="xx"), r"columns\[0\].kind is 'xx'; known are symbols, numbers"),
    "symbols with values": (column(0, kind="symbols"), r"columns\[0\].kind is 'symbols', which what is kept"),
    "numbers with levels": (column(1, kind="numbers"), r"columns\[1\].kind is 'numbers', which what is kept"),
    "symbols with moments": (column(3, kind="symbols"), r"columns\[3\].kind is 'symbols', which what is kept"),
    "no part": (column(3, keeps=[]), r"columns\[3\].keeps does not hold distinct parts"),
    "a part twice": (column(3, keeps=["moments", "moments"]), "does not hold distinct parts"),
    "a part of its own": (column(3, keeps=["pairs"]), r"keeps\[0\] is 'pairs'; known are moments, log_x, totals"),
    "cells without values": (without(0, "values"), r"keeps\[0\] is 'cells'; known are moments"),
    "values without cells": (column(0, keeps=["moments"]), r"keeps\[0\] is 'moments'; known are cells"),
    "values and levels": (column(0, levels=["a"]), "which is not known here"),
    "missing as a number": (column(0, missing=1), r"missing is 1, which is no true or false"),
    "values that descend": (column(0, values=[6.0, 4.0, 2.0]), "values does not hold the ascending cells"),
    "values repeated": (column(0, values=[2.0, 2.0, 6.0]), "values does not hold the ascending cells"),
    "values of whole numbers": (column(0, values=[2, 4, 6]), "values does not hold numbers of the type float64"),
    "bits dropped of exact values": (column(0, dropped=[3, 3, 3]), "does not hold the ascending cells of a lattice"),
    "more bits than there are": (column(0, dropped=[0, 0, 99]), "dropped does not hold whole numbers from 0 to 52"),
    "more values than a lattice has": (
        lambda s: s["columns"][0].update(values=array_to_json(np.arange(20_000.0))),
        r"values has the shape \[20000\]",
    ),
    "fewer bits dropped": (column(0, dropped=[0]), r"dropped has lists of \[1\] entries, not of 3"),
    "kept beyond the values": (column(0, kept=[3]), "kept does not hold ascending positions below 3"),
    "no edges": (lambda s: s["columns"][0].update(edges=[], **s["columns"][0].pop("x", {})), "which is not known here"),
    "levels repeated": (column(1, levels=["diesel", "diesel"]), "levels does not hold ascending, distinct levels"),
    "levels not in order": (
        column(1, levels=["petrol", "diesel"]),
        "does not hold ascending, distinct levels behind the 0",
    ),
    "a level that is nothing": (column(1, levels=["diesel", None]), r"levels\[1\] is None"),
    "more declared than there are": (
        column(2, declared=10**18),
        "declared is .*, which is no whole number from 0 to 3",
    ),
    "fewer than none declared": (column(2, declared=-1), "declared is -1"),
    "a group of a stranger": (group(columns=["energy", "height"]), r"columns\[1\] is 'height', and there is no such"),
    "a group of one": (group(columns=["energy"]), "joins no counted columns"),
    "a group of a density": (group(columns=["weight", "weight"]), "joins no counted columns"),
    "a group of one twice": (group(columns=["energy", "energy"], combinations=[]), "joins a column twice"),
    "combinations out of range": (group(combinations=[[0, 9]]), "does not hold ascending, distinct combinations"),
    "combinations below zero": (group(combinations=[[-1, 0]]), "does not hold ascending, distinct combinations"),
    "combinations not in order": (group(combinations=[[1, 1], [0, 1]]), "does not hold ascending, distinct"),
    "combinations repeated": (group(combinations=[[1, 1], [1, 1]]), "does not hold ascending, distinct"),
    "combinations of three": (group(combinations=[[1, 1, 1]]), r"combinations has lists of \[3\] entries, not of 2"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_schema_that_cannot_be_is_an_error_that_says_where(name: str, path: Path) -> None:
    change, message = WRONG[name]
    rewrite(path, lambda m: change(m["schema"]))
    with pytest.raises(ModelFileError, match=rf"model\.json: model\.schema.*{message}"):
        candide.load(path)


@pytest.mark.parametrize("edges", [[2.0, 1.0], [1.0, 1.0], [1.7976931348623157e308], 3, ["a"]], ids=str)
def test_edges_that_are_no_grid_are_refused(edges: Any) -> None:
    line = {"name": "x", "kind": "numbers", "keeps": ["cells"], "edges": edges}
    with pytest.raises(ModelFileError, match=r"^model\.edges"):
        column_from_json(Entry(line), known_rules())


LATTICE = Lattice.of(np.arange(1.0, 9.0)).union(Lattice.of(np.linspace(1, 2, 20_000)))

AXES = {
    "levels": Levels(object_array(["b", "a", "c", 1.5][:3]), 2),
    "kept levels": Levels(object_array([1, 2, 3]), 0, frozenset([1, 3])),
    "all levels kept": Levels(object_array([1, 2]), 1, frozenset([1, 2])),
    "no levels": Levels(object_array([])),
    "values": Lattice.of(np.array([-1.5, 0.0, 1e300])),
    "no values": Lattice.empty(),
    "kept values": Lattice(np.array([1.0, 2.0]), np.zeros(2, np.int8), np.array([False, True])),
    "cells": LATTICE,
    "grid": Grid(np.array([0.5, 1.5])),
}


@pytest.mark.parametrize("name", AXES)
def test_axes_survive(name: str) -> None:
    axis: Any = AXES[name]
    kind = "symbols" if isinstance(axis, Levels) else "numbers"
    line = {"name": "x", "kind": kind, "keeps": ["cells"], **axis_to_json(axis, "x", known_rules())}
    again: Any = column_from_json(Entry(line), known_rules()).axis
    assert type(again) is type(axis)
    assert again.levels.tolist() == axis.levels.tolist()
    np.testing.assert_array_equal(again.stays, axis.stays)
    if isinstance(axis, Lattice):
        np.testing.assert_array_equal(again.dropped, axis.dropped)
        assert again.dropped.dtype == np.int8
    if isinstance(axis, Levels):
        assert (again.declared, again.kept) == (axis.declared, axis.kept)


def test_order_of_rows() -> None:
    assert is_lexicographic(np.array([[0, 5], [1, 0], [1, 2]]))
    assert is_lexicographic(np.zeros((0, 2), dtype=int))
    assert not is_lexicographic(np.array([[0, 5], [0, 5]]))
    assert not is_lexicographic(np.array([[1, 0], [0, 5]]))
