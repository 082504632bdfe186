"""Documents: the words of columns of text, found and counted in one pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide import native
from candide.analysis.analyzer import Analyzer
from candide.analysis.word_list import WordList
from candide.schema.column import Column
from candide.schema.rows import Rows
from candide.schema.vocabulary import Buckets, Vocabulary, WordAxis
from candide.statistics.request import Request
from candide.statistics.words import UNITS, Words
from candide.table import Bags

Array = np.ndarray[Any, Any]

MOST_TEXT = 1 << 28
"""Characters of documents whose words are held at a time."""


def count_documents(
    rows: Rows, request: Request, y: Array, w: Array | None
) -> tuple[tuple[Column, ...], dict[str, Words]]:
    """Return the columns, those of documents with their words, and the sums of these.

    Parameters
    ----------
    rows : Rows
    request : Request
    y : ndarray of int (rows,)
        Class codes.
    w : ndarray of float64 (rows,) or None
    """
    columns, parts = list(rows.schema.columns), {}
    for j, want in enumerate(request.columns):
        if want.analyzer is None:
            continue
        bags = rows.table.bags(j)
        try:
            axis, parts[f"words {j}"] = count_words(want.analyzer, bags, y, len(rows.schema.classes), w)
        except ValueError as error:
            raise ValueError(f"column {columns[j].name!r}: {error}; rows counted from row {rows.start}") from None
        columns[j] = replace(columns[j], axis=axis)
    return tuple(columns), parts


def count_words(analyzer: Analyzer, bags: Bags, y: Array, k: int, w: Array | None) -> tuple[WordAxis, Words]:
    """Return the axis of the words that documents hold, and their sums; missing documents are the first entry."""
    gaps = bool(bags.missing.any())
    codes = (np.where(bags.missing, -1, y) if gaps else y).astype(np.int64, copy=False)
    if analyzer.counted:
        sums, words = analyzer.count(bags, codes, k, w, UNITS)
        axis = axis_of(analyzer, words)
    else:
        tokens = analyzer.read(bags)
        if bags.notes is not None:
            bags.notes.write(tokens.words, native.bags(tokens.ids, tokens.starts, len(tokens.words)))
        axis = axis_of(analyzer, tokens.words)
        n_words = len(tokens.words)
        if isinstance(axis, Buckets):
            filled, bucket = np.unique(analyzer.buckets_of(tokens.words), return_inverse=True)
            tokens, n_words = tokens.renamed(bucket, tokens.words), len(filled)
        sums = native.word_sums(tokens.ids, tokens.starts, n_words, codes, k, w, UNITS)
        if isinstance(axis, Buckets):
            place, *counts = sums
            c, word = np.divmod(place, n_words + 1)
            sums = (c * axis.size + filled[word - 1] + 1, *counts)
    at, count, documents, share = sums
    # words of a document that weighs nothing stand in the list, and do not occur
    made = Words.counted if isinstance(axis, Vocabulary) and not gaps and w is None else Words
    known = made((k, axis.size), at, (documents, count, share))
    return axis, known if not gaps else known + missing_documents(bags.missing, y, known.sizes, w)


def axis_of(analyzer: Analyzer, words: WordList) -> WordAxis:
    """Return the axis of words, or of the buckets that they are thrown into."""
    return Vocabulary(analyzer, words) if analyzer.hashing is None else Buckets(analyzer)


def missing_documents(missing: Array, y: Array, sizes: tuple[int, int], w: Array | None) -> Words:
    """Return the counts of documents that are missing, by class."""
    n = np.bincount(y[missing], None if w is None else w[missing], sizes[0]).astype(float)
    seen = np.flatnonzero(n)
    nothing = np.zeros(len(seen))
    return Words(sizes, seen * sizes[1], (n[seen], nothing, nothing))
