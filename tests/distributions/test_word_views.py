"""The shares of words: what is said of documents before their words, and sums as statistics and back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some

from candide.analysis.analyzer import Analyzer
from candide.analysis.word_list import WordList
from candide.distributions.blocks import LeftOut
from candide.distributions.selected_words import Selection
from candide.distributions.text import class_counts
from candide.distributions.word_views import Shares, prior_without
from candide.schema.vocabulary import Vocabulary
from candide.statistics.words import Mistakes, Words


def shares_of(rng, classes):
    """Return shares of some of the words w0, w1, ..., in some of the classes."""
    names = [f"w{i}" for i in range(int(rng.integers(1, 8)))]
    axis = Vocabulary(Analyzer(), WordList.of(names))
    at = np.flatnonzero(rng.random((classes, axis.size)) < 0.6)
    at = at[at % axis.size > 0]  # the first entry counts missing documents
    words = Words((classes, axis.size), at, tuple(rng.integers(1, 9, (3, len(at)))))
    used = rng.random(axis.size) < 0.7
    used[0] = False
    selection = Selection.of(axis, used)
    documents = rng.integers(1, 9, classes)
    return Shares.of(words, selection, class_counts(words, selection, words.share.astype(float), documents))


@given(some.seeds(), st.integers(1, 4), st.integers(0, 12), st.booleans(), st.booleans())
def test_the_prior_without_each_document(rng, classes, documents, alike, learnt):
    shares = shares_of(rng, classes)
    weight = np.full(documents, 0.5) if alike else rng.uniform(size=documents)
    y = rng.integers(0 if learnt else -1, classes, documents)
    found = prior_without(shares, LeftOut(y, weight))
    assert found.shape == (documents, classes)
    for d in range(documents):
        left = shares.counts.totals.documents[0].copy()
        if y[d] >= 0:
            left[y[d]] -= weight[d]
        left = np.maximum(left, 0.5)
        np.testing.assert_allclose(found[d], np.log(left / left.sum()), rtol=1e-12)


@given(some.seeds(), st.integers(1, 4))
def test_sums_are_spread_over_the_axis_and_gathered_again(rng, classes):
    shares = shares_of(rng, classes)
    sums = rng.normal(size=(2, len(shares.filled[2])))
    spread = shares.spread(Mistakes, sums)
    assert (np.diff(spread.at) > 0).all()
    np.testing.assert_array_equal(shares.gathered(spread), sums)
    # of other entries, those that are there
    keep = rng.random(len(spread.at)) < 0.5
    left = shares.gathered(spread.chosen(keep))
    there = shares.gathered(Mistakes(spread.sizes, spread.at, (keep.astype(float),) * 2)) > 0
    np.testing.assert_array_equal(left, np.where(there, sums, 0.0))
