"""The server over real HTTP: answers, refusals, limits."""

from __future__ import annotations

import json
import random
import re
import socket
from base64 import b64encode
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest
from tests.serve.conftest import FRAME

from candide import NaiveBayes
from candide.serve import application, rows
from candide.structure import TreeAugmentedNB

ROW = {"weight": 512.5, "energy": "diesel", "wheels": 4, "new": True}


def test_one_row_gets_the_library_s_answer(client, model):
    answer = client.post("/predict", json=ROW).json()
    wanted = model.predict_proba(ROW)[0]
    assert answer["label"] == model.predict(ROW)[0]
    assert answer["chances"] == pytest.approx(dict(zip(model.classes_.tolist(), wanted, strict=True)), abs=1e-12)
    assert answer["chance"] == max(answer["chances"].values())
    assert set(answer) == {"label", "chance", "chances"}


def test_many_rows_get_the_library_s_answers_in_order(client, model):
    given = json.loads(FRAME.to_json(orient="records"))
    answers = client.post("/predict", json={"rows": given}).json()["rows"]
    assert [answer["label"] for answer in answers] == model.predict(FRAME).tolist()
    found = [[answer["chances"][label] for label in model.classes_] for answer in answers]
    np.testing.assert_allclose(found, model.predict_proba(FRAME), rtol=1e-6)  # JSON of pandas has ten digits
    assert client.post("/predict", json={"rows": []}).json() == {"rows": []}


def test_intervals_are_given_where_they_are_asked_for(client, model):
    answer = client.post("/predict?interval=0.9", json=ROW).json()
    wanted = model.predict_interval(pd.DataFrame([ROW]), 0.9)[0]
    np.testing.assert_allclose([answer["interval"][label] for label in model.classes_], wanted)
    for query, status in [("interval=2", 422), ("interval=x", 400), ("level=0.9", 422)]:
        assert client.post(f"/predict?{query}", json=ROW).status_code == status


def test_cells_that_say_nothing_are_named(client):
    answer = client.post("/predict", json={"energy": "steam", "wheels": None}).json()
    assert answer["unknown"] == ["weight", "wheels", "new"]
    assert answer["unseen"] == ["energy"]
    assert client.post("/predict", json={}).json()["unknown"] == list(FRAME.columns)


def test_the_target_is_left_aside(client):
    with_it, without = (client.post("/predict", json=row).json() for row in ({**ROW, "desk": "car"}, ROW))
    assert with_it["chances"] == pytest.approx(without["chances"])


def test_an_explanation_adds_up(client, model):
    answer = client.post("/explain", json={"energy": "diesel", "wheels": 6}).json()
    for label in model.classes_:
        added = answer["prior"][label] + sum(part["contributions"][label] for part in answer["columns"])
        assert added == pytest.approx(answer["scores"][label])
    points = [part["points"] for part in answer["columns"]]
    assert points == sorted(points, key=abs, reverse=True)
    log_odds = sum(points) * np.log(2) / 10 + answer["prior"][answer["label"]] - answer["prior"][answer["rival"]]
    chances = client.post("/predict", json={"energy": "diesel", "wheels": 6}).json()["chances"]
    assert np.exp(log_odds) == pytest.approx(chances[answer["label"]] / chances[answer["rival"]])
    assert answer["unknown"] == ["weight", "new"]
    assert len(client.post("/explain", json={"rows": [ROW, {}]}).json()["rows"]) == 2
    assert client.post("/explain", json={"rows": [ROW] * 101}).status_code == 413


def test_questions_are_the_library_s(client, model):
    answer = client.post("/questions", json={"wheels": 4}).json()
    found = model.questions({"wheels": 4})
    assert [q["column"] for q in answer["questions"]] == [q.column for q in found]
    assert answer["questions"][0]["information"] == pytest.approx(found[0].information)
    assert answer["doubt"] == pytest.approx(found.doubt)
    assert client.post("/questions", json={"rows": [{}]}).status_code == 422


def test_health_says_which_model_answers(client):
    assert client.get("/health").json() == {
        "status": "ok", "model": "NaiveBayes", "rows": 200.0, "columns": 4, "classes": 3, "checksum": "0123",
        "version": client.get("/openapi.json").json()["info"]["version"],
    }  # fmt: skip


