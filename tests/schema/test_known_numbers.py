"""Numbers that are learnt or forgotten later are the levels that they were, in whichever spelling they come."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes

N = 12
TEXTS = ["1", "2", "x"] * (N // 3)
Y = ["a", "b"] * (N // 2)


def table(wheels, **more):
    return pd.DataFrame({"wheels": wheels, "energy": ["gas", "oil"] * (N // 2), "desk": Y, **more})


def counts(nb, column=0):
    """The levels of a column, and how often each was seen."""
    statistics = nb.statistics_["cells"].table
    axis = nb.learnt_.schema.columns[column].axis
    return dict(zip(axis.levels.tolist(), statistics[:, 1 : axis.size].sum(axis=0).tolist(), strict=True))


LATER = [
    ["1.0", "2.0", "x"] * (N // 3),
    ["1.00", "2", "x"] * (N // 3),
    [1, 2, 2] * (N // 3),
    [1.0, 2.0, np.nan] * (N // 3),
]


@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("parts", ["whole", "rows", "frames"])
def test_a_number_adds_to_the_text_that_was_learnt(later, parts):
    nb = NaiveBayes().fit(table(TEXTS), "desk")
    before = counts(nb)
    rows = table(later)
    one_by_one = [rows[i : i + 1] for i in range(N)]
    for part in {"whole": [rows], "rows": one_by_one, "frames": [iter([rows[:5], rows[5:]])]}[parts]:
        nb.partial_fit(part, "desk")
    assert set(counts(nb)) == {"1", "2", "x"}
    assert sum(counts(nb).values()) == N + rows["wheels"].notna().sum()
    assert counts(nb.forget(rows, "desk")) == before


def test_a_text_adds_to_the_number_that_was_learnt():
    nb = NaiveBayes({"wheels": "categorical"}).fit(table([1, 2, 3] * (N // 3)), "desk")
    nb.partial_fit(table(["1", "2.0", "x"] * (N // 3)), "desk")
    assert counts(nb) == {1: 8, 2: 8, 3: 4, "x": 4}


def test_a_new_number_beside_texts_is_a_text_of_which_another_spelling_is_the_same():
    nb = NaiveBayes().fit(table(TEXTS), "desk")
    nb.partial_fit(table([1, 7, 7] * (N // 3)), "desk").partial_fit(table(["7.0", "1", "2"] * (N // 3)), "desk")
    assert counts(nb) == {"1": 12, "2": 8, "7": 12, "x": 4}


@pytest.mark.parametrize("how", [{"reading": "plain"}, {"distributions": {"wheels": "categorical"}}])
def test_texts_that_are_taken_as_they_are_written_stay_apart_as_in_one_table(how):
    later = table(["1.0", "2", "x"] * (N // 3))
    parts = NaiveBayes(**how).fit(table(TEXTS), "desk").partial_fit(later, "desk")
    whole = NaiveBayes(**how).fit(pd.concat([table(TEXTS), later]), "desk")
    assert counts(parts) == counts(whole)
    assert counts(parts)["1.0"] == N // 3
    assert set(counts(parts.partial_fit(table([1, 2, 2] * (N // 3)), "desk"))) == {"1", "1.0", "2", "x"}


def test_codes_and_declared_categories_stay_what_they_are():
    nb = NaiveBayes().fit(table(TEXTS), "desk").partial_fit(table(["01", "2", "x"] * (N // 3)), "desk")
    assert set(counts(nb)) == {"01", "1", "2", "x"}
    nb.partial_fit(table(pd.Categorical(["1.0", "2", "x"] * (N // 3))), "desk")
    assert "1.0" in counts(nb)


def test_an_array_of_numbers_adds_to_an_array_of_texts():
    nb = NaiveBayes().fit(np.array(TEXTS)[:, None], Y).partial_fit(np.array([[1], [2]] * (N // 2)), Y)
    assert counts(nb) == {"1": 10, "2": 10, "x": 4}


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def numbered(tmp_path, monkeypatch):
    """A model of levels that are numbers, learnt from a file."""
    monkeypatch.chdir(tmp_path)
    table([1, 2, 4] * (N // 3)).to_csv("t.csv", index=False)
    return NaiveBayes({"wheels": "categorical"}).fit("t.csv", "desk")


@pytest.mark.parametrize("ending", ["csv", "ndjson"])
def test_a_word_among_levels_that_are_numbers_is_an_unseen_level_in_files_too(numbered, ending):
    rows = [{"wheels": wheels, "energy": "gas"} for wheels in ("two", "2", "?")]
    if ending == "csv":
        pd.DataFrame(rows).to_csv("new.csv", index=False)
    else:
        Path("new.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (batch,) = numbered.predict_batches(f"new.{ending}", proba=True)
    found = np.column_stack([batch[name] for name in batch.schema.names if name != "prediction"]).astype(float)
    known = [{"wheels": wheels, "energy": "gas"} for wheels in (None, 2, None)]
    np.testing.assert_allclose(found, numbered.predict_proba(known))


def test_a_word_among_levels_that_are_numbers_is_learnt_and_forgotten_from_files(numbered):
    before = counts(numbered)
    table(["two", "2", "4.0"] * (N // 3)).to_csv("later.csv", index=False)
    numbered.partial_fit("later.csv", "desk")
    assert counts(numbered) == {1.0: 4, 2.0: 8, 4.0: 8, "two": 4}
    numbered.save("model.json")
    assert counts(candide.load("model.json").forget("later.csv", "desk")) == before
