"""The estimators: scikit-learn's contract around the flow."""

from candide.estimator.classifier import Classifier
from candide.estimator.naive_bayes import NaiveBayes

__all__ = ["Classifier", "NaiveBayes"]
