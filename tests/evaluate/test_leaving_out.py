"""leave_one_out equals refitting without each row."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from tests.evaluate.models import Frequencies

from candide import NaiveBayes, TunedNB
from candide.datasets import insurance
from candide.evaluate import leave_one_out
from candide.presets import LaplaceNB

X, Y = load_iris(return_X_y=True)


def test_other_models_are_refitted_without_each_row():
    proba = cross_val_predict(GaussianNB(), X, Y, cv=LeaveOneOut(), method="predict_proba")
    got = leave_one_out(GaussianNB(), X, Y).iloc[0]
    assert got["n"] == 150
    assert got["accuracy"] == accuracy_score(Y, proba.argmax(axis=1))
    assert got["log_loss"] == pytest.approx(log_loss(Y, proba))


def test_candide_models_subtract_what_others_refit():
    table = insurance(60, missing=0.1).frame[["color", "energy", "multimedia", "desk"]]
    got = leave_one_out(LaplaceNB(), table, "desk").iloc[0]
    refitted = leave_one_out(_Refitted(LaplaceNB()), table, "desk").iloc[0]
    assert got["log_score"] == pytest.approx(refitted["log_score"])
    assert got["accuracy"] == refitted["accuracy"]


class _Refitted(BaseEstimator):
    """Hides that a model can forget; all classes have rows enough to be known without one."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        self.model.fit(X, y)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(X)


def test_candide_models_answer_from_their_statistics():
    frame = pd.DataFrame({"x": np.arange(10.0), "y": [0] * 7 + [1] * 3})
    got = leave_one_out({"f": Frequencies()}, frame, "y").iloc[0]
    # without one of the seven: (6 + 1) / 11; without one of the three: (2 + 1) / 11
    assert got["log_score"] == pytest.approx(-7 * np.log(7 / 11) - 3 * np.log(3 / 11))
    assert got["accuracy"] == 0.7


def test_rows_of_a_source_are_left_out_batch_by_batch(tmp_path):
    table = insurance(300, missing=0.1).frame.astype({"color": "str", "energy": "str", "multimedia": "str"})
    pieces = [table[start : start + 70] for start in range(0, 300, 70)]
    models = {"laplace": LaplaceNB(), "naive": NaiveBayes()}
    got, wanted = leave_one_out(models, pieces, "desk").frame, leave_one_out(models, table, "desk").frame
    assert list(got.columns) == list(wanted.columns)
    assert got["n"].tolist() == [300, 300]
    for score in ("accuracy", "log_score", "log_loss", "brier", "calibration_error"):
        np.testing.assert_allclose(got[score], wanted[score], rtol=1e-9)
    table.to_csv(tmp_path / "rows.csv", index=False)
    assert len(leave_one_out(LaplaceNB(), tmp_path / "rows.csv", "desk")) == 1


def test_sources_that_cannot_be_left_out_are_refused():
    table = insurance(60).frame
    with pytest.raises(ValueError, match="read twice"):
        leave_one_out(LaplaceNB(), iter([table]), "desk")
    with pytest.raises(ValueError, match="does not add up"):
        leave_one_out(GaussianNB(), [table, table], "desk")


def test_weights_that_are_kept_are_said_to_flatter(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(90, 3)), columns=list("uvw"))
    table = X.assign(y=np.where(X["u"] > 0, "p", "q"))
    table.to_csv(tmp_path / "t.csv", index=False)
    for found in (leave_one_out({"t": TunedNB(), "n": NaiveBayes()}, table, "y"),
                  leave_one_out({"t": TunedNB(), "n": NaiveBayes()}, str(tmp_path / "t.csv"), "y")):  # fmt: skip
        assert repr(found).endswith("kept, which flatters: cross_validate settles them anew")
        assert "n: weights" not in repr(found)
    assert "flatters" in leave_one_out(TunedNB(), table, "y")._repr_html_()
    assert "flatters" not in leave_one_out(NaiveBayes(), table, "y")._repr_html_()
