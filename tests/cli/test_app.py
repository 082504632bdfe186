from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from candide.cli.app import COMMANDS, app


def test_every_command_is_listed_and_helps(run):
    listed = run("--help").output
    for name in COMMANDS:
        assert f"\n  {name} " in listed
        assert "Usage:" in run(name, "--help").output


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_helps_fit_80_columns(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = CliRunner().invoke(app, [*name.split(), "--help"], prog_name="candide").output.splitlines()
    assert [line for line in shown if len(line) > 80] == []


@pytest.mark.parametrize("name", ["", *COMMANDS])
@pytest.mark.parametrize("width", [48, 58, 68])
def test_helps_break_no_word(name, width):
    def words(width):
        asked = [*name.split(), "--help"]
        shown = CliRunner().invoke(app, asked, prog_name="candide", terminal_width=width).output
        return {word for part in shown.split() for word in part.split("-")}  # at its hyphens one may be

    assert words(width) <= words(98)


def test_no_command_shows_the_help(run):
    assert "Commands:" in run().output


def test_an_unknown_command_is_one_line_with_the_closest(run):
    assert "did you mean 'predict'" in run("predic", code=2).stderr


def test_a_missing_argument_is_one_line(run):
    assert "TABLE" in run("fit", code=2).stderr


def test_a_defect_is_told_in_one_line_with_code_1(run, monkeypatch):
    def broken(*_):
        return {}["no such key"]

    monkeypatch.setattr("candide.cli.models.load_model", broken)
    result = run("inspect", "model.json", code=1)
    assert "unexpected KeyError" in result.stderr
    assert "--debug" in result.stderr
    assert result.stderr.count("\n") == 1
    debugged = CliRunner().invoke(app, ["--debug", "inspect", "model.json"])
    assert isinstance(debugged.exception, KeyError)


def test_an_interruption_is_quiet(run, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("candide.cli.models.load_model", interrupted)
    assert run("inspect", "model.json", code=130).output.strip() == ""


def test_warnings_of_candide_are_notes_and_others_are_silent(run, monkeypatch):
    import warnings

    from candide.statistics.forgetting import PrecisionWarning

    def warning(*_):
        warnings.warn("few digits", PrecisionWarning, stacklevel=1)
        warnings.warn("something else", DeprecationWarning, stacklevel=1)
        raise click.Abort

    monkeypatch.setattr("candide.cli.models.load_model", warning)
    assert run("inspect", "model.json", code=130).stderr == "note: few digits\n"


@pytest.mark.parametrize("lacking", ["click", "rich"])
def test_without_the_extra_one_line_names_it(lacking):
    code = f"import sys; sys.modules[{lacking!r}] = None; from candide.cli import main; main()"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr == "candide: commands need click and rich: pip install 'candide[cli]'\n"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["fit", "requests.csv", "-t", "desk", "-t", "energy", "-o", "m.json"], "--target is given more than once"),
        (["fit", "requests.csv", "-t", "desk", "--output=m.json", "-o", "n.json"], "--output is given more than once"),
    ],
)
def test_an_option_of_one_value_that_is_given_twice_is_refused(run, given: list[str], says: str) -> None:
    assert says in run(*given, code=2).stderr
    assert not Path("m.json").exists()


def test_options_of_many_values_and_flags_may_be_given_again(run) -> None:
    run(
        "fit",
        "requests.csv",
        "-t",
        "desk",
        "-o",
        "m.json",
        "--exclude",
        "wheels",
        "--exclude",
        "energy",
        "--plain",
        "--plain",
    )
