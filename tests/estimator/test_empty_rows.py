"""Rows without a cell are answered by the prior, and no rows by no answers."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

import candide
from candide import NaiveBayes, TunedNB
from candide.combination import Outlier, Robust, Sum
from candide.schema.alignment import AbsentColumns
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB
from candide.text import TextNB

FRAME = pd.DataFrame(
    {
        "x": np.arange(40.0),
        "z": list("uv") * 20,
        "day": pd.date_range("2024-01-01", periods=40),
        "cost": [f"$ {n}" for n in range(40)],
    }
)
Y = ["a"] * 24 + ["b"] * 16
ROWS = {"a row": {}, "a few": [{}, {}], "many": [{}] * 40, "a tuple": ({}, {}), "JSON": "{}", "lines": "{}\n{}"}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("slim", [False, True])
def test_a_row_without_cells_is_answered_by_the_prior_with_one_warning(rows, slim):
    model = NaiveBayes().fit(FRAME, Y)
    prior = np.exp(model.model_.log_prior)
    model = model.slim() if slim else model
    with pytest.warns(AbsentColumns, match="takes them as missing: 'x', 'z', 'day', 'cost'") as told:
        answers = model.predict_proba(rows)
    assert len(told) == 1
    n = 1 if rows in ({}, "{}") else 2 if isinstance(rows, str) else len(rows)
    assert answers == pytest.approx(np.tile(prior, (n, 1)), abs=0.005 if slim else 1e-12)


NONE = {
    "a list": [],
    "JSON": "[]",
    "pandas": FRAME[:0],
    "polars": pl.from_pandas(FRAME)[:0],
    "arrow": pa.Table.from_pandas(FRAME)[:0],
}
MODELS = {
    "auto": NaiveBayes(),
    "tuned": TunedNB(),
    "sum": NaiveBayes(combination=Sum()),
    "robust": NaiveBayes(combination=Robust()),
    "outlier": NaiveBayes(combination=Outlier()),
    "groups": NaiveBayes(groups=[("x", "z")]),
    "tree": TreeAugmentedNB(),
    "average": AveragedOneDependence(),
    "costs": NaiveBayes(costs=[[0, 1], [5, 0]]),
    "kde": NaiveBayes(distributions={"x": "kde"}),
}


@pytest.mark.parametrize("rows", NONE.values(), ids=NONE)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("error::candide.schema.alignment.AbsentColumns")
def test_no_rows_have_no_answers(name, rows):
    model = MODELS[name].fit(FRAME, Y)
    assert model.predict(rows).tolist() == []
    assert model.predict(rows).dtype == model.classes_.dtype
    assert model.predict_proba(rows).shape == (0, 2)
    assert model.predict_joint_log_proba(rows).shape == (0, 2)
    assert model.impossible(rows).shape == (0,)
    assert model.risk(rows).shape == (0, 2)
    assert model.predict_interval(rows).shape == (0, 2, 2)
    assert len(model.explain(rows).posterior) == 0


@pytest.mark.parametrize("rows", [[], np.empty((0, 2)), csr_array((0, 2))], ids=["list", "array", "sparse"])
def test_no_rows_of_an_array_have_no_answers(rows):
    model = NaiveBayes().fit(np.arange(80.0).reshape(40, 2), Y)
    assert model.predict(rows).tolist() == []
    assert model.slim().predict_proba(rows).shape == (0, 2)


@pytest.mark.parametrize("event_model", ["auto", "multinomial", "bernoulli", "complement"])
def test_no_documents_have_no_answers(event_model):
    model = TextNB(event_model=event_model).fit(["red car", "blue boat"] * 20, ["p", "q"] * 20)
    for documents in ([], np.array([], dtype=object), pd.Series([], dtype=object), iter([])):
        assert model.predict_proba(documents).shape == (0, 2)
    assert model.slim().predict_proba([]).shape == (0, 2)
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        TextNB().fit([], [])


def test_a_network_has_no_answers_to_no_rows():
    table = pd.DataFrame({"z": list("uv") * 20, "y": Y})
    network = BayesNetwork({"z": ["y"]}).fit(table, "y")
    assert network.predict(table[:0]).tolist() == []


@pytest.mark.parametrize("rows", [{}, [{}, {}], [], FRAME[:0]], ids=["row", "rows", "list", "frame"])
@pytest.mark.parametrize("call", ["fit", "partial_fit", "forget", "leave_one_out"])
def test_nothing_is_learnt_from_nothing(call, rows):
    model = NaiveBayes().fit(FRAME, Y)
    with pytest.raises(ValueError, match=r"rows are empty|0 sample|Expected 2D array"):
        getattr(model, call)(rows, ["a"] * len(rows))


def test_columns_of_no_rows_are_checked():
    model = NaiveBayes().fit(FRAME, Y)
    with pytest.raises(ValueError, match="The feature names should match"):
        model.predict(pd.DataFrame({"q": []}))
    with pytest.raises(ValueError, match="a minimum of 1 is required"):
        model.predict(pd.DataFrame(index=range(3)))


@pytest.mark.filterwarnings("ignore")
def test_python_answers_as_the_stream_does(tmp_path):
    from click.testing import CliRunner

    from candide.cli.app import app

    model = NaiveBayes().fit(FRAME, Y)
    model.save(tmp_path / "model.json")
    arguments = ["predict", str(tmp_path / "model.json"), "-", "--format", "ndjson", "--proba"]
    told = CliRunner().invoke(app, arguments, input="{}\n")
    assert told.exit_code == 0, told.output
    _, *shares = told.stdout.splitlines()[1].split(",")
    expected = candide.load(tmp_path / "model.json").predict_proba({})[0].tolist()
    assert list(map(float, shares)) == pytest.approx(expected, abs=1e-6)
