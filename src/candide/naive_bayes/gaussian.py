"""GaussianNB: normal densities from moments."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from candide import native
from candide.arithmetic import log
from candide.model.prior import Prior
from candide.naive_bayes.base import BaseNB, Scorer
from candide.naive_bayes.matrix import Array, Matrix, blocks, class_counts, dense, refuse_infinity
from candide.naive_bayes.tally import Tally
from candide.statistics import Counts, Moments


class GaussianNB(BaseNB):
    """Naive Bayes with one normal density per class and column.

    log P(x | c) = Σ_i −½ log(2π var_ci) − (x_i − theta_ci)² / (2 var_ci), where var is the variance plus epsilon,
    and epsilon = var_smoothing · the largest variance of a column. A missing cell (NaN) says nothing; a class
    that has never seen a column takes the column's mean and variance over all classes; a column that was never known
    says nothing.

    Parameters
    ----------
    priors : array-like (n_classes,), default=None
        Class probabilities; None takes the frequencies.
    var_smoothing : float, default=1e-9

    Attributes
    ----------
    classes_, class_count_, class_prior_ : ndarray (n_classes,)
    theta_, var_ : ndarray (n_classes, n_features)
    epsilon_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray (n_features,), where the columns have names

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-1.0, -1.0], [-2.0, np.nan], [1.0, 1.0], [3.0, 2.0]])
    >>> GaussianNB().fit(X, ["a", "a", "b", "b"]).predict([[-0.8, np.nan]])
    array(['a'], dtype='<U1')
    """

    _missing = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "priors": ["array-like", None],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _summarize(self, X: Matrix, y: Array, n_classes: int, w: Array | None) -> Tally:
        moments = self._moments(X, y, n_classes, w)
        # scikit-learn's epsilon leaves weights aside, so the rows are summarized without them as well
        rows = moments if w is None else self._moments(X, y, n_classes, None)
        most = rows.n.max(axis=1)
        plain = w is None and int(most.sum()) == len(y)  # every class knows a column in all its rows
        counts = most if plain else class_counts(y, n_classes, w)
        return Tally(Counts(counts), moments, rows, precision=precision(X.dtype))

    def _moments(self, X: Matrix, y: Array, n_classes: int, w: Array | None) -> Moments:
        try:
            if isinstance(X, np.ndarray):
                return Moments(*native.moments(X, y, n_classes, w))
            total = Moments.zero(n_classes, X.shape[1])
            for part in blocks(X, X.shape[1]):
                own = None if w is None else w[part]
                total += Moments(*native.moments(dense(X, part), y[part], n_classes, own))
            return total
        except ValueError:
            refuse_infinity(self, X)
            raise

    def _tally(self) -> Tally:
        return self._learnt

    def _become(self, tally: Tally) -> None:
        assert isinstance(tally.features, Moments)
        assert tally.rows is not None
        prior = Prior(tally.class_count.table, np.zeros(len(self.classes_)), self._given_priors(tally.precision))
        spread = tally.rows.pooled().var
        self.epsilon_ = tally.precision(self.var_smoothing * spread.max())
        self.class_count_ = tally.class_count.table.astype(tally.precision)
        mean, var = with_pooled(tally.features, tally.class_count.table)
        self.theta_ = mean.astype(tally.precision)
        self.var_ = (var + float(self.epsilon_)).astype(tally.precision)
        self.class_prior_ = prior.alpha.astype(tally.precision, copy=False)
        self._learnt = tally

    def _given_priors(self, precision: type[np.floating[Any]]) -> Array | None:
        if self.priors is None:
            return None
        priors = np.asarray(self.priors, precision)
        if len(priors) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        if not np.isclose(priors.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (priors < 0).any():
            raise ValueError("Priors must be non-negative.")
        return priors

    def _scorer(self, X: Matrix) -> Scorer:
        mean = np.ascontiguousarray(self.theta_, np.float64)
        var = np.ascontiguousarray(self.var_, np.float64)
        start = log(self.class_prior_)

        def write(X: Matrix, part: slice, start: Array, scores: Array) -> None:
            rows = dense(X, part)
            native.add_normal(rows, mean, var, scores, start)
            with np.errstate(invalid="ignore", over="ignore"):
                certain = math.isfinite(np.add.reduce(scores, axis=None))
            if not certain:  # an infinite cell leaves no finite score, nor does a column that was never known
                refuse_infinity(self, rows)
                silent = np.isinf(var).all(axis=0)
                if silent.any():
                    native.add_normal(np.where(silent, np.nan, rows), mean, var, scores, start)

        width = len(mean) if isinstance(X, np.ndarray) else len(mean) + X.shape[1]
        answer = precision(np.result_type(X.dtype, self.theta_.dtype))
        return Scorer(start, write, width, answer)

    @staticmethod
    def _update_mean_variance(
        n_past: float, mu: Any, var: Any, X: Array, sample_weight: Array | None = None
    ) -> tuple[Any, Any]:
        """Return mean and variance after more rows of one class."""
        weight = None if sample_weight is None else np.asarray(sample_weight, float)[:, None]
        if not len(X) or (weight is not None and np.isclose(weight.sum(), 0.0)):
            return mu, var
        past = Moments(np.full(X.shape[1], n_past), np.asarray(mu), n_past * np.asarray(var))
        total = past + Moments.of(X, weight)
        return total.mean, total.var

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def with_pooled(x: Moments, class_count: Array) -> tuple[Array, Array]:
    """Return mean and variance, those of all classes where a class has rows but none that knows the column.

    A column that nobody knows has infinite variance in every class: it says nothing.
    """
    unknown = x.n == 0
    if not unknown.any():
        return x.mean, x.var
    everything = x.pooled()
    nobody = everything.n == 0
    unknown &= nobody | (class_count != 0)[:, None]
    spread = np.where(nobody, np.inf, everything.var)
    return np.where(unknown, everything.mean, x.mean), np.where(unknown, spread, x.var)


def precision(dtype: np.dtype[Any]) -> type[np.floating[Any]]:
    """Return the type of what is estimated from numbers of a type: single precision stays single."""
    return np.float32 if dtype == np.float32 else np.float64
