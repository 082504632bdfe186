"""Retained documents: evenly spaced ones of all batches, few enough, and none that was forgotten or left the memory."""

import copy
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import candide
from candide import NaiveBayes, TunedNB
from candide.datasets import insurance
from candide.engines import retained
from candide.text import TextNB


@pytest.fixture(scope="module")
def messages():
    frame = insurance(400, messages=True).frame.dropna(subset=["message"])
    return frame["message"].to_numpy(object), frame["desk"].astype(str).to_numpy()


def taught(texts, y, size, **params):
    nb = TextNB(**params)
    for start in range(0, len(texts), size):
        nb.partial_fit(texts[start : start + size], y[start : start + size])
    return nb


def held(nb):
    return [row.texts[0] for row in nb._state.retained.rows]


@pytest.mark.parametrize("size", [1, 3, 20, 64])
def test_evenly_spaced_ones_are_retained_however_they_come(messages, size, monkeypatch):
    monkeypatch.setattr(retained, "MOST_RETAINED", 16)
    texts = [f"message {i}" for i in range(64)]
    nb = taught(texts, messages[1][:64], size)
    assert held(nb) == texts[::4]
    assert nb._state.retained.characters == sum(map(len, texts[::4]))


def test_documents_that_come_one_by_one_are_retained_as_well(messages):
    texts, y = messages
    nb = TextNB()
    for start in range(0, 150, 30):
        nb.partial_fit(iter(texts[start : start + 30]), iter(y[start : start + 30]))
    assert held(nb) == texts[:150].tolist()
    assert nb.tuned_on_ == taught(texts[:150], y[:150], 30).tuned_on_ == 120


@pytest.mark.parametrize("hold", [lambda frame: frame, pa.Table.from_pandas, lambda frame: iter([frame])])
def test_tiny_batches_of_frames_settle_as_lists_do(messages, hold):
    texts, y = messages
    nb = TextNB()
    for start in range(0, 150, 10):
        frame = pd.DataFrame({"message": texts[start : start + 10], "desk": y[start : start + 10]})
        nb.partial_fit(hold(frame), "desk")
    lists = taught(texts[:150], y[:150], 10)
    assert nb.tuned_on_ == lists.tuned_on_ >= 100
    known = pd.DataFrame({"message": texts[150:]})
    np.testing.assert_allclose(nb.predict_proba(known), lists.predict_proba(texts[150:]))


def test_they_are_few_characters_and_none_is_long(monkeypatch):
    monkeypatch.setattr(retained, "MOST_CHARACTERS", 200)
    monkeypatch.setattr(retained, "LONGEST", 50)
    nb = taught([f"{'long ' * 20 if i % 5 == 0 else 'short'} {i}" for i in range(100)], np.arange(100) % 2, 7)
    assert 5 < len(held(nb)) < 40
    assert sum(map(len, held(nb))) <= 200
    assert max(map(len, held(nb))) <= 50


def test_missing_documents_and_those_without_weight_are_not_retained():
    nb = TextNB().partial_fit(["one", None, "two", "three"], [0, 0, 1, 1], sample_weight=[1, 1, 0, 2])
    assert [(row.texts, row.label, row.weight) for row in nb._state.retained.rows] == [
        (("one",), 0, 1.0), (("three",), 1, 2.0)
    ]  # fmt: skip


def test_documents_leave_the_memory_by_no_way(messages, tmp_path):
    texts, y = messages
    nb = taught(texts[:150], y[:150], 10)
    nb.partial_fit(["xyzzy plugh frobozz"], y[:1])
    assert "xyzzy plugh frobozz" in held(nb)
    nb.save(tmp_path / "nb.json")
    for written in (pickle.dumps(nb), (tmp_path / "nb.json").read_bytes()):
        assert b"xyzzy plugh" not in written
    loaded = candide.load(tmp_path / "nb.json")
    for other in (loaded, copy.deepcopy(nb), nb + nb, nb - TextNB().fit(texts[:20], y[:20])):
        assert other._state.retained is None
    assert loaded.tuned_on_ == nb.tuned_on_ > 0
    assert TextNB().fit(texts, y)._state.retained is None


@pytest.mark.parametrize("given", [list, pa.array, lambda texts: [text.encode() for text in texts]])
def test_forgotten_documents_are_not_retained(messages, given):
    texts, y = messages
    nb = taught(texts[:60], y[:60], 10)
    gone = texts[5:25].tolist()
    nb.forget(given(gone), y[5:25])
    assert set(held(nb)) == set(texts[:60]) - set(gone)
    assert nb._state.retained.characters == sum(map(len, held(nb)))
    nb.forget(iter(texts[30:40]), iter(y[30:40]))
    assert nb._state.retained is None


def test_what_is_refused_is_not_retained(messages):
    texts, y = messages
    nb = taught(texts[:60], y[:60], 10)
    before = held(nb)
    with pytest.raises(ValueError, match="no UTF-8"):
        nb.partial_fit([b"fine", b"ab\xff"], y[:2])
    assert held(nb) == before


def test_nothing_is_retained_where_nothing_is_settled_on_it(messages, monkeypatch):
    texts, y = messages
    assert taught(texts[:60], y[:60], 10, event_model="multinomial")._state.retained is None
    assert taught(texts[:60], y[:60], 10, weights="temperature")._state.retained is None
    frame = insurance(60, messages=True).frame
    for estimator, retains in ((NaiveBayes, True), (TunedNB, False)):
        nb = estimator(distributions={"message": "text"}).partial_fit(frame, "desk")
        assert (nb._state.retained is not None) is retains
    monkeypatch.setattr("candide.estimator.settling.MOST_RETAINED", 100)
    nb = TextNB().fit(texts[:150], y[:150]).partial_fit(texts[150:160], y[150:160])
    assert nb._state.retained is None  # more have settled them than would be retained


def test_numbers_are_settled_again_on_what_is_left_where_many_were_retained(messages, monkeypatch):
    monkeypatch.setattr(retained, "MOST_RETAINED", 220)
    monkeypatch.setattr("candide.estimator.settling.MOST_RETAINED", 220)
    texts, y = messages
    nb = taught(texts, y, 10)
    (rule,) = nb._state.on_rows.rules.values()
    assert rule.settled_on[1] > 300 > rule.settled_on[0]


def test_a_stream_that_fades_is_settled_too(messages):
    texts, y = messages
    nb, plain = TextNB(), TextNB(event_model="multinomial")
    for start in range(0, 300, 10):
        nb, plain = (
            (0.999 * one if start else one).partial_fit(texts[start : start + 10], y[start : start + 10])
            for one in (nb, plain)
        )
    assert [row.weight for row in nb._state.retained.rows[::10]] == pytest.approx(0.999 ** np.arange(29, -1, -1.0))
    assert nb.tuned_on_ > 150
    assert nb._state.learnt.weight == plain._state.learnt.weight
