"""Several columns of documents in one model: each has words of its own, whatever rule they share."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import log_softmax
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from candide import NaiveBayes, TunedNB
from candide.distributions import Text

PEERS = {"multinomial": MultinomialNB, "bernoulli": BernoulliNB}
COLUMNS = ["subject", "body"]


@pytest.fixture
def mails():
    rng = np.random.default_rng(3)
    desk = rng.choice(["bike", "car", "truck"], 60)
    body = [" ".join(rng.choice([label, "my", "new", "please", "insure"], 6)) for label in desk]
    subject = [" ".join(rng.choice([label, "my", "offer", "new"], 2)) for label in desk]
    return pd.DataFrame({"subject": subject, "body": body, "desk": desk})


@pytest.mark.parametrize("event_model", PEERS)
def test_columns_of_one_rule_are_scikit_learns_side_by_side(event_model, mails):
    """Under independence the scores of two columns add, and the prior counts once."""
    score = 0.0
    for column in COLUMNS:
        words = CountVectorizer()
        peer = PEERS[event_model]().fit(words.fit_transform(mails[column]), mails["desk"])
        score = score + peer.predict_joint_log_proba(words.transform(mails[column])) - peer.class_log_prior_
    wanted = log_softmax(score + peer.class_log_prior_, axis=1)
    one, other = Text(event_model=event_model), Text(event_model=event_model)
    for rules in ({"subject": one, "body": other}, dict.fromkeys(COLUMNS, one)):
        nb = NaiveBayes(distributions=rules, prior=np.exp(peer.class_log_prior_)).fit(mails, "desk")
        np.testing.assert_allclose(nb.predict_log_proba(mails[COLUMNS]), wanted, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("estimator", [NaiveBayes, TunedNB])
@pytest.mark.parametrize("rule", ["text", Text(event_model="complement"), Text(hashing=64)])
def test_columns_of_one_rule_are_learnt_forgotten_and_explained(estimator, rule, mails):
    nb = estimator(distributions=dict.fromkeys(COLUMNS, rule))
    nb.partial_fit(mails[:50], "desk").partial_fit(mails[50:], "desk").forget(mails[:1], "desk")
    assert nb.score(mails, "desk") > 0.9
    told = nb.explain(mails[COLUMNS])
    np.testing.assert_allclose(told.scores, nb.predict_joint_log_proba(mails[COLUMNS]), rtol=1e-10)


def test_a_first_row_settles_nothing_that_columns_would_differ_in(mails):
    nb = NaiveBayes(distributions=dict.fromkeys(COLUMNS, "text")).partial_fit(mails[:1], "desk")
    assert nb.predict(mails[:1][COLUMNS]).tolist() == [mails["desk"][0]]
