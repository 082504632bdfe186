from __future__ import annotations

import pytest

import candide
from candide.cli import screens
from candide.shares import chance


def test_questions_are_those_of_the_library(run, model):
    out = run("questions", model, "energy=diesel").stdout
    found = candide.load(model).questions({"energy": "diesel"})
    assert out.startswith(f"{found.decision}, {chance(found.posterior.max())}: what to ask")
    lines = [line.split() for line in out.splitlines()[2:] if line.strip()]
    assert [line[0] for line in lines] == [q.column for q in found] == ["weight", "wheels"]
    assert [float(line[-1]) for line in lines] == pytest.approx([q.information for q in found], abs=5e-4)


def test_cells_have_the_type_of_their_column(run, model):
    out = run("questions", model, "wheels=4", "weight=1300").stdout
    found = candide.load(model).questions({"wheels": 4, "weight": 1300.0})
    assert out.startswith(f"{found.decision}, {chance(found.posterior.max())}: ")
    assert len(out.splitlines()) == 4


def test_everything_known_leaves_no_question(run, model):
    out = run("questions", model, "wheels=4", "weight=1300", "energy=petrol").stdout
    assert out.count("\n") == 1
    assert out.endswith("nothing is left to ask\n")


def test_few_are_shown(run, model):
    assert "2 more settle less" in run("questions", model, "--top", "1").stdout


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("wheel=4", "did you mean 'wheels'?"),
        ("wheels", "write COLUMN=CELL"),
        ("wheels=many", "column 'wheels' takes a number, not the text 'many'\n"),
    ],
)
def test_what_cannot_be_read_is_said(run, model, word, says):
    assert says in run("questions", model, word, code=2).stderr


def test_a_level_that_was_never_learnt_is_told(run, model):
    out = run("questions", model, "energy=petorl", "wheels=4")
    assert "note: column 'energy': there is no level 'petorl'; did you mean 'petrol'?; it says nothing" in out.stderr
    assert len(out.stderr.splitlines()) == 1
    assert "there is no level" not in run("questions", model, "energy=petrol").stderr


def test_a_column_that_is_given_twice_is_refused(run, model):
    assert "'energy' is given twice" in run("questions", model, "energy=petrol", "energy=diesel", code=2).stderr


def test_names_are_shown_as_text(run, model, monkeypatch):
    shown = []
    monkeypatch.setattr(screens, "show_table", lambda *args: shown.append(args))
    run("questions", model)
    assert shown[0][1][0] == "ask for"
