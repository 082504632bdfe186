"""Languages: words that say little, and dictionary forms; libraries are imported where they are used."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from candide.analysis.stop_words import STOP_WORDS
from candide.analysis.word_list import WordList
from candide.messages import need, unknown

Array = np.ndarray[Any, Any]

CODES = {
    "danish": "da", "dutch": "nl", "english": "en", "finnish": "fi", "french": "fr", "german": "de", "greek": "el",
    "hungarian": "hu", "italian": "it", "norwegian": "nb", "polish": "pl", "portuguese": "pt", "romanian": "ro",
    "russian": "ru", "spanish": "es", "swedish": "sv", "turkish": "tr", "ukrainian": "uk",
}  # fmt: skip
"""Languages whose words have dictionary forms, and their codes."""

Step = Callable[[WordList], tuple[WordList, Array]]
"""From words to what they become, each form once, in order, and the place of each word's form among these."""


def stop_list(given: Any) -> Collection[str]:
    """Return the words to be dropped: those of a language, those given, or none."""
    if given is None:
        return ()
    if not isinstance(given, str):
        if not isinstance(given, Collection) or not all(isinstance(word, str) for word in given):
            raise TypeError(f"stop_words={given!r:.60}: a language, a list of words, or None")
        return given
    if given not in STOP_WORDS:
        raise ValueError(f"stop_words={given!r}: {unknown('language', given, sorted(STOP_WORDS))}, or give a list")
    return STOP_WORDS[given].split()


def lemmas(language: str) -> Step:
    """Return the step from words to their dictionary forms."""
    if language not in CODES:
        raise ValueError(f"lemmatize={language!r}: {unknown('language', str(language), sorted(CODES))}")
    try:
        import simplemma
    except ImportError:
        raise ImportError(need("dictionary forms", "text")) from None
    code = CODES[language]

    def form(word: str) -> str:
        try:
            return simplemma.lemmatize(word, lang=code).lower() if word else word
        except UnicodeEncodeError:  # half a character, which no dictionary has
            return word

    return lambda words: WordList.of(list(map(form, words.text))).unique()
