"""Metrics: counts that Prometheus reads, and how far what comes in has moved."""

from __future__ import annotations

import json
import re

import msgspec
import numpy as np
import pytest
from tests.serve.conftest import FRAME

from candide.serve.answering import Answering
from candide.serve.metrics import Incoming, Metrics, equal_masses, labels
from candide.serve.replies import Prediction


def values(text: str) -> dict[str, float]:
    """The samples of the text format by name and labels; every other line is a comment that says a type."""
    out = {}
    for line in text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP \S+ .+|TYPE \S+ (counter|gauge|histogram))", line)
        else:
            name, number = re.fullmatch(r'([a-z_]+(?:\{(?:[a-z]+="(?:[^"\\]|\\.)*",?)*\})?) (\S+)', line).groups()
            out[name] = float(number)
    return out


def test_requests_rows_decisions_and_cells_are_counted(client):
    client.post("/predict", json={"energy": "steam", "wheels": 4})
    client.post("/predict", json={"rows": [{"energy": "gas"}, {}]})
    client.post("/predict", json=[])
    found = values(client.get("/metrics").text)
    assert found['candide_requests_total{route="/predict",status="200"}'] == 2
    assert found['candide_requests_total{route="/predict",status="422"}'] == 1
    assert found['candide_request_seconds_count{route="/predict"}'] == 3
    assert found['candide_request_seconds_bucket{route="/predict",le="+Inf"}'] == 3
    assert found["candide_rows_total"] == 3
    assert sum(n for name, n in found.items() if name.startswith("candide_decisions_total")) == 3
    assert found['candide_missing_cells_total{column="wheels"}'] == 2
    assert found['candide_unseen_cells_total{column="energy"}'] == 1


def test_rows_as_they_were_learnt_have_not_moved_and_others_have(client):
    client.post("/predict", json={"rows": json.loads(FRAME.to_json(orient="records"))})
    found = values(client.get("/metrics").text)
    assert found['candide_moved_share{column="energy"}'] == 0
    assert 0 < found['candide_moved_by_chance{column="energy"}'] < 0.1
    client.post("/predict", json={"rows": [{"energy": "gas", "wheels": 6}] * 1000})
    found = values(client.get("/metrics").text)
    assert found['candide_moved_share{column="energy"}'] > 5 * found['candide_moved_by_chance{column="energy"}']
    assert 'candide_moved_share{column="weight"}' not in found  # by moments: it is not counted


@pytest.mark.filterwarnings("ignore::candide.schema.same_level.NearLevels")
def test_rows_one_by_one_are_counted_and_answered_as_rows_together(model):
    rows = [{k: v for k, v in row.items() if v is not None} for row in FRAME.astype(object).to_dict("records")[:60]]
    rows += [{"energy": "steam"}, {"energy": None, "new": True}, {}, {"wheels": 5, "weight": 1e9, "energy": "Gas"}]
    one, several = Answering(model), Answering(model)
    bodies = [json.dumps(row).encode() for row in rows]
    at_once = [one.at_once(body) for body in bodies]
    assert [answer is not None for answer in at_once] == [True] * 60 + [False] * 4  # too few cells, or another case
    read = [None if answer is None else msgspec.json.decode(answer, type=Prediction) for answer in at_once]
    found = [answer or one.predict(body) for answer, body in zip(read, bodies, strict=True)]
    again = [Answering(model).predict(body) for body in bodies]  # the usual way says the same
    assert [answer.label for answer in found] == [answer.label for answer in again]
    assert [answer.chances for answer in found] == [pytest.approx(answer.chances, rel=1e-12) for answer in again]
    for mine, theirs in zip(found, several.predict(json.dumps({"rows": rows}).encode()).rows, strict=True):
        assert (mine.label, mine.unknown, mine.unseen) == (theirs.label, theirs.unknown, theirs.unseen)
        assert mine.chances == pytest.approx(theirs.chances, rel=1e-12)
    assert values(one.metrics.text()) == values(several.metrics.text())


def test_chance_moves_as_much_as_it_is_said_to():
    rng = np.random.default_rng(1)
    p = np.array([0.5, 0.3, 0.15, 0.05])
    moved, said = [], []
    for _ in range(400):
        learnt, come = rng.multinomial(1000, p), rng.multinomial(300, p)
        column = Incoming("x", {}, [], np.array([0, 0, *learnt.tolist()], dtype=float))
        share, chance = column.moved(np.array([0, 0, *come.tolist()]))
        moved.append(share)
        said.append(chance)
    assert np.mean(moved) == pytest.approx(np.mean(said), rel=0.1)


def test_nothing_is_said_before_anything_came():
    column = Incoming("x", {"a": 2}, [], np.array([0.0, 0.0, 5.0]))
    assert column.moved(np.zeros(3)) is None
    assert "candide_moved_share{" not in Metrics([column]).text()


def test_numbers_are_cut_into_cells_of_about_equal_weight():
    x = np.arange(1000.0)
    cuts = equal_masses(x, np.ones(1000))
    assert np.bincount(np.searchsorted(cuts, x)).tolist() == [100] * 10
    assert equal_masses(np.array([1.0, 2.0]), np.array([5.0, 1.0])).tolist() == [1.0]
    assert equal_masses(np.array([3.0]), np.array([9.0])).tolist() == []


def test_hostile_names_stay_within_their_quotes():
    assert labels(column='x"} 1\nevil{a="\\') == '{column="x\\"} 1\\nevil{a=\\"\\\\"}'
