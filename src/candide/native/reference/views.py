"""Views of documents: what their words say for each class, apart by how many documents hold them.

``rows`` are (begins, ends, words, x): some documents as rows of words with their shares, each from where it begins to
where it ends. ``sums`` are (starts, classes, n, of_word, documents, of_class): the shares n of each word in each class
that has it, word by word; their sums by word and by class; and how many documents hold each word. They may end with
the first band of each word, since runs of more words have bands of their own, and how many bands there are then. Views
are in single precision: their weights are settled to fewer digits.
"""

from typing import Any

import numpy as np

from candide.native.reference.rows import Array, Codes, Floats, Ints, Singles

__all__ = [
    "fill_entries",
    "known_without",
    "lift_evidence",
    "lift_views",
    "mistake_sums",
    "mistake_views",
    "turn_entries",
    "weigh_entries",
]

ViewRows = tuple[Array, Array, Array, Array]
Sums = tuple[Any, ...]

BANDS = 10
NOTHING = 1e-9


def _bands(sums: Sums, words: Array, documents: Floats) -> Ints:
    """The bands of words in 1, 2, 3 to 4, 5 to 8, ... and more than 256 documents, behind the first of each."""
    out: Ints = np.clip(np.ceil(np.log2(np.maximum(documents, 1.0))), 0, BANDS - 1).astype(np.int64)
    return out + sums[6][words] if len(sums) > 6 else out


def _n_bands(sums: Sums) -> int:
    """How many bands there are."""
    return int(sums[7]) if len(sums) > 6 else BANDS


def _listed(rows: ViewRows) -> tuple[Ints, Array, Floats]:
    """The words of documents one behind the other, with the document of each."""
    begins, ends, words, x = rows
    at = np.concatenate([np.zeros(0, dtype=np.int64), *map(np.arange, begins, ends)])
    return np.repeat(np.arange(len(begins)), ends - begins), words[at], x[at]


def _table(sums: Sums, values: Array) -> Floats:
    """Values of entries as a whole table (words, classes)."""
    starts, classes = sums[0], sums[1]
    out = np.zeros((len(starts) - 1, len(sums[5])))
    out[np.repeat(np.arange(len(starts) - 1), np.diff(starts)), classes] = values
    return out


def _lift(n: Floats, of_class: Floats, share: Floats, lam: float) -> Floats:
    out: Floats = np.log1p((1 - lam) / lam * n / np.maximum(of_class, NOTHING) * share)
    return out


def _against(rest: Floats, of_rest: Floats, share: Floats, others: float) -> Floats:
    out: Floats = -np.log((1 - others) * np.maximum(rest, 0.0) / np.maximum(of_rest, NOTHING) * share + others)
    return out


def fill_entries(starts: Ints, classes: Codes, n_classes: int, few: int) -> tuple[Ints, Codes, Ints]:
    """Give words that have entries for one in so few classes one for each class; those of a word stand together.

    Returns where the entries of each word begin, their classes, and where those stand that were there before.
    """
    lengths = np.diff(starts)
    whole = lengths * few >= n_classes
    ends = np.concatenate([[0], np.cumsum(np.where(whole, n_classes, lengths))]).astype(np.int64)
    before = np.arange(len(classes)) - np.repeat(starts[:-1], lengths)
    places = np.repeat(ends[:-1], lengths) + np.where(np.repeat(whole, lengths), classes, before)
    of = (np.arange(ends[-1]) - np.repeat(ends[:-1], np.diff(ends))).astype(np.int32)
    of[places] = classes
    return ends, of, places


def turn_entries(starts: Ints, classes: Codes, n_classes: int, called: Ints, stride: int) -> tuple[Ints, Ints]:  # noqa: ARG001
    """Return the entries class by class: class · stride + what their word is ``called``, and where each stood."""
    order = np.argsort(classes, kind="stable")
    return (classes.astype(np.int64) * stride + np.repeat(called, np.diff(starts)))[order], order


def weigh_entries(
    sums: Sums, lam: float, others: float, beta: Floats, gain: Floats | None, curve: Floats | None, ridge: float
) -> tuple[Floats, Floats, Floats]:
    """Return the evidence of every entry for its class and against all others, above that of a class without the word,
    and gain / (curve + ridge) where they are given, weighed by ``beta`` (views, bands); what a class without the word
    says against all others; and its weight, by word.
    """
    starts, classes, n, of_word, documents, of_class = sums[:6]
    total = of_class.sum()
    word = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    share = np.where(of_word > NOTHING, total / np.maximum(of_word, NOTHING), 0.0)[word]
    unseen = _against(np.ones(len(of_class)), total - of_class, total, others)
    against = _against(of_word[word] - n, (total - of_class)[classes], share, others) - unseen[classes]
    band = _bands(sums, np.arange(len(documents)), documents)
    values = beta[0, band][word] * _lift(n, of_class[classes], share, lam) + beta[1, band][word] * against
    if gain is not None and curve is not None:
        values = values + beta[2, band][word] * gain / (curve + ridge)
    return values, unseen, beta[1, band]


def _by_class(views: Floats, grown: Floats | None, apart: bool) -> Singles:
    """Views (documents, size, classes) class by class; apart: of all but the first, less those of the first."""
    told = views[:, :, 1:] - views[:, :, :1] if apart else views
    told = told if grown is None else told * grown[:, None, None]
    return told.transpose(0, 2, 1).reshape(len(views), -1).astype(np.float32)


