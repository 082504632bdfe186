"""Loading: from a file to the estimator that wrote it, or to an error that says where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.estimator.format.sealed import X, Y, rewrite

import candide
from candide import NaiveBayes, presets
from candide.combination import Product
from candide.estimator.files import ModelFileError
from candide.estimator.format.encoding import encode, known_rules


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    NaiveBayes({"weight": "normal"}, groups=[["energy", "colour"]]).fit(X, Y).save(path)
    return path


@pytest.mark.parametrize("name", presets.__all__)
def test_a_preset_comes_back_as_what_it_was(name: str, tmp_path: Path) -> None:
    nb = getattr(presets, name)().fit(X, Y)
    nb.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    assert type(again) is type(nb)
    assert again.get_params(deep=False) == nb.get_params(deep=False)
    np.testing.assert_allclose(again.predict_proba(X), nb.predict_proba(X), rtol=1e-12)


Model = dict[str, Any]


def parameter(**change: Any) -> Callable[[Model], object]:
    return lambda model: model["parameters"].update(change)


WRONG: dict[str, tuple[Callable[[Model], object], str]] = {
    "no statistics": (lambda m: m.pop("statistics"), "model has no 'statistics'"),
    "no schema": (lambda m: m.pop("schema"), "model has no 'schema'"),
    "no schema that was given": (lambda m: m.pop("given"), "model has no 'given'"),
    "more than is known": (lambda m: m.update(weights=[]), "model has a 'weights', which is not known here"),
    "an estimator of no text": (lambda m: m.update(estimator=[]), r"model\.estimator is \[\], which is no text"),
    "an estimator of a bare name": (lambda m: m.update(estimator="NaiveBayes"), "which is not defined here"),
    "what every estimator is": (lambda m: m.update(estimator="candide.Classifier"), "which is not defined here"),
    "a parameter of its own": (parameter(nonsense=1), r"model\.parameters has a 'nonsense', which is not known here"),
    "a schema among the parameters": (parameter(schema=3), r"do not fit the columns: schema takes"),
    "a rule of another kind": (parameter(smoothing=encode(Product(), known_rules())), "do not fit the columns"),
    "a rule of no name": (parameter(smoothing="laplaace"), "do not fit the columns: smoothing='laplaace' is not known"),
    "a column of its own": (parameter(distributions={"pairs": [["height", "normal"]]}), "there is no column 'height'"),
    "other groups than were settled": (parameter(groups=None), "groups are not those that were settled"),
    "densities under the sum": (parameter(combination="sum"), "speaks of discrete attributes: column 'weight'"),
    "a bomb by its name": (parameter(distributions="equal-width(1000000000)"), "cannot be saved"),
    "another word for missing": (parameter(missing="drop"), "missing='drop' is not known"),
    "a schema of no form": (lambda m: m.update(given=3), r"model\.given is 3, which is no object"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_model_is_an_error_that_says_where(name: str, path: Path) -> None:
    change, message = WRONG[name]
    rewrite(path, change)
    with pytest.raises(ModelFileError, match=rf"model\.json: .*{message}"):
        candide.load(path)


def test_a_parameter_that_a_file_lacks_has_its_default(path: Path) -> None:
    rewrite(path, lambda m: m["parameters"].pop("unseen"))
    assert candide.load(path).unseen == "ignore"
