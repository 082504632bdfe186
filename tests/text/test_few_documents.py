"""A handful of documents makes nobody sure."""

import numpy as np
import pytest

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
        for start in range(first, 200, 40):  # too few to settle them again
            nb.partial_fit(texts[start : start + 40], y[start : start + 40])
        return nb

    five, ten, many = (taught(n).predict_proba(asked) for n in (5, 10, 40))
    np.testing.assert_allclose(five, ten, rtol=1e-9)
    assert np.abs(many - ten).max() > 1e-3
