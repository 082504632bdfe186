"""Characters: what each becomes when text is lowered and folded, and which are part of a word, by Python's own tables.

The compiled tokenizer reads code points through one array, made here from `str.lower`, `re` and `unicodedata` of the
interpreter at hand, so that words are those that Python itself would find.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

POINTS = 0x110000
"""How many code points there are."""

EXPANDS, WORD, SPACE, CASED, IGNORABLE, FINAL = (1 << bit for bit in range(21, 27))
"""Properties of a character, behind the 21 bits of its code point; `native/text_characters.hpp` reads them."""

SIGMA = "Σ"
"""The one letter whose lower case depends on where it stands: at the end of a word it is ς."""


@dataclass(frozen=True, eq=False)
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
    """Return the characters of lowered text; with `fold`, without accents, as compatibility decompositions have them."""
    points = np.arange(POINTS, dtype=np.uint32)
    every = text_of(points)
    properties = marked(re.finditer(r"\w+", every), WORD) | marked(re.finditer(r"\s+", every), SPACE)
    lowered, several = lower(points)
    if fold:
        several |= {p: folded(several.get(p, chr(q))) for p, q in folding(lowered)}
    table = lowered | properties[lowered] | context(points)
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


def marked(found: Iterable[re.Match[str]], mark: int) -> Array:
    """Return an array with a mark at every code point that lies in one of the matches."""
    out = np.zeros(POINTS, dtype=np.uint32)
    for match in found:
        out[match.start() : match.end()] = mark
    return out


def lower(points: Array) -> tuple[Array, dict[int, str]]:
    """Return what each code point becomes in lower case, and those that become several characters."""
    out = points.copy()
    several: dict[int, str] = {}
    for start in range(0, POINTS, 256):
        part = points[start : start + 256]
        # a sigma looks at its neighbours, so that it is lowered alone
        lowered = points_of(text_of(part).replace(SIGMA, " ").lower())
        if len(lowered) == len(part):
            out[start : start + 256] = lowered
            continue
        for point in part.tolist():
            alone = chr(point).lower()
            if len(alone) == 1:
                out[point] = ord(alone)
            else:
                several[point] = alone
    out[ord(SIGMA)] = ord(SIGMA.lower())
    return out, several


def context(points: Array) -> Array:
    """Return which characters are cased and which are passed over, where it is told whether a sigma ends a word."""
    filler = np.full(POINTS, ord(" "), dtype=np.uint32)
    sigma = np.full(POINTS, ord(SIGMA), dtype=np.uint32)
    letter = np.full(POINTS, ord("A"), dtype=np.uint32)
    plain = np.where(points == 0x130, ord("A"), points)  # becomes two characters, and is cased as A is
    cased = points_of(text_of(np.stack([plain, sigma, filler], axis=1).ravel()).lower())[1::3] == ord("ς")
    passed = points_of(text_of(np.stack([letter, plain, sigma, filler], axis=1).ravel()).lower())[2::4] == ord("ς")
    return np.where(cased, CASED, 0) | np.where(passed & ~cased, IGNORABLE, 0)


def folding(lowered: Array) -> list[tuple[int, int]]:
    """Return the code points, and what they become in lower case, that lose an accent or a compatibility form."""
    return [(p, q) for p, q in enumerate(lowered.tolist()) if q > 127 and folded(chr(q)) != chr(q)]


def folded(text: str) -> str:
    """Return text without accents.

    Examples
    --------
    >>> folded("Candide, où l’été ﬁnit")
    'Candide, ou l’ete finit'
    """
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
