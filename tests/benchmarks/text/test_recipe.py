"""The recipe leaves documents out as if it had not learnt them, and differences from it are told."""

import numpy as np
import pytest
from benchmarks.text.beside_recipe import cells, summary
from benchmarks.text.recipe import PAIRS, Recipe, Sums
from sklearn.feature_extraction.text import CountVectorizer

WORDS = np.array(["car", "road", "bike", "ride", "my", "insure", "please", "helmet"])


def letters(classes):
    """Texts of words that classes share in part, some of them in one document only, and their classes."""
    rng = np.random.default_rng(classes)
    y = np.arange(40) % classes
    texts = [" ".join([*rng.choice(np.roll(WORDS, 2 * c)[:5], 4), f"only{i}"]) for i, c in enumerate(y.tolist())]
    return np.array(texts, dtype=object), y


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", ["lift", "complement"])
def test_a_view_left_out_is_that_of_a_new_document(name, classes):
    texts, y = letters(classes)
    own = np.eye(classes)[y]
    whole = Sums(CountVectorizer(), texts, own)
    left = whole.views(whole.x, name, own)
    for i in (0, 7, 20):
        rest = np.arange(len(y)) != i
        without = Sums(CountVectorizer(), texts[rest], own[rest])
        x, length = without.read(texts[[i]])
        assert length == whole.lengths[i]
        np.testing.assert_allclose(left[:, i], without.views(x, name)[:, 0], atol=1e-12)


def test_mistakes_left_out_are_those_of_the_others():
    texts, y = letters(3)
    own, rng = np.eye(3)[y], np.random.default_rng(0)
    wrong, curvature = rng.normal(size=own.shape), rng.uniform(size=own.shape)
    sums = Sums(CountVectorizer(), texts, own)
    left = sums.mistaken(own, wrong, curvature)
    rest = np.arange(len(y)) != 5
    sums.gain, sums.curve = sums.x[rest].T @ wrong[rest], sums.x[rest].multiply(sums.x[rest]).T @ curvature[rest]
    sums.documents = np.asarray((sums.x[rest] > 0).sum(axis=0)).ravel()
    np.testing.assert_allclose(left[:, 5], sums.views(sums.x[5:6], "mistakes")[:, 0], atol=1e-12)


@pytest.mark.parametrize(
    "params", [{}, {"bands": False, "complement": False, "mistakes": False}, {"vocabularies": PAIRS}]
)
def test_it_tells_documents_apart(params):
    texts, y = letters(3)
    recipe = Recipe(**params).fit(texts[:30], y[:30])
    p = np.exp(recipe.predict_log_proba(texts[30:]))
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert np.mean(p.argmax(axis=1) == y[30:]) >= 0.8
    if not params.get("bands", True):
        assert not recipe.weights.u.any()


def test_what_is_worse_beyond_chance_is_named():
    same = np.zeros((2, 2, 9))
    worse = same.copy()
    worse[1, 0] = np.arange(9.0) / 100 - 0.5
    assert cells(worse).split(" | ")[2].startswith("−.4600 ± .0")
    accuracy, loss = summary({"one | words | own": same, "other | words | own": worse})
    assert accuracy.endswith("it is worse beyond them in other, words, own.")
    assert loss.endswith("it is worse beyond them in none.")
