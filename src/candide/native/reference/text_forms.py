"""Words that become others, such as their stems, and documents that are summed by these."""

import ctypes
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from candide.native.reference.rows import Array, Codes, Floats, Ints
from candide.native.reference.text import bags, tokenize, word_sums
from candide.native.reference.word_lists import unique_words, words_in

__all__ = ["count_forms", "stem_words"]


def count_forms(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    become: Callable[[Array, Ints], tuple[Codes, int]],
    y: Ints,
    n_classes: int,
    w: Floats | None = None,
    units: float = 1.0,
    keep: bool = False,
) -> tuple[tuple[Ints, Array, Array, Array], tuple[Ints, Codes, Codes] | None]:
    """Find the words of documents, ask once what they become, and sum what they have become by class.

    ``become`` is given the words of documents with a class and a weight, in order, and returns the number of what each
    becomes, negative where it is dropped, and how many of these there are. Returns their sums, as `word_sums` does, and
    the `bags` of these documents, where they are to be kept.
    """
    texts = (
        [documents[0][a:b].tobytes() for a, b in pairwise(documents[1])] if isinstance(documents, tuple) else documents
    )
    counting = (y >= 0) & (True if w is None else w != 0)
    used = [text if counts else None for text, counts in zip(texts, counting.tolist(), strict=True)]
    ids, starts, data, word_starts = tokenize(used, table, expansions, least, most)
    meaning, n_words = become(data, word_starts)
    if len(meaning) != len(word_starts) - 1:
        raise ValueError("become must return a number for each word")
    if (meaning >= n_words).any():
        raise ValueError("a word's number is not below n_words")
    ids = np.append(meaning, -1).astype(np.int32)[ids]
    kept = bags(ids, starts, n_words) if keep else None
    return word_sums(ids, starts, n_words, y, n_classes, w, units), kept


def stem_words(
    data: Array, starts: Ints, functions: tuple[int, int, int, int], algorithm: str
) -> tuple[Array, Ints, Codes]:
    """Cut words to their stems, and return these as `unique_words` does.

    ``functions`` are the addresses of Snowball's ``sb_stemmer_new``, ``_delete``, ``_stem`` and ``_length``.
    """
    make = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)(functions[0])
    end = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(functions[1])
    stem = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)(functions[2])
    length = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(functions[3])
    stemmer = make(algorithm.encode(), None)
    if not stemmer:
        raise ValueError(f"there are no stems by {algorithm!r}")
    stems = [ctypes.string_at(stem(stemmer, word, len(word)), length(stemmer)) for word in words_in(data, starts)]
    end(stemmer)
    ends = np.cumsum([0, *map(len, stems)], dtype=np.int64)
    return unique_words(np.frombuffer(b"".join(stems), dtype=np.uint8), ends)
