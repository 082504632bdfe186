"""Scores against scikit-learn's, and the rules for zero probabilities and impossible rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss

from candide.evaluate.metrics import SCORES, scores


def answers(seed, n=60, k=3):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k), n)
    return rng.integers(0, k, n), proba, np.zeros(n, dtype=bool)


@given(st.integers(0, 200))
def test_scores_are_scikit_learns(seed):
    truth, proba, none = answers(seed)
    got = scores(truth, proba.argmax(axis=1), np.log(proba), none)
    assert set(got) == set(SCORES)
    assert got["accuracy"] == accuracy_score(truth, proba.argmax(axis=1))
    assert got["log_loss"] == pytest.approx(log_loss(truth, proba, labels=[0, 1, 2]))
    assert got["log_score"] == pytest.approx(60 * got["log_loss"])
    assert got["brier"] == pytest.approx(brier_score_loss(truth, proba, labels=[0, 1, 2], scale_by_half=False))


def test_calibration_error_of_the_top_label_by_hand():
    # two bins hold rows: (0.6, 0.7] three rows, two right; (0.9, 1.0] one row, wrong
    proba = np.array([[0.7, 0.3], [0.7, 0.3], [0.4, 0.6 + 1e-9], [0.95, 0.05]])
    truth = np.array([0, 0, 0, 1])
    got = scores(truth, proba.argmax(axis=1), np.log(proba), np.zeros(4, dtype=bool))["calibration_error"]
    assert got == pytest.approx(3 / 4 * abs(2 / 3 - 2.0 / 3) + 1 / 4 * 0.95)


def test_a_true_class_with_probability_zero_costs_infinity():
    with np.errstate(divide="ignore"):
        log_proba = np.log([[1.0, 0.0], [0.5, 0.5]])
    got = scores(np.array([1, 0]), np.array([0, 0]), log_proba, np.zeros(2, dtype=bool))
    assert got["log_score"] == np.inf
    assert got["log_loss"] == np.inf
    assert got["accuracy"] == 0.5


def test_impossible_rows_are_errors_whatever_was_decided():
    log_proba = np.log([[0.9, 0.1], [0.9, 0.1]])
    got = scores(np.array([0, 0]), np.array([0, 0]), log_proba, np.array([True, False]))
    assert got["accuracy"] == 0.5
    assert got["log_score"] == np.inf
    assert got["calibration_error"] == pytest.approx(0.4)


def test_models_without_probabilities_still_have_an_accuracy():
    got = scores(np.array([0, 1]), np.array([0, 1]), np.full((2, 2), np.nan), np.zeros(2, dtype=bool))
    assert got["accuracy"] == 1
    assert all(np.isnan(got[name]) for name in SCORES if name != "accuracy")
