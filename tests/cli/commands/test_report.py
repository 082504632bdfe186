from __future__ import annotations

import json
from pathlib import Path

import candide
from candide.report import facts


def test_a_page_of_a_model_and_its_rows(run, model):
    out = run("report", model, "requests.csv", "-o", "page.html")
    assert "page.html" in out.stdout
    page = Path("page.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "It names the right class for" in page
    assert "scored by the model that did not learn it" in page


def test_facts_are_those_of_the_library(run, model):
    run("report", model, "-o", "facts.json")
    assert json.loads(Path("facts.json").read_text("utf-8")) == facts(candide.load(model))


def test_rows_may_be_new_or_said_to_be(run, model):
    run("report", model, "requests.csv", "--new", "-o", "facts.json")
    assert json.loads(Path("facts.json").read_text("utf-8"))["performance"]["how"] == "new"
    lines = Path("requests.csv").read_text("utf-8").splitlines()
    Path("part.csv").write_text("\n".join(lines[:4]) + "\n", encoding="utf-8")
    out = run("report", model, "part.csv", "-o", "facts.json")
    assert json.loads(Path("facts.json").read_text("utf-8"))["performance"]["how"] == "unclear"
    assert "--new" in out.stderr


def test_what_moved_since_an_older_model(run, model):
    run("report", model, "requests.csv", "--against", model, "--class", "truck", "-o", "page.html")
    assert "What moved" in Path("page.html").read_text("utf-8")


def test_the_page_goes_to_standard_output(run, model):
    assert run("report", model, "-o", "-", "--title", "Desks").stdout.startswith("<!DOCTYPE html>")


def test_what_is_wrong_is_said(run, model):
    assert "there is no class 'bus'" in run("report", model, "--class", "bus", code=2).stderr
    assert "no such file" in run("report", model, "absent.csv", code=2).stderr
    assert "would be overwritten" in run("report", model, "-o", model, code=2).stderr
    assert "either learnt or new" in run("report", model, "requests.csv", "--learnt", "--new", code=2).stderr
    Path("other.csv").write_text("colour,desk\nred,car\nblue,truck\nred,car\n", encoding="utf-8")
    run("fit", "other.csv", "-t", "desk", "-o", "other.json", "--plain")
    out = run("report", model, "--against", "other.json", code=2)
    assert "the older model cannot be compared with this one: " in out.stderr
    assert not Path("report.html").exists()


def test_weights_of_rows_are_read(run, model):
    text = Path("requests.csv").read_text("utf-8").splitlines()
    Path("weighed.csv").write_text(
        "\n".join([f"{text[0]},w", *(f"{line},2" for line in text[1:])]) + "\n", encoding="utf-8"
    )
    run("report", model, "weighed.csv", "--weight", "w", "--new", "-o", "facts.json")
    assert json.loads(Path("facts.json").read_text("utf-8"))["performance"]["rows"] == 2 * (len(text) - 1)
