"""Lists of words behave as lists of text."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from candide.analysis import WordList

WORDS = st.lists(st.text(max_size=12), max_size=20)


@given(WORDS)
def test_words_come_back_as_they_were(words):
    made = WordList.of(words)
    assert made.text == words
    assert [made[i] for i in range(len(made))] == words
    assert made.sorted().text == sorted(words)


@given(WORDS.map(lambda w: list(dict.fromkeys(w))), WORDS.map(lambda w: list(dict.fromkeys(w))))
def test_union_and_place(a, b):
    one, two = WordList.of(sorted(a)), WordList.of(sorted(b))
    both = one.union(two)
    assert both.text == sorted({*a, *b})
    assert one.find(two).tolist() == [sorted(a).index(w) if w in a else -1 for w in sorted(b)]
    assert both.take(both.find(one)).text == sorted(a)
    assert one.outside(two).tolist() == [w not in b for w in sorted(a)]


def test_words_are_taken_by_place():
    assert WordList.of(["a", "bcd", "", "ef"]).take(np.array([3, 1, 1])).text == ["ef", "bcd", "bcd"]
