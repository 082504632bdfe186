"""Documents: words found and counted.

Words are UTF-8 bytes one behind the other with where each begins; documents are a list of text, bytes and None, or the
bytes of all of them with where each begins. A word's number that is negative is left out.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from candide.native.reference.rows import Array, Codes, Floats, Ints
from candide.native.reference.word_lists import find_buckets, find_words, hash_words, words_in

__all__ = [
    "bags",
    "add_parts",
    "by_word",
    "count_words",
    "read_words",
    "sum_by_class",
    "tokenize",
    "word_grams",
    "word_shares",
    "word_sums",
]

TokenArrays = tuple[Codes, Ints, Array, Ints]

CODE, EXPANDS, WORD, SPACE, CASED, IGNORABLE, FINAL = (1 << 21) - 1, *(1 << bit for bit in range(21, 27))
FINAL_SIGMA = 0x3C2


def tokenize(documents: Any, table: Array, expansions: Array, least: int = 0, most: int = 0) -> TokenArrays:
    """Find the words of documents: runs of two or more word characters, or of `least` to `most` characters.

    ``table`` says what each code point becomes and what it is, ``expansions`` those that become several characters.
    Returns the words' numbers, where each document begins, and the words in the order of their bytes.
    """
    rows = [_found(_characters(text, table, expansions), least, most) for text in _texts(documents)]
    return _numbered(rows)


def _texts(documents: Any) -> Iterator[str]:
    if isinstance(documents, tuple):
        data, starts = documents
        raw = data.tobytes()
        documents = [raw[a:b] for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]
    for n, text in enumerate(documents):
        if text is not None and not isinstance(text, (str, bytes)):
            raise TypeError(f"document {n} is no text")
        try:
            yield "" if text is None else text.decode("utf-8", "surrogatepass") if isinstance(text, bytes) else text
        except UnicodeDecodeError as error:
            raise ValueError(f"document {n} is no UTF-8 at byte {error.start}") from None


def _characters(text: str, table: Array, expansions: Array) -> list[int]:
    entries = [int(table[ord(c)]) for c in text]
    out: list[int] = []
    for i, entry in enumerate(entries):
        become = int(table[FINAL_SIGMA]) if entry & FINAL and _ends_word(entries, i) else entry
        if become & EXPANDS:
            at = become & CODE
            out += expansions[at + 1 : at + 1 + int(expansions[at])].tolist()
        else:
            out.append(become)
    return out


def _ends_word(entries: Sequence[int], i: int) -> bool:
    before = next((e for e in reversed(entries[:i]) if not e & IGNORABLE), 0)
    behind = next((e for e in entries[i + 1 :] if not e & IGNORABLE), 0)
    return bool(before & CASED) and not behind & CASED


def _found(characters: Sequence[int], least: int, most: int) -> list[str]:
    if least:
        return _runs(characters, least, most)
    words, word = [], ""
    for entry in [*characters, 0]:
        if entry & WORD:
            word += chr(entry & CODE)
        else:
            words += [word] if len(word) > 1 else []
            word = ""
    return words


def _runs(characters: Sequence[int], least: int, most: int) -> list[str]:
    text, spaced = "", False
    for entry in characters:
        space = bool(entry & SPACE)
        text = text[:-1] + " " if space and spaced else text + chr(entry & CODE)
        spaced = space
    return [text[i : i + n] for n in range(least, most + 1) for i in range(len(text) - n + 1)]


def _numbered(rows: Sequence[Sequence[str]]) -> TokenArrays:
    words = sorted({word for row in rows for word in row})
    place = {word: i for i, word in enumerate(words)}
    ids = np.array([place[word] for row in rows for word in row], dtype=np.int32)
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    return ids, _ends(rows), np.frombuffer(b"".join(encoded), dtype=np.uint8), _ends(encoded)


def _ends(rows: Sequence[Sequence[Any]]) -> Ints:
    return np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)


def word_grams(ids: Codes, starts: Ints, data: Array, word_starts: Ints, least: int, most: int) -> TokenArrays:
    """Join `least` to `most` words that follow each other in a document by spaces, as words of their own."""
    if not 1 <= least <= most:
        raise ValueError("least and most must ascend from 1")
    text = [word.decode("utf-8", "surrogatepass") for word in words_in(data, word_starts)]
    rows = []
    for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        words = [text[i] for i in ids[a:b].tolist() if i >= 0]
        runs = ((i, n) for i in range(len(words)) for n in range(least, min(most, len(words) - i) + 1))
        rows.append([" ".join(words[i : i + n]) for i, n in runs])
    return _numbered(rows)


def bags(ids: Codes, starts: Ints, n_words: int) -> tuple[Ints, Codes, Codes]:
    """Count the words of each document: where it begins, its words as they first come, how often each stands there."""
    if len(ids) and ids.max() >= n_words:
        raise ValueError("a word's number is not below n_words")
    rows = []
    for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        row: dict[int, int] = {}
        for i in ids[a:b].tolist():
            if i >= 0:
                row[i] = row.get(i, 0) + 1
        rows.append(row)
    words = np.array([i for row in rows for i in row], dtype=np.int32)
    times = np.array([n for row in rows for n in row.values()], dtype=np.int32)
    return _ends([list(row) for row in rows]), words, times


def by_word(
    at: Ints, counted: Ints | Floats, place: Codes, n_words: int, n_classes: int, factor: Floats | None = None
) -> tuple[Ints, Codes, Floats, Floats]:
    """Sort entries, class · len(place) + word, by the place of their word, and leave out those that have none.

    Returns where the entries of each place begin, their classes and amounts, each times the factor of its place, and
    what the amounts add up to by place.
    """
    of_class, of, n = _entered(at, counted, place, n_words, n_classes, factor)
    order = np.argsort(of, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=n_words))]).astype(np.int64)
    of_word = np.bincount(of[order], n[order], n_words).astype(np.float64)
    return starts, of_class[order].astype(np.int32), n[order], of_word


def sum_by_class(
    at: Ints, counted: Ints | Floats, place: Codes, n_words: int, n_classes: int, factor: Floats | None = None
) -> Floats:
    """Return what the amounts of entries, as `by_word` has them, add up to by class."""
    of_class, _, n = _entered(at, counted, place, n_words, n_classes, factor)
    return np.bincount(of_class, n, n_classes).astype(np.float64)


def _entered(
    at: Ints, counted: Ints | Floats, place: Codes, n_words: int, n_classes: int, factor: Floats | None
) -> tuple[Ints, Ints, Floats]:
    """Return the class, the place and the amount of entries whose words have a place."""
    chosen = place[place >= 0]
    if np.any(np.diff(chosen) <= 0) or np.any(chosen >= n_words):
        raise ValueError("places must ascend below n_words")
    if len(at) and (at[0] < 0 or at[-1] >= len(place) * n_classes or np.any(np.diff(at) <= 0)):
        raise ValueError("entries must ascend within classes and words")
    c, word = np.divmod(at, max(len(place), 1))
    of = place[word].astype(np.int64)
    there = of >= 0
    n = counted[there].astype(np.float64) * (1.0 if factor is None else factor[of[there]])
    return c[there], of[there], n


def add_parts(values: Floats, word_of: Ints, class_of: Codes, of_word: Floats | None, of_class: Floats | None) -> None:
    """Add to values of entries what is said of the word, and of the class, of each, where something is."""
    for of, part in ((word_of, of_word), (class_of, of_class)):
        if part is None:
            continue
        if np.any((of < 0) | (of >= len(part))):
            raise ValueError("nothing is told of an entry's word, or of its class")
        values += part[of]


def word_shares(starts: Ints, times: Codes, units: float) -> Floats:
    """Return log(1 + times) over the length of each document's vector of these, as whole numbers of units."""
    logs = np.log1p(times.astype(np.float64))
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    squares = np.bincount(owner, logs * logs, max(len(starts) - 1, 1))
    out: Floats = np.rint(logs * (units / np.sqrt(squares[owner])))
    return out


