"""Commands and notebooks print what the pages show of them; examples in Python are doctests."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from docs.notebooks.execute import printed

import candide
from candide.cli.app import app

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "command_line.md"
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def session(text):
    """Return (command, output) of the console blocks: `$ ` starts a command, `> ` continues it."""
    lines = "\n".join(re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE)).splitlines()
    steps = []
    for line in lines:
        if line.startswith("$ "):
            steps.append(([line[2:]], []))
        elif line.startswith("> "):
            steps[-1][0].append(line[2:])
        else:
            steps[-1][1].append(line)
    return [("\n".join(command), "\n".join(output) + "\n") for command, output in steps]


def run(command):
    """Return what a command prints; ours runs in this process, which saves importing everything again."""
    if command.startswith("candide "):
        return CliRunner().invoke(app, shlex.split(command)[1:]).output
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    shell = subprocess.run(["bash", "-c", command], env={**os.environ, "PATH": path}, capture_output=True, check=True)
    return shell.stdout.decode()


def test_the_session_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps = session(PAGE.read_text(encoding="utf-8"))
    assert sum("candide " in command for command, _ in steps) >= 8
    for command, shown in steps:
        printed = run(command) + "\n"
        same = doctest.OutputChecker().check_output(shown, printed, FLAGS)
        assert same, f"$ {command}\n{printed}\nis shown as\n{shown}"


def test_the_commands_of_the_readme_run_as_printed_where_nothing_is_yet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(
        r"## Command line\n\n```sh\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE
    )
    commands = block.splitlines()
    assert len(commands) >= 8
    for line in commands:
        before, _, command = line.rpartition(" | ")
        assert command.startswith("candide "), line
        given = run(before) if before else None
        result = CliRunner().invoke(app, shlex.split(command, comments=True)[1:], input=given)
        assert result.exit_code == 0, f"$ {line}\n{result.output}"
    assert all(Path(name).stat().st_size for name in ("model.json", "routed.csv", "report.html", "week.json"))


def test_the_first_line_of_the_installation_suffices_for_the_first_example():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith("pip install"))
    assert '".[all]"' in first
    example = text[text.index("```pycon") : text.index("```\n", text.index("```pycon") + 3)]
    assert re.findall(r"^>>> (?:import|from) (\w+)", example, re.MULTILINE) == ["pandas", "candide"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            shown = "".join(text for output in cell["outputs"] for text in output["text"])
            source = "".join(cell["source"])
            assert shown == printed(source, names), source


def test_there_are_two_notebooks():
    assert len(NOTEBOOKS) == 2


def test_the_citation_is_of_this_release():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    cited = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "abstract"} <= set(cited)
    assert "authors:" in lines
    assert cited["version"] == project["version"] == candide.__version__
    assert cited["license"] == project["license"]


def test_formulas_are_set_without_a_script():
    from docs.formulas import typeset

    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")]
    formulas = [found for page in pages for found in re.findall(r"```math\n(.*?)```", page, re.DOTALL)]
    assert formulas
    for formula in formulas:
        assert typeset(formula).startswith("<p><math")


def test_public_modules_are_reached_from_the_package():
    """The reference names them; `candide.report.facts` needs no other import than the package's."""
    named = re.findall(r"^::: candide\.(\w+)$", (ROOT / "docs" / "reference.md").read_text(), re.MULTILINE)
    asked = "".join(f"candide.{name}\n" for name in named)
    subprocess.run([sys.executable, "-c", f"import candide\n{asked}"], check=True, capture_output=True)
    assert {"report", "structure", "smoothing"} <= set(named)
