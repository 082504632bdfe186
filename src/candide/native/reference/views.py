"""Views of documents: what their words say for each class, apart by how many documents hold them.

``rows`` are (begins, ends, words, x): some documents as rows of words with their shares, each from where it begins to
where it ends. ``sums`` are (starts, classes, n,
of_word, documents, of_class): the shares n of each word in each class that has it, word by word; their sums by word
and by class; and how many documents hold each word.
"""

import numpy as np

from candide.native.reference.rows import Array, Codes, Floats, Ints

__all__ = [
    "calibration_curvature",
    "calibration_loss",
    "fill_entries",
    "fit_views",
    "lift_evidence",
    "lift_views",
    "mistake_sums",
    "mistake_views",
    "paces",
    "residuals",
    "weigh_entries",
    "weigh_views",
]

ViewRows = tuple[Array, Array, Array, Array]
Sums = tuple[Array, ...]
Views = tuple[Floats, ...]

BANDS = 10
NOTHING = 1e-9
LEAST_VARIANCE = 1e-6


def _bands(documents: Floats) -> Ints:
    """Words in 1, 2, 3 to 4, 5 to 8, ... and more than 256 documents."""
    out: Ints = np.clip(np.ceil(np.log2(np.maximum(documents, 1.0))), 0, BANDS - 1).astype(np.int64)
    return out


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


def weigh_entries(
    sums: Sums, lam: float, others: float, beta: Floats, gain: Floats | None, curve: Floats | None, ridge: float
) -> tuple[Floats, Floats, Floats]:
    """Return the evidence of every entry for its class and against all others, above that of a class without the word,
    and gain / (curve + ridge) where they are given, weighed by ``beta`` (views, bands); of a class without the word, that
    against all others; and its weight, by word.
    """
    starts, classes, n, of_word, documents, of_class = sums
    total = of_class.sum()
    word = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    share = np.where(of_word > NOTHING, total / np.maximum(of_word, NOTHING), 0.0)[word]
    unseen = _against(np.ones(len(of_class)), total - of_class, total, others)
    against = _against(of_word[word] - n, (total - of_class)[classes], share, others) - unseen[classes]
    band = _bands(documents)
    values = beta[0, band][word] * _lift(n, of_class[classes], share, lam) + beta[1, band][word] * against
    if gain is not None and curve is not None:
        values = values + beta[2, band][word] * gain / (curve + ridge)
    return values, unseen, beta[1, band]


def _by_class(views: Floats, apart: bool) -> Floats:
    """Views (documents, size, classes) class by class; apart: those of all but the first class, less those of the first."""
    told = views[:, :, 1:] - views[:, :, :1] if apart else views
    return np.ascontiguousarray(told.transpose(0, 2, 1)).reshape(len(views), -1)


