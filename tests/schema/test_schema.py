"""The schema: columns, classes, groups, and the axes that statistics are laid out by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes
from candide.schema.axes import Classes
from candide.schema.column import Column
from candide.schema.schema import Schema

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
X = pd.DataFrame(
    {
        "k": RNG.choice(["u", "v"], 60),
        "n": RNG.normal(size=60) + 2 * Y,
        "g": RNG.gamma(2.0, size=60),
        "m": RNG.poisson(2.0, 60).astype(float),
        "b": RNG.normal(size=60) + 2 * Y,
    }
)
RULES = {"n": "normal", "g": "gamma", "m": "multinomial"}


def schema_of(nb: NaiveBayes) -> Schema:
    return nb.fit(X, Y).schema_


def test_each_part_has_the_columns_that_it_is_kept_of() -> None:
    schema = schema_of(NaiveBayes(RULES, groups=[["k", "b"]]))
    assert {part: at.tolist() for part, at in schema.kept.items()} == {
        "cells": [0, 4],
        "moments": [1, 2],
        "log_x": [2],
        "totals": [3],
    }
    assert schema.slots["moments"].tolist() == [-1, 0, 1, -1, -1]
    assert schema.keeping("words").tolist() == []
    assert list(schema.axes) == [
        "classes",
        "cells",
        "columns of moments",
        "columns of log_x",
        "columns of totals",
        "combinations 0",
    ]
    assert schema.cells.names == ("k", "b")
    assert schema.cells_of(4) == slice(3, schema.cells.size)
    assert schema.members([1, 0, 4]) == [0, 4]


def test_what_was_settled_is_asked_of_a_fitted_model() -> None:
    schema = schema_of(NaiveBayes(RULES))
    assert schema.choice("n").name == "normal"
    assert schema.score("n") == {}
    assert schema.score("b")["nothing"] < max(schema.score("b").values())
    bare = Schema(schema.columns, schema.labels)
    assert bare.choices == ()
    for ask in (bare.choice, bare.score):
        with pytest.raises(ValueError, match="nothing was settled yet"):
            ask("n")
    with pytest.raises(ValueError, match="there is no column 'z'; there are 'k', 'n'"):
        schema.score("z")


def test_scores_of_the_candidates_are_kept_in_files_with_a_given_schema_too(tmp_path: Path) -> None:
    first = NaiveBayes(RULES).fit(X, Y)
    second = NaiveBayes(RULES, schema=first.schema_).fit(X, Y)
    for nb in (first, second):
        nb.save(tmp_path / "model.json")
        again = candide.load(tmp_path / "model.json")
        for name in X:
            assert again.schema_.score(name) == nb.schema_.score(name)
            assert again.schema_.choice(name) == nb.schema_.choice(name)
    assert again.schema.score("b") == first.schema_.score("b") != {}


def test_tables_of_other_columns_are_named() -> None:
    schema = schema_of(NaiveBayes(RULES))
    with pytest.raises(ValueError, match=r"the same columns in the same order: 'b', 'z'$"):
        schema.check_names(["k", "n", "g", "m", "z"])
    with pytest.raises(ValueError, match=r"the same columns in the same order: 'n', 'k'"):
        schema.check_names(["n", "k", "g", "m", "b"])


def test_a_union_with_itself_is_itself_and_other_groups_are_refused() -> None:
    schema = schema_of(NaiveBayes(RULES))
    assert schema.union(schema) is schema
    with pytest.raises(ValueError, match="different groups of columns"):
        schema.union(schema_of(NaiveBayes(RULES, groups=[["k", "b"]])))


def test_a_long_schema_is_cut_in_print() -> None:
    labels = Classes(np.array(["p"]), np.zeros(1, dtype=bool))
    text = repr(Schema(tuple(Column(j, "numbers", ("moments",)) for j in range(25)), labels))
    assert text.startswith("Schema(classes=['p'], 0: moments, 1: moments")
    assert text.endswith("and 5 more)")
    assert "n: Normal(), g: Gamma()" in repr(schema_of(NaiveBayes(RULES)))


def test_of_many_classes_the_first_are_shown() -> None:
    schema = Schema((Column(0, "numbers", ("moments",)),), Classes(np.arange(1000), np.zeros(1000, dtype=bool)))
    assert repr(schema) == "Schema(classes=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 988 more], 0: moments)"