REFUSED = [
    (b"", 400, "not JSON"),
    (b"nope", 400, "not JSON"),
    (b'{"weight": 1', 400, "not JSON"),
    (b'{"energy": "\xff"}', 400, "not JSON"),
    (b"[" * 100_000, 400, "not JSON"),
    (b'{"weight": 1e999}', 400, "not JSON"),
    (b"[1]", 422, "the body is a list"),
    (b"3", 422, "the body is a number"),
    (b'{"rows": {}}', 422, "'rows' is an object"),
    (b'{"rows": [{}, 7]}', 422, "row 1: a row is an object of cells, not a number"),
    (b'{"weight": "heavy"}', 422, "column 'weight' takes a number, not the text 'heavy'"),
    (b'{"weight": true}', 422, "column 'weight' takes a number, not true"),
    (b'{"energy": 4}', 422, "column 'energy' takes text, not the number 4"),
    (b'{"energy": ["a"]}', 422, "column 'energy' takes text, not a list"),
    (b'{"new": "yes"}', 422, "column 'new' takes true or false, not the text 'yes'"),
    (b'{"wieght": 4}', 422, "there is no column 'wieght'; did you mean 'weight'?"),
    (b'{"rows": [{"weight": 1}, {"wheels": {}}]}', 422, "row 1: column 'wheels' takes a number, not an object"),
    (b'{"weight": 1, "weight": 2}', 422, "the key 'weight' stands twice in an object"),
    (b'{"weight": 1, "w\\u0065ight": 2}', 422, "the key 'weight' stands twice in an object"),
    (b'{"weight": %s}' % (b"9" * 400), 422, "column 'weight' takes a number, not so large a number"),
]


@pytest.mark.parametrize(("body", "status", "says"), REFUSED, ids=[says for _, _, says in REFUSED])
@pytest.mark.parametrize("route", ["/predict", "/explain", "/questions"])
def test_what_does_not_fit_is_refused_in_a_sentence(client, route, body, status, says):
    if route == "/questions" and b"rows" in body:
        says, status = ("one row", 422) if b"{}}" not in body or b"[" in body else (says, status)
    answer = client.post(route, content=body)
    assert answer.status_code == status
    assert says in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    column = answer.json().get("column")
    assert (column is not None) == ("column '" in says)


@pytest.mark.parametrize(
    "body", [b'{"rows": [{"energy": "a:b"}, {"weight": 1, "weight": 2}]}', b'{"rows": [], "rows": []}']
)
def test_a_key_that_stands_twice_among_rows_is_refused(client, body):
    answer = client.post("/predict", content=body)
    assert answer.status_code == 422
    assert "stands twice" in answer.json()["error"]


def test_colons_in_text_are_no_keys(client):
    assert client.post("/predict", content=b'{"rows": [{"energy": "a: b"}, {"energy": ":::"}]}').status_code == 200


def test_a_thousand_malformed_requests_leave_the_server_whole(client):
    rng = random.Random(0)
    text = json.dumps({"rows": [ROW, {"weight": None, "energy": "gas"}]}).encode()
    seen = set()
    for _ in range(1000):
        body = bytearray(text)
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(body))
            how = rng.choice(["flip", "cut", "repeat", "put"])
            if how == "flip":
                body[at] = rng.randrange(256)
            elif how == "cut":
                del body[at : at + rng.randint(1, 20)]
            elif how == "repeat":
                body[at:at] = body[at : at + 20]
            else:
                body[at:at] = rng.choice([b"null", b"{", b"]", b'"', b"1e400", b"-0", b"\\ud800", b"NaN", b"[[", b","])
            body = body or bytearray(b" ")
        answer = client.post(rng.choice(["/predict", "/explain", "/questions"]), content=bytes(body))
        seen.add(answer.status_code)
        assert answer.status_code in {200, 400, 422}, bytes(body)
        if answer.status_code != 200:
            assert set(answer.json()) <= {"error", "column"}
    assert seen == {200, 400, 422}
    assert client.post("/predict", json=ROW).status_code == 200


def test_bodies_and_rows_have_limits(client, monkeypatch):
    monkeypatch.setattr(rows, "MOST_ROWS", 3)
    assert "4 rows" in client.post("/predict", json={"rows": [{}] * 4}).json()["error"]
    monkeypatch.setattr(application, "MOST_BYTES", 10_000_000)
    large = b'{"energy": "' + b"x" * 10_000_001 + b'"}'
    answer = client.post("/predict", content=large)
    assert answer.status_code == 413
    assert "larger than 9 MB" in answer.json()["error"]
    parts = client.post("/predict", content=iter([large[:6_000_000], large[6_000_000:]]))
    assert parts.status_code == 413


def test_a_body_in_parts_is_put_together(client):
    text = json.dumps(ROW).encode()
    answer = client.post("/predict", content=iter([text[:7], text[7:20], text[20:]]))
    assert answer.json() == client.post("/predict", json=ROW).json()


