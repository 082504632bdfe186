"""Loading: from a model file to the estimator that wrote it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import candide.presets  # noqa: F401  # a file may hold any of them
from candide.estimator import Classifier
from candide.estimator import files as persistence
from candide.statistics import Learnt, Statistics


def load(path: str | os.PathLike[str]) -> Classifier:
    """Read a model that `save` wrote; it predicts and learns as before.

    Parameters
    ----------
    path : path of a model file

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
    payload = persistence.read(path)
    name = payload.get("estimator")
    known = {cls.__name__: cls for cls in derived(Classifier)}
    if name not in known:
        raise persistence.ModelFileError(f"{path} holds a {name!r}, which is not known here; known are {sorted(known)}")
    try:
        return restore(known[name], payload)
    except persistence.ModelFileError as error:
        raise persistence.ModelFileError(f"{path}: {error}") from None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise persistence.ModelFileError(f"{path} does not have the form of a model: {error!r}") from error


def restore(cls: type[Classifier], payload: dict[str, Any]) -> Classifier:
    """Return the estimator that a payload holds."""
    params = {name: persistence.decode(value) for name, value in payload["params"].items()}
    if payload["given"] is not None:
        params["schema"] = persistence.schema_from_dict(payload["given"])
    schema = persistence.schema_from_dict(payload["schema"])
    statistics = Statistics.from_dict(payload["statistics"], schema)
    return cls._restore(params, Learnt(replace(schema, settled=None), statistics), schema.settled)


def derived(cls: type[Classifier]) -> list[type[Classifier]]:
    """Return a class and everything derived from it, the presets among them."""
    return [cls, *(c for sub in cls.__subclasses__() for c in derived(sub))]
