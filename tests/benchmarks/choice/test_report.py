"""The report of the automatic choice: paired differences, their errors, and what lies beyond noise."""

import numpy as np
import pytest
from benchmarks.choice.models import AUTO
from benchmarks.choice.report import ACCURACY, LOG_LOSS, Difference, Scored, before_and_now, beside_others, difference

THEIRS = ["GaussianNB", "KBins"]


def folds(accuracy, loss):
    return np.column_stack([accuracy, loss])


def scored(name, now, before, **others):
    return Scored(name, {AUTO: now} | others, before)


def test_differences_are_paired_and_positive_where_now_is_better():
    now, before = folds([0.9, 0.8, 1.0], [0.5, 0.7, 0.3]), folds([0.8, 0.8, 0.8], [0.6, 0.9, 0.6])
    accuracy, loss = difference(now, before, ACCURACY), difference(now, before, LOG_LOSS)
    assert accuracy == pytest.approx((10.0, 10 / np.sqrt(3)))
    assert loss == pytest.approx((0.2, 0.1 / np.sqrt(3)))


def test_folds_that_are_alike_differ_by_zero_though_the_loss_is_infinite():
    same = folds([0.5, 0.5], [np.inf, 1.0])
    assert difference(same, same, LOG_LOSS) == (0, 0)
    assert difference(same, same, LOG_LOSS).says() == ""


@pytest.mark.parametrize(
    ("mean", "error", "says"), [(1.9, 1, ""), (2.1, 1, "better"), (-2.1, 1, "worse"), (0, 0, ""), (-1, 0, "worse")]
)
def test_more_than_two_standard_errors_lie_beyond_noise(mean, error, says):
    assert Difference(mean, error).says() == says


def test_before_and_now_show_each_set_and_the_mean_with_its_error():
    a = scored("a", folds([0.9, 0.9], [0.2, 0.2]), folds([0.8, 0.8], [0.2, 0.2]))
    b = scored("b", folds([0.5, 0.7], [1.0, 1.2]), folds([0.5, 0.5], [1.0, 1.0]))
    lines = before_and_now([a, b]).splitlines()
    assert lines[2] == "| a | 80.0 | 90.0 | +10.0 ± 0.0 | better | 0.200 | 0.200 | +0.000 ± 0.000 |  |"
    assert lines[3] == "| b | 50.0 | 60.0 | +10.0 ± 10.0 |  | 1.000 | 1.100 | -0.100 ± 0.100 |  |"
    assert lines[4].startswith("| mean of 2 | 65.00 | 75.00 | +10.00 ± 5.00 | 1 better, 0 worse | 0.6000 | 0.6500 |")


def test_the_best_of_scikit_learns_is_another_for_each_measure():
    sure, calm = folds([0.9, 0.9], [9.0, 9.0]), folds([0.5, 0.5], [0.5, 0.5])
    ours = scored("a", folds([0.8, 0.9], [0.4, 0.5]), None, GaussianNB=sure, KBins=calm)
    assert ours.beside(THEIRS, ACCURACY) == pytest.approx((-5, 5))
    assert ours.beside(THEIRS, LOG_LOSS) == pytest.approx((0.05, 0.05))
    line = beside_others([ours], THEIRS).splitlines()[2]
    assert line.endswith("| -5.00 ± 5.00 + | +0.05 ± 0.05 + |")
