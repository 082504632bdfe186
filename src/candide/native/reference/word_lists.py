"""Lists of words: hashed, sorted, found.

Words are UTF-8 bytes one behind the other with where each begins.
"""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from candide.native.reference.rows import Array, Codes, Ints

__all__ = [
    "bucket_slots",
    "find_words",
    "hash_words",
    "seek_words",
    "sort_words",
    "take_words",
    "unique_words",
    "word_slots",
    "word_texts",
]

MASK = (1 << 64) - 1


def words_in(data: Array, starts: Ints) -> list[bytes]:
    raw = data.tobytes()
    return [raw[a:b] for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


def _fold(a: int, b: int) -> int:
    wide = a * b
    return (wide & MASK) ^ (wide >> 64)


def _hash(word: bytes) -> int:
    h = 0x9E3779B97F4A7C15 ^ (len(word) * 0xD1342543DE82EF95 & MASK)
    whole = len(word) // 8 * 8
    for at in range(0, whole, 8):
        h = _fold(h ^ int.from_bytes(word[at : at + 8], "little"), 0xA0761D6478BD642F)
    return _fold(h ^ int.from_bytes(word[whole:], "little"), 0xE7037ED1A0B428DB)


def _key(word: bytes) -> list[int]:
    """The bytes of a word and their number, or the first 23 and a mark where there are more."""
    whole = word[:23].ljust(23, b"\0") + bytes([len(word) if len(word) <= 23 else 0xFF])
    return [int.from_bytes(whole[i : i + 8], "little") for i in (0, 8, 16)]


def _place(key: Sequence[int]) -> int:
    """The hash by which a table finds a word of 23 bytes at the most."""
    return _fold(key[0] ^ (key[1] * 0xA0761D6478BD642F ^ key[2] * 0xE7037ED1A0B428DB) & MASK, 0x9E3779B97F4A7C15)


def word_slots(data: Array, starts: Ints) -> Array:
    """Make the table in which words are found: open addressing by their hashes, four numbers a slot."""
    return slots_in_order(data, starts)


def slots_in_order(data: Array, starts: Ints, order: Ints | None = None) -> Array:
    """Make the same table, words put into it in some order."""
    words = words_in(data, starts)
    size = max(64, 1 << (len(words) * 4 // 3).bit_length())
    slots: list[list[int]] = [[0, 0, 0, 0] for _ in range(size)]
    for number in range(len(words)) if order is None else order.tolist():
        word, key = words[number], _key(words[number])
        h = _place(key) if len(word) <= 23 else _hash(word)
        at = h >> 32 & (size - 1)
        while slots[at][3] and words[(slots[at][3] & 0xFFFFFFFF) - 1] != word:  # ends: a quarter is empty
            at = (at + 1) & (size - 1)
        if not slots[at][3]:
            slots[at] = [*key, (h & ~0xFFFFFFFF) | (number + 1)]
    return np.array(slots, dtype=np.uint64).ravel()


def find_words(slots: Array, data: Array, starts: Ints, other_data: Array, other_starts: Ints) -> Codes:
    """Return the place of other words among words whose slots are known; -1 where it is not there."""
    if len(slots) // 4 < len(starts):
        raise ValueError("slots are not those of the words")
    place: dict[bytes, int] = {}
    for i, word in enumerate(words_in(data, starts)):
        place.setdefault(word, i)
    return np.array([place.get(word, -1) for word in words_in(other_data, other_starts)], dtype=np.int32)


def seek_words(data: Array, starts: Ints, other_data: Array, other_starts: Ints) -> Codes:
    """Return the place of other words among words that are in order, each once; -1 where it is not there."""
    words = words_in(data, starts)
    places = [(bisect_left(words, word), word) for word in words_in(other_data, other_starts)]
    return np.array([i if words[i : i + 1] == [word] else -1 for i, word in places], dtype=np.int32)


def unique_words(data: Array, starts: Ints) -> tuple[Array, Ints, Codes]:
    """Return words in the order of their bytes, each once, and the place of each of those given among them."""
    words = words_in(data, starts)
    distinct = sorted(set(words))
    rank = {word: i for i, word in enumerate(distinct)}
    joined = np.frombuffer(b"".join(distinct), dtype=np.uint8)
    ends = np.concatenate([[0], np.cumsum(list(map(len, distinct)))]).astype(np.int64)
    return joined, ends, np.array([rank[word] for word in words], dtype=np.int32)


def word_texts(data: Array, starts: Ints) -> list[str]:
    """Return words as text."""
    return [word.decode("utf-8", "surrogatepass") for word in words_in(data, starts)]


def bucket_slots(filled: Codes) -> Array:
    """Make the table in which buckets that hold something are found: open addressing by their lowest bits.

    A slot has the bucket, and above it its place among these, from 1 on.
    """
    size = 1 << (2 * len(filled) + 1).bit_length()
    slots = [0] * size
    for place, bucket in enumerate(filled.tolist(), 1):
        at = bucket & (size - 1)
        while slots[at]:  # ends: half are empty
            at = (at + 1) & (size - 1)
        slots[at] = place << 32 | bucket
    return np.array(slots, dtype=np.uint64)


def find_buckets(slots: Array, data: Array, starts: Ints, buckets: int, filled: int) -> Codes:
    """Return the place of each word's bucket among those that hold something; of others their own, behind these."""
    places = {slot & 0xFFFFFFFF: slot >> 32 for slot in slots.tolist() if slot}
    thrown = hash_words(data, starts, buckets).tolist()
    return np.array([places[b] - 1 if places.get(b, 0) else filled + b for b in thrown], dtype=np.int32)


def hash_words(data: Array, starts: Ints, buckets: int) -> Codes:
    """Return the bucket of each word: the same on every machine."""
    if buckets < 1:
        raise ValueError("buckets must be at least 1")
    return np.array([_hash(word) % buckets for word in words_in(data, starts)], dtype=np.int32)


def sort_words(data: Array, starts: Ints) -> Codes:
    """Return the places of words in the order of their bytes."""
    words = words_in(data, starts)
    return np.array(sorted(range(len(words)), key=words.__getitem__), dtype=np.int32)


def take_words(data: Array, starts: Ints, chosen: Ints) -> tuple[Array, Ints]:
    """Return the words at some places, in that order."""
    if len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(starts) - 1:
        raise ValueError("a word that is chosen is not there")
    lengths = np.diff(starts)[chosen]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return data[np.repeat(starts[:-1][chosen] - ends[:-1], lengths) + np.arange(ends[-1])], ends
