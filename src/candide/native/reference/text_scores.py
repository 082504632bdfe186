"""Scores of documents, added word by word: from rows of words, or from documents as they are read."""

from typing import Any

import numpy as np

from candide.native.reference.rows import Array, Codes, Floats, Ints
from candide.native.reference.text import read_words, tokenize
from candide.native.reference.word_lists import slots_in_order, take_words, words_in

__all__ = ["add_words", "score_noting", "score_words", "scored_slots"]


def add_words(starts: Ints, words: Codes, x: Floats, evidence: tuple[Array | None, ...], out: Floats) -> None:
    """Add Σ_w x_w f_wc to each document's row of ``out``; negative words are left out.

    ``evidence`` is (entry_starts, classes, values, of_word, of_class, spread), the last three of which may be None:
    f_wc = of_word + spread · of_class + value, the last of the classes that a word has entries for, which stand
    together and ascend.
    """
    entry_starts, classes, values, of_word, of_class, spread = evidence
    assert entry_starts is not None
    assert classes is not None
    assert values is not None
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    used = np.flatnonzero(words >= 0)
    lengths = np.diff(entry_starts)[words[used]]
    place = np.repeat(used, lengths)
    first = np.repeat(entry_starts[words[used]] - (np.cumsum(lengths) - lengths), lengths)
    entry = np.arange(len(place)) + first
    np.add.at(out, (owner[place], classes[entry]), x[place] * values[entry])
    if of_word is not None:
        np.add.at(out, owner[used], (x[used] * of_word[words[used]])[:, None])
    if of_class is not None:
        times = x[used] if spread is None else x[used] * spread[words[used]]
        np.add.at(out, owner[used], times[:, None] * of_class)


def scored_slots(
    place: Codes,
    evidence: tuple[Array | None, ...],
    often: Floats | None = None,
    data: Array | None = None,
    starts: Ints | None = None,
) -> Array:
    """Make the table in which words are found with what they say: those of `word_slots`, and four numbers more a slot.

    These are where the entries of the word begin, how many there are, and of_word and spread of ``evidence``, as
    `add_words` takes it; a word without a ``place`` among its words has -1 entries. Words that stand ``often``, one
    number for each of them, are put into the table first, by powers of two, and so found soonest. Without words they
    are those of buckets: of each that holds something, and the last of all others.
    """
    entry_starts, _, _, of_word, _, spread = evidence
    assert entry_starts is not None
    size = len(entry_starts) - 1
    wanted = (place >= 0) & (place < size)
    at = np.where(wanted, place, 0)
    heads = np.zeros((len(place), 4), dtype=np.int64)
    heads[:, 1] = -1
    heads[:, 3] = np.float64(1.0).view(np.int64)
    if size:
        heads[wanted, 0] = entry_starts[at][wanted]
        heads[wanted, 1] = np.diff(entry_starts)[at][wanted]
        for column, of in ((2, of_word), (3, spread)):
            if of is not None:
                heads[wanted, column] = of[at].view(np.int64)[wanted]
    if data is None or starts is None:
        return heads.view(np.uint64).ravel()
    assert often is not None
    order = np.argsort(-(np.maximum(often, 0.0).view(np.int64) >> 52), kind="stable")
    slots = slots_in_order(data, starts, order).reshape(-1, 4)
    out = np.zeros((len(slots), 8), dtype=np.uint64)
    out[:, :4] = slots
    used = slots[:, 3] != 0
    out[used, 4:] = heads.view(np.uint64)[(slots[used, 3] & np.uint64(0xFFFFFFFF)).astype(np.int64) - 1]
    return out.ravel()


def score_words(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    slots: Array,
    units: float,
    classes: Codes,
    values: Floats,
    of_class: Floats | None,
    out: Floats,
    data: Array | None,
    starts: Ints | None,
    bucket_slots: Array | None = None,
    buckets: int = 0,
) -> Ints:
    """Read documents and add what their words say, as `read_words` and `add_words` do one after the other.

    ``slots`` are those of `scored_slots`. Returns how many words of those wanted each document holds: all of them, or
    different ones where shares are added.
    """
    words: tuple[Any, ...]
    if data is None or starts is None:
        heads = slots.reshape(-1, 4)
        words = (bucket_slots, None, None, buckets)
    else:
        words = (slots.reshape(-1, 8)[:, :4].ravel(), data, starts)
        heads = np.zeros((len(starts) - 1, 4), dtype=np.uint64)
        used = slots.reshape(-1, 8)[slots.reshape(-1, 8)[:, 3] != 0]
        heads[(used[:, 3] & np.uint64(0xFFFFFFFF)).astype(np.int64) - 1] = used[:, 4:]
    begin, size = heads[:, 0].view(np.int64), heads[:, 1].view(np.int64)
    place = np.where(size >= 0, np.arange(len(heads)), -1).astype(np.int32)
    begins, word, x = read_words(documents, table, expansions, least, most, place, units, *words)
    entries = np.maximum(size, 0)
    at = np.repeat(begin - (np.cumsum(entries) - entries), entries) + np.arange(entries.sum())
    ends = np.concatenate([[0], np.cumsum(entries)]).astype(np.int64)
    of_word, spread = (np.ascontiguousarray(heads[:, i]).view(np.float64) for i in (2, 3))
    add_words(begins, word, x, (ends, classes[at], values[at], of_word, of_class, spread), out)
    owner = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    counted = np.bincount(owner, None if units > 0 else x, len(begins) - 1)
    return counted.astype(np.int64)


def score_noting(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    slots: Array,
    classes: Codes,
    values: Floats,
    of_class: Floats | None,
    out: Floats,
    data: Array,
    starts: Ints,
) -> tuple[Ints, Array, Ints]:
    """Add what the words of documents say as `score_words` does, and tell the words that are not known, in order."""
    if len(slots) // 8 < len(starts):
        raise ValueError("slots are not those of the words")
    how = (documents, table, expansions, least, most)
    held = score_words(*how, slots, 0.0, classes, values, of_class, out, data, starts)
    _, _, found, ends = tokenize(*how)
    known = set(words_in(data, starts))
    others = np.flatnonzero([word not in known for word in words_in(found, ends)])
    return held, *take_words(found, ends, others)
