from __future__ import annotations

import json
from pathlib import Path

import candide

PUBLIC = ("-b", "weight=50:20000", "-b", "wheels=0:20", "-b", "energy=diesel,electric,gas,petrol")


def test_a_private_model_says_what_it_promises(run):
    run("fit", "requests.csv", "-t", "desk", "-o", "plain.json", "--plain")
    out = run("privatize", "plain.json", "--epsilon", "2", *PUBLIC, "-o", "public.json")
    assert out.output.strip() == "private with epsilon 2, 3 columns and the classes a share each: public.json"
    private = candide.load("public.json")
    assert private.privacy_["epsilon"] == 2.0
    assert private.privacy_["bounds"]["weight"] == (50.0, 20000.0)
    assert not private.privacy_["releases"][0]["seeded"]
    assert "requests.csv" not in Path("public.json").read_text(encoding="utf-8")
    assert (
        "Private with epsilon 2 (one row more or less): its counts have noise." in run("inspect", "public.json").output
    )
    run("merge", "public.json", "public.json", "-o", "both.json")
    assert "epsilon 4 (one row more or less, 2 releases)" in run("inspect", "both.json").output
    run("update", "public.json", "requests.csv")
    assert "without noise" in run("inspect", "public.json").output
    assert "whose noise hides them" in run("forget", "public.json", "requests.csv", code=2).stderr


def test_bounds_in_a_file(run, model):
    given = {"weight": [50, 20000], "wheels": [0, 20], "energy": ["petrol", "gas"]}
    Path("bounds.json").write_text(json.dumps(given), encoding="utf-8")
    run("privatize", model, "--epsilon", "2", "-b", "@bounds.json", "--cells", "16", "-o", "public.json")
    told = candide.load("public.json").privacy_
    assert told["bounds"] == {"weight": (50.0, 20000.0), "wheels": (0.0, 20.0), "energy": ["petrol", "gas"]}
    assert told["releases"][0]["promised"] == ["weight"]  # its logarithms were summed
    assert told["releases"][0]["cells"] == {"wheels": 16}


def test_what_is_wrong_is_said(run, model):
    def says(*args):
        return run("privatize", model, "-o", "public.json", *args, code=2).stderr

    assert "column 'weight' has no bounds" in says("--epsilon", "1")
    assert "did you mean 'weight'" in says("--epsilon", "1", "-b", "wieght=0:1")
    assert "write COL=LEAST:MOST" in says("--epsilon", "1", "-b", "weight")
    assert "write the least and the most number, such as weight=0:100" in says("--epsilon", "1", "-b", "weight=5")
    assert "--epsilon" in says(*PUBLIC)
    Path("list.json").write_text("[]", encoding="utf-8")
    assert "list.json: an object such as" in says("--epsilon", "1", "-b", "@list.json")
    run("slim", model, "-o", "slim.json")
    assert "is a slim model" in run("privatize", "slim.json", "--epsilon", "1", "-o", "public.json", code=2).stderr
    run("fit", "requests.csv", "-t", "desk", "-o", "tuned.json")
    assert "--plain" in run("privatize", "tuned.json", "--epsilon", "1", "-o", "public.json", code=2).stderr
    assert not Path("public.json").exists()
