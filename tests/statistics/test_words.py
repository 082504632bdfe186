"""Sparse sums obey the laws of dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import candide
from candide.statistics import Mistakes, Words
from candide.text import TextNB

K, V = 3, 5


@st.composite
def words(draw, kind=Words, broken=False):
    at = sorted(draw(st.sets(st.integers(0, K * V - 1))))
    number = st.integers(1, 9).map(lambda n: n / 4 if broken else n)
    sums = tuple(np.array([draw(number) for _ in at], dtype=float if broken else np.int64) for _ in kind.NAMES)
    return kind((K, V), np.array(at, dtype=np.int64), sums)


def same(a, b):
    assert a.sizes == b.sizes
    for name in a.NAMES:
        np.testing.assert_array_equal(a.dense(name), b.dense(name))


@pytest.mark.parametrize("kind", [Words, Mistakes])
@given(data=st.data())
def test_monoid(kind, data):
    a, b, c = (data.draw(words(kind)) for _ in range(3))
    same(a + b, b + a)
    same((a + b) + c, a + (b + c))
    same(kind.zero(K, V) + a, a)
    same((a + b) - b, a)
    same(a.scale(0), kind.zero(K, V))
    same(a.scale(2), a + a)
    for name in a.NAMES:
        np.testing.assert_array_equal((a + b).dense(name), a.dense(name) + b.dense(name))


@given(words(), st.sampled_from([0, 1]), st.randoms(use_true_random=False))
def test_moving_and_taking_are_those_of_dense_tables(a, axis, random):
    index = [random.randrange(4) for _ in range(a.sizes[axis])]
    moved = a.move(axis, np.array(index), 4)
    for name in a.NAMES:
        wanted = np.zeros([4 if n == axis else s for n, s in enumerate(a.sizes)], dtype=np.int64)
        np.add.at(np.moveaxis(wanted, axis, 0), index, np.moveaxis(a.dense(name), axis, 0))
        np.testing.assert_array_equal(moved.dense(name), wanted)
    keep = np.array([random.random() < 0.5 for _ in range(a.sizes[axis])])
    for name in a.NAMES:
        np.testing.assert_array_equal(a.take(axis, keep).dense(name), np.compress(keep, a.dense(name), axis=axis))
    np.testing.assert_array_equal(a.used(axis), (a.dense("documents") != 0).any(axis=1 - axis))


@given(words(), words())
def test_what_is_taken_too_often_is_seen(a, b):
    left = a - b
    below = np.any([a.dense(n) < b.dense(n) for n in a.NAMES], axis=0)
    unlike = np.any([a.dense(n) != b.dense(n) for n in a.NAMES], axis=0)
    short = np.argwhere(below | (unlike & (a.dense("documents") == b.dense("documents"))))  # words of no document
    first = left.first_below()
    assert (first is None) == (len(short) == 0)
    if first is not None:
        assert list(first) in short.tolist()


def test_an_entry_that_has_no_place_is_refused():
    one = Words((1, 2), np.array([1]), (np.array([1]),) * 3)
    with pytest.raises(IndexError):
        one.move(1, np.array([0, -1]), 2)


@pytest.mark.parametrize("params", [{}, {"hashing": 8}, {"stop_words": ["of"]}, {"ngrams": (1, 2)}])
@pytest.mark.parametrize("texts", [["a claim of mine", "mine", ""], ["a claim of mine", None, "no claim"]])
@pytest.mark.parametrize("weight", [None, [1.0, 0.0, 0.5]])
def test_words_that_occur_are_those_of_the_sums(params, texts, weight):
    nb = TextNB("multinomial", **params).fit(texts, [0, 1, 1], sample_weight=weight)
    found = nb.statistics_["words 0"]
    np.testing.assert_array_equal(found.used(1), found.dense("documents").any(axis=0))
    np.testing.assert_array_equal(found.used(0), found.dense("documents").any(axis=1))


@pytest.mark.parametrize("event_model", ["auto", "multinomial"])
@pytest.mark.parametrize("weight", [10**9, 1e9, 1e12])
def test_a_file_holds_whatever_can_be_counted(event_model, weight, tmp_path):
    texts, y = ["a claim of mine", "no claim", "mine of coal"] * 9, [0, 1, 1] * 9
    nb = TextNB(event_model).fit(texts, y, sample_weight=[weight] * 27)
    nb.save(tmp_path / "model.json")
    np.testing.assert_array_equal(candide.load(tmp_path / "model.json").predict_proba(texts), nb.predict_proba(texts))


@pytest.mark.parametrize("event_model", ["auto", "multinomial"])
def test_more_documents_than_can_be_counted_are_refused(event_model):
    """Shares are whole numbers of 2**-24: beyond 2**39 documents they would turn negative."""
    texts, y = ["a claim of mine", "no claim", "mine of coal"] * 9, [0, 1, 1] * 9
    with pytest.raises(ValueError, match="more than can be counted: scale it down"):
        TextNB(event_model).fit(texts, y, sample_weight=[10**12] * 27)
    many = TextNB(event_model).fit(texts, y, sample_weight=[5 * 10**10] * 27)
    with pytest.raises(ValueError, match="together more than can be counted"):
        many + many
    assert (many.statistics_["words 0"].share > 0).all()
