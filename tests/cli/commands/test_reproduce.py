from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from candide.experiments.published import ROBUST_TABLE

PARTLY = {"Iris": ROBUST_TABLE["Iris"], "Nowhere": replace(ROBUST_TABLE["Iris"], dataset="no_such_set")}


@pytest.fixture
def calls(monkeypatch) -> list[tuple]:
    found: list[tuple] = []

    def record(name, out, data, **options):
        found.append((name, out, data, options))
        return [out / f"{name}.csv"]

    monkeypatch.setattr("candide.experiments.reproduce", record)
    return found


def test_the_experiment_is_run_with_the_options(run, calls):
    words = ["--seed", "3", "--jobs", "1", "--reading", "paper", "--reading", "first", "--repeats", "4"]
    out = run("reproduce", "robust", "-o", "report", "--data", ".", *words).stdout
    options = {"reading": ("paper", "first"), "repeats": 4, "seed": 3, "n_jobs": 1, "partial": False}
    assert calls == [("robust", Path("report"), ".", options)]
    assert out == f"{Path('report', 'robust.csv')}\n"


def test_the_folder_has_a_name_by_default(run, calls):
    run("reproduce", "summation")
    assert calls[0][1] == Path("reproduce-summation")


def test_a_run_without_its_data_names_what_is_missing(run, monkeypatch):
    monkeypatch.setattr("candide.experiments.robust.ROBUST_TABLE", PARTLY)
    Path("empty").mkdir()
    Path("empty/index.json").write_text('{"datasets": []}')
    message = run("reproduce", "robust", "--data", "empty", "-o", "out", code=2).stderr
    assert "1 of 2 data sets cannot be had: Nowhere" in message
    assert "--partial" in message
    assert not Path("out").exists()


def test_a_partial_run_says_so_on_the_screen_and_in_the_title(run, monkeypatch):
    monkeypatch.setattr("candide.experiments.robust.ROBUST_TABLE", PARTLY)
    found = run("reproduce", "robust", "-o", "out", "--partial", "--jobs", "1", "--repeats", "2")
    assert found.stderr == "note: 1 of 2 data sets cannot be had: Nowhere\n"
    for ending in ("md", "html"):
        assert "reproduced on 1 of 2 data sets" in Path(f"out/robust.{ending}").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["robst"], "there is no experiment 'robst'; did you mean 'robust'?"),
        (["robust", "--reading", "strikt"], "there is no reading 'strikt'; did you mean 'strict'?"),
        (["robust", "--reading", "laplace"], "there is no reading 'laplace'"),
        (["robust", "--data", "nowhere"], "there is no such folder"),
        (["robust", "-o", "requests.csv"], "is a file; -o takes a folder"),
    ],
)
def test_bad_wishes_are_one_line_each(run, calls, args, message):
    assert message in run("reproduce", *args, code=2).stderr
    assert not calls
