"""Snowball: the stems of words, by the functions of its library in C."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from candide import native
from candide.analysis.languages import Array, Step
from candide.analysis.word_list import WordList
from candide.messages import need, unknown

NAMES = ("new", "delete", "stem", "length")
"""The functions of ``libstemmer.h`` by which words are cut."""


def stems(language: str) -> Step:
    """Return the step from words to their stems.

    Examples
    --------
    >>> found, place = stems("english")(WordList.of(["claims", "claiming", "car"]))
    >>> found.text, place.tolist()
    (['car', 'claim'], [1, 1, 0])
    """
    try:
        import Stemmer
    except ImportError:
        raise ImportError(need("stems", "text")) from None
    if language not in Stemmer.algorithms():
        raise ValueError(f"stem={language!r}: {unknown('language', str(language), Stemmer.algorithms())}")
    functions = functions_of(Stemmer)
    if functions is None:
        stemmer = Stemmer.Stemmer(language, 0)  # words come once each: to remember stems takes longer than to find them
        return lambda words: WordList.of(stemmer.stemWords(words.text)).unique()

    def step(words: WordList) -> tuple[WordList, Array]:
        data, starts, place = native.stem_words(words.bytes, words.starts, functions, language)
        return WordList(data, starts), place

    return step


def functions_of(module: Any) -> tuple[int, int, int, int] | None:
    """Return the addresses of the library's functions in the module that holds it; None where it hides them.

    So words need not become objects, one by one, and threads share them; the module's own methods do neither.
    """
    return _functions_in(module.__file__)


@cache
def _functions_in(file: str) -> tuple[int, int, int, int] | None:
    try:
        library = ctypes.CDLL(file)
        new, delete, stem, length = (
            ctypes.cast(getattr(library, f"sb_stemmer_{name}"), ctypes.c_void_p).value or 0 for name in NAMES
        )
    except (OSError, AttributeError):
        return None
    return new, delete, stem, length
