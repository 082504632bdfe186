"""Model files: plain, versioned, checksummed JSON, written whole or not at all. Nothing in a file is ever executed.

A file is JSON of which the first line says what it is, and has the SHA-256 of all bytes behind that line:

    {"format": "candide.model", "version": 2, "sha256": "9f86d081...", "model": {
     "estimator": "candide.NaiveBayes",
     "made": {"by": "candide 0.2.0", "on": "2026-11-16", "rows": 5, "source": "requests.csv"},
     "parameters": {...},
     "given": null,                       the schema that was given by schema=
     "privacy": {...},                    of a private model alone: what was promised to its rows
     "schema": {
      "classes": {"type": "text", "labels": ["bike", "car"]},
      "columns": [                        one line a column: what may occur
       {"name": "energy", "kind": "symbols", "keeps": ["cells"], "levels": ["diesel", "petrol"]}
      ],
      "settled": {...}                    one line a column: what was chosen, with cut points and scores
     },
     "statistics": {
      "classes": {"axes": ["classes"], "counts": [2, 3]},
      "cells": {"axes": ["classes", "cells"], "columns": [...]}      one line a column, its missing cell first
     }
    }}

A slim model is one text, of which 300 signs may be a whole model: its checksum and its version are packed with it.

    {"format": "candide.slim", "model": "..."}
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from candide.estimator.format.addresses import AddressBook, derived, is_own
from candide.estimator.format.encoding import check_rules, encode, known_rules
from candide.estimator.format.entries import SHOWN, ModelFileError
from candide.estimator.format.layout import Section, lay_out
from candide.estimator.format.parts import statistics_to_json
from candide.estimator.format.privacy import guarantee_to_json
from candide.estimator.format.schemas import schema_to_json
from candide.model.grouping import check_groups
from candide.model.plan import Plan, check_discrete
from candide.model.settled import Settled
from candide.release import RELEASE
from candide.schema.schema import Schema
from candide.statistics.learnt import Learnt
from candide.table.mappings import unrepeated
from candide.writing import replacing

__all__ = ["FORMAT", "VERSION", "ModelFileError", "check_plan", "payload_of", "read", "seal", "slim_file", "write"]

FORMAT, VERSION = "candide.model", 2
SLIM, SLIM_FORMAT = "candide.Slim", "candide.slim"
"""The address of slim models, and what their files say that they are."""

FIRST_LINE = f'{{"format": "{FORMAT}", "version": %d, "sha256": "%s", "model": {{\n'
OPENING = re.compile(re.escape(FIRST_LINE).replace("%d", r"(\d{1,9})").replace("%s", "([0-9a-f]{64})").encode())


def made_of(learnt: Learnt, made: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file says of its making: the library, the day, the rows, and what is known besides."""
    rows = learnt.statistics["classes"].table.sum().item()
    day = dt.datetime.now(dt.UTC).date().isoformat()
    return {"by": f"candide {RELEASE}", "on": day, "rows": rows, **made}


def payload_of(estimator: Any, plan: Plan, learnt: Learnt, settled: Settled | None) -> Section:
    """Return an estimator with what it has learnt and what was settled; the plan is what its parameters mean."""
    check_plan(plan, learnt.schema, settled)
    rules = known_rules()
    params = estimator.get_params(deep=False)
    given = params.pop("schema", None)
    private = {} if learnt.guarantee is None else {"privacy": guarantee_to_json(learnt.guarantee, rules)}
    return Section(
        estimator=estimator_address(type(estimator)),
        made=made_of(learnt, estimator.told_),
        parameters=Section((name, encode(value, rules)) for name, value in params.items()),
        given=None if given is None else schema_to_json(given, rules),
        **private,
        schema=schema_to_json(replace(learnt.schema, settled=settled), rules),
        statistics=statistics_to_json(learnt),
    )


def estimator_address(cls: type) -> str:
    """Return the address that an estimator is found by: among all that are derived from the library's base."""
    base = next(c for c in reversed(cls.__mro__) if is_own(c))
    return AddressBook(base, filter(is_own, derived(base)), "estimator").address(cls)


