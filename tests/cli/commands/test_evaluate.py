from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def table(tmp_path, monkeypatch) -> str:
    from candide.datasets import insurance

    monkeypatch.chdir(tmp_path)
    insurance(120, missing=0.2, seed=1).frame.to_csv("t.csv", index=False)
    return "t.csv"


def test_scores_and_comparison(run, table):
    out = run("evaluate", table, "-t", "desk", "--folds", "4", "-o", "folds.csv").stdout
    assert "120 rows, 4 folds" in out
    lines = {line.split()[0]: line for line in reversed(out.splitlines()) if line.strip()}  # the first table counts
    assert set(lines) >= {"NaiveBayes", "majority", "accuracy"}
    with Path("folds.csv").open() as file:
        folds = list(csv.DictReader(file))
    assert [(f["model"], f["fold"]) for f in folds] == [
        (m, str(i)) for m in ("NaiveBayes", "majority") for i in range(4)
    ]
    mean = 100 * sum(float(f["accuracy"]) for f in folds[:4]) / 4
    assert f"{mean:.2f} ±" in lines["NaiveBayes"]


def test_a_stream_shows_what_can_be_summed_over_rows(run, table):
    models = ("-m", "LaplaceNB", "-m", "RobustNB")
    out = run("evaluate", table, "-t", "desk", "--folds", "3", "--stream", *models, "-o", "folds.csv").stdout
    assert "120 rows, 3 folds" in out
    assert "balanced accuracy" not in out
    assert len(Path("folds.csv").read_text().splitlines()) == 1 + 2 * 3
    said = run("evaluate", table, "-t", "desk", "--stream", "--metric", "auc", *models, code=2).stderr
    assert "auc takes all rows at once" in said
    assert "accuracy, log_loss, brier, calibration_error" in said


def test_models_of_all_kinds(run, table):
    specs = [
        "robust",
        "LaplaceNB,prior=uniform",
        "smoothing=lidstone(0.1),combination=outlier(rate=0.1)",
        "sklearn.GaussianNB",
    ]
    options = [word for spec in specs for word in ("-m", spec)]
    out = run(
        "evaluate", table, "-t", "desk", "--folds", "2", "--repeats", "2", "--train-fraction", "0.5", *options
    ).stdout
    assert "120 rows, 2 folds × 2" in out
    for spec in specs[1:]:
        assert out.count(f"\n{spec} ") == 3


def test_a_seed_decides_the_scores(run, table):
    def scores(seed: str) -> list[str]:
        run("evaluate", table, "-t", "desk", "--folds", "2", "-m", "laplace", "--seed", seed, "-o", "f.csv")
        return [row["log_loss"] for row in csv.DictReader(Path("f.csv").read_text().splitlines())]

    assert scores("1") == scores("1") != scores("2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "Gaussan"], "there is no model 'Gaussan'"),
        (["-m", "smoothin=none"], "did you mean 'smoothing'"),
        (["-m", "LaplaceNB,uniform"], "'uniform' is no setting"),
        (["-m", "sklearn.Gaussian"], "did you mean 'GaussianNB'"),
        (["-m", "sklearn.VotingClassifier"], "needs parameters"),
        (["-m", "sklearn.GaussianNB,var_smothing=1"], "did you mean 'var_smoothing'"),
        (["-m", "sklearn.GaussianNB,1"], "is no setting"),
        (["-m", "distribution=norml"], "'norml' is not known"),
        (["--folds", "1"], "'--folds'"),
        (["--folds", "200"], "too few for 200 folds"),
        (["--train-fraction", "0"], "'--train-fraction'"),
        (["-o", "results"], "the ending tells no format"),
        (["-x", "desk"], "cannot be left out"),
    ],
)
def test_bad_wishes_are_one_line_each(run, table, options, message):
    assert message in run("evaluate", table, "-t", "desk", *options, code=2).stderr


def test_text_of_which_little_differs_is_read_as_fit_reads_it(run):
    cells = ["?" if i % 5 == 0 else f"{i % 7}" for i in range(120)]
    days = [f"{1 + i % 28:02d}.{1 + i % 3:02d}.2023" for i in range(120)]
    rows = [f"{cell},{day},{('car', 'bike')[i % 2]}" for i, (cell, day) in enumerate(zip(cells, days, strict=True))]
    Path("score.csv").write_text("\n".join(["score,day,desk", *rows, ""]), encoding="utf-8")
    told = run("fit", "score.csv", "-t", "desk", "-o", "m.json").output
    noted = run("evaluate", "score.csv", "-t", "desk", "-m", "NaiveBayes", "--folds", "2").stderr
    for line in ("score: 96 numbers and 24 times '?', read as missing", "day: 120 dates as day/month/year"):
        assert line in told
        assert f"note: {line}" in noted


