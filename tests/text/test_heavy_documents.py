"""Weights say how much documents count beside each other, and not that more of them were seen."""

import numpy as np
import pytest

import candide
from candide.text import TextNB

CLASSES, WORDS = 3, 40


def documents(rng, n):
    """Documents of a dozen words, of which each class has some that it prefers."""
    y = np.arange(n) % CLASSES
    texts = [" ".join(f"w{(rng.integers(20) + 6 * label) % WORDS}" for _ in range(12)) for label in y.tolist()]
    return texts, y


@pytest.fixture(scope="module")
def drawn():
    return documents(np.random.default_rng(1), 240), documents(np.random.default_rng(2), 120)


def loss(nb, texts, y):
    return -nb.predict_log_proba(texts)[np.arange(len(y)), y].mean()


@pytest.mark.parametrize("weight", [1e6, 1e9, 1e12, 1e15, 1e18, 1e27])
def test_documents_that_all_weigh_much_settle_what_they_do_otherwise(drawn, weight, tmp_path):
    (texts, y), new = drawn
    # from here on every word stands in the last band
    usual = TextNB().fit(texts, y, sample_weight=np.full(len(y), 1e4))
    nb = TextNB().fit(texts, y, sample_weight=np.full(len(y), weight))
    np.testing.assert_allclose(nb.predict_proba(new[0]), usual.predict_proba(new[0]), atol=1e-3)
    nb.save(tmp_path / "model.json")
    np.testing.assert_array_equal(candide.load(tmp_path / "model.json").predict_proba(new[0]), nb.predict_proba(new[0]))


def test_documents_that_weigh_nothing_settle_nothing(drawn):
    (texts, y), new = drawn
    half = (np.arange(len(y)) // CLASSES) % 2
    weighed = TextNB().fit(texts, y, sample_weight=half)
    alone = TextNB().fit([text for text, there in zip(texts, half, strict=True) if there], y[half == 1])
    assert loss(weighed, *new) == pytest.approx(loss(alone, *new), abs=0.01)


def test_documents_weigh_no_more_than_is_counted(drawn):
    (texts, y), new = drawn
    with pytest.raises(ValueError, match="more than can be counted"):
        TextNB().fit(texts, y, sample_weight=np.full(len(y), 1e37))
    nb = TextNB().fit(texts, y)
    with pytest.raises(ValueError, match=r"rows that weigh 240 are more than can be counted times 1e\+36"):
        1e36 * nb
    heavy = 1e27 * nb
    assert np.isfinite(heavy.predict_log_proba(new[0])).all()
