"""The OpenAPI document: what it says is what the server takes and gives."""

from __future__ import annotations

import json

import pytest
from tests.serve.conftest import FRAME

from candide import NaiveBayes
from candide.serve.answering import Answering
from candide.serve.openapi import describe


def resolved(document: dict, schema: dict) -> dict:
    return document["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def test_rows_are_described_by_their_columns(client):
    document = client.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    row = document["components"]["schemas"]["Row"]["properties"]
    assert list(row) == list(FRAME.columns)
    assert row["weight"] == {"type": ["number", "null"]}
    assert row["energy"] == {"type": ["string", "null"], "examples": ["diesel", "gas", "petrol"]}
    assert row["new"]["type"] == ["boolean", "null"]


def test_every_route_is_described_and_every_reference_leads_somewhere(client):
    document = client.get("/openapi.json").json()
    described = {(path, method) for path, methods in document["paths"].items() for method in methods}
    for path, method in described:
        assert client.request(method.upper(), path, content=b"{}" if method == "post" else None).status_code == 200
    text = json.dumps(document)
    names = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names <= set(document["components"]["schemas"])


@pytest.mark.parametrize("route", ["/predict", "/explain", "/questions", "/health"])
def test_replies_are_as_described(client, route):
    document = client.get("/openapi.json").json()
    answer = client.get(route) if route == "/health" else client.post(route, json={"energy": "gas"})
    (described,) = document["paths"][route].values()
    schema = described["responses"]["200"]["content"]["application/json"]["schema"]
    schema = resolved(document, schema["oneOf"][0] if "oneOf" in schema else schema)
    assert set(schema["required"]) <= set(answer.json()) <= set(schema["properties"])


def test_levels_are_all_there_are_where_others_are_refused():
    nb = NaiveBayes({"weight": "normal"}, unseen="error").fit(FRAME, FRAME["wheels"])
    row = describe(Answering(nb))["components"]["schemas"]["Row"]["properties"]
    assert row["energy"]["enum"] == ["diesel", "gas", "petrol", None]
