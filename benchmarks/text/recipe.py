"""The count-based recipe that `TextNB` was built after, written again from its description, in NumPy and SciPy alone.

A participant that shares no line with the library. A document is x = log(1 + times), scaled to unit length; n[w, c]
are the sums of x by word and class. A word of a document says

    lift          log((1 − λ) P(w | c) / P(w) + λ),             λ = .9
    complement   −log((1 − λ) P(w | others) / P(w) + λ),        λ = .5, of more than two classes
    mistakes      Σ R x / (Σ P (1 − P) x² + κ),                 κ = .1, R = 1[y = c] − P of the model without this view

and views S[v, h, c] add x times these over words of band h: those in 1, 2, 3 to 4, ..., more than 256 documents. A
document that is learnt is taken out of every sum that it is scored by. The model is

    score_c = (L / L̄)^(−b) Σ_v Σ_h β[v, h] S[v, h, c] + log P(c) + bias_c,   β = exp(a_v + u_vh)

by L-BFGS on the likelihood of documents that are left out; u, its steps from band to band, b and biases are penalised.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import log_softmax, softmax
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

BANDS = 10
LAMBDA, OTHERS, KAPPA, EXPONENT = 0.9, 0.5, 0.1, 0.5

BEGIN = {"lift": 10.0, "complement": 2.0, "mistakes": 0.1}
"""The views, and where their weights begin."""

PENALTIES = {"u": 0.3, "steps": 10.0, "bias": 3.0, "b": 10.0}
"""Of the likelihood's nats: the description gives none, and these were chosen by halves of learning documents."""

TOGETHER = 1 << 17
"""Words of documents that are worked on at a time."""

WORDS = (CountVectorizer,)
PAIRS = (*WORDS, partial(CountVectorizer, ngram_range=(2, 2)))
CHARACTERS = (*PAIRS, partial(CountVectorizer, analyzer="char", ngram_range=(2, 5)))


class Recipe:
    """The recipe as a classifier of texts.

    Parameters
    ----------
    vocabularies : sequence of callable
        What make the vectorizers: each gives vectors of unit length, and views of its own. Lengths are in words of the
        first.
    bands, complement, mistakes : bool
        Whether words weigh by band, and which views there are beside the lift.
    """

    def __init__(
        self,
        vocabularies: Sequence[Callable[[], CountVectorizer]] = WORDS,
        *,
        bands: bool = True,
        complement: bool = True,
        mistakes: bool = True,
    ) -> None:
        self.vocabularies = vocabularies
        self.bands = bands
        self.complement = complement
        self.mistakes = mistakes

    def fit(self, texts: Sequence[str], labels: np.ndarray) -> "Recipe":
        """Sum, settle the weights, sum the mistakes and settle again."""
        self.classes_, y = np.unique(labels, return_inverse=True)
        own = np.eye(len(self.classes_))[y]
        names = ["lift", "complement"] if self.complement and len(self.classes_) > 2 else ["lift"]
        self.sums = [Sums(make(), texts, own) for make in self.vocabularies]
        self.length = np.exp(np.log(self.sums[0].lengths).mean())
        self.prior = own.sum(axis=0)
        left = np.log(np.maximum(self.prior - own, 0.5) / (len(y) - 1))
        log_l = np.log(self.sums[0].lengths / self.length)
        self.of = [(sums, name) for sums in self.sums for name in names]
        views = np.concatenate([sums.views(sums.x, name, own) for sums, name in self.of])
        self.weights = settle(views, [name for _, name in self.of], log_l, left, y, self.bands)
        if self.mistakes:
            p = softmax(self.weights.scores(views, log_l) + left, axis=1)
            third = [sums.mistaken(own, own - p, p * (1 - p)) for sums in self.sums]
            self.of += [(sums, "mistakes") for sums in self.sums]
            views = np.concatenate([views, *third])
            self.weights = settle(views, [name for _, name in self.of], log_l, left, y, self.bands)
        return self

    def predict_log_proba(self, texts: Sequence[str]) -> np.ndarray:
        """Return log P(c | text)."""
        read = {id(sums): sums.read(texts) for sums in self.sums}
        log_l = np.log(read[id(self.sums[0])][1] / self.length)
        views = np.concatenate([sums.views(read[id(sums)][0], name) for sums, name in self.of])
        return log_softmax(self.weights.scores(views, log_l) + np.log(self.prior), axis=1)


