"""fit --structure and --network: dependence between columns, from the shell."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import candide
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB


@pytest.mark.parametrize(
    ("word", "model"),
    [("tan", TreeAugmentedNB()), ("aode", AveragedOneDependence()), ("a2de", AveragedOneDependence(n=2))],
)
def test_a_structure_is_that_of_the_library(run, word, model):
    run("fit", "requests.csv", "-t", "desk", "-o", "s.json", "--structure", word, "--smoothing", "backoff(2)")
    frame = pd.read_csv("requests.csv")
    found = candide.load("s.json")
    expected = model.set_params(smoothing=candide.smoothing.Backoff(2)).fit(frame, "desk")
    assert type(found) is type(model)
    assert (found.predict_proba(frame) == expected.predict_proba(frame)).all()
    assert run("predict", "s.json", "requests.csv").exit_code == 0
    assert "score" in run("explain", "s.json", "requests.csv", "--row", "0").stdout
    assert type(model).__name__ in run("inspect", "s.json").stdout


def test_a_network_comes_from_a_file(run):
    names = list(pd.read_csv("requests.csv").columns.drop("desk"))
    parents = {"desk": [names[0]], names[1]: ["desk"]}
    Path("net.json").write_text(json.dumps({"parents": parents}))
    run("fit", "requests.csv", "-t", "desk", "-o", "n.json", "--network", "net.json")
    found = candide.load("n.json")
    assert isinstance(found, BayesNetwork)
    assert found.parents_["desk"] == [names[0]]
    Path("tree.json").write_text('{"learn": "chow-liu"}')
    run("fit", "requests.csv", "-t", "desk", "-o", "t.json", "--network", "tree.json")
    assert candide.load("t.json").learn == "chow-liu"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "this is not JSON"),
        ("[1]", "this is no network, which is"),
        ('{"parents": {}, "edges": []}', "this is no network"),
        ('{"parents": {"desk": ["colour"]}}', "there is no column 'colour'"),
    ],
)
def test_a_file_that_is_no_network_says_so(run, text, says):
    Path("net.json").write_text(text)
    result = run("fit", "requests.csv", "-t", "desk", "-o", "n.json", "--network", "net.json", code=2)
    assert says in " ".join(result.stderr.split())
    assert not Path("n.json").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--structure", "tan", "--preset", "RobustNB"],
        ["--structure", "aode", "--combination", "sum"],
        ["--structure", "tan", "--group", "energy,wheels"],
    ],
)
def test_what_does_not_go_together_is_refused(run, options):
    result = run("fit", "requests.csv", "-t", "desk", "-o", "n.json", *options, code=2)
    assert "--structure" in result.stderr
