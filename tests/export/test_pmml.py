"""PMML: an evaluator gives the labels and probabilities of the model."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from tests.export.cases import learning_table, random_rows
from tests.strategies import KINDS

from candide import NaiveBayes
from candide.structure import TreeAugmentedNB

Y = np.array(["no", "ye's", 'a "b"'])[np.arange(400) % 3]
ROWS = 150
SAMPLED = {"kde", "mixture"}


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Any]:
    pypmml = pytest.importorskip("pypmml", reason="pypmml is not installed")
    if shutil.which("java") is None:
        pytest.skip("there is no Java on this machine")
    yield pypmml.Model
    pypmml.Model.close()


def check(nb: NaiveBayes, rows: pd.DataFrame, folder: Path, evaluator: Any) -> None:
    nb.to_pmml(folder / "model.pmml")
    model = evaluator.load(str(folder / "model.pmml"))
    X = rows.drop(columns="id")
    answers = [
        model.predict({n: None if pd.isna(c) else c for n, c in zip(X.columns, row, strict=True)})
        for row in X.astype(object).itertuples(index=False, name=None)
    ]
    found = [[answer[f"probability_{label}"] for label in nb.classes_] for answer in answers]
    np.testing.assert_allclose(np.log(np.array(found, dtype=float)), nb.predict_log_proba(X), rtol=1e-9, atol=1e-9)
    assert [answer["predicted_prediction"] for answer in answers] == nb.predict(X).tolist()


@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in SAMPLED] + ["auto", "smooth"])
def test_every_distribution_is_scored_as_in_python(kind: str, missing: str, tmp_path: Path, evaluator: Any) -> None:
    frame = learning_table(kind).drop(columns="flag")
    nb = NaiveBayes({"x": kind}, missing=missing).fit(frame, Y)
    check(nb, random_rows(frame, ROWS, strange=kind in {"auto", "smooth", "bins"}), tmp_path, evaluator)


@pytest.mark.parametrize("estimator", ["groups", "tree"])
def test_columns_that_are_joined_are_scored(estimator: str, tmp_path: Path, evaluator: Any) -> None:
    frame = learning_table("normal").drop(columns="flag").assign(k=np.where(Y == "no", "s", "t"))
    made = NaiveBayes("equal-width(4)", groups=[["x", "k"]]) if estimator == "groups" else TreeAugmentedNB()
    check(made.fit(frame, Y), random_rows(frame, ROWS), tmp_path, evaluator)


def test_the_document_is_well_formed_and_names_every_column(tmp_path: Path) -> None:
    frame = learning_table("normal")
    NaiveBayes({"x": "normal"}).fit(frame, Y).to_pmml(tmp_path / "model.pmml")
    root = ET.parse(tmp_path / "model.pmml").getroot()
    fields = root.findall("{*}DataDictionary/{*}DataField")
    assert {field.get("name") for field in fields} == {"prediction", *frame.columns}


def test_what_pmml_cannot_tell_is_refused_by_name(tmp_path: Path) -> None:
    frame = learning_table("categorical")
    with pytest.raises(ValueError, match="has probabilities of zero"):
        NaiveBayes(smoothing="none").fit(frame[:9], Y[:9]).to_pmml(tmp_path / "model.pmml")
    with pytest.raises(ValueError, match="XML has no such characters"):
        NaiveBayes().fit(pd.DataFrame({"a": ["\x01", "b"]}), ["p", "q"]).to_pmml(tmp_path / "model.pmml")
    with pytest.raises(ValueError, match="column 'x' cannot be written as PMML: its density"):
        NaiveBayes({"x": "kde"}).fit(learning_table("kde"), Y).to_pmml(tmp_path / "model.pmml")
    assert not list(tmp_path.iterdir())
