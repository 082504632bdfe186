"""What the five classifiers share: learning adds tallies, predicting adds logarithms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from candide import native
from candide.combination import TIE
from candide.naive_bayes.matrix import (
    Array,
    Matrix,
    agreed_classes,
    blocks,
    read_known,
    read_matrix,
    read_weights,
)
from candide.naive_bayes.tally import Tally
from candide.table.labels import read_labels


@dataclass(frozen=True, slots=True)
class Scorer:
    """How rows are scored: `write` the scores of a block of rows, which begin with `start` (K,).

    Parameters
    ----------
    start : ndarray (K,)
        The part of the score that is the same for every row.
    write : function of a table, a slice of its rows, `start` and the scores of these rows (rows, K)
        Replaces the scores, whatever they hold, by the start plus what the rows say.
    width : int
        Cells of working memory per row.
    precision : type
        Of the answer.
    """

    start: Array
    write: Callable[[Matrix, slice, Array, Array], None]
    width: int
    precision: type[np.floating[Any]] = np.float64


class BaseNB(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """The frame of the five classifiers.

    A subclass says how a table becomes a tally (`_summarize`), how a tally becomes fitted attributes (`_become`)
    and back (`_tally`), and how the fitted attributes score rows (`_scorer`). Nothing is kept beside the public
    attributes that prediction reads, so that changing one of them takes effect. Learning that fails leaves them as
    they were.
    """

    _missing: ClassVar[bool] = False  # whether NaN is a missing cell rather than an error

    def _summarize(self, X: Matrix, y: Array, n_classes: int, w: Array | None) -> Tally:
        raise NotImplementedError

    def _become(self, tally: Tally) -> None:
        raise NotImplementedError

    def _tally(self) -> Tally:
        raise NotImplementedError

    def _scorer(self, X: Matrix) -> Scorer:
        raise NotImplementedError

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        # the signature is read for every check of the parameters, which takes as long as learning a hundred rows
        names: list[str] = super()._get_param_names()
        return names

    # -- learning ----------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table, forgetting everything learnt before.

        Parameters
        ----------
        X : {array-like, sparse matrix} (rows, columns)
        y : array-like (rows,)
        sample_weight : array-like (rows,), default=None
        """
        with all_or_nothing(self):
            self._validate_params()
            X = read_matrix(self, X, reset=True, missing=self._missing)
            labels = read_labels(y, X.shape[0])
            w = read_weights(sample_weight, X)
            self.classes_ = labels.classes
            self._become(self._summarize(X, labels.codes, len(labels.classes), w))
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the result is that of `fit` on all the rows together.

        Parameters
        ----------
        X : {array-like, sparse matrix} (rows, columns)
        y : array-like (rows,)
        classes : array-like (n_classes,), default=None
            All labels there can be; needed at the first call.
        sample_weight : array-like (rows,), default=None
        """
        with all_or_nothing(self):
            self._validate_params()
            known = self.__dict__.get("classes_")
            agreed = agreed_classes(known, classes)
            batch = self._batch(X, y, agreed, sample_weight, reset=known is None)
            self.classes_ = agreed
            self._become(batch if known is None else self._tally() + batch)
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Unlearn rows learnt before: the model is as if they had never been seen. The classes stay.

        Parameters
        ----------
        X : {array-like, sparse matrix} (rows, columns)
        y : array-like (rows,)
        sample_weight : array-like (rows,), default=None
        """
        check_is_fitted(self)
        before, batch = self._tally(), self._batch(X, y, self.classes_, sample_weight, reset=False)
        strange = before.cannot_hold(batch)
        if strange.any():
            raise ValueError(
                f"forget was given rows that were never learnt: class {self.classes_[strange][0]!r} does not hold "
                "them; nothing was changed"
            )
        with all_or_nothing(self):
            self._become(self._trim(before - batch))
        return self

    def _trim(self, tally: Tally) -> Tally:
        """Leave out what only the forgotten rows had shown."""
        return tally

    def _batch(self, X: Any, y: Any, classes: Array, sample_weight: Any, *, reset: bool) -> Tally:
        X = read_matrix(self, X, reset=reset, missing=self._missing)
        codes = read_known(y, X.shape[0], classes)
        return self._summarize(X, codes, len(classes), read_weights(sample_weight, X))

    def merge(self, other: Self) -> Self:
        """Return the classifier that both tables together would have given; `a + b` is the same.

        The parameters are those of `self`; the classes are united; neither operand changes.

        Parameters
        ----------
        other : classifier of the same type
        """
        check_is_fitted(self)
        check_is_fitted(other)
        self._check_alike(other)
        classes = np.unique(np.concatenate([self.classes_, other.classes_]))
        parts = [m._tally().move_classes(np.searchsorted(classes, m.classes_), len(classes)) for m in (self, other)]
        merged: Self = clone(self)
        merged.classes_ = classes
        for name in ("n_features_in_", "feature_names_in_"):
            if name in self.__dict__:
                setattr(merged, name, getattr(self, name))
        merged._become(parts[0] + parts[1])
        return merged

    def __add__(self, other: object) -> Self:
        return self.merge(other) if isinstance(other, type(self)) else NotImplemented

    def _check_alike(self, other: Any) -> None:
        """Refuse to merge models that speak of different things."""
        if type(other) is not type(self):
            raise TypeError(f"{type(self).__name__} merges with its like, not with {type(other).__name__}")
        if self.n_features_in_ != other.n_features_in_:
            raise ValueError(f"cannot merge: {self.n_features_in_} features and {other.n_features_in_} features")
        mine, theirs = (m.__dict__.get("feature_names_in_") for m in (self, other))
        if mine is not None and theirs is not None and list(mine) != list(theirs):
            raise ValueError(f"cannot merge: the features are {list(mine)} and {list(theirs)}")
        if (self.classes_.dtype.kind in "biuf") != (other.classes_.dtype.kind in "biuf"):
            raise ValueError(f"cannot merge: the classes are {self.classes_} and {other.classes_}")

    # -- predicting --------------------------------------------------------------------------------------------

    def predict_joint_log_proba(self, X: Any) -> Array:
        """Return log P(c) + log P(x | c) as (rows, classes)."""
        return self._answer(X, None)

    def predict_log_proba(self, X: Any) -> Array:
        """Return log P(c | x) as (rows, classes)."""
        return self._answer(X, normalize)

    def predict_proba(self, X: Any) -> Array:
        """Return P(c | x) as (rows, classes)."""
        return self._answer(X, exponentiate)

    def predict(self, X: Any) -> Array:
        """Return the most probable class of each row; the first one where several are."""
        X, scorer = self._ready(X)
        parts = list(blocks(X, scorer.width))
        scores = np.empty((parts[0].stop, len(scorer.start)))
        best = [first_of_largest(self._score(X, part, scorer, scores[: part.stop - part.start])) for part in parts]
        labels: Array = self.classes_[best[0] if len(best) == 1 else np.concatenate(best)]
        return labels

    def _ready(self, X: Any) -> tuple[Matrix, Scorer]:
        if "classes_" not in self.__dict__:
            check_is_fitted(self)
        X = read_matrix(self, X, reset=False, missing=self._missing)
        return X, self._scorer(X)

    def _answer(self, X: Any, finish: Callable[[Array], None] | None) -> Array:
        X, scorer = self._ready(X)
        out = np.empty((X.shape[0], len(scorer.start)), scorer.precision)
        for part in blocks(X, scorer.width):
            own = out[part] if out.dtype == np.float64 else np.empty((part.stop - part.start, out.shape[1]))
            self._score(X, part, scorer, own)
            if finish is not None:
                finish(own)
            if out.dtype != np.float64:
                out[part] = own
        return out

    def _score(self, X: Matrix, part: slice, scorer: Scorer, scores: Array) -> Array:
        scorer.write(X, part, np.ascontiguousarray(scorer.start, np.float64), scores)
        return scores


@contextmanager
def all_or_nothing(estimator: BaseEstimator) -> Iterator[None]:
    """Leave an estimator as it was where learning fails: its attributes are replaced, never written into."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        estimator.__dict__ = before
        raise


def first_of_largest(scores: Array) -> Array:
    """Return the first class of those whose scores tie for the largest of a row, up to rounding."""
    return native.argmax(scores, TIE)


def normalize(scores: Array) -> None:
    """Subtract each row's log P(x), in place; a row impossible under every class has no posterior: NaN.

    Scores that tie up to rounding are made equal, so that the largest probability shown is the one predicted.
    """
    lost = native.log_normalize(scores, TIE)
    if lost is not None:
        scores[lost] = np.nan


def exponentiate(scores: Array) -> None:
    """Turn scores into probabilities, in place."""
    normalize(scores)
    np.exp(scores, out=scores)
