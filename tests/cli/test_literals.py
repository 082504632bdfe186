"""Hyperparameters, costs and ordinal bins as they are written on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes
from candide.discretizers import EqualWidth
from candide.distributions import Bins
from candide.smoothing import Dirichlet, Marginal, NaiveDistribution

TABLE = """colour,size,kind
red,S,1
red,L,1
blue,L,2
green,S,2
blue,S,2
"""
VALUES = {"colour": {"red": 1, "blue": 2, "green": 0.25}, "size": {"S": 0, "L": 1}}
COUNTS = {"colour": {"red": 2, "blue": 1, "green": 0}, "size": {"S": 1, "L": 2}}


@pytest.fixture
def teach(run):
    Path("t.csv").write_text(TABLE)
    Path("values.json").write_text(json.dumps(VALUES))
    Path("counts.json").write_text(json.dumps(COUNTS))

    def fit(*options: str, code: int = 0):
        done = run("fit", "t.csv", "-t", "kind", "-o", "m.json", "--plain", *options, code=code)
        return done if code else candide.load("m.json")

    return fit


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("dirichlet(2, @values.json)", Dirichlet(2, VALUES)),
        (f"dirichlet(classes=2, values={VALUES!r})", Dirichlet(2, VALUES)),
        ("dirichlet(0.5, 0.25)", Dirichlet(0.5, 0.25)),
        ("naive-distribution(@counts.json)", NaiveDistribution(COUNTS)),
        ("naive-distribution", NaiveDistribution()),
        ("marginal(frequencies)", Marginal("frequencies")),
        ("marginal(to=frequencies)", Marginal("frequencies")),
    ],
)
def test_hyperparameters_are_those_of_the_library(teach, written, rule):
    frame = pd.read_csv("t.csv")
    expected = NaiveBayes(smoothing=rule).fit(frame, "kind")
    np.testing.assert_array_equal(teach("--smoothing", written).predict_proba(frame), expected.predict_proba(frame))


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("naive-distribution({'colour': 1, 'size': 1})", "same N'_c for every attribute"),
        ("dirichlet(1, @nowhere.json)", "nowhere.json"),
        ("dirichlet(1, @t.csv)", "t.csv is not JSON"),
        ("dirichlet(1, {'colour': 1})", "says nothing of column 'size'"),
        ("marginal(rows)", "to 'counts' or to 'frequencies'"),
        ("dirichlet(1, 2, 3)", "takes from 1 to 3 positional arguments"),
    ],
)
def test_hyperparameters_that_do_not_fit_are_told(teach, written, message):
    assert message in teach("--smoothing", written, code=2).stderr


COSTS = {1: {2: 9.0}, 2: {1: 1.0}}


@pytest.mark.parametrize("written", ["1:2=9,2:1=1", '{"1": {"2": 9}, "2": {"1": 1}}', "@costs.json"])
def test_costs_decide_and_are_kept_in_the_model(teach, written):
    Path("costs.json").write_text(json.dumps(COSTS))
    frame = pd.read_csv("t.csv")
    expected = NaiveBayes(costs=COSTS).fit(frame, "kind")
    model = teach("--costs", written)
    assert model.costs == COSTS
    assert model.predict(frame).tolist() == expected.predict(frame).tolist()
    assert model.predict(frame).tolist() != NaiveBayes().fit(frame, "kind").predict(frame).tolist()


def test_costs_may_be_given_when_predicting_and_the_risks_shown(teach, run):
    teach()
    out = pd.read_csv(
        pd.io.common.StringIO(run("predict", "m.json", "t.csv", "--costs", "1:2=9,2:1=1", "--risk").stdout)
    )
    expected = NaiveBayes(costs=COSTS).fit(pd.read_csv("t.csv"), "kind")
    np.testing.assert_allclose(out[["R(1)", "R(2)"]], expected.risk(pd.read_csv("t.csv")), rtol=1e-12)
    assert out["prediction"].tolist() == expected.predict(pd.read_csv("t.csv")).tolist()
    assert run("predict", "m.json", "t.csv", "--proba", "--risk").stdout.startswith("prediction,P(1),P(2),R(1),R(2)\n")


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("1:2=9", "deciding 2 costs when 1 is true"),
        ("1:2=9,2:1=1,3:1=1", "there is no class '3'"),
        ("1:2=9,2:4=1", "there is no class '4'"),
        ("1:2=much,2:1=1", "'much' is not a number"),
        ("1=9", "write DECIDED:TRUE=COST"),
        ("{1: 2}", "--costs is not JSON"),
        ('{"1": 2}', "an object of objects"),
        ("1:2=inf,2:1=1", "finite"),
    ],
)
def test_costs_that_do_not_fit_are_told_and_nothing_is_written(teach, written, message):
    assert message in teach("--costs", written, code=2).stderr
    assert not Path("m.json").exists()


@pytest.mark.parametrize("written", ["equal-width(3, ordinal)", "equal-width(3,ordinal)"])
def test_ordinal_bins_are_those_of_the_library(run, written):
    frame = pd.read_csv("requests.csv")
    run("fit", "requests.csv", "-t", "desk", "-o", "m.json", "--plain", "--distribution", f"weight={written}")
    expected = NaiveBayes({"weight": Bins(EqualWidth(3), ordinal=True)}).fit(frame, "desk")
    found = candide.load("m.json")
    np.testing.assert_array_equal(found.predict_proba(frame), expected.predict_proba(frame))
    assert [name for name in found.model_.attribute_names if str(name).startswith("weight >")]


def test_a_word_that_is_no_way_to_cut_is_told(run):
    said = run("fit", "requests.csv", "-t", "desk", "-o", "m.json", "--distribution", "weight=normal(ordinal)", code=2)
    assert "normal(ordinal)" in said.stderr
