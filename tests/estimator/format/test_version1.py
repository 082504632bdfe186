"""Files of release 0.1 are read for good: they say what they said, and keep learning."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.estimator.format.release01 import MODELS, NAMES, answers, model_file
from tests.estimator.format.sealed import X, Y, payload, rewrite

import candide
from candide import NaiveBayes, smoothing
from candide.estimator.files import ModelFileError
from candide.presets import RobustNB
from candide.schema.lattice import Grid
from candide.smoothing import Frequencies

AUTOMATIC = ("groups", "mixed")
"""Models whose file does not say what was chosen: it is chosen anew, as this release chooses."""


@pytest.mark.parametrize("name", AUTOMATIC)
def test_a_model_of_automatic_columns_chooses_anew_from_the_same_counts(name: str, tmp_path: Path) -> None:
    nb = candide.load(model_file(name, tmp_path))
    rows, y, told = answers(name)
    before = nb.predict_proba(rows)
    assert (nb.predict(rows) == np.array(told["labels"])).mean() > 0.9
    third = len(y) // 3
    counts = nb.class_counts_.tolist()
    nb.partial_fit(rows.iloc[:third], y[:third]).forget(rows.iloc[:third], y[:third])
    assert nb.class_counts_.tolist() == counts
    np.testing.assert_allclose(nb.predict_proba(rows), before, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in AUTOMATIC])
def test_a_model_says_what_it_said_and_keeps_learning(name: str, tmp_path: Path) -> None:
    nb = candide.load(model_file(name, tmp_path))
    rows, y, told = answers(name)
    np.testing.assert_allclose(nb.predict_proba(rows), told["proba"], rtol=1e-9, atol=1e-12)
    assert nb.predict(rows).tolist() == told["labels"]
    third = len(y) // 3
    nb.partial_fit(rows.iloc[:third], y[:third])
    np.testing.assert_allclose(nb.predict_proba(rows), told["learnt"], rtol=1e-9, atol=1e-12)
    nb.forget(rows.iloc[:third], y[:third])
    np.testing.assert_allclose(nb.predict_proba(rows), told["proba"], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_saved_anew_as_one_of_today(name: str, tmp_path: Path) -> None:
    nb = candide.load(model_file(name, tmp_path))
    rows, _, _ = answers(name)
    nb.predict(rows)
    nb.save(tmp_path / "new.json")
    again = candide.load(tmp_path / "new.json")
    np.testing.assert_allclose(again.predict_proba(rows), nb.predict_proba(rows), rtol=1e-12)
    assert json.loads((tmp_path / "new.json").read_text())["version"] == 2
    assert type(again) is (RobustNB if name == "robust" else NaiveBayes)


def test_the_first_file_that_was_ever_kept() -> None:
    nb = candide.load(MODELS / "version1.json")
    expected = json.loads((MODELS / "version1.expected.json").read_text())
    np.testing.assert_allclose(nb.predict_proba(X), expected, rtol=1e-12)
    nb.partial_fit(X, Y)


def test_missing_cells_are_the_first_and_moments_stand_in_one_part(tmp_path: Path) -> None:
    nb = candide.load(model_file("counts", tmp_path))
    schema, parts = nb.schema_, nb.statistics_
    old = payload(model_file("counts", tmp_path))["statistics"]
    columns = [schema.names[j] for j in schema.keeping("moments")]
    assert columns == ["weight", "speed"]  # of log x as well, and not
    np.testing.assert_array_equal(parts["moments"].mean[:, 0], old["log_moments"]["mean"]["data"])
    np.testing.assert_array_equal(parts["moments"].mean[:, 1], old["moments"]["mean"]["data"])
    np.testing.assert_array_equal(parts["log_x"].mean[:, 0], old["log_x"]["mean"]["data"])
    missing = np.array(old["missing"]["data"]).reshape(old["missing"]["shape"])
    for i, j in enumerate(schema.keeping("cells")):
        np.testing.assert_array_equal(parts["cells"].table[:, schema.cells_of(int(j)).start], missing[:, i])
    unknown = np.array(old["unknown"]["data"]).reshape(old["unknown"]["shape"])
    np.testing.assert_array_equal(parts["unknown"].table, unknown)


# -- grids -----------------------------------------------------------------------------------------------------------


def numbers(n: int) -> tuple[pd.DataFrame, Any]:
    x = np.random.default_rng(1).normal(1500, 400, n)
    return pd.DataFrame({"x": x}), (x > 1500).astype(int)


def test_a_grid_stays_a_grid_and_counts_more_numbers(tmp_path: Path) -> None:
    nb = candide.load(model_file("grid", tmp_path))
    assert isinstance(nb.schema_.columns[0].axis, Grid)
    before = nb.class_counts_.sum()
    both = nb + NaiveBayes("bins").fit(*numbers(500))
    assert both.class_counts_.sum() == before + 500
    assert nb.partial_fit(*numbers(20_000)).class_counts_.sum() == before + 20_000
    again = NaiveBayes("bins", schema=nb.schema_).fit(*numbers(20_000))
    assert (nb + again).class_counts_.sum() == before + 40_000


def test_a_grid_does_not_add_to_a_lattice_and_the_error_says_what_to_do(tmp_path: Path) -> None:
    nb = candide.load(model_file("grid", tmp_path))
    today = NaiveBayes("bins").fit(*numbers(20_000))
    for one, other in ((nb, today), (today, nb)):
        with pytest.raises(ValueError, match=r"column 'x' was counted on a grid of its own .* release 0\.1"):
            one + other


# -- what is wrong with a file ---------------------------------------------------------------------------------------

Model = dict[str, Any]

WRONG: dict[str, tuple[Callable[[Model], object], str]] = {
    "no estimator": (lambda m: m.update(estimator=[]), r"estimator is \[\], which is no text"),
    "another estimator": (lambda m: m.update(estimator="Popen"), "names the estimator 'Popen', which is not defined"),
    "another rule": (lambda m: m["params"]["smoothing"].update(rule="Popen"), "names the rule 'Popen', which is not"),
    "no statistics": (lambda m: m.pop("statistics"), "has no 'statistics'"),
    "too deep": (lambda m: m["params"].update(costs=deep(500)), "is nested in more than"),
    "labels of many bytes": (
        lambda m: m["schema"]["classes"].update(dtype="<U250000000", labels=["b", "a", "c"]),
        "does not hold ascending, distinct labels",
    ),
    "labels of objects": (lambda m: m["schema"]["classes"].update(dtype="|O8"), "dtype is '|O8'"),
    "a storage of its own": (lambda m: m["schema"]["columns"][0].update(storage="x"), r"columns\[0\].storage is 'x'"),
    "declared beyond": (lambda m: m["schema"]["columns"][1].update(declared=10**18), "declared is 1"),
    "counts below zero": (lambda m: m["statistics"]["classes"].update(data=[-1, 2, 3]), "a weight below zero"),
    "counts beyond 64 bits": (lambda m: m["statistics"]["classes"].update(data=[1, 2, 2**70]), "beyond 64 bits"),
    "another shape": (lambda m: m["statistics"]["cells"].update(shape=[1, 1]), r"has the shape \[1, 1\] and"),
    "an endless shape": (lambda m: m["statistics"]["totals"].update(shape=[2**62, 0]), "has the shape"),
    "missing cells too few": (
        lambda m: m["statistics"]["missing"].update(shape=[3, 1], data=[0, 0, 0]),
        "cells of 1 columns, and the schema",
    ),
    "moments too many": (
        lambda m: m["statistics"]["log_moments"]["n"].update(shape=[3, 1], data=[0, 0, 0]),
        "holds n of 1 columns, and the schema 0",
    ),
    "codes out of range": (lambda m: m["statistics"]["joints"][0]["codes"]["data"].__setitem__(0, 99), "combinations"),
    "joints too few": (lambda m: m["statistics"]["joints"].pop(), "holds 2 groups, and the statistics 1"),
}


def deep(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_an_error_that_says_where(name: str, tmp_path: Path) -> None:
    change, message = WRONG[name]
    path = tmp_path / "old.json"
    path.write_bytes(model_file("groups", tmp_path).read_bytes())
    rewrite(path, change, version=1)
    with pytest.raises(ModelFileError, match=rf"old\.json: model.*{message}"):
        candide.load(path)


def test_a_changed_file_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text((MODELS / "version1.json").read_text().replace('"data": [2, 3, 1]', '"data": [9, 9, 9]'))
    with pytest.raises(ModelFileError, match="damaged: its checksum"):
        candide.load(path)


@pytest.mark.parametrize("version", ["true", "1.0", '"1"'])
def test_a_version_that_only_looks_like_one_is_refused(version: str, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text((MODELS / "version1.json").read_text().replace('"version": 1', f'"version": {version}'))
    with pytest.raises(ModelFileError, match="version"):
        candide.load(path)


class Lidstone(Frequencies):
    """A rule of a user, called as one of the library is."""


class Halved(Frequencies):
    """A rule of a user."""


def test_a_bare_name_is_the_library_s_first_and_then_a_user_s(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_bytes((MODELS / "version1.json").read_bytes())
    assert type(candide.load(path).smoothing) is smoothing.Lidstone
    rewrite(path, lambda m: m["params"].update(smoothing={"rule": "Halved", "params": {}}), version=1)
    assert type(candide.load(path).smoothing) is Halved
