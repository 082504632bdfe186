"""The five pairs of classifiers, and tables that each of them takes."""

import numpy as np
import sklearn.naive_bayes
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import candide.naive_bayes

NAMES = tuple(candide.naive_bayes.__all__)
ATTRIBUTES = (
    "classes_",
    "class_count_",
    "class_prior_",
    "class_log_prior_",
    "theta_",
    "var_",
    "epsilon_",
    "feature_count_",
    "feature_all_",
    "feature_log_prob_",
    "category_count_",
    "n_categories_",
    "n_features_in_",
)
ANSWERS = ("predict_joint_log_proba", "predict_log_proba", "predict_proba")


def ours(name, **params):
    return getattr(candide.naive_bayes, name)(**params)


def theirs(name, **params):
    classifier = getattr(sklearn.naive_bayes, name)(**params)
    assert type(classifier).__module__ == "sklearn.naive_bayes"
    return classifier


def cells(name, rng, n, d=4):
    """Cells that a classifier takes: numbers, counts or codes."""
    if name == "GaussianNB":
        return rng.normal(rng.normal(size=d), np.exp(rng.normal(size=d)), size=(n, d))
    return rng.integers(0, 4, size=(n, d))


@st.composite
def problems(draw, name, weighted=None, n_min=4):
    """A table with labels and perhaps weights, every class present."""
    n = draw(st.integers(n_min, 30))
    k = draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = cells(name, rng, n)
    y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    weighted = draw(st.booleans()) if weighted is None else weighted
    w = draw(hnp.arrays(float, n, elements=st.sampled_from([0.5, 1.0, 2.0, 3.25]))) if weighted else None
    return X, y, w


def same(a, b, rtol=1e-10):
    """Whether two fitted attributes or answers are the same numbers of the same type."""
    if isinstance(b, list):
        assert isinstance(a, list)
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            same(one, other, rtol)
        return
    a, b = np.asarray(a), np.asarray(b)
    assert a.dtype == b.dtype
    if b.dtype.kind == "f":
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-13)
    else:
        np.testing.assert_array_equal(a, b)


def same_model(a, b, rtol=1e-10):
    for attribute in ATTRIBUTES:
        assert hasattr(a, attribute) == hasattr(b, attribute), attribute
        if hasattr(b, attribute):
            same(getattr(a, attribute), getattr(b, attribute), rtol)


def same_answers(a, b, X, X_theirs=None, rtol=1e-10):
    X_theirs = X if X_theirs is None else X_theirs
    for answer in ANSWERS:
        same(getattr(a, answer)(X), getattr(b, answer)(X_theirs), rtol)
    scores = np.sort(b.predict_joint_log_proba(X_theirs), axis=1)
    clear = slice(None) if scores.shape[1] == 1 else np.diff(scores)[:, -1] > 1e-9  # rounding breaks ties
    same(a.predict(X)[clear], b.predict(X_theirs)[clear])
