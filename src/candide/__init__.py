"""Candide: naive Bayes for mixed tables, on statistics that add up."""

from candide.estimator import NaiveBayes
from candide.loading import load
from candide.native import kernels

__all__ = ["NaiveBayes", "__version__", "kernels", "load"]

__version__ = "0.1.0"
