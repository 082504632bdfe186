"""The pace of documents that nothing was settled on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax

from candide.distributions.calibration import BANDS, ELSEWHERE, ViewWeights


def some_documents(seed, n_classes, level=0.0):
    """Weights, and documents whose classes are drawn from their own posteriors at a level of the pace."""
    rng = np.random.default_rng(seed)
    weights = ViewWeights(np.ones((3, BANDS)), np.array([0.0, 0.1, 0.2]), np.zeros(n_classes))
    n = 400
    evidence, log_length, w = rng.normal(size=(n, n_classes)), rng.normal(size=n), rng.choice([0.0, 1.0, 2.0], n)
    scores = np.exp(level) * weights.pace_of(evidence, log_length)[:, None] * evidence
    chance = np.exp(log_softmax(scores, axis=1)).cumsum(axis=1)
    y = np.minimum((rng.random(n)[:, None] > chance).sum(axis=1), n_classes - 1)
    y[::17] = -1  # of a class that was not learnt
    return weights, evidence, log_length, y, w


def log_likelihood(weights, evidence, log_length, y, w, log_pace):
    scores = weights.raised(log_pace).pace_of(evidence, log_length)[:, None] * evidence
    own = np.take_along_axis(log_softmax(scores, axis=1), np.maximum(y, 0)[:, None], axis=1)[:, 0]
    return float(np.where(y < 0, 0.0, w) @ own)


@given(st.integers(0, 1000), st.integers(2, 6))
def test_the_step_is_newtons_of_the_likelihood_of_other_documents(seed, n_classes):
    weights, evidence, log_length, y, w = some_documents(seed, n_classes)
    wrong, _ = weights.residuals(evidence, log_length, np.zeros(evidence.shape), y, w)
    h = 1e-4
    below, here, above = (log_likelihood(weights, evidence, log_length, y, w, np.log1p(x)) for x in (-h, 0.0, h))
    wanted = (above - below) / (2 * h) / ((2 * here - above - below) / h**2 + ELSEWHERE**-2)
    assert weights.pace_elsewhere(evidence, log_length, wrong, y, w) == pytest.approx(wanted, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("level", [-0.3, 0.3])
def test_documents_that_words_tell_less_of_ask_for_a_lower_pace(level):
    weights, evidence, log_length, y, w = some_documents(0, 4, level)
    wrong, _ = weights.residuals(evidence, log_length, np.zeros(evidence.shape), y, w)
    assert np.sign(weights.pace_elsewhere(evidence, log_length, wrong, y, w)) == np.sign(level)
