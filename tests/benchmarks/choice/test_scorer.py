"""Scores over folds that every checkout is given alike."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.choice.scorer import over_folds, scores
from sklearn.naive_bayes import GaussianNB

from candide import NaiveBayes


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = pd.DataFrame({"number": rng.normal(size=60) + 3 * y, "word": np.where(rng.random(60) < 0.5, "a", "b")})
    return X, y, np.arange(60) // 2 % 3


def test_scores_are_those_of_the_other_folds_models(table):
    X, y, folds = table
    X = X[["number"]]
    for fold, (accuracy, loss) in enumerate(over_folds(GaussianNB(), X, y, folds)):
        fitted, asked = GaussianNB().fit(X[folds != fold], y[folds != fold]), folds == fold
        assert accuracy == fitted.score(X[asked], y[asked])
        assert loss == pytest.approx(-fitted.predict_log_proba(X[asked])[np.arange(asked.sum()), y[asked]].mean())


def test_a_class_that_only_one_fold_holds_is_known_to_ours_alone(table):
    X, y, folds = table
    y = np.where(folds == 0, 2, y)
    ours, theirs = (over_folds(model, X[["number"]], y, folds) for model in (NaiveBayes(), GaussianNB()))
    assert np.isfinite(ours).all()
    assert theirs[0] == [0.0, np.inf]


def test_before_is_asked_for_the_automatic_choice_now_for_every_model(table):
    alone, every = scores(*table, False), scores(*table, True)
    assert list(alone) == ["auto"]
    assert alone["auto"] == every["auto"]
    assert {"entropy", "normal", "GaussianNB", "KBins quantile"} <= set(every)
