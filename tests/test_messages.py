from __future__ import annotations

import tomllib
import warnings
from pathlib import Path

import pandas as pd
import pytest

from candide import NaiveBayes
from candide.distributions import KDE
from candide.messages import EXTRAS, did_you_mean, need, unknown, visible
from candide.reading import ReadingWarning
from candide.schema.alignment import AbsentColumns
from candide.schema.same_level import NearLevels
from candide.text import TextNB


def test_unknown_names_prefer_another_case_to_another_spelling():
    assert unknown("column", "DESK", ["desk", "DISK"]).endswith("did you mean 'desk'?")


def test_names_are_offered_as_they_are():
    assert unknown("class", "1", [1, 2]) == "there is no class '1'; did you mean 1?"


def test_unknown_names_without_likeness_list_what_there_is():
    assert unknown("column", "zzz", ["a", "b"]) == "there is no column 'zzz'; there are 'a', 'b'"
    assert "and 8 more" in unknown("column", "zzz", [f"x{i}" for i in range(20)])
    assert unknown("column", "zzz", []) == "there is no column 'zzz'"


def test_names_that_came_with_the_data_are_not_told_wholesale():
    assert len(unknown("column", "z" * 5000, ["a" * 5000, "b" * 5000])) < 220
    assert len(unknown("column", "x" * 4999, ["x" * 5000])) < 160


def test_nothing_is_offered_where_nothing_is_close():
    assert did_you_mean("zzz", ["a"]) == ""


def test_every_extra_is_one_of_the_package():
    packaged = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    for extra in EXTRAS:
        assert extra in packaged["project"]["optional-dependencies"]
        assert f"candide[{extra}]" in need("things", extra)


@pytest.mark.parametrize(
    "text", ["\x1b[2J", "\x07", "a\rb", "\n", "\t", "\x7f", "\x9b31m", "\u202eabc", "\u2028", "\ud800"]
)
def test_what_a_terminal_would_obey_is_spelt_out(text):
    shown = visible(text)
    assert shown.isprintable()
    assert shown != text
    assert visible(shown) == shown


@pytest.mark.parametrize("text", ["desk", "größe", "日本", "ÿ", "P(x | c) ≤ ½", "back\\slash", "👩‍👧"])
def test_ordinary_text_stays_as_it_is(text):
    assert visible(text) == text


def test_a_second_name_of_a_rule_is_offered_too() -> None:
    with pytest.raises(ValueError, match="did you mean 'gaussian'"):
        NaiveBayes("gausian").fit([[1.0], [2.0]], ["a", "b"])


X = pd.DataFrame({"k": ["first", "second"] * 40, "day": ["01/02/2024", "03/04/2024"] * 40})
Y = ["p", "q"] * 40


@pytest.mark.parametrize(
    ("ask", "category"),
    [
        (lambda _: NaiveBayes().fit(X, Y), ReadingWarning),
        (lambda _: NaiveBayes().partial_fit(X, Y), ReadingWarning),
        (lambda nb: nb.predict({"kk": 1}), AbsentColumns),
        (lambda nb: nb.predict_proba([{"k": "first"}, {"k": "second"}]), AbsentColumns),
        (lambda nb: nb.predict_log_proba({"k": "first"}), AbsentColumns),
        (lambda nb: nb.score([{"k": "first"}], ["p"]), AbsentColumns),
        (lambda nb: nb.predict({"k": "First", "day": None}), NearLevels),
        (lambda nb: nb.explain({"k": "First", "day": None}), NearLevels),
    ],
)
def test_a_warning_is_of_the_users_line(ask, category):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nb = NaiveBayes().fit(X, Y)
    with pytest.warns(category) as told:
        ask(nb)
    assert {Path(one.filename).name for one in told if one.category is category} == {Path(__file__).name}


@pytest.mark.parametrize(
    ("model", "meant"),
    [
        (TextNB(event_model="multinomal"), "multinomial"),
        (TextNB(analyzer="chars"), "char"),
        (TextNB(smoothing="laplac"), "laplace"),
    ],
)
def test_a_parameter_that_is_nearly_known_is_told_which_was_meant(model, meant):
    with pytest.raises(ValueError, match=rf"is not known; known are .*; did you mean '{meant}'\?$"):
        model.fit(["a broken window", "a new contract"], ["claims", "sales"])


def test_a_bandwidth_that_is_nearly_known_is_told_which_was_meant():
    with pytest.raises(ValueError, match=r"a number or the name of a rule: .*did you mean 'silverman'\?$"):
        NaiveBayes(distributions=KDE(bandwidth="silvermann")).fit([[1.0], [2.0], [4.0]], [0, 1, 1]).predict([[1.0]])