def check_plan(plan: Plan, schema: Schema, settled: Settled | None) -> None:
    """Refuse a plan that a file does not hold, or under which the columns cannot have been settled as they are."""
    check_rules(plan.distributions, known_rules())
    if settled is not None:
        if plan.groups != schema.groups:
            raise ValueError("groups are not those that were settled")
        plan.check_settled(settled)
        check_groups(plan.groups, plan.names, settled.distributions)
        if plan.combination.discrete:
            check_discrete(settled.distributions, plan.names, plan.combination.name)


def write(path: str | os.PathLike[str], payload: Section) -> None:
    """Write a payload so that a crash in the middle leaves the old file whole."""
    store(path, seal(lay_out(payload)))


def store(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that a crash in the middle leaves the old one whole."""
    with replacing(path) as file:
        file.write(data)


def slim_file(packed: str) -> bytes:
    """Return the file of a slim model, of which all is packed."""
    return f'{{"format": "{SLIM_FORMAT}", "model": "{packed}"}}\n'.encode()


def seal(text: str) -> bytes:
    """Return the file of a payload's text: under the first line, which has the checksum of all others."""
    rest = sealed(text)
    return (FIRST_LINE % (VERSION, hashlib.sha256(rest).hexdigest())).encode() + rest


def sealed(text: str) -> bytes:
    """Return the bytes behind the first line of the file of a payload's text."""
    # lone surrogates, which UTF-8 does not have, stand in JSON strings only and are written as JSON escapes
    return (text.partition("\n")[2] + "}\n").encode("utf-8", "backslashreplace")


def read(path: str | os.PathLike[str]) -> tuple[int, dict[str, Any]]:
    """Read and check a model file; say what is wrong with one that is damaged, foreign or newer.

    Returns
    -------
    version : int
    payload : dict
    """
    data = Path(path).read_bytes()
    opening = OPENING.match(data)
    if opening is not None:
        check_version(path, int(opening[1]), (VERSION,))
        check_seal(path, opening[2].decode() == hashlib.sha256(data[opening.end() :]).hexdigest())
    content = parse(path, data)
    if isinstance(content, dict) and content.get("format") == SLIM_FORMAT and set(content) == {"format", "model"}:
        return VERSION, {"estimator": SLIM, "model": content["model"]}
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ModelFileError(f"{path} is not a Candide model: it does not say format {FORMAT!r}")
    version, payload = content.get("version"), content.get("model")
    check_version(path, version, (1, VERSION))
    if opening is None:
        check_seal(path, version == 1 and content.get("sha256") == canonical_checksum(payload))
    if not isinstance(payload, dict) or set(content) != {"format", "version", "sha256", "model"}:
        raise ModelFileError(f"{path} is not a Candide model: it does not have the form of one")
    return version, payload  # type: ignore[return-value]  # checked above


def check_version(path: str | os.PathLike[str], version: Any, known: tuple[int, ...]) -> None:
    """Refuse a file of another version than is read."""
    if type(version) is not int or version not in known:
        raise ModelFileError(
            f"{path} is a Candide model of version {SHOWN.repr(version)}; this release reads versions 1 and {VERSION}"
        )


def check_seal(path: str | os.PathLike[str], whole: bool) -> None:
    """Refuse a file whose checksum is not that of its content."""
    if not whole:
        raise ModelFileError(
            f"{path} is damaged: its checksum does not fit its content, which was cut short, changed or laid out anew "
            "since it was saved; restore it from a copy"
        )


def canonical_checksum(payload: Any) -> str | None:
    """Return the checksum that release 0.1 took: of a second, sorted text of the payload."""
    try:
        text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return hashlib.sha256(text.encode()).hexdigest()


def parse(path: str | os.PathLike[str], data: bytes) -> Any:
    """Return the JSON value of a file: no key stands twice, and nothing behind it."""
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=unrepeated, parse_constant=not_json)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{path} is not a Candide model: it is not JSON ({error})") from None


def not_json(name: str) -> Any:
    """Refuse the words NaN and Infinity, which Python's reader takes for JSON."""
    raise ValueError(f"{name} is no JSON")
