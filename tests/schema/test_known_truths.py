"""Yes and no in another spelling: what is learnt and forgotten later counts as what it is scored as."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.structure import TreeAugmentedNB

A = pd.DataFrame(
    {"a": ["yes", "no", "no", "yes", "no"] * 4, "b": ["u", "v", "v", "u", "u"] * 4, "y": list("pqqpp") * 4}
)
B = pd.DataFrame({"a": ["YES", "No", "yes ", "n/a"], "b": ["u", "v", "U", "v"], "y": list("pqpq")})


def same(one: NaiveBayes, other: NaiveBayes) -> bool:
    return all(
        one.model_.describe(name).keys() == other.model_.describe(name).keys()
        and np.array_equal([*one.model_.describe(name).values()], [*other.model_.describe(name).values()])
        for name in one.schema_.names
    )


def levels(nb: NaiveBayes, name: str = "a") -> list[object]:
    return nb.schema_.columns[nb.schema_.position(name)].levels.tolist()


@pytest.mark.parametrize("rows", [1, 2, 4])
def test_later_rows_are_learnt_as_they_are_scored(rows: int) -> None:
    nb = NaiveBayes().fit(A, "y")
    for start in range(0, len(B), rows):
        nb.partial_fit(B[start : start + rows], "y")
    whole = NaiveBayes().fit(pd.concat([A, B]), "y")
    assert levels(nb) == levels(whole) == ["no", "yes"]
    assert levels(nb, "b") == ["U", "u", "v"]  # no words of yes and no
    assert same(nb, whole)


def test_words_of_other_languages_and_truth_values_are_learnt_as_they_are_scored() -> None:
    nb = NaiveBayes().fit(A, "y")
    for cells in (["ja", "NEIN"], [True, False], [1, 0], [1.0, np.nan], ["1", "0"]):
        nb.partial_fit(pd.DataFrame({"a": cells, "b": ["u", "v"], "y": ["p", "q"]}), "y")
    assert levels(nb) == ["no", "yes"]
    n = nb.statistics_["cells"].table[:, nb.schema_.cells_of(0)].sum(axis=0).tolist()
    assert n == [1, 12 + 4, 8 + 5]  # missing, no, yes


def test_a_word_that_is_neither_is_a_level_and_ends_it() -> None:
    nb = NaiveBayes().fit(A, "y").partial_fit(B.assign(a=["YES", "perhaps", "no", "no"]), "y")
    assert levels(nb) == ["no", "perhaps", "yes"]
    nb.partial_fit(B.assign(a=["YES", "no", "no", "no"]), "y")
    assert levels(nb) == ["YES", "no", "perhaps", "yes"]


def test_rows_that_wait_to_be_counted_change_nothing() -> None:
    asked, never = NaiveBayes().fit(A, "y"), NaiveBayes().fit(A, "y")
    for cell in ("perhaps", "YES"):
        row = pd.DataFrame({"a": [cell], "b": ["u"], "y": ["p"]})
        asked.partial_fit(row, "y").predict(A)
        never.partial_fit(row, "y")
    assert levels(asked) == levels(never)
    assert same(asked, never)


@pytest.mark.parametrize("between", [[], ["perhaps"]])
def test_what_was_learnt_can_be_forgotten(between: list[str]) -> None:
    nb = NaiveBayes().fit(A, "y").partial_fit(B, "y")
    for cell in between:
        nb.partial_fit(pd.DataFrame({"a": [cell], "b": ["u"], "y": ["p"]}), "y")
    nb.forget(B, "y")
    for cell in between:
        nb.forget(pd.DataFrame({"a": [cell], "b": ["u"], "y": ["p"]}), "y")
    assert same(nb, NaiveBayes().fit(A, "y"))


def test_files_and_frames_that_come_one_after_the_other_are_read_alike(tmp_path: Path) -> None:
    whole = NaiveBayes().fit(pd.concat([A, B]), "y")
    B.to_csv(tmp_path / "b.csv", index=False)
    B.to_parquet(tmp_path / "b.parquet")
    for more in (tmp_path / "b.csv", tmp_path / "b.parquet", iter([B[:2], B[2:]])):
        assert same(NaiveBayes().fit(A, "y").partial_fit(more, "y"), whole)
    assert same(NaiveBayes().fit(iter([A, B]), "y"), whole)


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["ja", "nein", "no", "no"], ["no", "yes"]),
        (["Y", "n", "true", "no"], ["no", "yes"]),
        (["t", "no", "no", "no"], ["no", "t", "yes"]),
        (["1", "0", "no", "no"], ["0", "1", "no", "yes"]),
        (["off", "no", "no", "no"], ["no", "off", "yes"]),
    ],
)
def test_other_words_are_taken_alike_at_once_and_in_batches(cells: list[str], found: list[str]) -> None:
    more = B.assign(a=cells)
    assert levels(NaiveBayes().fit(pd.concat([A, more]), "y")) == found
    assert levels(NaiveBayes().fit(iter([A, more]), "y")) == found


@pytest.mark.parametrize("told", [{"reading": "plain"}, {"distributions": {"a": "categorical"}}])
def test_columns_that_are_taken_as_they_are_written_stay_so(told: dict[str, object]) -> None:
    nb = NaiveBayes(**told).fit(A, "y").partial_fit(B, "y")
    whole = NaiveBayes(**told).fit(pd.concat([A, B]), "y")
    assert levels(nb) == levels(whole)
    assert "YES" in levels(nb)
    assert same(nb, whole)


def test_structures_learn_them_as_well() -> None:
    nb = TreeAugmentedNB().fit(A, "y").partial_fit(B, "y")
    assert levels(nb) == ["no", "yes"]
    assert levels(nb.forget(B, "y")) == ["no", "yes"]
