"""Models of release 0.1 that were given a schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.estimator.format.sealed import rewrite

import candide
from candide.estimator.format.entries import Entry
from candide.estimator.format.version1_given import cells_by_name, combinations_of, cut_points

GIVEN = Path(__file__).parents[1] / "models" / "version1_given.json"


def test_levels_and_combinations_are_kept_as_what_they_are() -> None:
    nb = candide.load(GIVEN)
    given, schema = nb.schema, nb.schema_
    assert given.choices == schema.choices
    assert all(not scores for scores in given.settled.scores)
    assert [column.missing for column in given.columns] == [column.missing for column in schema.columns]
    assert any(column.missing for column in given.columns)
    energy = schema.position("energy")
    assert schema.columns[energy].declared == 0
    assert schema.columns[energy].axis.stays.all()
    assert given.combinations[0].size > 0
    kept = schema.combinations[0].index(given.combinations[0])
    assert kept is not None  # the second table shows one more
    assert np.flatnonzero(schema.combinations[0].stays).tolist() == sorted(kept.tolist())


def test_a_schema_that_was_set_later_was_not_adopted(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(GIVEN.read_bytes())
    rewrite(path, lambda m: m["schema"].update(declared=[False, False, False]), version=1)
    assert not candide.load(path).schema_.labels.stays.any()


SYMBOLS = {"keeps": ["cells"], "levels": ["a", "b"], "missing": True}
NUMBERS = {"keeps": ["cells"], "values": [1.0, 2.0, 5.0, 9.0]}
CUT = {"rule": "candide.distributions.Bins", "params": {"discretizer": {"params": {"points": [6.0, 2.5]}}}}


def test_names_of_values_lead_to_cells() -> None:
    assert cells_by_name(SYMBOLS, None) == {"a": 1, "b": 2, "(missing)": 0}
    assert cells_by_name(NUMBERS, CUT) == {"(-inf, 2.5]": 1, "(2.5, 6]": 3, "(6, inf)": 4}
    assert cells_by_name({"keeps": ["cells"], "edges": [1.0, 3.0]}, CUT) == {"(-inf, 2.5]": 1, "(2.5, 6]": 2}


@pytest.mark.parametrize(
    "rule", [None, 3, {}, {"params": {}}, {"params": {"discretizer": {"params": {"points": ["a"]}}}}]
)
def test_a_rule_without_points_has_no_cuts(rule: Any) -> None:
    assert cut_points(rule) == []


def test_combinations_are_the_cells_of_their_values() -> None:
    names = [["b", "(6, inf)"], ["a", "(-inf, 2.5]"], ["z", "(6, inf)"], ["(missing)", "(2.5, 6]"], ["a"]]
    told = Entry([{"tuple": [{"tuple": name} for name in names]}])
    assert combinations_of(told, [[0, 1]], [SYMBOLS, NUMBERS], [None, CUT]) == [[[0, 3], [1, 1], [2, 4]]]
    assert combinations_of(None, [[0, 1]], [SYMBOLS, NUMBERS], []) == [[]]


def test_a_group_under_the_given_schema_answers_as_before() -> None:
    nb = candide.load(GIVEN)
    assert len(nb.schema_.groups) == 1
    theta = nb.model_.describe("energy & wheels")
    assert np.isclose(sum(theta.values()), 1.0).all()
