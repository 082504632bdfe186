"""Words thrown into buckets: memory follows those that hold something, and what is said counts all of them."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

import candide
from candide.analysis.analyzer import Analyzer
from candide.schema.filled_buckets import FilledBuckets
from candide.table import Bags
from candide.text import TextNB

MODELS = ["auto", "multinomial", "bernoulli", "complement", "normalized-complement"]
PEERS = {
    "multinomial": MultinomialNB(),
    "bernoulli": BernoulliNB(),
    "complement": ComplementNB(),
    "normalized-complement": ComplementNB(norm=True),
}
NEW = ["my car was stolen", "nobody ever wrote such words", "", "car car nobody"]


def agree(found, wanted, tolerance):
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def mails(n=120):
    rng = np.random.default_rng(0)
    words = {
        "car": ["my", "car", "was", "towed", "by", "truck"],
        "bike": ["the", "bike", "has", "flat", "tyre", "my", "old"],
    }
    y = np.array(["bike", "car", "car"] * (n // 3))
    return [" ".join(rng.choice(words[c], rng.integers(0, 8))) + f" only{i % 40}" for i, c in enumerate(y.tolist())], y


def in_buckets(analyzer, texts):
    """Return how often each bucket stands in documents, as HashingVectorizer(alternate_sign=False, norm=None) does."""
    tokens = analyzer.read(Bags(texts))
    of = np.repeat(np.arange(len(texts)), np.diff(tokens.starts))
    where = of, analyzer.buckets_of(tokens.words)[tokens.ids]
    return scipy.sparse.coo_matrix((np.ones(len(of)), where), shape=(len(texts), analyzer.hashing)).tocsr()


@pytest.mark.parametrize("event_model", PEERS)
@pytest.mark.parametrize(
    "params", [{}, {"stem": "english"}, {"ngrams": (1, 2)}, {"analyzer": "char", "ngrams": (1, 3)}]
)
@pytest.mark.parametrize("hashing", [2, 9, 5000])
def test_empty_buckets_count_as_columns_of_zeros_do(event_model, params, hashing):
    texts, y = mails()
    nb = TextNB(event_model=event_model, hashing=hashing, **params).fit(texts, y)
    analyzer = Analyzer(hashing=hashing, **params)
    peer = PEERS[event_model].fit(in_buckets(analyzer, texts), y)
    for some in (texts, NEW):
        agree(nb.predict_log_proba(some), peer.predict_log_proba(in_buckets(analyzer, some)), 1e-10)
    told = nb.explain(NEW)
    agree(told.scores, nb.predict_joint_log_proba(NEW), 1e-12)
    agree(told.prior + told.contributions.sum(axis=2), told.scores, 1e-12)


@pytest.mark.parametrize("event_model", MODELS)
def test_memory_follows_the_buckets_that_hold_something(event_model, tmp_path):
    """An array with a byte for each bucket would be too large, whoever made it."""
    texts, y = mails()
    params = {"event_model": event_model, "hashing": 2**24}

    def everything(**params):
        nb = TextNB(**params).fit(texts, y)
        more = (nb + TextNB(**params).fit(texts[:9], y[:9])).partial_fit(texts[:5], y[:5]).forget(texts[:5], y[:5])
        more.predict(NEW)
        more.leave_one_out(texts, y)
        more.explain(NEW)
        more.top_words("car")
        more.sample(3, random_state=0)
        more.save(tmp_path / "model.json")
        candide.load(tmp_path / "model.json").predict_proba(NEW)
        more.slim().predict(NEW)
        stems = TextNB(**params, stem="english", min_df=2, max_features=5).fit(texts, y)
        stems.predict(NEW)
        stems.leave_one_out(texts, y)

    everything(event_model=event_model)  # what is imported and remembered
    tracemalloc.start()
    try:
        everything(**params)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2**24


@pytest.mark.parametrize("event_model", MODELS)
def test_as_many_buckets_as_there_may_be(event_model):
    """Kernels with a number for each of them would hold gigabytes."""
    texts, y = mails()
    nb, words = (TextNB(event_model=event_model, hashing=h).fit(texts, y) for h in (2**28, None))
    if event_model == "auto":  # the buckets that hold nothing say nothing
        known = [text for text in texts if text.strip()]
        agree(nb.predict_log_proba(known), words.predict_log_proba(known), 1e-6)
    if event_model != "bernoulli":  # where a class of fewer documents is sure to have none of 2**28 buckets
        assert (nb.predict(texts) == y).mean() > 0.9
    assert nb.leave_one_out(texts, y).shape == (len(y), 2)


@pytest.mark.parametrize("event_model", MODELS)
@pytest.mark.parametrize("params", [{}, {"stem": "english"}])
def test_words_of_empty_buckets_are_told_apart(event_model, params):
    texts, y = mails()
    nb = TextNB(event_model=event_model, hashing=2**20, **params).fit(texts, y)
    told = nb.explain(["zebra zebra giraffe car"])
    cells = {name: cell for name, cell, _ in told.weights(0)}
    giraffe = "giraff" if params else "giraffe"
    assert (cells["zebra"], cells[giraffe], cells["car"]) == (2, 1, 1)
    agree(told.prior + told.contributions[0].sum(axis=1), told.scores[0], 1e-12)


def test_the_most_frequent_buckets_are_those_that_hold_something():
    texts, y = mails()
    few = TextNB(event_model="multinomial", hashing=2**20, max_features=1000).fit(texts, y)
    block = few.model_.blocks[0]
    assert block.counts.totals.words == len(block.selection.factor) < 100
    every = few.set_params(max_features=2**20).model_.blocks[0]
    assert every.counts.totals.words == 2**20
    assert every.selection.called(np.array([-1])) == ["any other bucket"]


def test_buckets_that_hold_something_are_found():
    full = FilledBuckets(Analyzer(hashing=2), np.array([0, 1], dtype=np.int32))
    assert (full.others, full.stays.tolist(), full.count(full.stays)) == (0, [True, True, True, False], 3)
    some = full.together_with(np.array([1, 0]))
    assert some.filled.tolist() == [0, 1]
    none = FilledBuckets(Analyzer(hashing=2**28), np.zeros(0, dtype=np.int32))
    assert none.find(np.array([0, 5])).tolist() == [1, 1]
    assert none.count(none.stays) == 2**28 + 1


@pytest.mark.parametrize("event_model", MODELS)
def test_whole_classes_and_all_documents_are_forgotten(event_model):
    texts, y = mails()
    nb = TextNB(event_model=event_model, hashing=2**20).fit(texts, y)
    for label in ("bike", "car"):
        nb.forget([text for text, own in zip(texts, y, strict=True) if own == label], y[y == label])
    with pytest.raises(ValueError, match="forgotten every row"):
        nb.predict(NEW)
    again = nb.partial_fit(texts, y).predict_log_proba(NEW)
    agree(again, TextNB(event_model=event_model, hashing=2**20).fit(texts, y).predict_log_proba(NEW), 0.02)
