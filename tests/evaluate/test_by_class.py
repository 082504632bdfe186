"""Scores by class, against scikit-learn's."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB

from candide.evaluate import cross_validate
from candide.evaluate.by_class import areas, averages, class_scores, confusion, matthews
from candide.evaluate.validation import OthersWarning


@pytest.mark.parametrize("seed", range(20))
def test_scores_are_those_of_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(2, 6)), int(rng.integers(20, 200))
    truth, proba = rng.integers(0, k, n), rng.dirichlet(np.ones(k), n).round(1)
    decided = proba.argmax(axis=1)
    counts = confusion(truth, decided, k)
    np.testing.assert_array_equal(counts, metrics.confusion_matrix(truth, decided, labels=range(k)))
    found = class_scores(counts)
    theirs = metrics.precision_recall_fscore_support(truth, decided, labels=range(k), zero_division=0)
    np.testing.assert_allclose(np.nan_to_num(found["precision"]), theirs[0])
    np.testing.assert_allclose(np.nan_to_num(found["recall"]), theirs[1])
    np.testing.assert_allclose(np.nan_to_num(found["f1"]), theirs[2])
    assert matthews(counts) == pytest.approx(metrics.matthews_corrcoef(truth, decided))
    for c, area in enumerate(areas(truth, proba)):
        if 0 < (truth == c).sum() < n:
            assert area == pytest.approx(metrics.roc_auc_score(truth == c, proba[:, c]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        balanced = metrics.balanced_accuracy_score(truth, decided)
    assert averages(counts, areas(truth, proba))["balanced_accuracy"] == pytest.approx(balanced)


def test_one_class_alone_has_no_area_and_no_correlation() -> None:
    truth = np.zeros(5, dtype=int)
    assert np.isnan(areas(truth, np.full((5, 2), 0.5))).all()
    assert matthews(confusion(truth, truth, 2)) == 0.0


def test_folds_add_up_to_the_confusion_of_all_rows() -> None:
    X, y = load_iris(return_X_y=True)
    results = cross_validate({"normal": GaussianNB()}, X, y, folds=5, by_class=True)
    assert {"auc", "f1", "matthews", "precision", "balanced_accuracy"} <= set(results.columns)
    counts = results.attrs["confusion"]["normal"]
    assert sum(sum(row.values()) for row in counts.values()) == 150
    right = sum(counts[label][label] for label in counts)
    assert right / 150 == pytest.approx(results["accuracy"].mean())
    assert results.attrs["classes"]["normal"][0]["recall"] == 1.0
    assert results.copy().attrs["confusion"]["normal"] is counts  # of K² entries, which every step of pandas would copy
    assert json.loads(json.dumps(results.attrs["classes"]["normal"]))["0"]["rows"] == 50
    assert "auc" not in cross_validate({"normal": GaussianNB()}, X, y, folds=5).columns


def test_what_others_warn_of_is_one_line() -> None:
    X, y = load_iris(return_X_y=True)
    model = SGDClassifier(loss="log_loss", max_iter=1, tol=None, random_state=0)
    with pytest.warns(OthersWarning, match=r"\d+ warnings in the folds, \d+ times") as caught:
        cross_validate({"few": model.set_params(tol=1e-9)}, X, y, folds=3)
    assert len(caught) == 1


class Talkative(GaussianNB):
    """A classifier that prints, as some libraries warn."""

    def fit(self, X, y, sample_weight=None):
        print("no further splits")
        return super().fit(X, y, sample_weight)


class Verbose(GaussianNB):
    """A classifier that warns in several lines, as scikit-learn's of a fit that has not converged."""

    def fit(self, X, y, sample_weight=None):
        warnings.warn("failed to converge:\nSTOP: TOTAL NO. OF\n  ITERATIONS", UserWarning, stacklevel=2)
        return super().fit(X, y, sample_weight)


def test_what_others_warn_of_in_several_lines_is_one() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.warns(OthersWarning, match=r"3 times 'UserWarning: failed to converge: STOP: TOTAL NO. OF ITERATIONS'"):
        cross_validate({"verbose": Verbose()}, X, y, folds=3, n_jobs=1, progress=False)


def test_what_others_print_is_in_that_line_and_not_on_the_screen(capfd: pytest.CaptureFixture[str]) -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.warns(OthersWarning, match=r"3 warnings in the folds, 3 times 'no further splits'"):
        cross_validate({"talks": Talkative()}, X, y, folds=3, n_jobs=1, progress=False)
    assert capfd.readouterr().out == ""
