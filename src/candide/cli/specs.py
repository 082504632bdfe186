"""Specs: the models that `candide evaluate` compares, each written in one word."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Sequence
from typing import Any

from candide.cli.failures import BadInput
from candide.cli.words import combination_rule, preset_class, smoothing_rule
from candide.messages import unknown

KEYS = ("smoothing", "combination", "distributions", "prior", "missing", "unseen")
MAJORITY = "majority"
DOCUMENTS = ("TextNB", "candide.text.TextNB")


def model_of(spec: str, frame: Any) -> Any:
    """Return the classifier that a spec stands for.

    Parameters
    ----------
    spec : str
        A preset ("RobustNB"), rules ("smoothing=none,combination=sum", also behind a preset:
        "LaplaceNB,prior=uniform"), "majority", "TextNB" for a table of one column of documents (with its own
        parameters: "TextNB,event_model=multinomial"), a classifier of scikit-learn ("sklearn.GaussianNB"), or any other
        by its module and name ("lightgbm.LGBMClassifier", also with parameters:
        "lightgbm.LGBMClassifier,n_estimators=50").
    frame : pandas.DataFrame
        The columns without the target: scikit-learn's classifiers need them imputed and coded.

    Examples
    --------
    >>> model_of("LaplaceNB,prior=uniform", None)
    LaplaceNB(prior='uniform')
    """
    if spec == MAJORITY:
        from sklearn.dummy import DummyClassifier

        return DummyClassifier(strategy="prior")
    first, *rest = [item.strip() for item in re.split(r",(?![^(]*\))", spec)]
    if first in DOCUMENTS:
        from candide.text import TextNB

        return _given(TextNB(), rest, spec)
    if SKLEARN.fullmatch(first) or first == "GaussianNB":
        return coded(_given(_sklearn(first.removeprefix("sklearn.")), rest, spec), frame)
    if IMPORTED.fullmatch(first):
        return coded(_given(_imported(first), rest, spec), frame)
    rules = rest if "=" not in first else [first, *rest]
    made = preset_class("NaiveBayes" if "=" in first else first, "model", (MAJORITY, "TextNB", "sklearn.GaussianNB"))
    try:
        return made(**dict(_setting(item, spec) for item in rules))
    except TypeError as error:
        raise BadInput(f"--model {spec!r}: {error}") from None


def _setting(item: str, spec: str) -> tuple[str, Any]:
    """Read one "key=value" of a spec."""
    key, equals, value = item.partition("=")
    if not equals:
        raise BadInput(f"--model {spec!r}: {item!r} is no setting; write smoothing=laplace,combination=product")
    if key == "distribution":
        key = "distributions"
    if key not in KEYS:
        raise BadInput(f"--model {spec!r}: {unknown('setting', key, KEYS)}")
    if key == "smoothing":
        return key, smoothing_rule(value)
    if key == "combination":
        return key, combination_rule(value)
    if key == "distributions" and value != "auto":
        from candide.distributions import as_distribution

        as_distribution(value)
    return key, value


SKLEARN = re.compile(r"sklearn\.\w+")
IMPORTED = re.compile(r"[A-Za-z_]\w*(\.\w+)+")
"""A module and a name in it."""


def _imported(spec: str) -> Any:
    """Return a classifier by its module and name, made with its defaults."""
    from importlib import import_module

    from sklearn.base import is_regressor

    module, _, name = spec.rpartition(".")
    try:
        found = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name != package:
            raise BadInput(f"--model {spec!r}: {error}") from None
        raise BadInput(f"--model {spec!r}: {package} is not installed; pip install {package}") from None
    except ImportError as error:
        raise BadInput(f"--model {spec!r}: {error}") from None
    except AttributeError:
        raise BadInput(f"--model {spec!r}: {unknown('name', name, dir(import_module(module)))}") from None
    made = found() if isinstance(found, type) else found
    if not (hasattr(made, "fit") and hasattr(made, "predict")):
        raise BadInput(f"--model {spec!r}: this is no classifier with fit and predict")
    if is_regressor(made):
        raise BadInput(f"--model {spec!r}: this predicts numbers, and is no classifier")
    return made


def _given(classifier: Any, settings: Sequence[str], spec: str) -> Any:
    """Return another library's classifier with parameters of its own, "key=value", as Python writes them or as text."""
    params = {}
    for item in settings:
        key, equals, value = item.partition("=")
        known = list(classifier.get_params()) if hasattr(classifier, "get_params") else []
        if not equals:
            raise BadInput(f"--model {spec!r}: {item!r} is no setting; write its parameters as name=value")
        if key not in known:
            raise BadInput(f"--model {spec!r}: {unknown('parameter', key, known)}")
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
        raise BadInput(f"scikit-learn: {unknown('classifier', name, list(known))}")
    try:
        return known[name]()
    except TypeError:
        raise BadInput(f"sklearn.{name} needs parameters that cannot be given here") from None


def coded(classifier: Any, frame: Any) -> Any:
    """Return a classifier behind what scikit-learn needs: means for missing numbers, a column per level."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    number = make_column_selector(dtype_include="number")
    other = make_column_selector(dtype_exclude="number")
    code = make_column_transformer(
        (SimpleImputer(keep_empty_features=True), number(frame)),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), other(frame)),
    )
    return make_pipeline(code, classifier)
