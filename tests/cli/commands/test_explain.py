from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

import candide
from candide.cli import screens
from candide.sources import text


def table(text: str) -> dict[str, list[str]]:
    """The lines of an explanation by their first word, cells behind it."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines()[2:] if line.strip()}


def test_contributions_add_up_to_the_scores_of_the_library(run, model):
    lines = table(run("explain", model, "requests.csv", "--row", "4").stdout)
    classes = lines["column"][1:]
    loaded = candide.load(model)
    scores = loaded.predict_joint_log_proba(pd.read_csv("requests.csv"))[4]
    for c, label in enumerate(classes):
        parts = [float(lines[name][-3 + c]) for name in ("prior", "weight", "energy", "wheels")]
        assert sum(parts) == pytest.approx(float(lines["score"][c]), abs=3e-3)
        expected = scores[loaded.classes_.tolist().index(label)]
        assert float(lines["score"][c]) == pytest.approx(expected, abs=1e-3)


def test_the_decision_and_missing_cells_are_said(run, model):
    out = run("explain", model, "requests.csv", "-r", "8").stdout
    assert out.startswith("row 8: truck, ")
    assert re.search(r" against \S+, (< )?[\d.]+ %", out.splitlines()[0])
    assert out.splitlines()[0].endswith(" is credible")
    assert table(out)["wheels"] == ["(missing)", "0.000", "0.000", "0.000"]


def test_the_row_is_found_in_a_later_batch(run, model, monkeypatch):
    whole = run("explain", model, "requests.csv", "-r", "9").stdout
    monkeypatch.setattr(text, "BLOCK_BYTES", 64)
    assert run("explain", model, "requests.csv", "-r", "9").stdout == whole


def test_a_row_beyond_the_end(run, model):
    assert "has 10 rows: there is no row 10" in run("explain", model, "requests.csv", "-r", "10", code=2).stderr
    lines = Path("requests.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("names.csv").write_text(lines[0], encoding="utf-8")
    assert run("explain", model, "names.csv", code=2).stderr == "candide: names.csv has no rows to explain\n"
    Path("one.csv").write_text("".join(lines[:2]), encoding="utf-8")
    assert "has 1 row: there is no row 1 " in run("explain", model, "one.csv", "-r", "1", code=2).stderr
    assert "'--row'" in run("explain", model, "requests.csv", "-r", "-1", code=2).stderr


def test_the_sum_adds_probabilities(run):
    run("fit", "requests.csv", "-t", "desk", "-o", "sum.json", "--preset", "summation")
    out = run("explain", "sum.json", "requests.csv").stdout
    assert "prior" not in out
    lines = table(out)
    parts = [float(lines[name][1]) for name in ("weight", "energy", "wheels")]
    assert sum(parts) == pytest.approx(float(lines["score"][0]), abs=3e-3)


def test_few_columns_are_shown_and_the_rest_is_summed(run, model):
    lines = table(run("explain", model, "requests.csv", "--top", "1").stdout)
    assert lines["2"][0] == "more"
    assert sum(map(float, (lines["prior"][0], lines["weight"][1], lines["2"][1]))) == pytest.approx(
        float(lines["score"][0]), abs=3e-3
    )


def test_contributions_of_one_name_add_up(run):
    text = "a,b,a & b,y\n" + "p,q,r,u\ns,t,w,v\np,t,r,v\n" * 2
    run("fit", "-", "-t", "y", "-o", "m.json", "--group", "a,b", stdin=text)
    out = run("explain", "m.json", "-", "--row", "1", stdin=text).stdout
    lines = [line.split() for line in out.partition("score = ")[2].splitlines()]
    parts = [float(line[-2]) for line in lines if line[:1] in (["prior"], ["a"])]
    assert len(parts) == 3
    (score,) = [float(line[-2]) for line in lines if line[:1] == ["score"]]
    assert sum(parts) == pytest.approx(score, abs=2e-3)


def test_an_impossible_row_is_pointed_out(run):
    run("fit", "requests.csv", "-t", "desk", "-o", "f.json", "--preset", "frequency")
    out = run("explain", "f.json", "-", stdin='{"weight": 180, "energy": "gas", "wheels": 4}').stdout
    assert "impossible under every class" in out


def test_only_the_most_probable_of_many_classes(run):
    text = "x,y\n" + "".join(f"a,c{i}\nb,c{i}\n" for i in range(12))
    run("fit", "-", "-t", "y", "-o", "many.json", stdin=text)
    assert "7 less probable classes" in run("explain", "many.json", "-", stdin=text).stdout
    assert "c11" in run("explain", "many.json", "-", "--all-classes", stdin=text).stdout
    run("fit", "-", "-t", "y", "-o", "six.json", stdin=text.partition("a,c6")[0])
    assert "one less probable class is not shown" in run("explain", "six.json", "-", stdin=text).stdout


def test_brackets_are_no_markup_on_a_terminal(run, monkeypatch):
    monkeypatch.setattr(screens, "terminal", lambda: True)
    text = "x[bold],y\n[red]a,u\n[/red]b,v\n"
    run("fit", "-", "-t", "y", "-o", "m.json", stdin=text)
    out = run("explain", "m.json", "-", "--row", "1", stdin=text).stdout
    assert "x[bold]" in out
    assert "[/red]b" in out


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (["--plain"], "log P(class) + the sum of log P(cell | class)"),
        ([], "log P(class) + what each cell adds, by the weights that were settled"),
        (["--plain", "--text", "energy"], "log P(class) + what each word and cell adds"),
        (["--structure", "tan"], "log P(class) + what each cell adds, given others"),
        (["--combination", "sum"], "the sum of P(class) · P(cell | class)"),
    ],
)
def test_what_is_added_up_is_said_as_it_is(run, rules, told):
    run("fit", "requests.csv", "-t", "desk", "-o", "m.json", *rules)
    assert f"score = {told}\n" in run("explain", "m.json", "requests.csv").stdout
