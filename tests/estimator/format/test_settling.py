"""What was settled in a file: one line a column, of distributions that the column serves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.estimator.format.sealed import X, Y, payload, rewrite

import candide
from candide import NaiveBayes
from candide.combination import Product
from candide.distributions import KDE, Categorical, Normal
from candide.distributions.automatic import Automatic
from candide.estimator.files import ModelFileError
from candide.estimator.format.encoding import encode, known_rules


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    NaiveBayes({"weight": "normal"}).fit(X, Y).save(path)
    return path


def test_a_line_tells_what_was_chosen_how_the_others_did_and_what_is_used(path: Path) -> None:
    NaiveBayes(combination="sum").fit([[float(i)] for i in range(40)], [0] * 20 + [1] * 20).save(path)
    (line,) = payload(path)["schema"]["settled"]["columns"]
    assert line["column"] == 0
    assert set(line["scores"]) >= {"nothing", line["choice"]}
    assert line["chosen"]["params"]["discretizer"]["rule"].startswith("candide.discretizers.")
    assert line["used"]["params"]["discretizer"]["rule"] == "candide.discretizers.Cuts"


def rule(value: Any) -> Any:
    return encode(value, known_rules())


def line(j: int, **change: Any) -> Callable[[dict[str, Any]], object]:
    return lambda settled: settled["columns"][j].update(change)


WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no smoothing": (lambda s: s.pop("smoothing"), "has no 'smoothing'"),
    "smoothing of another kind": (lambda s: s.update(smoothing=rule(Product())), "smoothing .* no rule of smoothing"),
    "a column too few": (lambda s: s["columns"].pop(), "columns holds 3 columns, and the schema 4"),
    "columns swapped": (lambda s: s["columns"].reverse(), r"columns\[0\].column is not 'wheels'"),
    "another kind of rule": (line(3, chosen=rule(Product())), r"columns\[3\].chosen .* which is no distribution"),
    "no rule": (line(3, chosen="normal"), r"columns\[3\].chosen is 'normal', which is no distribution"),
    "what chooses": (line(0, used=rule(Automatic())), r"columns\[0\].used .* which is no distribution"),
    "levels of moments": (line(3, used=rule(Categorical())), "is Categorical, which moments of column 'weight' do not"),
    "values of moments": (line(3, used=rule(KDE())), "is KDE, which moments of column 'weight' do not serve"),
    "a density of symbols": (line(1, used=rule(Normal())), "is Normal, which levels of column 'energy' do not serve"),
    "scores without the chosen": (line(3, scores={"nothing": -1.0}), "does not hold the scores of 'normal'"),
    "scores without nothing": (line(3, scores={"normal": -1.0}), "does not hold the scores of 'normal'"),
    "scores of words": (
        line(3, scores={"normal": "a", "nothing": "b"}),
        "scores of 'normal' and of nothing, as numbers",
    ),
    "a choice of no name": (line(3, choice=None), r"choice is None, which is no text"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_have_been_settled_is_an_error_that_says_where(name: str, path: Path) -> None:
    change, message = WRONG[name]
    rewrite(path, lambda m: change(m["schema"]["settled"]))
    with pytest.raises(ModelFileError, match=rf"model\.schema\.settled.*{message}"):
        candide.load(path)
