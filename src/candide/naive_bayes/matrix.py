"""Reading what is handed in: plain arrays at once, everything else through scikit-learn's validation.

Validation of a million rows costs more than learning from them. So an array that the kernels read as it is goes
straight to them, and they (or one pass of a sum) notice what is not finite; whatever looks odd is given to
scikit-learn's own checks, which word the error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, validate_data

from candide.table.labels import read_labels

Array = np.ndarray[Any, Any]
Matrix = Any
"""A NumPy array (rows, columns) or a SciPy CSR matrix, of numbers that the kernels read."""

DTYPES = frozenset(np.dtype(code) for code in "?bBhHiIlLqQfd")

BLOCK = 1 << 19
"""Cells worked on at a time in small tables: they stay in the cache."""

SHARE = 8
"""In large tables, one cell in so many may be worked on at a time: the fewer the blocks, the less the threads wait."""


def is_plain(X: Any) -> bool:
    """Whether the kernels can read X as it is."""
    if type(X) is np.ndarray:
        return X.ndim == 2 and X.dtype in DTYPES and X.size > 0 and X.flags.aligned
    return issparse(X) and X.format == "csr" and X.data.dtype in DTYPES and 0 not in X.shape


def read_matrix(estimator: Any, X: Any, *, reset: bool, missing: bool) -> Matrix:
    """Return X as numbers, and note or check the names and number of its columns.

    Parameters
    ----------
    estimator : classifier
    X : anything that scikit-learn takes for a table
    reset : bool
        Whether X is the first table that the classifier sees.
    missing : bool
        Whether cells may be NaN; what is infinite is then left to `refuse_infinity`.
    """
    if is_plain(X) and (missing or all_finite(X)) and (reset or familiar(estimator, X)):
        if reset:
            estimator.n_features_in_ = X.shape[1]
            estimator.__dict__.pop("feature_names_in_", None)
        return X
    finite = "allow-nan" if missing else True
    return plain_matrix(validate_data(estimator, X, accept_sparse="csr", ensure_all_finite=finite, reset=reset))


def familiar(estimator: Any, X: Matrix) -> bool:
    """Whether X has as many columns as the classifier was taught with, without names."""
    known = estimator.__dict__
    return known.get("n_features_in_") == X.shape[1] and "feature_names_in_" not in known


def all_finite(X: Matrix) -> bool:
    """Whether the sum of all cells is finite: one pass that misses no NaN and no infinity."""
    cells = X if isinstance(X, np.ndarray) else X.data
    if cells.dtype.kind != "f":
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        return math.isfinite(np.add.reduce(cells, axis=None))


def plain_matrix(X: Matrix) -> Matrix:
    """Return a validated table in a type that the kernels read."""
    dtype = X.dtype
    if dtype not in DTYPES:
        return X.astype(np.float32 if dtype.itemsize <= 2 else np.float64)
    return X if issparse(X) or X.flags.aligned else X.copy()


def refuse_infinity(estimator: Any, X: Matrix) -> None:
    """Raise scikit-learn's error if a cell is infinite."""
    assert_all_finite(X, allow_nan=True, estimator_name=type(estimator).__name__, input_name="X")


def read_weights(sample_weight: Any, X: Matrix) -> Array | None:
    """Return weights as the kernels want them."""
    if sample_weight is None:
        return None
    return np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))


def read_known(y: Any, n_rows: int, classes: Array) -> Array:
    """Code labels by classes known before; another label is an error."""
    labels = read_labels(y, n_rows)
    place = {label: k for k, label in enumerate(classes.tolist())}
    index = np.array([place.get(label, -1) for label in labels.classes.tolist()], np.int32)
    if (index < 0).any():
        raise ValueError(
            f"The target label(s) {labels.classes[index < 0]} in y do not exist in the initial classes {classes}"
        )
    codes: Array = index[labels.codes]
    return codes


def agreed_classes(known: Array | None, classes: Any) -> Array:
    """Return the classes of a `partial_fit`: given at the first call, and the same, each once, ever after."""
    if known is None and classes is None:
        raise ValueError("classes must be passed on the first call to partial_fit.")
    given: Array | None = None if classes is None else unique_labels(classes)
    if known is None:
        assert given is not None
        return given
    if given is not None and (not np.array_equal(known, given) or len(classes) != len(given)):
        raise ValueError(f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {known!r}")
    return known


def class_counts(y: Array, n_classes: int, w: Array | None) -> Array:
    """Return the weight of the rows of each class."""
    return np.bincount(y, w, n_classes)


def blocks(X: Matrix, width: int) -> Iterator[slice]:
    """Walk through the rows of a table, some at a time, where each needs `width` cells of working memory."""
    n_rows = X.shape[0]
    step = max(max(BLOCK, X.size // SHARE) // width, 1)
    if n_rows <= step:
        yield slice(0, n_rows)
        return
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def dense(X: Matrix, part: slice) -> Array:
    """Return a block of rows as an array."""
    rows: Array = X[part] if isinstance(X, np.ndarray) else X[part].toarray()
    return rows
