"""The shell session of docs/command_line.md prints what it shows; examples in Python are doctests."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from candide.cli.app import app

PAGE = Path(__file__).parent.parent / "docs" / "command_line.md"
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
