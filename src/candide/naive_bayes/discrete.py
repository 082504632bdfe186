"""What the four classifiers of counts share: pseudo-counts, class priors, and scores that are linear in x."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_non_negative

from candide import native
from candide.arithmetic import log
from candide.naive_bayes.base import BaseNB
from candide.naive_bayes.reading import Array, Matrix, class_counts
from candide.naive_bayes.tally import Tally
from candide.statistics import Counts

LEAST_ALPHA = 1e-10
"""Smaller pseudo-counts are raised to this one unless `force_alpha`."""


class DiscreteNB(BaseNB):
    """The frame of the classifiers that count; a subclass writes `_estimate`."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
        "force_alpha": ["boolean"],
    }
    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any
    feature_count_: Array

    def _summarize(self, X: Matrix, y: Array, n_classes: int, w: Array | None) -> Tally:
        features = class_sums(X, y, n_classes, w)
        return Tally(Counts(class_counts(y, n_classes, w)), Counts(features))

    def _tally(self) -> Tally:
        return Tally(Counts(self.class_count_), Counts(self.feature_count_))

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
        if class_prior is not None:
            if len(class_prior) != n_classes:
                raise ValueError("Number of priors must match number of classes.")
            self.class_log_prior_ = log(np.asarray(class_prior))
        elif self.fit_prior:
            self.class_log_prior_ = log(self.class_count_) - np.log(self.class_count_.sum())
        else:
            self.class_log_prior_ = np.full(n_classes, -np.log(n_classes))

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


def softened(counts: Array, alpha: Any) -> Array:
    """Return counts (K, D) plus alpha as (D, K): the classes of a column lie side by side, as scoring reads them."""
    out = np.empty(counts.shape[::-1])
    np.add(counts.T, np.reshape(alpha, (-1, 1)), out=out)
    return out


def log_share(table: Array, total: Array) -> Array:
    """Turn a table (D, K) into log(table / total), in place, for totals (K,) or (D, K)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        np.log(table, out=table)
        table -= np.log(total)
    return table


def add_product(X: Matrix, part: slice, weights: Array, scores: Array) -> None:
    """Add x · weights (D, K) to the scores of a block of rows; zero times infinity is zero."""
    if not isinstance(X, np.ndarray):
        native.add_csr(X.data, X.indices, X.indptr[part.start : part.stop + 1], weights, scores)
        return
    rows = X[part]
    with np.errstate(invalid="ignore"):
        product = rows @ weights
    if np.isnan(product).any():  # an infinite weight; as sparse rows, the zeros are skipped
        n, d = rows.shape
        product = np.zeros(product.shape)
        ends = np.arange(n + 1, dtype=np.int64) * d
        native.add_csr(rows.ravel(), np.tile(np.arange(d, dtype=np.int32), n), ends, weights, product)
    scores += product
