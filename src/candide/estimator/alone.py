"""What a command uses of scikit-learn's contract, under the same names, where scikit-learn itself is not imported."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from candide.rules import Parametrized


class BaseEstimator(Parametrized):
    """Parameters by name."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted(cls._parameters())


class ClassifierMixin:
    """The accuracy."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the weight of the rows whose label is predicted, of that of all."""
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))  # type: ignore[attr-defined]


def clone(estimator: Any) -> Any:
    """Return an estimator of the same parameters that has learnt nothing."""
    return type(estimator)(**deepcopy(estimator.get_params(deep=False)))


def check_is_fitted(estimator: Any) -> None:
    """Refuse an estimator that has learnt nothing."""
    if not estimator.__sklearn_is_fitted__():
        raise ValueError(f"this {type(estimator).__name__} is not fitted: call fit first")
