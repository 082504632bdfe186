"""ComplementNB: weights of words from all the other classes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from candide.naive_bayes.base import Scorer
from candide.naive_bayes.discrete import DiscreteNB, log_theta, total
from candide.naive_bayes.multinomial import MultinomialNB


class ComplementNB(MultinomialNB):
    """Naive Bayes for counts that judges a class by how little the other classes look like the row.

    The score is Σ_i x_i w_ci, with w_ci = −log theta_ci and theta_ci the softened share of column i in the classes
    other than c; with `norm`, w is divided by Σ_i |w_ci|. The class prior counts only where there is one class.

    Parameters
    ----------
    alpha, force_alpha, fit_prior, class_prior
        As in `DiscreteNB`.
    norm : bool, default=False
        Whether the weights of a class add up to one.

    Attributes
    ----------
    feature_all_ : ndarray (n_features,)
        The counts of all classes; the others are those of `DiscreteNB`.

    Examples
    --------
    >>> nb = ComplementNB().fit([[2, 0], [1, 0], [0, 3]], ["tea", "tea", "coffee"])
    >>> nb.predict([[0, 1]])
    array(['coffee'], dtype='<U6')
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **DiscreteNB._parameter_constraints,
        "norm": ["boolean"],
    }

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.norm = norm

    def _estimate(self, alpha: Any) -> None:
        self.feature_all_ = self.feature_count_.sum(axis=0)
        others = self.feature_all_ - self.feature_count_
        weights = log_theta(others, others.sum(axis=1), alpha, total(alpha, others.shape[1]))
        weights /= weights.sum(axis=0) if self.norm else -1.0
        self.feature_log_prob_ = weights.T

    def _scorer(self, X: Any) -> Scorer:
        scorer = super()._scorer(X)
        if len(self.classes_) == 1:
            return scorer
        return Scorer(np.zeros(len(self.classes_)), scorer.write, scorer.width)
