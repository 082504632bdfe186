"""What is told of a model that has documents: of each of its columns, and of its words."""

import numpy as np
import pytest

from candide import NaiveBayes, TunedNB
from candide.datasets import insurance
from candide.distributions import bag
from candide.text import TextNB


@pytest.fixture(scope="module")
def requests():
    return insurance(200, messages=True).frame


@pytest.mark.parametrize("estimator", [NaiveBayes, TunedNB])
def test_every_column_beside_documents_is_described_as_without_them(estimator, requests):
    columns = requests.drop(columns=["message", "desk"]).columns
    nb = estimator(distributions={"message": "text"}).fit(requests, "desk")
    alone = estimator().fit(requests.drop(columns="message"), "desk")
    for column in columns:
        assert nb.describe(column) == alone.describe(column)
    words = nb.describe("message")
    assert len(words) == bag.TOLD
    assert all(set(by_class) == set(requests["desk"]) for by_class in words.values())


@pytest.mark.parametrize(
    ("event_model", "smoothing"),
    [
        ("multinomial", "lidstone"),
        ("multinomial", "none"),
        ("bernoulli", "lidstone"),
        ("complement", "lidstone"),
        ("auto", "lidstone"),
    ],
)
def test_words_that_tell_most_are_found_some_at_a_time(event_model, smoothing, requests, monkeypatch):
    texts, y = requests["message"].fillna(""), requests["desk"]
    nb = TextNB(event_model=event_model, smoothing=smoothing).fit(texts, y)
    at_once = nb.describe(0)
    (block,) = nb.model_.blocks
    assert len(at_once) == bag.TOLD < len(block.selection.factor)
    monkeypatch.setattr(bag, "MOST_TERMS", 1)
    some = nb.describe(0)
    assert list(some) == list(at_once)
    for word, told in at_once.items():
        np.testing.assert_array_equal(list(some[word].values()), list(told.values()))
