"""Vocabularies and the sums of words as JSON: short lists as they are, long ones deflated."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

from candide import native
from candide.analysis.analyzer import Analyzer
from candide.analysis.word_list import WordList
from candide.arithmetic import offsets
from candide.estimator.format.encoding import RuleBook, decode, encode
from candide.estimator.format.entries import Entry
from candide.estimator.format.labels import positions_to_json
from candide.schema.vocabulary import Buckets, Vocabulary, WordAxis
from candide.statistics.arrays import DEFLATION, PLAIN, array_to_json, inflate_bytes
from candide.statistics.words import LARGEST_SUM, UNITS, Sparse, Words
from candide.table.weights import LARGEST_TOTAL

Array = np.ndarray[Any, Any]

LARGEST = {"i": LARGEST_SUM, "f": LARGEST_TOTAL["f"] * UNITS}
"""What the sums of words that can be counted are below, whole and broken ones."""


# -- vocabularies ----------------------------------------------------------------------------------------------------


def words_to_json(axis: WordAxis, rules: RuleBook) -> dict[str, Any]:
    """Return what the words are, and the words in their order, where they are kept."""
    analyzer = {"analyzer": encode(axis.analyzer, rules)}
    if isinstance(axis, Buckets):
        return analyzer
    kept = {} if axis.kept is None else positions_to_json("kept", axis.kept)
    return {**analyzer, "words": list_to_json(axis.words), **kept}


def list_to_json(words: WordList) -> Any:
    """Return a list of words as it is, or its bytes deflated."""
    if len(words) <= PLAIN:
        return words.text
    packed = base64.b64encode(zlib.compress(words.bytes.tobytes(), 6)).decode()
    return {"lengths": array_to_json(np.diff(words.starts)), "deflated": packed}


def words_from_json(entry: Entry, rules: RuleBook) -> WordAxis:
    """Read the words of documents back."""
    analyzer = decode(entry["analyzer"], rules)
    if not isinstance(analyzer, Analyzer):
        raise entry["analyzer"].unlike("analyzer")
    try:
        analyzer.check()
    except (ValueError, TypeError) as error:
        raise entry["analyzer"].wrong(f"is none that can be: {error}") from None
    if analyzer.hashing is not None:
        return Buckets(analyzer)
    words = list_from_json(entry["words"])
    kept = entry.get("kept")
    return Vocabulary(analyzer, words, None if kept is None else kept.mask(len(words)))


def list_from_json(entry: Entry) -> WordList:
    """Read a list of words back: in order, each once."""
    if isinstance(entry.value, list):
        words = WordList.of([item.text() for item in entry.items()])
    else:
        entry.check_keys(("lengths", "deflated"))
        lengths = entry["lengths"].array((None,), ("int64",))
        packed = entry["deflated"].text()
        total = int(lengths.sum()) if len(lengths) else 0
        if (lengths < 0).any() or not 0 <= total <= DEFLATION * len(packed):
            raise entry["lengths"].wrong("does not hold the lengths of words")
        try:
            raw = inflate_bytes(packed, total)
        except ValueError as error:
            raise entry["deflated"].wrong(str(error)) from None
        words = WordList(np.frombuffer(raw, dtype=np.uint8), offsets(lengths.tolist()))
    try:
        spelt = words.text
    except UnicodeDecodeError:
        raise entry.wrong("does not hold words in UTF-8") from None
    order = native.sort_words(words.bytes, words.starts)
    if len(set(spelt)) < len(spelt) or not np.array_equal(order, np.arange(len(words))):
        raise entry.wrong("does not hold distinct words in order")
    return words


# -- sums ------------------------------------------------------------------------------------------------------------


def sums_to_json(sparse: Sparse, axes: tuple[str, ...]) -> dict[str, Any]:
    """Return the entries, each by its distance from the one before, and their sums."""
    sums = {name: array_to_json(s) for name, s in zip(sparse.NAMES, sparse.sums, strict=True)}
    return {"axes": list(axes), "gaps": array_to_json(np.diff(sparse.at, prepend=0)), **sums}


def sums_from_json(entry: Entry, part: type[Sparse], sizes: tuple[int, ...], axes: tuple[str, ...]) -> Sparse:
    """Read the sums of words back: what documents can give."""
    entry.check_keys(("axes", "gaps", *part.NAMES))
    if entry["axes"].value != list(axes):
        raise entry["axes"].wrong(f"is not {list(axes)}")
    gaps = entry["gaps"].array((None,), ("int64",))
    at = np.cumsum(gaps)
    if len(gaps) and (gaps[0] < 0 or (gaps[1:] <= 0).any() or (at < 0).any() or at[-1] >= sizes[0] * sizes[1]):
        raise entry["gaps"].wrong("does not hold ascending entries of the classes and words")
    sums = tuple(entry[name].array((len(gaps),)) for name in part.NAMES)
    if len({array.dtype for array in sums}) > 1:
        raise entry.wrong("has whole numbers in some sums and broken ones in others")
    # whole shares, of which a document has millions, are held to its weight by `check_words`
    added = sums[:2] if sums[0].dtype.kind == "i" else sums
    if any(np.abs(array).sum(dtype=float) >= LARGEST[array.dtype.kind] for array in added):
        raise entry.wrong("holds too large a weight")
    sparse = part((sizes[0], sizes[1]), at, sums)
    if sparse.first_below() is not None:
        raise entry.wrong("holds a weight below zero")
    if isinstance(sparse, Words):
        check_words(entry, sparse)
    elif len(gaps) and (sparse.sum_of("curve") < 0).any():
        raise entry.wrong("holds a curve below zero")
    return sparse


def check_words(entry: Entry, words: Words) -> None:
    """Refuse words that no documents have."""
    missing = words.places[1] == 0
    if (words.documents == 0).any():
        raise entry.wrong("holds words of no document")
    if (words.count[missing] != 0).any() or (words.share[missing] != 0).any():
        raise entry.wrong("holds words of missing documents")
    if words.documents.dtype.kind == "i" and (
        (words.count < words.documents)[~missing].any() or (words.share > words.documents * UNITS).any()
    ):
        raise entry.wrong("holds words that stand in more documents than they stand at all")
