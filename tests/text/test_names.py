"""What the column of documents is called is no part of a TextNB: models add, and learn on, however it came."""

import itertools

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes
from candide.text import TextNB

TEXTS = ["my car broke down", "insure my motorbike", "car wheel broken", "scooter helmet lost"] * 3
DESKS = ["car", "bike"] * 6
FRAME = pd.DataFrame({"message": TEXTS, "desk": DESKS})

TAUGHT = {
    "list": lambda: TextNB().fit(TEXTS, DESKS),
    "series": lambda: TextNB().fit(FRAME["message"], DESKS),
    "iterator": lambda: TextNB().fit(iter(TEXTS), iter(DESKS)),
    "frame": lambda: TextNB().fit(FRAME, "desk"),
    "another name": lambda: TextNB().fit(FRAME.rename(columns={"message": "text"}), "desk"),
    "NaiveBayes": lambda: NaiveBayes(distributions={"message": "text"}).fit(FRAME, "desk"),
}


def taught_twice(name):
    return TAUGHT[name]().partial_fit(TEXTS, DESKS)


@pytest.mark.parametrize(
    ("one", "other"), [pair for pair in itertools.product(TAUGHT, repeat=2) if pair[0] != "NaiveBayes"]
)
def test_models_add_and_subtract_whatever_the_column_is_called(one, other, tmp_path):
    mine, theirs = TAUGHT[one](), TAUGHT[other]()
    both = mine + theirs
    assert both.class_counts_.tolist() == [12, 12]
    assert both.learnt_.schema.names == mine.learnt_.schema.names
    np.testing.assert_allclose(both.predict_proba(TEXTS[:4]).sum(axis=1), 1)
    counts = (model.set_params(event_model="multinomial") for model in (0 + both, taught_twice(one)))
    one_way, other_way = (model.predict_joint_log_proba(TEXTS[:4]) for model in counts)
    np.testing.assert_allclose(one_way, other_way, rtol=1e-12)
    both.save(tmp_path / "model.json")
    assert (candide.load(tmp_path / "model.json") - theirs).class_counts_.tolist() == [6, 6]


def test_a_model_of_several_columns_does_not_add_to_documents():
    mixed = NaiveBayes(distributions={"message": "text"}).fit(FRAME.assign(day=range(12)), "desk")
    with pytest.raises(ValueError, match="same columns"):
        TAUGHT["list"]() + mixed


def test_labels_that_come_one_by_one_have_no_name():
    assert TAUGHT["iterator"]().learnt_.schema.target is None


@pytest.mark.filterwarnings("ignore:X has feature names")
def test_a_model_of_a_list_learns_frames():
    nb = TAUGHT["list"]().partial_fit(FRAME, "desk")
    assert nb.class_counts_.tolist() == [12, 12]
    assert nb.forget(FRAME, "desk").class_counts_.tolist() == [6, 6]
    np.testing.assert_allclose(nb.predict_proba(TEXTS[:4]), TAUGHT["list"]().predict_proba(TEXTS[:4]))


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_a_first_document_that_is_missing_is_one(missing):
    for given in ([missing, *TEXTS], iter([missing, *TEXTS])):
        assert TextNB().fit(given, iter(["car", *DESKS])).class_counts_.tolist() == [6, 7]
    assert TAUGHT["list"]().predict_proba([missing, "my car"]).shape == (2, 2)


@pytest.mark.parametrize("X", [set(TEXTS), pd.NA, None, 5, np.nan])
def test_what_is_no_document_and_no_list_of_them_is_said_to_be(X):
    with pytest.raises(TypeError, match="a document is text, and several are a list"):
        TAUGHT["list"]().predict(X)


def test_fewer_words_than_none_are_refused():
    with pytest.raises(ValueError, match="n=-1"):
        TAUGHT["list"]().top_words("car", -1)


@pytest.mark.parametrize("name", ["mails.csv", "mails.parquet", "mails.ndjson"])
def test_files_are_learnt_left_out_and_forgotten(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written = {"csv": FRAME.to_csv, "parquet": FRAME.to_parquet, "ndjson": FRAME.to_json}[name.partition(".")[2]]
    written(name, **({"orient": "records", "lines": True} if "json" in name else {"index": False}))
    nb = TextNB().fit(name, "desk")
    expected = TAUGHT["frame"]().leave_one_out(FRAME, "desk")
    np.testing.assert_allclose(nb.leave_one_out(name, "desk"), expected)
    np.testing.assert_allclose(nb.leave_one_out(tmp_path / name, "desk"), expected)
    twice = TextNB().fit([name, name], "desk")
    assert twice.class_counts_.tolist() == [12, 12]
    assert twice.forget([name], "desk").class_counts_.tolist() == [6, 6]


def test_what_cannot_be_is_refused_in_a_line():
    with pytest.raises(ValueError, match="a number of buckets up to"):
        TextNB(hashing=2**40).fit(TEXTS, DESKS)
    with pytest.raises(TypeError, match="schema takes another model's schema_, not 5"):
        TextNB(schema=5).fit(TEXTS, DESKS)
    with pytest.raises(ValueError, match="the stream of documents has no rows"):
        TextNB().fit(iter([]), iter([]))
