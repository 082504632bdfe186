from __future__ import annotations

from pathlib import Path

import pytest

import candide


def test_a_query_is_printed_or_written(run, model):
    wanted = candide.load(model).to_sql("requests", "postgres") + "\n"
    assert run("export", model, "--table", "requests", "--dialect", "postgres").stdout == wanted
    out = run("export", model, "--table", "requests", "--dialect", "postgres", "-o", "score.sql")
    assert Path("score.sql").read_text(encoding="utf-8") == wanted
    assert "as SQL: score.sql" in out.output


def test_columns_are_passed_on_as_asked(run, model):
    wanted = candide.load(model).to_sql("rows", "sqlite", keep=["wheels"]) + "\n"
    assert run("export", model, "--dialect", "sqlite", "--keep", "wheels").stdout == wanted


def test_the_ending_tells_what_is_written(run, model):
    pytest.importorskip("onnx", reason="onnx is not installed")
    run("export", model, "-o", "model.onnx")
    run("export", model, "-o", "model.pmml")
    assert Path("model.pmml").read_text(encoding="utf-8").startswith("<?xml")
    assert Path("model.onnx").stat().st_size > 1000
    assert "there is no ending '.txt'" in run("export", model, "-o", "model.txt", code=2).stderr


def test_what_cannot_be_told_is_named(run):
    run("fit", "requests.csv", "-t", "desk", "-o", "kde.json", "--distribution", "weight=kde")
    assert "column 'weight' cannot be written as SQL" in run("export", "kde.json", code=2).stderr
    assert run("export", "kde.json", "--sampled").stdout.startswith("WITH")
    assert "did you mean 'duckdb'" in run("export", "kde.json", "--sampled", "--dialect", "duckbd", code=2).stderr


def test_what_the_scorer_takes_in_the_place_of_dates_is_said(run) -> None:
    rows = [f"{1 + i % 28}.{1 + i % 12}.2023,{'ab'[i % 12 > 5]}" for i in range(120)]
    Path("days.csv").write_text("\n".join(["day,y", *rows]) + "\n")
    run("fit", "days.csv", "-t", "y", "-o", "days.json", "--plain")
    for name in ("days.sql", "days.pmml"):
        said = run("export", "days.json", "-o", name).stderr
        assert "takes day: seconds since 1970-01-01 00:00 UTC" in said
        assert "takes day.month: the month, 1 to 12" in said
