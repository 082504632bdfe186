"""Models that are evaluated: objects, or text that says where a class is to be imported from."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Mapping, Sequence
from typing import Any

from candide.messages import unknown

MAJORITY = "majority"
"""Always the commonest class, with the shares of all as probabilities."""

SKLEARN = re.compile(r"sklearn\.\w+")
IMPORTED = re.compile(r"[A-Za-z_]\w*(\.\w+)+")
"""A module and a name in it."""


def by_name(models: Any) -> dict[str, Any]:
    """Return classifiers by name: of a mapping, or of one or several, which go by their text or their class's name.

    Examples
    --------
    >>> by_name(["majority", "sklearn.GaussianNB"])
    {'majority': DummyClassifier(), 'sklearn.GaussianNB': GaussianNB()}
    """
    if not isinstance(models, Mapping):
        several = models if isinstance(models, (list, tuple)) else [models]
        names = [model if isinstance(model, str) else type(model).__name__ for model in several]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two models are called {twice!r}: give a dict of names and models")
        models = dict(zip(names, several, strict=True))
    return {name: classifier_of(model) if isinstance(model, str) else model for name, model in models.items()}


def classifier_of(text: str) -> Any:
    """Return the classifier that a text stands for.

    Parameters
    ----------
    text : str
        "majority", one of scikit-learn's ("sklearn.GaussianNB"), or any by its module and name
        ("lightgbm.LGBMClassifier"), also with parameters ("lightgbm.LGBMClassifier,n_estimators=50").

    Examples
    --------
    >>> classifier_of("sklearn.linear_model.LogisticRegression,C=0.5")
    LogisticRegression(C=0.5)
    """
    if text == MAJORITY:
        from sklearn.dummy import DummyClassifier

        return DummyClassifier(strategy="prior")
    first, *settings = settings_of(text)
    if SKLEARN.fullmatch(first):
        return with_settings(_sklearn(first.removeprefix("sklearn.")), settings, text)
    if IMPORTED.fullmatch(first):
        return with_settings(_imported(first), settings, text)
    raise ValueError(f"model {text!r}: write a module and a class in it, such as 'sklearn.linear_model.Perceptron'")


def settings_of(text: str) -> list[str]:
    """Return what stands between the commas of a text, those in brackets aside."""
    return [item.strip() for item in re.split(r",(?![^(]*\))", text)]


def _imported(text: str) -> Any:
    """Return a classifier by its module and name, made with its defaults."""
    from importlib import import_module

    from sklearn.base import is_regressor

    module, _, name = text.rpartition(".")
    try:
        found = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name != package:
            raise ValueError(f"model {text!r}: {error}") from None
        raise ValueError(f"model {text!r}: {package} is not installed; pip install {package}") from None
    except ImportError as error:
        raise ValueError(f"model {text!r}: {error}") from None
    except AttributeError:
        raise ValueError(f"model {text!r}: {unknown('name', name, dir(import_module(module)))}") from None
    made = found() if isinstance(found, type) else found
    if not (hasattr(made, "fit") and hasattr(made, "predict")):
        raise ValueError(f"model {text!r}: this is no classifier with fit and predict")
    if is_regressor(made):
        raise ValueError(f"model {text!r}: this predicts numbers, and is no classifier")
    return made


def with_settings(classifier: Any, settings: Sequence[str], text: str) -> Any:
    """Return a classifier with parameters of its own, "key=value", as Python writes them or as text."""
    params = {}
    for item in settings:
        key, equals, value = item.partition("=")
        known = list(classifier.get_params()) if hasattr(classifier, "get_params") else []
        if not equals:
            raise ValueError(f"model {text!r}: {item!r} is no setting; write its parameters as name=value")
        if key not in known:
            raise ValueError(f"model {text!r}: {unknown('parameter', key, known)}")
        try:
            params[key] = literal_eval(value)
        except (ValueError, SyntaxError):
            params[key] = value
    return classifier.set_params(**params) if params else classifier


def _sklearn(name: str) -> Any:
    """Return one of scikit-learn's classifiers by name."""
    from sklearn.utils import all_estimators

    known = dict(all_estimators(type_filter="classifier"))
    if name not in known:
        raise ValueError(f"scikit-learn: {unknown('classifier', name, list(known))}")
    try:
        return known[name]()
    except TypeError:
        raise ValueError(f"model 'sklearn.{name}' needs parameters that cannot be given here") from None