def word_sums(
    ids: Codes, starts: Ints, n_words: int, y: Ints, n_classes: int, w: Floats | None = None, units: float = 1.0
) -> tuple[Ints, Array, Array, Array]:
    """Sum how often each word stands in the documents of a class, in how many, and its shares of them.

    Returns the entries class · (n_words + 1) + word + 1, ascending, since missing documents are the first of a class;
    and the three sums, which are integers where documents are not weighed.
    """
    for row in np.flatnonzero(y >= n_classes)[:1]:
        raise ValueError(f"class code too large in row {row}: there are only {n_classes} classes")
    at, words, times = bags(ids, starts, n_words)
    share = word_shares(at, times, units)
    owner = np.repeat(np.arange(len(at) - 1), np.diff(at))
    weight = np.ones(len(owner)) if w is None else w[owner]
    used = (y[owner] >= 0) & (weight != 0)
    key = y[owner][used] * (n_words + 1) + words[used] + 1
    entries, place = np.unique(key, return_inverse=True)
    parts = (weight * times, weight, weight * share)
    kind = np.int64 if w is None else np.float64
    count, documents, shares = (np.bincount(place, part[used], len(entries)).astype(kind) for part in parts)
    return entries.astype(np.int64), count, documents, shares


def count_words(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    y: Ints,
    n_classes: int,
    w: Floats | None = None,
    units: float = 1.0,
    buckets: int = 0,
    keep: bool = False,
) -> tuple[tuple[Ints, Array, Array, Array], Array, Ints, tuple[Ints, Codes, Codes] | None]:
    """Find the words of documents and sum them by class, as `tokenize` and `word_sums` do one after the other.

    Returns the sums, and the words that documents with a class and a weight hold; words are thrown into buckets where
    their number is given, and are then not told. Last, the `bags` of these documents, where they are to be kept.
    """
    texts = (
        [documents[0][a:b].tobytes() for a, b in pairwise(documents[1])] if isinstance(documents, tuple) else documents
    )
    counting = (y >= 0) & (True if w is None else w != 0)
    used = [text if counts else None for text, counts in zip(texts, counting.tolist(), strict=True)]
    ids, starts, data, word_starts = tokenize(used, table, expansions, least, most)
    if buckets:
        ids = hash_words(data, word_starts, buckets)[ids]
        data, word_starts = data[:0], word_starts[:1]
    n_words = buckets or len(word_starts) - 1
    kept = bags(ids, starts, n_words) if keep and not buckets else None
    return word_sums(ids, starts, n_words, y, n_classes, w, units), data, word_starts, kept


def read_words(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    place: Codes,
    units: float,
    slots: Array,
    data: Array | None,
    starts: Ints | None,
    buckets: int = 0,
) -> tuple[Ints, Codes, Floats]:
    """Find words that are known, and say how often each stands in each document, or its share where units are given.

    ``place`` is what each known word is called, negative where it is left out. Where words are thrown into buckets, the
    slots are those of buckets that hold something, and the last place is that of all others. Shares are of all known
    words. Returns where each document begins, its words, and their amounts.
    """
    ids, at, found, ends = tokenize(documents, table, expansions, least, most)
    if data is None or starts is None:
        number = find_buckets(slots, found, ends, buckets, len(place) - 1)
    else:
        number = find_words(slots, data, starts, found, ends)
    begins, words, times = bags(number[ids], at, len(place) + buckets)
    words = np.minimum(words, len(place) - 1)
    x = word_shares(begins, times, units) / units if units > 0 else times.astype(np.float64)
    kept = place[words] >= 0
    ends_kept = np.concatenate([[0], np.cumsum(kept)])[begins]
    return ends_kept.astype(np.int64), place[words][kept], x[kept]