class Sums:
    """What is counted of one vocabulary.

    Parameters
    ----------
    vectorizer : CountVectorizer
    texts : sequence of str
    own : ndarray (documents, K)
        One at each document's class.
    """

    def __init__(self, vectorizer: CountVectorizer, texts: Sequence[str], own: np.ndarray) -> None:
        self.vectorizer = vectorizer
        counts = vectorizer.fit_transform(texts)
        self.x, self.lengths = scaled(counts, counts), lengths(counts)
        self.n = np.asarray(self.x.T @ own)
        self.documents = np.bincount(counts.indices, minlength=counts.shape[1])

    def read(self, texts: Sequence[str]) -> tuple[csr_matrix, np.ndarray]:
        """Return documents as vectors of the words that are known, and their lengths.

        Words that were never seen say nothing, but are part of the document, as those are that one left out has alone.
        """
        everything = clone(self.vectorizer).fit_transform(texts)
        return scaled(self.vectorizer.transform(texts), everything), lengths(everything)

    def mistaken(self, own: np.ndarray, wrong: np.ndarray, curvature: np.ndarray) -> np.ndarray:
        """Sum mistakes, and return the view of them of the documents that were learnt."""
        self.gain, self.curve = np.asarray(self.x.T @ wrong), np.asarray(self.x.multiply(self.x).T @ curvature)
        return self.views(self.x, "mistakes", own, wrong, curvature)

    def views(self, x: csr_matrix, name: str, own: np.ndarray | None = None, *mistakes: np.ndarray) -> np.ndarray:
        """Return a view of documents (BANDS, documents, K), each left out of the sums of its own class where told."""
        out = np.zeros((BANDS, x.shape[0], self.n.shape[1]))
        for begin, end in chunks(x):
            some = x[begin:end]
            row, word, share = np.repeat(np.arange(end - begin), np.diff(some.indptr)), some.indices, some.data
            mine = np.zeros(out[0, begin:end].shape) if own is None else own[begin:end]
            if name == "mistakes":
                r, h = (m[begin:end][row] for m in mistakes) if mistakes else (0.0, 0.0)
                said = (self.gain[word] - r * share[:, None]) / (self.curve[word] - h * share[:, None] ** 2 + KAPPA)
            else:
                said = self.lifts(some, mine, row, name)
            held = self.documents[word] - mine.sum(axis=1)[row]
            band = np.minimum(np.ceil(np.log2(np.maximum(held, 1))).astype(int), BANDS - 1)
            known = np.flatnonzero(held > 0)
            at = (band * (end - begin) + row)[known], known
            adding = csr_matrix((share[known], at), shape=(BANDS * (end - begin), len(share)))
            out[:, begin:end] = (adding @ said).reshape(BANDS, end - begin, -1)
        return out

    def lifts(self, x: csr_matrix, mine: np.ndarray, row: np.ndarray, name: str) -> np.ndarray:
        """Return what every word of documents says by its lift in a class, or in all others (words, K)."""
        totals = self.n.sum(axis=0) - np.asarray(x.sum(axis=1)).reshape(-1, 1) * mine
        left = np.maximum(self.n[x.indices] - x.data[:, None] * mine[row], 0.0)
        everything, of_word = totals.sum(axis=1, keepdims=True), np.maximum(left.sum(axis=1, keepdims=True), 1e-12)
        if name == "complement":
            lift = (of_word - left) / of_word * (everything / (everything - totals))[row]
            return -np.log((1 - OTHERS) * lift + OTHERS)
        return np.log((1 - LAMBDA) * (left / of_word) * (everything / totals)[row] + LAMBDA)


