"""Class labels and levels: kept exactly, in order, or refused where they cannot be kept."""

from __future__ import annotations

import datetime as dt
import decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes
from candide.distributions import Categorical
from candide.estimator.format.encoding import known_rules
from candide.estimator.format.entries import Entry, ModelFileError
from candide.estimator.format.labels import check_levels, classes_from_json, classes_to_json
from candide.schema.axes import Classes
from candide.schema.order import object_array


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.json"


DATES = object_array([dt.date(2020, 1, 1), dt.date(2021, 1, 1)])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (object_array([b"no", b"yes"]), r"the class label b'no' of type bytes cannot be saved"),
        (DATES, r"the class label datetime\.date\(2020, 1, 1\) of type date cannot be saved"),
        (object_array([(1, b"x"), (2, b"x")]), r"the class label \(1, b'x'\) of type tuple cannot be saved"),
    ],
    ids=str,
)
def test_labels_that_cannot_be_saved_are_refused_when_fitting_and_would_be_when_saving(
    labels: Any, message: str
) -> None:
    nb = NaiveBayes()
    with pytest.raises(TypeError, match=r"the label of row 0 is .* labels are text, booleans or whole numbers"):
        nb.fit([[1.0], [2.0]], labels)
    assert not hasattr(nb, "classes_")
    with pytest.raises(TypeError, match=f"^{message}: convert it to text or numbers before fitting"):
        classes_to_json(Classes(labels, np.zeros(2, dtype=bool)), known_rules())


@pytest.mark.parametrize("level", [dt.date(2020, 1, 1), decimal.Decimal(1), b"x"], ids=repr)
def test_declared_levels_that_cannot_be_saved_are_told_when_saving(level: Any, path: Path) -> None:
    nb = NaiveBayes(Categorical(levels=[level, "b"])).fit(pd.DataFrame({"when": ["b", "c"]}), ["u", "v"])
    kind = type(level).__name__
    with pytest.raises(TypeError, match=rf"of type {kind} cannot be saved"):
        nb.save(path)
    nb.set_params(distributions="auto")
    with pytest.raises(TypeError, match=rf"^column 'when': the level .* of type {kind} cannot be saved: convert it"):
        nb.save(path)
    assert list(path.parent.iterdir()) == []


def test_labels_may_be_tuples(path: Path) -> None:
    labels = object_array([(1, "a"), (2, "b")])
    NaiveBayes().fit([[1.0], [2.0]], labels).save(path)
    assert candide.load(path).classes_.tolist() == labels.tolist()


def read(**entry: Any) -> Classes:
    return classes_from_json(Entry(entry), known_rules())


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["a", "bcd"]),
        np.array([False, True]),
        np.array([-1, 2**60], dtype=">i8"),
        np.array([1, 2**64 - 1], dtype=np.uint64),
        np.array([-0.0, 1.0]),
        object_array([2**70, 2**70 + 1]),
        object_array(["a\0", "b"]),
        np.array([], dtype=np.int64),
    ],
    ids=repr,
)
def test_labels_survive(labels: Any) -> None:
    stays = np.arange(len(labels)) % 2 == 1
    again = classes_from_json(Entry(classes_to_json(Classes(labels, stays), known_rules())), known_rules())
    assert again.labels.tolist() == labels.tolist()
    assert again.labels.dtype == labels.dtype.newbyteorder("=")
    np.testing.assert_array_equal(again.stays, stays)


WRONG: dict[str, dict[str, Any]] = {
    "a type of many bytes": {"type": "<U250000000", "labels": ["a"]},
    "a type that is no text": {"type": [], "labels": ["a"]},
    "no list": {"type": "text", "labels": "ab"},
    "not sorted": {"type": "text", "labels": ["b", "a"]},
    "repeated": {"type": "int64", "labels": [1, 1]},
    "of two types": {"type": "object", "labels": [1, "a"]},
    "numbers as text": {"type": "text", "labels": [1, 2]},
    "truth as numbers": {"type": "int64", "labels": [False, True]},
    "whole numbers as floats": {"type": "float64", "labels": [1, 2]},
    "too large": {"type": "int8", "labels": [1, 300]},
    "beyond 64 bits": {"type": "uint64", "labels": [1, 2**64]},
    "cut": {"type": "float32", "labels": [0.1]},
    "cut text": {"type": "text", "labels": ["a\0"]},
    "nothing": {"type": "object", "labels": [None]},
    "a list": {"type": "object", "labels": [[1]]},
    "a rule": {"type": "object", "labels": [{"rule": "candide.smoothing.Laplace", "params": {}}]},
    "infinite": {"type": "float64", "labels": [1e308 * 10]},
    "declared beyond": {"type": "text", "labels": ["a"], "declared": [1]},
    "unknown": {"type": "text", "labels": ["a"], "weight": 1},
}


@pytest.mark.parametrize("name", WRONG)
def test_what_are_no_labels_is_an_error(name: str) -> None:
    with pytest.raises(ModelFileError, match=r"^model"):
        read(**WRONG[name])


@pytest.mark.parametrize(
    ("levels", "declared", "good"),
    [
        (["b", "a", "c", "d"], 2, True),
        (["b", "a"], 0, False),
        (["b", "a", "a"], 2, False),
        (["a", "a"], 2, False),
        ([1, 2.5, "a"], 0, True),
        (["a", 1], 0, False),
        ([1, True], 0, False),
        ([False, 1, 2], 0, True),
        ([], 0, True),
    ],
    ids=str,
)
def test_levels_are_distinct_and_in_order_behind_the_declared_ones(
    levels: list[Any], declared: int, good: bool
) -> None:
    if good:
        check_levels(Entry(levels), levels, declared)
    else:
        with pytest.raises(
            ModelFileError, match=r"holds a declared level twice|does not hold ascending, distinct levels"
        ):
            check_levels(Entry(levels), levels, declared)
