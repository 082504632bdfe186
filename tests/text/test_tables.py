"""Documents in tables: in large ones, of which a part is kept to settle numbers on, and in those without any."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from candide import NaiveBayes
from candide.distributions import Text
from candide.engines import sample
from candide.text import TextNB
from candide.tuning import temperature

SPEAKS = {"bike": "bike helmet ride", "car": "car garage road"}


@pytest.fixture(autouse=True)
def few_are_kept(monkeypatch):
    for module, name in ((sample, "MOST"), (sample, "MOST_ROWS"), (temperature, "MOST_ROWS")):
        monkeypatch.setattr(module, name, 40)
    monkeypatch.setattr(temperature, "PER_CLASS", 10)


@pytest.fixture
def table():
    rng = np.random.default_rng(5)
    desk = rng.choice(list(SPEAKS), 400)
    short = [" ".join(rng.choice([*SPEAKS[label].split(), "my", "please"], 3)) for label in desk]
    short[7] = None
    return pd.DataFrame({"weight": rng.normal(size=400), "message": short, "desk": desk})


@pytest.mark.parametrize("weights", ["tuned", "temperature"])
@pytest.mark.parametrize("event_model", ["auto", "multinomial"])
def test_a_declared_column_of_documents_is_kept_whatever_holds_it(event_model, weights, table, tmp_path):
    path = tmp_path / "mails.csv"
    table.to_csv(path, index=False)
    nb = NaiveBayes(distributions={"message": Text(event_model)}, weights=weights)
    X, wanted = table[["weight", "message"]], None
    for given in (table, pl.from_pandas(table), pa.Table.from_pandas(table), str(path)):
        found = nb.fit(given, "desk").predict_proba(X)
        assert 0 < nb.tuned_on_ < 200
        wanted = found if wanted is None else wanted
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
    rows = [{"weight": w, "message": m} for w, m in zip(table.weight, table.message, strict=True)]
    np.testing.assert_allclose(nb.fit(rows, table.desk).predict_proba(X), wanted, rtol=1e-9, atol=1e-9)
    assert nb.score(X, table.desk) > 0.8


def test_a_file_without_a_message_teaches_what_its_frame_does(table, tmp_path):
    path, silent = tmp_path / "mails.csv", table.assign(message=None)
    silent.to_csv(path, index=False)
    nb = NaiveBayes(distributions={"message": "text"})
    wanted = nb.fit(silent, "desk").predict_proba(table[["weight", "message"]])
    np.testing.assert_allclose(nb.fit(str(path), "desk").predict_proba(table[["weight", "message"]]), wanted, rtol=1e-9)


def test_a_report_of_a_file_of_many_documents(table, tmp_path):
    path = tmp_path / "mails.csv"
    table.to_csv(path, index=False)
    nb = NaiveBayes(distributions={"message": Text("multinomial")}).fit(table, "desk")
    assert "400 rows" in str(nb.report(str(path)))


def test_one_number_is_settled_on_some_of_many_documents(table):
    texts, y = table.message.tolist(), table.desk
    nb = TextNB(event_model="multinomial", weights="temperature").fit(texts, y)
    assert 0 < nb.tuned_on_ < 200
    stream = TextNB(event_model="multinomial", weights="temperature").fit(iter(texts), iter(y))
    assert 0 < stream.tuned_on_ < 200
    np.testing.assert_allclose(stream.tune(texts, y).predict_proba(texts), nb.predict_proba(texts), rtol=1e-9)


@pytest.mark.parametrize("most", [1, 1 << 25], ids=["one at a time", "together"])
def test_leaving_out_among_outliers_is_the_refit_where_messages_are_missing(most, monkeypatch):
    monkeypatch.setattr("candide.distributions.bag.MOST_TEXT", most)
    frame = pd.DataFrame(
        {
            "message": ["my car broke down", None, "insure my bike", "car and bike", None, "the car is new", "bike"],
            "color": list("rgrgrgr"),
            "desk": ["car", "car", "bike", "bike", "car", "car", "bike"],
        }
    )
    nb = NaiveBayes({"message": Text("multinomial")}, combination="outlier").fit(frame, "desk")
    left = nb.leave_one_out(frame, "desk")
    again = clone(nb).set_params(schema=nb.schema_)
    for i in range(len(frame)):
        wanted = again.fit(frame.drop(index=i), "desk").predict_log_proba(frame[i : i + 1])[0]
        np.testing.assert_allclose(left[i], wanted, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "words",
    [{}, {"ngrams": (1, 2)}, {"analyzer": "char", "ngrams": (1, 2)}, {"characters": (2, 3)}, {"tokenizer": str.split}],
    ids=str,
)
@pytest.mark.parametrize("event_model", ["auto", "multinomial", "bernoulli", "complement"])
def test_a_document_that_weighs_nothing_leaves_no_words(event_model, words):
    texts, y = ["my car broke down", "insure my bike", "a truck of nobody", "car and bike"], [0, 1, 1, 0]
    nb = TextNB(event_model, **words).fit(texts, y, sample_weight=[1, 2, 0, 0.5])
    there = [texts[i] for i in (0, 1, 3)]
    wanted = TextNB(event_model, **words).fit(there, [0, 1, 0], sample_weight=[1, 2, 0.5])
    assert nb.schema_.columns[0].axis.size == wanted.schema_.columns[0].axis.size
    np.testing.assert_allclose(nb.predict_log_proba(texts), wanted.predict_log_proba(texts), rtol=1e-12, atol=1e-12)
