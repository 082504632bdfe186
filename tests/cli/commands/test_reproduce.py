from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def calls(monkeypatch) -> list[tuple]:
    found: list[tuple] = []

    def record(name, out, data, **options):
        found.append((name, out, data, options))
        return [out / f"{name}.csv"]

    monkeypatch.setattr("candide.experiments.reproduce", record)
    return found


def test_the_experiment_is_run_with_the_options(run, calls):
    out = run("reproduce", "robust", "-o", "report", "--data", ".", "--seed", "3", "--jobs", "1").stdout
    assert calls == [("robust", Path("report"), ".", {"seed": 3, "n_jobs": 1})]
    assert out == f"{Path('report', 'robust.csv')}\n"


def test_the_folder_has_a_name_by_default(run, calls):
    run("reproduce", "summation")
    assert calls[0][1] == Path("reproduce-summation")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["robst"], "there is no experiment 'robst'; did you mean 'robust'?"),
        (["robust", "--data", "nowhere"], "there is no such folder"),
        (["robust", "-o", "requests.csv"], "is a file; -o takes a folder"),
    ],
)
def test_bad_wishes_are_one_line_each(run, calls, args, message):
    assert message in run("reproduce", *args, code=2).stderr
    assert not calls
