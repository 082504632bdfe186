"""Stems are those of the library's own methods, whether it shows its functions in C or not."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.analysis import snowball
from candide.analysis.word_list import WordList

Stemmer = pytest.importorskip("Stemmer", reason="PyStemmer is not installed")
LETTERS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
ENDINGS = ["", "s", "ing", "ement", "heiten", "azione", "ости", "ийся", "lerinden", "ων"]
WORDS = st.lists(st.builds(str.__add__, LETTERS, st.sampled_from(ENDINGS)))


def stemmed(words: list[str], language: str) -> tuple[list[str], list[str]]:
    """The distinct stems, and the stem of each word."""
    stems, place = snowball.stems(language)(WordList.of(words))
    return stems.text, [stems.text[i] for i in place]


@given(WORDS, st.sampled_from(Stemmer.algorithms()))
def test_stems_are_those_of_the_library(words, language):
    wanted = Stemmer.Stemmer(language, 0).stemWords(words)
    assert stemmed(words, language) == (sorted(set(wanted)), wanted)


@given(WORDS, st.sampled_from(Stemmer.algorithms()))
def test_a_library_that_hides_its_functions_stems_alike(words, language):
    shown = stemmed(words, language)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snowball, "functions_of", lambda _: None)
        assert stemmed(words, language) == shown


def test_functions_that_are_not_there_are_not_found(tmp_path):
    assert snowball.functions_of(SimpleNamespace(__file__=str(tmp_path / "nothing.so"))) is None
    assert snowball.functions_of(sys.modules["_ctypes"]) is None


def test_a_language_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match="stem='klingon'"):
        snowball.stems("klingon")
