"""Naive Bayes for mixed tables, on statistics that add up."""

from candide.native import kernels

__all__ = ["__version__", "kernels"]

__version__ = "0.1.0"
