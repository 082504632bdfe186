"""Small classifiers whose answers are known, standing in for Candide's."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Frequencies(ClassifierMixin, BaseEstimator):
    """Class frequencies; rows whose first cell is negative are impossible. Speaks Candide's language."""

    def __init__(self, combination="product"):
        self.combination = combination

    def partial_fit(self, X, y, classes=None):
        self.classes_ = np.unique(y if classes is None else classes)
        self.counts_ = np.array([(np.asarray(y) == c).sum() for c in self.classes_])
        return self

    def fit(self, X, y):
        raise AssertionError("must be fitted by partial_fit, so that all classes are known")

    def forget(self, X, y):
        raise NotImplementedError

    def predict_proba(self, X):
        return np.tile((self.counts_ + 1) / (self.counts_ + 1).sum(), (len(X), 1))

    def predict_log_proba(self, X):
        return np.log(self.predict_proba(X))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def impossible(self, X):
        return np.asarray(X)[:, 0] < 0

    def leave_one_out(self, X, y):
        codes = np.searchsorted(self.classes_, y)
        counts = self.counts_ + 1 - np.eye(len(self.classes_))[codes]
        return np.log(counts / counts.sum(axis=1, keepdims=True))
