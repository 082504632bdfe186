"""BernoulliNB: which words occur, and which do not."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from candide.naive_bayes.base import Scorer
from candide.naive_bayes.discrete import DiscreteNB, class_sums, log_theta, write_product
from candide.naive_bayes.matrix import Array, Matrix, blocks, class_counts
from candide.naive_bayes.tally import Tally
from candide.statistics import Counts


class BernoulliNB(DiscreteNB):
    """Naive Bayes for switches: log P(x | c) = Σ_i x_i log p_ci + (1 − x_i) log(1 − p_ci), x_i being 0 or 1.

    p_ci = (N_ci + alpha_i) / (N_c + 2 alpha_i). Attributes are those of `DiscreteNB`.

    Parameters
    ----------
    alpha, force_alpha, fit_prior, class_prior
        As in `DiscreteNB`; alpha is the pseudo-count of either position.
    binarize : float or None, default=0.0
        What is larger counts as 1; None takes the table as it is.

    Examples
    --------
    >>> nb = BernoulliNB().fit([[1, 0], [1, 0], [0, 1]], ["tea", "tea", "coffee"])
    >>> nb.predict([[0, 1]])
    array(['coffee'], dtype='<U6')
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **DiscreteNB._parameter_constraints,
        "binarize": [None, Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.binarize = binarize

    def _switches(self, X: Matrix, part: slice) -> Matrix:
        """Return a block of rows as zeros and ones."""
        if isinstance(X, np.ndarray):
            return X[part] if self.binarize is None else X[part] > self.binarize
        rows = X if part == slice(0, X.shape[0]) else X[part]
        if self.binarize is None:
            return rows
        return type(X)((rows.data > self.binarize, rows.indices, rows.indptr), shape=rows.shape)

    def _summarize(self, X: Matrix, y: Array, n_classes: int, w: Array | None) -> Tally:
        ones = np.zeros((n_classes, X.shape[1]))
        for part in blocks(X, width(X)):
            own = None if w is None else w[part]
            ones += class_sums(self._switches(X, part), y[part], n_classes, own)
        return Tally(Counts(class_counts(y, n_classes, w)), Counts(ones))

    def _estimate(self, alpha: Any) -> None:
        both = np.reshape(np.multiply(alpha, 2), (-1, 1))
        self.feature_log_prob_ = log_theta(self.feature_count_, self.class_count_, alpha, both).T

    def _scorer(self, X: Matrix) -> Scorer:
        with np.errstate(divide="ignore"):
            log_off = np.log(1 - np.exp(self.feature_log_prob_))
        # where a class is always on, log(1 − p) is left out of what is linear in x: 0 · infinity = 0
        always = np.isneginf(log_off)
        log_off[always] = 0.0
        weights = np.ascontiguousarray((self.feature_log_prob_ - log_off).T)
        start = self.class_log_prior_ + log_off.sum(axis=1)
        needed = always.sum(axis=1) if always.any() else None

        def write(X: Matrix, part: slice, start: Array, scores: Array) -> None:
            switches = self._switches(X, part)
            write_product(switches, slice(0, len(scores)), weights, start, scores)
            if needed is not None:
                scores[switches @ always.T.astype(float) < needed] = -np.inf

        return Scorer(start, write, len(start) + width(X))


def width(X: Matrix) -> int:
    """Cells per row, on average."""
    return X.shape[1] if isinstance(X, np.ndarray) else int(X.nnz) // int(X.shape[0]) + 1
