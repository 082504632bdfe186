"""Nothing that came with the data makes a terminal do anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from candide.cli import screens
from candide.cli.layout import at_joints
from candide.cli.screens import cell, heading, note, say, show_table

EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e"


@pytest.fixture(params=[True, False], ids=["terminal", "pipe"])
def terminal(request, monkeypatch):
    monkeypatch.setattr(screens, "terminal", lambda: request.param)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")


@pytest.mark.usefixtures("terminal")
class TestEscapes:
    def check(self, shown: str) -> None:
        assert "\\x1b[2J" in "".join(shown.split())
        assert not any(character in shown for character in EVIL if not character.isprintable())

    def test_every_way_to_the_screen_spells_them_out(self, capsys):
        show_table(EVIL, ["head", EVIL], [[EVIL, 1.0]], foot=1)
        heading(EVIL)
        say(EVIL, bold=True)
        note(EVIL)
        out, err = capsys.readouterr()
        self.check(out)
        self.check(err)

    @pytest.mark.parametrize("command", ["inspect m.json --parameters", "explain m.json t.csv", "inspect m.json -c c"])
    def test_levels_labels_and_names_of_a_model(self, run, command):
        Path("t.csv").write_text(f"c{EVIL},c,y\n{EVIL},{EVIL},u{EVIL}\nb,b,v\n", encoding="utf-8")
        run("fit", "t.csv", "-t", "y", "-o", "m.json")
        self.check(run(*command.split()).stdout)

    def test_a_preview_and_an_error(self, run):
        Path("t.csv").write_text(f"c,y\na,u{EVIL}\nb,v\n", encoding="utf-8")
        run("fit", "t.csv", "-t", "y", "-o", "m.json")
        if screens.terminal():
            self.check(run("predict", "m.json", "t.csv").stdout)
        self.check(run("predict", "m.json", EVIL, code=2).stderr)
        self.check(run("inspect", "m.json", "-c", EVIL, code=2).stderr)


def test_numbers_are_shown_to_a_few_digits():
    import numpy as np

    assert [cell(value) for value in (np.float32(0.25), np.float64(1e6), 3, True, "x")] == [
        "0.25",
        "1000000",
        "3",
        "True",
        "x",
    ]


def test_a_name_that_is_too_long_goes_on_behind_a_joint(monkeypatch, capsys):
    monkeypatch.setattr(screens, "terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    name = "average_monthly_consumption_of_electricity_in_kWh"
    show_table("", ["column", f"P({name})"], [[name, "diesel " * 20], ["x" * 60, ""]])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert {"average_monthly_consumption_of_", "electricity_in_kWh", "electricity_in_kWh)"} <= set(out.split())
    assert "".join(word for word in out.split() if set(word) == {"x"}) == "x" * 60  # it has no joint


def test_two_names_that_are_too_long_together_go_on_behind_joints(monkeypatch, capsys):
    monkeypatch.setattr(screens, "terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    name = "building_windows_float_processed"
    show_table("", ["true", name], [[name, 56]])
    words = [word for word in capsys.readouterr().out.split() if set(word) != {"─"}]
    assert set(words) == {"true", "building_windows_float_", "processed", "56"}


@pytest.mark.parametrize("width", range(30, 51))
def test_a_model_and_its_parameters_go_on_behind_the_comma_or_a_dot(width):
    lines = at_joints("sklearn.linear_model.LogisticRegression,max_iter=1", width).split("\n")
    assert max(map(len, lines)) <= width
    assert lines[-1].endswith("max_iter=1")
    assert all(line.endswith((".", ",")) for line in lines[:-1])


def test_a_table_on_a_terminal_of_80_columns_breaks_no_word(monkeypatch, capsys):
    monkeypatch.setattr(screens, "terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    heads = ["column", "distribution", "values", "missing", "weight", "settles", "rank", "chosen"]
    values = "electric, petrol, diesel, hydrogen and others"
    rows = [["joined.weekday", "categorical", values, "61.67 ± 1.76", 1.1, "3 %", "< 0.001", "ignored"]]
    show_table("a title that is longer than the first of the parts, and is shown once", heads, rows)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    words = {word for text in [*heads, *map(str, rows[0])] for word in text.split()}
    assert words <= set(out.split())
    assert out.count("joined.weekday") == 2
    assert "61.67 ± 1.76" in out
    assert "< 0.001" in out
