"""Characters: what each becomes when text is lowered and folded, and which are part of a word, by Python's own tables.

The compiled tokenizer reads code points through one array, made here from `str.lower`, `re` and `unicodedata` of the
interpreter at hand, so that words are those that Python itself would find.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

import numpy as np

from candide.frozen import frozen

Array = np.ndarray[Any, Any]

POINTS = 0x110000
"""How many code points there are."""

EXPANDS, WORD, SPACE, CASED, IGNORABLE, FINAL = (1 << bit for bit in range(21, 27))
"""Properties of a character, behind the 21 bits of its code point; `native/text_characters.hpp` reads them."""

DOTTED = 0x130
"""İ, which becomes i and a dot above."""

SIGMA = "Σ"
"""The one letter whose lower case depends on where it stands: at the end of a word it is ς."""


@cache
def held() -> Array:
    """Return the code points that have properties: planes 0 to 3, and the tags of plane 14.

    Others are private, or nothing yet.
    """
    return np.concatenate([np.arange(0x40000), np.arange(0xE0000, 0xE1000)]).astype(np.uint32)


@frozen
class Characters:
    """What each code point becomes.

    Parameters
    ----------
    table : ndarray of uint32 (POINTS,)
        The character and its properties, or the place of several characters among the expansions.
    expansions : ndarray of uint32
        How many characters, then the characters; for each code point that becomes several, or none.
    """

    table: Array
    expansions: Array


@cache
def characters(fold: bool = False) -> Characters:
    """Return the characters of lowered text; with `fold`, without accents and compatibility forms."""
    text = text_of(held())
    properties = np.zeros(POINTS, dtype=np.uint32)
    for pattern, mark in ((r"\w+", WORD), (r"\s+", SPACE)):
        for match in re.finditer(pattern, text):
            properties[held()[match.start() : match.end()]] |= mark
    lowered, several = lower()
    if fold:
        several |= {p: folded(several.get(p, chr(q))) for p, q in folding(lowered)}
    table = lowered | properties[lowered]
    table[held()] |= context()
    table[ord(SIGMA)] |= FINAL
    expansions: list[int] = []
    for point, becomes in several.items():
        codes = [ord(c) for c in becomes]
        table[point] = EXPANDS | len(expansions) | (table[point] & (CASED | IGNORABLE | FINAL))
        expansions += [len(codes), *(code | int(properties[code]) for code in codes)]
    return Characters(table.astype(np.uint32), np.array(expansions or [0], dtype=np.uint32))


def text_of(points: Array) -> str:
    """Return the text of code points, halves of surrogate pairs among them."""
    return points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def points_of(text: str) -> Array:
    """Return the code points of text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def lower() -> tuple[Array, dict[int, str]]:
    """Return what each code point becomes in lower case, and those that become several characters."""
    out = np.arange(POINTS, dtype=np.uint32)
    several: dict[int, str] = {}
    for part in np.split(held(), len(held()) // 4096):
        # a sigma looks at its neighbours, so that it is lowered alone
        lowered = points_of(text_of(part).replace(SIGMA, " ").lower())
        if len(lowered) == len(part):
            out[part] = lowered
            continue
        for point in part.tolist():
            alone = chr(point).lower()
            if len(alone) == 1:
                out[point] = ord(alone)
            else:
                several[point] = alone
    out[ord(SIGMA)] = ord(SIGMA.lower())
    return out, several


def context() -> Array:
    """Return which of the characters are cased and which are passed over, where a sigma may end a word.

    In "A?Σ " the sigma ends a word where ? is either, in "?Σ " where ? is cased and not passed over.
    """
    alone = np.where(held() == DOTTED, ord("A"), held())  # one character that becomes two, and is cased as A is
    space, sigma, letter = (np.full(len(held()), ord(c), dtype=np.uint32) for c in " ΣA")

    def ends(*pattern: Array) -> Array:
        lowered = points_of(text_of(np.stack(pattern, axis=1).ravel()).lower())
        return np.asarray(lowered[len(pattern) - 2 :: len(pattern)] == ord("ς"))

    cased = ends(alone, sigma, space)
    return np.where(cased, CASED, np.where(ends(letter, alone, sigma, space), IGNORABLE, 0)).astype(np.uint32)


def folding(lowered: Array) -> list[tuple[int, int]]:
    """Return the code points, and what they become in lower case, that lose an accent or a compatibility form."""
    pairs = zip(held().tolist(), lowered[held()].tolist(), strict=True)
    return [(p, q) for p, q in pairs if q > 127 and unicodedata.normalize("NFKD", chr(q)) != chr(q)] + [
        (p, p) for p in held().tolist() if unicodedata.combining(chr(p))
    ]


def folded(text: str) -> str:
    """Return text without accents.

    Examples
    --------
    >>> folded("Candide, où l’été ﬁnit")
    'Candide, ou l’ete finit'
    """
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
