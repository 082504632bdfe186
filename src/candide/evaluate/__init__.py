"""Compare classifiers: the same folds for all, proper scores, paired tests, calibration."""

from candide.evaluate.comparison import compare
from candide.evaluate.evaluation import Evaluation
from candide.evaluate.leaving_out import leave_one_out
from candide.evaluate.ranks import critical_difference, mean_ranks
from candide.evaluate.reliability import brier_decomposition, calibration_error, reliability
from candide.evaluate.streaming import cross_validate_source
from candide.evaluate.validation import cross_validate, learning_curve

__all__ = [
    "cross_validate",
    "cross_validate_source",
    "learning_curve",
    "leave_one_out",
    "Evaluation",
    "compare",
    "mean_ranks",
    "critical_difference",
    "reliability",
    "brier_decomposition",
    "calibration_error",
]