def test_a_classifier_by_its_module_and_what_it_prints(run, table, tmp_path, monkeypatch):
    Path("talkative.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Talks(GaussianNB):\n"
        "    def fit(self, X, y, **given):\n"
        "        print('no further splits')\n"
        "        return super().fit(X, y, **given)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    result = run("evaluate", table, "-t", "desk", "-m", "talkative.Talks", "-m", "majority", "--folds", "2")
    assert "talkative.Talks" in result.stdout
    assert "no further splits" not in result.stdout
    assert "2 times 'no further splits'" in result.stderr


def test_infinite_log_loss_is_said_and_smoothing_advised_only_where_there_is_some(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["b,n", *["b,y"] * 29, *["c,n"] * 30]  # in the fold with its only row, (b, n) has never been seen
    Path("zero.csv").write_text("\n".join(["a,y", *rows]) + "\n")
    models = ("FrequencyNB", "sklearn.dummy.DummyClassifier,strategy=most_frequent")
    said = run("evaluate", "zero.csv", "-t", "y", "-m", models[0], "-m", models[1], "--folds", "3").stderr.splitlines()
    lines = [line for model in models for line in said if line.startswith(f"note: {model}: the log-loss is infinite")]
    assert [line.endswith("; smoothing (laplace) avoids that") for line in lines] == [True, False]


def test_a_model_of_numbers_is_no_classifier(run) -> None:
    says = run("evaluate", "requests.csv", "-t", "desk", "-m", "sklearn.linear_model.LinearRegression", code=2).stderr
    assert "'sklearn.linear_model.LinearRegression': this predicts numbers, and is no classifier" in says


def test_what_one_class_leaves_undefined_is_said_and_not_printed_as_nan(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.csv").write_text("a,y\n" + "".join(f"{i % 5},yes\n" for i in range(30)))
    result = run("evaluate", "one.csv", "-t", "y", "--folds", "3", "-o", "folds.ndjson")
    assert "nan" not in result.stdout
    assert result.stdout.count("–\n") == 3  # of the class and of two models
    assert "every row is 'yes': with one class there is nothing to tell apart, and AUC is not defined" in result.stderr
    assert "no better than" not in result.stderr
    assert all(json.loads(line)["auc"] is None for line in Path("folds.ndjson").read_text().splitlines())


def test_what_a_model_without_probabilities_leaves_undefined_is_said(run, table) -> None:
    models = ("-m", "NaiveBayes", "-m", "sklearn.linear_model.RidgeClassifier")
    result = run("evaluate", table, "-t", "desk", "--folds", "2", "--metric", "auc", *models)
    assert "nan" not in result.stdout
    assert "sklearn.linear_model.RidgeClassifier gives no probabilities, so that log-loss, Brier" in result.stderr


def test_a_target_whose_classes_are_none_is_told_as_fit_tells_it(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prices.csv").write_text("a,y\n" + "".join(f"x,{10 + i / 4}\n" for i in range(40)))
    result = run("evaluate", "prices.csv", "-t", "y", "-m", "NaiveBayes", "--folds", "2")
    assert "note: y: 40 classes in 40 rows, too many to learn" in result.stderr
    Path("one.csv").write_text("a,y\nx,1\n")
    assert "one.csv has 1 row, too few for 10 folds" in run("evaluate", "one.csv", "-t", "y", code=2).stderr


def test_a_class_that_is_never_answered_has_no_precision(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rare.csv").write_text("a,y\n" + "".join(f"x,{'no' if i else 'rare'}\n" for i in range(30)))
    result = run("evaluate", "rare.csv", "-t", "y", "-m", "NaiveBayes", "--folds", "3")
    assert "nan" not in result.stdout
    assert "NaiveBayes never answers 'rare', so that precision is not defined there" in result.stderr
    assert "the rarest class has 1 row, fewer than the folds" in result.stderr


def test_a_model_of_another_library_that_fails_is_named_and_no_defect_of_this_one(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.csv").write_text("a,y\n" + "".join(f"{i % 5},yes\n" for i in range(30)))
    model = "sklearn.linear_model.LogisticRegression"
    said = run("evaluate", "one.csv", "-t", "y", "-m", model, "--folds", "3", code=2).stderr
    assert f"while scoring model '{model}', repeat 0, fold 0" in said
    assert "unexpected" not in said


def test_a_model_that_ranks_well_and_answers_badly_is_called_no_better(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], 400, p=[0.52, 0.3, 0.18])
    wide = (rng.normal(size=400) + 0.3 * (y == "b")) * 1000
    pd.DataFrame({"wide": wide, "near": rng.normal(size=400) + (y == "a"), "y": y}).to_csv("t.csv", index=False)
    hasty = "sklearn.linear_model.LogisticRegression,max_iter=2"
    result = run("evaluate", "t.csv", "-t", "y", "-m", hasty, "-m", "NaiveBayes", "-m", "majority", "--folds", "3")
    assert result.stderr.count("no better than") == 1
    assert (y == "a").sum() == 189  # 47.25 %
    told = f"{hasty} is no better than always answering 'a', which 47.3 % of the rows are: it is right in "
    assert told in " ".join(result.stderr.split())


def test_a_library_that_is_not_installed_is_told_with_how_to_get_it(run) -> None:
    told = run("evaluate", "requests.csv", "-t", "desk", "-m", "nowhere_at_all.Model", code=2).stderr
    assert "nowhere_at_all is not installed; pip install nowhere_at_all" in told
    told = run("evaluate", "requests.csv", "-t", "desk", "-m", "sklearn.nowhere.Model", code=2).stderr
    assert "No module named 'sklearn.nowhere'" in told