def _side_by_side(views: Views, k: int) -> Floats:
    """Views of classes less those of the first, in parts, as one array (documents, classes, size)."""
    n = len(views[0])
    together = np.concatenate([part.reshape(n, k - 1, part.shape[1] // (k - 1)) for part in views], axis=2)
    return np.concatenate([np.zeros((n, 1, together.shape[2])), together], axis=1)


def lift_views(
    rows: ViewRows,
    sums: Sums,
    lam: float,
    others: float,
    y: Ints | None = None,
    w: Floats | None = None,
    apart: bool = False,
) -> Floats:
    """Return (documents, classes · 2 · bands): what the words of each band say for and against each class, the document
    left out of its class y with its weight w; ``apart``: of all but the first class, less those of the first.
    """
    begins, ends, words, x = rows
    n, k = len(begins), len(sums[5])
    table, out = _table(sums, sums[2]), np.zeros((n, 2, BANDS, k))
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
            np.add.at(out[d, v], _bands(held[seen]), (share_of[:, None] * view)[seen])
    return _by_class(out.reshape(n, -1, k), apart)


def lift_evidence(
    rows: ViewRows,
    sums: Sums,
    lam: float,
    others: float,
    beta: Floats,
    y: Ints | None = None,
    w: Floats | None = None,
) -> Floats:
    """Return (documents, classes): the views of `lift_views`, weighed by ``beta`` (2 · bands,) and added up."""
    views = lift_views(rows, sums, lam, others, y, w)
    out: Floats = views.reshape(len(views), len(sums[5]), 2 * BANDS) @ beta
    return out


def mistake_sums(rows: ViewRows, sums: Sums, residual: Floats, curvature: Floats) -> tuple[Floats, Floats]:
    """Return Σ residual x and Σ curvature x² over documents, of every entry; without a share the latter has no end."""
    owner, words, x = _listed(rows)
    word = np.repeat(np.arange(len(sums[0]) - 1), np.diff(sums[0]))
    gain, curve = np.zeros((len(sums[0]) - 1, len(sums[5]))), np.zeros((len(sums[0]) - 1, len(sums[5])))
    np.add.at(gain, words, residual[owner] * x[:, None])
    np.add.at(curve, words, curvature[owner] * (x * x)[:, None])
    return gain[word, sums[1]], np.where(sums[2] > 0, curve[word, sums[1]], np.inf)


def mistake_views(
    rows: ViewRows,
    sums: Sums,
    gain: Floats,
    curve: Floats,
    ridge: float,
    residual: Floats | None = None,
    curvature: Floats | None = None,
    w: Floats | None = None,
    apart: bool = False,
) -> Floats:
    """Return (documents, classes · bands): gain / (curve + ridge) of words, less the document's own part if given;
    ``apart``: of all but the first class, less those of the first.
    """
    owner, words, x = _listed(rows)
    n, k = len(rows[0]), len(sums[5])
    there = _table(sums, np.ones(len(sums[2])))[words] > 0
    g, h, held = _table(sums, gain)[words], _table(sums, curve)[words], sums[4][words]
    if residual is not None and curvature is not None and w is not None:
        g, h = g - residual[owner] * x[:, None], np.maximum(h - curvature[owner] * (x * x)[:, None], 0.0)
        held = held - w[owner]
    out = np.zeros((n, BANDS, k))
    seen = held > NOTHING
    np.add.at(out, (owner[seen], _bands(held[seen])), np.where(there, x[:, None] * g / (h + ridge), 0.0)[seen])
    return _by_class(out, apart)


def paces(evidence: Floats, log_length: Floats, level: float, b: float, g: float) -> Floats:
    """Return exp(level − b log_length − g log σ), σ being the spread of evidence (documents, K) over the classes."""
    apart = evidence - evidence.mean(axis=1, keepdims=True)
    variance = (apart**2).mean(axis=1) + LEAST_VARIANCE
    return np.asarray(np.exp(level - b * log_length - 0.5 * g * np.log(variance)))


def residuals(
    evidence: Floats,
    log_length: Floats,
    log_prior: Floats,
    y: Ints,
    w: Floats,
    level: float,
    b: float,
    g: float,
    bias: Floats,
) -> tuple[Floats, Floats]:
    """Return w (1[y = c] − P) and w P (1 − P) of scores `paces` · evidence + log_prior + bias, (documents, K) each; a
    negative y weighs nothing.
    """
    scores = paces(evidence, log_length, level, b, g)[:, None] * evidence + log_prior + bias
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    weight = np.where(y < 0, 0.0, w)[:, None]
    own = y[:, None] == np.arange(scores.shape[1])
    return weight * (own - p), weight * p * (1 - p)


def weigh_views(views: Views, beta: Floats, documents: int, n_classes: int) -> Floats:
    """Return Σ_v views_v beta_v (documents, classes) of views in parts (documents, classes · size)."""
    shaped = [part.reshape(documents, n_classes, part.shape[1] // n_classes) for part in views]
    together = np.concatenate(shaped, axis=2)
    return np.asarray(together @ beta[: together.shape[2]])


def calibration_loss(
    views: Views, log_length: Floats, log_prior: Floats, y: Ints, w: Floats, beta: Floats, pace: Floats, bias: Floats
) -> tuple[float, Floats, Floats, Floats]:
    """Return −Σ w log P(y) of scores exp(level − b log_length − g log σ) E + log_prior + bias, and its gradient by
    beta, pace and bias. E_c = Σ_v views_cv beta_v, σ is its spread over the classes, and pace is (level, b, g); views
    are in parts (documents, (classes − 1) · size), all but those of the first class, less these.
    """
    n, k = log_prior.shape
    shaped = _side_by_side(views, k)
    evidence = np.einsum("nkv,v->nk", shaped, beta)
    apart = evidence - evidence.mean(axis=1, keepdims=True)
    variance = (apart**2).mean(axis=1) + LEAST_VARIANCE
    speed = paces(evidence, log_length, *pace)
    scores = speed[:, None] * evidence + log_prior + bias
    top = scores.max(axis=1, keepdims=True)
    log_p = scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
    rows = np.arange(n)
    residual = np.exp(log_p)
    residual[rows, y] -= 1.0
    residual *= w[:, None]
    along = (residual * evidence).sum(axis=1)
    turn = (pace[2] * along / (k * variance))[:, None]
    of_beta: Floats = np.einsum("nkv,nk->v", shaped, speed[:, None] * (residual - turn * apart))
    by = speed * along
    of_pace = np.array([by.sum(), -(by * log_length).sum(), -(by * 0.5 * np.log(variance)).sum()])
    return -float((w * log_p[rows, y]).sum()), of_beta, of_pace, residual.sum(axis=0)


def calibration_curvature(
    views: Views,
    log_length: Floats,
    log_prior: Floats,
    y: Ints,  # noqa: ARG001  # all that the loss takes
    w: Floats,
    beta: Floats,
    pace: Floats,
    bias: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Return Σ w Σ_c P_c s_c s_cᵀ of `calibration_loss`, s_c being the slopes of scores less their mean by P: by beta
    and pace; of these across the biases (K, beta and pace); and of each bias by itself.
    """
    n, k = log_prior.shape
    shaped = _side_by_side(views, k)
    evidence = shaped @ beta
    apart = evidence - evidence.mean(axis=1, keepdims=True)
    variance = (apart**2).mean(axis=1) + LEAST_VARIANCE
    speed = paces(evidence, log_length, *pace)
    scores = speed[:, None] * evidence + log_prior + bias
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    lean = pace[2] * np.einsum("nk,nkv->nv", apart, shaped) / (k * variance)[:, None]
    of_beta = shaped - evidence[:, :, None] * lean[:, None]
    by_pace = np.stack([np.ones(n), -log_length, -0.5 * np.log(variance)], axis=1)
    slopes = np.concatenate([of_beta, evidence[:, :, None] * by_pace[:, None]], axis=2) * speed[:, None, None]
    slopes -= np.einsum("nk,nki->ni", p, slopes)[:, None]
    weight = w[:, None] * p
    inner: Floats = np.einsum("nk,nki,nkj->ij", weight, slopes, slopes)
    return inner, np.einsum("nk,nki->ki", weight, slopes), np.asarray((weight * (1 - p)).sum(axis=0))


def fit_views(
    views: Views,
    log_length: Floats,
    log_prior: Floats,
    y: Ints,
    w: Floats,
    usual: Floats,
    penalties: tuple[float, float, float, float, float],
    pace: tuple[float, float, float],
    begin: Floats,
    steps: int,
    tolerance: float,
) -> Floats:
    """Return the numbers a (views), u (views, bands), pace (3) and bias (K), one behind the other, of the least
    `calibration_loss` and penalty per document, from where they begin. Steps end when one gains less than the share
    ``tolerance`` of what as many numbers gain by chance, half a nat each over all documents.

    β = usual exp(a_v + u_vh). Penalties are of a and u, of neighbouring u that differ, of biases, and of exponents
    and a level of the pace that are not the usual ones.
    """
    from scipy.optimize import minimize

    small, smooth, flat, unusual, level = penalties
    ends = np.cumsum([len(usual), usual.size, 3])

    def objective(p: Floats) -> tuple[float, Floats]:
        a, u, at, bias = np.split(p, ends)
        u = u.reshape(usual.shape)
        beta = usual * np.exp(a[:, None] + u)
        loss, by_beta, by_pace, by_bias = calibration_loss(views, log_length, log_prior, y, w, beta.ravel(), at, bias)
        steps_of_u, away, strength = np.diff(u, axis=1), at - pace, np.array([level, unusual, unusual])
        penalty = small * ((a**2).sum() + (u**2).sum()) + smooth * (steps_of_u**2).sum() + flat * (bias**2).sum()
        of_beta = beta * by_beta.reshape(usual.shape)
        of_u = of_beta + small * u
        of_u[:, 1:] += smooth * steps_of_u
        of_u[:, :-1] -= smooth * steps_of_u
        of_a = of_beta.sum(axis=1) + small * a
        gradient = np.concatenate([of_a, of_u.ravel(), by_pace + strength * away, by_bias + flat * bias])
        return (loss + 0.5 * (penalty + strength @ away**2)) / len(y), gradient / len(y)

    little = tolerance * 0.5 * len(begin) / len(y)
    options = {"maxcor": 8, "maxiter": steps, "ftol": little, "gtol": 1e-9}
    return np.asarray(minimize(objective, begin, jac=True, method="L-BFGS-B", options=options).x)
