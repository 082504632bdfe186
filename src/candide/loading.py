"""Loading: from a model file to the estimator that wrote it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from typing import Any

from candide.estimator import Classifier, NaiveBayes, files
from candide.estimator.format import version1
from candide.estimator.format.addresses import AddressBook
from candide.estimator.format.encoding import RuleBook, decode, known_rules
from candide.estimator.format.entries import Entry, ModelFileError
from candide.estimator.format.parts import statistics_from_json
from candide.estimator.format.privacy import guarantee_from_json
from candide.estimator.format.schemas import schema_from_json
from candide.estimator.format.version1_given import adopted
from candide.estimator.slim.slim import restore_slim
from candide.statistics import Learnt

ROOMS = ("candide.presets", "candide.structure", "candide.text")
"""The packages whose estimators a file may hold, beside `NaiveBayes`."""


def own_estimators(rooms: Iterable[str] = ROOMS) -> tuple[type[Classifier], ...]:
    """Return the estimators of the library that a file may hold, of some packages; these are imported."""
    found = [import_module(room) for room in rooms]
    return (NaiveBayes, *(getattr(room, name) for room in found for name in room.__all__))


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that `save` wrote; it predicts and learns as before.

    Parameters
    ----------
    path : path of a model file
        Of this release or an earlier one. A file that is damaged, or holds what no model has, is a `ModelFileError`
        that says what is wrong and where.

    Examples
    --------
    >>> import tempfile, os
    >>> from candide import NaiveBayes, load
    >>> nb = NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     nb.save(os.path.join(folder, "model.json"))
    ...     load(os.path.join(folder, "model.json")).predict([[1.5], [8.5]])
    array(['low', 'high'], dtype='<U4')
    """
    version, payload = files.read(path)
    named = str(payload.get("estimator"))
    rooms = [room for room in ROOMS if version == 1 or named.startswith(f"{room}.")]
    rules, estimators = known_rules(), AddressBook(Classifier, own_estimators(rooms), "estimator")
    try:
        if version == 1:
            payload = version1.upgraded(Entry(payload), rules, estimators)
        if payload.get("estimator") == files.SLIM:
            return restore_slim(Entry(payload), rules)
        return restore(Entry(payload), rules, estimators, version)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from None


def restore(entry: Entry, rules: RuleBook, estimators: AddressBook[Classifier], version: int) -> Classifier:
    """Return the estimator that a payload holds."""
    entry.check_keys(("estimator", "made", "parameters", "given", "privacy", "schema", "statistics"))
    try:
        cls = estimators.named(entry["estimator"].text())
    except ValueError as error:
        raise entry["estimator"].wrong(str(error)) from None
    params = parameters(entry, cls, rules)
    schema = schema_from_json(entry["schema"], rules)
    promised = entry.get("privacy")
    guarantee = None if promised is None else guarantee_from_json(promised, rules)
    learnt = Learnt(replace(schema, settled=None), statistics_from_json(entry["statistics"], schema), guarantee)
    try:
        if version == 1 and params.get("schema") is not None:
            learnt = adopted(learnt, params["schema"])
        restored = cls._restore(params, learnt, schema.settled)
    except (TypeError, ValueError) as error:
        raise entry["parameters"].wrong(f"do not fit the columns: {error}") from None
    told = entry.get("made")
    restored.told_ = {} if told is None else made_from_json(told)
    return restored


def made_from_json(entry: Entry) -> dict[str, Any]:
    """Return what a file says of its making besides what it says anew whenever it is saved."""
    entry.check_keys(("by", "on", "rows", "source", "tables", "evaluation"))
    if entry.get("tables") is not None:
        entry.value["tables"] = [name.text() for name in entry["tables"].items()]
    return {key: entry[key].value for key in ("source", "tables", "evaluation") if key in entry.value}


def parameters(entry: Entry, cls: type[Classifier], rules: RuleBook) -> dict[str, Any]:
    """Return the parameters of an estimator, the schema that was given among them."""
    known = cls._get_param_names()
    entry["parameters"].check_keys(known)
    params = {name: decode(value, rules) for name, value in entry["parameters"].fields().items()}
    given = entry["given"]
    if given.value is not None:
        if "schema" not in known or "schema" in params:
            raise given.wrong(f"is a schema, and {cls.__name__} takes none")
        params["schema"] = schema_from_json(given, rules)
    return params
