"""A handful of documents makes nobody sure."""

import pickle

import numpy as np
import pytest

from candide.distributions import text
from candide.text import TextNB


def documents(rng, n):
    """Documents of five to fifteen words out of sixty, of which some are common."""
    return [" ".join(f"word{w}" for w in (60 * rng.random(rng.integers(5, 15)) ** 2).astype(int)) for _ in range(n)]


@pytest.mark.parametrize("n", [2, 5, 10, 19])
def test_words_that_tell_nothing_cost_little(n):
    lost = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = np.append([0, 1], rng.integers(0, 2, n - 2))  # both, whatever the words are
        nb = TextNB().fit(documents(rng, n), y)
        lost.append(-nb.predict_log_proba(documents(rng, 50)).mean())  # of classes that are drawn evenly
    assert np.mean(lost) < np.log(2) + 0.25


def test_words_that_tell_everything_are_still_heard():
    rng = np.random.default_rng(0)
    texts = [f"{text} {'yes' if i % 2 else 'no'}" for i, text in enumerate(documents(rng, 12))]
    nb = TextNB().fit(texts, np.arange(12) % 2)
    assert nb.predict(["no", "yes"]).tolist() == [0, 1]


def test_numbers_settled_on_few_documents_do_not_last():
    rng = np.random.default_rng(0)
    texts, y = documents(rng, 200), rng.integers(0, 2, 200)
    asked = documents(rng, 20)

    def taught(first):
        nb = TextNB().partial_fit(texts[:first], y[:first], classes=[0, 1])
        for start in range(first, 200, 40):  # too few to settle them again, on a copy that retains none
            nb = pickle.loads(pickle.dumps(nb)).partial_fit(texts[start : start + 40], y[start : start + 40])
        return nb

    assert taught(15).tuned_on_ == 0
    five, ten, many = (taught(n).predict_proba(asked) for n in (5, 10, 40))
    np.testing.assert_allclose(five, ten, rtol=1e-9)
    assert np.abs(many - ten).max() > 1e-3


def test_the_more_classes_the_more_documents_it_takes(monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(600) % 20
    texts = [f"{text} own{c}x{rng.integers(3)}" for text, c in zip(documents(rng, 600), y, strict=True)]

    def taught(*ends):
        nb, start = TextNB(), 0
        for end in (*ends, *range(ends[-1] + 50, 500, 50)):
            nb = pickle.loads(pickle.dumps(nb)).partial_fit(texts[start:end], y[start:end], classes=range(20))
            start = end
        return nb

    few, enough = taught(40), taught(80)
    assert (few.tuned_on_, enough.tuned_on_) == (0, 80)
    early = TextNB().fit(texts[:40], y[:40]).partial_fit(texts[40:120], y[40:120])
    assert early.tuned_on_ == 40  # three times as many are learnt: what was settled is still about true
    usual = few.predict_log_proba(texts[500:])[np.arange(100), y[500:]].mean()
    monkeypatch.setattr(text, "EACH", 0)
    carried = taught(40).predict_log_proba(texts[500:])[np.arange(100), y[500:]].mean()
    assert usual > carried + 0.1
