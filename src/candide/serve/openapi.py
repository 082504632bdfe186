"""OpenAPI: what can be asked, told to programs, from the model's schema and the types of the replies."""

from __future__ import annotations

from typing import Any

import msgspec

from candide import __version__
from candide.schema.column import Column
from candide.serve import replies
from candide.serve.answering import Answering

EXAMPLES = 20
"""Levels of a column that are given as examples."""

JSON_TYPES = {str: "string", bool: "boolean", int: "number", float: "number"}
REPLIES = [
    replies.Prediction,
    replies.Predictions,
    replies.Explained,
    replies.ExplainedRows,
    replies.Asked,
    replies.Health,
    replies.Failure,
]
FAILURES = {
    "400": "The body is not JSON.",
    "413": "The body is too large, or has too many rows.",
    "422": "A cell or a column does not fit the model.",
}


def describe(answering: Answering) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of a model."""
    _, schemas = msgspec.json.schema_components(REPLIES, ref_template="#/components/schemas/{name}")
    schemas["Row"] = row_schema(answering)
    schemas["Rows"] = {
        "type": "object",
        "properties": {"rows": {"type": "array", "items": ref("Row")}},
        "required": ["rows"],
        "additionalProperties": False,
    }
    either, interval = {"oneOf": [ref("Row"), ref("Rows")]}, [interval_parameter()]
    health = answering.health()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"A {health.model} of {health.columns} columns and {health.classes} classes",
            "version": __version__,
            "description": "Served by Candide. Cells that are null, or not there, are unknown and say nothing.",
        },
        "paths": {
            "/predict": post("Decide the class of rows", either, ["Prediction", "Predictions"], interval),
            "/explain": post("Explain decisions", either, ["Explained", "ExplainedRows"]),
            "/questions": post("Tell what to ask next about a row", ref("Row"), ["Asked"]),
            "/": get("The report page", {"text/html": {"schema": {"type": "string"}}}),
            "/facts": get("What is told of the model", {"application/json": {"schema": {"type": "object"}}}),
            "/health": get("Tell which model answers", {"application/json": {"schema": ref("Health")}}),
            "/metrics": get("Counts for Prometheus", {"text/plain": {"schema": {"type": "string"}}}),
            "/openapi.json": get("This document", {"application/json": {"schema": {"type": "object"}}}),
        },
        "components": {"schemas": schemas},
    }


def row_schema(answering: Answering) -> dict[str, Any]:
    """Return the JSON schema of a row."""
    closed, reader = answering.model.unseen == "error", answering.reader
    properties = {name: cell_schema(reader.columns.get(name), reader.takes[name], closed) for name in reader.names}
    for name, read in answering.schema.reading_as_taken.items():
        properties[str(name)]["description"] = read.said
    return {"type": "object", "properties": properties, "additionalProperties": False}


def cell_schema(column: Column | None, takes: set[type], closed: bool) -> dict[str, Any]:
    """Return the JSON schema of a cell; levels are examples, unless no others are taken. A reader's has no column."""
    types = sorted({JSON_TYPES[t] for t in takes})
    out: dict[str, Any] = {"type": [*types, "null"]}
    if column is not None and column.kind == "symbols" and column.levels is not None and len(column.levels):
        levels = column.levels.tolist()
        out.update({"enum": [*levels, None]} if closed else {"examples": levels[:EXAMPLES]})
    return out


def ref(name: str) -> dict[str, Any]:
    """Return a reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def interval_parameter() -> dict[str, Any]:
    """Return the parameter that asks for credible intervals."""
    number = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
    says = "Also give the interval that holds each chance with this probability."
    return {"name": "interval", "in": "query", "required": False, "schema": number, "description": says}


def post(summary: str, body: dict[str, Any], answers: list[str], parameters: Any = None) -> dict[str, Any]:
    """Return a route that takes rows."""
    found = ref(answers[0]) if len(answers) == 1 else {"oneOf": [ref(name) for name in answers]}
    failures = {status: answered(says, ref("Failure")) for status, says in FAILURES.items()}
    route = {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"200": answered("The answer.", found), **failures},
    }
    return {"post": route if parameters is None else {**route, "parameters": parameters}}


def get(summary: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return a route that takes nothing."""
    return {"get": {"summary": summary, "responses": {"200": {"description": "The answer.", "content": content}}}}


def answered(says: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return a reply."""
    return {"description": says, "content": {"application/json": {"schema": schema}}}
