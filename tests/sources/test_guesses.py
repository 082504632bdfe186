"""Cells of a CSV may be read as what they are guessed to be: the model is that of the cells as they are written."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests import laws

from candide import NaiveBayes
from candide.sources import Reading, csv_table, files, open_source, text
from candide.sources.guesses import guess, guessed, revised


@pytest.fixture(autouse=True)
def small_blocks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(text, "BLOCK_BYTES", 2_000)
    monkeypatch.setattr(text, "FEW_BYTES", 0)
    monkeypatch.setattr(csv_table, "SNIFFED_BYTES", 500)


def table(n=800):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {"x": rng.normal(size=n).round(3), "c": rng.choice(["p", "q", "r"], n), "id": [f"k{i}" for i in range(n)]}
    ).assign(y=rng.integers(0, 2, n))


LATE = {
    "a word": "many",
    "the word nan": "nan",
    "a plus sign": "+1.5",
    "a space": " 2.5 ",
    "nothing": "",
    "a quoted number": '"3.5"',
    "a code": "0007",
}


@pytest.mark.filterwarnings("ignore:column 'x' is taken as text")
@pytest.mark.parametrize("kept", [0, 1 << 26])
@pytest.mark.parametrize("late", LATE)
def test_a_cell_that_comes_late_is_read_as_if_it_had_come_first(monkeypatch, late, kept):
    monkeypatch.setattr(files, "KEPT_BYTES", kept)
    lines = table().to_csv(index=False).splitlines()
    lines.insert(700, f"{LATE[late]},p,k,1")
    with open("t.csv", "w") as file:  # noqa: PTH123
        file.write("\n".join(lines) + "\n")
    as_guessed = NaiveBayes(reading="plain").fit("t.csv", "y")
    monkeypatch.setattr(csv_table, "guessed", lambda *_: {})
    as_written = NaiveBayes(reading="plain").fit("t.csv", "y")
    laws.same_model(
        as_guessed,
        as_written,
        pd.DataFrame({"x": ["1.5"], "c": ["q"], "id": ["k"]})
        if late in ("a word", "the word nan")
        else pd.DataFrame({"x": [1.5], "c": ["q"], "id": ["k"]}),
    )


def test_what_was_learnt_before_tells_what_cells_are(monkeypatch):
    frame = table()
    frame.assign(c=frame["c"].map({"p": 1, "q": 2, "r": 3})).to_csv("t.csv", index=False)
    nb = NaiveBayes({"c": "categorical"}, reading="plain").fit(
        frame.assign(c=frame["c"].map({"p": "1", "q": "2", "r": "3"})), "y"
    )
    with_guesses = nb.predict_joint_log_proba(next(open_source("t.csv").batches(nb.schema_, nb.schema_.names)))
    monkeypatch.setattr(csv_table, "guessed", lambda *_: {})
    as_written = nb.predict_joint_log_proba(next(open_source("t.csv").batches(nb.schema_, nb.schema_.names)))
    np.testing.assert_array_equal(with_guesses[: len(as_written)], as_written[: len(with_guesses)])


def test_raw_cells_stay_as_they_are_written():
    table().to_csv("t.csv", index=False)
    cells = next(open_source("t.csv", Reading(target="y")).raw())
    assert {str(column.type) for column in cells.columns.values()} == {"string"}


def test_a_word_in_a_column_of_numbers_is_refused_by_row():
    frame = table()
    nb = NaiveBayes(reading="plain").fit(frame, "y")
    lines = frame.to_csv(index=False).splitlines()
    lines[650] = "many,p,k,1"
    with open("t.csv", "w") as file:  # noqa: PTH123
        file.write("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match=r"column 'x', row 649: 'many' is not a number"):
        nb.partial_fit("t.csv", "y")


def test_guesses():
    assert guess(["1.5", "2", ""], written=False) == "numbers"
    assert guess(["1.500", "2", "30"], written=False) == "text"  # thousands, perhaps
    assert guess(["1", "1", "1"], written=True) == "codes"
    assert guess(["a", "b", "c"], written=False) == "text"
    assert guess([], written=False) == guess([""], written=False) == "text"
    assert guessed(b'1.5,"a\nb"\n2,c\n3,', ["x", "s"], ",", ()) == {"x": "numbers", "s": "text"}
    assert revised({"x": "numbers", "s": "codes"}, {"x": "text"}) == {"x": "text", "s": "codes"}
