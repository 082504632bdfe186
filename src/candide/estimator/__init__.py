"""The estimators: scikit-learn's contract around the flow."""

from candide.estimator.naive_bayes import NaiveBayes

__all__ = ["NaiveBayes"]
