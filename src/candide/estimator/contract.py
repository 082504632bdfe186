"""scikit-learn's contract: its own classes; in the process of a command, what commands use of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from candide import process

if TYPE_CHECKING or "sklearn" in sys.modules or not process.alone:
    from sklearn.base import BaseEstimator, ClassifierMixin, clone
    from sklearn.utils.validation import check_is_fitted
else:
    from candide.estimator.alone import BaseEstimator, ClassifierMixin, check_is_fitted, clone

__all__ = ["BaseEstimator", "ClassifierMixin", "check_is_fitted", "clone"]
