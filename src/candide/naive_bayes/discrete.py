"""What the four classifiers of counts share: parameters, pseudo-counts, class priors, and scores linear in x."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_non_negative

from candide import native
from candide.arithmetic import log
from candide.model.prior import Prior
from candide.naive_bayes.base import BaseNB
from candide.naive_bayes.matrix import Array, Matrix, class_counts
from candide.naive_bayes.tally import Tally
from candide.smoothing.base import softened
from candide.statistics import ColumnSums, Counts

LEAST_ALPHA = 1e-10
"""Smaller pseudo-counts are raised to this one unless `force_alpha`."""


class DiscreteNB(BaseNB):
    """The frame of the classifiers that count; a subclass writes `_estimate`.

    What is counted, N, is softened by pseudo-counts: theta = (N + alpha) / (Σ N + Σ alpha), with 0/0 = 0.

    Parameters
    ----------
    alpha : float or array-like (n_features,), default=1.0
        Pseudo-count of every column.
    force_alpha : bool, default=True
        Keep an alpha below 1e-10 as it is.
    fit_prior : bool, default=True
        Learn the class probabilities; otherwise they are equal.
    class_prior : array-like (n_classes,), default=None
        Class probabilities, given.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_ : ndarray (n_classes,)
    feature_count_, feature_log_prob_ : ndarray (n_classes, n_features)
    n_features_in_ : int
    feature_names_in_ : ndarray (n_features,), where the columns have names
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
        "force_alpha": ["boolean"],
    }
    feature_count_: Array

    def __init__(
        self, *, alpha: Any = 1.0, force_alpha: bool = True, fit_prior: bool = True, class_prior: Any = None
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _summarize(self, X: Matrix, y: Array, n_classes: int, w: Array | None) -> Tally:
        features = class_sums(X, y, n_classes, w)
        return Tally(Counts(class_counts(y, n_classes, w)), ColumnSums(features))

    def _tally(self) -> Tally:
        return Tally(Counts(self.class_count_), ColumnSums(self.feature_count_))

    def _become(self, tally: Tally) -> None:
        self.class_count_ = tally.class_count.table.astype(np.float64, copy=False)
        self._publish(tally)
        self._estimate(self._check_alpha())
        self._update_class_log_prior(self.class_prior)

    def _publish(self, tally: Tally) -> None:
        self.feature_count_ = tally.weight

    def _estimate(self, alpha: Any) -> None:
        """Turn the counts and pseudo-counts into `feature_log_prob_`."""
        raise NotImplementedError

    def _check_alpha(self) -> Any:
        """Return the pseudo-count, a number or one per column."""
        alpha: Any = self.alpha if isinstance(self.alpha, Real) else np.asarray(self.alpha)
        least = np.min(alpha)
        if isinstance(alpha, np.ndarray):
            if alpha.shape[0] != self.n_features_in_:
                raise ValueError(
                    "When alpha is an array, it should contains `n_features`. "
                    f"Got {alpha.shape[0]} elements instead of {self.n_features_in_}."
                )
            if least < 0:
                raise ValueError("All values in alpha must be greater than 0.")
        if least < LEAST_ALPHA and not self.force_alpha:
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {LEAST_ALPHA:.1e}. "
                "Use `force_alpha=True` to keep alpha unchanged.",
                stacklevel=2,
            )
            return np.maximum(alpha, LEAST_ALPHA)
        return alpha

    def _update_class_log_prior(self, class_prior: Any = None) -> None:
        n_classes = len(self.classes_)
        given = None if self.fit_prior else np.full(n_classes, 1.0 / n_classes)
        if class_prior is not None:
            if len(class_prior) != n_classes:
                raise ValueError("Number of priors must match number of classes.")
            given = np.asarray(class_prior)
        self.class_log_prior_ = Prior(self.class_count_, np.zeros(n_classes), given).log

    def _refuse_negative(self, X: Matrix) -> None:
        check_non_negative(X, f"{type(self).__name__} (input X)")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True
        return tags


def class_sums(X: Matrix, y: Array, n_classes: int, w: Array | None) -> Array:
    """Sum the rows of each class: (K, D)."""
    if isinstance(X, np.ndarray):
        return native.dense_sums(X, y, n_classes, w)
    return native.csr_sums(X.data, X.indices, X.indptr, y, n_classes, X.shape[1], w)


def log_theta(counts: Array, known: Array, alpha: Any, mass: Any) -> Array:
    """Return log theta (D, K) from counts (K, D): the classes of a column lie side by side, as scoring reads them.

    Parameters
    ----------
    counts : ndarray (K, D)
    known : ndarray (K,) or (D, K)
        What the counts are shares of.
    alpha : float or ndarray (D,)
        Pseudo-counts.
    mass : float or ndarray (D, 1)
        What they add to `known`.
    """
    total = np.atleast_2d(known + mass)
    if not np.all(total > 0):  # where there is nothing to share
        return log(softened(counts.T, known, np.reshape(alpha, (-1, 1)), mass))
    # a table has many more cells than totals, and a division takes as long as a logarithm
    pseudo = np.array(alpha, np.float64, ndmin=1)
    return native.log_softened(np.ascontiguousarray(counts, np.float64), pseudo, np.ascontiguousarray(np.log(total)))


def total(alpha: Any, n_features: int) -> float:
    """Return the pseudo-counts of all columns together."""
    return float(np.broadcast_to(alpha, n_features).sum())


def write_product(X: Matrix, part: slice, weights: Array, start: Array, scores: Array) -> None:
    """Write start (K,) + x · weights (D, K) as the scores of a block of rows; zero times infinity is zero."""
    if not isinstance(X, np.ndarray):
        native.add_csr(X.data, X.indices, X.indptr[part.start : part.stop + 1], weights, scores, start)
        return
    rows = X[part]
    with np.errstate(invalid="ignore"):
        product = rows @ weights
    if np.isnan(product).any():  # an infinite weight; as sparse rows, the zeros are skipped
        n, d = rows.shape
        product = np.zeros(product.shape)
        ends = np.arange(n + 1, dtype=np.int64) * d
        native.add_csr(rows.ravel(), np.tile(np.arange(d, dtype=np.int32), n), ends, weights, product)
    np.add(product, start, out=scores)
