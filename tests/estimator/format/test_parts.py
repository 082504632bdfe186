"""The statistics in a file: shapes of the schema, and signs and sums that rows can give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.estimator.format.sealed import X, Y, payload, rewrite

import candide
from candide import NaiveBayes
from candide.estimator.files import ModelFileError
from candide.statistics.counts import MANY

Parts = dict[str, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    rules = {"weight": "normal", "wheels": "bins"}
    NaiveBayes(rules, groups=[["energy", "colour", "weight"]]).fit(X, Y).save(path)
    return path


def test_every_part_tells_its_axes_and_its_columns(path: Path) -> None:
    parts = payload(path)["statistics"]
    assert {name: part["axes"] for name, part in parts.items()} == {
        "classes": ["classes"],
        "cells": ["classes", "cells"],
        "moments": ["classes", "columns of moments"],
        "joint 0": ["classes", "combinations 0"],
        "within 0": ["classes", "combinations 0"],
    }
    assert parts["cells"]["columns"][1] == {"column": "energy", "counts": [[0, 0, 2], [0, 2, 1], [1, 0, 0]]}
    assert parts["moments"]["columns"][0]["n"] == [2, 2, 1]


def counts(part: str, value: Any) -> Callable[[Parts], object]:
    return lambda parts: parts[part].update(counts=value)


def cells(j: int, **change: Any) -> Callable[[Parts], object]:
    return lambda parts: parts["cells"]["columns"][j].update(change)


def moments(**change: Any) -> Callable[[Parts], object]:
    return lambda parts: parts["moments"]["columns"][0].update(change)


WRONG: dict[str, tuple[Callable[[Parts], object], str]] = {
    "a part too few": (lambda p: p.pop("cells"), "has no 'cells'"),
    "a part too many": (lambda p: p.update({"pairs": {}}), "has a 'pairs', which is not known here"),
    "a part of no columns": (lambda p: p.update({"totals": {"axes": []}}), "has a 'totals', which is not known here"),
    "other axes": (lambda p: p["cells"].update(axes=["cells", "classes"]), "cells.axes is not"),
    "no axes": (lambda p: p["cells"].pop("axes"), "cells has no 'axes'"),
    "classes too few": (counts("classes", [2, 3]), r"classes.counts has lists of \[2\] entries, not of 3"),
    "classes too many": (counts("classes", [2, 3, 1, 1]), r"classes.counts has lists of \[4\] entries"),
    "a class below zero": (counts("classes", [-2, 3, 1]), "classes holds, for a row of class 'bike', a weight below"),
    "beyond 64 bits": (counts("classes", [2, 3, 2**70]), "classes.counts holds a whole number beyond 64 bits"),
    "too large to add up": (counts("classes", [2**53, 3, 2**53]), "class 'bike', too large a weight"),
    "too large a float": (counts("classes", [1e308, 3.0, 1.0]), "class 'bike', too large a weight"),
    "a number that is none": (counts("classes", [None, 3, 1]), "does not hold numbers"),
    "a column too few": (lambda p: p["cells"]["columns"].pop(), "cells.columns holds 2 columns, and the schema 3"),
    "columns swapped": (lambda p: p["cells"]["columns"].reverse(), r"columns\[0\].column is not 'wheels'"),
    "other cells": (cells(1, counts=[[1, 2], [1, 2], [0, 1]]), r"columns\[1\].counts has lists of \[2\] .* not of 3"),
    "cells that do not add up": (
        cells(1, counts=[[0, 0, 2], [0, 2, 1], [1, 0, 1]]),
        "cells counts other rows of column 'energy' of class 'truck' than there are",
    ),
    "a cell below zero": (
        cells(1, counts=[[0, 0, 2], [0, 4, -1], [1, 0, 0]]),
        "cells holds, for 'petrol' in column 'energy' for class 'car', a weight below zero",
    ),
    "broken weights in one column": (
        cells(1, counts=[[0.0, 0.0, 2.0]] * 3),
        "whole numbers in some columns and broken",
    ),
    "another key": (cells(1, weights=[]), r"columns\[1\] has a 'weights', which is not known here"),
    "a weight of moments below zero": (moments(n=[-1, 2, 1]), "column 'weight' for class 'bike', a weight below zero"),
    "more numbers than rows": (
        moments(n=[3, 2, 1]),
        "moments counts other rows of column 'weight' of class 'bike'",
    ),
    "squares below zero": (moments(m2=[-1.0, 0.0, 0.0]), "class 'bike', a sum of squares below zero"),
    "squares of nothing": (moments(n=[0, 2, 1]), "class 'bike', a sum of squares of no rows"),
    "a mean too large": (moments(mean=[1e200, 0.0, 0.0]), "class 'bike', squares that overflow"),
    "squares too large": (moments(m2=[1e307, 0.0, 0.0]), "class 'bike', squares that overflow"),
    "a mean that is whole": (moments(mean=[1, 2, 3]), "mean does not hold numbers of the type float64 alone"),
    "no mean": (lambda p: p["moments"]["columns"][0].pop("mean"), r"columns\[0\] has no 'mean'"),
    "combinations that do not add up": (
        lambda p: p["joint 0"]["counts"][0].__setitem__(0, 7),
        "joint 0 counts other rows of class 'bike' than there are",
    ),
    "more numbers than in a combination": (
        lambda p: p["within 0"]["n"][0].__setitem__(0, 7),
        "within 0 counts other rows of class 'bike' than there are",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_rows_give_is_an_error_that_says_where(name: str, path: Path) -> None:
    change, message = WRONG[name]
    rewrite(path, lambda m: change(m["statistics"]))
    with pytest.raises(ModelFileError, match=rf"model\.json: model\.statistics.*{message}"):
        candide.load(path)


def test_broken_weights_need_not_add_up(path: Path) -> None:
    weight = [0.1, 0.2, 0.7, 1.3, 1.1, 0.4]
    nb = NaiveBayes({"weight": "normal"}).fit(X, Y, sample_weight=weight)
    nb = (0.3 * nb + nb).forget(X.iloc[:2], Y[:2], sample_weight=weight[:2])
    nb.save(path)
    assert candide.load(path).class_counts_.tolist() == nb.class_counts_.tolist()


def test_missing_cells_of_summed_columns_are_kept(path: Path) -> None:
    table = X[["weight", "wheels"]]
    nb = NaiveBayes("multinomial").fit(table, Y)
    nb.save(path)
    assert payload(path)["statistics"]["unknown"]["columns"][0] == {"column": "weight", "counts": [0, 1, 0]}
    again = candide.load(path)
    assert again.predict_proba(table).tolist() == nb.predict_proba(table).tolist()


def test_many_counts_stay_in_the_narrow_type_that_they_are_kept_in(tmp_path):
    n = 60_000
    levels = pd.DataFrame({"one": [f"l{i}" for i in range(n)] * 2, "number": np.arange(2 * n) % 300})
    y = np.arange(2 * n) % 21
    nb = NaiveBayes().fit(levels, y)
    nb.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    kept, found = (model.statistics_.parts["cells"].table for model in (nb, again))
    assert kept.size > MANY
    assert found.dtype.itemsize < 8
    np.testing.assert_array_equal(found, kept)
    doubled = again + again
    np.testing.assert_array_equal(doubled.statistics_.parts["cells"].table, 2 * kept.astype(np.int64))
    again.forget(levels[:100], y[:100])
    nb.forget(levels[:100], y[:100])
    np.testing.assert_array_equal(again.predict_log_proba(levels[:50]), nb.predict_log_proba(levels[:50]))
