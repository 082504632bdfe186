"""Rows that are mappings: read by name, in any order, with what they do not hold missing."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.schema.alignment import AbsentColumns
from candide.table import read
from candide.table.mappings import json_rows

RNG = np.random.default_rng(0)
Y = RNG.choice(["no", "yes"], 200)
FRAME = pd.DataFrame(
    {
        "x": RNG.normal(size=200) + (Y == "yes"),
        "s": RNG.choice(["a", "b", "c"], 200),
        "n": RNG.integers(0, 4, 200),
        "noise": RNG.normal(size=200),
    }
)
FRAME.loc[::7, "x"] = np.nan
ROWS: list[dict[str, Any]] = [dict(row) for row in FRAME.to_dict("records")]


@pytest.mark.parametrize(
    "nb",
    [
        NaiveBayes(),
        NaiveBayes("normal"),
        NaiveBayes("lognormal", missing="level"),
        NaiveBayes("bins", missing="level"),
        NaiveBayes("kde"),
        NaiveBayes(combination="outlier"),
        NaiveBayes(unseen="error"),
        NaiveBayes(groups=[["s", "n"]], distributions={"n": "categorical"}),
    ],
    ids=repr,
)
def test_rows_answer_as_the_frame_does(nb: NaiveBayes) -> None:
    table = FRAME.assign(x=FRAME["x"].abs(), noise=FRAME["noise"].abs(), n=FRAME["n"] + 1)
    nb.fit(table, Y)
    rows = [{**row, "x": abs(row["x"]), "noise": abs(row["noise"]), "n": row["n"] + 1} for row in ROWS]
    wanted = nb.predict_log_proba(table)
    np.testing.assert_allclose(nb.predict_log_proba(rows), wanted, rtol=1e-9, atol=1e-12)
    for i in range(20):
        backwards = dict(reversed(rows[i].items()))
        np.testing.assert_allclose(nb.predict_log_proba(backwards), wanted[[i]], rtol=1e-9, atol=1e-12)
    assert nb.predict(rows[:3]).tolist() == nb.predict(table[:3]).tolist()


@pytest.mark.parametrize("extra", [[1, 2], (1, 2), {1}, {"k": 1}, np.arange(3), pd.Series([1, 2])], ids=repr)
@pytest.mark.parametrize("unseen", ["ignore", "error"])  # which are not looked up
def test_what_a_row_holds_besides_may_be_anything(extra: Any, unseen: str) -> None:
    nb = NaiveBayes(unseen=unseen).fit(FRAME, Y)
    for row in ({**ROWS[1], "tags": extra}, {"tags": extra, **ROWS[1]}):
        np.testing.assert_array_equal(nb.predict_proba(row), nb.predict_proba(ROWS[1]))
        np.testing.assert_array_equal(nb.predict_proba([row]), nb.predict_proba([ROWS[1]]))
    for row in ({**ROWS[1], "x": extra}, {**ROWS[1], "s": extra}):
        with pytest.raises(TypeError, match=r"column '[xs]' holds "):
            nb.predict(row)
    with pytest.raises(TypeError, match="column 'tags' holds "):
        NaiveBayes().fit([{**row, "tags": extra} for row in ROWS], Y)


def test_a_name_that_a_row_does_not_have_is_a_missing_cell() -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    less = {"s": "a", "n": 2}
    wanted = nb.predict_proba(pd.DataFrame({"x": [np.nan], "s": ["a"], "n": [2], "noise": [np.nan]}))
    with pytest.warns(AbsentColumns, match="'x'.*'noise'|'noise'.*'x'"):
        np.testing.assert_allclose(nb.predict_proba(less), wanted, rtol=1e-12)
    np.testing.assert_allclose(nb.predict_proba(less), wanted, rtol=1e-12)  # told once
    with pytest.warns(AbsentColumns, match="'x', 'noise'"):
        np.testing.assert_allclose(nb.predict_proba([less] * 40), np.repeat(wanted, 40, axis=0), rtol=1e-12)


@pytest.mark.parametrize("cell", ["a", " A "])  # the second is told of in the usual way, not looked up
@pytest.mark.parametrize("n", [1, 2, 40])
def test_missing_names_are_told_once_in_one_text_whatever_way_is_gone(cell: str, n: int) -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nb.predict([{"n": 2, "s": cell}] * n)
    (told,) = [str(w.message) for w in caught if issubclass(w.category, AbsentColumns)]
    assert told.startswith("the model has learnt columns that")
    assert told.endswith("'x', 'noise'")


def test_every_missing_name_is_told_once() -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    whole = {"x": 1.0, "s": "a", "n": 2, "noise": 0.0}
    with pytest.warns(AbsentColumns, match="as missing: 'noise'$"):
        nb.predict({name: cell for name, cell in whole.items() if name != "noise"})
    with pytest.warns(AbsentColumns, match="as missing: 'x'; did you mean 'X'"):
        nb.predict({"X": 1.0, "s": "a", "n": 2})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nb.predict({"s": "a", "n": 2})


@pytest.mark.parametrize("n", [2, 40])
def test_a_row_among_others_that_is_none_is_named(n: int) -> None:
    with pytest.raises(TypeError, match="row 1 of X is no dict as those before it, but 3"):
        NaiveBayes().fit(FRAME, Y).predict([{"x": 1.0}, 3, *[{"x": 1.0}] * (n - 2)])


@pytest.mark.parametrize("n", [2, 40])
def test_names_that_some_rows_do_not_have_are_told(n: int) -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    whole = {"x": 1.0, "s": "a", "n": 2, "noise": 0.0}
    with pytest.warns(AbsentColumns, match="some rows do not have.*: 'noise'$"):
        nb.predict([whole] * (n - 1) + [{k: v for k, v in whole.items() if k != "noise"}])


def test_a_name_that_was_not_learnt_is_ignored_and_told_where_it_may_be_meant() -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    row = {**ROWS[0], "q": 1.0}
    np.testing.assert_allclose(nb.predict_proba(row), nb.predict_proba(ROWS[0]))
    np.testing.assert_allclose(nb.predict_proba([row] * 40), nb.predict_proba([ROWS[0]] * 40))
    with pytest.warns(AbsentColumns, match="'noise'; did you mean 'nois'"):
        nb.predict({**{name: cell for name, cell in ROWS[0].items() if name != "noise"}, "nois": 1.0})


def test_a_cell_that_the_tables_do_not_hold_goes_the_usual_way() -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    with pytest.raises(ValueError, match="infinity"):
        nb.predict({**ROWS[0], "x": np.inf})
    wanted = nb.predict_proba(FRAME[:1].assign(s="never seen"))
    np.testing.assert_allclose(nb.predict_proba({**ROWS[0], "s": "never seen"}), wanted, rtol=1e-12)
    np.testing.assert_allclose(
        nb.predict_proba({**ROWS[1], "x": np.float32(0.5)}), nb.predict_proba(FRAME[1:2].assign(x=0.5)), rtol=1e-6
    )


def test_rows_teach_and_are_forgotten() -> None:
    nb = NaiveBayes().fit(ROWS, Y)
    whole = NaiveBayes().fit(FRAME, Y)
    np.testing.assert_allclose(nb.predict_proba(FRAME), whole.predict_proba(FRAME), rtol=1e-12)
    nb.partial_fit(ROWS[0], [Y[0]]).forget([ROWS[0]], [Y[0]])
    np.testing.assert_allclose(nb.predict_proba(ROWS), whole.predict_proba(FRAME), rtol=1e-9)


@pytest.mark.parametrize(
    ("rows", "says"),
    [([{}], "the rows are empty"), ([{1: "a"}], "names of columns are text"), ({"a": [1, 2]}, "of columns")],
)
def test_what_is_no_row_is_refused(rows: Any, says: str) -> None:
    with pytest.raises((ValueError, TypeError), match=says):
        read(rows)


def test_a_series_and_the_text_of_json_are_rows() -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    wanted = nb.predict_proba(FRAME[:2])
    np.testing.assert_allclose(nb.predict_proba(FRAME.iloc[0]), wanted[:1], rtol=1e-12)
    lines = [json.dumps(row) for row in FRAME[:2].to_dict("records")]
    for text in ("\n".join(lines), f"[{', '.join(lines)}]", "\n".join(lines).encode()):
        np.testing.assert_allclose(nb.predict_proba(text), wanted, rtol=1e-12)
    np.testing.assert_allclose(nb.predict_proba(lines[0]), wanted[:1], rtol=1e-12)
    with pytest.raises(ValueError, match="begins as JSON and is none"):
        nb.predict('{"x": 1')
    with pytest.raises(ValueError, match="no object or array of objects"):
        nb.predict("[1, 2]")


@pytest.mark.parametrize("n", [1, 10])  # looked up, and read as a table
def test_cells_that_are_text_in_some_rows_and_numbers_in_others_are_one_level(n: int) -> None:
    y = ["a", "b", "c"] * 20
    levels = NaiveBayes().fit(pd.DataFrame({"k": ["1", "2", "3"] * 20}), y)
    assert levels.predict([{"k": 1}, {"k": "2"}, {"k": 3.0}, {"k": None}][:3] * n).tolist() == ["a", "b", "c"] * n
    amounts = NaiveBayes().fit(pd.DataFrame({"k": [f"$ {i}" for i in range(60)]}), ["low"] * 30 + ["high"] * 30)
    assert amounts.predict([{"k": 1}, {"k": "$ 59"}, {"k": "2.0"}] * n).tolist() == ["low", "high", "low"] * n


def test_rows_that_are_learnt_may_mix_kinds_but_where_they_are_taken_as_they_are() -> None:
    rows, y = [{"k": 1}, {"k": "2"}] * 20, ["a", "b"] * 20
    assert NaiveBayes().fit(rows, y).predict([{"k": "1"}, {"k": 2}, {"k": 2.0}]).tolist() == ["a", "b", "b"]
    with pytest.raises(TypeError, match="mixes numbers and text"):
        NaiveBayes(reading="plain").fit(rows, y)


def test_a_cell_that_is_not_a_number_is_missing_beside_texts_and_numbers():
    frame = pd.DataFrame({"a": ["u", "v", None, "u"] * 5, "b": ["1", "2", "1", "2"] * 5})
    nb = NaiveBayes(missing="level").fit(frame, ["p", "q", "p", "q"] * 5)
    rows = [{"a": float("nan"), "b": 1}, {"a": "u", "b": "2"}, {"a": "v", "b": float("nan")}]
    same = pd.DataFrame({"a": [None, "u", "v"], "b": ["1", "2", None]})
    np.testing.assert_allclose(nb.predict_proba(rows), nb.predict_proba(same), rtol=1e-12)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '[{"a": 1}, {"a": 1, "a": 2}]', '{"a": 1}\n{"a": 1, "a": 2}'])
def test_a_key_that_stands_twice_is_refused(text):
    with pytest.raises(ValueError, match="the key 'a' stands twice"):
        json_rows(text)
