"""Documents on the command line."""

from __future__ import annotations

from pathlib import Path

import candide

MAILS = """message,desk
my motorbike was stolen,bike
a helmet and a scooter,bike
"bike, helmet, ride",bike
our family car hit a wall,car
a second car for my wife,car
the car of a new driver,car
"""


def learnt(run, *more):
    Path("mails.csv").write_text(MAILS)
    return run("fit", "mails.csv", "-t", "desk", "--text", "message", "-o", "desk.json", *more)


def test_a_column_of_documents_is_fitted_and_asked(run):
    learnt(run, "--event-model", "multinomial", "--ngrams", "1,2", "--stop-words", "english", "--stem", "english")
    model = candide.load("desk.json")
    assert model.schema_.choice("message").get_params(deep=False)["ngrams"] == (1, 2)
    assert run("predict", "desk.json", "mails.csv").stdout.split()[1:] == ["bike"] * 3 + ["car"] * 3
    told = run("explain", "desk.json", "mails.csv", "--row", "3").stdout
    assert "famili car" in told
    assert "words" in run("inspect", "desk.json").stdout


def test_lines_are_answered_one_by_one(run):
    learnt(run)
    assert run("predict", "desk.json", "-", "--lines", stdin="a helmet\ncar\n").stdout.split() == ["bike", "car"]
    shown = run("predict", "desk.json", "-", "--lines", "--proba", stdin="car\n").stdout.splitlines()
    assert shown[0].split("\t") == ["prediction", "P(bike)", "P(car)"]
    assert abs(sum(map(float, shown[1].split("\t")[1:])) - 1) < 1e-5


def test_bytes_that_are_no_text_are_told_or_replaced(run):
    learnt(run)
    Path("lines.txt").write_bytes(b"a car\nbad \xff car\n")
    said = run("predict", "desk.json", "lines.txt", "--lines", code=2).stderr
    assert "lines.txt, line 2: byte 4 (0xff) is no UTF-8" in said
    assert run("predict", "desk.json", "lines.txt", "--lines", "--replace-invalid").stdout.split() == ["car", "car"]


def test_what_does_not_fit_is_said(run):
    Path("mails.csv").write_text(MAILS)
    fit = ("fit", "mails.csv", "-t", "desk", "-o", "desk.json")
    assert "did you mean 'message'" in run(*fit, "--text", "mesage", code=2).stderr
    assert "name their column by --text" in run(*fit, "--stem", "english", code=2).stderr
    assert "the least and the most words" in run(*fit, "--text", "message", "--ngrams", "x", code=2).stderr
    run(*fit, "--distribution", "message=categorical")
    assert "not one of documents" in run("predict", "desk.json", "-", "--lines", stdin="x\n", code=2).stderr
