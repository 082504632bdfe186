"""Forms: what words become does not depend on what is remembered, and a word that is known is not asked for again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.analysis import forms
from candide.analysis.forms import Forms, forms_of
from candide.analysis.languages import Step
from candide.analysis.word_list import WordList

WORDS = st.lists(st.text("aébs", min_size=1, max_size=3), unique=True, max_size=12)


def singular(word: str) -> str:
    return word.rstrip("s") or "s"


def backwards(word: str) -> str:
    return word[::-1]


def step(become: Callable[[str], str]) -> Step:
    return lambda words: WordList.of([become(word) for word in words.text]).unique()


@given(st.lists(WORDS, max_size=6), st.sampled_from([1, 5, 1 << 20]), st.sampled_from([0, 1, 8]))
def test_whatever_is_remembered_the_forms_are_those_of_the_steps(
    batches: list[list[str]], most: int, share: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forms, "MOST", most)
        patch.setattr(forms, "SHARE", share)
        remembering = Forms([step(singular), step(backwards)])
        for words in batches:
            found, place = remembering.of(WordList.of(words))
            become = [backwards(singular(word)) for word in words]
            assert found.text == sorted(set(become))
            assert [found.text[i] for i in place] == become
        assert len(remembering.remembered.words) <= max(most, *map(len, batches), 0)


def test_words_are_asked_for_once() -> None:
    asked: list[str] = []

    def spy(word: str) -> str:
        asked.append(word)
        return word

    remembering = Forms([step(spy)])
    first = WordList.of([f"word{i}" for i in range(100)])
    remembering.of(first)
    remembering.of(first)
    remembering.of(WordList.of(["word5", "other"]))
    assert asked == [*first.text, "other"]


def test_languages_have_one_memory_each() -> None:
    assert forms_of(None, "english") is forms_of(None, "english")
    assert forms_of(None, "english") is not forms_of(None, "german")
    assert forms_of("english", "english").of(WordList.of(["mice", "mouse"]))[0].text == ["mous"]
