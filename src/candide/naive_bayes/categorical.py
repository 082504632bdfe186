"""CategoricalNB: columns of categories, coded 0, 1, 2, ..."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from numbers import Integral, Real
from operator import add as plus
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from candide import native
from candide.arithmetic import offsets
from candide.naive_bayes.base import Scorer
from candide.naive_bayes.discrete import DiscreteNB, log_theta
from candide.naive_bayes.levels import count_categories
from candide.naive_bayes.matrix import Array, Matrix, blocks, dense, refuse_infinity
from candide.naive_bayes.tally import Tally
from candide.statistics import Counts


class CategoricalNB(DiscreteNB):
    """Naive Bayes for categories: P(x_i = v | c) = (N_civ + alpha) / (N_ci + alpha · n_categories_i).

    Categories are whole numbers from 0; an integer array of any width is read where it lies. A missing cell (NaN)
    and a category never seen say nothing. In a sparse table, what is not stored is category 0.

    Parameters
    ----------
    alpha : float, default=1.0
        Pseudo-count of every category.
    force_alpha, fit_prior, class_prior
        As in `DiscreteNB`.
    min_categories : int or array-like (n_features,), default=None
        How many categories there are at least.

    Attributes
    ----------
    category_count_, feature_log_prob_ : list of ndarray (n_classes, n_categories), one per column
    n_categories_ : ndarray of int (n_features,)
        How many categories each column has; the others are those of `DiscreteNB`, but for `feature_count_`.

    Examples
    --------
    >>> import numpy as np
    >>> nb = CategoricalNB().fit([[0, 1], [0, np.nan], [2, 0]], ["tea", "tea", "coffee"])
    >>> nb.predict([[0, 7]])
    array(['tea'], dtype='<U6')
    """

    _missing = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **DiscreteNB._parameter_constraints,
        "min_categories": [None, "array-like", Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.min_categories = min_categories

    def _codes(self, X: Matrix, part: slice) -> Array:
        """Return a block of rows as categories, -1 where missing."""
        x = dense(X, part)
        if x.dtype.kind == "f":
            known = np.isfinite(x)
            if not known.all():
                refuse_infinity(self, x)
            if native.first_below(x, -1.0, False) is not None:
                self._refuse_negative(x)
            codes = np.full(x.shape, -1, np.int64)
            np.copyto(codes, x, where=known, casting="unsafe")
            return codes
        if x.dtype.kind == "i" and x.min() < 0:
            self._refuse_negative(x)
        return x

    def _summarize(self, X: Matrix, y: Array, n_classes: int, w: Array | None) -> Tally:
        if isinstance(X, np.ndarray) and X.dtype.kind != "f":
            tally, missing = count_categories(X, y, n_classes, w)
            if missing.any() or (w is not None and X.min() < 0):
                self._refuse_negative(X)
        else:
            parts = ((self._codes(X, part), y[part], w if w is None else w[part]) for part in blocks(X, X.shape[1]))
            tally = reduce(plus, (count_categories(codes, y, n_classes, w)[0] for codes, y, w in parts))
        assert tally.sizes is not None
        return tally.resize(self._at_least(tally.sizes))

    def _at_least(self, sizes: Array) -> Array:
        """Return the numbers of categories, raised to `min_categories`."""
        if self.min_categories is None:
            return sizes
        least = np.array(self.min_categories)
        if not np.issubdtype(least.dtype, np.signedinteger):
            raise ValueError(f"'min_categories' should have integral type. Got {least.dtype} instead.")
        if least.shape not in ((), sizes.shape):
            raise ValueError(
                f"'min_categories' should have shape ({len(sizes)},) when an array-like is provided. "
                f"Got {least.shape} instead."
            )
        raised: Array = np.maximum(sizes, least, dtype=np.int64)
        return raised

    def _tally(self) -> Tally:
        cells = np.concatenate(self.category_count_, axis=1)
        sizes = np.array([count.shape[1] for count in self.category_count_])
        return Tally(Counts(self.class_count_), Counts(cells), sizes=sizes)

    def _trim(self, tally: Tally) -> Tally:
        """Leave out the last categories where no row shows them any more."""
        return tally.resize(self._at_least(tally.used_sizes()))

    def _publish(self, tally: Tally) -> None:
        assert tally.sizes is not None
        self.n_categories_ = tally.sizes
        self.category_count_ = by_column(tally.weight.astype(np.float64, copy=False), tally.sizes)

    def _estimate(self, alpha: Any) -> None:
        counts, sizes = np.concatenate(self.category_count_, axis=1), self.n_categories_
        known = np.add.reduceat(counts, offsets(sizes.tolist())[:-1], axis=1)
        mass = np.reshape(alpha * np.repeat(sizes, sizes), (-1, 1))
        self.feature_log_prob_ = by_column(log_theta(counts, np.repeat(known, sizes, axis=1).T, alpha, mass).T, sizes)

    def _scorer(self, X: Matrix) -> Scorer:
        tables = [log_prob.T for log_prob in self.feature_log_prob_]
        table = np.ascontiguousarray(np.concatenate(tables))
        places = offsets(len(t) for t in tables)

        def write(X: Matrix, part: slice, start: Array, scores: Array) -> None:
            native.add_gather(self._codes(X, part), places, table, scores, start)

        return Scorer(self.class_log_prior_, write, table.shape[1] + X.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        tags.input_tags.positive_only = True
        return tags


def by_column(cells: Array, sizes: Array) -> list[Array]:
    """Cut a flat (K, cells) array into one view per column."""
    return [cells[:, begin:end] for begin, end in pairwise(offsets(sizes).tolist())]
