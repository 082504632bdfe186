"""Loading: from a model file to the estimator that wrote it."""

from __future__ import annotations

import os

import candide.presets  # noqa: F401  # a file may hold any of them
from candide.estimator import files as persistence
from candide.estimator.naive_bayes import NaiveBayes


def load(path: str | os.PathLike[str]) -> NaiveBayes:
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
    known = {cls.__name__: cls for cls in derived(NaiveBayes)}
    if name not in known:
        raise persistence.ModelFileError(f"{path} holds a {name!r}, which is not known here; known are {sorted(known)}")
    try:
        return known[name]._restore(payload)
    except persistence.ModelFileError as error:
        raise persistence.ModelFileError(f"{path}: {error}") from None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise persistence.ModelFileError(f"{path} does not have the form of a model: {error!r}") from error


def derived(cls: type[NaiveBayes]) -> list[type[NaiveBayes]]:
    """Return a class and everything derived from it, the presets among them."""
    return [cls, *(c for sub in cls.__subclasses__() for c in derived(sub))]