def known_without(rows: ViewRows, sums: Sums, w: Floats) -> tuple[Floats, Floats]:
    """Return how many words of each document others hold as well, so that they are known without it; and what
    multiplies the shares, which is the length that the vector of these words alone is short of.
    """
    owner, words, x = _listed(rows)
    n = len(rows[0])
    there = sums[4][words] - w[owner] > NOTHING
    known, squares, left = (np.bincount(owner, of, n) for of in (there, x * x, there * x * x))
    return known.astype(float), np.sqrt(np.where(left > 0, squares, 1.0) / np.where(left > 0, left, 1.0))


def lift_views(
    rows: ViewRows,
    sums: Sums,
    lam: float,
    others: float,
    y: Ints | None = None,
    w: Floats | None = None,
    grown: Floats | None = None,
    apart: bool = False,
) -> Singles:
    """Return (documents, classes · 2 · bands): what the words of each band say for and against each class, the document
    left out of its class y with its weight w, times what its shares have ``grown`` by; ``apart``: of all but the first
    class, less those of the first, and of two classes only what words say for them, which is against the other one.
    """
    begins, ends, words, x = rows
    n, k = len(begins), len(sums[5])
    table, out = _table(sums, sums[2]), np.zeros((n, 2, _n_bands(sums), k))
    for d in range(n):
        at = slice(int(begins[d]), int(ends[d]))
        own = -1 if y is None else int(y[d])
        weight = 0.0 if own < 0 else 1.0 if w is None else float(w[d])
        word, share_of = words[at], x[at]
        mine = np.zeros(k)
        mine[own] = weight if own >= 0 else 0.0
        of_class = sums[5] - mine * share_of.sum()
        total = of_class.sum()
        all_ = sums[3][word] - weight * share_of
        held = sums[4][word] - weight
        counts = np.maximum(table[word] - mine * share_of[:, None], 0.0)
        seen = (held > NOTHING) & (all_ > NOTHING)
        share = np.where(seen, total / np.where(seen, all_, 1.0), 0.0)[:, None]
        unseen = _against(np.ones(k), total - of_class, total, others)
        there = table[word] > 0
        first = np.where(there, _lift(counts, of_class, share, lam), 0.0)
        second = np.where(there, _against(all_[:, None] - counts, total - of_class, share, others), unseen)
        for v, view in enumerate((first, second)):
            np.add.at(out[d, v], _bands(sums, word[seen], held[seen]), (share_of[:, None] * view)[seen])
    return _by_class((out[:, :1] if apart and k == 2 else out).reshape(n, -1, k), grown, apart)


def lift_evidence(
    rows: ViewRows,
    sums: Sums,
    lam: float,
    others: float,
    beta: Floats,
    y: Ints | None = None,
    w: Floats | None = None,
    grown: Floats | None = None,
) -> Floats:
    """Return (documents, classes): the views of `lift_views`, weighed by ``beta`` (2 · bands,) and added up."""
    views = lift_views(rows, sums, lam, others, y, w, grown)
    out: Floats = views.reshape(len(views), len(sums[5]), 2 * _n_bands(sums)) @ beta
    return out


def mistake_sums(
    rows: ViewRows,
    sums: Sums,
    residual: Floats,
    curvature: Floats,
    w: Floats | None = None,  # noqa: ARG001  # tells the compiled kernel whether single precision suffices
) -> Floats:
    """Return gain and curve (2, M): Σ residual x and Σ curvature x² over documents, of entries without a share, too."""
    owner, words, x = _listed(rows)
    word = np.repeat(np.arange(len(sums[0]) - 1), np.diff(sums[0]))
    gain, curve = np.zeros((len(sums[0]) - 1, len(sums[5]))), np.zeros((len(sums[0]) - 1, len(sums[5])))
    np.add.at(gain, words, residual[owner] * x[:, None])
    np.add.at(curve, words, curvature[owner] * (x * x)[:, None])
    return np.array([gain[word, sums[1]], curve[word, sums[1]]])


def mistake_views(
    rows: ViewRows,
    sums: Sums,
    gain: Floats,
    curve: Floats,
    ridge: float,
    residual: Floats | None = None,
    curvature: Floats | None = None,
    w: Floats | None = None,
    grown: Floats | None = None,
    apart: bool = False,
) -> Singles:
    """Return (documents, classes · bands): gain / (curve + ridge) of words, less the document's own part if given,
    times what its shares have ``grown`` by; ``apart``: of all but the first class, less those of the first.
    """
    owner, words, x = _listed(rows)
    n, k = len(rows[0]), len(sums[5])
    there = _table(sums, np.ones(len(sums[2])))[words] > 0
    g, h, held = _table(sums, gain)[words], _table(sums, curve)[words], sums[4][words]
    if residual is not None and curvature is not None and w is not None:
        g, h = g - residual[owner] * x[:, None], np.maximum(h - curvature[owner] * (x * x)[:, None], 0.0)
        held = held - w[owner]
    out = np.zeros((n, _n_bands(sums), k))
    seen = held > NOTHING
    said = np.where(there, x[:, None] * g / (h + ridge), 0.0)
    np.add.at(out, (owner[seen], _bands(sums, words[seen], held[seen])), said[seen])
    return _by_class(out, grown, apart)
