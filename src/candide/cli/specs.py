"""Specs: the models that `candide evaluate` compares, each written in one word."""

from __future__ import annotations

from typing import Any

from candide.cli.failures import BadInput
from candide.cli.words import combination_rule, preset_class, smoothing_rule
from candide.evaluate.models import IMPORTED, MAJORITY, classifier_of, settings_of, with_settings
from candide.messages import unknown

KEYS = ("smoothing", "combination", "distributions", "prior", "missing", "unseen")
DOCUMENTS = ("TextNB", "candide.text.TextNB")


def model_of(spec: str) -> Any:
    """Return the classifier that a spec stands for.

    Parameters
    ----------
    spec : str
        A preset ("RobustNB"), rules ("smoothing=none,combination=sum", also behind a preset:
        "LaplaceNB,prior=uniform"), "majority", "TextNB" for a table of one column of documents (with its own
        parameters: "TextNB,event_model=multinomial"), a classifier of scikit-learn ("sklearn.GaussianNB"), or any other
        by its module and name ("lightgbm.LGBMClassifier", also with parameters:
        "lightgbm.LGBMClassifier,n_estimators=50").

    Examples
    --------
    >>> model_of("LaplaceNB,prior=uniform")
    LaplaceNB(prior='uniform')
    """
    first, *rest = settings_of(spec)
    if first in DOCUMENTS:
        from candide.text import TextNB

        return with_settings(TextNB(), rest, spec)
    if first == "GaussianNB":
        return classifier_of(f"sklearn.{spec}")
    if spec == MAJORITY or IMPORTED.fullmatch(first):
        return classifier_of(spec)
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
