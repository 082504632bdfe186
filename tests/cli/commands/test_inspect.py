from __future__ import annotations

import re
from pathlib import Path

import pytest

import candide
from candide.cli import screens
from candide.cli.commands.inspect import few_items
from candide.report.columns import distribution_name


def test_rules_classes_and_columns_are_shown(run, model):
    out = run("inspect", model).stdout
    assert "smoothing='laplace'" in out
    assert "learnt from 10 rows; target 'desk'" in out
    assert "car       4  0.3846" in out  # (4 + 1) / (10 + 3)
    assert "diesel, electric, gas, petrol" in out
    weight = next(line for line in out.splitlines() if line.startswith("weight"))
    assert weight.split() == ["weight", "numeric", "lognormal", "1"]


def test_parameters_of_a_column(run, model):
    out = run("inspect", model, "--column", "energy").stdout
    # bike: petrol twice of three known cells, four levels
    assert next(line for line in out.splitlines() if line.startswith("petrol")).split()[1] == f"{3 / 7:.5g}"
    assert "weight" not in out


def test_parameters_of_all_columns(run):
    rules = ("--distribution", "weight=lognormal", "--distribution", "wheels=bins")
    run("fit", "requests.csv", "-t", "desk", "-o", "m.json", *rules)
    out = run("inspect", "m.json", "--parameters").stdout
    places = [out.index(title) for title in ("weight: parameters", "P(energy | class)", "P(wheels | class)")]
    assert places == sorted(places)


@pytest.mark.parametrize("rule", ["smooth", "equal-width(4)"])
def test_intervals_have_their_short_names(run, rule):
    run("fit", "requests.csv", "-t", "desk", "-o", "m.json", "--distribution", f"weight={rule}")
    out = run("inspect", "m.json", "--column", "weight").stdout
    assert out.startswith("P(weight | class)")
    names = [line.split("  ")[0] for line in out.splitlines()[2:] if line and line[0] in "≤>0123456789"]
    assert names[0].startswith("≤ ")
    assert names[-1].startswith("> ")
    assert all("–" in name or name.isdigit() for name in names[1:-1])
    assert "(" not in "".join(names)


def test_a_column_that_is_ignored_has_no_parameters_and_is_called_so(run):
    """A number that tells nothing, and a part of dates that was not taken."""
    labels = ["u", "v"] * 60
    lines = [
        f"{n % 2 * 9 + n % 5},{n // 2 % 7},2024-03-{n // 2 % 28 + 1:02d} {n // 2 % 24}:00,{y}"
        for n, y in enumerate(labels)
    ]
    Path("t.csv").write_text("\n".join(["a,b,opened,y", *lines, ""]))
    run("fit", "t.csv", "-t", "y", "-o", "m.json", "--plain")
    for name in ("b", "opened.hour"):
        out = run("inspect", "m.json", "--column", name).stdout
        assert out.startswith(f"{name}: ignored; its values tell nothing of the class\n\n")
        assert f"{name}: the candidates" in out
    out = run("inspect", "m.json", "--parameters").stdout
    titles = ("a: parameters", "b: ignored", "opened: ignored", "opened.hour: ignored")
    places = [re.search(f"^{title}|^P\\({title.partition(':')[0]} ", out, re.MULTILINE).start() for title in titles]
    assert places == sorted(places)
    assert out.rstrip().endswith("tell nothing of the class")


def test_candidates_of_an_automatic_choice_are_shown_best_first(run, model):
    out = run("inspect", model, "--column", "wheels").stdout
    lines = out[out.index("the candidates") :].splitlines()[2:]
    scores = [float(line.split()[-1]) for line in lines if line.strip()]
    assert len(scores) > 3
    assert scores == sorted(scores, reverse=True)
    assert "candidates" not in run("inspect", model, "--column", "weight").stdout


def test_what_was_chosen_is_shown_and_by_how_much(run, model):
    wheels = next(line for line in run("inspect", model).stdout.splitlines() if line.startswith("wheels"))
    assert re.search(
        r"numeric +smooth \(\+\d\.\d{3} nats\) ", wheels
    )  # beside what was chosen, not in a column of gaps
    weight = next(line for line in run("inspect", model).stdout.splitlines() if line.startswith("weight"))
    assert "nats" not in weight
    assert "smoothing chosen" not in run("inspect", model).stdout
    run("fit", "requests.csv", "-t", "desk", "-o", "s.json", "--smoothing", "auto")
    assert "\nsmoothing chosen: L" in run("inspect", "s.json").stdout


def test_cells_that_are_missing_are_told_where_some_are(run, model, tmp_path):
    assert "missing" in re.search(r"^column.*values.*$", run("inspect", model).stdout, re.MULTILINE)[0]
    (tmp_path / "whole.csv").write_text("colour,desk\n" + "red,a\nblue,b\n" * 10)
    run("fit", str(tmp_path / "whole.csv"), "-t", "desk", "-o", "whole.json")
    assert "missing" not in re.search(r"^column.*values.*$", run("inspect", "whole.json").stdout, re.MULTILINE)[0]


