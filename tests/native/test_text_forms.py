"""Words that become others: every compiled kernel computes what its twin computes, on any Unicode."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some
from tests.native.same import assert_same
from tests.native.test_text import TEXTS
from threadpoolctl import threadpool_limits

from candide.analysis.characters import characters
from candide.analysis.snowball import functions_of
from candide.analysis.word_list import WordList
from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")
Stemmer = pytest.importorskip("Stemmer", reason="PyStemmer is not installed")
FUNCTIONS = functions_of(Stemmer) or pytest.skip("the library hides its functions", allow_module_level=True)
WORDS = st.lists(st.text(min_size=1, max_size=30) | st.sampled_from(["été", "\ud800", "Generationen", "бегущий"]))


def by_length(n):
    """What words become: a number for each length, some of them dropped."""

    def become(_, starts):
        return (np.diff(starts) % (n + 1) - 1).astype(np.int32), n

    return become


@given(
    TEXTS, some.seeds(), st.integers(1, 4), st.booleans(), st.integers(1, 5), st.sampled_from([(0, 0), (1, 2)]),
    st.booleans(),
)  # fmt: skip
def test_documents_are_counted_in_what_their_words_become(texts, rng, classes, weighted, n, lengths, keep):
    y = rng.integers(-1, classes, len(texts))
    w = rng.choice([0.0, 0.5, 1.0, 3.0], len(texts)) if weighted else None
    table = characters()
    arguments = (texts, table.table, table.expansions, *lengths, by_length(n), y, classes, w, 2.0**24, keep)
    for mine, theirs in zip(native.count_forms(*arguments), reference.count_forms(*arguments), strict=True):
        assert_same(mine, theirs)


@pytest.mark.parametrize("weighted", [False, True])
def test_counting_forms_does_not_depend_on_threads(weighted):
    rng = np.random.default_rng(0)
    texts = [" ".join(f"word{i}" for i in rng.integers(0, 9000, 40)) for _ in range(9_000)]
    y, w = rng.integers(0, 5, 9_000), rng.integers(1, 4, 9_000).astype(float) if weighted else None
    table = characters()
    arguments = (texts, table.table, table.expansions, 0, 0, by_length(3), y, 5, w, 2.0**24, True)
    wanted = reference.count_forms(*arguments)
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="openmp"):
            found = native.count_forms(*arguments)
        for mine, theirs in zip(found, wanted, strict=True):
            assert_same(mine, theirs)


@pytest.mark.parametrize("kernels", [native, reference])
def test_words_that_become_nothing_that_is_there_are_refused(kernels):
    table = characters()
    how = (["some words"], table.table, table.expansions, 0, 0)
    with pytest.raises(ValueError, match="a word's number is not below n_words"):
        kernels.count_forms(*how, lambda *_: (np.array([0, 2], dtype=np.int32), 2), np.zeros(1, dtype=np.int64), 1)
    with pytest.raises(ValueError, match="a number for each word"):
        kernels.count_forms(*how, lambda *_: (np.array([0], dtype=np.int32), 2), np.zeros(1, dtype=np.int64), 1)
    with pytest.raises(ZeroDivisionError):
        kernels.count_forms(*how, lambda *_: 1 // 0, np.zeros(1, dtype=np.int64), 1)
    with pytest.raises(ValueError, match="document 0 is no UTF-8 at byte 1"):
        kernels.count_forms([b"a\xff"], *how[1:], by_length(1), np.zeros(1, dtype=np.int64), 1)


@given(WORDS, st.sampled_from(Stemmer.algorithms()))
def test_stems_are_found_alike(words, algorithm):
    given_words = WordList.of(words)
    arguments = (given_words.bytes, given_words.starts, FUNCTIONS, algorithm)
    assert_same(native.stem_words(*arguments), reference.stem_words(*arguments))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_words_are_stemmed_and_made_unique_whatever_the_threads(threads):
    words = WordList.of([f"{word}{ending}" for word in map(str, range(4_000)) for ending in ("", "ing", "ings", "ly")])
    with threadpool_limits(threads, user_api="openmp"):
        found = native.stem_words(words.bytes, words.starts, FUNCTIONS, "english")
    assert_same(found, reference.stem_words(words.bytes, words.starts, FUNCTIONS, "english"))


@pytest.mark.parametrize("kernels", [native, reference])
def test_an_algorithm_that_is_not_known_is_refused(kernels):
    words = WordList.of(["word"])
    with pytest.raises(ValueError, match="no stems by 'klingon'"):
        kernels.stem_words(words.bytes, words.starts, FUNCTIONS, "klingon")


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_words_are_found_and_made_unique_whatever_the_threads(threads):
    rng = np.random.default_rng(0)
    words = WordList.of([f"{'long' * (i % 9)}word{i}" for i in rng.integers(0, 20_000, 40_000)])
    known = WordList.of([f"word{i}" for i in range(0, 20_000, 9)])
    with threadpool_limits(threads, user_api="openmp"):
        unique = native.unique_words(words.bytes, words.starts)
        found = native.find_words(known.slots, known.bytes, known.starts, words.bytes, words.starts)
    assert_same(unique, reference.unique_words(words.bytes, words.starts))
    assert_same(found, reference.find_words(known.slots, known.bytes, known.starts, words.bytes, words.starts))
