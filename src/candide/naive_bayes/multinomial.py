"""MultinomialNB: counts of words, drawn from one urn per class."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.naive_bayes.base import Scorer
from candide.naive_bayes.discrete import DiscreteNB, log_theta, total, write_product
from candide.naive_bayes.matrix import Array, Matrix
from candide.naive_bayes.tally import Tally


class MultinomialNB(DiscreteNB):
    """Naive Bayes for counts: log P(x | c) = Σ_i x_i log theta_ci, theta_ci = (N_ci + alpha_i) / Σ_j (N_cj + alpha_j).

    The multinomial coefficient, which is the same for every class, is left out.

    Parameters and attributes are those of `DiscreteNB`.

    Examples
    --------
    >>> nb = MultinomialNB().fit([[2, 0], [1, 0], [0, 3]], ["tea", "tea", "coffee"])
    >>> nb.predict([[0, 1]])
    array(['coffee'], dtype='<U6')
    """

    def _summarize(self, X: Matrix, y: Array, n_classes: int, w: Array | None) -> Tally:
        self._refuse_negative(X)
        return super()._summarize(X, y, n_classes, w)

    def _estimate(self, alpha: Any) -> None:
        counts = self.feature_count_
        self.feature_log_prob_ = log_theta(counts, counts.sum(axis=1), alpha, total(alpha, counts.shape[1])).T

    def _scorer(self, X: Matrix) -> Scorer:
        weights = np.ascontiguousarray(self.feature_log_prob_.T)
        width = len(self.class_log_prior_) + (X.shape[1] if isinstance(X, np.ndarray) else 0)

        def write(X: Matrix, part: slice, start: Array, scores: Array) -> None:
            write_product(X, part, weights, start, scores)

        return Scorer(self.class_log_prior_, write, width)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
