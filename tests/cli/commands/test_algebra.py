from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import candide
from candide.sources import text


@pytest.fixture
def halves(run) -> tuple[str, str]:
    header, *lines = Path("requests.csv").read_text().splitlines(keepends=True)
    for name, part in (("a", lines[::2]), ("b", lines[1::2])):
        Path(f"{name}.csv").write_text(header + "".join(part))
        run("fit", f"{name}.csv", "-t", "desk", "-o", f"{name}.json", "--plain")
    run("fit", "requests.csv", "-t", "desk", "-o", "whole.json", "--plain")
    return "a", "b"


def content(path: str) -> dict:
    found = json.loads(Path(path).read_text())["model"]
    return {key: part for key, part in found.items() if key != "made"}  # where rows came from is not what they teach


@pytest.mark.usefixtures("halves")
class TestAlgebra:
    def test_merging_the_parts_gives_the_whole(self, run):
        assert run("merge", "a.json", "b.json", "-o", "ab.json").stdout == "merged 2 models of 10 rows: ab.json\n"
        assert run("merge", "a.json", "-o", "copy.json").stdout.startswith("merged 1 model of ")
        assert content("ab.json") == content("whole.json")

    def test_updating_in_place_gives_the_whole(self, run):
        assert "now stands on 10" in run("update", "a.json", "b.csv").stdout
        assert content("a.json") == content("whole.json")

    def test_updating_batch_by_batch_gives_the_whole(self, run, monkeypatch):
        monkeypatch.setattr(text, "BLOCK_BYTES", 64)
        run("update", "a.json", "b.csv", "-o", "ab.json")
        assert content("ab.json") == content("whole.json")

    def test_forgetting_undoes(self, run):
        before = Path("a.json").read_bytes()
        run("forget", "whole.json", "b.csv", "-o", "left.json")
        assert content("left.json") == content("a.json")
        assert Path("a.json").read_bytes() == before

    def test_forgetting_everything_and_learning_again(self, run):
        run("forget", "a.json", "a.csv")
        assert "forgotten every row" in run("predict", "a.json", "a.csv", code=2).stderr
        run("update", "a.json", "b.csv")
        assert content("a.json") == content("b.json")

    @pytest.mark.parametrize("command", ["update", "forget", "report"])
    def test_a_target_that_the_model_reads_is_refused_in_words_of_the_command(self, run, command):
        said = run(command, "a.json", "b.csv", "-t", "energy", code=2).stderr
        assert said == "candide: --target: 'energy' is a column that a.json reads, and not the one that it tells\n"

    def test_a_failed_update_leaves_the_file_as_it_was(self, run):
        before = Path("a.json").read_bytes()
        Path("bad.csv").write_text("weight,energy,wheels,desk\n1,gas,2,bike\nheavy,gas,2,bike\n")
        assert "'heavy' is not a number" in run("update", "a.json", "bad.csv", code=2).stderr
        assert "cannot forget" in run("forget", "a.json", "requests.csv", code=2).stderr
        assert Path("a.json").read_bytes() == before

    def test_new_classes_and_levels_may_come(self, run):
        run("update", "a.json", "-", stdin="weight,energy,wheels,desk\n30,muscle,2,cycle\n")
        found = candide.load("a.json")
        assert "cycle" in found.classes_
        assert "muscle" in found.schema_.columns[1].levels

    def test_models_of_other_columns_do_not_add(self, run):
        run("fit", "a.csv", "-t", "desk", "-x", "weight", "-o", "other.json")
        message = run("merge", "a.json", "other.json", "-o", "ab.json", code=2).stderr
        assert "other.json does not add to a.json" in message
        assert not Path("ab.json").exists()


def test_labels_keep_the_type_of_the_model(run):
    text = "x,y\na,0\nb,1\n"
    run("fit", "-", "-t", "y", "-o", "m.json", stdin=text)
    run("update", "m.json", "-", stdin=text)
    pd.DataFrame({"x": ["a"], "y": [1.0]}).to_parquet("f.parquet")
    run("update", "m.json", "f.parquet")
    found = candide.load("m.json")
    assert found.classes_.tolist() == [0, 1]
    assert found.classes_.dtype.kind == "i"
    assert found.class_counts_.tolist() == [2, 3]


@pytest.mark.parametrize("ending", ["csv", "ndjson", "parquet"])
def test_labels_of_64_bits_are_counted_for_their_own_class(run, ending):
    frame = pd.DataFrame({"x": range(10), "y": [2**53 + i % 2 for i in range(10)]})
    frame.to_csv("l.csv", index=False)
    frame.to_json("l.ndjson", orient="records", lines=True)
    frame.to_parquet("l.parquet")
    run("fit", "l.csv", "-t", "y", "-o", "l.json")
    run("update", "l.json", f"l.{ending}")
    assert candide.load("l.json").classes_.tolist() == [2**53, 2**53 + 1]
    assert candide.load("l.json").class_counts_.tolist() == [10, 10]
    run("forget", "l.json", f"l.{ending}")
    assert candide.load("l.json").class_counts_.tolist() == [5, 5]


@pytest.mark.parametrize("ending", ["csv", "ndjson", "parquet"])
def test_levels_of_64_bits_are_not_rounded_together(run, ending):
    frame = pd.DataFrame({"x": [2**53 + i % 2 for i in range(10)], "y": ["a", "b"] * 5})
    frame.to_csv("l.csv", index=False)
    frame.to_json("l.ndjson", orient="records", lines=True)
    frame.to_parquet("l.parquet")
    candide.NaiveBayes(distributions="categorical").fit(frame, "y").save("l.json")
    assert candide.load("l.json").schema_.columns[0].levels.tolist() == [2**53, 2**53 + 1]
    assert run("predict", "l.json", f"l.{ending}").stdout == "prediction\n" + "a\nb\n" * 5


def test_a_model_without_names_learns_by_position(run):
    X = np.arange(20.0).reshape(10, 2)
    y = [0, 1] * 5
    candide.NaiveBayes(distributions={0: "normal"}).fit(X, y).save("m.json")
    before = content("m.json")
    text = "u,y,v\n" + "".join(f"{a},{label},{b}\n" for (a, b), label in zip(X, y, strict=True))
    run("update", "m.json", "-", "-t", "y", stdin=text)
    assert candide.load("m.json").class_counts_.tolist() == [10, 10]
    run("forget", "m.json", "-", "-t", "y", stdin=text)
    assert content("m.json")["statistics"]["classes"] == before["statistics"]["classes"]


def test_the_target_is_named_where_the_model_does_not(run):
    X = pd.DataFrame({"x": ["a", "b"]})
    candide.NaiveBayes().fit(X, ["u", "v"]).save("m.json")
    assert "give --target" in run("update", "m.json", "-", stdin="x,y\na,u\n", code=2).stderr
    run("update", "m.json", "-", "-t", "y", "--weight", "w", stdin="x,y,w\na,u,3\n")
    assert np.isclose(candide.load("m.json").class_counts_, [4, 1]).all()
    assert "did you mean 'y'" in run("update", "m.json", "-", "-t", "Y", stdin="x,y\na,u\n", code=2).stderr
