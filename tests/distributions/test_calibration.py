"""The pace of documents that nothing was settled on, and what the length of documents says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax

from candide.distributions.calibration import BANDS, ELSEWHERE, FARTHEST, PENALTIES, ViewWeights, log_lengths


def some_documents(seed, n_classes, level=0.0):
    """Weights, and documents whose classes are drawn from their own posteriors at a level of the pace."""
    rng = np.random.default_rng(seed)
    weights = ViewWeights(np.ones((3, BANDS)), np.array([0.0, 0.1, 0.2]), np.zeros(n_classes), np.zeros(n_classes))
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


def penalised_by_length(weights, evidence, log_length, y, w, d):
    """The penalised log-likelihood of documents whose length says d."""
    scores = weights.pace_of(evidence, log_length)[:, None] * evidence + np.clip(log_length, -2, 2)[:, None] * d
    own = np.take_along_axis(log_softmax(scores, axis=1), np.maximum(y, 0)[:, None], axis=1)[:, 0]
    return float(np.where(y < 0, 0.0, w) @ own) - 0.5 * PENALTIES[2] * float(d @ d)


def by_differences(f, at, h=1e-3):
    """The gradient and the Hessian of f."""
    e = h * np.eye(len(at))
    slope = np.array([f(at + a) - f(at - a) for a in e]) / (2 * h)
    curve = [[f(at + a + b) - f(at + a - b) - f(at - a + b) + f(at - a - b) for b in e] for a in e]
    return slope, np.array(curve) / (4 * h * h)


@given(st.integers(0, 1000), st.floats(-0.5, 0.5))
def test_lengths_of_two_classes_are_heard_by_newtons_step(seed, d):
    weights, evidence, log_length, y, w = some_documents(seed, 2)
    weights = replace(weights, by_length=np.array([-d, d]))
    slope, curve = by_differences(
        lambda at: penalised_by_length(weights, evidence, log_length, y, w, at), weights.by_length
    )
    heard = weights.hearing_lengths(evidence, log_length, np.zeros(evidence.shape), y, w)
    np.testing.assert_allclose(heard.by_length, weights.by_length - np.linalg.solve(curve, slope), rtol=1e-4, atol=1e-5)


@given(st.integers(0, 1000), st.integers(2, 6))
def test_hearing_lengths_makes_documents_likelier(seed, n_classes):
    weights, evidence, log_length, y, w = some_documents(seed, n_classes)
    log_length += 0.5 * y
    heard = weights.hearing_lengths(evidence, log_length, np.zeros(evidence.shape), y, w)
    after, before = (penalised_by_length(weights, evidence, log_length, y, w, x.by_length) for x in (heard, weights))
    assert after > before
    assert heard.by_length[-1] > heard.by_length[0]  # the longest, and the shortest
    far = heard.of_length(np.array([FARTHEST, 50.0, -FARTHEST, -50.0]))
    np.testing.assert_array_equal(far[::2], far[1::2])


def test_a_document_without_a_known_word_has_no_length():
    np.testing.assert_allclose(log_lengths(np.array([0, 1, 10]), np.log(5.0)), [0.0, np.log(0.2), np.log(2.0)])
