"""WordEntries of words that have many are filled, and say what they said before."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some

from candide.distributions.word_entries import FILLED, MOST_FILLED, WordEntries
from candide.distributions.word_table import WordTable


def entries(rng, words, classes):
    has = rng.random((words, classes)) < rng.choice([0.1, 0.3, 0.9], size=(words, 1))
    starts = np.concatenate([[0], np.cumsum(has.sum(axis=1))]).astype(np.int64)
    return has, starts, np.nonzero(has)[1].astype(np.int32)


@given(some.seeds(), st.integers(0, 8), st.sampled_from([1, 2, 5, 20, MOST_FILLED, MOST_FILLED + 1]))
def test_words_with_many_entries_have_all_of_them(rng, words, classes):
    has, starts, of = entries(rng, words, classes)
    filled = WordEntries.filled(starts, of, classes)
    lengths, n = np.diff(filled.starts), has.sum(axis=1)
    many = (n * FILLED >= classes) & (classes <= MOST_FILLED)
    np.testing.assert_array_equal(lengths, np.where(many, classes, n))
    for word in range(words):
        here = filled.classes[filled.starts[word] : filled.starts[word + 1]]
        np.testing.assert_array_equal(here, np.arange(classes) if many[word] else np.flatnonzero(has[word]))
    values = rng.normal(size=len(of))
    spread = filled.spread(values)
    np.testing.assert_array_equal(spread[spread != 0], values)
    np.testing.assert_array_equal(filled.classes[spread != 0], of)


@given(some.seeds(), st.integers(1, 8), st.integers(1, 20))
def test_a_table_says_the_same_filled(rng, words, classes):
    _, starts, of = entries(rng, words, classes)
    of_word, of_class, spread = rng.normal(size=words), rng.normal(size=classes), rng.normal(size=words)
    table = WordTable(of_word, of_class, starts, of, rng.normal(size=len(of)), spread=spread)
    starts, of, values, of_word, of_class, spread = table.filled
    filled = WordTable(of_word, of_class, starts, of, values, spread=spread)
    np.testing.assert_array_equal(filled.dense(np.arange(words)), table.dense(np.arange(words)))
