from __future__ import annotations

import shlex
from pathlib import Path

import candide
from candide.cli import screens


def test_the_demo_goes_through_all_its_screens(run):
    out = run("demo", "-o", "shown").stdout
    for said in ("missing (-)", "P(energy | class)", "accuracy", "majority", "true desk", "score =",
                 "credible interval", "the same answers", "candide predict"):  # fmt: skip
        assert said in out
    assert "NOT" not in out
    loaded = candide.load(Path("shown", "desk.json"))
    assert loaded.class_counts_.sum() == 1500
    held_out = run("predict", "shown/desk.json", "shown/requests.csv", "--proba").stdout
    assert held_out.count("\n") == 501


def test_the_group_that_it_joins_helps(run):
    lines = run("demo", "-o", ".").stdout.splitlines()
    apart, joined = (next(line.split() for line in lines if line.split()[:1] == [word]) for word in ("apart", "joined"))
    assert float(joined[1]) > float(apart[1])  # accuracy in percent
    assert float(joined[-1]) < float(apart[-1])  # log-loss


def test_the_commands_it_suggests_work(run, monkeypatch):
    out = run("demo", "-o", "a long name of a folder/in which one may try it all, and still see whole lines").stdout
    (folder,) = [shlex.split(line)[1] for line in out.splitlines() if line.startswith("  cd ")]
    monkeypatch.chdir(folder)
    suggested = [line.split() for line in out.splitlines() if line.startswith("  candide ")]
    assert max(len(line) for line in out.splitlines() if line.startswith("  candide ")) < 80
    assert len(suggested) == 4
    for _, *words in suggested:
        assert run(*words).stdout


def test_on_a_terminal(run, monkeypatch):
    monkeypatch.setattr(screens, "terminal", lambda: True)
    assert "─" in run("demo", "-o", ".").stdout


def test_the_folder_must_not_be_a_file(run):
    assert "is a file" in run("demo", "-o", "requests.csv", code=2).stderr
