"""The default on real collections: as right as scikit-learn's naive Bayes at its best, and calibrated."""

from __future__ import annotations

import os

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

from candide.datasets import load
from candide.evaluate.reliability import calibration_error
from candide.text import TextNB

pytestmark = pytest.mark.skipif("CANDIDE_DATA" not in os.environ, reason="CANDIDE_DATA names no data folder")


def halves(name):
    frame = load(name).frame
    order = np.random.default_rng(0).permutation(len(frame))
    texts, y = frame["text"].to_numpy(object)[order], frame["label"].to_numpy(str)[order]
    cut = len(y) // 2
    return (texts[:cut], y[:cut]), (texts[cut:], y[cut:])


@pytest.mark.parametrize("name", ["sms_spam", "reuters_r8"])
def test_the_default_is_no_worse_than_the_best_of_scikit_learn(name):
    learn, answer = halves(name)
    peers = [make_pipeline(CountVectorizer(), peer) for peer in (MultinomialNB(), ComplementNB(), BernoulliNB())]
    best = max(peer.fit(*learn).score(*answer) for peer in peers)
    nb = TextNB().fit(*learn)
    assert nb.score(*answer) >= best
    log_p = nb.predict_log_proba(answer[0])
    right = nb.classes_[log_p.argmax(axis=1)] == answer[1]
    assert calibration_error(np.exp(log_p.max(axis=1)), right.astype(float)) <= 0.03
    told = nb.explain(answer[0][:20])
    np.testing.assert_allclose(told.scores, nb.predict_joint_log_proba(answer[0][:20]), rtol=1e-10)


def test_leaving_out_foretells_new_documents():
    learn, answer = halves("reuters_r8")
    nb = TextNB().fit(*learn)
    left = nb.leave_one_out(*learn)
    foretold = np.mean(nb.classes_[left.argmax(axis=1)] == learn[1])
    assert abs(foretold - nb.score(*answer)) < 0.015


def test_the_order_of_documents_hardly_matters():
    """Curvature is looked at in some documents: of odd ones it misleads a step, and others are to be asked then."""
    frame = load("reuters_r8").frame[:5_485]
    some = np.random.default_rng(11).permutation(len(frame))[:3_400]
    texts, y = frame["text"].to_numpy(object)[some], frame["label"].to_numpy(str)[some]

    def loss(seed):
        order = np.random.default_rng(seed).permutation(len(y))
        nb = TextNB().fit(texts[order], y[order])
        return -nb.leave_one_out(texts, y)[np.arange(len(y)), np.searchsorted(nb.classes_, y)].mean()

    one, other = loss(1), loss(2)
    assert abs(other - one) < 0.1 * one