def test_a_body_that_does_not_come_is_not_waited_for(client, monkeypatch):
    monkeypatch.setattr(application, "PATIENCE", 0.05)
    with socket.create_connection((client.base_url.host, client.base_url.port)) as connection:
        connection.sendall(b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
        assert b"408" in connection.recv(200).splitlines()[0]


def test_paths_and_methods_that_are_not_there(client):
    assert "/predict" in client.get("/nope").json()["error"]
    assert client.get("/nope").status_code == 404
    wrong = client.get("/predict")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
    assert client.delete("/health").status_code == 405
    head = client.head("/health")
    assert (head.status_code, head.content) == (200, b"")


def test_headers_are_safe(client):
    for answer in (client.post("/predict", json=ROW), client.get("/health"), client.get("/nope")):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_another_name_for_this_machine_is_refused(client):
    assert client.get("/health", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/health", headers={"host": "localhost:80"}).status_code == 200
    assert client.get("/health", headers={"host": "[::1]:80"}).status_code == 200


def test_a_failure_of_the_model_is_told_without_its_insides(client, answering, monkeypatch, caplog):
    def fail(_):
        raise RuntimeError("a secret")

    monkeypatch.setattr(answering, "explain", fail)
    answer = client.post("/explain", json=ROW)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "a secret" in caplog.text


@pytest.mark.parametrize("unseen", ["error", "ignore"])
def test_unseen_levels_are_refused_where_the_model_refuses_them(unseen, model):
    from candide.serve.answering import Answering

    strict = NaiveBayes(unseen=unseen).fit(FRAME, model.predict(FRAME))
    call = Answering(strict).predict
    if unseen == "ignore":
        assert call(b'{"energy": "steam"}').unseen == ["energy"]
    else:
        with pytest.raises(ValueError, match="the level 'steam' was never seen"):
            call(b'{"energy": "steam"}')


def test_every_estimator_is_served(model):
    from candide.serve.answering import Answering
    from candide.text import TextNB

    y = model.predict(FRAME)
    tree = TreeAugmentedNB().fit(FRAME, y)
    given = json.dumps(ROW).encode()
    frame = pd.DataFrame([ROW])
    assert Answering(tree).predict(given).chance == pytest.approx(tree.predict_proba(frame).max())
    texts = ["a claim about a car", "the truck is late", "my bike"] * 5
    text = TextNB().fit(texts, ["car", "truck", "bike"] * 5)
    name = str(text.schema_.names[0])
    found = Answering(text).predict(json.dumps({name: "late truck"}).encode())
    assert found.label == "truck"
    assert found.chance == pytest.approx(text.predict_proba(["late truck"]).max())
    array = NaiveBayes("normal").fit(FRAME[["weight"]].to_numpy(), y)
    assert Answering(array).predict(b'{"0": 500}').chance == pytest.approx(array.predict_proba([[500.0]]).max())


def test_rows_are_named_and_read_as_the_tables_that_were_learnt():
    from candide.serve.answering import Answering
    from candide.serve.openapi import describe
    from candide.serve.refusals import Refusal

    rng, n = np.random.default_rng(1), 200
    y = rng.choice(["late", "paid"], n)
    frame = pd.DataFrame({
        "id": [f"K{i:05}" for i in range(n)],
        "due": pd.date_range("2024-01-01", periods=n).strftime("%d.%m.%Y"),
        "sum": [f"$ {v:,.2f}" for v in rng.lognormal(7, 1, n) * (1 + (y == "late"))],
        "kind": rng.choice(["new", "old"], n),
    })  # fmt: skip
    with pytest.warns(match="identifiers, ignored"):
        nb = NaiveBayes().fit(frame, y)
    answering = Answering(nb)
    row = {"due": "05.03.2024", "sum": "$ 2,345.00", "kind": "old"}
    wanted = nb.predict_proba(row)[0]
    for given in (row, {**row, "id": "K1"}, {**row, "due": "2024-03-05"}, {**row, "sum": 2345}):
        found = answering.predict(json.dumps(given).encode())
        assert list(found.chances.values()) == pytest.approx(wanted)
        assert (found.unknown, found.unseen) == ([], [])
    assert answering.predict(b'{"kind": "odd"}').unknown == ["due", "sum"]
    assert answering.predict(b'{"kind": "odd"}').unseen == ["kind"]
    assert answering.explain(json.dumps(row).encode()).chance == pytest.approx(wanted.max())
    assert {q.column for q in answering.questions(b'{"kind": "new"}').questions} >= {"sum"}
    assert "candide_rows_total 6" in answering.metrics.text()
    told = describe(answering)["components"]["schemas"]["Row"]["properties"]
    assert told.keys() == {"id", "due", "sum", "kind"}
    assert "ignored" in told["id"]["description"]
    with pytest.raises((Refusal, ValueError), match="'sum'"):
        answering.predict(json.dumps({**row, "sum": "much"}).encode())


def test_the_report_page_and_its_facts_are_served(client, model):
    from candide.report import facts

    assert client.get("/facts").json()["columns"][0].keys() == facts(model)["columns"][0].keys()
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    told = page.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"} <= set(told)
    (script,) = re.findall(r"<script>(.*)</script>", page.text, re.DOTALL)
    assert f"script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in told
    assert "Content-Security-Policy" in page.text