def test_a_wrapped_distribution_names_what_it_wraps():
    from candide.distributions import Normal
    from candide.distributions.clamped import Clamped

    assert distribution_name(Clamped(Normal(), 0.0, 1.0)) == "normal, clamped"


def test_a_group_is_shown_once_for_all_its_columns(run):
    run(
        "fit",
        "requests.csv",
        "-t",
        "desk",
        "-o",
        "g.json",
        "--group",
        "wheels,energy",
        "--distribution",
        "wheels=categorical",
    )
    out = run("inspect", "g.json", "-c", "energy", "-c", "wheels").stdout
    assert out.count("P(wheels and energy | class)") == 1
    assert "\n2 & petrol " in out


def test_levels_that_read_alike_are_shown_one_by_one(run):
    text = "x,y\n(missing),u\n,v\n,v\np,u\n"
    run("fit", "-", "-t", "y", "-o", "m.json", "--missing-level", stdin=text)
    out = run("inspect", "m.json", "--parameters").stdout
    lines = [line.split()[1:] for line in out.splitlines() if line.startswith("(missing)")]
    assert lines == [["0.4", "0.2"], ["0.2", "0.6"]]


def test_a_column_and_a_group_of_one_name_are_shown_each(run):
    text = "a,b,a & b,y\n" + "p,q,r,u\ns,t,w,v\n" * 2
    run("fit", "-", "-t", "y", "-o", "m.json", "--group", "a,b", stdin=text)
    out = run("inspect", "m.json", "--parameters").stdout
    assert "P(a and b | class)" in out
    assert "P(a & b | class)" in out
    assert out.count("\np & q ") == 1
    assert out.count("\nr ") == 1


def test_an_unknown_column_is_named_with_the_closest(run, model):
    assert "did you mean 'weight'" in run("inspect", model, "-c", "wieght", code=2).stderr


def test_damaged_foreign_and_absent_models(run, model):
    from pathlib import Path

    text = Path(model).read_text()
    for damaged, message in (
        (text[:500], "is damaged"),
        (text.upper(), "it is not JSON"),
        (text[:50], "it is not JSON"),
        (text.replace('"petrol"', '"petrul"'), "is damaged"),
        ("{}", "is not a Candide model"),
    ):
        Path("bad.json").write_text(damaged)
        assert message in run("inspect", "bad.json", code=2).stderr
        assert message in run("inspect", "-", stdin=damaged, code=2).stderr.replace("standard input", "bad.json")
    assert "no such file" in run("inspect", "absent.json", code=2).stderr
    assert "is a folder" in run("inspect", ".", code=2).stderr


def test_a_terminal_shows_tables(run, model, monkeypatch):
    monkeypatch.setattr(screens, "terminal", lambda: True)
    assert "─" in run("inspect", model).stdout


@pytest.mark.parametrize("n", [1, 3, 5, 40])
def test_lists_fit_their_cell(n):
    assert len(few_items([f"level {i}" for i in range(n)], "levels")) <= 50


def test_one_long_level_is_shown_whole():
    assert few_items(["x" * 80], "levels") == "x" * 80


def test_a_slim_model_shows_what_it_has_and_what_was_left_out(run, model):
    said = run("slim", model, "-o", "slim.json").output
    shown = " ".join(run("inspect", "slim.json").output.split())
    small = candide.load("slim.json")
    for word in (*small.classes_.tolist(), *map(str, small.schema.names), *small.left_out):
        assert str(word) in shown
    assert all(f"left out: {line}" in said for line in small.left_out)


@pytest.mark.parametrize(
    "command",
    [
        "inspect slim.json --parameters",
        "report slim.json",
        "explain slim.json requests.csv",
        "questions slim.json",
        "serve slim.json",
        "export slim.json -o x.onnx",
        "update slim.json requests.csv",
        "forget slim.json requests.csv",
        "merge model.json slim.json -o all.json",
        "merge slim.json slim.json -o all.json",
        "predict slim.json requests.csv --costs @costs.json",
        "predict slim.json requests.csv --strict",
        "privatize slim.json --epsilon 1 -o public.json",
        "slim slim.json -o slimmer.json",
    ],
)
def test_a_slim_model_only_predicts_and_the_others_say_so(run, model, command):
    run("slim", model, "-o", "slim.json")
    before = Path("slim.json").read_bytes()
    told = "candide: slim.json is a slim model, which scores and does nothing else: use the whole one\n"
    assert run(*command.split(), code=2).stderr == told
    assert Path("slim.json").read_bytes() == before
