"""ONNX: the runtime gives the labels and log-probabilities of the model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.export.cases import LABELS, Y, learning_table, random_rows, same
from tests.strategies import KINDS

from candide import NaiveBayes
from candide.structure import TreeAugmentedNB

runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")


def run(path: Path, rows: pd.DataFrame) -> dict[str, np.ndarray]:
    session = runtime.InferenceSession(path)
    feed = {}
    for given in session.get_inputs():
        column = rows[given.name]
        cells = column.fillna("").to_numpy(object) if "string" in given.type else column.to_numpy(float)
        feed[given.name] = cells[:, None]
    return dict(zip([out.name for out in session.get_outputs()], session.run(None, feed), strict=True))


def check(nb: NaiveBayes, rows: pd.DataFrame, folder: Path, tolerance: float = 1e-9, sampled: bool = False) -> None:
    nb.to_onnx(folder / "model.onnx", sampled=sampled)
    found = run(folder / "model.onnx", rows)
    same(found["label"], found["log_probabilities"], nb, rows, tolerance)
    np.testing.assert_allclose(found["probabilities"], np.exp(found["log_probabilities"]))


@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("kind", [*KINDS, "auto", "smooth"])
def test_every_distribution_is_scored_as_in_python(kind: str, missing: str, tmp_path: Path) -> None:
    frame = learning_table(kind)
    nb = NaiveBayes({"x": kind}, missing=missing).fit(frame, Y)
    if kind in {"kde", "mixture"}:
        with pytest.raises(ValueError, match="column 'x' cannot be written as ONNX"):
            nb.to_onnx(tmp_path / "model.onnx")
        assert not list(tmp_path.iterdir())
        check(nb, random_rows(frame, 500, strange=False), tmp_path, tolerance=1e-3, sampled=True)
        return
    check(nb, random_rows(frame, 10_000), tmp_path)


def test_probabilities_of_zero_are_told(tmp_path: Path) -> None:
    frame = learning_table("categorical")
    check(NaiveBayes(smoothing="none").fit(frame[::9], Y[::9]), random_rows(frame, 1000), tmp_path)


@pytest.mark.parametrize("estimator", ["groups", "tree"])
def test_columns_that_are_joined_are_scored_with_gaps_and_unseen_levels(estimator: str, tmp_path: Path) -> None:
    frame = learning_table("normal").assign(k=np.where(Y == "no", "s", "t"))
    frame.loc[::6, "k"] = None
    groups = [["x", "k"], ['hostile "name`; --', "flag"]]
    made = NaiveBayes("equal-width(4)", groups=groups) if estimator == "groups" else TreeAugmentedNB()
    check(made.fit(frame, Y), random_rows(frame, 2000), tmp_path)


@pytest.mark.parametrize("labels", [[0, 1, 2], [True, False, True]])
def test_labels_keep_their_type(labels: list, tmp_path: Path) -> None:
    frame = learning_table("normal")
    y = [labels[LABELS.index(label)] for label in Y]
    check(NaiveBayes({"x": "normal"}).fit(frame, y), random_rows(frame, 200), tmp_path)


def test_tuned_weights_and_pairs_are_scored_as_in_python(tmp_path: Path) -> None:
    frame = learning_table("normal").assign(k=np.where(Y == "no", "s", "t"))
    check(NaiveBayes(weights="tuned").fit(frame, Y), random_rows(frame, 2000), tmp_path)


def test_a_model_without_an_input_is_refused(tmp_path: Path) -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"x": [1.0, 1.0, np.nan]}), [0, 1, 1])
    with pytest.raises(ValueError, match="no column says anything"):
        nb.to_onnx(tmp_path / "model.onnx")