class Weights:
    """The numbers a, u, b and biases, one behind the other, as what they are.

    Parameters
    ----------
    numbers : ndarray
    n_views, n_classes : int
    """

    def __init__(self, numbers: np.ndarray, n_views: int, n_classes: int) -> None:
        self.a, u, self.b, self.bias = np.split(numbers, np.cumsum([n_views, n_views * BANDS, 1]))
        self.u = u.reshape(n_views, BANDS)
        self.beta = np.exp(self.a[:, None] + self.u)

    def evidence(self, views: np.ndarray, log_l: np.ndarray) -> np.ndarray:
        """Return what words say (documents, K)."""
        said = self.beta.ravel() @ views.reshape(len(views), -1)
        return said.reshape(views.shape[1:]) * np.exp(-self.b * log_l)[:, None]

    def scores(self, views: np.ndarray, log_l: np.ndarray) -> np.ndarray:
        """Return the scores without the prior."""
        return self.evidence(views, log_l) + self.bias


def settle(
    views: np.ndarray, names: Sequence[str], log_l: np.ndarray, log_prior: np.ndarray, y: np.ndarray, bands: bool
) -> Weights:
    """Return the weights of the largest penalised likelihood."""
    n, k = log_prior.shape
    m = len(names)
    own, flat = np.eye(k)[y], views.reshape(len(views), -1)

    def loss(numbers: np.ndarray) -> tuple[float, np.ndarray]:
        weights = Weights(numbers, m, k)
        evidence = weights.evidence(views, log_l)
        log_p = log_softmax(evidence + weights.bias + log_prior, axis=1)
        wrong = np.exp(log_p) - own
        of_beta = flat @ (wrong * np.exp(-weights.b * log_l)[:, None]).ravel()
        of_u = of_beta.reshape(m, BANDS) * weights.beta
        steps = np.diff(weights.u, axis=1)
        value = -log_p[np.arange(n), y].sum() + 0.5 * (
            PENALTIES["u"] * (weights.u**2).sum()
            + PENALTIES["steps"] * (steps**2).sum()
            + PENALTIES["bias"] * (weights.bias**2).sum()
            + PENALTIES["b"] * ((weights.b - EXPONENT) ** 2).sum()
        )
        of_a = of_u.sum(axis=1)
        of_u = of_u + PENALTIES["u"] * weights.u
        of_u[:, 1:] += PENALTIES["steps"] * steps
        of_u[:, :-1] -= PENALTIES["steps"] * steps
        of_b = -log_l @ (wrong * evidence).sum(axis=1) + PENALTIES["b"] * (weights.b - EXPONENT)
        of_bias = wrong.sum(axis=0) + PENALTIES["bias"] * weights.bias
        slope = np.concatenate([of_a, bands * of_u.ravel(), of_b, of_bias])
        return value / n, slope / n

    begin = np.concatenate([np.log([BEGIN[name] for name in names]), np.zeros(m * BANDS), [EXPONENT], np.zeros(k)])
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 200, "ftol": 1e-8, "gtol": 1e-6})
    return Weights(found.x, m, k)


def scaled(counts: csr_matrix, everything: csr_matrix) -> csr_matrix:
    """Return log(1 + times) of words, scaled so that documents with everything they have are of unit length."""
    x, squares = counts.astype(float), everything.astype(float)
    x.data, squares.data = np.log1p(x.data), np.log1p(squares.data) ** 2
    length = np.sqrt(np.asarray(squares.sum(axis=1)).ravel())
    x.data /= np.repeat(length, np.diff(x.indptr))
    return x


def lengths(counts: csr_matrix) -> np.ndarray:
    """Return how many words documents have, and one of those that have none."""
    return np.maximum(np.asarray(counts.sum(axis=1), dtype=float).ravel(), 1.0)


def chunks(x: csr_matrix) -> Iterator[tuple[int, int]]:
    """Yield rows from and to, of about as many words."""
    at = np.arange(0, x.nnz + TOGETHER, TOGETHER)
    ends = np.unique(np.append(np.searchsorted(x.indptr, at), x.shape[0]).clip(max=x.shape[0]))
    yield from zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
